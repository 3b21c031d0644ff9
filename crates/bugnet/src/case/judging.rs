//! Judging: trials that a judge makes.
//!
//! **Invariant:** a program that is known to pass is not run again, and nothing is run once the test is known to be
//! wrong.

use super::judge::Judge;
use crate::choice::{Source, Tape};
use crate::label;
use crate::oracle::{Signature, Verdict, WrongTest};
use crate::trial::{Ran, Trial, Worth};
use std::time::Duration;

/// Runs cases by a judge, to learn something.
pub(crate) struct Judging<'a, 'b> {
    judge: &'a mut Judge<'b>,
    /// The failure that cases may be expected to have.
    expected: Option<&'a Signature>,
    /// The clock, and when time is up.
    end: Option<(&'a dyn Fn() -> Duration, Duration)>,
    /// True if a program may have failed by chance.
    pub(super) doubts: bool,
    /// The program that was run again last, with its notes.
    pub(super) notes: Option<(Tape, Vec<String>)>,
    /// The reason why the test is wrong, if it is.
    pub(crate) misuse: Option<WrongTest>,
}

impl<'a, 'b> Judging<'a, 'b> {
    pub(crate) fn new(judge: &'a mut Judge<'b>, expected: Option<&'a Signature>) -> Judging<'a, 'b> {
        Judging { judge, expected, end: None, doubts: false, notes: None, misuse: None }
    }

    /// The same, for at most this time if time is limited.
    pub(crate) fn until(self, clock: &'a dyn Fn() -> Duration, time: Option<Duration>) -> Judging<'a, 'b> {
        Judging { end: time.map(|time| (clock, clock() + time)), ..self }
    }

    /// Runs a case, whatever is known of it.
    fn ran(&mut self, source: &mut Source, worth: Worth<'_>) -> Option<Ran> {
        let verdict = match self.judge.cases.programs {
            Some(_) => self.judge.program(source, self.expected).map(Some),
            None => self.judge.case(source, worth),
        };
        match verdict {
            Ok(verdict) => verdict.map(Ran::from),
            Err(misuse) => {
                self.misuse = Some(misuse);
                None
            }
        }
    }
}

impl Trial for Judging<'_, '_> {
    fn run(&mut self, source: &mut Source, worth: Worth<'_>) -> Option<Ran> {
        let is_program = self.judge.cases.programs.is_some();
        if is_program && self.judge.evidence.has_passed(source.replayed()) {
            return Some(Ran::from(Verdict::Pass));
        }
        self.ran(source, worth)
    }

    fn is_over(&self) -> bool {
        self.misuse.is_some() || self.judge.is_spent() || self.end.is_some_and(|(clock, end)| clock() >= end)
    }

    fn again(&mut self, source: &mut Source) -> Option<Ran> {
        let tape = source.replayed().clone();
        let (ran, notes) = label::with_notes(|| self.ran(source, &mut |_| true));
        self.notes = Some((tape, notes));
        let fails = ran.clone().and_then(|ran| ran.failure(self.expected)).is_some();
        if !fails {
            self.judge.evidence.doubt();
        }
        ran
    }

    fn proofs(&self) -> u32 {
        match self.judge.cases.programs {
            Some(_) if self.doubts && self.judge.evidence.is_unsteady() => 3,
            Some(_) if self.doubts => 2,
            _ => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::Cases;
    use super::super::journal::Journal;
    use super::super::runner::Inputs;
    use super::*;
    use crate::program::{Call, Operation, Program, Programs, Scratch, Suite};

    #[test]
    fn a_program_that_has_passed_is_not_run_again() {
        let suite =
            || Suite::new("clock").operation(Operation::new("tick", "tick()", |_| Verdict::Pass)).build();
        let (programs, suite, mut journal) = (Programs::new(suite()), suite(), Journal::default());
        let (inputs, mut scratch) = (Inputs(&programs), Scratch::new(&suite));
        let mut judge = Judge::new(Cases::of(&inputs), &mut scratch, &mut journal, None);
        let tick = Call { operation: 0, arguments: Vec::new() };
        for (ticks, calls) in [(2, 2), (2, 2), (3, 5), (2, 5), (3, 5)] {
            let program = Program { features: 0, calls: vec![tick.clone(); ticks] };
            let mut source = Source::replay(program.tape(&suite));
            let ran = Judging::new(&mut judge, None).run(&mut source, &mut |_| true);
            assert_eq!((ran, judge.calls()), (Some(Ran::from(Verdict::Pass)), calls));
        }
    }
}
