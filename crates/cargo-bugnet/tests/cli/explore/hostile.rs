//! Code that turns against whoever runs it: the run goes on, nothing outside changes, and nothing is left.
#![cfg(target_os = "linux")]

use crate::fixture::{Crate, Done, target};
use std::fs;
use std::process::Command;

const TRAITOR: &str = include_str!("../../fixtures/traitor/src/lib.rs");

/// The numbers of processes that sleep for as long as the fixture has them sleep.
fn left_behind() -> Vec<String> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let sleeping = entries.filter(|entry| {
        fs::read(entry.path().join("cmdline")).is_ok_and(|line| line == b"sleep\x0061.803\0")
    });
    sleeping.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// The scratch folders below the folder of all harnesses of a crate.
fn scratch_folders(name: &str) -> Vec<String> {
    let output = Command::new("find").arg(target()).args(["-name", ".bugnet-scratch-*"]).output().unwrap();
    let all = String::from_utf8_lossy(&output.stdout).into_owned();
    all.lines().filter(|line| line.contains(name)).map(str::to_string).collect()
}

const HOOKED: &str = include_str!("../../fixtures/hooked/src/lib.rs");

#[test]
fn panics_that_print_nothing_and_deaths_that_print_much_are_reduced_and_proven_like_others() {
    let hooked = Crate::with("hooked", &[("src/lib.rs", HOOKED)]);
    let (done, report) = hooked.explored(&["--programs", "2000", "--seed", "1"]);
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    let expected = [
        ("chatter", "panic"),
        ("chatter_to_death", "death"),
        ("fail", "panic"),
        ("fail_in_silence", "panic"),
    ];
    let bugs = report["bugs"].as_array().unwrap();
    for (operation, cause) in expected {
        let found = bugs.iter().find(|bug| bug["operation"] == operation);
        let bug = found.unwrap_or_else(|| panic!("{operation} is not in\n{}\n{}", done.output, done.errors));
        assert_eq!((&bug["cause"], &bug["test_fails_alike"]), (&cause.into(), &true.into()), "{bug}");
        // One call is enough, whatever was called before it.
        assert_eq!(bug["calls"], serde_json::json!([operation]), "{bug}");
        let is_placed = bug["place"].as_str().is_some_and(|place| place.contains("src/lib.rs:"));
        assert_eq!(is_placed, cause == "panic", "{bug}");
    }
    assert_eq!(bugs.len(), expected.len(), "{}", done.output);
}

#[test]
fn a_crate_that_turns_against_its_caller_changes_nothing_outside_and_leaves_nothing() {
    let traitor = Crate::with("traitor", &[("src/lib.rs", TRAITOR)]);
    for barrier in ["namespace", "landlock", "filter"] {
        // The tests that it wrote behind the other barrier.
        let _ = fs::remove_dir_all(traitor.path().join("tests"));
        let mut victim = Command::new("sleep").arg("600").spawn().unwrap();
        fs::write(traitor.path().join("victim"), victim.id().to_string()).unwrap();
        let report = traitor.path().join("report.json");
        let words =
            ["--programs", "1500", "--seed", "1", "--write-tests", "--json", report.to_str().unwrap()];
        // Standard input is a pipe that nobody closes.
        let mut command = traitor.command(&words);
        let (input, _open) = std::io::pipe().unwrap();
        let done = Done::of(command.env("BUGNET_BARRIER", barrier).stdin(input).output().unwrap());
        let is_alive = victim.try_wait().unwrap().is_none();
        victim.kill().unwrap();
        victim.wait().unwrap();
        if done.errors.contains("no barrier") {
            println!("skipped behind {barrier}: {}", done.errors);
            continue;
        }
        assert!(is_alive, "the victim was killed behind {barrier}");
        assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
        let report: serde_json::Value = serde_json::from_str(&fs::read_to_string(report).unwrap()).unwrap();
        let bugs: Vec<_> = report["bugs"].as_array().unwrap().iter().map(|bug| &bug["operation"]).collect();
        assert_eq!(bugs, ["say_something_odd"], "behind {barrier}: {}\n{}", done.output, done.errors);
        // What it said is shown without what a terminal would obey.
        let tests = fs::read_to_string(traitor.path().join("tests/explore_traitor.rs")).unwrap();
        for text in [&done.output, &done.errors, &tests, &report.to_string()] {
            assert!(!text.contains(['\u{7}', '\u{1b}', '\u{202e}', '\u{2069}']), "{text:?}");
        }
        assert!(tests.contains(r"\u{1b}]0;owned\u{7}red \u{202e}desrever\u{2069}\r"), "{tests}");
        assert_eq!(report["bugs"][0]["test_fails_alike"], true, "{report}");
        // Nothing is left, and nothing that it has planted was run.
        let names: Vec<_> =
            fs::read_dir(traitor.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(
            !names.iter().any(|name| name == "ran" || name == "build.rs" || name == "planted-pipe"),
            "{names:?}"
        );
        assert_eq!(left_behind(), [""; 0], "behind {barrier}");
        assert_eq!(scratch_folders("traitor"), [""; 0], "behind {barrier}");
        assert_eq!(fs::read_to_string(traitor.path().join("victim")).unwrap(), victim.id().to_string());
    }
}
