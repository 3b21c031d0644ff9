//! The book says what the library and the command line do.
//!
//! **Invariant:** a setting, a command or a page that is added is added to the book as well.

use bugnet::campaign::Options;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn pages() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src")
}

fn page(name: &str) -> String {
    fs::read_to_string(pages().join(name)).unwrap()
}

#[test]
fn every_page_is_in_the_summary_and_every_link_has_its_page() {
    let summary = page("SUMMARY.md");
    for entry in fs::read_dir(pages()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(
            name == "SUMMARY.md" || summary.contains(&format!("({name})")),
            "{name} is not in the summary"
        );
        let links = page(&name);
        let links = links.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        // A link without a page is one to a heading of the same page.
        for link in links.filter(|link| !link.is_empty()) {
            assert!(pages().join(link).is_file(), "{name} links to {link}");
        }
    }
}

#[test]
fn every_setting_is_in_the_table_of_settings() {
    let settings = page("settings.md");
    let refusal = Options::default().set("?", "").unwrap_err();
    let (_, keys) = refusal.split_once("the settings are: ").unwrap();
    for key in keys.split(", ") {
        assert!(settings.contains(&format!("\n| `{key}` |")), "{key} is not in the table");
    }
}

#[test]
fn every_command_and_exit_code_is_on_its_page() {
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-bugnet")).arg("--help").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let command_line = page("command-line.md");
    let section = |title: &str| {
        let (_, rest) = help.split_once(&format!("{title}:\n")).unwrap();
        let lines = rest.lines().take_while(|line| !line.is_empty());
        lines.filter_map(|line| line.split_whitespace().next()).map(str::to_string).collect::<Vec<_>>()
    };
    for command in section("Commands").iter().filter(|command| *command != "help") {
        assert!(command_line.contains(&format!("\n| `cargo bugnet {command}")), "{command}");
    }
    for code in section("Exit codes") {
        assert!(command_line.contains(&format!("\n| {code} | ")), "{code}");
    }
}
