//! quickcheck's row: `Arbitrary` implementations by hand, as the crate has no derive.

use quickcheck::{Arbitrary, Gen, QuickCheck, Testable};

use super::contender::SEED;
use super::expr::Expr;
use super::operation::Operation;
use super::property;
use super::shape::{DEPTH, LONGEST, OPERATIONS, Shape};

/// Runs the property of a shape on this many cases.
pub fn run(shape: Shape, cases: u64) {
    match shape {
        Shape::Word => check(cases, property::of_word as fn(u64)),
        Shape::Vector => check(cases, (|values| property::of_vector(&values)) as fn(Vec<i32>)),
        Shape::Text => check(cases, (|text| property::of_text(&text)) as fn(String)),
        Shape::Tree => check(cases, (|tree| property::of_tree(&tree)) as fn(Expr)),
        Shape::Operations => {
            check(cases, (|list| property::of_operations(&list.0)) as fn(OperationList));
        }
    }
}

fn check(cases: u64, property: impl Testable) {
    // The size is exclusive: lengths are drawn below it.
    let random = Gen::from_size_and_seed(LONGEST + 1, SEED);
    QuickCheck::new().rng(random).tests(cases).max_tests(cases).quickcheck(property);
}

impl Arbitrary for Expr {
    fn arbitrary(random: &mut Gen) -> Expr {
        tree(random, DEPTH)
    }
}

fn tree(random: &mut Gen, depth: usize) -> Expr {
    let kinds: &[u8] = if depth == 0 { &[0] } else { &[0, 1, 2, 3, 4, 5] };
    let kind = *random.choose(kinds).expect("there is always a kind");
    if kind == 0 {
        return Expr::Literal(i64::arbitrary(random));
    }
    let mut subtree = || Box::new(tree(random, depth - 1));
    match kind {
        1 => Expr::Negate(subtree()),
        2 => Expr::Absolute(subtree()),
        3 => Expr::Add(subtree(), subtree()),
        4 => Expr::Subtract(subtree(), subtree()),
        _ => Expr::Multiply(subtree(), subtree()),
    }
}

impl Arbitrary for Operation {
    fn arbitrary(random: &mut Gen) -> Operation {
        match random.choose(&[0, 1, 2, 3]).expect("there is always a kind") {
            0 => Operation::Insert(u8::arbitrary(random), i32::arbitrary(random)),
            1 => Operation::Remove(u8::arbitrary(random)),
            2 => Operation::Get(u8::arbitrary(random)),
            _ => Operation::Clear,
        }
    }
}

/// A list of fixed length, which quickcheck can only be asked for by a type.
#[derive(Clone, Debug)]
struct OperationList(Vec<Operation>);

impl Arbitrary for OperationList {
    fn arbitrary(random: &mut Gen) -> OperationList {
        OperationList((0..OPERATIONS).map(|_| Operation::arbitrary(random)).collect())
    }
}
