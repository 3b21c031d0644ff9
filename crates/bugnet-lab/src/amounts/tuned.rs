//! Ten machines with one fault each, which is an amount: the ones that the hunt was tuned on.
//!
//! **Invariant:** each fault has one cause, so every report after the first is a duplicate.

use super::fault::{forget, meet};
use bugnet::prelude::*;
use std::collections::BTreeSet;

/// A sum: the machine that a new user wrote.
pub struct Sum(u8);

#[machine]
#[ignore = "it is wrong on purpose"]
impl Sum {
    fn new() -> Self {
        forget();
        Sum(0)
    }

    fn inc(&mut self, x: u8) {
        self.0 = self.0.wrapping_add(x);
        if self.0 >= 200 {
            meet("sum");
        }
    }

    #[invariant]
    fn small(&self) -> bool {
        self.0 < 200
    }
}

/// A length: the twelfth element does not fit.
pub struct Length(Vec<i32>);

#[machine]
#[ignore = "it is wrong on purpose"]
impl Length {
    fn new() -> Self {
        forget();
        Length(Vec::new())
    }

    fn push(&mut self, x: i32) {
        self.0.push(x);
        if self.0.len() >= 12 {
            meet("length");
            panic!("no room");
        }
    }

    fn pop(&mut self) -> Option<i32> {
        self.0.pop()
    }

    fn first(&self) -> Option<i32> {
        self.0.first().copied()
    }
}

/// A balance: ten more in than out.
pub struct Balance(i64);

#[machine]
#[ignore = "it is wrong on purpose"]
impl Balance {
    fn new() -> Self {
        forget();
        Balance(0)
    }

    fn enter(&mut self) {
        self.0 += 1;
        if self.0 > 9 {
            meet("balance");
        }
    }

    fn leave(&mut self) {
        self.0 -= 1;
    }

    fn look(&self) -> i64 {
        self.0
    }

    #[invariant]
    fn not_crowded(&self) -> bool {
        self.0 < 10
    }
}

/// A value with values inside.
#[derive(Debug, Clone, PartialEq, Generate)]
pub enum Nest {
    Leaf(u8),
    List(Vec<Nest>),
}

impl Nest {
    fn depth(&self) -> usize {
        match self {
            Nest::Leaf(_) => 0,
            Nest::List(inner) => 1 + inner.iter().map(Nest::depth).max().unwrap_or(0),
        }
    }
}

/// Nesting: four levels are too many.
pub struct Nesting(usize);

#[machine]
#[ignore = "it is wrong on purpose"]
impl Nesting {
    fn new() -> Self {
        forget();
        Nesting(0)
    }

    fn read(&mut self, value: Nest) {
        self.0 += 1;
        if value.depth() >= 4 {
            meet("nesting");
            panic!("too deep");
        }
    }

    fn count(&self) -> usize {
        self.0
    }
}

/// Bytes in total: forty are more than there is room for.
pub struct Bytes(Vec<u8>);

#[machine]
#[ignore = "it is wrong on purpose"]
impl Bytes {
    fn new() -> Self {
        forget();
        Bytes(Vec::new())
    }

    fn write(&mut self, bytes: Vec<u8>) {
        self.0.extend(bytes);
        if self.0.len() >= 40 {
            meet("bytes");
        }
    }

    fn flush(&mut self) {
        self.0.clear();
    }

    #[invariant]
    fn fits(&self) -> bool {
        self.0.len() < 40
    }
}

/// A file that was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Handle(usize);

/// Open handles: the eighth is refused by a panic.
pub struct Handles {
    open: BTreeSet<usize>,
    next: usize,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Handles {
    fn new() -> Self {
        forget();
        Handles { open: BTreeSet::new(), next: 0 }
    }

    fn open(&mut self) -> Handle {
        self.next += 1;
        self.open.insert(self.next);
        if self.open.len() >= 8 {
            meet("handles");
            panic!("too many open files");
        }
        Handle(self.next)
    }

    fn close(&mut self, handle: Handle) {
        self.open.remove(&handle.0);
    }

    fn read(&self, handle: &Handle) -> bool {
        self.open.contains(&handle.0)
    }
}

/// Distinct keys: the ninth is lost.
pub struct Keys {
    expected: BTreeSet<u8>,
    kept: BTreeSet<u8>,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Keys {
    fn new() -> Self {
        forget();
        Keys { expected: BTreeSet::new(), kept: BTreeSet::new() }
    }

    fn insert(&mut self, key: u8) {
        self.expected.insert(key);
        if self.kept.len() < 8 || self.kept.contains(&key) {
            self.kept.insert(key);
        } else {
            meet("keys");
        }
    }

    fn remove(&mut self, key: u8) {
        self.expected.remove(&key);
        self.kept.remove(&key);
    }

    #[invariant]
    fn all_are_kept(&self) -> bool {
        self.expected == self.kept
    }
}

/// Two counters that must not both be large.
pub struct Counters {
    left: u32,
    right: u32,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Counters {
    fn new() -> Self {
        forget();
        Counters { left: 0, right: 0 }
    }

    fn left(&mut self) {
        self.left += 1;
        self.note();
    }

    fn right(&mut self) {
        self.right += 1;
        self.note();
    }

    fn reset(&mut self) {
        (self.left, self.right) = (0, 0);
    }

    #[invariant]
    fn one_is_small(&self) -> bool {
        self.left < 4 || self.right < 4
    }
}

impl Counters {
    fn note(&self) {
        if self.left >= 4 && self.right >= 4 {
            meet("counters");
        }
    }
}

/// A ratio: too many misses for the hits.
pub struct Ratio {
    hits: u32,
    misses: u32,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Ratio {
    fn new() -> Self {
        forget();
        Ratio { hits: 0, misses: 0 }
    }

    fn hit(&mut self) {
        self.hits += 1;
    }

    fn miss(&mut self) {
        self.misses += 1;
        if self.misses > 2 * self.hits + 5 {
            meet("ratio");
        }
    }

    #[invariant]
    fn mostly_hits(&self) -> bool {
        self.misses <= 2 * self.hits + 5
    }
}

/// A position that runs around.
pub struct Around(u8);

#[machine]
#[ignore = "it is wrong on purpose"]
impl Around {
    fn new() -> Self {
        forget();
        Around(0)
    }

    fn advance(&mut self, #[with(0..40u8)] by: u8) {
        let before = self.0;
        self.0 = before.wrapping_add(by);
        if self.0 < before {
            meet("around");
        }
        assert!(self.0 >= before, "it went back");
    }

    fn place(&self) -> u8 {
        self.0
    }
}
