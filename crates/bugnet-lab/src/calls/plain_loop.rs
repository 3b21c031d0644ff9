//! The floor: the loop a careful developer writes by hand.

use std::hint::black_box;

use super::LENGTH;
use super::counter::Counter;
use crate::random::SplitMix64;

/// Runs this many programs.
pub fn run(programs: u64) {
    let mut random = SplitMix64(0x5EED);
    for _ in 0..programs {
        let mut counter = Counter::new();
        for _ in 0..LENGTH {
            match random.below(8) {
                0 => counter.add(random.next() as u32),
                1 => counter.subtract(random.next() as u32),
                2 => counter.mix(random.next() as u32),
                3 => counter.increment(),
                4 => counter.double(),
                5 => counter.halve(),
                6 => counter.negate(),
                _ => counter.reset(),
            }
        }
        black_box(counter);
    }
}
