//! Properties that end their process: nothing is lost, and the case is found, reduced and kept.
//!
//! The deadly properties are ignored tests of this file. Each test of the engine runs one of them
//! in a process of its own, as `cargo test` would, and reads what it prints.

use bugnet::campaign::{Isolate, SeedChoice, WantedBugs};
use bugnet::oracle::Verdict;
use bugnet::prelude::*;
use bugnet::program::Shown;
use bugnet::program::{Access, Frame, Kind, Mode, Operation, Parameter, Programs, Role, Suite};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

/// Names the folder that a deadly property keeps its files in.
const FOLDER: &str = "BUGNET_TEST_FOLDER";

fn overflow(depth: u64) -> u64 {
    std::hint::black_box(if depth == u64::MAX { 0 } else { 1 + overflow(std::hint::black_box(depth) + 1) })
}

/// A property of this file, by the name under which the harness knows it.
fn deadly(name: &str, isolate: Isolate, test: impl Fn(Vec<u8>)) {
    let folder = std::env::var(FOLDER).expect("run by a test of this file");
    let options = bugnet::campaign::Options { seed: Some(SeedChoice::This(Seed(1))), ..Default::default() };
    let result = Property::new(format!("isolation::{name}"))
        .folder(folder)
        .options(options)
        .isolate(isolate)
        .check(any::<Vec<u8>>(), test);
    match result {
        Ok(passed) => println!("{passed}"),
        Err(failed) => panic!("{failed}"),
    }
}

const CHILD: Isolate = Isolate::Child { patience: Duration::from_millis(1500) };

#[test]
#[ignore = "ends its process; run by the tests below"]
fn aborts_in_a_child() {
    deadly("aborts_in_a_child", CHILD, |list| {
        if list.len() > 2 {
            std::process::abort();
        }
    });
}

#[test]
#[ignore = "ends its process; run by the tests below"]
fn overflows_in_a_child() {
    deadly("overflows_in_a_child", CHILD, |list| {
        if list.contains(&7) {
            overflow(0);
        }
    });
}

#[test]
#[ignore = "never ends; run by the tests below"]
fn hangs_in_a_child() {
    deadly("hangs_in_a_child", CHILD, |list| {
        while list.len() == 1 {
            std::thread::sleep(Duration::from_millis(50));
        }
    });
}

#[test]
#[ignore = "ends its process; run by the tests below"]
fn exits_in_a_child() {
    deadly("exits_in_a_child", CHILD, |list| {
        if list.len() == 3 {
            std::process::exit(5);
        }
    });
}

#[test]
#[ignore = "fails; run by the tests below"]
fn panics_in_a_child() {
    deadly("panics_in_a_child", CHILD, |list| assert!(list.len() < 4, "four or more"));
}

#[test]
#[ignore = "needs a folder; run by the tests below"]
fn passes_in_a_child() {
    deadly("passes_in_a_child", CHILD, |list| classify!(list.is_empty(), "trivial"));
}

#[test]
#[ignore = "ends its process; run by the tests below"]
fn aborts_here() {
    deadly("aborts_here", Isolate::Off, |list| {
        if list.len() > 40 {
            std::process::abort();
        }
    });
}

/// A machine that counts, and does something deadly when it has counted to two.
struct Counter {
    count: u32,
    deed: fn(),
}

