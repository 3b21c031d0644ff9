//! The counter: what is called. Its operations do next to nothing, so that what they cost is not
//! what is measured, and they are not inlined, so that all contenders pay the same.

use crate::throughput::tally;

/// A number that operations change.
#[derive(Debug, Default)]
pub struct Counter(u32);

impl Counter {
    /// Begins a program.
    pub fn new() -> Counter {
        tally::count(0);
        Counter(0)
    }

    #[inline(never)]
    pub fn add(&mut self, amount: u32) {
        self.set(self.0.wrapping_add(amount));
    }

    #[inline(never)]
    pub fn subtract(&mut self, amount: u32) {
        self.set(self.0.wrapping_sub(amount));
    }

    #[inline(never)]
    pub fn mix(&mut self, mask: u32) {
        self.set(self.0 ^ mask);
    }

    #[inline(never)]
    pub fn increment(&mut self) {
        self.set(self.0.wrapping_add(1));
    }

    #[inline(never)]
    pub fn double(&mut self) {
        self.set(self.0.wrapping_mul(2));
    }

    #[inline(never)]
    pub fn halve(&mut self) {
        self.set(self.0 / 2);
    }

    #[inline(never)]
    pub fn negate(&mut self) {
        self.set(self.0.wrapping_neg());
    }

    #[inline(never)]
    pub fn reset(&mut self) {
        self.set(0);
    }

    fn set(&mut self, number: u32) {
        tally::count_elements(1);
        self.0 = number;
    }
}
