//! The judge: runs cases and says what became of them.
//!
//! **Invariant:** what is about to run is in the journal before it runs.

use super::labels;
use super::test::Test;
use crate::choice::{Seed, Source, Tape};
use crate::oracle::{Caught, Failure, Signature, Verdict, catch};
use crate::worker::{Flight, Journal};

/// A program that fails by chance is run at most so often.
const ATTEMPTS: u32 = 4;

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
    /// What has found it.
    pub(crate) by: &'static str,
}

impl Found {
    /// A case that has just failed, if it has.
    pub(crate) fn of(verdict: Verdict, tape: Tape, by: &'static str) -> Option<Found> {
        match verdict {
            Verdict::Fail(failure) => Some(Found { tape, failure: *failure, confirmed: false, by }),
            _ => None,
        }
    }
}

/// Runs cases of one property.
pub(crate) struct Judge<'a> {
    pub(crate) test: &'a dyn Test,
    pub(crate) journal: &'a mut Journal,
}

impl Judge<'_> {
    /// Runs a batch of unrecorded random cases. The verdict is that of the last one run.
    pub(crate) fn batch(&mut self, source: &mut Source, seed: Seed, count: u64) -> Result<Verdict, Misuse> {
        let first = source.case_number(seed).wrapping_add(1);
        self.journal.write(&Flight::Random { seed, first, count });
        let test = self.test;
        verdict(catch(|| test.batch(source, count)))
    }

    /// Runs one case, if `worth` says so of its choices. `None` if it did not.
    pub(crate) fn case(
        &mut self,
        source: &mut Source,
        worth: &mut dyn FnMut(&Source) -> bool,
    ) -> Result<Option<Verdict>, Misuse> {
        let test = self.test;
        if test.programs().is_some()
            && let Some(watcher) = self.journal.watcher()
        {
            source.watched_by(watcher);
        }
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
        let verdict = verdict(caught.map(|verdict| verdict.unwrap_or(Verdict::Discard)))?;
        match verdict {
            Verdict::Pass => labels::finish(),
            _ => labels::discard(),
        }
        Ok(Some(verdict))
    }

    /// Runs a program that is replayed, and again if it has failed by chance; it may be expected to fail in
    /// a certain way.
    pub(crate) fn program(
        &mut self,
        source: &mut Source,
        expected: Option<&Signature>,
    ) -> Result<Verdict, Misuse> {
        let (program, test) = (source.replayed().clone(), self.test);
        for _ in 1..ATTEMPTS {
            let verdict = self.case(source, &mut |_| true)?.unwrap_or(Verdict::Discard);
            let Some(programs) = test.programs() else { return Ok(verdict) };
            if programs.evidence.add(&program, source.tape(), &verdict, expected) {
                return Ok(verdict);
            }
            *source = Source::replay(program.clone());
        }
        Ok(self.case(source, &mut |_| true)?.unwrap_or(Verdict::Discard))
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
        let verdict = self.case(&mut source, &mut |_| true)?.unwrap_or(Verdict::Discard);
        Ok((verdict, source.into_tape()))
    }
}

/// The verdict on what was caught.
pub(super) fn verdict(result: Result<Verdict, Caught>) -> Result<Verdict, Misuse> {
    match result {
        Ok(verdict) => Ok(verdict),
        Err(Caught::Discarded) => Ok(Verdict::Discard),
        Err(Caught::Failed(failure)) => Ok(Verdict::Fail(failure)),
        Err(Caught::Misused(message)) => Err(Misuse(message)),
    }
}
