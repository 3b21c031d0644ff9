//! The budget of a run: how long it goes on, and how its programs are shared out.
//!
//! A number of programs is shared out among *streams*. Each has a seed of its own, and what kills a process of one
//! is no concern of another. However many processes there are, they run the same streams.
//!
//! **Invariant:** a number of programs alone decides which programs there are.

use crate::client::limit::Pace;
use crate::explore::deadly::Deaths;
use serde::Serialize;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The time that a run explores if no budget is given.
const USUAL: Duration = Duration::from_secs(60);
/// There are as many streams as keep each at this many programs times their number: a stream learns from what it
/// has run, so it should be long, and it takes several to keep many processors busy.
const LENGTH: u64 = 16_384;
/// Even few programs keep two processors busy.
const FEWEST: u64 = 2;
const MOST: u64 = 64;

/// The budget of a run; the part that is used up first ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Budget {
    time: Option<Duration>,
    programs: Option<u64>,
}

/// Programs that are run one after another, in one process or in several that follow each other.
#[derive(Debug, Clone)]
pub(crate) struct Stream {
    pub(crate) number: u64,
    /// The number of programs in the stream.
    pub(crate) programs: u64,
    pub(crate) deaths: Arc<Mutex<Deaths>>,
}

/// The reason why a run ended. If there were several, the last of these counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Ended {
    /// Everything that is left to call kills its process.
    #[default]
    NothingLeft,
    /// Every stated law was checked as often as it is to be.
    Enough,
    /// All programs were run.
    Programs,
    Time,
    /// Ctrl-C.
    Interrupt,
}

impl Budget {
    /// A budget of what the user has said.
    pub(crate) fn new(time: Option<Duration>, programs: Option<u64>) -> Budget {
        let time = if programs.is_none() { time.or(Some(USUAL)) } else { time };
        Budget { time, programs }
    }

    pub(crate) fn time(&self) -> Option<Duration> {
        self.time
    }

    pub(crate) fn programs(&self) -> Option<u64> {
        self.programs
    }

    /// Returns the resource that limits the tasks of a run: a run of a number of programs asks no clock.
    pub(crate) fn pace(&self) -> Pace {
        if self.programs.is_some() { Pace::Trials } else { Pace::Clock }
    }

    /// Returns the streams to run with `jobs` processes at a time; no program may match a known pattern.
    pub(crate) fn streams(&self, jobs: usize, known: &[String]) -> Vec<Stream> {
        let deaths = || Arc::new(Mutex::new(Deaths::knowing(known.to_vec())));
        let Some(programs) = self.programs else {
            // One for each process, and what kills one of them is avoided by all.
            let deaths = deaths();
            let stream = |number| Stream { number, programs: u64::MAX, deaths: Arc::clone(&deaths) };
            return (0..jobs as u64).map(stream).collect();
        };
        let count = (programs / LENGTH).isqrt().next_power_of_two().clamp(FEWEST, MOST).min(programs);
        let length = |number| programs / count + u64::from(number < programs % count);
        (0..count).map(|number| Stream { number, programs: length(number), deaths: deaths() }).collect()
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.programs, self.time.map(in_words)) {
            (Some(programs), None) => write!(out, "{programs} programs"),
            (Some(programs), Some(time)) => write!(out, "{programs} programs or {time}"),
            (None, time) => write!(out, "{}", time.unwrap_or_default()),
        }
    }
}

fn in_words(time: Duration) -> String {
    match time.as_secs() {
        seconds if seconds >= 60 && seconds % 60 == 0 => format!("{}m", seconds / 60),
        _ => format!("{}s", time.as_secs_f64()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(programs: u64, jobs: usize) -> Vec<u64> {
        let streams = Budget::new(None, Some(programs)).streams(jobs, &[]);
        streams.iter().map(|stream| stream.programs).collect()
    }

    #[test]
    fn programs_are_shared_out_alike_however_many_processes_there_are() {
        assert_eq!(lengths(1, 8), [1]);
        assert_eq!(lengths(2_001, 1), [1_001, 1_000]);
        assert_eq!(lengths(2_001, 8), lengths(2_001, 1));
        for programs in [1, 7, 60_000, 1_000_000, 50_000_000, u64::MAX] {
            let lengths = lengths(programs, 1);
            assert_eq!(lengths.iter().sum::<u64>(), programs);
            assert!(lengths.len() as u64 <= MOST);
        }
        assert_eq!([60_000, 160_000, 1_000_000].map(|programs| lengths(programs, 1).len()), [2, 4, 8]);
    }

    #[test]
    fn streams_of_a_number_of_programs_know_nothing_of_each_other() {
        let is_shared = |budget: Budget| {
            let streams = budget.streams(2, &[]);
            Arc::ptr_eq(&streams[0].deaths, &streams[1].deaths)
        };
        assert!(is_shared(Budget::new(None, None)) && !is_shared(Budget::new(None, Some(100))));
    }

    #[test]
    fn a_number_of_programs_has_no_time_unless_that_is_said() {
        let minute = Some(Duration::from_secs(60));
        assert_eq!(Budget::new(None, None).to_string(), "1m");
        assert_eq!(Budget::new(None, Some(100)).to_string(), "100 programs");
        assert_eq!(Budget::new(minute, Some(100)).to_string(), "100 programs or 1m");
        assert_eq!(Budget::new(Some(Duration::from_millis(1_500)), None).to_string(), "1.5s");
    }

    #[test]
    fn what_cuts_a_run_short_is_what_ended_it() {
        let ends = [Ended::Programs, Ended::Interrupt, Ended::Time, Ended::NothingLeft];
        assert_eq!(ends.into_iter().max(), Some(Ended::Interrupt));
        assert_eq!([Ended::NothingLeft, Ended::Programs].into_iter().max(), Some(Ended::Programs));
    }
}
