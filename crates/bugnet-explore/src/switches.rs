//! The switches of the code under test, if it was built with variants in it.
//!
//! **Invariant:** a harness has the switches of one crate, or none.

use bugnet::wire::explore::Switch;
use std::sync::OnceLock;

/// The functions of a crate's table of switches.
#[derive(Debug, Clone, Copy)]
pub struct Switches {
    /// Switches alternatives on, and begins to count steps down from a number.
    pub arm: fn(&[Switch], i64),
    /// Switches them off again.
    pub disarm: fn(&[Switch]),
    /// Returns the sites that were reached since.
    pub reached: fn() -> Vec<u32>,
    /// Returns the number of steps since.
    pub steps: fn() -> i64,
}

impl Switches {
    /// The switches of code that was built without any.
    pub(crate) const NONE: Switches =
        Switches { arm: |_, _| {}, disarm: |_| {}, reached: Vec::new, steps: || 0 };
}

static GIVEN: OnceLock<Switches> = OnceLock::new();

/// Says what the switches of the code under test are. Only the first word counts.
pub fn switches(switches: Switches) {
    // Reached sites are noted from the beginning; otherwise they would be taken for known later.
    (switches.arm)(&[], i64::MAX);
    GIVEN.get_or_init(|| switches);
}

/// Returns the switches, if there are any.
pub(crate) fn given() -> Option<Switches> {
    GIVEN.get().copied()
}
