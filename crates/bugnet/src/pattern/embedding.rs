//! Embeddings: where the elements of a pattern are in a program, found by trying.
//!
//! The last call of the program is taken for the last element, and with its values there are few calls
//! left that the others can be. Patterns that leave much open may have very many embeddings, and so every
//! search has fuel.
//!
//! **Invariant:** an embedding is in an order that the pattern allows, and one call is one element only.

use super::history::History;
use super::{Element, Pattern, UNBOUND, Value};

/// Steps of a search that tells instances of a guarded pattern apart, at most.
pub(crate) const FUEL: u32 = 4_000;

/// The places of the elements of a pattern in a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Embedding {
    pub(crate) places: Vec<usize>,
    pub(crate) bindings: Vec<Value>,
}

/// A place that is not decided yet.
const NOWHERE: usize = usize::MAX;

/// All embeddings of a pattern that end with the last call of a program and that no guard excuses.
pub(crate) fn embeddings(pattern: &Pattern, history: &History) -> Vec<Embedding> {
    let (mut all, mut search) = (Vec::new(), Search::default());
    for element in pattern.last_elements() {
        search.run(pattern, history, element, Order::LatestFirst, &mut |embedding| {
            if !pattern.guards.iter().any(|guard| guard.holds(embedding, history)) {
                all.push(embedding.clone());
            }
            false
        });
    }
    all
}

/// Which of the calls that an element can be is tried first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    EarliestFirst,
    LatestFirst,
}

/// A search for embeddings.
#[derive(Debug, Clone)]
pub(crate) struct Search {
    embedding: Embedding,
    /// The bindings before each element that has a place.
    saved: Vec<Value>,
    fuel: u32,
}

impl Default for Search {
    fn default() -> Search {
        Search { embedding: Embedding::default(), saved: Vec::new(), fuel: FUEL }
    }
}

impl Search {
    /// Returns true if some embedding has the last call of a program for an element and no guard excuses it; `None`
    /// if that is hard to say.
    pub(crate) fn finds(
        &mut self,
        pattern: &Pattern,
        history: &History,
        element: usize,
        fuel: u32,
    ) -> Option<bool> {
        self.fuel = fuel;
        let mut is_unexcused =
            |embedding: &Embedding| !pattern.guards.iter().any(|guard| guard.holds(embedding, history));
        let found = self.run(pattern, history, element, Order::EarliestFirst, &mut is_unexcused);
        (found || self.fuel > 0).then_some(found)
    }

    /// Finds embeddings that have the last call for an element until `found` says that it is enough.
    fn run(
        &mut self,
        pattern: &Pattern,
        history: &History,
        element: usize,
        order: Order,
        found: &mut dyn FnMut(&Embedding) -> bool,
    ) -> bool {
        let Some(last) = history.len().checked_sub(1) else { return false };
        let Embedding { places, bindings } = &mut self.embedding;
        places.clear();
        places.resize(pattern.elements.len(), NOWHERE);
        bindings.clear();
        bindings.resize(usize::from(pattern.variables()), UNBOUND);
        places[element] = last;
        unify(&pattern.elements[element], history, last, bindings)
            && Places { pattern, history, order, search: self }.place(0, found)
    }
}

/// A search in a program.
struct Places<'a> {
    pattern: &'a Pattern,
    history: &'a History,
    order: Order,
    search: &'a mut Search,
}

impl Places<'_> {
    /// Finds places for the elements from one on.
    fn place(&mut self, element: usize, found: &mut dyn FnMut(&Embedding) -> bool) -> bool {
        let Places { pattern, history, .. } = *self;
        let Embedding { places, bindings } = &self.search.embedding;
        let Some(described) = pattern.elements.get(element) else { return found(&self.search.embedding) };
        if places[element] != NOWHERE {
            return self.place(element + 1, found);
        }
        let mut earliest = 0;
        for (other, place) in places[..element].iter().enumerate() {
            if pattern.before[element] & (1 << other) != 0 {
                earliest = earliest.max(place + 1);
            }
        }
        let made = described.result.map_or(UNBOUND, |result| bindings[usize::from(result)]);
        if made != UNBOUND {
            return made >= earliest as Value
                && history.is_made_by(made, described.operation)
                && self.places_at(made as usize, element, found);
        }
        let calls = history.calls_of(described.operation);
        let mut calls = calls[calls.partition_point(|call| (*call as usize) < earliest)..].iter();
        while let Some(call) = match self.order {
            Order::EarliestFirst => calls.next(),
            Order::LatestFirst => calls.next_back(),
        } {
            if self.places_at(*call as usize, element, found) {
                return true;
            }
        }
        false
    }

    /// Finds places for the elements after one that is at a place.
    fn places_at(&mut self, place: usize, element: usize, found: &mut dyn FnMut(&Embedding) -> bool) -> bool {
        let Places { pattern, history, .. } = *self;
        let Search { embedding: Embedding { places, bindings }, saved, fuel } = &mut *self.search;
        if places.contains(&place) {
            return false;
        }
        *fuel = fuel.saturating_sub(1);
        let described = &pattern.elements[element];
        if *fuel == 0 || !agrees(described, history, place, bindings) {
            return false;
        }
        let start = saved.len();
        saved.extend_from_slice(bindings);
        places[element] = place;
        let is_found = unify(described, history, place, bindings) && self.place(element + 1, found);
        let Search { embedding: Embedding { places, bindings }, saved, .. } = &mut *self.search;
        places[element] = NOWHERE;
        bindings.copy_from_slice(&saved[start..]);
        saved.truncate(start);
        is_found
    }
}

/// Returns true if the arguments of a call can be those of an element, as far as values are known.
fn agrees(element: &Element, history: &History, place: usize, bindings: &[Value]) -> bool {
    let values = history.arguments(place);
    element.arguments.iter().zip(values).enumerate().all(|(at, (term, value))| {
        let bound = term.variable().map_or(UNBOUND, |variable| bindings[usize::from(variable)]);
        (bound == UNBOUND || bound == *value) && (!term.asks() || history.call(place).fits(at, term))
    })
}

/// Takes a call for an element, if their operations and values agree.
pub(crate) fn unify(element: &Element, history: &History, place: usize, bindings: &mut [Value]) -> bool {
    if history.operation(place) != element.operation {
        return false;
    }
    let values = history.arguments(place);
    let mut bind = |variable: u8, value: Value| {
        let bound = &mut bindings[usize::from(variable)];
        let agrees = [UNBOUND, value].contains(bound);
        *bound = value;
        agrees
    };
    let mut terms = element.arguments.iter().enumerate();
    terms.all(|(at, term)| {
        (!term.asks() || history.call(place).fits(at, term))
            && term.variable().is_none_or(|variable| bind(variable, values[at]))
    }) && element.result.is_none_or(|result| bind(result, place as Value))
}
