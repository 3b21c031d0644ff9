//! Rates: how often a program fails, as far as it was measured.
//!
//! **Invariant:** a rate says in how many runs it was measured.

use std::fmt;

/// Runs of a test whose bug fails by chance, for each run that may pass.
const ONE_OF: f64 = 1e6;
/// The most that a test repeats its program.
const REPETITIONS: u32 = 10_000;

/// The number of runs of a program, and how many of them failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Rate {
    pub(crate) failed: u32,
    pub(crate) runs: u32,
}

impl Rate {
    pub(crate) fn count(&mut self, is_failed: bool) {
        self.failed += u32::from(is_failed);
        self.runs += 1;
    }

    /// Returns true if no run passed.
    pub(crate) fn is_certain(self) -> bool {
        self.failed == self.runs
    }

    /// Returns the repetitions a program needs to fail in all but one of a million cases; `None` if one run
    /// is enough. The rate is only an estimate, so half of it is assumed.
    pub(crate) fn repetitions(self) -> Option<u32> {
        if self.is_certain() {
            return None;
        }
        let passes = 1.0 - f64::from(self.failed) / f64::from(self.runs) / 2.0;
        let needed = (ONE_OF.ln() / -passes.ln()).ceil().min(f64::from(REPETITIONS)) as u32;
        Some(needed.next_multiple_of(10))
    }

    /// Combines the two rates of a program: `self` over fresh processes, `repeated` over runs in one process.
    pub(crate) fn settled(self, repeated: Rate) -> Rate {
        let share = f64::from(repeated.failed) / f64::from(repeated.runs.max(1));
        // If it is chance, it was no wonder that it never passed at first. Otherwise it is not: a process in
        // which it has failed is another one than before.
        let is_chance = self.is_certain() && !repeated.is_certain() && share.powf(self.runs.into()) > 0.001;
        if is_chance { repeated } else { self }
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} of {} runs", self.failed, self.runs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(failed: u32, runs: u32) -> Rate {
        Rate { failed, runs }
    }

    #[test]
    fn a_test_is_repeated_until_it_fails_in_all_but_one_of_a_million_runs() {
        assert_eq!(rate(3, 3).repetitions(), None);
        for (failed, runs) in [(1, 60), (30, 60), (59, 60), (999, 1000)] {
            let times = rate(failed, runs).repetitions().unwrap();
            let passes = (1.0 - f64::from(failed) / f64::from(runs)).powf(times.into());
            assert!(passes < 1e-6 && times <= 2_000, "{failed} of {runs}: {times} times");
        }
        assert_eq!(rate(1, 1_000_000).repetitions(), Some(REPETITIONS));
    }

    #[test]
    fn what_passes_when_it_is_repeated_fails_by_chance_unless_it_never_passes_at_first() {
        // One of a hundred passes would not be seen in sixty processes.
        assert_eq!(rate(60, 60).settled(rate(990, 1000)), rate(990, 1000));
        // Half of them would.
        assert_eq!(rate(60, 60).settled(rate(500, 1000)), rate(60, 60));
        assert_eq!(rate(31, 60).settled(rate(500, 1000)), rate(31, 60));
        assert_eq!(rate(3, 3).settled(rate(1000, 1000)), rate(3, 3));
        assert_eq!(rate(3, 3).settled(Rate::default()), rate(3, 3));
    }
}
