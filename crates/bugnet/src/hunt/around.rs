//! Around a failure: random programs, and variations of failing ones, run to see which calls fail.
//!
//! **Invariant:** which programs are run depends on the failing ones alone.

use crate::case::Judge;
use crate::choice::{Source, Tape};
use crate::learn::Trace;
use crate::list::{mapped, numbers};
use crate::oracle::{Signature, Verdict, WrongTest};
use crate::pattern::Matcher;
use crate::program::{Argument, Call, Program, Suite, finds, first_call};
use crate::random::Seed;

/// Random programs that are run.
const RANDOM: u64 = 40;
/// Variations of failing programs that are run.
const VARIATIONS: usize = 80;
/// Calls in which a variation differs, at most.
const MOST_EDITS: u64 = 3;

/// Runs programs around some that fail in one way, and returns what became of all of them. A program that matches
/// another bug has failed in another way.
pub(super) fn traces(
    suite: &Suite,
    judge: &mut Judge<'_>,
    signature: &Signature,
    failing: &[Program],
    others: &mut Matcher,
) -> Result<Vec<Trace>, WrongTest> {
    let mut trace = |program: &Program, verdict: &Verdict| {
        let is_other = matches!(verdict, Verdict::Fail(_)) && finds(others, suite, program);
        trace(suite, program, verdict, signature, is_other)
    };
    let mut traces = mapped(failing, |program| Trace::new(suite, program, true));
    let mut donors: Vec<Call> = Vec::new();
    for case in 0..RANDOM {
        if judge.is_spent() {
            break;
        }
        let (verdict, tape) = judge.recorded(Source::recording(Seed::of_name("around a failure"), case))?;
        let Some(program) = Program::of(suite, &tape) else { continue };
        for call in &program.calls {
            if let Some(fitting) = fitted(suite, &failing[0], call) {
                donors.push(fitting);
            }
        }
        if let Some(trace) = trace(&program, &verdict) {
            traces.push(trace);
        }
    }
    let mut random = Source::unseen(Seed::of_name("variations"));
    let mut below = |bound: usize| random.random_below(bound.max(1) as u64) as usize;
    for number in 0..VARIATIONS {
        if judge.is_spent() {
            break;
        }
        let mut varied = failing[number % failing.len()].clone();
        for _ in 0..=below(MOST_EDITS as usize) {
            edit(suite, &mut varied, &donors, &mut below);
        }
        if !varied.calls.is_empty() && varied.is_sound(suite) {
            let (verdict, tape) = judge.recorded(Source::replay(varied.tape(suite)))?;
            let Some(program) = Program::of(suite, &tape) else { continue };
            if let Some(trace) = trace(&program, &verdict) {
                traces.push(trace);
            }
        }
    }
    Ok(traces)
}

/// Returns the trace of a program and its fate. A program that failed in another way has passed up to its last call.
fn trace(
    suite: &Suite,
    program: &Program,
    verdict: &Verdict,
    signature: &Signature,
    is_other: bool,
) -> Option<Trace> {
    match verdict {
        Verdict::Pass => Some(Trace::new(suite, program, false)),
        Verdict::Fail(failure) if failure.signature == *signature && !is_other => {
            Some(Trace::new(suite, program, true))
        }
        Verdict::Fail(_) => {
            let mut before = program.clone();
            before.calls.pop();
            Some(Trace::new(suite, &before, false))
        }
        Verdict::Discard => None,
    }
}

/// A call as another program can make it: with its literals, and what the first call of that program has made.
fn fitted(suite: &Suite, program: &Program, call: &Call) -> Option<Call> {
    let maker = &suite.operations[program.calls.first()?.operation];
    let mut fitted = call.clone();
    if call.arguments.is_empty() {
        return None;
    }
    for (parameter, argument) in fitted.arguments.iter_mut().enumerate() {
        if let Argument::Earlier(place) = argument {
            let kind = suite.operations[call.operation].parameters[parameter].kind.name;
            if maker.made_kind() != Some(kind) {
                return None;
            }
            *place = 0;
        }
    }
    Some(fitted)
}

/// Changes a program: a call more or less, or another literal.
fn edit(suite: &Suite, program: &mut Program, donors: &[Call], below: &mut dyn FnMut(usize) -> usize) {
    let first = first_call(suite, program).max(1).min(program.calls.len());
    let place = first + below(program.calls.len() + 1 - first);
    match below(4) {
        0 | 1 if !donors.is_empty() => insert(program, place, donors[below(donors.len())].clone()),
        2 if place < program.calls.len() => {
            let call = program.calls[place].clone();
            let earlier = call.results().all(|made| made < place);
            if earlier {
                insert(program, place + 1, call);
            }
        }
        _ if place < program.calls.len() => {
            let others =
                numbers(donors.len(), &|donor| donors[donor].operation == program.calls[place].operation);
            match others.is_empty() || below(3) == 0 {
                true if !program.uses(place) => remove(program, place),
                true => {}
                false => replace(&mut program.calls[place], &donors[others[below(others.len())]]),
            }
        }
        _ => {}
    }
}

fn insert(program: &mut Program, place: usize, call: Call) {
    program.calls.insert(place, call);
    renumber(program, place + 1, &|made| if made >= place { made + 1 } else { made });
}

fn remove(program: &mut Program, place: usize) {
    program.calls.remove(place);
    renumber(program, place, &|made| if made > place { made - 1 } else { made });
}

/// Has calls from a place on use what was made by calls of other numbers.
fn renumber(program: &mut Program, from: usize, number: &dyn Fn(usize) -> usize) {
    for call in &mut program.calls[from..] {
        for argument in &mut call.arguments {
            if let Argument::Earlier(made) = argument {
                *made = number(*made);
            }
        }
    }
}

/// Gives a call the literals of another one.
fn replace(call: &mut Call, other: &Call) {
    for (argument, other) in call.arguments.iter_mut().zip(&other.arguments) {
        let tape: Option<&Tape> = match other {
            Argument::Literal(tape) => Some(tape),
            Argument::Earlier(_) => None,
        };
        if let (Argument::Literal(now), Some(tape)) = (argument, tape) {
            now.clone_from(tape);
        }
    }
}
