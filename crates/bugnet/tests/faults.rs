//! One fault or two: failures that look alike, and failures that look different.

use bugnet::campaign::{Environment, Failed};
use bugnet::prelude::*;
use bugnet::program::{Api, Programs};
use std::collections::BTreeMap;
use std::time::Duration;

/// The seeds that what is reported must not depend on.
const SEEDS: u64 = 3;

fn run<T: Api>(seed: u64) -> Box<Failed> {
    let environment = Environment { clock: Box::new(|| Duration::ZERO), ..Environment::none(Seed(seed)) };
    let property = Property::new("faults").seed(Seed(seed)).environment(environment);
    property.run(&Programs::new(T::suite())).unwrap_err()
}

fn words(failed: &Failed) -> Vec<&str> {
    failed.bugs.iter().map(|bug| bug.words.as_str()).collect()
}

/// Timers of which three at most may fire in one tick.
struct Timers(Vec<u8>);

#[machine]
#[ignore = "it is wrong on purpose"]
impl Timers {
    fn new() -> Self {
        Timers(Vec::new())
    }

    fn start(&mut self, #[with(1..4u8)] ticks: u8) {
        self.0.push(ticks);
    }

    fn stop(&mut self) {
        self.0.pop();
    }

    fn tick(&mut self) {
        self.0.iter_mut().for_each(|ticks| *ticks -= 1);
        let fired = self.0.iter().filter(|ticks| **ticks == 0).count();
        self.0.retain(|ticks| *ticks > 0);
        assert!(fired < 4, "too many timers");
    }
}

#[test]
fn a_call_that_fails_after_many_calls_of_the_same_operation_fails_for_one_reason() {
    for seed in 0..SEEDS {
        let failed = run::<Timers>(seed);
        assert_eq!(failed.bugs.len(), 1, "seed {seed}: {:?}", words(&failed));
    }
}

/// A poll that counts one vote twice if it is changed, and forgets the sixth voter.
struct Poll {
    votes: Vec<(u8, bool)>,
    yes: usize,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Poll {
    fn new() -> Self {
        Poll { votes: Vec::new(), yes: 0 }
    }

    fn vote(&mut self, #[with(0..30u8)] voter: u8, yes: bool) {
        if let Some(vote) = self.votes.iter_mut().find(|(other, _)| *other == voter) {
            self.yes += usize::from(yes && !vote.1);
            vote.1 = yes;
            return;
        }
        self.votes.push((voter, yes));
        self.yes += usize::from(yes && self.votes.len() < 6);
    }

    fn reset(&mut self) {
        self.votes.clear();
        self.yes = 0;
    }

    #[invariant]
    fn counts_right(&self) -> bool {
        self.yes == self.votes.iter().filter(|(_, yes)| *yes).count()
    }
}

#[test]
fn a_check_that_fails_after_two_calls_and_after_many_fails_for_two_reasons() {
    for seed in 0..SEEDS {
        let failed = run::<Poll>(seed);
        assert_eq!(failed.bugs.len(), 2, "seed {seed}: {:?}", words(&failed));
    }
}

/// Room for twelve, of which what is there and what is reserved are counted together.
struct Room {
    there: usize,
    lost: bool,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Room {
    fn new() -> Self {
        Room { there: 0, lost: false }
    }

    fn enter(&mut self) {
        self.there += 1;
    }

    fn clear(&mut self) {
        self.there = 0;
    }

    fn reserve(&mut self, #[with(0..12usize)] more: usize) {
        self.lost = self.there > 0 && self.there + more > 12;
    }

    #[invariant]
    fn nobody_is_lost(&self) -> bool {
        !self.lost
    }
}

#[test]
fn calls_and_a_literal_of_the_last_call_that_make_up_for_each_other_are_one_bug() {
    for seed in 0..SEEDS {
        let failed = run::<Room>(seed);
        assert_eq!(failed.bugs.len(), 1, "seed {seed}: {:?}", words(&failed));
    }
}

/// A sum that must fit in sixteen bits.
struct Adder;

#[machine]
#[ignore = "it is wrong on purpose"]
impl Adder {
    fn new() -> Self {
        Adder
    }

    fn add(&mut self, a: u16, b: u16) {
        assert!(a.checked_add(b).is_some(), "too much");
    }

    fn rest(&mut self) {}
}

#[test]
fn a_sum_over_the_arguments_of_one_call_is_an_amount() {
    for seed in 0..SEEDS {
        let failed = run::<Adder>(seed);
        let words = words(&failed);
        assert_eq!(words.len(), 1, "seed {seed}: {words:?}");
        let least = words[0].strip_prefix("add(_, _), once a plus b reach ");
        let least: i64 = least.unwrap_or_else(|| panic!("seed {seed}: {words:?}")).parse().unwrap();
        assert!((64_000..=66_000).contains(&least), "seed {seed}: {words:?}");
    }
}

/// Numbers with keys. Turning them around forgets to count one.
struct Store {
    slots: Vec<u8>,
    model: BTreeMap<usize, u8>,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Store {
    fn new() -> Self {
        Store { slots: Vec::new(), model: BTreeMap::new() }
    }

    fn insert(&mut self, value: u8) {
        self.slots.push(value);
        assert_eq!(self.model.insert(self.model.len(), value), None);
        assert_eq!(self.slots.len(), self.model.len(), "insert");
    }

    fn compact(&mut self) {
        if self.slots.len() >= 3 {
            self.slots.pop();
        }
    }

    fn last(&self) {
        assert_eq!(self.slots.last(), self.model.values().last(), "last");
    }

    fn length(&self) {
        assert_eq!(self.slots.len(), self.model.len(), "length");
    }

    fn idle(&self) {}
}

#[test]
fn calls_after_which_most_operations_fail_are_one_bug() {
    for seed in 0..SEEDS {
        let failed = run::<Store>(seed);
        assert_eq!(failed.bugs.len(), 1, "seed {seed}: {:?}", words(&failed));
    }
}

/// Two operations that fail for their own reasons after the same calls, among others that do not.
struct Door {
    opened: u32,
    locked: bool,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Door {
    fn new() -> Self {
        Door { opened: 0, locked: false }
    }

    fn open(&mut self) {
        self.opened += 1;
    }

    fn lock(&mut self) {
        self.locked = self.opened > 1;
    }

    fn knock(&self) {
        assert!(!self.locked, "knock");
    }

    fn ring(&self) {
        assert!(!self.locked, "ring");
    }

    fn look(&self) {}

    fn wait(&self) {}
}

#[test]
fn two_of_many_operations_that_fail_after_the_same_calls_are_two_bugs() {
    for seed in 0..SEEDS {
        let failed = run::<Door>(seed);
        assert_eq!(failed.bugs.len(), 2, "seed {seed}: {:?}", words(&failed));
    }
}
