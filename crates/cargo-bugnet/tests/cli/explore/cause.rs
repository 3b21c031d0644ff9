//! Each cause once: faults that must be told apart, and faults that must not be split.

use crate::fixture::{Crate, Done, fixture};
use serde_json::Value;

/// The crate of the fixture, explored; the same programs for all tests, so the same bugs.
fn fleet() -> (Crate, Done, Value) {
    let text = std::fs::read_to_string(fixture("fleet").join("src/lib.rs")).unwrap();
    let krate = Crate::with("fleet", &[("src/lib.rs", &text)]);
    let (done, report) =
        krate.explored(&["--seed", "1", "--programs", "6000", "--jobs", "1", "--show-merged"]);
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    (krate, done, report)
}

/// The name of the only bug of a report for which this holds.
fn name_of(report: &Value, is_it: impl Fn(&Value) -> bool) -> String {
    let mut found = report["bugs"].as_array().unwrap().iter().filter(|bug| is_it(bug));
    let name = found.next().and_then(|bug| bug["name"].as_str()).unwrap_or_else(|| panic!("{report:#}"));
    assert!(found.next().is_none(), "{report:#}");
    name.to_string()
}

/// Accepts bugs, runs again, and returns the new report.
fn without(krate: &Crate, names: &[&str]) -> Value {
    for name in names {
        let done = krate.accept(&[name]);
        assert_eq!(done.code, Some(0), "{}\n{}", done.output, done.errors);
    }
    let (done, report) = krate.explored(&["--seed", "1", "--programs", "6000", "--jobs", "1"]);
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    assert_eq!(report["known"].as_u64(), Some(names.len() as u64), "{report:#}");
    report
}

/// The bugs of a report that one of some operations shows, each with what was merged into it.
fn bugs<'a>(report: &'a Value, operations: &[&str]) -> Vec<(&'a str, Vec<&'a str>)> {
    let text = |value: &'a Value, member: &str| value[member].as_str().unwrap_or_default();
    let bugs = report["bugs"].as_array().unwrap().iter();
    let bugs = bugs.filter(|bug| operations.contains(&text(bug, "operation")));
    let merged =
        |bug: &'a Value| bug["merged"].as_array().unwrap().iter().map(|one| text(one, "operation")).collect();
    bugs.map(|bug| (text(bug, "operation"), merged(bug))).collect()
}