fn counting(name: &str, isolate: Isolate, new: fn(&mut Frame<'_>) -> Verdict) {
    let folder = std::env::var(FOLDER).expect("run by a test of this file");
    let kind = || Kind::of::<Counter>("Counter");
    let own = || Parameter::earlier("self", kind(), Mode::Mutable);
    let suite = Suite::machine("Counter").operations([
        Operation::new("new", "Counter::new()", new).returns(kind(), Access::Owned).role(Role::Setup),
        Operation::new("add", "{0}.add({1})", |frame| {
            let by = frame.literal(Some(u8::generate)).unwrap();
            frame.mutable::<Counter>(0).count += u32::from(by > 9);
            Verdict::Pass
        })
        .parameter(own())
        .parameter(Parameter::drawn("by", Kind::of::<u8>("u8"), Mode::Value, |source| Shown {
            text: u8::generate(source).literal(),
            source: true,
        })),
        Operation::new("deed", "{0}.deed()", |frame| {
            let counter = frame.mutable::<Counter>(0);
            if counter.count >= 2 {
                (counter.deed)();
            }
            Verdict::Pass
        })
        .parameter(own()),
    ]);
    let result = Property::new(format!("isolation::{name}"))
        .folder(folder)
        .seed(Seed(1))
        .isolate(isolate)
        .run(&Programs::new(suite.build()));
    match result {
        Ok(passed) => println!("{passed}"),
        Err(failed) => panic!("{failed}"),
    }
}

#[test]
#[ignore = "never ends; run by the tests below"]
fn a_rule_hangs() {
    counting("a_rule_hangs", CHILD, |frame| {
        frame.keep(Counter { count: 0, deed: || std::thread::sleep(Duration::from_secs(3600)) })
    });
}

#[test]
#[ignore = "takes all memory; run by the tests below"]
fn a_rule_takes_all_memory() {
    counting("a_rule_takes_all_memory", CHILD, |frame| {
        let deed = || {
            let mut all: Vec<Vec<u8>> = Vec::new();
            loop {
                all.push(Vec::with_capacity(1 << 28));
                std::hint::black_box(&all);
            }
        };
        frame.keep(Counter { count: 0, deed })
    });
}

#[test]
#[ignore = "ends its process; run by the tests below"]
fn a_rule_aborts_here() {
    counting("a_rule_aborts_here", Isolate::Off, |frame| {
        frame.keep(Counter { count: 0, deed: || std::process::abort() })
    });
}

/// The name of a rule, and what it does.
type Death = (&'static str, fn(&mut Frame<'_>) -> Verdict);

/// A machine with a death for every rule, and what a run of it reports.
fn dying(name: &str, bugs: WantedBugs, deaths: [Death; 3]) {
    let folder = std::env::var(FOLDER).expect("run by a test of this file");
    let kind = || Kind::of::<Counter>("Counter");
    let rule = |name: &'static str, run| {
        Operation::new(name, "{0}.call()", run).parameter(Parameter::earlier("self", kind(), Mode::Mutable))
    };
    let suite = Suite::machine("Counter")
        .operation(
            Operation::new("new", "Counter::new()", |frame| frame.keep(Counter { count: 0, deed: || {} }))
                .returns(kind(), Access::Owned)
                .role(Role::Setup),
        )
        .operation(rule("add", |frame| {
            frame.mutable::<Counter>(0).count += 1;
            Verdict::Pass
        }))
        .operation(rule("forget", |frame| {
            frame.mutable::<Counter>(0).count = 0;
            Verdict::Pass
        }))
        .operations(deaths.map(|(name, run)| rule(name, run)));
    let result = Property::new(format!("isolation::{name}"))
        .folder(folder)
        .seed(Seed(1))
        .cases(200)
        .bugs(bugs)
        .isolate(CHILD)
        .run(&Programs::new(suite.build()));
    match result {
        Ok(passed) => println!("{passed}"),
        Err(failed) => panic!("{failed}"),
    }
}

/// Does something if the machine has counted so far.
fn counted(frame: &mut Frame<'_>, to: u32, deed: fn()) -> Verdict {
    if frame.mutable::<Counter>(0).count >= to {
        deed();
    }
    Verdict::Pass
}

#[test]
#[ignore = "ends its process; run by the tests below"]
fn rules_die_in_many_ways() {
    dying(
        "rules_die_in_many_ways",
        WantedBugs::ALL,
        [
            ("abort", |frame| counted(frame, 1, || std::process::abort())),
            ("exit", |frame| counted(frame, 2, || std::process::exit(5))),
            ("panic", |frame| counted(frame, 0, || panic!("at once"))),
        ],
    );
}

