//! Bugnet's row: a machine, and random search alone.

use bugnet::campaign::Environment;
use bugnet::prelude::*;
use bugnet::program::{Api, Programs};

use super::counter::Counter;

/// Runs this many programs.
pub fn run(programs: u64) {
    let outcome = Property::new("calls")
        .environment(Environment::none(Seed(0x5EED)))
        .seed(Seed(0x5EED))
        .strategies(Strategies::Random)
        .cases(programs)
        .run(&Programs::new(CounterTest::suite()));
    outcome.expect("nothing can fail");
}

struct CounterTest(Counter);

#[machine]
impl CounterTest {
    fn new() -> Self {
        CounterTest(Counter::new())
    }

    fn add(&mut self, amount: u32) {
        self.0.add(amount);
    }

    fn subtract(&mut self, amount: u32) {
        self.0.subtract(amount);
    }

    fn mix(&mut self, mask: u32) {
        self.0.mix(mask);
    }

    fn increment(&mut self) {
        self.0.increment();
    }

    fn double(&mut self) {
        self.0.double();
    }

    fn halve(&mut self) {
        self.0.halve();
    }

    fn negate(&mut self) {
        self.0.negate();
    }

    fn reset(&mut self) {
        self.0.reset();
    }
}
