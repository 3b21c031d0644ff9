//! Bugnet's row: generators that follow the types, and random search alone.

use bugnet::campaign::{Borrowing, Closures, Environment, Strategies, Test};
use bugnet::prelude::*;

use super::contender::SEED;
use super::expr::Expr;
use super::operation::Operation;
use super::property;
use super::shape::{LONGEST, OPERATIONS, Shape};

/// Runs the property of a shape on this many cases. A tree is borrowed, as by `fn holds(tree: &Expr)`.
pub fn run(shape: Shape, cases: u64) {
    match shape {
        Shape::Tree => check(
            cases,
            &Borrowing {
                generate: Expr::generate,
                regenerate: Expr::regenerate,
                reuses: Expr::REUSES,
                test: |tree: &mut Expr, _: &mut Source| property::of_tree(tree),
                show: |_: &Expr| Vec::new(),
            },
        ),
        _ => run_by_value(shape, cases),
    }
}

/// The same with properties that take their input for good, as `fn holds(tree: Expr)` does.
pub fn run_by_value(shape: Shape, cases: u64) {
    let lengths = ..=LONGEST;
    match shape {
        Shape::Word => check_owned(cases, any::<u64>(), property::of_word),
        Shape::Vector => {
            check_owned(cases, vec_of(any::<i32>()).len(lengths), |values| property::of_vector(&values));
        }
        Shape::Text => {
            check_owned(cases, string_of(any::<char>()).len(lengths), |text| property::of_text(&text))
        }
        Shape::Tree => check_owned(cases, any::<Expr>(), |tree| property::of_tree(&tree)),
        Shape::Operations => {
            let operations = vec_of(any::<Operation>()).len(OPERATIONS..=OPERATIONS);
            check_owned(cases, operations, |list| property::of_operations(&list));
        }
    }
}

fn check_owned<G: Generator>(cases: u64, generator: G, property: impl Fn(G::Value)) {
    check(
        cases,
        &Closures {
            generate: |source: &mut Source| generator.generate(source),
            test: |value: G::Value, _: &mut Source| property(value),
            show: |_: &G::Value| Vec::new(),
        },
    );
}

fn check(cases: u64, test: &dyn Test) {
    let outcome = Property::new("throughput")
        .environment(Environment::none(Seed(SEED)))
        .seed(Seed(SEED))
        .strategies(Strategies::Random)
        .cases(cases)
        .run(test);
    outcome.expect("the properties hold");
}