#[test]
#[ignore = "never ends; run by the tests below"]
fn a_rule_hangs_beside_others() {
    dying(
        "a_rule_hangs_beside_others",
        WantedBugs::ALL,
        [
            ("hang", |frame| counted(frame, 1, || std::thread::sleep(Duration::from_secs(3600)))),
            ("abort", |frame| counted(frame, 0, || std::process::abort())),
            ("nothing", |_| Verdict::Pass),
        ],
    );
}

#[test]
#[ignore = "ends its process; run by the tests below"]
fn inputs_die_in_many_ways() {
    let folder = std::env::var(FOLDER).expect("run by a test of this file");
    let property = Property::new("isolation::inputs_die_in_many_ways").folder(folder).seed(Seed(1));
    let result = property.bugs(WantedBugs::ALL).isolate(CHILD).check(
        any::<(bool, u8, Option<u8>)>(),
        |(is_on, x, y)| {
            if x > 99 {
                std::process::abort();
            }
            if y.is_some() && is_on {
                std::process::exit(5);
            }
            assert!(x != 7, "seven");
        },
    );
    panic!("{}", result.unwrap_err());
}

/// The patterns of a report.
fn patterns(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.trim().strip_prefix("pattern: ")).collect()
}

#[test]
fn every_way_in_which_rules_kill_a_child_is_reported_once() {
    let (_, text) = run("rules_die_in_many_ways", &folder("many-rules"));
    let expected = [
        "panic()",
        "add(); abort(), unless forget() in between",
        "add() | add(); exit(), unless forget() in between",
    ];
    assert_eq!(patterns(&text), expected, "{text}");
    assert!(text.contains("aborted") && text.contains("exited with code 5"), "{text}");
}

#[test]
fn a_rule_that_hangs_is_avoided_and_others_are_found() {
    let (_, text) = run("a_rule_hangs_beside_others", &folder("hang-beside"));
    assert_eq!(patterns(&text), ["abort()", "add(); hang()"], "{text}");
}

#[test]
fn bugs_that_kill_a_child_are_known_by_their_cases_in_the_next_run() {
    let folder = folder("many-rules-again");
    run("rules_die_in_many_ways", &folder);
    let (_, text) = run("rules_die_in_many_ways", &folder);
    assert_eq!(text.matches("on a case that was kept").count(), 3, "{text}");
}

#[test]
#[cfg(feature = "values")]
fn every_way_in_which_inputs_kill_a_child_is_reported_once() {
    let (_, text) = run("inputs_die_in_many_ways", &folder("many-inputs"));
    assert_eq!(patterns(&text), ["(_, 7, _)", "(_, 100.., _)", "(true, _, Some(_))"], "{text}");
}

const COUNTED: [&str; 4] =
    ["let mut counter = Counter::new();", "counter.add(10);", "counter.add(10);", "counter.deed();"];

#[test]
fn a_rule_that_hangs_is_named_and_its_program_is_reduced() {
    let (_, text) = run("a_rule_hangs", &folder("hanging-rule"));
    assert!(COUNTED.iter().all(|line| text.contains(line)), "{text}");
    assert!(text.contains("did not end within 1.5s"), "{text}");
}

#[test]
fn a_rule_that_takes_all_memory_is_named_and_its_program_is_reduced() {
    let (_, text) = run("a_rule_takes_all_memory", &folder("greedy-rule"));
    assert!(COUNTED.iter().all(|line| text.contains(line)), "{text}");
    assert!(text.contains("ran out of memory"), "{text}");
}

