//! Broken states: calls after which many operations fail, whatever they are for.
//!
//! A call that leaves a value broken fails nowhere itself; it shows in whatever is called next. So two failures in
//! different calls are one fault if the same calls led to both, and if these break much more than the two.
//!
//! **Invariant:** a state counts as broken only by calls that were run and failed after it.

use super::generalize::other_literals;
use super::learner::Learner;
use crate::choice::Tape;
use crate::list::numbers;
use crate::program::{Argument, Call, Program, Role, Suite, first_call};

/// Calls, of at least two operations, that hardly lead to two faults by chance.
const LEAST_CALLS: usize = 3;
/// Operations that fail in a broken state, at the least.
const LEAST_BROKEN: usize = 3;
/// One in this many operations fails in a broken state, at the least.
const LEAST_SHARE: usize = 3;

/// Returns the calls that led to both of two failures, if the one program has all of the other up to its last call.
pub(crate) fn common_way(suite: &Suite, one: &Program, other: &Program) -> Option<Program> {
    let (shorter, longer) = if one.calls.len() <= other.calls.len() { (one, other) } else { (other, one) };
    let (way, longer) = (before_last(shorter), before_last(longer));
    let first = first_call(suite, &way);
    let mut rest = longer.calls.iter();
    let is_within = way.calls.iter().all(|call| rest.by_ref().any(|other| other.operation == call.operation));
    let own = way.calls.get(first..)?;
    let is_varied = own.iter().any(|call| call.operation != own[0].operation);
    (is_within && is_varied && own.len() >= LEAST_CALLS).then_some(way)
}

fn before_last(program: &Program) -> Program {
    let mut before = program.clone();
    before.calls.pop();
    before
}

/// Returns true if many operations fail after some calls.
pub(crate) fn is_broken(learner: &mut Learner<'_>, way: &Program) -> bool {
    let suite = learner.suite;
    let ways = [way.clone(), told_apart(suite, way)];
    let is_rule = |operation: usize| suite.operations[operation].role == Role::Call;
    let operations = numbers(suite.operations.len(), &is_rule);
    let (mut broken, mut left) = (0, operations.len());
    for operation in &operations {
        let least = LEAST_BROKEN.max(operations.len().div_ceil(LEAST_SHARE));
        if broken >= least || broken + left < least {
            return broken >= least;
        }
        left -= 1;
        broken += usize::from(fails_after(learner, &ways, &last_calls(suite, way, *operation)));
    }
    broken >= LEAST_BROKEN && broken * LEAST_SHARE >= operations.len()
}

/// The same calls with literals that differ from each other, as far as others come up: where all are equal, some that are
/// mixed up or lost do not show.
fn told_apart(suite: &Suite, way: &Program) -> Program {
    let (mut changed, mut used): (Program, Vec<Vec<u64>>) = (way.clone(), Vec::new());
    for (call, parameter) in way.literal_places() {
        let operation = way.calls[call].operation;
        let Argument::Literal(now) = &way.calls[call].arguments[parameter] else { continue };
        let is_new = |other: &Tape| !used.contains(&other.values());
        let other = other_literals(suite, operation, parameter, now, 1, None, &is_new).pop();
        let other = other.unwrap_or_else(|| now.clone());
        used.push(other.values());
        changed.calls[call].arguments[parameter] = Argument::Literal(other);
    }
    changed
}

/// Returns true if one of some calls fails after one of the ways.
fn fails_after(learner: &mut Learner<'_>, ways: &[Program], calls: &[Call]) -> bool {
    for call in calls {
        for way in ways {
            let mut program = way.clone();
            program.calls.push(call.clone());
            if program.is_sound(learner.suite) && learner.fails(&program) {
                return true;
            }
        }
    }
    false
}

/// The calls of an operation that may follow a program: with the simplest literals, and with what the program made
/// last or first.
fn last_calls(suite: &Suite, way: &Program, operation: usize) -> Vec<Call> {
    let made = |kind: &str| {
        let is_made = |place: usize| suite.operations[way.calls[place].operation].made_kind() == Some(kind);
        numbers(way.calls.len(), &is_made)
    };
    let mut calls: Vec<Call> = Vec::new();
    for takes_last in &[true, false] {
        let mut arguments = Vec::new();
        for parameter in &suite.operations[operation].parameters {
            if parameter.is_literal() {
                arguments.push(Argument::Literal(Tape::default()));
                continue;
            }
            let places = made(parameter.kind.name);
            let Some(place) = (if *takes_last { places.last() } else { places.first() }) else {
                return calls;
            };
            arguments.push(Argument::Earlier(*place));
        }
        let call = Call { operation, arguments };
        if !calls.contains(&call) {
            calls.push(call);
        }
    }
    calls
}
