//! `cargo bugnet explore`, run on crates that are as bad as crates can be.
//!
//! All tests share one target folder, so that the library is built for harnesses once; and they take
//! turns, because each of them wants the whole machine.
//!
//! **Invariant:** the crates are copies, and nothing is written into the tree.

use serde_json::Value;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

static TURN: Mutex<()> = Mutex::new(());

/// A crate of its own, in a folder that is removed with it.
struct Crate {
    folder: tempfile::TempDir,
    _turn: MutexGuard<'static, ()>,
}

/// What a command did.
struct Done {
    code: Option<i32>,
    output: String,
    errors: String,
}

impl Done {
    fn of(output: Output) -> Done {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Done { code: output.status.code(), output: text(output.stdout), errors: text(output.stderr) }
    }

    #[track_caller]
    fn assert_ended(&self, code: i32, said: &str) {
        assert_eq!(self.code, Some(code), "{}\n{}", self.output, self.errors);
        assert!(self.errors.contains(said), "{said:?} is not in\n{}", self.errors);
    }
}

fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("explored")
}

impl Crate {
    /// A package of this name with these files.
    fn with(name: &str, files: &[(&str, &str)]) -> Crate {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().unwrap();
        let manifest =
            format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n");
        fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
        fs::create_dir(folder.path().join("src")).unwrap();
        for (file, text) in files {
            fs::write(folder.path().join(file), text).unwrap();
        }
        Crate { folder, _turn: turn }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-bugnet"));
        command.arg("explore").args(words).current_dir(self.path()).env("CARGO_TARGET_DIR", target());
        command
    }

    fn explore(&self, words: &[&str]) -> Done {
        Done::of(self.command(words).output().unwrap())
    }

    /// Explores, and reads the report.
    fn explored(&self, words: &[&str]) -> (Done, Value) {
        let report = self.path().join("report.json");
        let done = self.explore(&[words, &["--json", report.to_str().unwrap()]].concat());
        let text = fs::read_to_string(&report).unwrap_or_else(|_| panic!("{}\n{}", done.output, done.errors));
        (done, serde_json::from_str(&text).unwrap())
    }
}

const EVIL: &str = include_str!("fixtures/evil/src/lib.rs");

#[test]
fn everything_that_code_can_do_to_its_process_is_a_finding_at_the_right_call() {
    let evil = Crate::with("evil", &[("src/lib.rs", EVIL)]);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    fs::write(evil.path().join("port"), listener.local_addr().unwrap().port().to_string()).unwrap();

    let (done, report) = evil.explored(&["--time", "40s", "--seed", "1", "--write-tests"]);
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    let bugs = report["bugs"].as_array().unwrap();
    let causes = [
        ("overflow_the_stack", "death"),
        ("loop_for_ever", "hang"),
        ("exit", "death"),
        ("abort", "death"),
        ("panic_twice", "death"),
        ("write_to_nowhere", "death"),
        ("ask_for_a_tebibyte", "memory"),
        ("grow_for_ever", "memory"),
    ];
    let tests = fs::read_to_string(evil.path().join("tests/explore_evil.rs")).unwrap();
    for (function, cause) in causes {
        let operation = format!("Counter::{function}");
        let found = bugs.iter().find(|bug| bug["operation"] == operation.as_str());
        let bug = found.unwrap_or_else(|| panic!("{function} is not in\n{}\n{}", done.output, done.errors));
        assert_eq!(bug["cause"], cause, "{bug}");
        assert_eq!(bug["program"].as_array().unwrap().len(), 2, "{bug}");
        assert_eq!((&bug["failed_runs"], &bug["runs"]), (&3.into(), &3.into()), "{bug}");
        assert_eq!(bug["test_fails_alike"], true, "{bug}");
        assert!(tests.contains(&format!(".{function}()")), "{function} is not in\n{tests}");
    }
    assert_eq!(bugs.len(), causes.len(), "{}", done.output);
    // The run has gone on: what does no harm was called all the while.
    assert!(report["calls"].as_u64().unwrap() > 10_000, "{}", done.output);

    if cfg!(target_os = "linux") && report["not_denied"].as_array().unwrap().is_empty() {
        assert!(!evil.path().join("left").exists(), "a file was left");
        assert!(listener.accept().is_err(), "somebody called home");
    }

    // What was found can be seen again.
    let again = evil.explore(&["--replay", "counter_abort_ends_the_process"]);
    assert_eq!(again.code, Some(1), "{}\n{}", again.output, again.errors);
    assert!(again.output.contains("counter.abort();"), "{}", again.output);
    evil.explore(&["--replay", "no_such_bug"]).assert_ended(2, "names neither a bug nor a program");
}

