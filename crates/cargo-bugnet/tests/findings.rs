//! `cargo bugnet explore --programs` finds the same ways to fail, however many processes there are and however busy the
//! machine is.
//!
//! **Invariant:** all crates are explored side by side, so that each is explored on a busy machine.

#[expect(dead_code, reason = "it serves other tests too")]
mod fixture;

use fixture::{Crate, assert_kept, lines};
use std::thread;

/// Crates, each with the number of programs to run.
const FIXTURES: [(&str, &str); 5] =
    [("boat", "2000"), ("sky", "4000"), ("lock", "20000"), ("library", "20000"), ("laws", "60000")];

/// Returns the ways to fail that the programs of a seed find in a crate.
fn found(krate: &Crate, seed: &str, programs: &str, jobs: &str) -> String {
    let (done, report) = krate.explored(&["--seed", seed, "--programs", programs, "--jobs", jobs]);
    assert!(matches!(done.code, Some(0 | 1)), "{}", done.errors);
    assert_eq!(report["programs"].to_string(), programs);
    lines(krate, &report)
}

#[test]
fn the_same_programs_find_the_same_with_one_process_and_with_two_beside_others() {
    let assert_same = |name: &str, programs: &str| {
        let krate = Crate::shared(name);
        let one = found(&krate, "1", programs, "1");
        assert_eq!(one, found(&krate, "1", programs, "2"), "{name}");
        assert_kept(name, &one);
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
    let one = found(&full, "1", "20000", "1");
    assert_eq!(one, found(&full, "1", "20000", "2"));
    assert_kept("full", &one);
    for seed in ["2", "3", "4", "5"] {
        let found = found(&full, seed, "20000", "1");
        for operation in ["Stack::push", "Files::open"] {
            assert!(found.lines().any(|line| line.starts_with(operation)), "seed {seed}:\n{found}");
        }
    }
}
