//! The learner: runs programs to find out which fail for one reason.
//!
//! **Invariant:** a program that says nothing about the reason is not taken for one that fails.

use crate::choice::Source;
use crate::oracle::{Signature, Verdict};
use crate::pattern::Matcher;
use crate::program::{Program, Suite, finds};
use crate::trial::Trial;

/// Asks of programs whether they fail for the reason that is learned about.
#[doc(hidden)]
pub struct Learner<'a> {
    pub suite: &'a Suite,
    pub trial: &'a mut dyn Trial,
    /// The failure that programs must have, if that matters.
    pub signature: Option<&'a Signature>,
    /// The patterns of other bugs. Where they are given, a program that matches one says nothing, and neither does
    /// one that fails before its end.
    pub others: Option<&'a mut Matcher>,
}

impl std::fmt::Debug for Learner<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Learner").field("signature", &self.signature).finish_non_exhaustive()
    }
}

impl Learner<'_> {
    /// Runs a program. Returns true if it fails for the reason.
    pub(super) fn fails(&mut self, program: &Program) -> bool {
        let suite = self.suite;
        if self.trial.is_over() || self.others.as_mut().is_some_and(|others| finds(others, suite, program)) {
            return false;
        }
        let mut source = Source::replay(program.tape(suite));
        let ran = self.trial.run(&mut source, &mut |_| true);
        if ran.and_then(|ran| ran.failure(self.signature)).is_none() {
            return false;
        }
        let ran = Program::of(suite, &source.into_tape());
        self.others.is_none() || ran.is_some_and(|ran| ran.calls.len() == program.calls.len())
    }

    /// Runs a program that does not match the pattern of another bug. Returns true if it does not fail.
    pub(crate) fn passes(&mut self, program: &Program) -> bool {
        let suite = self.suite;
        if self.trial.is_over() || self.others.as_mut().is_some_and(|others| finds(others, suite, program)) {
            return false;
        }
        let ran = self.trial.run(&mut Source::replay(program.tape(suite)), &mut |_| true);
        ran.is_some_and(|ran| !matches!(ran.verdict, Verdict::Fail(_)))
    }
}
