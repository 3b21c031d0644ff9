//! proptest's column: `prop_recursive`, and `any::<i32>()`.

use proptest::collection::vec;
use proptest::prelude::{BoxedStrategy, Just, Strategy, any, prop_oneof};
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};

use super::task::{Case, SearchTree, Shape, Task};
use super::trial::{Peer, Trial, Verdict};
use super::{DEPTH, NODES, bst, rbt};

pub fn peer() -> Peer {
    Peer { name: "proptest", bst: tests_to_failure, rbt: tests_to_failure }
}

fn tests_to_failure<T: Recursive>(task: &Task<T>, seed: u64, limit: u64) -> Option<u64> {
    let trial = Trial::new(task, limit);
    let limit = u32::try_from(limit).expect("proptest counts cases in 32 bits");
    let mut runner = TestRunner::new(Config {
        cases: limit,
        // By default it gives up after 1,024 discarded cases, long before most tasks are solved.
        max_global_rejects: limit,
        max_shrink_iters: 0,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(seed),
        ..Config::default()
    });
    let outcome = runner.run(&cases(trial.shape()), |case| match trial.judge(&case) {
        Verdict::Passed => Ok(()),
        Verdict::Discarded => Err(TestCaseError::reject("not a search tree")),
        Verdict::Over => Err(TestCaseError::fail("over")),
    });
    // An error is the failure we count; success means that the limit was reached.
    drop(outcome);
    trial.failed_at()
}

fn cases<T: Recursive>(shape: Shape) -> impl Strategy<Value = Case<T>> {
    let inputs =
        (vec(T::strategy(), shape.trees), vec(any::<i32>(), shape.keys), vec(any::<i32>(), shape.values));
    inputs.prop_map(|(trees, keys, values)| Case { trees, keys, values })
}

/// The usual hand-written strategy of a recursive type.
trait Recursive: SearchTree {
    fn strategy() -> BoxedStrategy<Self>;
}

impl Recursive for bst::Tree {
    fn strategy() -> BoxedStrategy<Self> {
        use bst::Tree::{Leaf, Node};
        let branch = |tree: BoxedStrategy<Self>| {
            (tree.clone(), any::<i32>(), any::<i32>(), tree)
                .prop_map(|(l, key, value, r)| Node(Box::new(l), key, value, Box::new(r)))
        };
        Just(Leaf).prop_recursive(DEPTH, NODES, 2, branch).boxed()
    }
}

impl Recursive for rbt::Tree {
    fn strategy() -> BoxedStrategy<Self> {
        use rbt::Color::{Black, Red};
        use rbt::Tree::{Leaf, Node};
        let branch = |tree: BoxedStrategy<Self>| {
            let color = prop_oneof![Just(Red), Just(Black)];
            let parts = (color, tree.clone(), any::<i32>(), any::<i32>(), tree);
            parts.prop_map(|(color, l, key, value, r)| Node(color, Box::new(l), key, value, Box::new(r)))
        };
        Just(Leaf).prop_recursive(DEPTH, NODES, 2, branch).boxed()
    }
}
