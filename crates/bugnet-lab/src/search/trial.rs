//! Trials: a claim tested by one strategy, with every seed.
//!
//! **Invariant:** a trial depends on the claim, the seed and the number of cases alone.

use bugnet::campaign::{Environment, Exhausted, Property, Reason, Strategies};
use bugnet::choice::Seed;
use bugnet::oracle::Signature;

use super::claim::{Claim, Tested};

/// The number and the length of searches.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    pub seeds: u64,
    pub cases: u64,
}

/// The outcome of the search with one seed.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    Refuted(Refutation),
    /// Not refuted; what exhaustive search has seen completely.
    Held {
        tests: u64,
        complete: Option<Exhausted>,
    },
    /// The claim could not be tested; the text says why.
    Untested(String),
}

/// An input that refutes a claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Refutation {
    /// The number of the test, not counting inputs that do not meet the preconditions.
    pub test: u64,
    /// The minimal input.
    pub input: String,
    pub signature: Signature,
    pub message: String,
}

/// A claim and what became of it.
#[derive(Debug)]
pub struct Row {
    pub claim: &'static Claim,
    /// One outcome for each seed.
    pub random: Vec<Outcome>,
    /// Exhaustive search does not depend on the seed, so one outcome stands for all.
    pub exhaustive: Outcome,
}

/// Tests a claim with both strategies.
pub fn row(claim: &'static Claim, effort: Effort) -> Row {
    let trial = |strategies, seed| outcome((claim.test)(property(strategies, Seed(seed), effort.cases)));
    let random = (0..effort.seeds).map(|seed| trial(Strategies::Random, seed)).collect();
    let exhaustive: Vec<Outcome> =
        (0..effort.seeds).map(|seed| trial(Strategies::Exhaustive, seed)).collect();
    assert!(exhaustive.iter().all(|outcome| *outcome == exhaustive[0]), "exhaustive search has no seed");
    Row { claim, random, exhaustive: exhaustive[0].clone() }
}

fn property(strategies: Strategies, seed: Seed, cases: u64) -> Property<'static> {
    Property::new("search")
        .strategies(strategies)
        .cases(cases)
        .seed(seed)
        .environment(Environment::none(seed))
}

fn outcome(tested: Tested) -> Outcome {
    match tested {
        Ok(passed) => Outcome::Held { tests: passed.tests, complete: passed.exhausted },
        Err(failed) => match &failed.reason {
            Reason::Refuted(failure) => Outcome::Refuted(Refutation {
                test: failed.effort().passed + 1,
                input: failed.arguments().iter().map(|argument| argument.text.clone()).collect(),
                signature: failure.signature.clone(),
                message: failure.message.clone(),
            }),
            other => Outcome::Untested(format!("{other:?}")),
        },
    }
}

impl Outcome {
    pub fn refutation(&self) -> Option<&Refutation> {
        match self {
            Outcome::Refuted(refutation) => Some(refutation),
            _ => None,
        }
    }
}
