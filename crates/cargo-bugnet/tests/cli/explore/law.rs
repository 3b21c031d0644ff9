//! Laws that follow from names, traits and checks.

use crate::fixture::{Crate, assert_kept, lines};
use serde_json::Value;
use std::fs;

/// The laws that the fixture breaks.
const BROKEN: &str = include_str!("../../fixtures/laws/broken.txt");

#[test]
fn laws_that_follow_from_names_are_broken_by_what_breaks_them_and_by_nothing_else() {
    let laws = Crate::shared("laws");
    let (done, report) = laws.explored(&["--programs", "200000", "--seed", "2", "--law", "max_is_most=off"]);
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    let bugs = report["bugs"].as_array().unwrap();
    let mut broken = std::collections::BTreeSet::new();
    for bug in bugs {
        let others = bug["also"].as_array().into_iter().flatten().filter_map(Value::as_str);
        broken.extend(others.chain(bug["operation"].as_str()).map(str::to_string));
        assert_eq!(bug["test_fails_alike"], true, "{bug}");
    }
    for law in BROKEN.lines() {
        assert!(broken.contains(&format!("law {law}")), "{law} is not in {broken:#?}\n{}", done.output);
    }
    assert!(!broken.iter().any(|law| law.contains("kept::")), "{broken:#?}\n{}", done.output);
    assert!(!broken.iter().any(|law| law.contains("max_is_most")), "{broken:#?}\n{}", done.output);
    let reason = "`level` should tell what `set_level` was given";
    assert!(bugs.iter().any(|bug| bug["reason"] == reason), "{}", done.output);
}

#[test]
fn what_serde_writes_and_does_not_read_is_a_bug_when_the_feature_is_on() {
    let text = "\
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = \"serde\", derive(serde::Serialize, serde::Deserialize))]
pub struct Kept(pub u8);

#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = \"serde\", derive(serde::Serialize, serde::Deserialize))]
pub struct Lost {
    #[cfg_attr(feature = \"serde\", serde(skip))]
    number: u8,
}

impl Lost {
    pub fn new(number: u8) -> Lost {
        Lost { number }
    }
}

/// Takes anything, and JSON does not tell a letter from a text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = \"serde\", derive(serde::Serialize, serde::Deserialize), serde(untagged))]
pub enum Any {
    Letter(char),
    Text(String),
    Number(u8),
    List(Vec<u8>),
}
";
    let serial = Crate::with("serial", &[("src/lib.rs", text)]);
    let manifest = serial.path().join("Cargo.toml");
    let dependency =
        "\n[dependencies]\nserde = { version = \"1\", features = [\"derive\"], optional = true }\n";
    fs::write(&manifest, fs::read_to_string(&manifest).unwrap() + dependency).unwrap();
    let done = serial.explore(&["--programs", "4000"]);
    assert_eq!(done.code, Some(0), "{}\n{}", done.output, done.errors);
    let (done, report) = serial.explored(&["--programs", "20000", "--features", "serde", "--write-tests"]);
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    let bugs = report["bugs"].as_array().unwrap();
    assert_eq!(bugs.len(), 1, "{}", done.output);
    assert_eq!(bugs[0]["operation"], "law json_is_read of Lost");
    assert_eq!(bugs[0]["test_fails_alike"], true, "{}", bugs[0]);
    let tests = fs::read_to_string(serial.path().join("tests/explore_serial.rs")).unwrap();
    assert!(tests.contains("need `serde_json` as development dependencies"), "{tests}");
}

const STACK: &str = include_str!("../../fixtures/stack/src/lib.rs");

#[test]
fn what_a_crate_checks_itself_is_asked_of_whatever_is_made() {
    let stack = Crate::with("stack", &[("src/lib.rs", STACK)]);
    let manifest = stack.path().join("Cargo.toml");
    let library = concat!(env!("CARGO_MANIFEST_DIR"), "/../bugnet");
    let dependency = format!("\n[dependencies]\nbugnet = {{ path = {library:?} }}\n");
    fs::write(&manifest, fs::read_to_string(&manifest).unwrap() + &dependency).unwrap();
    let (done, report) = stack.explored(&["--programs", "4000", "--seed", "1", "--write-tests"]);
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    let bugs = report["bugs"].as_array().unwrap();
    assert_eq!(bugs.len(), 1, "{}", done.output);
    assert_eq!(bugs[0]["operation"], "law checks_hold of SumStack", "{}", done.output);
    assert_eq!(bugs[0]["reason"], "the crate itself says by `#[check]` what always holds");
    assert_eq!(bugs[0]["test_fails_alike"], true, "{}", bugs[0]);
    let tests = fs::read_to_string(stack.path().join("tests/explore_stack.rs")).unwrap();
    assert!(tests.contains("bugnet::program::Api::assert_checks(&sum_stack);"), "{tests}");
    assert!(tests.contains("need `bugnet` as development dependencies"), "{tests}");
    assert_kept("stack", &lines(&stack, &report));
}
