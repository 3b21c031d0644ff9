//! `cargo bugnet variants --against`, run on a small crate with two revisions.
//!
//! **Invariant:** the crate has a name of its own, for tests share what is built.

use crate::fixture::{Crate, Done};
use serde_json::Value;
use std::fs;
use std::process::Command;

/// A basket before it was changed.
const BEFORE: &str = "\
//! A shop.
/// Returns the price of a basket.
pub fn price(total: u32, limit: u32) -> u32 {
    if total > limit { total - 5 } else { total }
}

/// Is gone in the next version.
pub fn old(x: u8) -> u8 {
    x
}

/// Has other types in the next version.
pub fn retyped(x: u8) -> u8 {
    x
}

/// Stays as it is.
pub fn third(x: u32) -> u32 {
    x / 3
}

/// What somebody buys.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Basket {
    items: Vec<u32>,
}

impl Basket {
    /// Returns an empty basket.
    pub fn new() -> Basket {
        Basket::default()
    }

    /// Adds something.
    pub fn add(&mut self, item: u32) {
        self.items.push(item);
    }

    /// Returns the number of things.
    pub fn count(&self) -> usize {
        self.items.len()
    }
}
";

/// The changes: two in behaviour, one function removed, one added, one with other types, and a private field renamed.
const CHANGES: [(&str, &str); 6] = [
    ("if total > limit { total - 5 }", "if total >= limit { total.saturating_sub(5) }"),
    ("self.items.push(item);", "if item > 0 {\n            self.items.push(item);\n        }"),
    ("/// Is gone in the next version.\npub fn old(", "/// Is new.\npub fn young("),
    ("retyped(x: u8) -> u8", "retyped(x: u16) -> u16"),
    ("items", "list"),
    ("x / 3", "x.div_euclid(3)"),
];

fn git(krate: &Crate, words: &[&str]) {
    let who = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    let done = Command::new("git").arg("-C").arg(krate.path()).args(who).args(words).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// Returns the crate with its first revision under the name `v1` and the second one in the working tree.
fn shop() -> Crate {
    let krate = Crate::with("against-shop", &[("src/lib.rs", BEFORE)]);
    git(&krate, &["init", "--quiet"]);
    git(&krate, &["add", "Cargo.toml", "src"]);
    git(&krate, &["commit", "--quiet", "--message", "one"]);
    git(&krate, &["tag", "v1"]);
    let after = CHANGES.iter().fold(BEFORE.to_string(), |text, (from, to)| text.replace(from, to));
    fs::write(krate.path().join("src/lib.rs"), after).unwrap();
    krate
}

fn against(krate: &Crate, words: &[&str]) -> Done {
    let words = [&["--programs", "2000", "--time", "10m", "--against"], words].concat();
    Done::of(krate.bugnet("variants", &words).output().unwrap())
}

#[test]
fn changes_of_behaviour_are_shown_and_a_refactoring_is_not() {
    let krate = shop();
    let report = krate.path().join("report.json");
    let done = against(&krate, &["v1", "--json", report.to_str().unwrap()]);
    assert_eq!(done.code, Some(1), "{}{}", done.output, done.errors);
    let report: Value = serde_json::from_str(&fs::read_to_string(report).unwrap()).unwrap();
    let names =
        |list: &str| report[list].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let lists: [Vec<&str>; 4] = ["added", "removed", "retyped", "private"].map(names);
    assert_eq!(
        lists,
        [
            vec!["against_shop::young"],
            vec!["against_shop::old"],
            vec!["against_shop::retyped"],
            vec!["Basket"]
        ]
    );
    let changes = report["changes"].as_array().unwrap();
    let operations: Vec<&str> = changes.iter().map(|change| change["operation"].as_str().unwrap()).collect();
    let is_changed = |name: &str| operations.iter().any(|operation| operation.contains(name));
    assert!(is_changed("price") && is_changed("count"), "{report:#}");
    assert!(!is_changed("third"), "{report:#}");
    // The program is the smallest one, and asserts what the working tree does.
    let price = changes.iter().find(|change| change["change"] == "panics-no-more").expect("it was mended");
    assert_eq!(price["build"], "0", "{price}");
    assert_eq!(price["against"], "panics: attempt to subtract with overflow", "{price}");
    assert!(done.output.contains("panicked in v1 ("), "{}", done.output);
    // The same source twice is no change.
    git(&krate, &["commit", "--quiet", "--all", "--message", "two"]);
    let same = against(&krate, &["HEAD"]);
    assert_eq!(same.code, Some(0), "{}{}", same.output, same.errors);
    assert!(same.output.contains("no behaviour that differs from HEAD"), "{}", same.output);
}

#[test]
fn a_build_that_there_is_not_is_refused_with_a_sentence() {
    let krate = shop();
    let unknown = against(&krate, &["v7"]);
    assert_eq!(unknown.code, Some(2), "{}", unknown.errors);
    assert!(unknown.errors.contains("`v7` is neither a published version"), "{}", unknown.errors);
    let same = against(&krate, &["release", "--release"]);
    assert!(same.code == Some(2) && same.errors.contains("both builds are the same"), "{}", same.errors);
    let both = against(&krate, &["v1", "--missed"]);
    assert!(both.code == Some(2) && both.errors.contains("cannot be used with"), "{}", both.errors);
}
