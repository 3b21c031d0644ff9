//! Doubt: when a program that has failed is run again, and what becomes of the reduction if it passes.
//!
//! Where calls fail by chance, a candidate may be taken that does not fail at all, and whatever is tried
//! from there on is in vain. Running each candidate again would be dear. So it is put off until as many
//! calls were made in vain as the program has, times [`PATIENCE`]; one that fails by chance costs a few times
//! its length then and no more. What is left in the end is run again too, if it was not before. Where a
//! program passes, the reduction goes on with the one that it came from.
//!
//! **Invariant:** what a doubting reduction comes to has failed as often as there must be proofs, and once
//! more with what it came from.

use super::program::Reducer;
use crate::choice::Source;
use crate::oracle::Failure;
use crate::program::Program;

/// A program that has failed once is run again when candidates have made this many times its calls without failing.
/// After each run that fails, it takes twice as many.
const PATIENCE: usize = 2;
/// The runs in which a program has failed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Belief {
    itself: u32,
    /// With all that it came from.
    in_all: u32,
}

/// The belief in the best program of a reduction.
#[derive(Debug)]
pub(super) struct Doubt {
    belief: Belief,
    /// The programs that the best one came from, the latest last.
    earlier: Vec<(Program, Failure, Belief)>,
    /// Calls that candidates have made in vain since the best program was taken.
    vain: usize,
    /// True if the best program has passed. Then nothing is tried any more until it is given up.
    pub(super) refuted: bool,
}

impl Doubt {
    /// The doubt about a program that has failed this often.
    pub(super) fn new(failed: u32) -> Doubt {
        let belief = Belief { itself: failed, in_all: failed };
        Doubt { belief, earlier: Vec::new(), vain: 0, refuted: false }
    }
}

