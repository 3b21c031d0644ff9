//! The harness of the crate in `fixtures/library`, made by the command and asked what it has.

use crate::fixture::Crate;
use bugnet::choice::Seed;
use bugnet::wire::explore::{Command as Question, Ending, Event, Exploration};
use bugnet::wire::{Role, VERSION, decode, encode};
use bugnet_process::{Launcher, Process, Start, Talk};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Asks a harness; returns its events.
fn ask(program: &str, question: Question) -> Vec<Event> {
    let talk = Talk::Journalled(env!("CARGO_TARGET_TMPDIR").into());
    let start = Start { launcher: Launcher::Shell, talk, ..Start::new(program) };
    let mut process = Process::start(&start).unwrap();
    for command in [Question::Hello { version: VERSION }, question] {
        process.send(&encode(&command));
    }
    let frames = process.finish(Instant::now() + Duration::from_secs(60)).frames;
    frames.iter().map(|frame| decode(frame).expect("every frame is an event")).collect()
}

/// The output of the command, made once for all tests.
static MADE: LazyLock<Output> = LazyLock::new(made);

fn made() -> Output {
    Crate::shared("library").bugnet("harness", &["--list", "--explain-unreached"]).output().unwrap()
}

#[test]
fn everything_that_can_be_called_is_reached() {
    let said = text(&MADE.stdout);
    assert!(MADE.status.success(), "{said}\n{}", text(&MADE.stderr));
    assert!(said.contains("functions 27 of 28"), "{said}");
    assert!(said.contains("lend: is async"), "{said}");
    assert!(said.contains("library::save: works on files"), "{said}");
    assert!(said.contains("of trait impls 12 of 12"), "{said}");
    let names = [
        "parse",
        "parse(error)",
        "count(every other)",
        "part(RangeFull)",
        "Catalog::insert",
        "Catalog<String, String>::insert",
        "Catalog::retain(|_, _| false)",
        "<Entries as Iterator>::next",
        "<Number as Titled>::shout",
        "<Pages as Add>::add",
        "Pages::MOST",
        "Subject::Fiction",
        "Shelf::kept",
        "ChestInner::content",
        "law len_is_count of Catalog<i32, i32>",
        "law from_bytes_of_to_bytes of Pages",
    ];
    for name in names {
        assert!(said.lines().any(|line| line == name), "{name} is not among\n{said}");
    }
}

#[test]
fn the_same_crate_gets_the_same_harness_without_asking_the_compiler_again() {
    let before = text(&MADE.stdout);
    let again = made();
    let list =
        |said: &str| said.lines().filter(|line| !line.contains(" s")).map(str::to_string).collect::<Vec<_>>();
    assert_eq!(list(&before), list(&text(&again.stdout)));
}

#[test]
fn a_harness_says_what_it_has() {
    let said = text(&MADE.stderr);
    let program = said.lines().find_map(|line| line.trim().strip_prefix("Program ")).expect(&said);
    let listed = ask(program, Question::List);
    let operation = |name: &str, is_reachable| {
        let (name, role) = (name.to_string(), Role::Function);
        Event::Operation { name, role, is_reachable }
    };
    assert!(listed.contains(&operation("Shelf::kept", true)), "{listed:?}");
    assert!(!listed.contains(&operation("Catalog::get", false)), "{listed:?}");
}

/// The harness of the crate with the lock, with or without counters.
fn lock(coverage: &str) -> String {
    let output = Crate::shared("lock").bugnet("harness", &["--coverage", coverage]).output().unwrap();
    let said = text(&output.stderr);
    said.lines().find_map(|line| line.trim().strip_prefix("Program ")).expect(&said).to_string()
}

/// Returns true if a program has counters that the compiler has made.
fn is_counted(program: &str) -> bool {
    let section = b"__llvm_prf_cnts";
    std::fs::read(program).unwrap().windows(section.len()).any(|bytes| bytes == section)
}

#[test]
#[cfg(target_os = "linux")]
fn a_harness_counts_if_it_is_to() {
    assert!(!is_counted(&lock("off")));
    let program = lock("on");
    assert!(is_counted(&program));
    // Programs are kept for code that they reach, of which there is little, and not for what they make.
    let programs = Exploration {
        seed: Seed(1),
        first: 0,
        programs: Some(4_000),
        strategies: "all".to_string(),
        inherit: Vec::new(),
        pauses: false,
    };
    let events = ask(&program, Question::Explore(programs));
    assert_eq!(events.last(), Some(&Event::Ending(Ending::Done)));
    let kept = events.iter().filter(|event| matches!(event, Event::Kept(_))).count();
    assert!((5..200).contains(&kept), "{kept}");
}

#[test]
fn a_crate_without_library_is_refused() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-bugnet"));
    command.args(["bugnet", "harness", "-p", "cargo-bugnet", "--manifest-path"]);
    command.arg(here.join("Cargo.toml"));
    command.env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("explored"));
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("only libraries can be explored"), "{}", text(&output.stderr));
}
