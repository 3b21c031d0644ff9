//! Bugnet's row: machines, and one run that wants all bugs.

use super::machines::{Account, CALLED, Input, Numbers, PROPERTIES, Panics};
use super::{CASES, Reports};
use crate::trace::{Ended, ended};
use bugnet::campaign::{Bug, Environment, Failed, Passed, WantedBugs};
use bugnet::prelude::*;
use bugnet::program::{Api, Programs};

pub fn run(seed: u64) -> [Reports; 3] {
    machines(seed, WantedBugs::ALL)
}

/// As much as a run finds where nothing is said.
pub fn run_as_usual(seed: u64) -> [Reports; 3] {
    machines(seed, WantedBugs::MORE)
}

fn machines(seed: u64, wanted: WantedBugs) -> [Reports; 3] {
    [
        reports::<AccountTest>(seed, wanted),
        reports::<NumbersTest>(seed, wanted),
        reports::<PanicsTest>(seed, wanted),
    ]
}

/// Runs the engine on a machine, with a budget in cases.
pub type Machine = fn(WantedBugs, u64, Environment) -> Ended;

/// The three machines.
pub const MACHINES: [(&str, Machine); 3] = [
    ("assertion", machine::<AccountTest>),
    ("unwrap", machine::<NumbersTest>),
    ("panics", machine::<PanicsTest>),
];

fn machine<T: Api>(wanted: WantedBugs, cases: u64, environment: Environment) -> Ended {
    let programs = Programs::new(T::suite());
    ended(campaign(&programs, wanted, cases, environment))
}

fn campaign(
    programs: &Programs,
    wanted: WantedBugs,
    cases: u64,
    environment: Environment,
) -> Result<Passed, Box<Failed>> {
    let property = Property::new("trio").seed(environment.fresh).bugs(wanted).cases(cases);
    property.environment(environment).run(programs)
}

/// The last call of each bug's program names the bug.
fn reports<T: Api>(seed: u64, wanted: WantedBugs) -> Reports {
    let programs = Programs::new(T::suite());
    let outcome = campaign(&programs, wanted, CASES, Environment::none(Seed(seed)));
    let Err(failed) = outcome else { return Vec::new() };
    let last = |bug: &Bug| {
        let elements = bug.pattern.as_ref().map_or(&[][..], |pattern| &pattern.elements);
        elements.last().map_or("?", |element| programs.suite().operations[element.operation].name)
    };
    failed.bugs.iter().map(last).collect()
}

/// The same bugs in properties.
pub fn run_properties(seed: u64) -> [Reports; 3] {
    properties(seed, WantedBugs::ALL)
}

/// As many as a run finds where nothing is said.
pub fn run_properties_as_usual(seed: u64) -> [Reports; 3] {
    properties(seed, WantedBugs::MORE)
}

/// Properties without samples inside of forms.
pub fn run_without_samples(seed: u64) -> [Reports; 3] {
    properties(seed, WantedBugs { samples: false, ..WantedBugs::ALL })
}

/// Properties whose inputs are not generalized.
pub fn run_without_forms(seed: u64) -> [Reports; 3] {
    properties(seed, WantedBugs { forms: false, ..WantedBugs::ALL })
}

fn properties(seed: u64, wanted: WantedBugs) -> [Reports; 3] {
    PROPERTIES.map(|property| {
        let outcome = Property::new("trio")
            .environment(Environment::none(Seed(seed)))
            .seed(Seed(seed))
            .bugs(wanted)
            .cases(CASES)
            .check(any::<Input>(), |input| property(&input));
        let Err(failed) = outcome else { return Vec::new() };
        // What a report is about shows when its input is run.
        let about = |bug: &Bug| {
            let input = Input::generate(&mut Source::replay(bug.tape.clone()));
            let _ = std::panic::catch_unwind(|| property(&input));
            CALLED.get()
        };
        failed.bugs.iter().map(about).collect()
    })
}

struct AccountTest(Account);

#[machine]
#[ignore = "it is wrong on purpose"]
impl AccountTest {
    fn new() -> Self {
        AccountTest(Account::default())
    }

    fn add(&mut self, amount: u8) {
        self.0.add(amount);
    }

    fn lose(&mut self) {
        self.0.lose();
    }

    fn double(&mut self) {
        self.0.double();
    }

    fn swap(&mut self, #[with(0..10u8)] with: u8) {
        self.0.swap(with);
    }

    #[invariant]
    fn agrees(&self) {
        self.0.check();
    }
}

struct NumbersTest(Numbers);

#[machine]
#[ignore = "it is wrong on purpose"]
impl NumbersTest {
    fn new() -> Self {
        NumbersTest(Numbers::new())
    }

    fn first_of_many(&self, #[with(0..9usize)] place: usize) {
        self.0.first_of_many(place);
    }

    fn last_of_few(&self, #[with(0..9usize)] place: usize) {
        self.0.last_of_few(place);
    }
}

struct PanicsTest(Panics);

#[machine]
#[ignore = "it is wrong on purpose"]
impl PanicsTest {
    fn new() -> Self {
        PanicsTest(Panics)
    }

    fn one(&self, at: u8) {
        self.0.one(at);
    }

    fn two(&self, at: Option<u8>) {
        self.0.two(at);
    }

    fn three(&self, at: bool) {
        self.0.three(at);
    }
}
