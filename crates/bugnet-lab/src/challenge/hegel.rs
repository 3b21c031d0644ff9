//! Hegel on the challenge: values drawn from recorded choices, which the engine shrinks.
//!
//! Default settings but for the seed, the number of cases, persistence, and two health checks,
//! one of which depends on the clock and would make the figures depend on the machine's load.

use std::panic::{self, AssertUnwindSafe};

use hegel::generators::{self as gs, Generator};
use hegel::{Database, HealthCheck, Hegel, Settings, TestCase, Verbosity};

use super::expression::Expression;
use super::heap::Heap;
use super::outcome::{Outcome, Tally};
use super::peer::CASES;
use super::problem::{with_input, *};

pub fn run(problem: Problem, seed: u64) -> Outcome {
    let settings = Settings::new()
        .seed(Some(seed))
        .test_cases(CASES)
        .database(Database::Disabled)
        .verbosity(Verbosity::Quiet)
        .print_blob(false)
        .suppress_health_check([HealthCheck::FilterTooMuch, HealthCheck::TooSlow]);
    with_input!(problem, I => search::<I>(settings))
}

fn search<I: Drawn>(settings: Settings) -> Outcome {
    let mut tally = Tally::default();
    let test = Hegel::new(|case| {
        let input = I::draw(&case);
        match tally.judge(&input) {
            Verdict::Pass => {}
            Verdict::Failure => panic!("the property does not hold"),
            Verdict::Discard => case.reject(),
        }
    });
    let run = AssertUnwindSafe(|| test.settings(settings).run());
    let result = panic::catch_unwind(run);
    let outcome = tally.outcome();
    // A found failure ends in a panic too; any other panic means that the run is no measurement.
    // The tally knows the counterexample because Hegel replays it last.
    if let (Err(panic), false) = (result, outcome.found) {
        panic::resume_unwind(panic);
    }
    outcome
}

/// Hegel's generator of the input of a problem.
trait Drawn: Input {
    fn draw(case: &TestCase) -> Self;
}

fn draw_nested_list(case: &TestCase) -> Vec<Vec<i32>> {
    case.draw_silent(gs::vecs(gs::vecs(gs::integers::<i32>())))
}

fn draw_list(case: &TestCase) -> Vec<i32> {
    case.draw_silent(gs::vecs(gs::integers::<i32>()))
}

fn draw_positive(case: &TestCase) -> u32 {
    case.draw_silent(gs::integers::<u32>().min_value(1))
}

impl Drawn for Bound5 {
    fn draw(case: &TestCase) -> Self {
        let bounded = || {
            let lists = gs::vecs(gs::integers::<i16>());
            case.draw_silent(lists.filter(|list: &Vec<i16>| Bound5::is_bounded(list)))
        };
        Bound5(std::array::from_fn(|_| bounded()))
    }
}

impl Drawn for LargeUnionList {
    fn draw(case: &TestCase) -> Self {
        LargeUnionList(draw_nested_list(case))
    }
}

impl Drawn for Reverse {
    fn draw(case: &TestCase) -> Self {
        Reverse(draw_list(case))
    }
}

impl Drawn for Calculator {
    fn draw(case: &TestCase) -> Self {
        let int = gs::integers::<i32>().map(Expression::Int);
        let expression = gs::recursive(int, |operand| {
            let operands = hegel::tuples!(gs::booleans(), operand.clone(), operand);
            operands.map(
                |(divide, left, right)| {
                    if divide { Expression::div(left, right) } else { Expression::add(left, right) }
                },
            )
        });
        Calculator(case.draw_silent(expression))
    }
}

impl Drawn for Lengthlist {
    fn draw(case: &TestCase) -> Self {
        let length = case.draw_silent(gs::integers::<usize>().min_value(1).max_value(100));
        let elements = gs::integers::<u16>().max_value(1000);
        Lengthlist(case.draw_silent(gs::vecs(elements).min_size(length).max_size(length)))
    }
}

impl Drawn for DifferenceZero {
    fn draw(case: &TestCase) -> Self {
        DifferenceZero(draw_positive(case), draw_positive(case))
    }
}

impl Drawn for DifferenceSmall {
    fn draw(case: &TestCase) -> Self {
        DifferenceSmall(draw_positive(case), draw_positive(case))
    }
}

impl Drawn for DifferenceOne {
    fn draw(case: &TestCase) -> Self {
        DifferenceOne(draw_positive(case), draw_positive(case))
    }
}

impl Drawn for Binheap {
    fn draw(case: &TestCase) -> Self {
        let size = case.draw_silent(gs::integers::<usize>().max_value(20));
        Binheap(draw_heap(case, 0, size))
    }
}

/// A heap with keys from `bound` on. As in the original problem, `size` halves on the way down and
/// one heap in eight is empty.
fn draw_heap(case: &TestCase, bound: u32, size: usize) -> Option<Heap> {
    if size == 0 || case.draw_silent(gs::integers::<u8>().max_value(7)) == 0 {
        return None;
    }
    let key = case.draw_silent(gs::integers::<u32>().min_value(bound));
    let left = draw_heap(case, key, size / 2).map(Box::new);
    let right = draw_heap(case, key, size / 2).map(Box::new);
    Some(Heap { key, left, right })
}

impl Drawn for Coupling {
    fn draw(case: &TestCase) -> Self {
        let indices = gs::integers::<usize>().max_value(10);
        Coupling(case.draw_silent(gs::vecs(indices).max_size(100)))
    }
}

impl Drawn for Deletion {
    fn draw(case: &TestCase) -> Self {
        let list = draw_list(case);
        Deletion(list, case.draw_silent(gs::integers::<usize>().max_value(10)))
    }
}

impl Drawn for Distinct {
    fn draw(case: &TestCase) -> Self {
        Distinct(draw_list(case))
    }
}

impl Drawn for Nestedlists {
    fn draw(case: &TestCase) -> Self {
        Nestedlists(draw_nested_list(case))
    }
}
