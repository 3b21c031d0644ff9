//! Bugnet's column: generators derived from the types, and all strategies under one budget.

use bugnet::campaign::{Closures, Environment};
use bugnet::oracle::{self, Failure, Signature};
use bugnet::prelude::*;

use super::task::{Case, SearchTree, Task};
use super::trial::{Peer, Trial, Verdict};

pub fn peer() -> Peer {
    Peer { name: "bugnet", bst: tests_to_failure, rbt: tests_to_failure }
}

fn tests_to_failure<T: SearchTree + Generate>(task: &Task<T>, seed: u64, limit: u64) -> Option<u64> {
    let trial = Trial::new(task, limit);
    let shape = trial.shape();
    let property =
        Property::new("etna").environment(Environment::none(Seed(seed))).seed(Seed(seed)).cases(limit);
    // The result is dropped because the trial has counted the tests itself.
    let _ = property.run(&Closures {
        generate: |source: &mut Source| Case {
            trees: (0..shape.trees).map(|_| source.any()).collect(),
            keys: (0..shape.keys).map(|_| source.any()).collect(),
            values: (0..shape.values).map(|_| source.any()).collect(),
        },
        test: |case: Case<T>, _: &mut Source| match trial.judge(&case) {
            Verdict::Passed => oracle::Verdict::Pass,
            Verdict::Discarded => oracle::Verdict::Discard,
            Verdict::Over => {
                oracle::Verdict::Fail(Box::new(Failure::new(Signature::ReturnedFalse, "refuted")))
            }
        },
        show: |_: &Case<T>| Vec::new(),
    });
    trial.failed_at()
}
