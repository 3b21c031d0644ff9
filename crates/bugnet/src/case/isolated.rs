//! Isolation: cases that run in a child process.
//!
//! Inputs are made here and tested there. Programs are known only when they have run, so the child notes
//! their calls one by one; and as they are drawn there, it is told what is known, so that it can avoid it.
//!
//! **Invariant:** whatever ran, its source has the tape of it, even if it has killed the child.

use super::cases::Cases;
use super::child::{Child, Tried};
use super::runner::Runner;
use super::test::Argument;
use crate::choice::Source;
use crate::oracle::{Signature, Verdict, usage_error};
use crate::program::{Proposal, Scratch};
use crate::trial::Ran;
use crate::wire::Work;
use std::cell::RefCell;

/// Runs cases in a child.
pub(crate) struct Isolated<'a> {
    cases: Cases<'a>,
    child: RefCell<Child>,
}

impl<'a> Isolated<'a> {
    pub(crate) fn new(cases: Cases<'a>, child: Child) -> Isolated<'a> {
        Isolated { cases, child: RefCell::new(child) }
    }

    /// Has the child run cases.
    fn run(&self, work: &Work) -> (Tried, u64) {
        self.child.borrow_mut().run(work).unwrap_or_else(|problem| usage_error(problem))
    }

    /// Has the child run a case, whose tape the source has from then on.
    fn run_one(&self, work: &Work, source: &mut Source, scratch: &Scratch) -> Verdict {
        if let Some(programs) = self.cases.programs {
            let (steering, suite) = (&scratch.steering, programs.suite());
            self.child.borrow_mut().teach(steering.version, &|| steering.restraint(suite));
        }
        let verdict = match self.run(work).0 {
            Tried::Judged(verdict) => verdict,
            Tried::Lost(failure) => Verdict::Fail(Box::new(failure)),
        };
        if source.is_unfinished() {
            let told = self.child.borrow_mut().traced();
            source.ran_as(told.unwrap_or_else(|| source.replayed().clone()));
        }
        verdict
    }
}

impl Runner for Isolated<'_> {
    /// If a batch kills the child, its cases run again one by one, so that the source ends at the one that
    /// did it.
    fn batch(&self, source: &mut Source, count: u64, _: &mut Scratch) -> Verdict {
        let seed = source.own_seed();
        let (answer, ended) = self.run(&Work::Random { seed, first: 1, count });
        let failure = match answer {
            Tried::Judged(verdict) => {
                source.seek(seed, ended);
                return verdict;
            }
            Tried::Lost(failure) => failure,
        };
        for case in 1 + ended..=count {
            source.seek(seed, case);
            match self.run(&Work::Random { seed, first: case, count: 1 }).0 {
                Tried::Judged(Verdict::Pass) => {}
                Tried::Judged(verdict) => return verdict,
                Tried::Lost(failure) => return Verdict::Fail(Box::new(failure)),
            }
        }
        match failure.signature {
            // The batch took long, but no case of it did.
            Signature::Hung => Verdict::Pass,
            // Together they killed it and each alone does not: the last one stands for all.
            _ => Verdict::Fail(Box::new(failure)),
        }
    }

    fn case(&self, proposal: Proposal<'_>) -> Option<Ran> {
        let Proposal { source, worth, extension, scratch } = proposal;
        let mut wanted = false;
        let mut makes_only = |source: &Source| {
            wanted = worth(source);
            false
        };
        let made =
            Proposal { source: &mut *source, worth: &mut makes_only, extension, scratch: &mut *scratch };
        let ran = self.cases.runner.case(made);
        if !wanted {
            return ran;
        }
        // What the test draws itself is known only when it has run.
        let work = match source.is_unfinished() {
            true if source.is_replay() => Work::Tape(source.replayed().clone()),
            true => Work::Traced(source.own_seed()),
            false => Work::Tape(source.tape().clone()),
        };
        let verdict = self.run_one(&work, source, scratch);
        Some(match (self.cases.programs, work) {
            (Some(programs), Work::Traced(_)) => {
                scratch.steering.drawn_elsewhere(programs.suite(), verdict, source.tape())
            }
            _ => Ran::from(verdict),
        })
    }

    fn arguments(&self, source: &mut Source) -> Vec<Argument> {
        self.cases.runner.arguments(source)
    }
}
