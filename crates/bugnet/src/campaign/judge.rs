//! The judge: runs cases and says what became of them.
//!
//! **Invariant:** what is about to run is in the journal before it runs.

use super::labels;
use super::test::Test;
use crate::choice::{Seed, Source, Tape};
use crate::oracle::{Caught, Failure, Signature, Verdict, catch};
use crate::worker::{Answer, Child, Flight, Journal};

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
    /// What every case must panic with, if it must panic.
    pub(crate) expect_panic: Option<&'a str>,
    pub(crate) journal: &'a mut Journal,
    /// Where the cases run, if not in this process.
    pub(crate) child: Option<&'a mut Child>,
}

impl Judge<'_> {
    /// Runs a batch of unrecorded random cases. The verdict is that of the last one run.
    pub(crate) fn batch(&mut self, source: &mut Source, seed: Seed, count: u64) -> Result<Verdict, Misuse> {
        let first = source.case_number(seed).wrapping_add(1);
        let flight = Flight::Random { seed, first, count };
        if self.child.is_some() {
            return self.batch_in_child(source, seed, first, count);
        }
        self.journal.write(&flight);
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

    /// Has the child run a batch. If that kills it, the cases run again one by one, so that the
    /// source ends at the one that did it.
    fn batch_in_child(
        &mut self,
        source: &mut Source,
        seed: Seed,
        first: u64,
        count: u64,
    ) -> Result<Verdict, Misuse> {
        let child = self.child.as_mut().expect("only called with a child");
        let (answer, ended) = child.run(&Flight::Random { seed, first, count }).map_err(Misuse)?;
        let failure = match answer {
            Answer::Judged(verdict) => {
                source.seek(seed, first.wrapping_add(ended).wrapping_sub(1));
                return Ok(verdict);
            }
            Answer::Lost(failure) => failure,
        };
        for case in first + ended..first + count {
            let single = Flight::Random { seed, first: case, count: 1 };
            source.seek(seed, case);
            match child.run(&single).map_err(Misuse)?.0 {
                Answer::Judged(Verdict::Pass) => {}
                Answer::Judged(verdict) => return Ok(verdict),
                Answer::Lost(failure) => return Ok(Verdict::Fail(Box::new(failure))),
            }
        }
        match failure.signature {
            // The batch took long, but no case of it did.
            Signature::Hung => Ok(Verdict::Pass),
            // Together they killed it and each alone does not: the last one stands for all.
            _ => Ok(Verdict::Fail(Box::new(failure))),
        }
    }

    /// Generates an input here and has the child test it.
    fn case_in_child(
        &mut self,
        source: &mut Source,
        worth: &mut dyn FnMut(&Source) -> bool,
    ) -> Result<Option<Verdict>, Misuse> {
        let test = self.test;
        let mut wanted = false;
        let generated = catch(|| {
            test.case(source, &mut |source| {
                wanted = worth(source);
                false
            })
        });
        let generated = verdict(generated.map(|_| Verdict::Pass), None)?;
        if generated != Verdict::Pass || !wanted {
            return Ok((generated != Verdict::Pass).then_some(generated));
        }
        // What the test draws itself is known only when it has run: from the tape that is replayed, or
        // else the child tells it.
        let flight = match source.is_unfinished() {
            true if source.is_replay() => Flight::Tape(source.replayed().clone()),
            true => Flight::Trace(source.own_seed()),
            false => Flight::Tape(source.tape().clone()),
        };
        let child = self.child.as_mut().expect("only called with a child");
        Ok(Some(match child.run(&flight).map_err(Misuse)?.0 {
            Answer::Judged(verdict) => verdict,
            Answer::Lost(failure) => Verdict::Fail(Box::new(failure)),
        }))
    }

    /// Runs one case, if `worth` says so of its choices. `None` if it did not.
    pub(crate) fn case(
        &mut self,
        source: &mut Source,
        worth: &mut dyn FnMut(&Source) -> bool,
    ) -> Result<Option<Verdict>, Misuse> {
        if self.child.is_some() {
            return self.case_in_child(source, worth);
        }
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
        let expect_panic = self.expect_panic.filter(|_| generated);
        let verdict = verdict(caught.map(|verdict| verdict.unwrap_or(Verdict::Discard)), expect_panic)?;
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
            // What ran in a child has left no tape.
            let ran = if self.child.is_some() { &program } else { source.tape() };
            let is_told = self.child.is_none() || verdict == Verdict::Pass;
            if !is_told || programs.evidence.add(&program, ran, &verdict, expected) {
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
        let told = self.child.as_mut().and_then(|child| child.traced());
        let replayed = (self.child.is_some() && source.is_unfinished()).then(|| source.replayed().clone());
        Ok((verdict, told.or(replayed).unwrap_or_else(|| source.into_tape())))
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
