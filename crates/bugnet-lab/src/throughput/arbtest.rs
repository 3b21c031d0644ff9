//! arbtest's row: values read from `arbitrary`'s byte buffer, with the buffers arbtest makes.
//!
//! arbtest runs for a time, not for a number of cases, so the property ends the process itself.

use std::time::Duration;

use arbitrary::{Arbitrary, Result, Unstructured};

use super::case;
use super::expr::Expr;
use super::property;
use super::shape::{DEPTH, LONGEST, OPERATIONS, Shape};
use super::tally::Tally;

/// Runs the property of a shape on this many cases, then ends the process.
pub fn run(shape: Shape, cases: u64) {
    match shape {
        Shape::Word => repeat(cases, |bytes| bytes.arbitrary().map(property::of_word)),
        Shape::Vector => repeat(cases, |bytes| {
            let values: Vec<i32> = list(bytes)?;
            property::of_vector(&values);
            Ok(())
        }),
        Shape::Text => repeat(cases, |bytes| {
            let text: String = list::<char, _>(bytes)?;
            property::of_text(&text);
            Ok(())
        }),
        Shape::Tree => repeat(cases, |bytes| {
            property::of_tree(&tree(bytes, DEPTH)?);
            Ok(())
        }),
        Shape::Operations => repeat(cases, |bytes| {
            let operations: Vec<_> = (0..OPERATIONS).map(|_| bytes.arbitrary()).collect::<Result<_>>()?;
            property::of_operations(&operations);
            Ok(())
        }),
    }
}

fn repeat(cases: u64, property: fn(&mut Unstructured<'_>) -> Result<()>) {
    let hour = Duration::from_secs(3600);
    arbtest::arbtest(|bytes| {
        property(bytes)?;
        if Tally::so_far().cases == cases {
            case::report();
            std::process::exit(0);
        }
        Ok(())
    })
    .budget(hour)
    .run();
}

/// A list of 45 elements on average, not 50: `int_in_range` reduces one byte modulo 101.
fn list<'a, T: Arbitrary<'a>, L: FromIterator<T>>(bytes: &mut Unstructured<'a>) -> Result<L> {
    let length = bytes.int_in_range(0..=LONGEST)?;
    (0..length).map(|_| bytes.arbitrary()).collect()
}

fn tree(bytes: &mut Unstructured<'_>, depth: usize) -> Result<Expr> {
    let kind = if depth == 0 { 0 } else { bytes.int_in_range(0..=5)? };
    if kind == 0 {
        return bytes.arbitrary().map(Expr::Literal);
    }
    let mut subtree = || tree(bytes, depth - 1).map(Box::new);
    Ok(match kind {
        1 => Expr::Negate(subtree()?),
        2 => Expr::Absolute(subtree()?),
        3 => Expr::Add(subtree()?, subtree()?),
        4 => Expr::Subtract(subtree()?, subtree()?),
        _ => Expr::Multiply(subtree()?, subtree()?),
    })
}