#[test]
fn the_run_after_a_rule_has_killed_the_process_names_the_program() {
    let folder = folder("deadly-rule");
    let (first, text) = run("a_rule_aborts_here", &folder);
    assert_ne!(first.status.code(), Some(101), "the process should have died: {text}");
    let (second, text) = run("a_rule_aborts_here", &folder);
    assert_eq!(second.status.code(), Some(101), "{text}");
    assert!(text.contains("in the last run, which died of it") && text.contains("aborted"), "{text}");
    assert!(COUNTED.iter().all(|line| text.contains(line)), "{text}");
    let (_, text) = run("a_rule_aborts_here", &folder);
    assert!(text.contains("on a case that was kept") && text.contains(COUNTED[3]), "{text}");
}

/// Runs a deadly property in a process of its own.
fn run(name: &str, folder: &Path) -> (Output, String) {
    let output = Command::new(std::env::current_exe().unwrap())
        .args([name, "--exact", "--ignored", "--nocapture"])
        .env(FOLDER, folder)
        .env_remove("CI")
        .output()
        .unwrap();
    let text = [output.stdout.clone(), output.stderr.clone()].map(|bytes| String::from_utf8(bytes).unwrap());
    (output, text.join("\n"))
}

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("isolation-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn an_abort_in_a_child_is_a_finding_and_is_reduced() {
    let (output, text) = run("aborts_in_a_child", &folder("abort"));
    assert_eq!(output.status.code(), Some(101), "{text}");
    assert!(text.contains("input = [0, 0, 0]"), "{text}");
    assert!(text.contains("aborted"), "{text}");
}

#[test]
fn a_stack_overflow_in_a_child_is_a_finding_and_is_reduced() {
    let (_, text) = run("overflows_in_a_child", &folder("overflow"));
    assert!(text.contains("input = [7]") && text.contains("overflowed its stack"), "{text}");
}

#[test]
fn a_hang_in_a_child_is_a_finding_and_is_reduced() {
    let (_, text) = run("hangs_in_a_child", &folder("hang"));
    assert!(text.contains("input = [0]") && text.contains("did not end within 1.5s"), "{text}");
}

#[test]
fn an_exit_of_the_code_under_test_is_a_finding() {
    let (_, text) = run("exits_in_a_child", &folder("exit"));
    assert!(text.contains("input = [0, 0, 0]") && text.contains("exited with code 5"), "{text}");
}

#[test]
fn a_panic_in_a_child_is_reported_with_its_own_place() {
    let (_, text) = run("panics_in_a_child", &folder("panic"));
    assert!(text.contains("input = [0, 0, 0, 0]") && text.contains("four or more"), "{text}");
    assert!(text.contains("at crates/bugnet/tests/isolation.rs:"), "{text}");
}

#[test]
fn a_property_that_passes_in_a_child_reports_its_labels() {
    let (output, text) = run("passes_in_a_child", &folder("pass"));
    assert!(output.status.success(), "{text}");
    assert!(text.contains("OK, passed 1000 tests") && text.contains("% trivial)"), "{text}");
}

#[test]
fn the_run_after_a_death_names_the_case_in_flight_and_keeps_it() {
    let folder = folder("journal");
    let (first, text) = run("aborts_here", &folder);
    assert_ne!(first.status.code(), Some(101), "the process should have died: {text}");
    let (second, text) = run("aborts_here", &folder);
    assert_eq!(second.status.code(), Some(101), "{text}");
    assert!(text.contains("FAILED in the last run, which died of it") && text.contains("aborted"), "{text}");
    let zeros = vec!["0"; 41].join(", ");
    assert!(text.contains(&format!("input = [{zeros}]")), "{text}");
    let kept = std::fs::read_to_string(folder.join("bugnet-regressions/isolation.aborts_here.txt")).unwrap();
    assert!(kept.contains("\ndeadly case (29("), "{kept}");
    // From now on it is run first, in a child, and this process survives it.
    let (third, text) = run("aborts_here", &folder);
    assert_eq!(third.status.code(), Some(101), "{text}");
    assert!(text.contains("on a case that was kept"), "{text}");
}
