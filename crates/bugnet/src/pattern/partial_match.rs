//! A partial match: one pattern, and the ways in which a part of it has been found in a program so far.
//!
//! Each way is a state: a mask of elements, and the values of those variables that later elements need.
//! Two things keep states few. A state is dropped if another one has found as much and demands less. And
//! a call that makes a value out of nothing (`?p = spawn()`) is not matched when it is made but when its
//! value is used: then it is known which of them is meant.
//!
//! **Invariant:** as long as there are at most [`MOST_STATES`] states, a call completes the pattern if and
//! only if the pattern matches the program with the call and not the one without.

use super::completion_table::shared_variables;
use super::embedding::{FUEL, Search};
use super::history::{Call, History};
use super::{Element, Pattern, Term, UNBOUND, Value};

/// Steps that a search may take before states are kept instead.
const LITTLE_FUEL: u32 = 250;
/// A pattern with more states than this is no longer watched for in the program.
const MOST_STATES: usize = 4096;

/// One pattern, and how far it has been found.
#[derive(Debug, Clone)]
pub(super) struct PartialMatch {
    pattern: Pattern,
    /// The demands of each element on a call: literals by the places of the arguments, and variables that stand
    /// elsewhere too.
    literals: Vec<Vec<(usize, Term)>>,
    variables: Vec<Vec<(usize, usize)>>,
    /// The elements that have to be matched before each.
    before: Vec<u64>,
    /// Elements that are matched when their values are used.
    lazy: u64,
    /// For each variable, the elements that use it, and those that make something of the same sort
    /// and are matched later: two of them must not be the same call.
    needed: Vec<u64>,
    /// For each variable the element that makes it, if that is matched later.
    makers: Vec<Option<usize>>,
    /// The elements that are matched when the call is made, by their operations.
    eager: Vec<Eager>,
    /// Each a mask and the values of all variables.
    states: Vec<u64>,
    /// States that the last call has brought.
    added: Vec<u64>,
    overflowed: bool,
    /// True if the states know of any call of this program.
    is_begun: bool,
}

/// The elements of a pattern that calls of an operation are matched with when they are made.
#[derive(Debug, Clone)]
struct Eager {
    operation: usize,
    elements: u64,
    /// The number of calls of the operation that the states know of.
    known: usize,
}

impl PartialMatch {
    pub(super) fn new(pattern: Pattern) -> PartialMatch {
        let variables = usize::from(pattern.variables());
        let mut needed = vec![0; variables];
        for (variable, users) in needed.iter_mut().enumerate() {
            for (place, element) in pattern.elements.iter().enumerate() {
                *users |= u64::from(element.uses(variable as u8)) << place;
            }
        }
        let lazy = lazy(&pattern, &needed);
        let mut makers = Vec::with_capacity(variables);
        for variable in 0..variables {
            makers.push(pattern.maker(variable as u8).filter(|maker| lazy & (1 << maker) != 0));
        }
        for (variable, maker) in makers.iter().enumerate() {
            let Some(maker) = maker else { continue };
            for rival in makers.iter().flatten() {
                let is_rival = pattern.elements[*rival].operation == pattern.elements[*maker].operation;
                needed[variable] |= u64::from(is_rival) << rival;
            }
        }
        let eager = eager(&pattern, lazy);
        let (mut asked, mut shared, mut before) = (Vec::new(), Vec::new(), pattern.before.clone());
        for element in &pattern.elements {
            asked.push(literals(element));
            shared.push(shared_variables(&pattern, element));
        }
        for before in &mut before {
            *before &= !lazy;
        }
        let mut watch = PartialMatch {
            literals: asked,
            variables: shared,
            before,
            lazy,
            needed,
            makers,
            eager,
            pattern,
            states: Vec::new(),
            added: Vec::new(),
            overflowed: false,
            is_begun: false,
        };
        watch.begin();
        watch
    }

    /// Which elements are matched when their values are used.
    pub(super) fn lazy(&self) -> u64 {
        self.lazy
    }

    /// Returns true if this program had too many states.
    #[cfg(test)]
    pub(super) fn is_given_up(&self) -> bool {
        self.overflowed
    }

    /// Forgets the program.
    pub(super) fn clear(&mut self) {
        if self.is_begun {
            self.begin();
        }
    }

