//! QuickCheck, RDS and MoreBugs as the paper describes them, on commands that name any operation.
//!
//! The generator of QuickCheck and MoreBugs knows how the stack is set up, as in the paper: every other
//! test begins with it, and now and then it comes again.
//!
//! **Invariant:** each method is written as in the paper, with nothing of ours but the matcher.

use super::system::{CALLS, FAULTS, OPERATIONS, SETUP, Sort, Stack};
use crate::paper::{self, Command as _};
use crate::random::SplitMix64;
use bugnet::bug::{Matcher, Pattern, Value, literal_value, subsumes};
use std::collections::{BTreeMap, BTreeSet};

/// The mean length of a random test.
const MEAN_LENGTH: f64 = 40.0;
/// Commands per set-up of the stack.
const SETUP_AGAIN: u64 = 46;

/// A call; buffers are numbered by the order in which they are allocated.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Command {
    operation: usize,
    arguments: Vec<usize>,
}

impl paper::Command for Command {
    fn makes(&self) -> bool {
        OPERATIONS[self.operation].0 == "allocate"
    }

    fn seen(&self, made: &dyn Fn(usize) -> Value) -> (usize, Vec<Value>) {
        let value = |(sort, argument): (&Sort, &usize)| match sort {
            Sort::Below(bound) => literal_value("number", &[*bound as u64, *argument as u64]),
            Sort::Buffer => made(*argument),
        };
        let sorts = OPERATIONS[self.operation].1;
        (self.operation, sorts.iter().zip(&self.arguments).map(value).collect())
    }

    fn renumbered(&self, number: &dyn Fn(usize) -> Option<usize>) -> Option<Command> {
        let mut command = self.clone();
        let sorts = OPERATIONS[self.operation].1;
        for (argument, _) in command.arguments.iter_mut().zip(sorts).filter(|pair| *pair.1 == Sort::Buffer) {
            *argument = number(*argument)?;
        }
        Some(command)
    }
}

type Test = Vec<Command>;

/// When each fault was first reported.
pub type Found = [Option<u64>; FAULTS];

fn buffers(test: &[Command]) -> usize {
    test.iter().filter(|command| command.makes()).count()
}

/// A random call that can follow others.
fn command(test: &[Command], random: &mut SplitMix64) -> Command {
    let buffers = buffers(test);
    loop {
        let operation = random.below(OPERATIONS.len() as u64) as usize;
        let sorts = OPERATIONS[operation].1;
        if buffers == 0 && sorts.contains(&Sort::Buffer) {
            continue;
        }
        let mut below = |bound: usize| random.below(bound as u64) as usize;
        let argument = |sort: &Sort| match sort {
            Sort::Below(bound) => below(*bound),
            Sort::Buffer => below(buffers),
        };
        return Command { operation, arguments: sorts.iter().map(argument).collect() };
    }
}

/// Runs a test: at which call it fails, and which fault that is.
fn fails(test: &[Command]) -> Option<(usize, usize)> {
    let mut stack = Stack::default();
    test.iter().enumerate().find_map(|(place, command)| {
        let outcome = stack.call(OPERATIONS[command.operation].0, &command.arguments);
        outcome.err().map(|fault| (place, fault))
    })
}

/// A random test that no pattern matches.
fn generated(matcher: &mut Matcher, random: &mut SplitMix64) -> Test {
    let mut test = Test::new();
    matcher.clear();
    let length = (-random.unit().ln() * MEAN_LENGTH) as usize;
    if random.below(2) == 0 {
        set_up(&mut test, matcher);
    }
    for _ in 0..length {
        if random.below(SETUP_AGAIN) == 0 {
            set_up(&mut test, matcher);
        }
        if !paper::extend(&mut test, matcher, &mut |test| command(test, random)) {
            break;
        }
    }
    test
}

/// Adds the calls that set the stack up, as far as they complete no pattern.
fn set_up(test: &mut Test, matcher: &mut Matcher) {
    for operation in 0..SETUP {
        paper::extend(test, matcher, &mut |_| Command { operation, arguments: Vec::new() });
    }
}

/// Takes calls out as long as the test fails.
fn reduced(test: Test, matcher: &mut Matcher) -> Test {
    paper::reduced(test, matcher, &|test| Some(fails(test)?.0))
}

/// Tests until all faults have been reported, or for this many calls; `report` makes of a failing test
/// what is reported.
fn until_all(seed: u64, most: u64, report: &mut dyn FnMut(Test, &mut Matcher) -> Test) -> Found {
    let (mut random, mut matcher) = (SplitMix64(seed), Matcher::default());
    let mut found = Found::default();
    CALLS.set(0);
    while CALLS.get() < most && found.contains(&None) {
        let test = generated(&mut matcher, &mut random);
        if let Some((last, _)) = fails(&test) {
            note(&mut found, &report(test[..=last].to_vec(), &mut matcher));
        }
    }
    found
}

/// Notes which fault was reported, and when. Looking is not counted.
fn note(found: &mut Found, test: &[Command]) {
    let calls = CALLS.get();
    if let Some((_, fault)) = fails(test) {
        found[fault - 1].get_or_insert(calls);
    }
    CALLS.set(calls);
}

/// QuickCheck, whose failing tests stay as long as they are.
pub fn unshrunk(seed: u64, most: u64) -> Found {
    until_all(seed, most, &mut |test, _| test)
}

/// QuickCheck, which reduces every failing test.
pub fn shrunk(seed: u64, most: u64) -> Found {
    until_all(seed, most, &mut reduced)
}

/// MoreBugs: failing tests are reduced and generalized, and what matches is not generated again.
pub fn more_bugs(seed: u64, most: u64) -> Found {
    let mut patterns: Vec<Pattern> = Vec::new();
    until_all(seed, most, &mut |test, matcher| {
        let test = reduced(test, matcher);
        if let Some(pattern) = paper::generalized(&test, &|test| Some(fails(test)?.0)) {
            patterns.retain(|known| !subsumes(&pattern, known));
            patterns.push(pattern);
            *matcher = Matcher::new(&patterns);
        }
        test
    })
}

/// Randoop in the manner of section 3.2: one call more for the shortest way to a state of the model.
/// Faults are told apart by their numbers, better than any classification could.
pub fn rds(seed: u64, most: u64) -> Found {
    let mut random = SplitMix64(seed);
    let mut found = Found::default();
    let mut states: Vec<Test> = vec![Test::new()];
    let mut places: BTreeMap<Stack, usize> = BTreeMap::from([(Stack::default(), 0)]);
    let mut tried: BTreeSet<Test> = BTreeSet::new();
    CALLS.set(0);
    while CALLS.get() < most && found.contains(&None) {
        let mut test = states[random.below(states.len() as u64) as usize].clone();
        test.push(command(&test, &mut random));
        if !tried.insert(test.clone()) {
            continue;
        }
        let mut stack = Stack::default();
        let mut calls = test.iter();
        let failed =
            calls.find_map(|command| stack.call(OPERATIONS[command.operation].0, &command.arguments).err());
        match failed {
            Some(fault) => {
                found[fault - 1].get_or_insert(CALLS.get());
            }
            None => {
                let place = *places.entry(stack).or_insert(states.len());
                match states.get_mut(place) {
                    Some(known) if test.len() < known.len() => *known = test,
                    Some(_) => {}
                    None => states.push(test),
                }
            }
        }
    }
    found
}
