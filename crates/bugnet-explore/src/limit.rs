//! Limits: how long a task goes on, by the clock or by the programs that it runs.
//!
//! **Invariant:** a limit in trials is reached after the same programs in every run.

use super::trial::Trial;
use bugnet::choice::Source;
use bugnet::engine::{self, Ran, Worth};
use bugnet::oracle::{Failure, Signature, Verdict};
use bugnet::wire::explore;
use std::cell::Cell;
use std::time::{Duration, Instant};

/// Trials that a hang counts for: waiting for it takes as long as running these.
const HUNG: u64 = 100;

/// The budget of a task: time, or a number of trials.
#[derive(Debug)]
pub(crate) enum Limit {
    /// A point in time.
    Time { end: Instant, whole: Duration },
    /// A number of trials.
    Trials { left: Cell<u64>, whole: u64 },
}

impl Limit {
    /// Begins a limit that was asked for.
    pub(crate) fn of(asked: explore::Limit) -> Limit {
        match asked {
            explore::Limit::Time(time) => Limit::time(time),
            explore::Limit::Trials(trials) => Limit::trials(trials),
        }
    }

    pub(crate) fn time(whole: Duration) -> Limit {
        Limit::Time { end: Instant::now() + whole, whole }
    }

    pub(crate) fn trials(whole: u64) -> Limit {
        Limit::Trials { left: Cell::new(whole), whole }
    }

    /// Half as much again, from now on.
    pub(crate) fn half(&self) -> Limit {
        match self {
            Limit::Time { whole, .. } => Limit::time(*whole / 2),
            Limit::Trials { whole, .. } => Limit::trials(whole / 2),
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        match self {
            Limit::Time { end, .. } => Instant::now() >= *end,
            Limit::Trials { left, .. } => left.get() == 0,
        }
    }

    /// Counts a program that was run.
    pub(crate) fn count(&self, failure: Option<&Failure>) {
        let Limit::Trials { left, .. } = self else { return };
        let has_hung = failure.is_some_and(|failure| *failure.signature.cause() == Signature::Hung);
        left.set(left.get().saturating_sub(if has_hung { HUNG } else { 1 }));
    }

    /// A short time, if clocks count.
    pub(crate) fn moment(&self, moment: Duration) -> Option<Duration> {
        matches!(self, Limit::Time { .. }).then_some(moment)
    }
}

/// Trials of programs within a limit, as the library asks for them.
pub(crate) struct Limited<'a> {
    pub(crate) trial: &'a dyn Trial,
    pub(crate) limit: &'a Limit,
}

impl engine::Trial for Limited<'_> {
    fn run(&mut self, source: &mut Source, worth: Worth<'_>) -> Option<Ran> {
        source.draws_later();
        if !worth(source) {
            return None;
        }
        let failure = self.trial.failure(source.replayed());
        self.limit.count(failure.as_ref());
        let verdict = failure.map_or(Verdict::Pass, |failure| Verdict::Fail(Box::new(failure)));
        Some(Ran::from(verdict))
    }

    fn is_over(&self) -> bool {
        self.limit.is_over()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_are_counted_and_one_that_hangs_counts_more() {
        let limit = Limit::trials(HUNG + 2);
        limit.count(None);
        limit.count(Some(&Failure::new(Signature::Hung, "")));
        assert!(!limit.is_over());
        limit.count(Some(&Failure::new(Signature::ReturnedFalse, "")));
        assert!(limit.is_over() && !limit.half().is_over());
        limit.count(None);
        assert!(limit.is_over() && limit.moment(Duration::ZERO).is_none());
    }

    #[test]
    fn time_is_over_however_many_trials_there_were() {
        let limit = Limit::time(Duration::from_secs(3_600));
        (0..1_000).for_each(|_| limit.count(None));
        assert!(!limit.is_over() && Limit::time(Duration::ZERO).is_over());
        assert_eq!(limit.moment(Duration::from_secs(1)), Some(Duration::from_secs(1)));
    }
}
