//! proptest on the challenge: strategies whose values shrink together with their generation.
//!
//! Default settings but for the seed, the number of cases, persistence, and the limits on
//! rejections, which would end the search for a first failure.

use std::cell::RefCell;

use proptest::array::uniform5;
use proptest::collection::{SizeRange, vec};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};

use super::expression::Expression;
use super::heap::Heap;
use super::outcome::{Outcome, Tally};
use super::peer::CASES;
use super::problem::{with_input, *};

/// Steps of proptest's default limit on shrinking (four per case) at its default of 256 cases. Our many cases are for
/// finding a failure; they are not to pay for more shrinking.
const SHRINKING_STEPS: u32 = 4 * 256;

pub fn run(problem: Problem, seed: u64) -> Outcome {
    let config = Config {
        cases: u32::try_from(CASES).expect("a small constant"),
        max_shrink_iters: SHRINKING_STEPS,
        max_local_rejects: u32::MAX,
        max_global_rejects: u32::MAX,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(seed),
        ..Config::default()
    };
    with_input!(problem, I => search(TestRunner::new(config), I::strategy()))
}

fn search<I: Input>(mut runner: TestRunner, strategy: BoxedStrategy<I>) -> Outcome {
    let tally = RefCell::new(Tally::default());
    let result = runner.run(&strategy, |input| match tally.borrow_mut().judge(&input) {
        Verdict::Pass => Ok(()),
        Verdict::Failure => Err(TestCaseError::fail("the property does not hold")),
        Verdict::Discard => Err(TestCaseError::reject("precondition")),
    });
    // A failure needs no further look because the tally has seen the counterexample itself.
    if let Err(TestError::Abort(reason)) = result {
        panic!("proptest gave up: {reason}");
    }
    tally.into_inner().outcome()
}

/// Proptest's generator of the input of a problem.
trait Strategic: Input {
    fn strategy() -> BoxedStrategy<Self>;
}

/// A list in proptest's default range of lengths.
fn list<S: Strategy>(element: S) -> impl Strategy<Value = Vec<S::Value>> {
    vec(element, SizeRange::default())
}

impl Strategic for Bound5 {
    fn strategy() -> BoxedStrategy<Self> {
        // The challenge's own limit, in the definition for a library that asks for a length.
        let lists = vec(any::<i16>(), 0..=10);
        let bounded = lists.prop_filter("bounded", |list| Bound5::is_bounded(list));
        uniform5(bounded).prop_map(Bound5).boxed()
    }
}

impl Strategic for LargeUnionList {
    fn strategy() -> BoxedStrategy<Self> {
        list(list(any::<i32>())).prop_map(LargeUnionList).boxed()
    }
}

impl Strategic for Reverse {
    fn strategy() -> BoxedStrategy<Self> {
        list(any::<i32>()).prop_map(Reverse).boxed()
    }
}

impl Strategic for Calculator {
    fn strategy() -> BoxedStrategy<Self> {
        let int = any::<i32>().prop_map(Expression::Int);
        let expression = int.prop_recursive(8, 64, 2, |operand| {
            let operands = (operand.clone(), operand);
            prop_oneof![
                operands.clone().prop_map(|(left, right)| Expression::add(left, right)),
                operands.prop_map(|(left, right)| Expression::div(left, right)),
            ]
        });
        expression.prop_map(Calculator).boxed()
    }
}

impl Strategic for Lengthlist {
    fn strategy() -> BoxedStrategy<Self> {
        (1..=100usize).prop_flat_map(|length| vec(0..=1000u16, length)).prop_map(Lengthlist).boxed()
    }
}

impl Strategic for DifferenceZero {
    fn strategy() -> BoxedStrategy<Self> {
        (1u32.., 1u32..).prop_map(|(first, second)| DifferenceZero(first, second)).boxed()
    }
}

impl Strategic for DifferenceSmall {
    fn strategy() -> BoxedStrategy<Self> {
        (1u32.., 1u32..).prop_map(|(first, second)| DifferenceSmall(first, second)).boxed()
    }
}

impl Strategic for DifferenceOne {
    fn strategy() -> BoxedStrategy<Self> {
        (1u32.., 1u32..).prop_map(|(first, second)| DifferenceOne(first, second)).boxed()
    }
}

impl Strategic for Binheap {
    fn strategy() -> BoxedStrategy<Self> {
        (0..=20usize).prop_flat_map(|size| heap(0, size)).prop_map(Binheap).boxed()
    }
}

/// A heap with keys from `bound` on. As in the original problem, `size` halves on the way down and
/// one heap in eight is empty.
fn heap(bound: u32, size: usize) -> BoxedStrategy<Option<Heap>> {
    if size == 0 {
        return Just(None).boxed();
    }
    let node = (bound..).prop_flat_map(move |key| {
        (heap(key, size / 2), heap(key, size / 2)).prop_map(move |(left, right)| {
            Some(Heap { key, left: left.map(Box::new), right: right.map(Box::new) })
        })
    });
    prop_oneof![1 => Just(None), 7 => node].boxed()
}

impl Strategic for Coupling {
    fn strategy() -> BoxedStrategy<Self> {
        vec(0..=10usize, 0..=100).prop_map(Coupling).boxed()
    }
}

impl Strategic for Deletion {
    fn strategy() -> BoxedStrategy<Self> {
        let pair = (list(any::<i32>()), 0..=10usize);
        pair.prop_map(|(list, index)| Deletion(list, index)).boxed()
    }
}

impl Strategic for Distinct {
    fn strategy() -> BoxedStrategy<Self> {
        list(any::<i32>()).prop_map(Distinct).boxed()
    }
}

impl Strategic for Nestedlists {
    fn strategy() -> BoxedStrategy<Self> {
        list(list(any::<i32>())).prop_map(Nestedlists).boxed()
    }
}
