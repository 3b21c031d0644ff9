//! The floor: the loop a careful developer writes by hand, with no library at all.

use super::contender::SEED;
use super::expr::Expr;
use super::operation::Operation;
use super::property;
use super::shape::{DEPTH, LONGEST, OPERATIONS, Shape};
use crate::random::SplitMix64;

/// Runs the property of a shape on this many cases.
pub fn run(shape: Shape, cases: u64) {
    match shape {
        Shape::Word => repeat(cases, |random| property::of_word(random.next())),
        Shape::Vector => repeat(cases, |random| property::of_vector(&random.vector())),
        Shape::Text => repeat(cases, |random| property::of_text(&random.text())),
        Shape::Tree => repeat(cases, |random| property::of_tree(&random.tree(DEPTH))),
        Shape::Operations => repeat(cases, |random| property::of_operations(&random.operations())),
    }
}

fn repeat(cases: u64, mut case: impl FnMut(&mut SplitMix64)) {
    let mut random = SplitMix64(SEED);
    for _ in 0..cases {
        case(&mut random);
    }
}

impl SplitMix64 {
    fn length(&mut self) -> usize {
        self.below(LONGEST as u64 + 1) as usize
    }

    fn vector(&mut self) -> Vec<i32> {
        (0..self.length()).map(|_| self.next() as i32).collect()
    }

    fn text(&mut self) -> String {
        (0..self.length()).map(|_| self.character()).collect()
    }

    /// Any character: the surrogates in the middle of the range are stepped over.
    fn character(&mut self) -> char {
        let point = self.below(0x11_0000 - 0x800) as u32;
        let point = if point < 0xD800 { point } else { point + 0x800 };
        char::from_u32(point).expect("the surrogates are stepped over")
    }

    fn tree(&mut self, depth: usize) -> Expr {
        if depth == 0 {
            return Expr::Literal(self.next() as i64);
        }
        match self.below(6) {
            0 => Expr::Literal(self.next() as i64),
            1 => Expr::Negate(self.subtree(depth)),
            2 => Expr::Absolute(self.subtree(depth)),
            3 => Expr::Add(self.subtree(depth), self.subtree(depth)),
            4 => Expr::Subtract(self.subtree(depth), self.subtree(depth)),
            _ => Expr::Multiply(self.subtree(depth), self.subtree(depth)),
        }
    }

    fn subtree(&mut self, depth: usize) -> Box<Expr> {
        Box::new(self.tree(depth - 1))
    }

    fn operations(&mut self) -> Vec<Operation> {
        (0..OPERATIONS).map(|_| self.operation()).collect()
    }

    fn operation(&mut self) -> Operation {
        match self.below(4) {
            0 => Operation::Insert(self.next() as u8, self.next() as i32),
            1 => Operation::Remove(self.next() as u8),
            2 => Operation::Get(self.next() as u8),
            _ => Operation::Clear,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_reach_both_ends_of_their_range() {
        let mut random = SplitMix64(SEED);
        let lengths: Vec<usize> = (0..10_000).map(|_| random.length()).collect();
        assert_eq!(lengths.iter().min(), Some(&0));
        assert_eq!(lengths.iter().max(), Some(&LONGEST));
    }

    #[test]
    fn trees_have_about_27_nodes() {
        let mut random = SplitMix64(SEED);
        let nodes: u64 = (0..20_000).map(|_| random.tree(DEPTH).evaluate().nodes).sum();
        assert_eq!((nodes as f64 / 20_000.0).round(), 27.0);
    }
}
