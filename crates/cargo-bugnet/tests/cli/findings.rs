//! `cargo bugnet explore --programs` finds the same ways to fail, however many processes there are and however busy the
//! machine is.
//!
//! **Invariant:** all crates are explored side by side, so that each is explored on a busy machine.

use crate::fixture::{Crate, assert_kept, lines};
use serde_json::Value;
use std::thread;

/// Crates, each with the number of programs to run.
const FIXTURES: [(&str, &str); 5] =
    [("boat", "2000"), ("sky", "4000"), ("lock", "20000"), ("library", "20000"), ("laws", "60000")];

/// Returns the report of exploring a crate with the programs of a seed.
fn explored(krate: &Crate, seed: &str, programs: &str, jobs: &str) -> Value {
    let (done, report) = krate.explored(&["--seed", seed, "--programs", programs, "--jobs", jobs]);
    assert!(matches!(done.code, Some(0 | 1)), "{}", done.errors);
    assert_eq!(report["programs"].to_string(), programs);
    report
}

/// Returns the ways to fail that the programs of a seed find in a crate.
fn found(krate: &Crate, seed: &str, programs: &str, jobs: &str) -> String {
    lines(krate, &explored(krate, seed, programs, jobs))
}

/// Counts of calls, which a process that dies tells only up to shortly before its end.
const COUNTS: [&str; 5] = ["calls", "failed_calls", "failed_laws", "operations_reached", "unreached"];

/// Returns a report without what depends on the clock: the time, and where processes died also how much they did.
fn without_time(mut report: Value) -> Value {
    let counts: &[&str] = if report["deaths"] == 0 { &[] } else { &COUNTS };
    let members = report.as_object_mut().unwrap();
    for member in ["seconds"].iter().chain(counts) {
        members.remove(*member).unwrap();
    }
    report
}

#[test]
fn the_same_programs_give_the_same_report_with_one_process_and_with_several_beside_others() {
    let assert_same = |name: &str, programs: &str| {
        let krate = Crate::shared(name);
        let report = |jobs: &str| without_time(explored(&krate, "1", programs, jobs));
        let one = report("1");
        assert_eq!(one, report("2"), "{name}");
        if name == "laws" {
            assert_eq!(one, report("3"), "{name}");
        }
        assert_kept(name, &lines(&krate, &one));
    };
    thread::scope(|scope| {
        for (name, programs) in FIXTURES {
            scope.spawn(move || assert_same(name, programs));
        }
    });
}

#[test]
fn what_only_fails_when_it_is_full_is_found_with_every_seed() {
    let full = Crate::shared("full");
    let report = explored(&full, "1", "20000", "1");
    let one = lines(&full, &report);
    assert_eq!(one, found(&full, "1", "20000", "2"));
    // Programs that leave operations out say what the overflow needs.
    let overflow = report["bugs"].as_array().unwrap().iter().find(|bug| bug["name"] == "stack_push_panics");
    let triggers = overflow.unwrap()["triggers"].as_array().unwrap();
    assert_eq!(triggers[0]["feature"], "Stack::push", "{triggers:#?}");
    assert_eq!(triggers[0]["failing_with"], triggers[0]["failing"]);
    assert_kept("full", &one);
    for seed in ["2", "3", "4", "5"] {
        let found = found(&full, seed, "20000", "1");
        for operation in ["Stack::push", "Files::open"] {
            assert!(found.lines().any(|line| line.starts_with(operation)), "seed {seed}:\n{found}");
        }
    }
}
