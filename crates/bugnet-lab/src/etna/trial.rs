//! One peer, one task, one seed: how many tests until the property fails.
//!
//! Every peer runs its own test loop and shows each case it makes to a [`Trial`], which counts.
//! Discarded cases count too: a generator that rarely meets the precondition pays for it here.

use std::cell::Cell;

use super::task::{Case, SearchTree, Shape, Task};
use super::{bst, rbt};

/// A library under measurement: a name, and how it searches in either workload.
///
/// Each function takes the task, the seed and the greatest number of tests, and gives the number
/// of the failing test, counted from 1, or `None` if there was none. A peer that can generate
/// both trees writes it once, generic in the tree.
pub struct Peer {
    pub name: &'static str,
    pub bst: fn(&Task<bst::Tree>, u64, u64) -> Option<u64>,
    pub rbt: fn(&Task<rbt::Tree>, u64, u64) -> Option<u64>,
}

/// The count of one peer's tests of one task.
pub struct Trial<T: SearchTree> {
    task: Task<T>,
    limit: u64,
    tests: Cell<u64>,
    failed_at: Cell<Option<u64>>,
}

/// The verdict of a peer's property on a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Passed,
    Discarded,
    /// Fail, so that the peer stops: the property is refuted, or the limit is reached.
    Over,
}

impl<T: SearchTree> Trial<T> {
    pub fn new(task: &Task<T>, limit: u64) -> Self {
        Trial { task: task.clone(), limit, tests: Cell::new(0), failed_at: Cell::new(None) }
    }

    /// The shape of the cases to make.
    pub fn shape(&self) -> Shape {
        self.task.property.shape
    }

    /// Counts and judges one case. Once the trial is over it stays so, since some peers run the
    /// failing case again.
    pub fn judge(&self, case: &Case<T>) -> Verdict {
        if self.is_over() {
            return Verdict::Over;
        }
        self.tests.set(self.tests.get() + 1);
        match self.task.check(case) {
            None => Verdict::Discarded,
            Some(true) => Verdict::Passed,
            Some(false) => {
                self.failed_at.set(Some(self.tests.get()));
                Verdict::Over
            }
        }
    }

    pub fn is_over(&self) -> bool {
        self.failed_at.get().is_some() || self.tests.get() == self.limit
    }

    /// Returns the number of tests that were counted.
    pub fn tests(&self) -> u64 {
        self.tests.get()
    }

    /// The number of the failing test.
    pub fn failed_at(&self) -> Option<u64> {
        self.failed_at.get()
    }
}

#[cfg(test)]
mod tests {
    use super::super::bst::{Mutant, Tree};
    use super::super::law;
    use super::*;

    fn case(trees: &[(i32, i32)]) -> Case<Tree> {
        let leaf = || Box::new(Tree::Leaf);
        let single = |&(key, value): &(i32, i32)| Tree::Node(leaf(), key, value, leaf());
        Case { trees: trees.iter().map(single).collect(), keys: vec![0], values: vec![5] }
    }

    /// Refuted by a tree that holds key 0 with another value than 5.
    fn trial(limit: u64) -> Trial<Tree> {
        let (mutant, property) = (Mutant::Insert3, law::insert_model());
        Trial::new(&Task { mutant, property }, limit)
    }

    #[test]
    fn failing_test_is_counted_from_one_and_only_once() {
        let trial = trial(10);
        assert_eq!(trial.judge(&case(&[(1, 0)])), Verdict::Passed);
        assert_eq!(trial.judge(&case(&[(0, 0)])), Verdict::Over);
        assert_eq!(trial.judge(&case(&[(0, 0)])), Verdict::Over);
        assert_eq!(trial.failed_at(), Some(2));
    }

    #[test]
    fn failure_after_the_limit_is_not_seen() {
        let trial = trial(1);
        assert_eq!(trial.judge(&case(&[(1, 0)])), Verdict::Passed);
        assert_eq!(trial.judge(&case(&[(0, 0)])), Verdict::Over);
        assert_eq!(trial.failed_at(), None);
    }
}
