//! Expecting: a test every case of which must panic.
//!
//! To the rest of the engine it is a test like any other: a case that panics with the right words passes,
//! and one that does not panic, or panics with other words, fails.
//!
//! **Invariant:** what a generator does is never taken for the panic that is expected.

use super::test::{Argument, Test};
use crate::choice::Source;
use crate::oracle::{Caught, Failure, Signature, Verdict, catch, usage_error};

/// A test that must panic with a message that contains a text.
pub(crate) struct Expecting<'a> {
    pub(crate) test: &'a dyn Test,
    pub(crate) text: &'a str,
}

impl Test for Expecting<'_> {
    fn batch(&self, source: &mut Source, count: u64) -> Verdict {
        for _ in 0..count {
            source.next_case();
            match self.case(source, &mut |_| true) {
                Some(Verdict::Pass) | None => {}
                Some(verdict) => return verdict,
            }
        }
        Verdict::Pass
    }

    fn case(&self, source: &mut Source, worth: &mut dyn FnMut(&Source) -> bool) -> Option<Verdict> {
        let mut generated = false;
        let caught = catch(|| {
            self.test.case(source, &mut |source| {
                generated = true;
                worth(source)
            })
        });
        let verdict = match caught {
            Ok(verdict) => verdict?,
            Err(Caught::Discarded) => Verdict::Discard,
            Err(Caught::Failed(failure)) => Verdict::Fail(failure),
            Err(Caught::Misused(problem)) => usage_error(problem),
        };
        Some(if generated { turned(verdict, self.text) } else { verdict })
    }

    fn arguments(&self, source: &mut Source) -> Vec<Argument> {
        self.test.arguments(source)
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
