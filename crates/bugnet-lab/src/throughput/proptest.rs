//! proptest's row: its combinators, through the closure form of its own macro.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::contender::SEED;
use super::expr::Expr;
use super::operation::Operation;
use super::property;
use super::shape::{DEPTH, LONGEST, OPERATIONS, Shape};

/// Tuned: proptest derives the chance of a branch from the size and the number of subtrees one
/// asks for, and underestimates it. These two give 27 nodes on average.
const TREE_SIZE: u32 = 23;
const TREE_BRANCHES: u32 = 1;

/// Runs the property of a shape on this many cases.
pub fn run(shape: Shape, cases: u64) {
    let configuration = configuration(cases);
    match shape {
        Shape::Word => proptest!(configuration, |(value: u64)| property::of_word(value)),
        Shape::Vector => proptest!(configuration, |(values in vec(any::<i32>(), 0..=LONGEST))| {
            property::of_vector(&values);
        }),
        // The idiom of proptest's book. The pattern behind `any::<String>()`, `\PC*`, costs three
        // times as much a character, a vector of `any::<char>()` a third.
        Shape::Text => proptest!(configuration, |(text in ".{0,100}")| {
            property::of_text(&text);
        }),
        Shape::Tree => proptest!(configuration, |(tree in tree())| property::of_tree(&tree)),
        Shape::Operations => {
            proptest!(configuration, |(operations in vec(operation(), OPERATIONS))| {
                property::of_operations(&operations);
            });
        }
    }
}

fn configuration(cases: u64) -> ProptestConfig {
    ProptestConfig {
        cases: u32::try_from(cases).expect("proptest counts cases in 32 bits"),
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(SEED),
        ..ProptestConfig::default()
    }
}

fn tree() -> impl Strategy<Value = Expr> {
    let literal = any::<i64>().prop_map(Expr::Literal);
    literal.prop_recursive(DEPTH as u32, TREE_SIZE, TREE_BRANCHES, |subtree| {
        let subtree = subtree.prop_map(Box::new);
        let pair = (subtree.clone(), subtree.clone());
        prop_oneof![
            subtree.clone().prop_map(Expr::Negate),
            subtree.prop_map(Expr::Absolute),
            pair.clone().prop_map(|(left, right)| Expr::Add(left, right)),
            pair.clone().prop_map(|(left, right)| Expr::Subtract(left, right)),
            pair.prop_map(|(left, right)| Expr::Multiply(left, right)),
        ]
    })
}

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        any::<(u8, i32)>().prop_map(|(key, value)| Operation::Insert(key, value)),
        any::<u8>().prop_map(Operation::Remove),
        any::<u8>().prop_map(Operation::Get),
        Just(Operation::Clear),
    ]
}
