//! The baselines: QuickCheck, RDS and MoreBugs as the paper describes them, on commands of their own.
//!
//! **Invariant:** each method is written as in the paper, with nothing of ours but the matcher.

use super::system::{CALLS, Calibration, Registry};
use crate::paper;
use crate::random::SplitMix64;
use bugnet::bug::{Matcher, Pattern, Value, literal_value, subsumes};
use std::collections::BTreeSet;

/// Calls after which a run that has not found all bugs counts as one that does not find them.
const MOST_CALLS: u64 = 100_000;

/// A call; processes are numbered by the order in which they are spawned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Command {
    Spawn,
    Register(u8, usize),
    Unregister(u8),
    Whereis(u8),
    Kill(usize),
}

use Command::{Kill, Register, Spawn, Unregister, Whereis};

type Test = Vec<Command>;

pub(super) fn spawned(test: &[Command]) -> usize {
    test.iter().filter(|command| **command == Spawn).count()
}

/// A random call that can follow others.
fn command(calibration: &Calibration, test: &[Command], random: &mut SplitMix64) -> Command {
    let name = |random: &mut SplitMix64| random.below(u64::from(calibration.names)) as u8;
    let pids = spawned(test) as u64;
    match random.below(5) {
        1 if pids > 0 => Register(name(random), random.below(pids) as usize),
        2 => Unregister(name(random)),
        3 => Whereis(name(random)),
        4 if pids > 0 => Kill(random.below(pids) as usize),
        1 | 4 => command(calibration, test, random),
        _ => Spawn,
    }
}

/// Runs a test: at which call it fails, and which bug that is.
pub(super) fn fails(calibration: &Calibration, test: &[Command]) -> Option<(usize, u32)> {
    let (mut registry, mut model) = (Registry::default(), Vec::<(u8, usize)>::new());
    for (place, command) in test.iter().enumerate() {
        CALLS.set(CALLS.get() + 1);
        let bug = match *command {
            Spawn => {
                registry.spawn();
                None
            }
            Register(name, pid) => {
                let refused = registry.refuses(name, pid, calibration.process_first);
                registry.register(name, pid);
                model.push((name, pid));
                refused
            }
            Unregister(name) => {
                let known = model.iter().any(|(other, _)| *other == name);
                model.retain(|(other, _)| *other != name);
                (!registry.unregister(name)).then_some(if known { 6 } else { 1 })
            }
            Whereis(name) => {
                let expected = model.iter().find(|(other, _)| *other == name).map(|found| found.1);
                (registry.whereis(name) != expected).then_some(4)
            }
            Kill(pid) => {
                registry.kill(pid);
                None
            }
        };
        if let Some(bug) = bug {
            return Some((place, bug));
        }
    }
    None
}

impl paper::Command for Command {
    fn makes(&self) -> bool {
        *self == Spawn
    }

    fn seen(&self, made: &dyn Fn(usize) -> Value) -> (usize, Vec<Value>) {
        let name = |name: u8| literal_value("name", &[u64::from(name)]);
        match *self {
            Spawn => (0, vec![]),
            Register(a, pid) => (1, vec![name(a), made(pid)]),
            Unregister(a) => (2, vec![name(a)]),
            Whereis(a) => (3, vec![name(a)]),
            Kill(pid) => (4, vec![made(pid)]),
        }
    }

    fn renumbered(&self, number: &dyn Fn(usize) -> Option<usize>) -> Option<Command> {
        Some(match *self {
            Register(name, pid) => Register(name, number(pid)?),
            Kill(pid) => Kill(number(pid)?),
            other => other,
        })
    }
}

/// A random test that no pattern matches.
fn generated(calibration: &Calibration, matcher: &mut Matcher, random: &mut SplitMix64) -> Test {
    let mut test = Test::new();
    matcher.clear();
    for _ in 0..random.below(calibration.longest) {
        if !paper::extend(&mut test, matcher, &mut |test| command(calibration, test, random)) {
            break;
        }
    }
    test
}

/// Takes calls out as long as the test fails.
fn reduced(calibration: &Calibration, test: Test, matcher: &mut Matcher) -> Test {
    paper::reduced(test, matcher, &|test| Some(fails(calibration, test)?.0))
}

