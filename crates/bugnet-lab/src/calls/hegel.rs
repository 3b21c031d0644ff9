//! Hegel's row: its state machines, on its native engine.

use hegel::generators as gs;
use hegel::{Hegel, Settings, TestCase};

use super::LENGTH;
use super::counter::Counter;

/// Runs this many programs.
pub fn run(programs: u64) {
    let settings = Settings::new().test_cases(programs).seed(Some(0x5EED)).database(None);
    let program = |case: TestCase| {
        hegel::stateful::machine(CounterTest(Counter::new())).steps(LENGTH as i64).run(case);
    };
    Hegel::new(program).settings(settings).run();
}

struct CounterTest(Counter);

#[hegel::state_machine]
impl CounterTest {
    #[rule]
    fn add(&mut self, case: TestCase) {
        self.0.add(case.draw(gs::integers()));
    }

    #[rule]
    fn subtract(&mut self, case: TestCase) {
        self.0.subtract(case.draw(gs::integers()));
    }

    #[rule]
    fn mix(&mut self, case: TestCase) {
        self.0.mix(case.draw(gs::integers()));
    }

    #[rule]
    fn increment(&mut self, _: TestCase) {
        self.0.increment();
    }

    #[rule]
    fn double(&mut self, _: TestCase) {
        self.0.double();
    }

    #[rule]
    fn halve(&mut self, _: TestCase) {
        self.0.halve();
    }

    #[rule]
    fn negate(&mut self, _: TestCase) {
        self.0.negate();
    }

    #[rule]
    fn reset(&mut self, _: TestCase) {
        self.0.reset();
    }
}
