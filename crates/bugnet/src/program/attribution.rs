//! Attribution: which of several faults a failing program shows, where all of them fail in the same way.
//!
//! A program ends with the call that fails. Its fault is the one whose pattern, or whose amount, it has.
//!
//! A program with a call of another fault's pattern mostly dies there. It lacks what would have come after, so that call
//! looks as if it suppressed this fault. Hence a fault is compared only with its own calls and those that belong to no
//! pattern at all.
//!
//! **Invariant:** a program that has the patterns of several faults, or of none, is attributed to none.

use super::history::finds;
use super::sequence::Program;
use super::suite::Suite;
use crate::choice::Tape;
use crate::list::mapped;
use crate::pattern::{Matcher, Pattern};

/// The faults behind one failure, each known by its patterns.
pub(super) struct Attribution<'a> {
    suite: &'a Suite,
    faults: Vec<Matcher>,
    /// For each fault the operations that its main pattern has, or that add to its amounts.
    own: Vec<Vec<bool>>,
    /// The operations that any pattern has.
    any: Vec<bool>,
}

impl<'a> Attribution<'a> {
    /// Tells faults apart by their patterns, of which the first is the main one.
    pub(super) fn new(suite: &'a Suite, faults: &[Vec<Pattern>]) -> Attribution<'a> {
        let none = vec![false; suite.operations.len()];
        let (mut own, mut any) = (vec![none.clone(); faults.len()], none);
        for (fault, patterns) in faults.iter().enumerate() {
            for (shape, pattern) in patterns.iter().enumerate() {
                for element in &pattern.elements {
                    any[element.operation] = true;
                    own[fault][element.operation] |= shape == 0;
                }
                for amount in &pattern.amounts {
                    for (operation, _) in &amount.effects {
                        own[fault][*operation] |= shape == 0;
                    }
                }
            }
        }
        let faults = mapped(faults, |patterns| Matcher::new(patterns));
        Attribution { suite, faults, own, any }
    }

    /// Returns true if an operation can be told to trigger or suppress a fault.
    pub(super) fn compares(&self, fault: usize, operation: usize) -> bool {
        !self.asks_for_programs() || self.own[fault][operation] || !self.any[operation]
    }

    /// Returns true if the fault depends on the program.
    pub(super) fn asks_for_programs(&self) -> bool {
        self.faults.len() > 1
    }

    /// Returns the number of the fault that a failing program shows. A fault that is alone needs no program.
    pub(super) fn fault_of(&mut self, tape: &Tape) -> Option<usize> {
        if !self.asks_for_programs() {
            return Some(0);
        }
        let program = Program::of(self.suite, tape)?;
        let mut found = None;
        for (number, fault) in self.faults.iter_mut().enumerate() {
            if finds(fault, self.suite, &program) && found.replace(number).is_some() {
                return None;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Call, Operation};
    use super::*;
    use crate::oracle::Verdict;

    fn door() -> Suite {
        let operation = |name| Operation::new(name, "", |_| Verdict::Pass);
        Suite::new("Door").operations(["open", "close", "wait", "look"].map(operation)).build()
    }

    #[test]
    fn a_failing_program_shows_the_one_fault_whose_pattern_it_has() {
        let suite = door();
        let tape = |operations: &[usize]| {
            let call = |operation: &usize| Call { operation: *operation, arguments: Vec::new() };
            Program { features: 0, calls: operations.iter().map(call).collect() }.tape(&suite)
        };
        let pattern = |text| Pattern::read(text, &suite).unwrap();
        let faults =
            [vec![pattern("open(); close()")], vec![pattern("wait(); wait()"), pattern("close(); wait()")]];
        let mut attribution = Attribution::new(&suite, &faults);
        assert_eq!(attribution.fault_of(&tape(&[2, 0, 1])), Some(0));
        assert_eq!(attribution.fault_of(&tape(&[1, 0, 2])), Some(1));
        assert_eq!(attribution.fault_of(&tape(&[0, 1, 2])), None, "both");
        assert_eq!(attribution.fault_of(&tape(&[1, 0])), None, "neither");
        let mut alone = Attribution::new(&suite, &faults[..1]);
        assert_eq!(alone.fault_of(&Tape::default()), Some(0));
    }

    #[test]
    fn a_fault_is_compared_with_its_own_calls_and_with_those_of_no_pattern() {
        let suite = door();
        let pattern = |text| Pattern::read(text, &suite).unwrap();
        let faults = [vec![pattern("open()"), pattern("close()")], vec![pattern("wait()")]];
        let compared = |faults: &[Vec<Pattern>], fault| {
            let attribution = Attribution::new(&suite, faults);
            [0, 1, 2, 3].map(|operation| attribution.compares(fault, operation))
        };
        assert_eq!(compared(&faults, 0), [true, false, false, true]);
        assert_eq!(compared(&faults, 1), [false, false, true, true]);
        assert_eq!(compared(&faults[..1], 0), [true; 4]);
    }
}
