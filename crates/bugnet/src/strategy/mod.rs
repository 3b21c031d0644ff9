//! Strategies: what proposes the next case.
//!
//! A strategy is asked for some cases at a time, in turn with the others, and goes on where it
//! stopped. It is `over` when it has nothing left to propose.
//!
//! **Invariant:** what a strategy proposes depends on the seed and on earlier verdicts only.

mod evolve;
mod exhaustive;
mod feedback;
mod random;
mod schedule;
mod setups;
mod swarmed;
mod variation;

pub(crate) use evolve::Evolve;
pub use exhaustive::Exhausted;
pub(crate) use exhaustive::Exhaustive;
pub(crate) use feedback::Feedback;
pub(crate) use random::Random;
pub(crate) use schedule::{Avoiding, Progress, Search};
pub(crate) use setups::Setups;
pub(crate) use swarmed::Swarmed;

use crate::case::{Found, Judge};
use crate::oracle::WrongTest;

/// Proposes cases and has them judged.
pub(crate) trait Strategy {
    /// Runs cases until `count` have passed or been discarded, one has failed, or none are left.
    fn run(&mut self, judge: &mut Judge<'_>, count: u64) -> Result<Turn, WrongTest>;

    /// Runs at most this many cases, up to the one that fails.
    fn find(&mut self, judge: &mut Judge<'_>, count: u64) -> Result<Option<Found>, WrongTest> {
        Ok(self.run(judge, count)?.found)
    }
}

/// The result of a turn.
#[derive(Debug, Default)]
pub(crate) struct Turn {
    pub(crate) passed: u64,
    pub(crate) discarded: u64,
    pub(crate) found: Option<Found>,
    /// Nothing is left to propose.
    pub(crate) over: bool,
}

impl Turn {
    pub(crate) fn ran(&self) -> u64 {
        self.passed + self.discarded
    }

    /// Returns true if a turn ends early because a pattern has turned out to say too much.
    pub(crate) fn is_refuting(&self, judge: &Judge<'_>) -> bool {
        self.ran() > 0 && judge.is_refuting()
    }
}