/// Tests until all five bugs have been seen; `found` takes in a failing test and says which it is.
fn until_all_five(
    calibration: &Calibration,
    seed: u64,
    matcher: &mut Matcher,
    found: &mut dyn FnMut(Test, u32, &mut Matcher) -> u32,
) -> Option<u64> {
    let mut random = SplitMix64(seed.wrapping_mul(0x9e37_79b9) + 1);
    let mut classes = BTreeSet::new();
    let mut tried = BTreeSet::new();
    CALLS.set(0);
    while CALLS.get() < MOST_CALLS {
        let test = generated(calibration, matcher, &mut random);
        if !tried.insert(test.clone()) {
            continue;
        }
        if let Some((last, bug)) = fails(calibration, &test) {
            classes.insert(found(test[..=last].to_vec(), bug, matcher));
            if (1..=5).all(|bug| classes.contains(&bug)) {
                return Some(CALLS.get());
            }
        }
    }
    None
}

/// QuickCheck, whose failing tests stay as long as they are.
pub fn unshrunk(calibration: &Calibration, seed: u64) -> Option<u64> {
    until_all_five(calibration, seed, &mut Matcher::default(), &mut |_, bug, _| bug)
}

/// QuickCheck, which reduces every failing test.
pub fn shrunk(calibration: &Calibration, seed: u64) -> Option<u64> {
    until_all_five(calibration, seed, &mut Matcher::default(), &mut |test, _, matcher| {
        let test = reduced(calibration, test, matcher);
        let calls = CALLS.get();
        let bug = fails(calibration, &test).map_or(0, |(_, bug)| bug);
        CALLS.set(calls);
        bug
    })
}

/// MoreBugs: failing tests are reduced and generalized, and what matches is not generated again.
pub fn more_bugs(calibration: &Calibration, seed: u64) -> Option<u64> {
    let mut patterns: Vec<Pattern> = Vec::new();
    until_all_five(calibration, seed, &mut Matcher::default(), &mut |test, _, matcher| {
        let test = reduced(calibration, test, matcher);
        let calls = CALLS.get();
        let bug = fails(calibration, &test).map_or(0, |(_, bug)| bug);
        CALLS.set(calls);
        let pattern = paper::generalized(&test, &|test| Some(fails(calibration, test)?.0));
        let pattern = pattern.expect("a reduced test is short");
        patterns.retain(|known| !subsumes(&pattern, known));
        patterns.push(pattern);
        *matcher = Matcher::new(&patterns);
        bug
    })
}

/// Who has which name.
type Names = Vec<(u8, usize)>;

/// Randoop in the manner of section 3.2: one call more for the shortest way to a state of the model,
/// with the three reasons to refuse told apart.
pub fn rds(calibration: &Calibration, seed: u64) -> Option<u64> {
    let mut random = SplitMix64(seed.wrapping_mul(0x9e37_79b9) + 1);
    // What was killed is part of the state here: as a no-op of the model, no program with a kill would
    // ever be extended, and two of the bugs could not be found.
    let mut states: Vec<(Names, usize, Test)> = vec![(Vec::new(), 0, Test::new())];
    let (mut classes, mut tried) = (BTreeSet::new(), BTreeSet::new());
    CALLS.set(0);
    while CALLS.get() < MOST_CALLS {
        let (_, _, base) = &states[random.below(states.len() as u64) as usize];
        let mut test = base.clone();
        test.push(command(calibration, &test, &mut random));
        if !tried.insert(test.clone()) {
            continue;
        }
        if let Some((_, bug)) = fails(calibration, &test) {
            classes.insert(bug);
            if (1..=5).all(|bug| classes.contains(&bug)) {
                return Some(CALLS.get());
            }
            continue;
        }
        let mut model: Vec<(u8, usize)> = Vec::new();
        for command in &test {
            match *command {
                Register(name, pid) => model.push((name, pid)),
                Unregister(name) => model.retain(|(other, _)| *other != name),
                Kill(pid) => model.push((u8::MAX, pid)),
                _ => {}
            }
        }
        model.sort_unstable();
        model.dedup();
        let count = spawned(&test);
        match states.iter_mut().find(|(other, pids, _)| *other == model && *pids == count) {
            Some((_, _, known)) if test.len() < known.len() => *known = test,
            Some(_) => {}
            None => states.push((model, count, test)),
        }
    }
    None
}
