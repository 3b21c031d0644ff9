//! Growth: whether a call that fails after others would fail by itself if it were given more.
//!
//! `push(0); extend(vec![0; 4])` and `extend(vec![0; 5])` are two ways to one amount, whatever else it depends on.
//!
//! **Invariant:** a call counts as grown only if it fails with one literal more than it had and all others as they were.

use super::generalize::other_literals;
use super::learner::Learner;
use crate::choice::Tape;
use crate::list::numbers;
use crate::pattern::{Aspect, Measures};
use crate::program::{Argument, Program, measures_of};

/// Larger literals that are tried in the place of one.
const LARGER: usize = 4;

/// Returns true if the last call of a program fails alone, once it has one literal of a program that has one call
/// only.
pub(crate) fn is_grown(learner: &mut Learner<'_>, alone: &Program, several: &Program) -> bool {
    let suite = learner.suite;
    let (Some(large), Some(small)) = (alone.calls.last(), several.calls.last()) else { return false };
    if large.operation != small.operation {
        return false;
    }
    let (more, less) = (measures_of(suite, large), measures_of(suite, small));
    for parameter in (0..more.len()).filter(|place| is_larger(&more[*place], &less[*place])) {
        let mut candidate = alone.clone();
        let Some(last) = candidate.calls.last_mut() else { return false };
        for (place, literal) in small.arguments.iter().enumerate() {
            if place != parameter && matches!(literal, Argument::Literal(_)) {
                last.arguments[place] = literal.clone();
            }
        }
        if candidate == *alone || (candidate.is_sound(suite) && learner.fails(&candidate)) {
            return true;
        }
    }
    false
}

/// Returns true if a program that makes many calls of an operation fails with one of them less, once a literal is larger.
/// Literals that are enough for a program of few calls do not count.
pub(crate) fn is_traded(learner: &mut Learner<'_>, few: &Program, many: &Program, operation: usize) -> bool {
    let suite = learner.suite;
    let last = many.calls.len() - 1;
    let is_spare = |place: usize| many.calls[place].operation == operation && !many.uses(place);
    let Some(spare) = numbers(last, &is_spare).first().copied() else { return false };
    let (fewer, _) = many.keeping(&|place| place != spare);
    let Some(end) = fewer.calls.len().checked_sub(1) else { return false };
    let repeated = (0..end).rfind(|place| fewer.calls[*place].operation == operation);
    for place in [Some(end), repeated].into_iter().flatten() {
        let call = &fewer.calls[place];
        for (parameter, argument) in call.arguments.iter().enumerate() {
            let Argument::Literal(now) = argument else { continue };
            let measures =
                |tape: &Tape| Measures::of(&suite.show_literal(call.operation, parameter, tape.clone()));
            let own = measures(now);
            let is_more = |tape: &Tape| is_larger(&measures(tape), &own);
            for literal in other_literals(suite, call.operation, parameter, now, LARGER, None, &is_more) {
                let with = |program: &Program, place: usize| {
                    let mut changed = program.clone();
                    changed.calls[place].arguments[parameter] = Argument::Literal(literal.clone());
                    changed
                };
                let same = few.calls.iter().rposition(|other| other.operation == call.operation);
                let is_enough = same.is_some_and(|place| learner.fails(&with(few, place)));
                let grown = with(&fewer, place);
                if !is_enough && grown.is_sound(suite) && learner.fails(&grown) {
                    return true;
                }
            }
        }
    }
    false
}

/// Returns true if a literal is larger than another in some quantity.
fn is_larger(one: &Measures, other: &Measures) -> bool {
    let aspects = [Aspect::Number, Aspect::Size, Aspect::Depth];
    aspects.into_iter().any(|aspect| one.get(aspect).abs() > other.get(aspect).abs())
}
