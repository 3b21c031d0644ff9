//! The judge: runs cases and says what became of them.
//!
//! **Invariant:** what is about to run is in the journal before it runs.

use super::labels;
use super::test::Test;
use crate::choice::{Seed, Source, Tape};
use crate::oracle::{Caught, Failure, Signature, Verdict, catch};
use crate::worker::{Flight, Journal};

/// The test is written wrongly; the text says what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Misuse(pub(crate) String);

/// A case that failed, recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) tape: Tape,
    pub(crate) failure: Failure,
    /// Whether it has failed in the same way twice.
    pub(crate) confirmed: bool,
}

/// Runs cases of one property.
pub(crate) struct Judge<'a> {
    pub(crate) test: &'a dyn Test,
    /// What every case must panic with, if it must panic.
    pub(crate) expect_panic: Option<&'a str>,
    pub(crate) journal: &'a mut Journal,
}

impl Judge<'_> {
    /// Runs a batch of unrecorded random cases. The verdict is that of the last one run.
    pub(crate) fn batch(&mut self, source: &mut Source, seed: Seed, count: u64) -> Result<Verdict, Misuse> {
        let first = source.case_number(seed).wrapping_add(1);
        self.journal.write(&Flight::Random { seed, first, count });
        if self.expect_panic.is_none() {
            let test = self.test;
            return verdict(catch(|| test.batch(source, count)), None);
        }
        for _ in 0..count {
            source.next_case();
            match self.case(source, &mut |_| true)? {
                Some(Verdict::Pass) | None => {}
                Some(verdict) => return Ok(verdict),
            }
        }
        Ok(Verdict::Pass)
    }

    /// Runs one case, if `worth` says so of its choices. `None` if it did not.
    pub(crate) fn case(
        &mut self,
        source: &mut Source,
        worth: &mut dyn FnMut(&Source) -> bool,
    ) -> Result<Option<Verdict>, Misuse> {
        let test = self.test;
        let (mut generated, mut wanted) = (false, true);
        let caught = catch(|| {
            test.case(source, &mut |source| {
                generated = true;
                wanted = worth(source);
                wanted
            })
        });
        if generated && !wanted {
            return Ok(None);
        }
        let expect_panic = self.expect_panic.filter(|_| generated);
        let verdict = verdict(caught.map(|verdict| verdict.unwrap_or(Verdict::Discard)), expect_panic)?;
        match verdict {
            Verdict::Pass => labels::finish(),
            _ => labels::discard(),
        }
        Ok(Some(verdict))
    }

    /// Runs one recorded case whose tape is in the journal while it runs.
    pub(crate) fn journalled_case(&mut self, source: &mut Source) -> Result<Option<Verdict>, Misuse> {
        let mut journal = std::mem::take(self.journal);
        let verdict = self.case(source, &mut |source| {
            journal.write(&Flight::Tape(source.tape().clone()));
            true
        });
        *self.journal = journal;
        verdict
    }

    /// Runs one recorded case and hands out its tape.
    pub(crate) fn recorded(&mut self, mut source: Source) -> Result<(Verdict, Tape), Misuse> {
        let verdict = self.case(&mut source, &mut |_| true)?;
        Ok((verdict.unwrap_or(Verdict::Discard), source.into_tape()))
    }
}

/// The verdict on what was caught, given what panic is expected.
pub(super) fn verdict(
    result: Result<Verdict, Caught>,
    expect_panic: Option<&str>,
) -> Result<Verdict, Misuse> {
    let verdict = match result {
        Ok(verdict) => verdict,
        Err(Caught::Discarded) => Verdict::Discard,
        Err(Caught::Failed(failure)) => Verdict::Fail(failure),
        Err(Caught::Misused(message)) => return Err(Misuse(message)),
    };
    Ok(match expect_panic {
        Some(text) => expected(verdict, text),
        None => verdict,
    })
}

/// Turns the verdict around for a property whose every case must panic.
fn expected(verdict: Verdict, text: &str) -> Verdict {
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
