//! Limits: how long a task goes on, by the clock or by the programs that it runs.
//!
//! **Invariant:** a limit in trials is reached after the same programs in every run, unless programs are so slow that
//! the processor time of a task is used up before.

use super::schedule::processor_time;
use super::trial::Trial;
use bugnet::choice::Source;
use bugnet::engine::{self, Ran, Worth};
use bugnet::oracle::{Failure, Signature, Verdict};
use bugnet::wire::explore;
use bugnet_process::patience;
use std::cell::Cell;
use std::time::{Duration, Instant};

/// Trials that a hang counts for: waiting for it takes as long as running these.
const HUNG: u64 = 100;

/// The budget of a task: time, or a number of trials.
#[derive(Debug)]
pub(crate) enum Limit {
    /// A point in time.
    Time { end: Instant, whole: Duration },
    /// A number of trials, and the work that they may be.
    Trials { left: Cell<u64>, whole: u64, work: Work },
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
        Limit::Trials { left: Cell::new(whole), whole, work: Work::start() }
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
        let Limit::Trials { left, work, .. } = self else { return };
        let has_hung = failure.is_some_and(|failure| *failure.signature.cause() == Signature::Hung);
        let rest = left.get().saturating_sub(if has_hung { HUNG } else { 1 });
        left.set(if work.is_used_up() { 0 } else { rest });
    }

    /// A short time, if clocks count.
    pub(crate) fn moment(&self, moment: Duration) -> Option<Duration> {
        matches!(self, Limit::Time { .. }).then_some(moment)
    }
}

/// Before this has passed, nobody asks how much work was done: most trials take less.
const SELDOM: Duration = Duration::from_millis(50);
/// Multiples of the granted work that may pass by the clock: programs that sleep use no processor.
const SLEEPING: u32 = 5;

/// The work of a task: the processor time of this process, and of those that it has started.
#[derive(Debug)]
pub(crate) struct Work {
    start: Instant,
    /// The processor time at the start.
    before: Duration,
    looked: Cell<Instant>,
}

impl Work {
    fn start() -> Work {
        let start = Instant::now();
        Work { start, before: processor_time(), looked: Cell::new(start) }
    }

    /// Returns true if it is more than a task may be.
    fn is_used_up(&self) -> bool {
        if self.looked.get().elapsed() < SELDOM {
            return false;
        }
        self.looked.set(Instant::now());
        self.is_more_than(patience::WORK)
    }

    fn is_more_than(&self, granted: Duration) -> bool {
        processor_time().saturating_sub(self.before) > granted || self.start.elapsed() > granted * SLEEPING
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
    fn slow_trials_use_up_the_work_of_a_task_and_fast_ones_do_not() {
        let work = Work::start();
        assert!(!work.is_used_up() && !work.is_more_than(Duration::from_secs(60)));
        // A program that sleeps is work only after a long time.
        std::thread::sleep(Duration::from_millis(30));
        assert!(work.is_more_than(Duration::from_millis(5)));
        let late = Work {
            looked: Cell::new(work.start - SELDOM),
            start: work.start - patience::WORK * SLEEPING,
            ..work
        };
        let limit = Limit::Trials { left: Cell::new(100), whole: 100, work: late };
        limit.count(None);
        assert!(limit.is_over() && !limit.half().is_over());
    }

    #[test]
    fn time_is_over_however_many_trials_there_were() {
        let limit = Limit::time(Duration::from_secs(3_600));
        (0..1_000).for_each(|_| limit.count(None));
        assert!(!limit.is_over() && Limit::time(Duration::ZERO).is_over());
        assert_eq!(limit.moment(Duration::from_secs(1)), Some(Duration::from_secs(1)));
    }
}
