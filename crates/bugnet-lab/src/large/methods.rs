//! QuickCheck, RDS and MoreBugs as the paper describes them, on commands that name any operation.
//!
//! The generator of QuickCheck and MoreBugs knows how the stack is set up, as in the paper: every other
//! test begins with it, and now and then it comes again.
//!
//! **Invariant:** each method is written as in the paper, with nothing of ours but the matcher.

use super::system::{CALLS, FAULTS, OPERATIONS, SETUP, Sort, Stack};
use crate::random::SplitMix64;
use bugnet::bug::{Call, Element, Matcher, Pattern, Term, Value, literal_value, subsumes};
use std::collections::{BTreeMap, BTreeSet};

/// The mean length of a random test.
const MEAN_LENGTH: f64 = 40.0;
/// Once in so many commands the stack is set up.
const SETUP_AGAIN: u64 = 46;

/// A call; buffers are numbered by the order in which they are allocated.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Command {
    operation: usize,
    arguments: Vec<usize>,
}

impl Command {
    fn allocates(&self) -> bool {
        OPERATIONS[self.operation].0 == "allocate"
    }
}

type Test = Vec<Command>;

/// When each fault was first reported.
pub type Found = [Option<u64>; FAULTS];

fn buffers(test: &[Command]) -> usize {
    test.iter().filter(|command| command.allocates()).count()
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
        (0..SETUP).for_each(|operation| extend(&mut test, matcher, &mut |_| plain(operation)));
    }
    for _ in 0..length {
        if random.below(SETUP_AGAIN) == 0 {
            (0..SETUP).for_each(|operation| extend(&mut test, matcher, &mut |_| plain(operation)));
        }
        let before = test.len();
        extend(&mut test, matcher, &mut |test| command(test, random));
        if test.len() == before {
            break;
        }
    }
    test
}

fn plain(operation: usize) -> Command {
    Command { operation, arguments: Vec::new() }
}

/// Adds a command that completes no pattern, if one is found in thirty tries.
fn extend(test: &mut Test, matcher: &mut Matcher, next: &mut dyn FnMut(&[Command]) -> Command) {
    for _ in 0..30 {
        let command = next(test);
        let arguments = seen(test, &command);
        let call = Call { operation: command.operation, arguments: &arguments, choices: &[], classes: &[] };
        if matcher.would_complete(&call).is_none() {
            matcher.add(&call);
            test.push(command);
            return;
        }
    }
}

/// The arguments of a call as the matcher sees them, after other calls.
fn seen(test: &[Command], command: &Command) -> Vec<Value> {
    let made = |buffer: usize| {
        let mut places = test.iter().enumerate().filter(|(_, command)| command.allocates());
        places.nth(buffer).map_or(0, |(place, _)| place as Value)
    };
    let sorts = OPERATIONS[command.operation].1;
    let value = |(sort, argument): (&Sort, &usize)| match sort {
        Sort::Below(bound) => literal_value("number", &[*bound as u64, *argument as u64]),
        Sort::Buffer => made(*argument),
    };
    sorts.iter().zip(&command.arguments).map(value).collect()
}

fn is_known(matcher: &mut Matcher, test: &[Command]) -> bool {
    matcher.clear();
    test.iter().enumerate().any(|(place, command)| {
        let arguments = seen(&test[..place], command);
        let call = Call { operation: command.operation, arguments: &arguments, choices: &[], classes: &[] };
        let known = matcher.would_complete(&call).is_some();
        matcher.add(&call);
        known
    })
}

/// The calls in an order; `None` if a buffer is used before it is there.
fn ordered(test: &[Command], order: &[usize]) -> Option<Test> {
    let places: Vec<usize> = (0..test.len()).filter(|place| test[*place].allocates()).collect();
    let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
    let mut result = Test::new();
    for place in order {
        let mut command = test[*place].clone();
        if command.allocates() {
            numbers.insert(places.iter().position(|allocated| allocated == place)?, numbers.len());
        }
        let sorts = OPERATIONS[command.operation].1;
        for (argument, _) in command.arguments.iter_mut().zip(sorts).filter(|pair| *pair.1 == Sort::Buffer) {
            *argument = *numbers.get(argument)?;
        }
        result.push(command);
    }
    Some(result)
}

/// Takes calls out, many at a time, as long as the test fails.
fn reduced(mut test: Test, matcher: &mut Matcher) -> Test {
    let mut size = test.len().next_power_of_two();
    while size > 0 {
        let mut start = 0;
        while start < test.len() {
            let kept: Vec<usize> =
                (0..test.len()).filter(|place| !(start..start + size).contains(place)).collect();
            let candidate = ordered(&test, &kept).filter(|candidate| !is_known(matcher, candidate));
            match candidate.and_then(|candidate| Some((fails(&candidate)?.0, candidate))) {
                Some((last, candidate)) => {
                    test = candidate[..=last].to_vec();
                    (size, start) = (test.len().next_power_of_two(), 0);
                }
                None => start += size,
            }
        }
        size /= 2;
    }
    test
}

/// Tests until all faults have been reported, or for so many calls; `report` makes of a failing test
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
        if let Some(pattern) = generalized(&test) {
            patterns.retain(|known| !subsumes(&pattern, known));
            patterns.push(pattern);
            *matcher = Matcher::new(&patterns);
        }
        test
    })
}

/// Section 2.3: a call moves behind later ones as long as every such test fails.
fn generalized(test: &[Command]) -> Option<Pattern> {
    let mut values: Vec<Value> = Vec::new();
    let mut variable = |value: Value| {
        let known = values.iter().position(|known| *known == value);
        known.unwrap_or_else(|| {
            values.push(value);
            values.len() - 1
        }) as u8
    };
    let mut elements = Vec::new();
    for (place, command) in test.iter().enumerate() {
        let arguments = seen(&test[..place], command);
        let arguments = arguments.iter().map(|value| Term::Variable(variable(*value))).collect();
        let result = command.allocates().then(|| variable(place as Value));
        elements.push(Element { operation: command.operation, arguments, result });
    }
    let mut pattern = Pattern::sequence(elements)?;
    let mut free: Vec<(usize, usize)> = Vec::new();
    let mut blocks = vec![(0, test.len())];
    while let Some((start, end)) = blocks.pop() {
        let mut last = start;
        while last + 1 < end {
            let early = moved((0..test.len()).collect(), start, last + 1);
            let late =
                free.iter().fold((0..test.len()).collect(), |order, (one, to)| moved(order, *one, *to));
            let late = moved(late, start, last + 1);
            let fails = |order: &[usize]| ordered(test, order).is_some_and(|test| fails(&test).is_some());
            if !(fails(&early) && (early == late || fails(&late))) {
                break;
            }
            last += 1;
        }
        if last > start {
            pattern.relax(start, last);
            free.push((start, last));
            blocks.extend([(last + 1, end), (start + 1, last + 1)]);
        } else if end - start > 1 {
            blocks.push((start + 1, end));
        }
    }
    Some(pattern)
}

fn moved(mut order: Vec<usize>, one: usize, behind: usize) -> Vec<usize> {
    order.retain(|other| *other != one);
    let place = order.iter().position(|other| *other == behind).map_or(order.len(), |place| place + 1);
    order.insert(place, one);
    order
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
