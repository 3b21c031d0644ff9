//! The programs of a suite as a test.
//!
//! **Invariant:** a program is shown as it is replayed, with the call that fails last.

use super::test::{Argument, Test};
use crate::choice::{Source, Tape};
use crate::oracle::{Phase, Signature, Verdict};
use crate::program::{self, Failing, NoHook, Programs, Proposal, description};

/// A run has a `Runner` instead, which keeps state from one program to the next.
impl Test for Programs {
    fn batch(&self, source: &mut Source, count: u64) -> Verdict {
        self.run_batch(source, count, &mut self.usual_scratch())
    }

    fn case(&self, source: &mut Source, worth: &mut dyn FnMut(&Source) -> bool) -> Option<Verdict> {
        let mut scratch = self.usual_scratch();
        let ran = self.run_hooked(NoHook, Proposal::new(source, worth, &mut scratch));
        ran.map(|ran| ran.verdict)
    }

    fn arguments(&self, source: &mut Source) -> Vec<Argument> {
        self.lines(source.replayed(), None)
    }

    fn programs(&self) -> Option<&Programs> {
        Some(self)
    }
}

impl Programs {
    /// Returns a program as data, with the check that it fails, if it does; `None` if it calls something that is not
    /// there.
    #[doc(hidden)]
    pub fn described(&self, tape: &Tape, signature: Option<&Signature>) -> Option<description::Program> {
        let failing = match signature {
            Some(Signature::InCall { operation, phase: Phase::Observe, .. }) => {
                Some(Failing::Print(operation))
            }
            Some(Signature::InCall { operation, .. }) => Some(Failing::Operation(operation)),
            _ => None,
        };
        program::described(self.suite(), tape, failing)
    }

    /// Returns a program as Rust, with the check that it fails, if it does.
    #[doc(hidden)]
    pub fn lines(&self, tape: &Tape, signature: Option<&Signature>) -> Vec<Argument> {
        let lines = match self.described(tape, signature) {
            Some(program) => program.lines(),
            None => vec!["// this program calls something that is not there any more".to_string()],
        };
        let mut arguments = Vec::new();
        for text in lines {
            arguments.push(Argument { name: "", kind: "", text, source: true });
        }
        arguments
    }
}
