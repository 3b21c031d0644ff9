//! Chance: programs that fail only in some runs, because of the keys of a hash map, say.
//!
//! **Invariant:** a program that fails far more seldom than the first one did is taken for one that passes, so
//! reducing does not end in a program that hardly ever fails.

use super::limit::Limit;
use super::trial::Trial;
use bugnet::choice::Tape;
use bugnet::oracle::{Failure, Signature};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// Runs of a program that may fail by chance, until it fails once; the program to be reduced always gets
/// them.
const TRIES: u32 = 20;
/// Runs of a program that has failed, to measure how often it fails.
const RUNS: u32 = 16;
/// The factor by which a smaller program may fail less often than the first one.
const SELDOM: u32 = 4;
/// The time for the runs of one program. One that takes longer has been tried often enough, and one that has
/// failed every time by then is taken to fail always.
const MOMENT: Duration = Duration::from_millis(20);
/// The time for the first program to fail once: longer, because there is no finding without it.
const MOMENT_FOR_FIRST: Duration = Duration::from_millis(500);

/// A trial that wants a program to fail about as often as the first one.
pub(crate) struct Often<'a> {
    trial: &'a dyn Trial,
    /// The failure of the first program; other failures do not count.
    signature: Signature,
    /// Failed runs of the first program.
    failed: u32,
    /// All runs of the first program.
    runs: u32,
    /// True if any program that failed has also passed.
    is_chance: Cell<bool>,
    /// The time for which a program is tried, if clocks count.
    moment: Option<Duration>,
}

impl<'a> Often<'a> {
    /// Runs the program that is to be reduced within a limit; `None` if it passes.
    pub(crate) fn of(trial: &'a dyn Trial, tape: &Tape, limit: &Limit) -> Option<(Often<'a>, Failure)> {
        let failure = first(TRIES, limit.moment(MOMENT_FOR_FIRST), || trial.failure(tape))?;
        let (signature, moment) = (failure.signature.clone(), limit.moment(MOMENT));
        let mut often = Often { trial, signature, failed: 1, runs: 1, is_chance: Cell::new(false), moment };
        (often.failed, often.runs) = often.count(tape);
        Some((often, failure))
    }

    pub(crate) fn signature(&self) -> &Signature {
        &self.signature
    }

    /// The failure of one run, if it is the one that is looked for.
    fn once(&self, tape: &Tape) -> Option<Failure> {
        self.trial.failure(tape).filter(|failure| failure.signature == self.signature)
    }

    /// Counts the failed runs and all runs of a program that has failed once.
    fn count(&self, tape: &Tape) -> (u32, u32) {
        let (mut failed, mut runs) = (1, 1);
        // Each death costs a process, or a thread with all that it holds.
        if matches!(self.signature, Signature::Died(_) | Signature::Hung) {
            return (failed, runs);
        }
        let start = Instant::now();
        let is_soon = || self.moment.is_none_or(|moment| start.elapsed() < moment);
        while runs < RUNS && (failed < runs || is_soon()) {
            failed += u32::from(self.once(tape).is_some());
            runs += 1;
        }
        if failed < runs {
            self.is_chance.set(true);
        }
        (failed, runs)
    }
}

impl Trial for Often<'_> {
    fn failure(&self, tape: &Tape) -> Option<Failure> {
        let tries = if self.is_chance.get() { TRIES } else { 1 };
        let failure = first(tries, self.moment, || self.once(tape))?;
        let (failed, runs) = self.count(tape);
        (SELDOM * failed * self.runs >= self.failed * runs).then_some(failure)
    }
}

/// The first failure of a few runs, in some time if clocks count.
fn first(tries: u32, time: Option<Duration>, mut run: impl FnMut() -> Option<Failure>) -> Option<Failure> {
    let start = Instant::now();
    let is_soon = |done: &u32| *done == 0 || time.is_none_or(|time| start.elapsed() < time);
    (0..tries).take_while(is_soon).find_map(|_| run())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails in every `period`-th run, whatever the program.
    struct Every {
        period: Cell<u32>,
        runs: Cell<u32>,
        signature: Signature,
    }

    impl Every {
        fn new(period: u32, signature: Signature) -> Every {
            Every { period: Cell::new(period), runs: Cell::new(0), signature }
        }
    }

    impl Trial for Every {
        fn failure(&self, _: &Tape) -> Option<Failure> {
            self.runs.set(self.runs.get() + 1);
            self.runs
                .get()
                .is_multiple_of(self.period.get())
                .then(|| Failure::new(self.signature.clone(), ""))
        }
    }

    fn tape() -> Tape {
        Tape::default()
    }

    #[test]
    fn what_fails_by_chance_is_tried_until_it_fails() {
        let trial = Every::new(3, Signature::ReturnedFalse);
        let (often, _) =
            Often::of(&trial, &tape(), &Limit::trials(1_000)).expect("it fails in the third run");
        for _ in 0..20 {
            assert!(often.failure(&tape()).is_some());
        }
    }

    #[test]
    fn what_fails_far_more_seldom_than_the_first_program_is_not_taken_for_it() {
        let trial = Every::new(1, Signature::ReturnedFalse);
        let (often, _) = Often::of(&trial, &tape(), &Limit::trials(1_000)).unwrap();
        for (period, is_taken) in [(1, true), (2, true), (15, false)] {
            trial.period.set(period);
            trial.runs.set(period - 1);
            assert_eq!(often.failure(&tape()).is_some(), is_taken, "1 of {period}");
        }
    }

    #[test]
    fn a_death_is_not_repeated() {
        let trial = Every::new(1, Signature::Died("signal 6".to_string()));
        let (often, _) = Often::of(&trial, &tape(), &Limit::trials(1_000)).unwrap();
        often.failure(&tape());
        assert_eq!(trial.runs.get(), 2);
    }
}
