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

/// A program that has failed once is run again when candidates have made so many times its calls without
/// failing; after each time that it does fail, that takes twice as many.
const PATIENCE: usize = 2;
/// How often a program has failed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Belief {
    itself: u32,
    /// With all that it came from.
    in_all: u32,
}

/// How far the best program of a reduction is believed in.
#[derive(Debug)]
pub(super) struct Doubt {
    belief: Belief,
    /// What the best program came from, the latest last.
    earlier: Vec<(Program, Failure, Belief)>,
    /// How many calls candidates have made in vain since the best program was taken.
    vain: usize,
    /// Whether the best program has passed. Then nothing is tried any more until it is given up.
    pub(super) refuted: bool,
}

impl Doubt {
    /// Of a program that has failed so often.
    pub(super) fn new(failed: u32) -> Doubt {
        let belief = Belief { itself: failed, in_all: failed };
        Doubt { belief, earlier: Vec::new(), vain: 0, refuted: false }
    }
}

impl Reducer<'_> {
    /// Takes a program that has failed so often for the best.
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
        self.subject.proofs() > 1
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
        let fails = self.subject.fails_again(&mut source);
        // What fails in another call now has not failed again.
        let ran = Program::of(self.suite, &source.into_tape()).filter(|ran| !ran.calls.is_empty());
        let fails = fails && ran.is_none_or(|ran| ran.calls.len() == self.best.calls.len());
        self.doubt.belief.itself += u32::from(fails);
        self.doubt.belief.in_all += u32::from(fails);
        fails
    }

    /// Whether the best program has failed often enough, if it is run as often as that takes.
    fn is_believed(&mut self) -> bool {
        loop {
            let (Belief { itself, in_all }, proofs) = (self.doubt.belief, self.subject.proofs());
            if itself >= proofs && in_all > proofs {
                return true;
            }
            if !self.fails_again() {
                return false;
            }
        }
    }

    /// Whether the best program is what the reduction has come to. If it passes, one that it came from
    /// is the best again; `None` if there is none that fails.
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
    use super::super::{Shrunk, Subject, shrink_program};
    use super::*;
    use crate::oracle::{Signature, Verdict};
    use crate::program::{Call, Operation, Suite};

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

        /// Reduces so many ticks, which have failed once.
        fn reduced_from(&mut self, ticks: usize) -> Option<usize> {
            let suite = clock();
            let tick = Call { operation: 0, arguments: Vec::new() };
            let program = Program { features: 0, calls: vec![tick; ticks] };
            let Shrunk { tape, .. } = shrink_program(&suite, self, program, failure(), false, 10_000)?;
            Program::of(&suite, &tape).map(|program| program.calls.len())
        }
    }

    impl Subject for Chance {
        fn fails(&mut self, source: &mut Source, _: &mut dyn FnMut(&Source) -> bool) -> Option<Failure> {
            let length = Program::of(&self.suite, source.replayed())?.calls.len();
            self.runs.push(length);
            (self.fails)(length, self.runs.len()).then(failure)
        }

        fn out_of_time(&self) -> bool {
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