/// The laws that the fixture breaks.
const BROKEN: &str = include_str!("fixtures/laws/broken.txt");
const LAWS: [(&str, &str); 2] = [
    ("src/lib.rs", include_str!("fixtures/laws/src/lib.rs")),
    ("src/format.rs", include_str!("fixtures/laws/src/format.rs")),
];

#[test]
fn laws_that_follow_from_names_are_broken_by_what_breaks_them_and_by_nothing_else() {
    let laws = Crate::with("laws", &LAWS);
    let (done, report) = laws.explored(&["--time", "30s", "--seed", "1", "--law", "max_is_most=off"]);
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

const SKY: &str = include_str!("fixtures/sky/src/lib.rs");

#[test]
fn a_function_that_wants_a_type_of_the_users_own_is_given_one_that_the_test_has_too() {
    let sky = Crate::with("sky", &[("src/lib.rs", SKY)]);
    let (done, report) = sky.explored(&["--time", "5s", "--seed", "1", "--write-tests"]);
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
    let done = serial.explore(&["--time", "2s"]);
    assert_eq!(done.code, Some(0), "{}\n{}", done.output, done.errors);
    let (done, report) = serial.explored(&["--time", "5s", "--features", "serde", "--write-tests"]);
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    let bugs = report["bugs"].as_array().unwrap();
    assert_eq!(bugs.len(), 1, "{}", done.output);
    assert_eq!(bugs[0]["operation"], "law json_is_read of Lost");
    assert_eq!(bugs[0]["test_fails_alike"], true, "{}", bugs[0]);
    let tests = fs::read_to_string(serial.path().join("tests/explore_serial.rs")).unwrap();
    assert!(tests.contains("need `serde_json` as development dependencies"), "{tests}");
}

const STACK: &str = include_str!("fixtures/stack/src/lib.rs");

#[test]
fn what_a_crate_checks_itself_is_asked_of_whatever_is_made() {
    let stack = Crate::with("stack", &[("src/lib.rs", STACK)]);
    let manifest = stack.path().join("Cargo.toml");
    let library = concat!(env!("CARGO_MANIFEST_DIR"), "/../bugnet");
    let dependency = format!("\n[dependencies]\nbugnet = {{ path = {library:?} }}\n");
    fs::write(&manifest, fs::read_to_string(&manifest).unwrap() + &dependency).unwrap();
    let (done, report) = stack.explored(&["--time", "3s", "--seed", "1", "--write-tests"]);
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    let bugs = report["bugs"].as_array().unwrap();
    assert_eq!(bugs.len(), 1, "{}", done.output);
    assert_eq!(bugs[0]["operation"], "law checks_hold of SumStack", "{}", done.output);
    assert_eq!(bugs[0]["reason"], "the crate itself says by `#[check]` what always holds");
    assert_eq!(bugs[0]["test_fails_alike"], true, "{}", bugs[0]);
    let tests = fs::read_to_string(stack.path().join("tests/explore_stack.rs")).unwrap();
    assert!(tests.contains("bugnet::program::Api::assert_checks(&sum_stack);"), "{tests}");
    assert!(tests.contains("need `bugnet` as development dependencies"), "{tests}");
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
    let (done, report) = chance.explored(&["--time", "5s", "--seed", "1", "--write-tests"]);
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
    let (done, report) = once.explored(&["--time", "2s", "--write-tests"]);
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
        let (done, report) = harmless.explored(&[&["--time", "1s"], words].concat());
        assert_eq!(done.code, Some(0), "{}\n{}", done.output, done.errors);
        // The harness itself has said so.
        assert_eq!(report["strategies"], strategies, "{}", done.errors);
    }
    harmless.explore(&["--strategies", "none"]).assert_ended(2, "invalid value 'none'");
}

#[test]
fn a_crate_in_which_every_call_aborts_is_explored_to_its_end() {
    let text = "pub fn one() { std::process::abort() }\npub fn two(_: u8) { std::process::abort() }\n";
    let (done, report) = Crate::with("aborting", &[("src/lib.rs", text)]).explored(&["--time", "60s"]);
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    let operations: Vec<&str> =
        report["bugs"].as_array().unwrap().iter().map(|bug| bug["operation"].as_str().unwrap()).collect();
    assert_eq!(operations.len(), 2, "{}", done.output);
    assert!(report["seconds"].as_f64().unwrap() < 50.0, "it ends when there is nothing left to call");
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
    let (done, report) = harmless.explored(&["--time", "3s"]);
    assert_eq!(done.code, Some(0), "{}\n{}", done.output, done.errors);
    assert!(done.output.starts_with("0 bugs in "), "{}", done.output);
    assert!(done.output.contains("1 misuse suspect hidden"), "{}", done.output);
    assert_eq!(report["suspects"][0]["reason"], "the documentation says that it panics");
    let done = harmless.explore(&["--time", "3s", "--show-suspects"]);
    assert!(done.output.contains("half: the documentation says that it panics"), "{}", done.output);
    let (done, report) = harmless.explored(&["--time", "2s", "--skip", "half"]);
    assert_eq!(report["suspects"].as_array().unwrap().len(), 0, "{}", done.output);
    let done = harmless.explore(&["--time", "2s", "--skip", "half", "--skip", "double"]);
    done.assert_ended(2, "nothing is left to call");
}

