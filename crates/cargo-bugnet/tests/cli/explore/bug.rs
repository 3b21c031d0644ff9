//! Bugs from the first failing call to the test that shows them.

use crate::fixture::{Crate, Done, target};
use std::fs;
use std::process::Command;

#[test]
fn a_function_that_wants_a_type_of_the_users_own_is_given_one_that_the_test_has_too() {
    let sky = Crate::shared("sky");
    let (done, report) = sky.explored(&["--programs", "4000", "--seed", "1", "--write-tests"]);
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    let bugs = report["bugs"].as_array().unwrap();
    assert_eq!(bugs.len(), 1, "{}", done.output);
    // What a trait insists on, nobody has told its type.
    let reason = "the documentation of `sky::Way` has a precondition";
    assert_eq!(report["suspects"][0]["reason"], reason, "{}", done.output);
    assert_eq!((&bugs[0]["operation"], &bugs[0]["test_fails_alike"]), (&"nearest".into(), &true.into()));
    assert_eq!(bugs[0]["program"][0], "sky::nearest(&[], &OwnBody(0));", "{}", bugs[0]);
    let tests = fs::read_to_string(sky.path().join("tests/explore_sky.rs")).unwrap();
    assert!(tests.contains("\nimpl sky::Body for OwnBody {\n"), "{tests}");
    assert!(!tests.contains("OwnSight"), "{tests}");
    // It compiles against the crate alone.
    let mut command = Command::new(env!("CARGO"));
    command.args(["test", "--test", "explore_sky"]).current_dir(sky.path());
    let ran = Done::of(command.env("CARGO_TARGET_DIR", target()).output().unwrap());
    assert!(ran.output.contains("0 passed; 1 failed"), "{}\n{}", ran.output, ran.errors);
}

/// A set whose hash depends on the keys of its hasher.
const CHANCE: &str = "\
use std::collections::HashSet;
use std::hash::{Hash, Hasher};

/// A set of numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Set(HashSet<u8>);

impl Hash for Set {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.iter().for_each(|number| number.hash(state));
    }
}

impl FromIterator<u8> for Set {
    fn from_iter<I: IntoIterator<Item = u8>>(numbers: I) -> Set {
        Set(numbers.into_iter().collect())
    }
}
";

#[test]
fn a_bug_that_shows_by_chance_has_a_test_that_fails_for_sure() {
    let chance = Crate::with("chance", &[("src/lib.rs", CHANCE)]);
    let (done, report) = chance.explored(&["--programs", "20000", "--seed", "1", "--write-tests"]);
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    let bug = &report["bugs"][0];
    let (failed, runs) = (bug["failed_runs"].as_u64().unwrap(), bug["runs"].as_u64().unwrap());
    assert!(failed > 0 && failed < runs && runs >= 60, "{bug}");
    assert_eq!((&bug["class"], &bug["test_fails_alike"]), (&"law".into(), &true.into()), "{bug}");
    let said = format!("% sure, fails in {failed} of {runs} runs)");
    assert!(done.output.contains(&said), "{}", done.output);

    let tests = fs::read_to_string(chance.path().join("tests/explore_chance.rs")).unwrap();
    let said = format!("    // Fails by chance, in {failed} of {runs} runs.\n    for _ in 0..");
    assert!(tests.contains(&said), "{tests}");
    let mut command = Command::new("cargo");
    command.args(["test", "--test", "explore_chance"]).current_dir(chance.path());
    for _ in 0..10 {
        let done = Done::of(command.env("CARGO_TARGET_DIR", target()).output().unwrap());
        assert!(done.output.contains("0 passed; 1 failed"), "{}\n{}", done.output, done.errors);
    }
}

#[test]
fn a_bug_that_shows_once_in_each_process_is_none_of_chance() {
    let text = "\
use std::sync::atomic::{AtomicBool, Ordering};

/// Makes everything ready.
pub fn prepare() -> u8 {
    static DONE: AtomicBool = AtomicBool::new(false);
    DONE.swap(true, Ordering::Relaxed).then_some(1).unwrap()
}
";
    let once = Crate::with("once", &[("src/lib.rs", text)]);
    let (done, report) = once.explored(&["--programs", "2000", "--write-tests"]);
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    let bug = &report["bugs"][0];
    assert_eq!((&bug["failed_runs"], &bug["test_fails_alike"]), (&bug["runs"], &true.into()), "{bug}");
    let tests = fs::read_to_string(once.path().join("tests/explore_once.rs")).unwrap();
    assert!(tests.contains("once::prepare();") && !tests.contains("for _ in"), "{tests}");
}

