//! Guards: what makes a program pass although it has all the calls of a pattern.
//!
//! `unregister(?a)` fails because something was *not* called. A pattern cannot say so, but it can
//! learn what is missing from a program that passes: `unless ?p = spawn(); register(?a, ?p)`. A guard
//! excuses one instance of the pattern: the second `unregister(?a)` needs a second `register`. If that
//! turns out to be wrong, the guard is lasting.
//!
//! **Invariant:** a guarded pattern matches a program if some way of finding its elements there is
//! excused by none of the guards.

use super::embedding::{Embedding, FUEL, unify};
use super::generalize::{calls_of, term};
use super::history::History;
use super::pattern::{Element, UNBOUND, Value};
use crate::list::{Listed, place_of};
use crate::program::{Program, Suite};

/// Calls that excuse an instance of a pattern.
///
/// ```
/// use bugnet::bug::Guard;
///
/// assert!(!Guard::default().lasting);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Guard {
    /// The calls, in order.
    pub extras: Vec<Extra>,
    /// Whether they excuse every instance that comes after them and not only one.
    pub lasting: bool,
}

/// A call of a guard.
///
/// ```
/// use bugnet::bug::{Element, Extra, Term};
///
/// let element = Element { operation: 2, arguments: vec![Term::Variable(0)], result: None };
/// let extra = Extra { element, after: 0b01, before: 0b10 };
/// assert_eq!(extra.after & extra.before, 0);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extra {
    /// The call; variables that the pattern does not have are the guard's own.
    pub element: Element,
    /// The elements of the pattern that come before it.
    pub after: u64,
    /// The elements of the pattern that come after it.
    pub before: u64,
}

impl Guard {
    /// Whether the calls of the guard are there, where they excuse an embedding.
    pub(super) fn holds(&self, embedding: &Embedding, history: &History) -> bool {
        let mut bindings = embedding.bindings.clone();
        for extra in &self.extras {
            bindings.resize(bindings.len().max(usize::from(extra.element.variables())), UNBOUND);
        }
        self.holds_from(0, 0, embedding, bindings, history, &mut { FUEL })
    }

    /// Whether the calls from one on are there, in so many steps: calls that leave much open can be found in very
    /// many ways. What is hard to say does not excuse.
    fn holds_from(
        &self,
        extra: usize,
        earliest: usize,
        embedding: &Embedding,
        bindings: Vec<Value>,
        history: &History,
        fuel: &mut u32,
    ) -> bool {
        let Some(described) = self.extras.get(extra) else {
            return self.lasting || !is_used_up(earliest, embedding, history);
        };
        let (mut start, mut end) = (earliest, history.len());
        for (element, place) in embedding.places.iter().enumerate() {
            if described.after & (1 << element) != 0 {
                start = start.max(place + 1);
            }
            if described.before & (1 << element) != 0 {
                end = end.min(*place);
            }
        }
        (start..end).any(|candidate| {
            let mut next = bindings.clone();
            if embedding.places.contains(&candidate)
                || !unify(&described.element, history, candidate, &mut next)
                || *fuel == 0
            {
                return false;
            }
            *fuel -= 1;
            self.holds_from(extra + 1, candidate + 1, embedding, next, history, fuel)
        })
    }
}

/// Whether an equal call has come between the guard and the last call of an embedding.
fn is_used_up(earliest: usize, embedding: &Embedding, history: &History) -> bool {
    let mut last = 0;
    embedding.places.iter().for_each(|place| last = last.max(*place));
    let call = history.call(last);
    (earliest..last).any(|place| {
        let other = history.call(place);
        other.operation == call.operation && other.arguments == call.arguments
    })
}

impl Guard {
    /// The guard that a program teaches: its last call completes an embedding of the pattern, and yet
    /// it passes, for a reason that is in the calls besides. Values that the pattern has no variable
    /// for get variables of the guard. What comes before the first call is of no account.
    pub(crate) fn learned(suite: &Suite, first: usize, program: &Program, embedding: &Embedding) -> Guard {
        let history = calls_of(suite, program);
        let mut bindings = embedding.bindings.clone();
        let mut extras = Vec::new();
        let others: Vec<usize> =
            (first..history.len()).filter(|place| !embedding.places.contains(place)).listed();
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
