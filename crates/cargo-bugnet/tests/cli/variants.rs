//! `cargo bugnet variants`, run on small crates.
//!
//! **Invariant:** each crate has a name of its own, for they share what is built.

use crate::fixture::{Crate, Done, target};
use serde_json::Value;
use std::fs;

fn variants(krate: &Crate, words: &[&str]) -> Done {
    Done::of(krate.bugnet("variants", words).output().unwrap())
}

/// A shop with one planted fault: `>` where `>=` was meant. Its tests pass.
const SHOP: &str = "\
//! A shop.
#![deny(warnings)]
pub fn price(total: u32, limit: u32) -> u32 {
    let mut price = total;
    if total > limit {
        price -= 5;
    }
    price
}

pub fn unused(x: u32) -> u32 {
    x + 1
}

pub fn sum(values: &[u32]) -> u32 {
    let mut sum = 0;
    for value in values {
        sum += value;
    }
    sum
}

/// Doubles a number.
pub async fn later(x: u32) -> u32 {
    x * 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_baskets_pay_all() {
        assert_eq!(price(10, 100), 10);
    }

    #[test]
    fn large_baskets_pay_less() {
        assert_eq!(price(200, 100), 195);
    }

    #[test]
    fn sums_add_up() {
        assert_eq!(sum(&[1, 2, 3]), 6);
    }
}
";

#[test]
fn the_repair_of_a_planted_fault_is_among_the_mutants_that_live() {
    let krate = Crate::with("variant-shop", &[("src/lib.rs", SHOP)]);
    let report = krate.path().join("report.json");
    let done = variants(&krate, &["--missed", "--json", report.to_str().unwrap()]);
    assert_eq!(done.code, Some(1), "{}{}", done.output, done.errors);
    let text = &done.output;
    assert!(
        text.contains("MISSED    src/lib.rs:5:8: replace total > limit with total >= limit in price\n"),
        "{text}"
    );
    assert!(text.contains("UNREACHED src/lib.rs:12:5: replace x + 1 with x - 1 in unused\n"), "{text}");
    assert!(!text.contains("replace total > limit with true"), "{text}");
    assert!(!text.contains("delete sum += value;"), "{text}");
    let report: Value = serde_json::from_str(&fs::read_to_string(report).unwrap()).unwrap();
    let count = |name: &str| report[name].as_array().unwrap().len() as u64;
    assert_eq!(count("killed") + count("unreached") + count("neutral"), report["mutants"]);
    assert_eq!(report["tests"], 3);
    // The user's own file is as it was.
    assert_eq!(fs::read_to_string(krate.path().join("src/lib.rs")).unwrap(), SHOP);
}

#[test]
fn inputs_that_notice_living_mutants_become_tests_that_pass() {
    let krate = Crate::with("variant-review", &[("src/lib.rs", SHOP)]);
    let review = |words: &[&str]| Done::of(krate.bugnet("review", words).output().unwrap());
    // An earlier run of this test has left its questions in the folder of what is built.
    for entry in fs::read_dir(target().join("bugnet/variants")).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("variant-review")) {
            fs::remove_dir_all(path).unwrap();
        }
    }
    assert!(review(&["--check"]).errors.contains("`cargo bugnet variants` finds them"));
    let report = krate.path().join("report.json");
    let words = ["--programs", "2000", "--seed", "1", "--json", report.to_str().unwrap()];
    let done = variants(&krate, &words);
    assert_eq!(done.code, Some(1), "{}{}", done.output, done.errors);
    let report: Value = serde_json::from_str(&fs::read_to_string(report).unwrap()).unwrap();
    let alarms = report["alarms"].as_array().unwrap();
    let names = alarms.iter().flat_map(|alarm| alarm["mutations"].as_array().unwrap());
    let repair = "src/lib.rs:5:8: replace total > limit with total >= limit in price";
    assert!(names.clone().any(|name| name == repair), "{report:#}");
    assert_eq!(review(&["--check"]).code, Some(1));
    let accepted = review(&["--accept-all"]);
    assert!(accepted.output.contains("tests/bugnet_variants.rs"), "{}{}", accepted.output, accepted.errors);
    assert_eq!(review(&["--check"]).code, Some(0));
    // The tests are in the user's package, pass there, and the mutants that they notice live no more.
    let again = variants(&krate, &["--missed", "--re", "in price"]);
    assert!(!again.output.contains(repair), "{}{}", again.output, again.errors);
    assert_eq!(review(&["--undo"]).code, Some(0));
    assert_eq!(review(&["--check"]).code, Some(1));
}

#[test]
fn mutants_are_listed_and_chosen_without_building_anything() {
    let krate = Crate::with("variant-list", &[("src/lib.rs", SHOP)]);
    let all = variants(&krate, &["--list"]).output;
    let chosen = variants(&krate, &["--list", "--re", "in sum$"]).output;
    assert!(
        chosen.lines().count() > 1
            && chosen.lines().all(|line| all.contains(line) && line.ends_with("in sum"))
    );
    let shards = ["0/2", "1/2"].map(|shard| variants(&krate, &["--list", "--shard", shard]).output);
    assert_eq!(shards.iter().map(|shard| shard.lines().count()).sum::<usize>(), all.lines().count());
    assert_eq!(variants(&krate, &["--list", "--shard", "2/2"]).code, Some(2));
    let none = variants(&krate, &["--list", "--file", "src/other.rs"]);
    assert!(
        none.code == Some(2) && none.errors.contains("nothing of variant-list can be changed"),
        "{}",
        none.errors
    );
}

#[test]
fn a_suite_that_is_red_or_empty_is_refused_with_a_sentence() {
    let red = "pub fn one() -> u8 { 1 }\n#[test]\nfn wrong() { assert_eq!(one(), 2); }\n";
    let krate = Crate::with("variant-red", &[("src/lib.rs", red)]);
    let done = variants(&krate, &[]);
    let expected = "the test variant_red::wrong of variant-red fails before anything is changed; mend it";
    assert!(done.code == Some(2) && done.errors.contains(expected), "{}", done.errors);
    fs::write(krate.path().join("src/lib.rs"), "pub fn one() -> u8 { 1 }\n").unwrap();
    let done = variants(&krate, &[]);
    assert!(done.code == Some(2) && done.errors.contains("variant-red has no tests"), "{}", done.errors);
    fs::write(krate.path().join("src/lib.rs"), "pub fn one() -> u8 { 1 + two }\n").unwrap();
    let done = variants(&krate, &[]);
    assert!(done.code == Some(3) && done.errors.contains("cannot find value `two`"), "{}", done.errors);
}

#[test]
fn a_package_without_a_library_is_refused_with_a_sentence() {
    let krate = Crate::with("variant-program", &[("src/main.rs", "fn main() {}\n")]);
    let done = variants(&krate, &[]);
    assert!(
        done.code == Some(2) && done.errors.contains("variant-program has no library"),
        "{}",
        done.errors
    );
}