#[test]
fn programs_are_chosen_as_the_user_says() {
    let text = "pub fn zero() -> u8 { 0 }\n";
    let harmless = Crate::with("strategies", &[("src/lib.rs", text)]);
    for (words, strategies) in [
        (&["--strategies", "random"][..], "random"),
        (&["--strategies", "feedback"], "feedback"),
        (&[], "all"),
    ] {
        let (done, report) = harmless.explored(&[&["--programs", "200"], words].concat());
        assert_eq!(done.code, Some(0), "{}\n{}", done.output, done.errors);
        // The harness itself has said so.
        assert_eq!(report["strategies"], strategies, "{}", done.errors);
    }
    harmless.explore(&["--strategies", "none"]).assert_ended(2, "invalid value 'none'");
}

#[test]
fn a_crate_without_bugs_is_code_0_and_its_documented_panics_are_counted() {
    let text = "\
/// The double of a number.
pub fn double(number: u16) -> u32 {
    u32::from(number) * 2
}

/// The half of a number.
///
/// # Panics
///
/// If the number is odd.
pub fn half(number: u32) -> u32 {
    assert!(number % 2 == 0, \"{number} is odd\");
    number / 2
}
";
    let harmless = Crate::with("harmless", &[("src/lib.rs", text)]);
    let (done, report) = harmless.explored(&["--programs", "4000"]);
    assert_eq!(done.code, Some(0), "{}\n{}", done.output, done.errors);
    assert!(done.output.starts_with("0 bugs in "), "{}", done.output);
    assert!(done.output.contains("1 misuse suspect hidden"), "{}", done.output);
    assert_eq!(report["suspects"][0]["reason"], "the documentation says that it panics");
    let done = harmless.explore(&["--programs", "4000", "--show-suspects"]);
    assert!(done.output.contains("half: the documentation says that it panics"), "{}", done.output);
    let (done, report) = harmless.explored(&["--programs", "4000", "--skip", "half"]);
    assert_eq!(report["suspects"].as_array().unwrap().len(), 0, "{}", done.output);
    let done = harmless.explore(&["--programs", "4000", "--skip", "half", "--skip", "double"]);
    done.assert_ended(2, "nothing is left to call");
}

/// Reads lists of lists without asking how deep they are, and a setting that only its tests name.
const READER: &str = "\
/// Returns the depth of the lists of a text.
pub fn depth(text: &str) -> Result<usize, ()> {
    fn list(text: &[u8]) -> Option<(usize, &[u8])> {
        let Some(mut rest) = text.strip_prefix(b\"<\") else { return Some((0, text)) };
        let mut deepest = 0;
        while !rest.starts_with(b\">\") {
            let (depth, after) = list(std::hint::black_box(rest))?;
            deepest = deepest.max(depth);
            rest = if depth == 0 { after.get(1..)? } else { after };
        }
        Some((deepest + 1, &rest[1..]))
    }
    list(text.as_bytes()).map(|(depth, _)| depth).ok_or(())
}

/// The number that a setting has.
pub fn setting(text: &str) -> Option<u32> {
    let number = text.strip_prefix(concat!(\"max\", \"-level\", \":\"))?;
    number.bytes().all(|digit| digit.is_ascii_digit()).then(|| number.parse().unwrap())
}
";

#[test]
fn texts_of_tests_are_changed_and_nested_until_they_break_what_reads_them() {
    let tests = "use reader::*; #[test] fn reads() { \
                 assert_eq!(depth(\"<<a>>\"), Ok(2)); assert_eq!(setting(\"max-level:12\"), Some(12)); }";
    let reader = Crate::with("reader", &[("src/lib.rs", READER)]);
    fs::create_dir(reader.path().join("tests")).unwrap();
    fs::write(reader.path().join("tests/reads.rs"), tests).unwrap();
    let (done, report) = reader.explored(&["--programs", "100000", "--seed", "1"]);
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    let bug = |operation: &str| {
        let bugs = report["bugs"].as_array().unwrap();
        let found = bugs.iter().find(|bug| bug["operation"] == operation);
        found.unwrap_or_else(|| panic!("{operation} is not in\n{}\n{}", done.output, done.errors))
    };
    let deep = bug("depth");
    assert_eq!((&deep["cause"], &deep["test_fails_alike"]), (&"death".into(), &true.into()), "{deep}");
    assert!(deep["program"][0].as_str().unwrap().contains("(\"<\".repeat("), "{deep}");
    // Neither the empty text nor one that no number is, but the shortest of those that are wrong.
    let large = bug("setting");
    assert_eq!((&large["cause"], &large["test_fails_alike"]), (&"panic".into(), &true.into()), "{large}");
    assert_eq!(large["program"][0], "reader::setting(\"max-level:\");", "{large}");
}
