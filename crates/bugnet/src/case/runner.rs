//! Runners: what runs the cases of a test.
//!
//! A [`Test`] of inputs runs its own, and [`Programs`] run theirs. A runner around another one has them run in a child,
//! turns their verdicts around, or keeps some of them away.
//!
//! **Invariant:** a runner has no state of programs. What a run keeps from one to the next is lent with each proposal.

use super::test::{Argument, Test};
use crate::choice::Source;
use crate::oracle::Verdict;
use crate::program::{NoHook, Programs, Proposal, Scratch};
use crate::trial::Ran;

/// Runs cases.
pub(crate) trait Runner {
    /// Runs random cases without recording, up to and including the first that does not pass.
    fn batch(&self, source: &mut Source, count: u64, scratch: &mut Scratch) -> Verdict;

    /// Runs the case of a proposal. Returns `None` if it was not worth running.
    fn case(&self, proposal: Proposal<'_>) -> Option<Ran>;

    /// Makes the input of a source, or reads its program, and prints it.
    fn arguments(&self, source: &mut Source) -> Vec<Argument>;
}

/// The inputs of a test.
#[derive(Clone, Copy)]
pub(crate) struct Inputs<'a>(pub(crate) &'a dyn Test);

impl Runner for Inputs<'_> {
    fn batch(&self, source: &mut Source, count: u64, _: &mut Scratch) -> Verdict {
        self.0.batch(source, count)
    }

    fn case(&self, proposal: Proposal<'_>) -> Option<Ran> {
        self.0.case(proposal.source, proposal.worth).map(Ran::from)
    }

    fn arguments(&self, source: &mut Source) -> Vec<Argument> {
        self.0.arguments(source)
    }
}

impl Runner for Programs {
    fn batch(&self, source: &mut Source, count: u64, scratch: &mut Scratch) -> Verdict {
        self.run_batch(source, count, scratch)
    }

    fn case(&self, proposal: Proposal<'_>) -> Option<Ran> {
        self.run_hooked(NoHook, proposal)
    }

    fn arguments(&self, source: &mut Source) -> Vec<Argument> {
        self.lines(source.replayed(), None)
    }
}
