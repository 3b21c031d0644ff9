//! Growth: whether a call that fails after others would fail by itself if it were given more.
//!
//! `push(0); extend(vec![0; 4])` and `extend(vec![0; 5])` are two ways to one amount, whatever else it depends on.
//!
//! **Invariant:** a call counts as grown only if it fails with one literal more than it had and all others as they were.

use super::learner::Learner;
use crate::pattern::{Aspect, Measures};
use crate::program::{Argument, Program, measures_of};

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

/// Returns true if a literal is larger than another in some quantity.
fn is_larger(one: &Measures, other: &Measures) -> bool {
    let aspects = [Aspect::Number, Aspect::Size, Aspect::Depth];
    aspects.into_iter().any(|aspect| one.get(aspect).abs() > other.get(aspect).abs())
}
