//! Bugnet's column: generators derived from the types, and all strategies under one budget.

use bugnet::campaign::{Closures, Environment, Failed, Passed};
use bugnet::oracle::{self, Failure, Signature};
use bugnet::prelude::*;

use super::task::{Case, SearchTree, Task};
use super::trial::{Peer, Trial, Verdict};
use crate::trace::Ended;

pub fn peer() -> Peer {
    Peer { name: "bugnet", bst: tests_to_failure, rbt: tests_to_failure }
}

fn tests_to_failure<T: SearchTree + Generate>(task: &Task<T>, seed: u64, limit: u64) -> Option<u64> {
    let trial = Trial::new(task, limit);
    // The result is dropped because the trial has counted the tests itself.
    let _ = run(&trial, limit, Environment::none(Seed(seed)));
    trial.failed_at()
}

/// One run, with what the engine says of it.
pub fn campaign<T: SearchTree + Generate>(task: &Task<T>, limit: u64, environment: Environment) -> Ended {
    let trial = Trial::new(task, limit);
    (run(&trial, limit, environment), trial.tests())
}

fn run<T: SearchTree + Generate>(
    trial: &Trial<T>,
    limit: u64,
    environment: Environment,
) -> Result<Passed, Box<Failed>> {
    let shape = trial.shape();
    let property = Property::new("etna").seed(environment.fresh).environment(environment).cases(limit);
    property.run(&Closures {
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
    })
}
