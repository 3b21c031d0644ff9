//! Runs that must not end green, and what is left when a run cannot write.

use crate::fixture::{Crate, Done};
use std::fs;

/// A function whose name is a keyword, and which unwraps what is not there.
pub(crate) const TRY: &str = "pub fn r#try(numbers: Vec<u8>) -> u8 { numbers.into_iter().last().unwrap() }\n";

#[test]
fn what_was_found_is_shown_first_and_nothing_of_the_user_is_overwritten() {
    let green = Crate::with("green", &[("src/lib.rs", TRY)]);
    let manifest = green.path().join("Cargo.toml");
    let explore = |words: &[&str]| {
        let place = ["--programs", "1000", "--manifest-path", manifest.to_str().unwrap()];
        let mut command = green.command(&[words, &place].concat());
        // Beside the manifest, not here.
        Done::of(command.current_dir(std::env::temp_dir()).output().unwrap())
    };
    let done = explore(&["--write-tests", "--json", "/no/such/folder/report.json"]);
    done.assert_ended(1, "/no/such/folder/report.json cannot be written");
    assert!(done.output.contains("`r#try` unwraps what is not there"), "{}", done.output);
    // It was told as soon as its test was seen to fail.
    let (before, _) = done.errors.split_once("     Reduced and proven").unwrap();
    let proven =
        before.lines().find(|line| line.starts_with("      Proven `r#try` unwraps what is not there at "));
    assert!(proven.is_some_and(|line| line.ends_with("src/lib.rs:1 (r_try_panics)")), "{}", done.errors);
    let tests = green.path().join("tests/explore_green.rs");
    let written = fs::read_to_string(&tests).unwrap();
    assert!(written.contains("green::r#try("), "{written}");
    let mine = format!("// Mine.\n{written}");
    fs::write(&tests, &mine).unwrap();
    explore(&["--write-tests"]).assert_ended(1, "Kept 1 test in");
    assert_eq!(fs::read_to_string(&tests).unwrap(), mine);
    assert_eq!(fs::read_dir(green.path().join("tests")).unwrap().count(), 1);
    explore(&["--replay", "0"]).assert_ended(2, "`0` is no program of this crate");
    explore(&["--skip", "tyr"])
        .assert_ended(2, "no operation of this crate has a name that begins with `tyr`");
    explore(&["--law", "no_such=off"]).assert_ended(2, "this crate has no law `no_such`");
    green.explore(&["--crate", "../../x@1"]).assert_ended(2, "`../../x@1` names no crate");
}

#[test]
fn what_cannot_be_built_exits_with_3() {
    let text = "compile_error!(\"not on this system\");\n";
    let refusing = Crate::with("refusing", &[("src/lib.rs", text)]);
    refusing.explore(&["--programs", "100"]).assert_ended(3, "not on this system");
    let script = "fn main() { panic!(\"no compiler for C\"); }\n";
    let scripted = Crate::with("scripted", &[("src/lib.rs", "pub fn one() {}\n"), ("build.rs", script)]);
    scripted.explore(&["--programs", "100"]).assert_ended(3, "no compiler for C");
}

#[test]
fn a_thread_that_ends_the_process_is_never_green() {
    let text = "pub fn start() { std::thread::spawn(|| std::process::abort()); }\n";
    let thread = Crate::with("thread", &[("src/lib.rs", text)]);
    let done = thread.explore(&["--programs", "100", "--show-suspects"]);
    assert!(matches!(done.code, Some(1 | 5)), "{:?}\n{}\n{}", done.code, done.output, done.errors);
    // When the one function is banned, there is nothing left to call, and no process of ours dies of that.
    let said = format!("{}\n{}", done.output, done.errors);
    assert!(!said.contains("exit 101"), "{said}");
}
