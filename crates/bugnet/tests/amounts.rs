//! Faults that are an amount, or have many faces: each is one report.

use bugnet::bug::Pattern;
use bugnet::campaign::{Bug, Environment, Failed, Options};
use bugnet::prelude::*;
use bugnet::program::{Api, Programs};
use bugnet::swarm::Effect;
use std::cell::Cell;
use std::path::Path;
use std::time::Duration;

/// Returns the bugs that a run with default settings reports, with a clock of its own, and the calls that it made.
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

/// A total with two faults behind one invariant.
struct Ledger {
    entries: Vec<u32>,
    total: u32,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Ledger {
    fn new() -> Self {
        Ledger { entries: Vec::new(), total: 0 }
    }

    fn add(&mut self, entry: u8) {
        self.entries.push(u32::from(entry));
        self.total += u32::from(entry);
    }

    fn undo(&mut self) {
        self.entries.pop();
    }

    fn double(&mut self) {
        self.entries.iter_mut().for_each(|entry| *entry *= 2);
    }

    fn sort(&mut self) {
        self.entries.sort_unstable();
    }

    fn count(&self) -> usize {
        self.entries.len()
    }

    #[invariant]
    fn adds_up(&self) -> bool {
        self.entries.iter().sum::<u32>() == self.total
    }
}

/// The calls that have an effect on a bug, by its table.
fn calls_with(effect: Effect, bug: &Bug) -> Vec<String> {
    let influences = bug.influences.influences().into_iter();
    let mut names: Vec<String> = influences
        .filter(|influence| influence.effect == effect)
        .map(|influence| influence.feature)
        .collect();
    names.sort();
    names.dedup();
    names
}

/// Asserts that a table names some of a bug's own calls as triggers and none as suppressors, and no call of the other bug.
fn assert_own_calls(bug: &Bug, own: &[&str], others: &[&str], seed: u64) {
    let (triggers, suppressors) = (calls_with(Effect::Trigger, bug), calls_with(Effect::Suppressor, bug));
    let told = format!("seed {seed}, {}: triggers {triggers:?}, suppressors {suppressors:?}", bug.words);
    let names = |all: &[String], some: &[&str]| all.iter().any(|name| some.contains(&name.as_str()));
    assert!(!names(&suppressors, own), "{told}");
    assert!(!names(&triggers, others) && !names(&suppressors, others), "{told}");
    let is_known_well = bug.influences.failures().any(|(_, tests)| tests >= 20);
    assert!(!is_known_well || names(&triggers, own), "{told}");
}

#[test]
fn two_faults_behind_one_invariant_each_name_their_own_call() {
    for seed in 0..20 {
        let failed = run::<Ledger>(seed);
        assert_eq!(failed.bugs.len(), 2, "seed {seed}: {failed}");
        for (own, other) in [("undo", "double"), ("double", "undo")] {
            let bug = failed.bugs.iter().find(|bug| bug.words.contains(own)).unwrap();
            assert_own_calls(bug, &[own], &[other], seed);
        }
    }
}

#[test]
fn a_known_bug_behind_the_same_invariant_is_not_named_either() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ledger");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let options = Options { regressions: Some(false), ..Options::default() };
    let hunt = |seed| {
        let property = Property::new("ledger").folder(&folder).seed(Seed(seed)).options(options.clone());
        property.environment(Environment::none(Seed(seed))).run(&Programs::new(Ledger::suite())).unwrap_err()
    };
    let found = hunt(18);
    let undo = found.bugs.iter().find(|bug| bug.words.starts_with("undo")).unwrap();
    let written = std::fs::read_to_string(folder.join(".bugnet/ledger.bugs.toml")).unwrap();
    let is_left = |block: &&str| !block.contains("name = ") || block.contains(&undo.name);
    let known: Vec<&str> = written.split("\n[[bug]]").filter(is_left).collect();
    std::fs::write(folder.join("bugnet-known.toml"), known.join("\n[[bug]]")).unwrap();
    for seed in 0..5 {
        let failed = hunt(seed);
        assert_eq!(failed.bugs.len(), 1, "seed {seed}: {failed}");
        assert_own_calls(&failed.bugs[0], &["double"], &["undo"], seed);
    }
}

#[test]
fn two_causes_behind_one_check_each_name_their_own_calls() {
    for seed in 0..20 {
        let failed = run::<Stack>(seed);
        let (popped, lent): (Vec<&Bug>, Vec<&Bug>) =
            failed.bugs.iter().partition(|bug| !bug.words.starts_with("?s = new(); ?v = data(?s)"));
        assert_eq!((popped.len(), lent.len()), (1, 1), "seed {seed}: {failed}");
        assert_own_calls(popped[0], &["push", "pop"], &["Vec::push"], seed);
        assert_own_calls(lent[0], &["data", "Vec::push"], &["pop"], seed);
    }
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
