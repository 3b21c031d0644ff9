//! Faults that are an amount, or have many faces: each is one report.

use bugnet::bug::Pattern;
use bugnet::campaign::{Environment, Failed};
use bugnet::prelude::*;
use bugnet::program::{Api, Programs};
use std::cell::Cell;
use std::time::Duration;

/// What a run as it is by default reports, with a clock of its own, and the calls that it made.
fn run_with_clock<T: Api>(seed: u64, clock: Box<dyn Fn() -> Duration>) -> (Box<Failed>, u64) {
    let programs = Programs::new(T::suite());
    let environment = Environment { clock, ..Environment::none(Seed(seed)) };
    let failed = Property::new("amounts").seed(Seed(seed)).environment(environment).run(&programs);
    let failed = failed.unwrap_err();
    let calls = failed.calls.searching + failed.calls.learning;
    (failed, calls)
}

fn run<T: Api>(seed: u64) -> Box<Failed> {
    run_with_clock::<T>(seed, Box::new(|| Duration::ZERO)).0
}

fn words(failed: &Failed) -> Vec<&str> {
    failed.bugs.iter().map(|bug| bug.words.as_str()).collect()
}

struct Sum(u8);

#[machine]
#[ignore = "it is wrong on purpose"]
impl Sum {
    fn new() -> Self {
        Sum(0)
    }

    fn inc(&mut self, x: u8) {
        self.0 = self.0.wrapping_add(x);
    }

    #[invariant]
    fn small(&self) -> bool {
        self.0 < 200
    }
}

struct Room(i64);

#[machine]
#[ignore = "it is wrong on purpose"]
impl Room {
    fn new() -> Self {
        Room(0)
    }

    fn enter(&mut self) {
        self.0 += 1;
    }

    fn leave(&mut self) {
        self.0 -= 1;
    }

    #[invariant]
    fn not_crowded(&self) -> bool {
        self.0 < 10
    }
}

#[derive(Debug)]
struct Stack {
    data: Vec<i32>,
    sum: i32,
}

#[api]
#[ignore = "it is wrong on purpose"]
impl Stack {
    pub fn new() -> Self {
        Stack { data: Vec::new(), sum: 0 }
    }

    pub fn push(&mut self, x: i32) {
        self.data.push(x);
        self.sum = self.sum.wrapping_add(x);
    }

    pub fn pop(&mut self) -> Option<i32> {
        self.data.pop()
    }

    pub fn data(&mut self) -> &mut Vec<i32> {
        &mut self.data
    }

    #[check]
    fn sum_is_right(&self) {
        assert_eq!(self.data.iter().fold(0i32, |sum, x| sum.wrapping_add(*x)), self.sum);
    }
}

#[test]
fn a_sum_that_is_too_large_is_one_bug() {
    for seed in 0..3 {
        let failed = run::<Sum>(seed);
        assert_eq!(words(&failed), ["inc(_), once the x of inc reach 200 in eight bits"], "seed {seed}");
    }
}

#[test]
fn ten_more_in_than_out_is_one_bug() {
    let failed = run::<Room>(1);
    assert_eq!(words(&failed), ["enter(), once calls of enter minus calls of leave reach 10"]);
}

#[test]
fn two_causes_behind_one_check_are_two_bugs() {
    let failed = run::<Stack>(0);
    assert_eq!(failed.bugs.len(), 2, "{failed}");
}

#[test]
fn after_the_first_bug_there_are_at_most_twenty_thousand_calls() {
    let (failed, calls) = run_with_clock::<Sum>(0, Box::new(|| Duration::ZERO));
    assert!(calls + failed.calls.explaining <= 21_000, "{calls} and {:?}", failed.calls);
    assert_eq!(failed.calls.searching + failed.calls.learning, calls);
}

#[test]
fn a_run_does_the_same_whatever_the_clock_says() {
    let (still, calls) = run_with_clock::<Stack>(0, Box::new(|| Duration::ZERO));
    let now = Cell::new(0);
    let slow = move || {
        now.set(now.get() + 10);
        Duration::from_secs(now.get())
    };
    let (hurried, others) = run_with_clock::<Stack>(0, Box::new(slow));
    assert_eq!((words(&still), calls), (words(&hurried), others));
}

#[test]
fn a_pattern_of_amounts_reads_back_as_it_was_stored() {
    let suite = Sum::suite();
    let text = "inc(_, _) once wrapping 200 inc(number 1 1)";
    let pattern = Pattern::read(text, &suite).unwrap();
    assert_eq!(pattern.amounts.len(), 1);
    assert_eq!(pattern.stored(&suite), text);
    let error = Pattern::read("inc(_, _) once lately 200 inc(number 1 1)", &suite).unwrap_err();
    assert!(error.to_string().contains("no amount"), "{error}");
    let error = Pattern::read("inc(_, _) once total 200 inc(number 7 1)", &suite).unwrap_err();
    assert!(error.to_string().contains("number 7 1"), "{error}");
}
