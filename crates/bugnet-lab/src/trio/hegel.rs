//! Hegel's row: the same rules as its state machines, with `report_multiple_failures` on and
//! `stop_on_first_failure` off.

use super::machines::{Account, CALLED, Input, Numbers, PROPERTIES, Panics};
use super::{CASES, Reports};
use crate::peer_reports::Hegel;
use hegel::TestCase;
use hegel::generators as gs;

pub fn run(seed: u64) -> [Reports; 3] {
    [
        reports(seed, |case| hegel::stateful::machine(AccountTest(Account::default())).run(case)),
        reports(seed, |case| hegel::stateful::machine(NumbersTest(Numbers::new())).run(case)),
        reports(seed, |case| hegel::stateful::machine(PanicsTest(Panics)).run(case)),
    ]
}

/// The same bugs in properties.
pub fn run_properties(seed: u64) -> [Reports; 3] {
    PROPERTIES.map(|property| reports(seed, |case| property(&input(&case))))
}

fn input(case: &TestCase) -> Input {
    match case.draw(gs::integers::<u8>().max_value(8)) {
        0 => Input::Add(case.draw(gs::integers())),
        1 => Input::Lose,
        2 => Input::Double,
        3 => Input::Swap(case.draw(gs::integers())),
        4 => Input::FirstOfMany(case.draw(gs::integers())),
        5 => Input::LastOfFew(case.draw(gs::integers())),
        6 => Input::One(case.draw(gs::integers())),
        7 => Input::Two(case.draw(gs::optional(gs::integers()))),
        _ => Input::Three(case.draw(gs::booleans())),
    }
}

fn reports(seed: u64, test: impl Fn(TestCase)) -> Reports {
    Hegel { seed, cases: CASES, multiple: true }.run(test, &|| CALLED.get())
}

struct AccountTest(Account);

#[hegel::state_machine]
impl AccountTest {
    #[rule]
    fn add(&mut self, case: TestCase) {
        self.0.add(case.draw(gs::integers()));
    }

    #[rule]
    fn lose(&mut self, _: TestCase) {
        self.0.lose();
    }

    #[rule]
    fn double(&mut self, _: TestCase) {
        self.0.double();
    }

    #[rule]
    fn swap(&mut self, case: TestCase) {
        self.0.swap(case.draw(gs::integers().max_value(9)));
    }

    #[invariant(always_run)]
    fn agrees(&self, _: TestCase) {
        self.0.check();
    }
}

struct NumbersTest(Numbers);

#[hegel::state_machine]
impl NumbersTest {
    #[rule]
    fn first_of_many(&mut self, case: TestCase) {
        self.0.first_of_many(case.draw(gs::integers().max_value(8)));
    }

    #[rule]
    fn last_of_few(&mut self, case: TestCase) {
        self.0.last_of_few(case.draw(gs::integers().max_value(8)));
    }
}

struct PanicsTest(Panics);

#[hegel::state_machine]
impl PanicsTest {
    #[rule]
    fn one(&mut self, case: TestCase) {
        self.0.one(case.draw(gs::integers()));
    }

    #[rule]
    fn two(&mut self, case: TestCase) {
        self.0.two(case.draw(gs::optional(gs::integers())));
    }

    #[rule]
    fn three(&mut self, case: TestCase) {
        self.0.three(case.draw(gs::booleans()));
    }
}
