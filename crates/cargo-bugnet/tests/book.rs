//! The documents: the book says what the library and the command line do, and no link leads nowhere.
//!
//! **Invariant:** a setting, a command or a page that is added is added to the book as well, and a decision to
//! the list of decisions.

use bugnet::campaign::Options;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn pages() -> PathBuf {
    root().join("book/src")
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
        for link in links(&pages().join(&name)) {
            assert!(link.is_file(), "{name} links to {}", link.display());
        }
    }
}

/// Where the links of a page lead. A link to a section alone is one within the page.
fn links(path: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(path).unwrap();
    let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    links.map(|link| if link.is_empty() { path.to_path_buf() } else { path.with_file_name(link) }).collect()
}

fn assert_links_lead_somewhere(path: &Path) {
    for link in links(path) {
        assert!(link.exists(), "{} links to {}", path.display(), link.display());
    }
}

/// The pages below a folder, those of its folders included, without `README.md`.
fn pages_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(pages_below(&path));
        } else if !path.ends_with("README.md") {
            found.push(path);
        }
    }
    found
}

#[test]
fn every_link_of_the_documents_at_the_root_leads_to_something() {
    for entry in fs::read_dir(root()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "md") {
            assert_links_lead_somewhere(&path);
        }
    }
}

#[test]
fn every_decision_is_in_the_list_under_its_title() {
    let folder = root().join("docs/decisions");
    let list = folder.join("README.md");
    assert_links_lead_somewhere(&list);
    let list = fs::read_to_string(list).unwrap();
    for path in pages_below(&folder) {
        assert_links_lead_somewhere(&path);
        let (name, text) =
            (path.strip_prefix(&folder).unwrap().display(), fs::read_to_string(&path).unwrap());
        let title = text.lines().next().and_then(|line| line.strip_prefix("# ")).expect("a title");
        assert!(list.contains(&format!("- [{title}]({name})\n")), "{name} is not in the list as `{title}`");
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
