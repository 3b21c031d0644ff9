//! Bugnet's row: generators that follow the types, and random search alone.

use bugnet::campaign::{Closures, Environment, Strategies};
use bugnet::prelude::*;

use super::contender::SEED;
use super::expr::Expr;
use super::operation::Operation;
use super::property;
use super::shape::{LONGEST, OPERATIONS, Shape};

/// Runs the property of a shape on so many cases.
pub fn run(shape: Shape, cases: u64) {
    let lengths = ..=LONGEST;
    match shape {
        Shape::Word => check(cases, any::<u64>(), property::of_word),
        Shape::Vector => {
            check(cases, vec_of(any::<i32>()).len(lengths), |values| property::of_vector(&values));
        }
        Shape::Text => check(cases, string_of(any::<char>()).len(lengths), |text| property::of_text(&text)),
        Shape::Tree => check(cases, any::<Expr>(), |tree| property::of_tree(&tree)),
        Shape::Operations => {
            let operations = vec_of(any::<Operation>()).len(OPERATIONS..=OPERATIONS);
            check(cases, operations, |list| property::of_operations(&list));
        }
    }
}

fn check<G: Generator>(cases: u64, generator: G, property: impl Fn(G::Value)) {
    let outcome = Property::new("throughput")
        .environment(Environment::none(Seed(SEED)))
        .seed(Seed(SEED))
        .strategies(Strategies::Random)
        .cases(cases)
        .run(&Closures {
            generate: |source: &mut Source| generator.generate(source),
            test: |value: G::Value, _: &mut Source| property(value),
            show: |_: &G::Value| Vec::new(),
        });
    outcome.expect("the properties hold");
}
