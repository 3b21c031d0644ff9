//! Guards: what makes a program pass although it has all the calls of a pattern.
//!
//! `unregister(?a)` fails because something was *not* called. A pattern cannot say so, but it can
//! learn what is missing from a program that passes: `unless ?p = spawn(); register(?a, ?p)`. A guard
//! excuses one instance of the pattern: the second `unregister(?a)` needs a second `register`. If that
//! turns out to be wrong, the guard is lasting.
//!
//! **Invariant:** a guarded pattern matches a program if some way of finding its elements there is
//! excused by none of the guards.

use super::matcher::{History, fits};
use super::pattern::{Element, Pattern, STATE, Term, UNBOUND, Value};
use crate::list::{Listed, place_of};

/// How many steps the search for an embedding may take.
const FUEL: u32 = 4_000;

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

/// Where the elements of a pattern are in a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Embedding {
    pub(crate) places: Vec<usize>,
    pub(crate) bindings: Vec<Value>,
}

/// A place that is not decided yet.
const NOWHERE: usize = usize::MAX;

/// Whether a pattern matches a program with its last call.
pub(super) fn matches_at_end(pattern: &Pattern, history: &History) -> bool {
    // A search that takes too long might have found one.
    unguarded(pattern, history).unwrap_or(true)
}

/// Whether an embedding that ends with the last call is excused by no guard; `None` if that is hard
/// to say.
fn unguarded(pattern: &Pattern, history: &History) -> Option<bool> {
    let mut fuel = FUEL;
    let mut found = false;
    search(pattern, history, &mut fuel, &mut |embedding| {
        found = !pattern.guards.iter().any(|guard| guard.holds(embedding, history));
        found
    });
    (found || fuel > 0).then_some(found)
}

/// All embeddings of a pattern that end with the last call of a program and that no guard excuses.
pub(crate) fn embeddings(pattern: &Pattern, history: &History) -> Vec<Embedding> {
    let mut all = Vec::new();
    search(pattern, history, &mut FUEL.clone(), &mut |embedding| {
        if !pattern.guards.iter().any(|guard| guard.holds(embedding, history)) {
            all.push(embedding.clone());
        }
        false
    });
    all
}

/// Finds embeddings that end with the last call until `found` says that it is enough.
fn search(
    pattern: &Pattern,
    history: &History,
    fuel: &mut u32,
    found: &mut dyn FnMut(&Embedding) -> bool,
) -> bool {
    let Some(last) = history.len().checked_sub(1) else { return false };
    let blank = Embedding {
        places: vec![NOWHERE; pattern.elements.len()],
        bindings: vec![UNBOUND; usize::from(pattern.variables())],
    };
    for element in pattern.last_elements() {
        let mut embedding = blank.clone();
        embedding.places[element] = last;
        if unify(&pattern.elements[element], history, last, &mut embedding.bindings)
            && place(pattern, history, 0, embedding, fuel, found)
        {
            return true;
        }
    }
    false
}

/// Finds places for the elements from one on.
fn place(
    pattern: &Pattern,
    history: &History,
    element: usize,
    embedding: Embedding,
    fuel: &mut u32,
    found: &mut dyn FnMut(&Embedding) -> bool,
) -> bool {
    let Some(described) = pattern.elements.get(element) else { return found(&embedding) };
    if embedding.places[element] != NOWHERE {
        return place(pattern, history, element + 1, embedding, fuel, found);
    }
    let mut earliest = 0;
    for other in 0..element {
        if pattern.before[element] & (1 << other) != 0 {
            earliest = earliest.max(embedding.places[other] + 1);
        }
    }
    let made = described.result.map(|result| embedding.bindings[usize::from(result)]);
    let candidates = match made {
        Some(made) if made != UNBOUND => earliest.max(made as usize)..history.len().min(made as usize + 1),
        _ => earliest..history.len(),
    };
    for candidate in candidates.rev() {
        if history.operation(candidate) != described.operation || embedding.places.contains(&candidate) {
            continue;
        }
        *fuel = fuel.saturating_sub(1);
        if *fuel == 0 {
            return false;
        }
        let mut next = embedding.clone();
        next.places[element] = candidate;
        if unify(described, history, candidate, &mut next.bindings)
            && place(pattern, history, element + 1, next, fuel, found)
        {
            return true;
        }
    }
    false
}

/// Takes a call for an element, if their operations and values agree.
fn unify(element: &Element, history: &History, place: usize, bindings: &mut [Value]) -> bool {
    if history.operation(place) != element.operation {
        return false;
    }
    let call = history.call(place);
    let mut bind = |variable: u8, value: Value| {
        let bound = &mut bindings[usize::from(variable)];
        let agrees = [UNBOUND, value].contains(bound);
        *bound = value;
        agrees
    };
    let mut terms = element.arguments.iter().enumerate();
    terms.all(|(place, term)| match term {
        Term::Variable(variable) => bind(*variable, call.arguments[place]),
        term => fits(term, &call, place),
    }) && element.result.is_none_or(|result| bind(result, place as Value))
}

impl Guard {
    /// Whether the calls of the guard are there, where they excuse an embedding.
    fn holds(&self, embedding: &Embedding, history: &History) -> bool {
        let mut bindings = embedding.bindings.clone();
        for extra in &self.extras {
            bindings.resize(bindings.len().max(usize::from(extra.element.variables())), UNBOUND);
        }
        self.holds_from(0, 0, embedding, bindings, history)
    }

    fn holds_from(
        &self,
        extra: usize,
        earliest: usize,
        embedding: &Embedding,
        bindings: Vec<Value>,
        history: &History,
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
            !embedding.places.contains(&candidate)
                && unify(&described.element, history, candidate, &mut next)
                && self.holds_from(extra + 1, candidate + 1, embedding, next, history)
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
    pub(crate) fn learned(first: usize, history: &History, embedding: &Embedding) -> Guard {
        let mut bindings = embedding.bindings.clone();
        let mut extras = Vec::new();
        let others: Vec<usize> =
            (first..history.len()).filter(|place| !embedding.places.contains(place)).listed();
        for place in &others {
            let call = history.call(*place);
            let mut variable = |value: Value| {
                let known = place_of(&bindings, &value);
                known.unwrap_or_else(|| {
                    bindings.push(value);
                    bindings.len() - 1
                }) as u8
            };
            let term = |value: &Value| match *value {
                STATE => Term::Any,
                value => Term::Variable(variable(value)),
            };
            let arguments = call.arguments.iter().map(term).listed();
            let is_used = |later: &usize| history.call(*later).arguments.contains(&(*place as Value));
            let result = others.iter().any(is_used).then(|| variable(*place as Value));
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
