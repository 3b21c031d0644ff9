//! The number of cases that a contender really ran, and their size.
//!
//! Counted inside the property, so that a contender which runs more, fewer or smaller cases than
//! asked is measured by what it did. The two counters cost every contender the same two
//! instructions per case. Contenders run one case at a time, so they need not be added to
//! atomically, which would cost more time than the cheapest case does.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

static CASES: AtomicU64 = AtomicU64::new(0);
static ELEMENTS: AtomicU64 = AtomicU64::new(0);

/// The cases a process ran, and their elements, characters, nodes or operations in total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    pub cases: u64,
    pub elements: u64,
}

/// Counts one case of the given size.
#[inline]
pub fn count(elements: u64) {
    add(&CASES, 1);
    count_elements(elements);
}

/// Counts more elements of the last case.
#[inline]
pub fn count_elements(elements: u64) {
    add(&ELEMENTS, elements);
}

#[inline]
fn add(counter: &AtomicU64, amount: u64) {
    counter.store(counter.load(Ordering::Relaxed) + amount, Ordering::Relaxed);
}

impl Tally {
    /// Returns the cases that this process has run so far.
    pub fn so_far() -> Tally {
        Tally { cases: CASES.load(Ordering::Relaxed), elements: ELEMENTS.load(Ordering::Relaxed) }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.cases, self.elements)
    }
}
