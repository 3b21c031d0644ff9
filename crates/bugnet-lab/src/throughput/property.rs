//! The property bodies: a little real work per shape, compiled once and called by every contender.
//!
//! None of them is inlined, so that no contender's compiler can fold the work into its generator
//! and all of them pay the same for it.

use std::hint::black_box;

use super::expr::Expr;
use super::operation::{self, Operation};
use super::tally;

#[inline(never)]
pub fn of_word(value: u64) {
    tally::count(1);
    black_box(value ^ value.rotate_left(7));
}

#[inline(never)]
pub fn of_vector(values: &[i32]) {
    tally::count(values.len() as u64);
    black_box(values.iter().fold(0_i32, |sum, value| sum.wrapping_add(*value)));
}

#[inline(never)]
pub fn of_text(text: &str) {
    let (characters, sum) = text.chars().fold((0, 0_u32), |(characters, sum), character| {
        (characters + 1, sum.wrapping_add(u32::from(character)))
    });
    tally::count(characters);
    black_box(sum);
}

#[inline(never)]
pub fn of_tree(tree: &Expr) {
    let evaluation = tree.evaluate();
    tally::count(evaluation.nodes);
    black_box(evaluation.value);
}

#[inline(never)]
pub fn of_operations(operations: &[Operation]) {
    tally::count(operations.len() as u64);
    black_box(operation::apply(operations));
}
