//! Guards learned: the calls by which a program passes although a pattern matches it.
//!
//! **Invariant:** what a guard is learned from, it excuses.

use super::generalize::term;
use crate::list::{numbers, place_of};
use crate::pattern::{Element, Embedding, Extra, Guard, UNBOUND, Value};
use crate::program::{Program, Suite, calls_of};

impl Guard {
    /// The guard that a program teaches: its last call completes an embedding of the pattern, and yet
    /// it passes, for a reason that is in the calls besides. Values that the pattern has no variable
    /// for get variables of the guard. What comes before the first call is of no account.
    pub(crate) fn learned(suite: &Suite, first: usize, program: &Program, embedding: &Embedding) -> Guard {
        let history = calls_of(suite, program);
        let mut bindings = embedding.bindings.clone();
        let mut extras = Vec::new();
        let others: Vec<usize> =
            numbers(history.len(), &|place| place >= first && !embedding.places.contains(&place));
        for place in &others {
            let call = &program.calls[*place];
            let mut variable = |value: Value| {
                let known = if value == UNBOUND { None } else { place_of(&bindings, &value) };
                let place = known.unwrap_or_else(|| {
                    bindings.push(value);
                    bindings.len() - 1
                });
                Some(place as u8)
            };
            let mut arguments = Vec::new();
            for (parameter, argument) in call.arguments.iter().enumerate() {
                arguments.push(term(suite, call.operation, parameter, argument, &mut variable));
            }
            let is_used = |later: &usize| history.call(*later).arguments.contains(&(*place as Value));
            let result = if others.iter().any(is_used) { variable(*place as Value) } else { None };
            let element = Element { operation: call.operation, arguments, result };
            let (mut after, mut before) = (0, 0);
            for (element, at) in embedding.places.iter().enumerate() {
                after |= u64::from(at < place) << element;
                before |= u64::from(at > place) << element;
            }
            extras.push(Extra { element, after, before });
        }
        Guard { extras, lasting: false }
    }
}
