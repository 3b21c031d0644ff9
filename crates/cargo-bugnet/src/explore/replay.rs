//! Replaying: a program is run again in fresh processes, to see in how many of them it fails.
//!
//! **Invariant:** what is told to fail always has failed in every run, and in so many that one that fails by
//! chance would hardly have.

use super::event::Event;
use super::fact::Harness;
use super::finding::{Cause, Finding, Phase};
use super::process::Process;
use super::worker;
use anyhow::Result;
use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

/// In how many fresh processes a program is run at first, and in how many if chance plays a part.
const FEW: u32 = 3;
const MANY: u32 = 60;
/// How long is spent on the many; a program that hangs in some of them takes seconds.
const TIME: Duration = Duration::from_secs(10);
/// How often a program is run in one process. It takes no time, and tells what fails in all but one of a
/// hundred runs from what always fails.
const TIMES: &str = "1000";
/// A program that is believed to pass has passed in so many processes.
const PASSES: u32 = 20;

/// A test that fails by chance passes in one of so many runs.
const ONE_OF: f64 = 1e6;
/// The most that a test repeats its program.
const REPETITIONS: u32 = 10_000;

/// In how many runs of how many a program failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Rate {
    pub(crate) failed: u32,
    pub(crate) runs: u32,
}

impl Rate {
    pub(super) fn count(&mut self, is_failed: bool) {
        self.failed += u32::from(is_failed);
        self.runs += 1;
    }

    /// Whether no run passed.
    pub(crate) fn is_certain(self) -> bool {
        self.failed == self.runs
    }

    /// How often a program has to be repeated to fail in all but one of a million cases; `None` if once is
    /// enough. The rate is only measured, so half of it is reckoned with.
    pub(super) fn repetitions(self) -> Option<u32> {
        if self.is_certain() {
            return None;
        }
        let passes = 1.0 - f64::from(self.failed) / f64::from(self.runs) / 2.0;
        let needed = (ONE_OF.ln() / -passes.ln()).ceil().min(f64::from(REPETITIONS)) as u32;
        Some(needed.next_multiple_of(10))
    }

    /// How often a program fails, of which is known in how many processes it failed when it was run first, and
    /// how often when it was repeated in one of them.
    fn settled(self, repeated: Rate) -> Rate {
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

/// In how many runs a program fails as it did before.
pub(super) fn measure(finding: &Finding, tape: &str, harness: &Harness, scratch: &Path) -> Result<Rate> {
    let is_like = |again: Option<Finding>| again.is_some_and(|again| finding.is_like(&again));
    let mut rate = Rate::default();
    // No process lives to repeat what is deadly.
    let mut repeated = Rate::default();
    if !finding.cause.is_deadly() {
        let (first, all) = repeat(tape, TIMES, harness, scratch)?;
        rate.count(is_like(first));
        repeated = all;
    }
    while rate.runs < FEW {
        rate.count(is_like(replay(tape, harness, scratch)?));
    }
    let never = |rate: Rate| rate.failed == 0;
    let is_agreed = rate.is_certain() && repeated.is_certain() || never(rate) && never(repeated);
    let start = Instant::now();
    while !is_agreed && rate.runs < MANY && start.elapsed() < TIME {
        rate.count(is_like(replay(tape, harness, scratch)?));
    }
    Ok(rate.settled(repeated))
}

/// Runs a program in fresh processes until it fails; `None` if it does not.
pub(crate) fn seek(tape: &str, harness: &Harness, scratch: &Path) -> Result<Option<Finding>> {
    for _ in 0..PASSES {
        if let Some(finding) = replay(tape, harness, scratch)? {
            return Ok(Some(finding));
        }
    }
    Ok(None)
}

/// Runs a program in a fresh process; says how it fails, if it does.
fn replay(tape: &str, harness: &Harness, scratch: &Path) -> Result<Option<Finding>> {
    Ok(repeat(tape, "1", harness, scratch)?.0)
}

/// Runs a program several times in a fresh process; says how it fails at first, and in how many runs.
fn repeat(tape: &str, times: &str, harness: &Harness, scratch: &Path) -> Result<(Option<Finding>, Rate)> {
    let arguments = ["replay", "--tape", tape, "--times", times];
    let process = Process::start(&harness.binary, scratch, &arguments, worker::PATIENCE)?;
    let (events, end) = process.finish(worker::PATIENCE)?;
    let repeated = events.iter().find_map(|event| match event {
        Event::Repeated { failed, runs } => Some(Rate { failed: *failed, runs: *runs }),
        _ => None,
    });
    let told = events.into_iter().find_map(|event| match event {
        Event::Replayed(failure) => Some(failure),
        _ => None,
    });
    if let Some(told) = told {
        return Ok((told.map(Finding::of), repeated.unwrap_or_default()));
    }
    let (cause, message) = match end {
        None => (Cause::Hang, "the call does not end".to_string()),
        Some(end) if end.is_of_time() => (Cause::Hang, "the call does not end".to_string()),
        Some(end) if end.is_of_memory() => (Cause::Memory, end.reason()),
        Some(end) => (Cause::Death, end.reason()),
    };
    let operation = worker::called(&harness.binary, scratch, tape)?.pop().unwrap_or_default();
    let phase = Phase::Call;
    let finding = Finding { operation, phase, cause, place: None, message, tape: Some(tape.to_string()) };
    Ok((Some(finding), Rate::default()))
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
