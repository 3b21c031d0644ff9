//! The judge: runs cases and says what became of them.
//!
//! **Invariant:** what is about to run is in the journal before it runs.

use super::cases::Cases;
use super::evidence::Evidence;
use super::finder::Finder;
use super::journal::Journal;
#[cfg(feature = "values")]
use super::test::Test;
use crate::choice::{Source, Tape};
use crate::label;
use crate::oracle::{Caught, Failure, Signature, Verdict, WrongTest, catch};
use crate::random::Seed;
use crate::wire::Work;

/// A program that fails by chance is run at most so often.
const ATTEMPTS: u32 = 4;

/// A case that failed, recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) tape: Tape,
    pub(crate) failure: Failure,
    /// Whether it has failed in the same way twice.
    pub(crate) confirmed: bool,
    /// What has found it.
    pub(crate) by: Finder,
}

impl Found {
    /// A case that has just failed, if it has.
    pub(crate) fn of(verdict: Verdict, tape: Tape, by: Finder) -> Option<Found> {
        match verdict {
            Verdict::Fail(failure) => Some(Found { tape, failure: *failure, confirmed: false, by }),
            _ => None,
        }
    }
}

/// What a judge tells its observer: every batch and every recorded case, in the order of the run.
#[doc(hidden)]
#[derive(Debug)]
pub enum Judged<'a> {
    /// Unrecorded random cases, from the first on; the verdict is that of the last one run.
    Batch { seed: Seed, first: u64, count: u64, verdict: &'a Verdict },
    /// A recorded case that was run.
    Case { tape: &'a Tape, verdict: &'a Verdict },
}

/// Hears what a judge has judged, so that two versions of the engine can be compared.
#[doc(hidden)]
pub type Observer = dyn Fn(Judged<'_>);

/// Runs cases of one property.
pub(crate) struct Judge<'a> {
    pub(crate) cases: Cases<'a>,
    pub(crate) journal: &'a mut Journal,
    pub(crate) observer: Option<&'a Observer>,
    /// What programs that were replayed have shown.
    pub(crate) evidence: Evidence,
    /// The number of calls after which nothing more is tried about a failure.
    pub(crate) last_call: u64,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(
        cases: Cases<'a>,
        journal: &'a mut Journal,
        observer: Option<&'a Observer>,
    ) -> Judge<'a> {
        Judge { cases, journal, observer, evidence: Evidence::default(), last_call: u64::MAX }
    }

    /// The calls that programs have made so far.
    pub(crate) fn calls(&self) -> u64 {
        self.cases.programs.map_or(0, |programs| programs.calls())
    }

    /// Whether as many calls were made as may be made to learn about failures.
    pub(crate) fn is_spent(&self) -> bool {
        self.last_call < u64::MAX && self.calls() >= self.last_call
    }

    /// A judge of another test around these inputs.
    #[cfg(feature = "values")]
    pub(crate) fn of<'b>(&'b mut self, test: &'b dyn Test) -> Judge<'b> {
        Judge::new(self.cases.run_by(test), self.journal, self.observer)
    }

    /// Runs a batch of unrecorded random cases. The verdict is that of the last one run.
    pub(crate) fn batch(
        &mut self,
        source: &mut Source,
        seed: Seed,
        count: u64,
    ) -> Result<Verdict, WrongTest> {
        let first = source.case_number(seed).wrapping_add(1);
        self.journal.write(&Work::Random { seed, first, count });
        let test = self.cases.test;
        let verdict = verdict(catch(|| test.batch(source, count)))?;
        if let Some(observer) = self.observer {
            observer(Judged::Batch { seed, first, count, verdict: &verdict });
        }
        Ok(verdict)
    }

    /// Runs one case, if `worth` says so of its choices. `None` if it did not.
    pub(crate) fn case(
        &mut self,
        source: &mut Source,
        worth: &mut dyn FnMut(&Source) -> bool,
    ) -> Result<Option<Verdict>, WrongTest> {
        let Cases { test, programs } = self.cases;
        if programs.is_some()
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
            Verdict::Pass => label::finish(),
            _ => label::discard(),
        }
        if let Some(observer) = self.observer {
            observer(Judged::Case { tape: source.tape(), verdict: &verdict });
        }
        Ok(Some(verdict))
    }

    /// Runs a program that is replayed, and again if it has failed by chance; it may be expected to fail in
    /// a certain way.
    pub(crate) fn program(
        &mut self,
        source: &mut Source,
        expected: Option<&Signature>,
    ) -> Result<Verdict, WrongTest> {
        let program = source.replayed().clone();
        for _ in 1..ATTEMPTS {
            let verdict = self.case(source, &mut |_| true)?.unwrap_or(Verdict::Discard);
            if self.cases.programs.is_none() {
                return Ok(verdict);
            }
            if self.evidence.add(&program, source.tape(), &verdict, expected) {
                return Ok(verdict);
            }
            *source = Source::replay(program.clone());
        }
        Ok(self.case(source, &mut |_| true)?.unwrap_or(Verdict::Discard))
    }

    /// Runs one recorded case whose tape is in the journal while it runs.
    pub(crate) fn journalled_case(&mut self, source: &mut Source) -> Result<Option<Verdict>, WrongTest> {
        let mut journal = std::mem::take(self.journal);
        let verdict = self.case(source, &mut |source| {
            journal.write(&Work::Tape(source.tape().clone()));
            true
        });
        *self.journal = journal;
        verdict
    }

    /// Runs one recorded case and hands out its tape.
    pub(crate) fn recorded(&mut self, mut source: Source) -> Result<(Verdict, Tape), WrongTest> {
        let verdict = self.case(&mut source, &mut |_| true)?.unwrap_or(Verdict::Discard);
        Ok((verdict, source.into_tape()))
    }
}

/// The verdict on what was caught.
pub(crate) fn verdict(result: Result<Verdict, Caught>) -> Result<Verdict, WrongTest> {
    match result {
        Ok(verdict) => Ok(verdict),
        Err(Caught::Discarded) => Ok(Verdict::Discard),
        Err(Caught::Failed(failure)) => Ok(Verdict::Fail(failure)),
        Err(Caught::Misused(message)) => Err(WrongTest(message)),
    }
}
