//! Proposals: the next case of a run.
//!
//! **Invariant:** a proposal is all that a case is told. Nothing is left behind for it elsewhere.

use super::scratch::Scratch;
use crate::choice::Source;

/// The next case of a run, with all that running it needs.
#[doc(hidden)]
pub struct Proposal<'a> {
    /// The choices of the case. When it has run, its tape is here.
    pub source: &'a mut Source,
    /// Returns true if the case is worth running, given the choices made so far.
    pub worth: &'a mut dyn FnMut(&Source) -> bool,
    /// The calls to add, if the case extends a program.
    pub(crate) extension: Option<&'a Extension>,
    /// The state that the run keeps from one program to the next. Inputs leave it alone.
    pub scratch: &'a mut Scratch,
}

impl<'a> Proposal<'a> {
    /// Proposes the case of a source.
    pub fn new(
        source: &'a mut Source,
        worth: &'a mut dyn FnMut(&Source) -> bool,
        scratch: &'a mut Scratch,
    ) -> Proposal<'a> {
        Proposal { source, worth, extension: None, scratch }
    }
}

impl std::fmt::Debug for Proposal<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Proposal").field("extension", &self.extension).finish_non_exhaustive()
    }
}

/// The calls that are added to a program.
#[derive(Debug, Clone)]
pub(crate) enum Extension {
    /// This number of calls, with the weight of each operation.
    Few { calls: usize, weights: Vec<u32> },
    /// One call of this operation, and of what makes its arguments if they are not there. No sample comes after it.
    One(usize),
    /// No call: the state that the program reaches is all that is wanted.
    Nothing,
    /// As many as a random program has, drawn like those of one.
    Whole,
}
