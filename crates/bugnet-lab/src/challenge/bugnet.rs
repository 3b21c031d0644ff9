//! Bugnet on the challenge, as a user has it and with random search alone.
//!
//! Generators follow the types; only where a problem asks for dependent draws are they written.

use std::cell::RefCell;

use bugnet::campaign::{Closures, Environment, Failed, Passed, Strategies};
use bugnet::oracle::{self, Failure, Signature};
use bugnet::prelude::*;

use super::heap::Heap;
use super::outcome::{Outcome, Tally};
use super::peer::CASES;
use super::problem::{with_input, *};
use crate::trace::Ended;

/// With the default strategies: small inputs in order and large ones at random.
pub fn run(problem: Problem, seed: u64) -> Outcome {
    run_with(problem, seed, Strategies::Both)
}

/// With random search alone, so that shrinking starts from large inputs.
pub fn run_random(problem: Problem, seed: u64) -> Outcome {
    run_with(problem, seed, Strategies::Random)
}

fn run_with(problem: Problem, seed: u64, strategies: Strategies) -> Outcome {
    let environment = Environment::none(Seed(seed));
    // The result is dropped because the tally has seen the counterexample itself.
    with_input!(problem, I => run_on::<I>(strategies, CASES, environment).1)
}

/// One run, with what the engine says of it.
pub fn campaign(problem: Problem, strategies: Strategies, cases: u64, environment: Environment) -> Ended {
    let (outcome, tally) = with_input!(problem, I => run_on::<I>(strategies, cases, environment));
    (outcome, tally.total_evaluations)
}

fn run_on<I: Input + Draw>(
    strategies: Strategies,
    cases: u64,
    environment: Environment,
) -> (Result<Passed, Box<Failed>>, Outcome) {
    let tally = RefCell::new(Tally::default());
    let property = Property::new("challenge")
        .seed(environment.fresh)
        .environment(environment)
        .strategies(strategies)
        .cases(cases);
    let outcome = property.run(&Closures {
        generate: I::draw,
        test: |input: I, _: &mut Source| verdict(tally.borrow_mut().judge(&input)),
        show: |_: &I| Vec::new(),
    });
    (outcome, tally.into_inner().outcome())
}

fn verdict(verdict: Verdict) -> oracle::Verdict {
    match verdict {
        Verdict::Pass => oracle::Verdict::Pass,
        Verdict::Discard => oracle::Verdict::Discard,
        Verdict::Failure => {
            oracle::Verdict::Fail(Box::new(Failure::new(Signature::ReturnedFalse, "refuted")))
        }
    }
}

/// The generator of an input.
trait Draw {
    fn draw(source: &mut Source) -> Self;
}

/// Problems whose input is a type of the standard library under another name.
macro_rules! draw_as_inner {
    ($($Name:ident),*) => { $(
        impl Draw for $Name {
            fn draw(source: &mut Source) -> Self {
                $Name(source.any())
            }
        }
    )* };
}

draw_as_inner!(Bound5, LargeUnionList, Reverse, Calculator, Distinct, Nestedlists);

/// Problems about two positive integers.
macro_rules! draw_positive_pair {
    ($($Name:ident),*) => { $(
        impl Draw for $Name {
            fn draw(source: &mut Source) -> Self {
                $Name(source.draw(1..), source.draw(1..))
            }
        }
    )* };
}

draw_positive_pair!(DifferenceZero, DifferenceSmall, DifferenceOne);

impl Draw for Lengthlist {
    fn draw(source: &mut Source) -> Self {
        let length = source.draw(1..=100usize);
        Lengthlist(source.draw(vec_of(0..=1000u16).len(length..=length)))
    }
}

impl Draw for Coupling {
    fn draw(source: &mut Source) -> Self {
        Coupling(source.draw(vec_of(0..=10usize)))
    }
}

impl Draw for Deletion {
    fn draw(source: &mut Source) -> Self {
        Deletion(source.any(), source.draw(0..=10usize))
    }
}

impl Draw for Binheap {
    fn draw(source: &mut Source) -> Self {
        Binheap(heap(source, 0, 6).map(|heap| *heap))
    }
}

/// A heap whose keys are at least `least`, or nothing.
fn heap(source: &mut Source, least: u32, depth: u32) -> Option<Box<Heap>> {
    if depth == 0 {
        return None;
    }
    source.draw(from_fn(|source| {
        if !source.any::<bool>() {
            return None;
        }
        let key = source.draw(least..);
        let left = heap(source, key, depth - 1);
        let right = heap(source, key, depth - 1);
        Some(Box::new(Heap { key, left, right }))
    }))
}