const BOAT: &str = include_str!("fixtures/boat/src/lib.rs");

#[test]
fn what_kills_only_after_certain_calls_is_called_again_after_others() {
    let boat = Crate::with("boat", &[("src/lib.rs", BOAT)]);
    let explored = |time: &str| {
        let (done, report) = boat.explored(&["--time", time, "--seed", "1"]);
        assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
        let names = report["bugs"].as_array().unwrap().iter().map(|bug| bug["name"].as_str().unwrap());
        (names.map(str::to_string).collect::<Vec<_>>(), report)
    };
    let (names, report) = explored("30s");
    assert_eq!(names, ["boat_row_ends_the_process", "boat_row_panics"], "{report}");
    assert_eq!(report["bugs"][0]["pattern"], "?b = Boat::new(1); Boat::row(?b, ?c)");
    assert_eq!(report["banned"].as_array().unwrap().len(), 0, "{report}");
    // What is known is not even met.
    let done = boat.explore(&["--accept", "boat_row_ends_the_process"]);
    assert_eq!(done.code, Some(0), "{}\n{}", done.output, done.errors);
    let (names, report) = explored("10s");
    assert_eq!((names.as_slice(), &report["known"]), (&["boat_row_panics".to_string()][..], &Value::from(1)));
    assert_eq!(report["deaths"], 0);
}

const PUMP: &str = include_str!("fixtures/pump/src/lib.rs");

#[test]
fn what_hangs_only_after_certain_calls_is_called_again_after_others() {
    let pump = Crate::with("pump", &[("src/lib.rs", PUMP)]);
    let (done, report) = pump.explored(&["--time", "10s", "--seed", "1", "--jobs", "2"]);
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    let program = report["bugs"][0]["program"].as_array().unwrap();
    assert_eq!((program.len(), &program[1]), (4, &Value::from("workshop.set_stroke(0);")), "{report}");
    assert_eq!(report["banned"].as_array().unwrap().len(), 0, "{report}");
    // Three functions hang, for two workers; after two of them nobody sets a stroke of 0 any more.
    assert!(report["deaths"].as_u64().unwrap() <= 6, "{report}");
}

/// Reads lists of lists without asking how deep they are, and a setting that only its tests name.
const READER: &str = "\
/// How deep the lists of a text are.
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
    let (done, report) = reader.explored(&["--time", "20s", "--seed", "1"]);
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

#[cfg(unix)]
#[test]
fn a_bug_that_is_accepted_is_not_shown_until_it_is_fixed() {
    let text = "pub fn last(text: &str) -> Option<char> { Some(text.chars().rev().nth(0).unwrap()) }\n";
    let name = "last_panics";
    let known = Crate::with("known", &[("src/lib.rs", text)]);
    let (done, report) = known.explored(&["--time", "2s"]);
    assert_eq!((done.code, report["bugs"][0]["name"].as_str()), (Some(1), Some(name)), "{}", done.errors);
    known.explore(&["--accept", "first_panics"]).assert_ended(2, "it has: last_panics");
    for said in ["Accepted last_panics", "there already"] {
        let done = known.explore(&["--accept", name]);
        assert!(done.code == Some(0) && done.output.contains(said), "{}\n{}", done.output, done.errors);
    }

    let (done, report) = known.explored(&["--time", "2s"]);
    assert_eq!(done.code, Some(0), "{}\n{}", done.output, done.errors);
    assert_eq!((report["known"].as_u64(), report["bugs"].as_array().map(Vec::len)), (Some(1), Some(0)));
    assert!(done.output.contains("1 known bug not shown (bugnet-explore.toml)"), "{}", done.output);

    fs::write(known.folder.path().join("src/lib.rs"), text.replace("Some(", "(").replace(".unwrap()", ""))
        .unwrap();
    let done = known.explore(&["--time", "2s"]);
    let said = "last_panics: remove it from bugnet-explore.toml";
    assert!(done.code == Some(0) && done.output.contains(said), "{}\n{}", done.output, done.errors);
    fs::write(known.folder.path().join("bugnet-explore.toml"), "[[known]]\nname = 7\n").unwrap();
    known.explore(&["--time", "2s"]).assert_ended(2, "accept it again");
}

