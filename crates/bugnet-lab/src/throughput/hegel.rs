//! Hegel's row: its generators, on its native engine.

use hegel::generators::{self as gs, Generator};
use hegel::{Hegel, Settings, TestCase, one_of, tuples};

use super::contender::SEED;
use super::expr::Expr;
use super::operation::Operation;
use super::property;
use super::shape::{DEPTH, LONGEST, OPERATIONS, Shape};

/// Tuned: gives 27 nodes on average.
const TREE_LEAVES: usize = 32;

/// Runs the property of a shape on this many cases.
pub fn run(shape: Shape, cases: u64) {
    match shape {
        Shape::Word => repeat(cases, |case| property::of_word(case.draw(gs::integers()))),
        Shape::Vector => repeat(cases, |case| {
            let length = length(&case);
            let vector = gs::vecs(gs::integers::<i32>()).min_size(length).max_size(length);
            property::of_vector(&case.draw(vector));
        }),
        Shape::Text => repeat(cases, |case| {
            let length = length(&case);
            property::of_text(&case.draw(gs::text().min_size(length).max_size(length)));
        }),
        Shape::Tree => repeat(cases, |case| property::of_tree(&case.draw_silent(tree()))),
        Shape::Operations => repeat(cases, |case| {
            let list = gs::vecs(gs::default::<Operation>());
            property::of_operations(&case.draw(list.min_size(OPERATIONS).max_size(OPERATIONS)));
        }),
    }
}

fn repeat(cases: u64, property: fn(TestCase)) {
    let settings = Settings::new().test_cases(cases).seed(Some(SEED)).database(None);
    Hegel::new(property).settings(settings).run();
}

/// Drawn before the list, because Hegel's lists are short (about 8) whatever their maximum.
fn length(case: &TestCase) -> usize {
    case.draw(gs::integers::<usize>().max_value(LONGEST))
}

fn tree() -> impl Generator<Expr> {
    gs::recursive(gs::integers::<i64>().map(Expr::Literal), |subtree| {
        let pair = || tuples!(subtree.clone(), subtree.clone());
        one_of!(
            subtree.clone().map(|inner| Expr::Negate(inner.into())),
            subtree.clone().map(|inner| Expr::Absolute(inner.into())),
            pair().map(|(left, right)| Expr::Add(left.into(), right.into())),
            pair().map(|(left, right)| Expr::Subtract(left.into(), right.into())),
            pair().map(|(left, right)| Expr::Multiply(left.into(), right.into())),
        )
    })
    .max_depth(DEPTH)
    .max_leaves(TREE_LEAVES)
}