impl Reducer<'_> {
    /// Takes a program that has failed this often for the best.
    pub(super) fn take(&mut self, program: Program, failure: Failure, failed: u32) {
        let belief = Belief { itself: failed, in_all: self.doubt.belief.in_all + failed };
        let program = std::mem::replace(&mut self.best, program);
        let failure = std::mem::replace(&mut self.failure, failure);
        let belief = std::mem::replace(&mut self.doubt.belief, belief);
        if self.doubts() {
            self.doubt.earlier.push((program, failure, belief));
        }
        self.doubt.vain = 0;
        self.steps += 1;
    }

    fn doubts(&self) -> bool {
        self.trial.proofs() > 1
    }

    /// Takes note of a candidate that has passed.
    pub(super) fn was_in_vain(&mut self, candidate: &Program) {
        self.doubt.vain += candidate.calls.len();
        let enough = (PATIENCE * self.best.calls.len()) << (self.doubt.belief.itself - 1).min(16);
        if self.doubts() && self.doubt.vain >= enough {
            self.doubt.refuted = !self.fails_again();
        }
    }

    /// Runs the best program again.
    pub(super) fn fails_again(&mut self) -> bool {
        let mut source = Source::replay(self.best.tape(self.suite));
        self.tested += 1;
        let ran = self.trial.again(&mut source);
        let fails = ran.and_then(|ran| ran.failure(self.terms.signature.as_ref())).is_some();
        // What fails in another call now has not failed again.
        let ran = Program::of(self.suite, &source.into_tape()).filter(|ran| !ran.calls.is_empty());
        let fails = fails && ran.is_none_or(|ran| ran.calls.len() == self.best.calls.len());
        self.doubt.belief.itself += u32::from(fails);
        self.doubt.belief.in_all += u32::from(fails);
        fails
    }

    /// Runs the best program as often as needed, and returns true if it has failed often enough.
    fn is_believed(&mut self) -> bool {
        loop {
            let (Belief { itself, in_all }, proofs) = (self.doubt.belief, self.trial.proofs());
            if itself >= proofs && in_all > proofs {
                return true;
            }
            if !self.fails_again() {
                return false;
            }
        }
    }

    /// Returns true if the reduction ends with the best program. If that program passes, one that it came from is
    /// the best again; `None` if none of them fails.
    pub(super) fn is_settled(&mut self) -> Option<bool> {
        if !self.doubts() || !self.doubt.refuted && self.is_believed() {
            return Some(true);
        }
        loop {
            (self.best, self.failure, self.doubt.belief) = self.doubt.earlier.pop()?;
            (self.doubt.refuted, self.doubt.vain) = (false, 0);
            if self.is_believed() {
                return Some(false);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Shrunk, Terms, shrink_program};
    use super::*;
    use crate::oracle::{Signature, Verdict};
    use crate::program::{Call, Operation, Suite};
    use crate::trial::{Ran, Trial, Worth};

    fn clock() -> Suite {
        Suite::new("clock").operation(Operation::new("tick", "tick()", |_| Verdict::Pass)).build()
    }

    fn failure() -> Failure {
        Failure::new(Signature::NoPanic, String::new())
    }

    /// Programs that fail by their length, and in some runs by chance.
    struct Chance {
        suite: Suite,
        fails: fn(length: usize, run: usize) -> bool,
        proofs: u32,
        /// The lengths of the programs that were run.
        runs: Vec<usize>,
    }

    impl Chance {
        fn new(fails: fn(usize, usize) -> bool) -> Chance {
            Chance { suite: clock(), fails, proofs: 2, runs: Vec::new() }
        }

        /// Reduces a number of ticks, which have failed once.
        fn reduced_from(&mut self, ticks: usize) -> Option<usize> {
            let suite = clock();
            let tick = Call { operation: 0, arguments: Vec::new() };
            let program = Program { features: 0, calls: vec![tick; ticks] };
            let terms = Terms { signature: None, is_known: &mut |_| false, limit: 10_000 };
            let Shrunk { tape, .. } = shrink_program(&suite, self, program, failure(), false, terms)?;
            Program::of(&suite, &tape).map(|program| program.calls.len())
        }
    }

    impl Trial for Chance {
        fn run(&mut self, source: &mut Source, _: Worth<'_>) -> Option<Ran> {
            let length = Program::of(&self.suite, source.replayed())?.calls.len();
            self.runs.push(length);
            let fails = (self.fails)(length, self.runs.len());
            Some(Ran::from(if fails { Verdict::Fail(Box::new(failure())) } else { Verdict::Pass }))
        }

        fn is_over(&self) -> bool {
            false
        }

        fn proofs(&self) -> u32 {
            self.proofs
        }
    }

    #[test]
    fn what_failed_by_chance_is_given_up_for_what_it_came_from() {
        let mut chance = Chance::new(|length, run| length >= 3 || run == 1);
        assert_eq!(chance.reduced_from(10), Some(3), "{:?}", chance.runs);
        assert_eq!(chance.runs[0], 1, "the first candidate failed by chance");
        let mut trusting = Chance { proofs: 1, ..Chance::new(|length, run| length >= 3 || run == 1) };
        assert_eq!(trusting.reduced_from(10), Some(1));
    }

    #[test]
    fn little_is_tried_from_a_program_that_failed_by_chance_twice() {
        let twice = |_, run| run == 2;
        let mut chance = Chance::new(twice);
        assert_eq!(chance.reduced_from(60), None);
        let calls: usize = chance.runs.iter().sum();
        assert!(calls < 60 * 7, "{:?}", chance.runs);
        let mut trusting = Chance { proofs: 1, ..Chance::new(twice) };
        assert_eq!(trusting.reduced_from(60), Some(60));
        assert!(trusting.runs.iter().sum::<usize>() > 60 * 7);
    }

    #[test]
    fn what_is_left_has_failed_as_often_as_there_must_be_proofs() {
        for proofs in 2..6 {
            let mut chance = Chance { proofs, ..Chance::new(|length, _| length >= 3) };
            assert_eq!(chance.reduced_from(10), Some(3));
            let failed = chance.runs.iter().filter(|length| **length == 3).count();
            assert_eq!(failed, proofs as usize, "{:?}", chance.runs);
        }
    }

    #[test]
    fn a_program_that_cannot_be_reduced_is_run_once_more_than_others() {
        let mut chance = Chance::new(|length, _| length == 1);
        assert_eq!((chance.reduced_from(1), chance.runs.len()), (Some(1), 2));
        let mut by_chance = Chance::new(|_, run| run == 1);
        assert_eq!(by_chance.reduced_from(1), None, "it failed when it was found, and once after");
    }
}
