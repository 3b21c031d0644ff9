//! Limits of the tasks that a harness is given: a time, or a number of trials.
//!
//! **Invariant:** a limit in trials ends a task at the same point in every run. Whoever waits for it gives up only
//! when something is wrong.

use bugnet::wire::explore::Limit;
use std::time::Duration;

/// The resource that limits tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    Clock,
    Trials,
}

impl Pace {
    /// The limit of a task by the clock, or by trials.
    pub(crate) fn limit(self, time: Duration, trials: u64) -> Limit {
        match self {
            Pace::Clock => Limit::Time(time),
            Pace::Trials => Limit::Trials(trials),
        }
    }
}

/// Returns how long is waited for the end of a task.
pub(crate) fn patience(limit: Limit) -> Duration {
    match limit {
        Limit::Time(time) => time + bugnet_process::patience::GRACE,
        Limit::Trials(_) => bugnet_process::patience::TASK,
    }
}

/// Returns how much time of the processor a task may use.
pub(crate) fn processor(limit: Limit) -> Duration {
    match limit {
        Limit::Time(time) => time * 4,
        Limit::Trials(_) => bugnet_process::patience::TASK,
    }
}
