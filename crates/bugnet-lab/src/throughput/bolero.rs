//! bolero's row: derived generators, on its default engine (random, no fuzzer attached).

use bolero::{ValueGenerator, check, produce};

use super::expr::Expr;
use super::operation::Operation;
use super::property;
use super::shape::{DEPTH, LONGEST, OPERATIONS, Shape};

/// Runs the property of a shape on this many cases.
pub fn run(shape: Shape, cases: u64) {
    let cases = usize::try_from(cases).expect("bolero counts cases in a usize");
    let length = 0..=LONGEST;
    match shape {
        Shape::Word => repeat(cases, produce::<u64>(), |value| property::of_word(*value)),
        Shape::Vector => {
            let vector = produce::<Vec<i32>>().with().len(length);
            repeat(cases, vector, |values| property::of_vector(values));
        }
        Shape::Text => {
            let text = produce::<String>().with().len(length);
            repeat(cases, text, |text| property::of_text(text));
        }
        Shape::Tree => repeat(cases, produce::<Expr>(), property::of_tree),
        Shape::Operations => {
            let operations = produce::<Vec<Operation>>().with().len(OPERATIONS);
            repeat(cases, operations, |operations| property::of_operations(operations));
        }
    }
}

fn repeat<G>(cases: usize, generator: G, property: fn(&G::Output))
where
    G: ValueGenerator,
    G::Output: std::fmt::Debug,
{
    check!().with_iterations(cases).with_generator(generator).with_max_depth(DEPTH).for_each(property);
}
