//! Hegel's column: `recursive`, and its default `i32`.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use hegel::generators::{self as gs, Generator};
use hegel::{HealthCheck, Hegel, Phase, Settings, TestCase, Verbosity};

use super::task::{Case, SearchTree, Shape, Task};
use super::trial::{Peer, Trial, Verdict};
use super::{DEPTH, NODES, bst, rbt};

pub fn peer() -> Peer {
    Peer { name: "hegel", bst: tests_to_failure, rbt: tests_to_failure }
}

fn tests_to_failure<T: Recursive>(task: &Task<T>, seed: u64, limit: u64) -> Option<u64> {
    let trial = Trial::new(task, limit);
    let property = |source: TestCase| {
        let verdict = trial.judge(&draw(&source, trial.shape()));
        source.assume(verdict != Verdict::Discarded);
        assert!(verdict != Verdict::Over);
    };
    let settings = Settings::new()
        .test_cases(limit)
        .seed(Some(seed))
        .phases([Phase::Generate])
        .database(None)
        // Both would judge the machine and the workload, not the search.
        .suppress_health_check([HealthCheck::FilterTooMuch, HealthCheck::TooSlow])
        .verbosity(Verbosity::Quiet)
        .print_blob(false);
    let run = || Hegel::new(property).settings(settings).run();
    match catch_unwind(AssertUnwindSafe(run)) {
        Err(panic) if !trial.is_over() => resume_unwind(panic),
        _ => trial.failed_at(),
    }
}

fn draw<T: Recursive>(source: &TestCase, shape: Shape) -> Case<T> {
    let number = |_| source.draw_silent(gs::integers::<i32>());
    Case {
        trees: (0..shape.trees).map(|_| T::draw(source)).collect(),
        keys: (0..shape.keys).map(number).collect(),
        values: (0..shape.values).map(number).collect(),
    }
}

/// The usual hand-written generator of a recursive type.
trait Recursive: SearchTree {
    fn draw(source: &TestCase) -> Self;
}

impl Recursive for bst::Tree {
    fn draw(source: &TestCase) -> Self {
        use bst::Tree::{Leaf, Node};
        let number = gs::integers::<i32>;
        let tree = gs::recursive(gs::just(Leaf), move |tree| {
            gs::tuples!(tree.clone(), number(), number(), tree)
                .map(|(l, key, value, r)| Node(Box::new(l), key, value, Box::new(r)))
        });
        source.draw_silent(tree.max_depth(DEPTH as usize).max_leaves(LEAVES))
    }
}

impl Recursive for rbt::Tree {
    fn draw(source: &TestCase) -> Self {
        use rbt::Color::{Black, Red};
        use rbt::Tree::{Leaf, Node};
        let number = gs::integers::<i32>;
        let tree = gs::recursive(gs::just(Leaf), move |tree| {
            let color = gs::sampled_from(vec![Red, Black]);
            gs::tuples!(color, tree.clone(), number(), number(), tree)
                .map(|(color, l, key, value, r)| Node(color, Box::new(l), key, value, Box::new(r)))
        });
        source.draw_silent(tree.max_depth(DEPTH as usize).max_leaves(LEAVES))
    }
}

/// A binary tree has one leaf more than nodes.
const LEAVES: usize = NODES as usize + 1;
