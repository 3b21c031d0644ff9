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
use super::history::History;
use super::{Element, UNBOUND, Value};

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
    /// True if the calls excuse every instance that comes after them and not only one.
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
    /// Returns true if the calls of the guard are where they excuse an embedding.
    pub(crate) fn holds(&self, embedding: &Embedding, history: &History) -> bool {
        let mut bindings = embedding.bindings.clone();
        for extra in &self.extras {
            bindings.resize(bindings.len().max(usize::from(extra.element.variables())), UNBOUND);
        }
        self.holds_from(0, 0, embedding, bindings, history, &mut { FUEL })
    }

    /// Returns true if the calls from one on are present, found within a limit of steps: calls that leave much open
    /// can be found in very many ways. A search that takes longer does not excuse.
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

/// Returns true if an equal call has come between the guard and the last call of an embedding.
fn is_used_up(earliest: usize, embedding: &Embedding, history: &History) -> bool {
    let mut last = 0;
    for place in &embedding.places {
        last = last.max(*place);
    }
    let call = history.call(last);
    (earliest..last).any(|place| {
        let other = history.call(place);
        other.operation == call.operation && other.arguments == call.arguments
    })
}
