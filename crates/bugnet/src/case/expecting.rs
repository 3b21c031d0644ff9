//! Expecting: cases every one of which must panic.
//!
//! To the rest of the engine they are cases like any other: one that panics with the right words passes,
//! and one that does not panic, or panics with other words, fails.
//!
//! **Invariant:** what a generator does is never taken for the panic that is expected.

use super::runner::Runner;
use super::test::Argument;
use crate::choice::Source;
use crate::oracle::{Caught, Failure, Signature, Verdict, catch, usage_error};
use crate::program::{Proposal, Scratch};
use crate::trial::Ran;

/// Cases that must panic with a message that contains a text.
pub(crate) struct Expecting<'a> {
    pub(crate) runner: &'a dyn Runner,
    pub(crate) text: &'a str,
}

impl Runner for Expecting<'_> {
    fn batch(&self, source: &mut Source, count: u64, scratch: &mut Scratch) -> Verdict {
        for _ in 0..count {
            source.next_case();
            match self.case(Proposal::new(source, &mut |_| true, scratch)).map(|ran| ran.verdict) {
                Some(Verdict::Pass) | None => {}
                Some(verdict) => return verdict,
            }
        }
        Verdict::Pass
    }

    fn case(&self, proposal: Proposal<'_>) -> Option<Ran> {
        let Proposal { source, worth, extension, scratch } = proposal;
        let mut generated = false;
        let mut worth = |source: &Source| {
            generated = true;
            worth(source)
        };
        let caught = catch(|| self.runner.case(Proposal { source, worth: &mut worth, extension, scratch }));
        let ran = match caught {
            Ok(ran) => ran?,
            Err(Caught::Discarded) => Ran::from(Verdict::Discard),
            Err(Caught::Failed(failure)) => Ran::from(Verdict::Fail(failure)),
            Err(Caught::Misused(problem)) => usage_error(problem),
        };
        Some(if generated { Ran { verdict: turned(ran.verdict, self.text), ..ran } } else { ran })
    }

    fn arguments(&self, source: &mut Source) -> Vec<Argument> {
        self.runner.arguments(source)
    }
}

/// Turns the verdict around for a case that must panic.
pub(crate) fn turned(verdict: Verdict, text: &str) -> Verdict {
    match verdict {
        Verdict::Fail(failure) if failure.message.contains(text) => Verdict::Pass,
        Verdict::Pass => {
            let message = if text.is_empty() {
                "the property should have panicked and did not".to_string()
            } else {
                format!("the property should have panicked with {text:?} and did not panic")
            };
            Verdict::Fail(Box::new(Failure::new(Signature::NoPanic, message)))
        }
        other => other,
    }
}
