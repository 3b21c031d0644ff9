//! Calls that fail by chance: bugs are found all the same, and nothing else is taken for one.

use bugnet::campaign::{Failed, Reason, WantedBugs};
use bugnet::prelude::*;
use bugnet::program::{Api, Programs};
use std::cell::Cell;

thread_local! {
    /// The number of calls, and the seed of the calls that fail by chance.
    static CALLS: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
    /// The number of times that a call still fails.
    static LEFT: Cell<u32> = const { Cell::new(0) };
}

fn run<T: Api>(seed: u64, cases: u64, wanted: &str) -> Box<Failed> {
    let wanted: WantedBugs = wanted.parse().unwrap();
    let property = Property::new("chance").bugs(wanted).seed(Seed(seed)).cases(cases);
    property.run(&Programs::new(T::suite())).unwrap_err()
}

/// Fails one call in fifty.
fn called() {
    let (calls, seed) = CALLS.get();
    CALLS.set((calls + 1, seed));
    let word = (calls + 1000 * seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    assert!((word ^ (word >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32 >= (1 << 32) / 50, "by chance");
}

/// Three bugs, and a call in fifty that fails by chance, at the place where the bug shows.
struct Door {
    open: bool,
    rung: bool,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Door {
    fn new() -> Self {
        Door { open: false, rung: false }
    }

    fn open(&mut self) {
        called();
        self.open = true;
    }

    fn close(&mut self) {
        called();
        self.open = false;
    }

    fn knock(&mut self) {
        called();
        assert!(!self.open);
    }

    fn lock(&mut self) {
        called();
        assert!(!self.open);
    }

    fn ring(&mut self) {
        called();
        assert!(!std::mem::replace(&mut self.rung, true));
    }
}

#[test]
fn bugs_are_found_and_nothing_else_where_calls_fail_by_chance() {
    for seed in 0..10 {
        CALLS.set((0, seed));
        let failed = run::<Door>(seed, 60, "all");
        let found: Vec<&str> = failed.bugs.iter().map(|bug| bug.words.as_str()).collect();
        assert_eq!(found.len(), 3, "{seed}: {found:?}");
        for start in ["ring() | ring()", "open(); knock()", "open(); lock()"] {
            assert!(found.iter().any(|words| words.starts_with(start)), "{seed}: {found:?}");
        }
    }
}

/// Fails a few times, and then never again.
struct Passing;

#[machine]
#[ignore = "it is wrong on purpose"]
impl Passing {
    fn new() -> Self {
        Passing
    }

    fn wait(&self) {}

    fn pass(&self) {
        let left = LEFT.get();
        LEFT.set(left.saturating_sub(1));
        assert_eq!(left, 0);
    }
}

#[test]
fn a_bug_that_a_sample_shows_to_be_none_is_withdrawn() {
    LEFT.set(8);
    let failed = run::<Passing>(1, 60, "all");
    assert_eq!(LEFT.get(), 0);
    assert!(failed.bugs.is_empty(), "{failed}");
    assert!(matches!(failed.reason, Reason::Flaky { .. }), "{failed}");
    // Without samples nobody knows better.
    LEFT.set(8);
    assert_eq!(run::<Passing>(1, 60, "all-samples").bugs.len(), 1);
}

/// As before, with one call that fails once.
struct Twofold;

#[machine]
#[ignore = "it is wrong on purpose"]
impl Twofold {
    fn new() -> Self {
        Twofold
    }

    fn pass(&self) {
        let left = LEFT.get();
        LEFT.set(left.saturating_sub(1));
        assert_eq!(left, 0);
    }

    fn blink(&self) {
        let (calls, _) = CALLS.get();
        CALLS.set((calls + 1, 0));
        assert_ne!(calls, 100);
    }
}

#[test]
fn bugs_that_were_met_once_are_run_again_in_the_end_where_something_failed_by_chance() {
    LEFT.set(4);
    CALLS.set((0, 0));
    let failed = run::<Twofold>(1, 60, "all-samples");
    assert!(CALLS.get().0 > 100 && LEFT.get() == 0);
    assert!(failed.bugs.is_empty(), "{failed}");
    // Where nothing else fails by chance, there is no reason to doubt.
    LEFT.set(4);
    assert_eq!(run::<Twofold>(1, 60, "all-samples").bugs.len(), 1);
}
