//! The judge: runs cases and says what became of them.
//!
//! **Invariant:** what is about to run is in the journal before it runs.

use super::cases::Cases;
use super::evidence::Evidence;
use super::finder::Finder;
use super::journal::Journal;
#[cfg(feature = "values")]
use super::runner::Runner;
use crate::choice::{Source, Tape};
use crate::label;
use crate::oracle::{Caught, Failure, Signature, Verdict, WrongTest, catch};
use crate::pattern::Pattern;
use crate::program::{Extension, Program, Proposal, Scratch};
use crate::random::Seed;
use crate::trial::{Ran, Sample, Worth};
use crate::wire::Work;

/// The most runs of a program that fails by chance.
const ATTEMPTS: u32 = 4;

/// A case that failed, recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) tape: Tape,
    pub(crate) failure: Failure,
    /// True if it has failed in the same way twice.
    pub(crate) confirmed: bool,
    /// The strategy that has found it.
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

/// An event for the observer of a judge: every batch and every recorded case, in the order of the run.
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
    /// The state that the run keeps from one program to the next.
    pub(crate) scratch: &'a mut Scratch,
    /// Samples of known patterns, since they were last taken or since other patterns are known.
    samples: Vec<Sample>,
    /// The verdicts of programs that were replayed.
    pub(crate) evidence: Evidence,
    /// The number of calls after which nothing more is tried about a failure.
    pub(crate) last_call: u64,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(
        cases: Cases<'a>,
        scratch: &'a mut Scratch,
        journal: &'a mut Journal,
        observer: Option<&'a Observer>,
    ) -> Judge<'a> {
        Judge {
            cases,
            journal,
            observer,
            scratch,
            samples: Vec::new(),
            evidence: Evidence::default(),
            last_call: u64::MAX,
        }
    }

    /// Returns the number of calls that programs have made so far.
    pub(crate) fn calls(&self) -> u64 {
        self.scratch.calls()
    }

    /// Has programs drawn around patterns from now on. If samples are wanted, a last call may complete one of them.
    pub(crate) fn know(&mut self, patterns: Vec<Pattern>, samples: bool) {
        if let Some(programs) = self.cases.programs {
            self.scratch.steering.know(programs.suite(), patterns, samples);
        }
        self.samples.clear();
    }

    /// Takes the samples since the last time that they were taken.
    pub(crate) fn take_samples(&mut self) -> Vec<Sample> {
        std::mem::take(&mut self.samples)
    }

    /// Returns true if a sample has shown that a pattern says too much.
    pub(crate) fn is_refuting(&self) -> bool {
        self.samples.iter().any(|sample| sample.passed.is_some())
    }

    /// Returns true if as many calls were made as may be made to learn about failures.
    pub(crate) fn is_spent(&self) -> bool {
        self.last_call < u64::MAX && self.calls() >= self.last_call
    }

    /// Returns a judge of these inputs, run by another runner.
    #[cfg(feature = "values")]
    pub(crate) fn of<'b>(&'b mut self, runner: &'b dyn Runner) -> Judge<'b> {
        Judge::new(self.cases.run_by(runner), self.scratch, self.journal, self.observer)
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
        let (runner, scratch) = (self.cases.runner, &mut *self.scratch);
        let verdict = verdict(catch(|| runner.batch(source, count, scratch)))?;
        if let Some(observer) = self.observer {
            observer(Judged::Batch { seed, first, count, verdict: &verdict });
        }
        Ok(verdict)
    }

    /// Runs one case, if `worth` says so of its choices. `None` if it did not.
    pub(crate) fn case(
        &mut self,
        source: &mut Source,
        worth: Worth<'_>,
    ) -> Result<Option<Verdict>, WrongTest> {
        Ok(self.run(source, worth, None)?.map(|ran| ran.verdict))
    }

    /// Runs one case, which may extend a program, if `worth` says so of its choices. Returns `None` if it did not.
    fn run(
        &mut self,
        source: &mut Source,
        worth: Worth<'_>,
        extension: Option<&Extension>,
    ) -> Result<Option<Ran>, WrongTest> {
        let Cases { runner, programs } = self.cases;
        if programs.is_some() {
            if let Some(watcher) = self.journal.watcher() {
                source.watched_by(watcher);
            }
        }
        let (mut generated, mut wanted) = (false, true);
        let mut worth = |source: &Source| {
            generated = true;
            wanted = worth(source);
            wanted
        };
        let proposal =
            Proposal { source: &mut *source, worth: &mut worth, extension, scratch: &mut *self.scratch };
        let caught = catch(|| runner.case(proposal));
        if generated && !wanted {
            return Ok(None);
        }
        let mut ran = match caught {
            Ok(ran) => ran.unwrap_or(Ran::from(Verdict::Discard)),
            Err(caught) => Ran::from(verdict(Err(caught))?),
        };
        self.samples.extend(ran.sample.take());
        match ran.verdict {
            Verdict::Pass => label::finish(),
            _ => label::discard(),
        }
        if let Some(observer) = self.observer {
            observer(Judged::Case { tape: source.tape(), verdict: &ran.verdict });
        }
        Ok(Some(ran))
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
        Ok(self.journalled(source, None)?.map(|ran| ran.verdict))
    }

    /// Runs a program that extends another one. Its tape is in the journal while it runs.
    pub(crate) fn extended(
        &mut self,
        source: &mut Source,
        extension: &Extension,
    ) -> Result<Option<Ran>, WrongTest> {
        self.journalled(source, Some(extension))
    }

    /// Runs a program and returns the state that it reaches, as far as states can be told apart.
    pub(crate) fn state_after(&mut self, program: &Program) -> Result<Option<u64>, WrongTest> {
        let Some(programs) = self.cases.programs else { return Ok(None) };
        let mut tape = program.tape(programs.suite());
        // Without the mark of its end it could go on, as programs do whose state is of interest.
        tape.choices.pop();
        let mut source = Source::extending(tape, Seed(0), 0);
        Ok(self.extended(&mut source, &Extension::Nothing)?.and_then(|ran| ran.reached))
    }

    fn journalled(
        &mut self,
        source: &mut Source,
        extension: Option<&Extension>,
    ) -> Result<Option<Ran>, WrongTest> {
        let mut journal = std::mem::take(self.journal);
        let mut worth = |source: &Source| {
            journal.write(&Work::Tape(source.tape().clone()));
            true
        };
        let ran = self.run(source, &mut worth, extension);
        *self.journal = journal;
        ran
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