#[test]
fn a_family_and_a_recursion_are_one_bug_each_and_different_deaths_and_kinds_are_two_that_hide_only_themselves()
 {
    let (krate, done, report) = fleet();
    let members = |operations: &[&str]| -> Vec<usize> {
        bugs(&report, operations).into_iter().map(|(_, merged)| 1 + merged.len()).collect()
    };
    // What one macro wrote for three types.
    assert_eq!(members(&["Hold8::top", "Hold16::top", "Hold32::top"]), [3], "{report:#}");
    // Two functions that run into one recursion.
    assert_eq!(members(&["sink", "drown"]), [2], "{report:#}");
    // Two functions of one name that abort, each in a function of its own.
    let stops = bugs(&report, &["Engine::stop", "Pump::stop"]);
    assert_eq!(stops.len(), 2, "{report:#}");
    assert!(stops.iter().all(|(_, merged)| merged.is_empty()), "{report:#}");
    // One function that fails in two ways, behind one operation.
    assert_eq!(members(&["load"]), [1, 1], "{report:#}");
    let function = |bug: &Value| bug["function"].as_str().unwrap_or_default().to_string();
    let mut functions: Vec<String> = report["bugs"].as_array().unwrap().iter().map(function).collect();
    functions.sort();
    assert_eq!(functions.iter().filter(|name| *name == "weigh").count(), 2, "{functions:?}");
    assert!(functions.iter().any(|name| name == "burn") && functions.iter().any(|name| name == "leak"));
    // Whatever was merged says why, on the terminal as well.
    for bug in report["bugs"].as_array().unwrap() {
        for merged in bug["merged"].as_array().unwrap() {
            assert!(
                !merged["rule"].as_str().unwrap().is_empty()
                    && !merged["because"].as_str().unwrap().is_empty()
            );
            let line =
                format!("({}: {})", merged["rule"].as_str().unwrap(), merged["because"].as_str().unwrap());
            let operation = merged["operation"].as_str().unwrap();
            let is_shown =
                done.output.lines().any(|shown| shown.contains(operation) && shown.contains(&line));
            assert!(is_shown, "{operation} {line} is not in\n{}", done.output);
        }
    }
    // A death in another function, and another panic of the same one, are shown although the first of each is known.
    let stop = name_of(&report, |bug| bug["operation"] == "Engine::stop");
    let is_unwrap = |bug: &Value| bug["message"].as_str().is_some_and(|text| text.contains("unwrap"));
    let load = name_of(&report, |bug| bug["operation"] == "load" && is_unwrap(bug));
    let left = without(&krate, &[&stop, &load]);
    let shown = bugs(&left, &["Engine::stop", "Pump::stop", "load"]);
    assert_eq!(shown.iter().map(|(operation, _)| *operation).collect::<Vec<_>>(), ["Pump::stop", "load"]);
    assert!(!left["bugs"].as_array().unwrap().iter().any(is_unwrap), "{left:#}");

    // Who accepts a family accepts the members that were listed. Another one is shown as news of the known bug.
    let tops = ["Hold8::top", "Hold16::top", "Hold32::top"];
    let is_top = |bug: &Value| tops.iter().any(|top| bug["operation"] == *top);
    let top = name_of(&report, is_top);
    let accepted = krate.accept(&[&top]);
    assert_eq!(accepted.code, Some(0), "{}\n{}", accepted.output, accepted.errors);
    let file = krate.path().join("bugnet-known.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let listed = text.lines().find(|line| line.starts_with("members")).unwrap_or_else(|| panic!("{text}"));
    let newest = tops.iter().rfind(|top| listed.contains(**top)).unwrap();
    let shorter = listed.replace(&format!("{newest} | "), "").replace(&format!(" | {newest}"), "");
    assert_ne!(shorter, listed, "{text}");
    let explored = || krate.explored(&["--seed", "1", "--programs", "6000", "--jobs", "1"]);
    let (_, whole) = explored();
    assert!(!whole["bugs"].as_array().unwrap().iter().any(is_top), "{whole:#}");
    std::fs::write(&file, text.replace(listed, &shorter)).unwrap();
    let (done, _) = explored();
    let news = format!("new in the known bug {top}: `{newest}`");
    assert!(done.output.contains(&news), "{news} is not in\n{}", done.output);
}

#[test]
fn a_second_fault_behind_one_law_is_seen_even_if_the_first_is_known_and_one_fault_is_told_once() {
    let text = std::fs::read_to_string(fixture("cellar").join("src/lib.rs")).unwrap();
    let cellar = Crate::with("cellar", &[("src/lib.rs", &text)]);
    let explored = |jobs: &str| {
        let (done, report) = cellar.explored(&["--seed", "1", "--programs", "6000", "--jobs", jobs]);
        assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
        report
    };
    let report = explored("1");
    let of = |kind: &str| -> Vec<&Value> {
        let bugs = report["bugs"].as_array().unwrap().iter();
        bugs.filter(|bug| bug["law"]["of"] == kind).collect()
    };
    let calls = |bug: &Value, name: &str| bug["calls"].as_array().unwrap().iter().any(|call| call == name);
    let (casks, jugs, kettles) = (of("Cask"), of("Jug"), of("Kettle"));
    assert_eq!((casks.len(), jugs.len(), kettles.len()), (2, 1, 1), "{report:#}");
    // Each is shown by its own call and not by the other's.
    for name in ["Cask::dent", "Cask::paint"] {
        assert_eq!(casks.iter().filter(|bug| calls(bug, name)).count(), 1, "{report:#}");
    }
    // What three functions bring about is one bug that names the others.
    let ways = kettles[0]["also"].as_array().unwrap();
    let others =
        ways.iter().filter(|also| also.as_str().is_some_and(|also| also.contains(" after Kettle::")));
    assert_eq!(others.count(), 2, "{ways:?}");
    assert_eq!(explored("2")["bugs"], report["bugs"]);
    // One way to break the law is known, and the other one is shown.
    let dent = name_of(&report, |bug| bug["law"]["of"] == "Cask" && calls(bug, "Cask::dent"));
    let left = without(&cellar, &[&dent]);
    let cask = |bug: &Value| bug["law"]["of"] == "Cask";
    let left_of_casks: Vec<&Value> =
        left["bugs"].as_array().unwrap().iter().filter(|bug| cask(bug)).collect();
    assert!(left_of_casks.len() == 1 && calls(left_of_casks[0], "Cask::paint"), "{left:#}");
}
