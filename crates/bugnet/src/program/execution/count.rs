//! Counting through all programs of a length: each digit is one of the calls that are possible.

use super::{Execution, Hook, MOST_CALLS, Step};
use crate::choice::{Kind, Source};
use crate::oracle::Verdict;
use crate::program::suite::Need;

/// Counting through all programs.
impl<H: Hook> Execution<'_, H> {
    /// Makes as many calls as the depth says, each one that is possible.
    pub(super) fn count_through(&mut self, source: &mut Source) -> Step {
        let setup = u32::from(self.suite.is_machine);
        for _ in 0..source.depth() + 1 + setup {
            source.forced(Kind::Index, 1, 1);
            match self.count_call(source) {
                Step::Ran => {}
                over => return over,
            }
        }
        source.forced(Kind::Index, 0, 1);
        Step::Ran
    }

    pub(super) fn count_call(&mut self, source: &mut Source) -> Step {
        self.possible.clear();
        for operation in 0..self.suite.operations.len() {
            if self.is_possible(operation, source) {
                self.possible.push(operation as u32);
            }
        }
        if self.possible.is_empty() {
            return Step::Over(Verdict::Discard);
        }
        let node = source.enter(self.form.label());
        let highest = self.possible.len() as u64 - 1;
        let (codes, possible) = (&self.suite.codes, &self.possible);
        let code = |digit: u64| codes[possible[digit as usize] as usize];
        let code = source.enumerate(Kind::Index, MOST_CALLS, highest, 0, code);
        let operation = self.suite.coded(code).expect("the code of an operation is its own");
        self.count_arguments(operation, source);
        if !self.is_admitted(operation, source) {
            return Step::Over(Verdict::Discard);
        }
        let is_possible = self.holds(operation, source) && self.claim(operation);
        let step = if is_possible { self.call(operation, source) } else { Step::Barred };
        source.leave(node);
        match step {
            Step::Barred | Step::Avoided => Step::Over(Verdict::Discard),
            step => step,
        }
    }

    pub(super) fn is_possible(&mut self, operation: usize, source: &mut Source) -> bool {
        let needs = &self.suite.needed[operation];
        let ledger = &self.store.ledger;
        let offered = |need: &Need| {
            ledger.living(need.kind).iter().any(|place| ledger.offers(*place, need.kind, need.mode))
        };
        if !self.is_timely(operation) || !needs.iter().all(offered) {
            return false;
        }
        // Of several values the condition may hold of some; it is asked when one is chosen.
        let Some(first) = needs.first().filter(|_| self.suite.is_machine) else { return true };
        self.arguments.clear();
        self.arguments.push(self.store.ledger.living(first.kind)[0]);
        first.parameter != 0 || self.holds(operation, source)
    }

    pub(super) fn count_arguments(&mut self, operation: usize, source: &mut Source) {
        self.arguments.clear();
        self.arguments.resize(self.suite.operations[operation].parameters.len(), u32::MAX);
        for need in &self.suite.needed[operation] {
            let ledger = &self.store.ledger;
            let mut offered = Vec::new();
            for place in ledger.living(need.kind) {
                if ledger.offers(*place, need.kind, need.mode) {
                    offered.push(*place);
                }
            }
            let highest = offered.len() as u64 - 1;
            let place = source
                .enumerate(Kind::Index, MOST_CALLS, highest, 0, |digit| u64::from(offered[digit as usize]));
            self.arguments[need.parameter] = place as u32;
        }
    }
}