    fn begin(&mut self) {
        (self.overflowed, self.is_begun) = (false, false);
        for eager in &mut self.eager {
            eager.known = 0;
        }
        self.states.clear();
        self.states.push(0);
        self.states.resize(self.stride(), UNBOUND);
    }

    /// Returns the number of words of a state.
    fn stride(&self) -> usize {
        1 + self.needed.len()
    }

    /// Returns true if a call has the literals of an element.
    pub(super) fn fits(&self, element: usize, call: &Call<'_>) -> bool {
        self.literals[element].iter().all(|(place, term)| call.fits(*place, term))
    }

    /// Appends what a state becomes if a call, the one of this number, is taken for an element, unless it
    /// cannot be. The call has the literals of the element.
    fn step(
        &self,
        state: &[u64],
        element: usize,
        (call, number): (&Call<'_>, usize),
        history: &History,
        states: &mut Vec<u64>,
    ) -> bool {
        let variables = &self.variables[element];
        let differs = |(place, variable): &(usize, usize)| {
            let bound = state[1 + variable];
            bound != UNBOUND && bound != call.arguments[*place]
        };
        if self.before[element] & !state[0] != 0 || variables.iter().any(differs) {
            return false;
        }
        let start = states.len();
        states.extend_from_slice(state);
        let next = &mut states[start..];
        next[0] |= 1 << element;
        if !variables
            .iter()
            .all(|(place, variable)| self.bind(*variable, call.arguments[*place], next, history))
        {
            states.truncate(start);
            return false;
        }
        if let Some(result) = self.pattern.elements[element].result {
            next[1 + usize::from(result)] = number as Value;
        }
        for (variable, needed) in self.needed.iter().enumerate() {
            if needed & !next[0] == 0 {
                next[1 + variable] = UNBOUND;
            }
        }
        true
    }

    /// Has a variable of a state stand for a value, if it can.
    fn bind(&self, variable: usize, value: Value, state: &mut [u64], history: &History) -> bool {
        if state[1 + variable] != UNBOUND {
            return state[1 + variable] == value;
        }
        if let Some(maker) = self.makers[variable] {
            let operation = self.pattern.elements[maker].operation;
            let is_taken = |other: usize| {
                self.makers[other].is_some_and(|other| self.pattern.elements[other].operation == operation)
                    && state[1 + other] == value
            };
            if !history.is_made_by(value, operation) || (0..self.makers.len()).any(is_taken) {
                return false;
            }
            state[0] |= 1 << maker;
        }
        state[1 + variable] = value;
        true
    }

    /// Returns true if a call completes the pattern as this element.
    pub(super) fn is_completed(
        &mut self,
        element: usize,
        call: &Call<'_>,
        history: &mut History,
        search: &mut Search,
    ) -> bool {
        if !self.fits(element, call) {
            return false;
        }
        let fuel = if self.pattern.guards.is_empty() { LITTLE_FUEL } else { FUEL };
        history.push(call);
        let found = search.finds(&self.pattern, history, element, fuel);
        history.pop();
        // A guarded pattern for which the search takes too long might have been found.
        found.unwrap_or_else(|| self.states_complete(element, call, history))
    }

    /// Returns true if a call completes the pattern as this element, by the states and without the guards.
    pub(super) fn states_complete(&mut self, element: usize, call: &Call<'_>, history: &History) -> bool {
        self.catch_up(history);
        let (all, number) = (self.pattern.all(), history.len());
        let mut added = std::mem::take(&mut self.added);
        let completes = |state: &[u64]| {
            added.clear();
            // One call can be one element only.
            self.is_last(state, element)
                && self.step(state, element, (call, number), history, &mut added)
                && added[0] == all
        };
        let completed = self.states.chunks_exact(self.stride()).any(completes);
        self.added = added;
        completed
    }

    /// Takes note of the calls that were made since it was asked last, in their order.
    fn catch_up(&mut self, history: &History) {
        self.is_begun = true;
        while let Some((number, place)) = self.next_call(history) {
            self.eager[place].known += 1;
            self.add(self.eager[place].elements, number, history);
        }
    }

    /// Returns the first call that the states do not know of and should, and which elements it can be.
    fn next_call(&self, history: &History) -> Option<(usize, usize)> {
        let mut next = None;
        for (place, eager) in self.eager.iter().enumerate() {
            let Some(number) = history.calls_of(eager.operation).get(eager.known) else { continue };
            if next.is_none_or(|(first, _)| (*number as usize) < first) {
                next = Some((*number as usize, place));
            }
        }
        next
    }

    /// Returns true if an element is all that a state lacks, apart from the elements that come with it.
    fn is_last(&self, state: &[u64], element: usize) -> bool {
        self.pattern.all() & !state[0] & !self.lazy == 1 << element
    }

    fn add(&mut self, elements: u64, number: usize, history: &History) {
        let (stride, call) = (self.stride(), history.call(number));
        let mut added = std::mem::take(&mut self.added);
        added.clear();
        for element in bits(elements) {
            if !self.fits(element, &call) {
                continue;
            }
            for state in self.states.chunks_exact(stride) {
                // Where the whole pattern is found, nothing is left to be watched for.
                if state[0] & (1 << element) == 0 && !self.is_last(state, element) {
                    self.step(state, element, (&call, number), history, &mut added);
                }
            }
        }
        for next in added.chunks_exact(stride) {
            self.insert(next);
        }
        self.added = added;
        if self.states.len() > MOST_STATES * stride {
            self.overflowed = true;
            self.states.clear();
        }
    }

    /// Adds a state, unless another one has found as much and demands less.
    fn insert(&mut self, new: &[u64]) {
        let stride = self.stride();
        if self.overflowed || self.states.chunks_exact(stride).any(|state| dominates(state, new)) {
            return;
        }
        let mut place = 0;
        while place < self.states.len() {
            if dominates(new, &self.states[place..place + stride]) {
                let last = self.states.len() - stride;
                self.states.copy_within(last.., place);
                self.states.truncate(last);
            } else {
                place += stride;
            }
        }
        self.states.extend_from_slice(new);
    }
}

/// The elements that are matched when the call is made, by their operations.
fn eager(pattern: &Pattern, lazy: u64) -> Vec<Eager> {
    let mut all: Vec<Eager> = Vec::new();
    for place in bits(pattern.all() & !lazy) {
        let operation = pattern.elements[place].operation;
        match all.iter_mut().find(|eager| eager.operation == operation) {
            Some(eager) => eager.elements |= 1 << place,
            None => all.push(Eager { operation, elements: 1 << place, known: 0 }),
        }
    }
    all
}

/// The places of the bits of a mask.
fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(place)
    })
}

