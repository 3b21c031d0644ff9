//! Code that ends or blocks its process: each way is a finding, and the run goes on.

use crate::fixture::{Crate, Done, assert_kept, lines};
use serde_json::Value;
use std::fs;
use std::net::TcpListener;

const EVIL: &str = include_str!("../../fixtures/evil/src/lib.rs");

#[test]
fn everything_that_code_can_do_to_its_process_is_a_finding_at_the_right_call() {
    let evil = Crate::with("evil", &[("src/lib.rs", EVIL)]);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    fs::write(evil.path().join("port"), listener.local_addr().unwrap().port().to_string()).unwrap();

    let (done, report) = evil.explored(&["--programs", "6000", "--seed", "1", "--write-tests"]);
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
    assert_kept("evil", &lines(&evil, &report));
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

#[test]
fn a_crate_in_which_every_call_ends_the_process_is_explored_to_its_end() {
    // Codes 3 and 4 are those of commands and processes of ours, and mean nothing here.
    let text = "pub fn one() { std::process::abort() }\npub fn two(_: u8) { std::process::abort() }\n\
                pub fn three() { std::process::exit(3) }\npub fn four() { std::process::exit(4) }\n";
    let (done, report) = Crate::with("aborting", &[("src/lib.rs", text)]).explored(&["--time", "60s"]);
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    let operations: Vec<&str> =
        report["bugs"].as_array().unwrap().iter().map(|bug| bug["operation"].as_str().unwrap()).collect();
    assert_eq!(operations.len(), 4, "{}", done.output);
    for code in [3, 4] {
        assert!(done.output.contains(&format!("exit {code}")), "{}", done.output);
    }
    assert!(report["seconds"].as_f64().unwrap() < 50.0, "it ends when there is nothing left to call");
}

#[test]
fn what_kills_only_after_certain_calls_is_called_again_after_others() {
    let boat = Crate::shared("boat");
    let explored = || {
        let (done, report) = boat.explored(&["--programs", "2000", "--seed", "1"]);
        assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
        let names = report["bugs"].as_array().unwrap().iter().map(|bug| bug["name"].as_str().unwrap());
        (names.map(str::to_string).collect::<Vec<_>>(), report)
    };
    let (names, report) = explored();
    assert_eq!(names, ["boat_row_ends_the_process", "boat_row_panics"], "{report}");
    assert_eq!(report["bugs"][0]["pattern"], "?b = Boat::new(1); Boat::row(?b, ?c)");
    assert_eq!(report["banned"].as_array().unwrap().len(), 0, "{report}");
    // What is known is not even met.
    let done = boat.explore(&["--accept", "boat_row_ends_the_process"]);
    done.assert_ended(0, "use `cargo bugnet accept boat_row_ends_the_process`");
    let (names, report) = explored();
    assert_eq!((names.as_slice(), &report["known"]), (&["boat_row_panics".to_string()][..], &Value::from(1)));
    assert_eq!(report["deaths"], 0);
}

#[test]
fn flags_and_profiles_that_make_an_abort_of_each_panic_are_overruled() {
    let boat = Crate::shared("boat");
    let mut command = boat.command(&["--programs", "500", "--seed", "1"]);
    command.env("CARGO_PROFILE_DEV_PANIC", "abort").env("RUSTFLAGS", "-C panic=abort");
    let done = Done::of(command.output().unwrap());
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    assert!(done.output.contains("`Boat::row` unwraps what is not there"), "{}", done.output);
    assert!(!done.output.contains("(no test of it fails alike)"), "{}", done.output);
}

const PUMP: &str = include_str!("../../fixtures/pump/src/lib.rs");

#[test]
fn what_hangs_only_after_certain_calls_is_called_again_after_others() {
    let pump = Crate::with("pump", &[("src/lib.rs", PUMP)]);
    let (done, report) = pump.explored(&["--programs", "4000", "--seed", "1"]);
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    let program = report["bugs"][0]["program"].as_array().unwrap();
    assert_eq!((program.len(), &program[1]), (4, &Value::from("workshop.set_stroke(0);")), "{report}");
    assert_eq!(report["banned"].as_array().unwrap().len(), 0, "{report}");
    // Three functions hang, for two workers; after two of them nobody sets a stroke of 0 any more.
    assert!(report["deaths"].as_u64().unwrap() <= 6, "{report}");
    assert_kept("pump", &lines(&pump, &report));
}