#[test]
fn ctrl_c_ends_the_run_early_and_loses_nothing() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    let text = "pub fn last(numbers: Vec<u8>) -> u8 { numbers.into_iter().last().unwrap() }\n";
    let panicking = Crate::with("panicking", &[("src/lib.rs", text)]);
    let found = |panicking: &Crate| {
        let text =
            fs::read_dir(target().join("bugnet/explore")).ok()?.filter_map(Result::ok).find_map(|entry| {
                let manifest = fs::read_to_string(entry.path().join("Cargo.toml")).ok()?;
                let is_ours = manifest.contains(&*panicking.path().to_string_lossy());
                fs::read_to_string(entry.path().join("run/found.jsonl")).ok().filter(|_| is_ours)
            })?;
        Some(text).filter(|text| !text.is_empty())
    };
    let start = std::time::Instant::now();
    let child = panicking
        .command(&["--time", "1h", "--json", "report.json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // What is found is on disk long before the run ends.
    while found(&panicking).is_none() {
        assert!(start.elapsed().as_secs() < 500, "nothing was found");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let done = Done::of(child.wait_with_output().unwrap());
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    assert!(done.output.contains("`last` unwraps what is not there"), "{}", done.output);
    assert!(panicking.path().join("report.json").is_file());
}

#[test]
fn what_cannot_be_explored_is_refused_with_a_sentence() {
    let program = Crate::with("program", &[("src/main.rs", "fn main() {}")]);
    program.explore(&["--time", "1s"]).assert_ended(2, "has no library");
    drop(program);
    let broken =
        Crate::with("broken", &[("src/lib.rs", "pub fn f<T: From<f32>>(_: T) -> u8 { \"no number\" }")]);
    broken.explore(&["--time", "1s"]).assert_ended(3, "mismatched types");
    let kept = fs::read_dir(target().join("bugnet/explore")).unwrap().map(|entry| entry.unwrap().path());
    let kept: Vec<PathBuf> = kept.filter(|path| path.to_string_lossy().contains("/broken-")).collect();
    let is_answered = kept.iter().any(|path| path.join("answers.json").exists());
    assert!(!kept.is_empty() && !is_answered, "what could not be asked was answered: {kept:?}");
    drop(broken);
    let empty = Crate::with("empty", &[("src/lib.rs", "fn private() {}")]);
    empty.explore(&["--time", "1s"]).assert_ended(2, "nothing to explore");
    empty.explore(&["--time", "soon"]).assert_ended(2, "`soon` is not a length of time");
    empty.explore(&["--time", "0s"]).assert_ended(2, "a time above zero");
    empty.explore(&["--law", "eq_is_reflexive=on"]).assert_ended(2, "only be switched off");
    empty.explore(&["--crate", "@1.0.0"]).assert_ended(2, "names no crate");
    empty.explore(&["-p", "full"]).assert_ended(2, "no package `full`; it has: empty");
}

#[test]
fn a_target_folder_that_cannot_be_written_is_named() {
    let text = "pub fn zero() -> u8 { 0 }\n";
    let harmless = Crate::with("unwritable", &[("src/lib.rs", text)]);
    let file = harmless.path().join("file");
    fs::write(&file, "").unwrap();
    let mut command = harmless.command(&["--time", "1s"]);
    let done = Done::of(command.env("CARGO_TARGET_DIR", file.join("target")).output().unwrap());
    done.assert_ended(2, "cannot be written; CARGO_TARGET_DIR may name another folder");
}

#[cfg(unix)]
#[test]
fn a_toolchain_with_another_format_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let text = "pub fn zero() -> u8 { 0 }\n";
    let harmless = Crate::with("future", &[("src/lib.rs", text)]);
    let rustdoc = harmless.path().join("rustdoc");
    let real = String::from_utf8(Command::new("rustc").args(["--print", "sysroot"]).output().unwrap().stdout);
    let real = Path::new(real.unwrap().trim()).join("bin/rustdoc");
    // It does what the real one does, and then says that its format is another one.
    let script = format!(
        "#!/bin/sh\n{} \"$@\" || exit 1\nfind {} -name future.json -exec sed -i 's/\"format_version\":[0-9]*/\"format_version\":999/' {{}} +\n",
        real.display(),
        target().display()
    );
    fs::write(&rustdoc, script).unwrap();
    fs::set_permissions(&rustdoc, fs::Permissions::from_mode(0o755)).unwrap();
    let done = Done::of(harmless.command(&["--time", "1s"]).env("RUSTDOC", &rustdoc).output().unwrap());
    done.assert_ended(2, "999");
}