/// The terms of an element that ask for certain literals, or for those of a class.
fn literals(element: &Element) -> Vec<(usize, Term)> {
    let mut literals = Vec::new();
    for (place, term) in element.arguments.iter().enumerate() {
        if term.asks() {
            literals.push((place, term.clone()));
        }
    }
    literals
}

/// Returns true if every call that completes one state completes another one too.
fn dominates(state: &[u64], other: &[u64]) -> bool {
    if other[0] & !state[0] != 0 {
        return false;
    }
    for variable in 1..state.len() {
        if state[variable] != UNBOUND && state[variable] != other[variable] {
            return false;
        }
    }
    true
}

/// The elements that make a value out of nothing and stand in no order but that of its use. If some
/// elements of an operation are of this sort and others are not, none is taken for one.
fn lazy(pattern: &Pattern, users: &[u64]) -> u64 {
    let (mut kept, mut lazy) = (Vec::new(), 0);
    for place in 0..pattern.elements.len() {
        if !can_be_lazy(pattern, place, users) {
            kept.push(pattern.elements[place].operation);
        }
    }
    for (place, element) in pattern.elements.iter().enumerate() {
        lazy |= u64::from(!kept.contains(&element.operation)) << place;
    }
    lazy
}

/// Returns true if an element makes a value out of nothing and stands in no order but that of its use.
fn can_be_lazy(pattern: &Pattern, place: usize, users: &[u64]) -> bool {
    let element = &pattern.elements[place];
    let Some(users) = element.result.map(|result| users[usize::from(result)]) else { return false };
    for (later, before) in pattern.before.iter().enumerate() {
        if before & (1 << place) != 0 && (before | 1 << later) & users == 0 {
            return false;
        }
    }
    users != 0 && pattern.before[place] == 0 && element.arguments.iter().all(|term| *term == Term::Any)
}
