//! quickcheck's column: a coin flip per node, and its own `i32`.

use std::rc::Rc;

use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult, Testable};

use super::task::{Case, SearchTree, Task};
use super::trial::{Peer, Trial, Verdict};
use super::{DEPTH, bst, rbt};

/// The size quickcheck takes by default.
const SIZE: usize = 100;

pub fn peer() -> Peer {
    Peer { name: "quickcheck", bst: tests_to_failure, rbt: tests_to_failure }
}

fn tests_to_failure<T: Grow>(task: &Task<T>, seed: u64, limit: u64) -> Option<u64> {
    let trial = Rc::new(Trial::new(task, limit));
    let outcome = QuickCheck::new()
        .rng(Gen::from_size_and_seed(SIZE, seed))
        .tests(limit)
        .max_tests(limit)
        .quicktest(Property(Rc::clone(&trial)));
    // An error is the failure we count; success means that the limit was reached.
    drop(outcome);
    trial.failed_at()
}

/// quickcheck takes ownership of what it tests, and we read the count afterwards.
struct Property<T: SearchTree>(Rc<Trial<T>>);

impl<T: Grow> Testable for Property<T> {
    fn result(&self, source: &mut Gen) -> TestResult {
        let shape = self.0.shape();
        let case = Case {
            trees: (0..shape.trees).map(|_| T::grow(source, DEPTH)).collect(),
            keys: (0..shape.keys).map(|_| i32::arbitrary(source)).collect(),
            values: (0..shape.values).map(|_| i32::arbitrary(source)).collect(),
        };
        match self.0.judge(&case) {
            Verdict::Passed => TestResult::passed(),
            Verdict::Discarded => TestResult::discard(),
            Verdict::Over => TestResult::failed(),
        }
    }
}

/// The usual hand-written `Arbitrary` of a recursive type.
trait Grow: SearchTree {
    fn grow(source: &mut Gen, depth: u32) -> Self;
}

impl Grow for bst::Tree {
    fn grow(source: &mut Gen, depth: u32) -> Self {
        if depth == 0 || bool::arbitrary(source) {
            return bst::Tree::Leaf;
        }
        let left = Box::new(Self::grow(source, depth - 1));
        let (key, value) = Arbitrary::arbitrary(source);
        bst::Tree::Node(left, key, value, Box::new(Self::grow(source, depth - 1)))
    }
}

impl Grow for rbt::Tree {
    fn grow(source: &mut Gen, depth: u32) -> Self {
        if depth == 0 || bool::arbitrary(source) {
            return rbt::Tree::Leaf;
        }
        let color = match bool::arbitrary(source) {
            true => rbt::Color::Red,
            false => rbt::Color::Black,
        };
        let left = Box::new(Self::grow(source, depth - 1));
        let (key, value) = Arbitrary::arbitrary(source);
        let right = Box::new(Self::grow(source, depth - 1));
        rbt::Tree::Node(color, left, key, value, right)
    }
}
