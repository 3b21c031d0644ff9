//! The matcher: watches a program grow, call by call, for known patterns.
//!
//! For each pattern it keeps the ways in which a part of the elements can be found in the program so
//! far: a mask of elements, and the values of those variables that later elements need. Two things
//! keep these states few. A state is dropped if another one has found as much and demands less. And a
//! call that makes a value out of nothing (`?p = spawn()`) is not matched when it is made but when its
//! value is used: then it is known which of them is meant.
//!
//! The states of a pattern are brought up to date only when a call comes that [may be](super::called) its
//! last one.
//!
//! **Invariant:** a pattern is completed by a call if and only if it matches the program with the call
//! and not the one without, as long as there are at most [`MOST_STATES`] states.

use super::called::{Called, Last, shared_variables};
use super::guard;
use super::pattern::{Element, LITERAL, Pattern, STATE, Term, UNBOUND, Value};

/// A pattern with more states than this is no longer watched for in the program.
const MOST_STATES: usize = 4096;

/// A call, as the matcher sees it.
///
/// ```
/// use bugnet::bug::Call;
///
/// let call = Call { operation: 0, arguments: &[3], choices: &[] };
/// assert_eq!(call.arguments, [3]);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// The operation, by its place in the suite.
    pub operation: usize,
    /// One for each parameter.
    pub arguments: &'a [Value],
    /// For each argument the choices of the literal; nothing at all if no pattern asks for them.
    pub choices: &'a [Vec<u64>],
}

/// The calls of a program so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    /// For each call, its operation and where its arguments begin.
    calls: Vec<(u32, u32)>,
    arguments: Vec<Value>,
    /// For each argument the choices of the literal, if they are known.
    choices: Vec<Vec<u64>>,
}

impl History {
    pub(crate) fn len(&self) -> usize {
        self.calls.len()
    }

    pub(crate) fn push(&mut self, call: &Call<'_>) {
        self.calls.push((call.operation as u32, self.arguments.len() as u32));
        if !call.choices.is_empty() {
            self.choices.resize(self.arguments.len(), Vec::new());
            self.choices.extend_from_slice(call.choices);
        }
        self.arguments.extend_from_slice(call.arguments);
    }

    pub(super) fn pop(&mut self) {
        if let Some((_, start)) = self.calls.pop() {
            self.arguments.truncate(start as usize);
            self.choices.truncate(start as usize);
        }
    }

    fn clear(&mut self) {
        self.calls.clear();
        self.arguments.clear();
        self.choices.clear();
    }

    pub(super) fn operation(&self, place: usize) -> usize {
        self.calls[place].0 as usize
    }

    pub(crate) fn call(&self, place: usize) -> Call<'_> {
        let (operation, start) = self.calls[place];
        let end = self.calls.get(place + 1).map_or(self.arguments.len(), |next| next.1 as usize);
        let range = start as usize..end;
        Call {
            operation: operation as usize,
            arguments: &self.arguments[range.clone()],
            choices: self.choices.get(range).unwrap_or_default(),
        }
    }

    /// Whether a value was made by a call of an operation.
    fn is_made_by(&self, value: Value, operation: usize) -> bool {
        value & LITERAL == 0
            && self.calls.get(value as usize).is_some_and(|made| made.0 as usize == operation)
    }
}

/// Whether an argument of a call is what a term without variable says.
pub(super) fn fits(term: &Term, call: &Call<'_>, place: usize) -> bool {
    match term {
        Term::Variable(_) | Term::Any => true,
        Term::Exact(literal) => call.arguments[place] == literal.value,
        Term::Least(least) => {
            let Some(choices) = call.choices.get(place) else { return true };
            let simplest = least.tape.choices.iter().map(|choice| choice.value);
            let order = choices.len().cmp(&simplest.len());
            order.then_with(|| choices.iter().copied().cmp(simplest)).is_ge()
        }
    }
}

/// Watches a program for patterns.
///
/// ```
/// use bugnet::bug::{Call, Element, Matcher, Pattern, Term};
///
/// let spawn = Element { operation: 0, arguments: vec![], result: Some(0) };
/// let kill = Element { operation: 1, arguments: vec![Term::Variable(0)], result: None };
/// let twice = Pattern::sequence(vec![spawn, kill.clone(), kill]).unwrap();
///
/// let mut matcher = Matcher::new(&[twice]);
/// let call = |operation, arguments| Call { operation, arguments, choices: &[] };
/// matcher.add(&call(0, &[]));
/// assert_eq!(matcher.would_complete(&call(1, &[0])), None);
/// matcher.add(&call(1, &[0]));
/// assert_eq!(matcher.would_complete(&call(1, &[0])), Some(0));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Matcher {
    watches: Vec<Watch>,
    history: History,
    /// The patterns that each operation may complete.
    lasts: Vec<Vec<Last>>,
    /// Whether any pattern has each operation, in its elements or in its guards.
    concerned: Vec<bool>,
    called: Called,
    asks_for_choices: bool,
}

impl Matcher {
    /// Watches for these patterns.
    pub fn new(patterns: &[Pattern]) -> Matcher {
        let mut matcher = Matcher::default();
        for (number, pattern) in patterns.iter().enumerate() {
            let guards = pattern.guards.iter().flat_map(|guard| &guard.extras).map(|extra| &extra.element);
            for element in pattern.elements.iter().chain(guards) {
                let least = |term: &Term| matches!(term, Term::Least(_));
                matcher.asks_for_choices |= element.arguments.iter().any(least);
                if matcher.concerned.len() <= element.operation {
                    matcher.concerned.resize(element.operation + 1, false);
                    matcher.lasts.resize(element.operation + 1, Vec::new());
                }
                matcher.concerned[element.operation] = true;
            }
            let watch = Watch::new(pattern.clone());
            for last in Last::of(number, pattern, watch.lazy) {
                matcher.lasts[pattern.elements[last.element].operation].push(last);
            }
            matcher.watches.push(watch);
        }
        matcher.called = Called::new(matcher.lasts.iter().flatten());
        matcher
    }

    /// Forgets the program.
    pub fn clear(&mut self) {
        self.history.clear();
        self.called.clear();
        self.watches.iter_mut().for_each(Watch::clear);
    }

    /// Whether any pattern has an operation: only then do the arguments of its calls matter.
    #[inline]
    pub fn concerns(&self, operation: usize) -> bool {
        self.concerned.get(operation).is_some_and(|concerned| *concerned)
    }

    /// Whether the choices of literals matter.
    pub fn asks_for_choices(&self) -> bool {
        self.asks_for_choices
    }

    /// The first pattern that the program matches as soon as it makes this call.
    pub fn would_complete(&mut self, call: &Call<'_>) -> Option<usize> {
        self.completed_from(0, call)
    }

    /// The pattern that the program matches as soon as it makes this call, if it is only one.
    pub fn would_complete_one(&mut self, call: &Call<'_>) -> Option<usize> {
        let first = self.completed_from(0, call)?;
        self.completed_from(first + 1, call).is_none().then_some(first)
    }

    fn completed_from(&mut self, first: usize, call: &Call<'_>) -> Option<usize> {
        let Matcher { watches, history, lasts, called, .. } = self;
        let completed = |last: &&Last| {
            last.watch >= first
                && called.allows(last, call)
                && watches[last.watch].is_completed(last.element, call, history)
        };
        lasts.get(call.operation)?.iter().find(completed).map(|last| last.watch)
    }

    /// Which operations have been called with one of these values, or with a value that stood beside
    /// one of them: a bit for each.
    pub(crate) fn context_of(&self, values: &[Value]) -> u64 {
        let mut known: Vec<Value> = values.iter().copied().filter(|value| *value != STATE).collect();
        let mut context = 0;
        for _ in 0..2 {
            let mut beside: Vec<Value> = Vec::new();
            for place in 0..self.history.len() {
                let call = self.history.call(place);
                if call.arguments.iter().any(|value| known.contains(value)) {
                    context |= 1 << (call.operation % 64);
                    beside.extend(call.arguments.iter().filter(|value| **value != STATE));
                }
            }
            known.extend(beside);
        }
        context
    }

    /// Takes note of a call that was made.
    pub fn add(&mut self, call: &Call<'_>) {
        self.called.add(call, self.history.len());
        self.history.push(call);
    }

    /// The first pattern that a whole program matches.
    pub fn find<'a>(&mut self, calls: impl IntoIterator<Item = Call<'a>>) -> Option<usize> {
        self.clear();
        for call in calls {
            if let Some(found) = self.would_complete(&call) {
                return Some(found);
            }
            self.add(&call);
        }
        None
    }
}

/// One pattern, and how far it has been found.
#[derive(Debug, Clone)]
struct Watch {
    pattern: Pattern,
    /// What each element demands of a call: literals by the places of the arguments, and variables that
    /// stand elsewhere too.
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
    eager: Vec<(usize, u64)>,
    /// A bit for each of these operations; some share one.
    operations: u64,
    /// Each a mask and the values of all variables.
    states: Vec<u64>,
    /// States that the last call has brought.
    added: Vec<u64>,
    /// How many calls of the program the states know of.
    known: usize,
    overflowed: bool,
}

impl Watch {
    fn new(pattern: Pattern) -> Watch {
        let variables = pattern.variables();
        let users = |variable: u8| -> u64 {
            let elements = pattern.elements.iter().enumerate();
            elements
                .filter(|(_, element)| element.uses(variable))
                .fold(0, |mask, (place, _)| mask | 1 << place)
        };
        let needed: Vec<u64> = (0..variables).map(users).collect();
        let lazy = lazy(&pattern, &needed);
        let makers: Vec<Option<usize>> = (0..variables)
            .map(|variable| pattern.maker(variable).filter(|maker| lazy & (1 << maker) != 0))
            .collect();
        let rivals = |maker: usize| -> u64 {
            let same =
                |other: &usize| pattern.elements[*other].operation == pattern.elements[maker].operation;
            makers.iter().flatten().filter(|other| same(other)).fold(0, |mask, other| mask | 1 << other)
        };
        let needed =
            needed.iter().zip(&makers).map(|(users, maker)| users | maker.map_or(0, rivals)).collect();
        let eager = eager(&pattern, lazy);
        let mut watch = Watch {
            literals: pattern.elements.iter().map(literals).collect(),
            variables: pattern.elements.iter().map(|element| shared_variables(&pattern, element)).collect(),
            before: pattern.before.iter().map(|before| before & !lazy).collect(),
            lazy,
            needed,
            makers,
            operations: eager.iter().fold(0, |mask, (operation, _)| mask | 1 << (operation % 64)),
            eager,
            pattern,
            states: Vec::new(),
            added: Vec::new(),
            known: 0,
            overflowed: false,
        };
        watch.clear();
        watch
    }

    fn clear(&mut self) {
        if self.known > 0 || self.states.is_empty() {
            (self.overflowed, self.known) = (false, 0);
            self.states.clear();
            self.states.push(0);
            self.states.resize(self.stride(), UNBOUND);
        }
    }

    /// How many words a state has.
    fn stride(&self) -> usize {
        1 + self.needed.len()
    }

    /// Whether a call has the literals of an element.
    fn fits(&self, element: usize, call: &Call<'_>) -> bool {
        self.literals[element].iter().all(|(place, term)| fits(term, call, *place))
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

    /// Whether a call completes the pattern as this element.
    fn is_completed(&mut self, element: usize, call: &Call<'_>, history: &mut History) -> bool {
        if !self.fits(element, call) {
            return false;
        }
        self.catch_up(history);
        let (all, number) = (self.pattern.all(), history.len());
        let mut added = std::mem::take(&mut self.added);
        let completes = |state: &[u64]| {
            added.clear();
            // One call can be one element only.
            all & !state[0] & !self.lazy == 1 << element
                && self.step(state, element, (call, number), history, &mut added)
                && added[0] == all
        };
        let completed = self.states.chunks_exact(self.stride()).any(completes);
        self.added = added;
        completed
            && (self.pattern.guards.is_empty() || {
                history.push(call);
                let matches = guard::matches_at_end(&self.pattern, history);
                history.pop();
                matches
            })
    }

    /// Takes note of the calls that were made since it was asked last.
    fn catch_up(&mut self, history: &History) {
        for number in self.known..history.len() {
            let operation = history.operation(number);
            if self.operations & (1 << (operation % 64)) == 0 {
                continue;
            }
            if let Some((_, elements)) = self.eager.iter().find(|(known, _)| *known == operation) {
                self.add(*elements, number, history);
            }
        }
        self.known = history.len();
    }

    fn add(&mut self, elements: u64, number: usize, history: &History) {
        let (stride, all, call) = (self.stride(), self.pattern.all(), history.call(number));
        let mut added = std::mem::take(&mut self.added);
        added.clear();
        for element in bits(elements).filter(|element| self.fits(*element, &call)) {
            for state in self.states.chunks_exact(stride).filter(|state| state[0] & (1 << element) == 0) {
                let start = added.len();
                if self.step(state, element, (&call, number), history, &mut added) && added[start] == all {
                    added.truncate(start);
                }
            }
        }
        added.chunks_exact(stride).for_each(|next| self.insert(next));
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
fn eager(pattern: &Pattern, lazy: u64) -> Vec<(usize, u64)> {
    let mut eager: Vec<(usize, u64)> = Vec::new();
    for place in bits(pattern.all() & !lazy) {
        let operation = pattern.elements[place].operation;
        match eager.iter_mut().find(|(known, _)| *known == operation) {
            Some((_, elements)) => *elements |= 1 << place,
            None => eager.push((operation, 1 << place)),
        }
    }
    eager
}

/// The places of the bits of a mask.
fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(place)
    })
}

/// The terms of an element that ask for certain literals.
fn literals(element: &Element) -> Vec<(usize, Term)> {
    let literal = |(_, term): &(usize, &Term)| matches!(term, Term::Exact(_) | Term::Least(_));
    let terms = element.arguments.iter().enumerate().filter(literal);
    terms.map(|(place, term)| (place, term.clone())).collect()
}

/// Whether whatever completes one state completes another one too.
fn dominates(state: &[u64], other: &[u64]) -> bool {
    let less = |(one, another): (&u64, &u64)| *one == UNBOUND || one == another;
    other[0] & !state[0] == 0 && state[1..].iter().zip(&other[1..]).all(less)
}

/// The elements that make a value out of nothing and stand in no order but that of its use. If some
/// elements of an operation are of this sort and others are not, none is taken for one.
fn lazy(pattern: &Pattern, users: &[u64]) -> u64 {
    let is_lazy = |place: usize| {
        let element = &pattern.elements[place];
        let Some(users) = element.result.map(|result| users[usize::from(result)]) else { return false };
        let in_use =
            |(later, before): (usize, &u64)| before & (1 << place) == 0 || (before | 1 << later) & users != 0;
        users != 0
            && pattern.before[place] == 0
            && element.arguments.iter().all(|term| *term == Term::Any)
            && pattern.before.iter().enumerate().all(in_use)
    };
    let alike = |place: usize| {
        let operation = pattern.elements[place].operation;
        (0..pattern.elements.len()).filter(move |other| pattern.elements[*other].operation == operation)
    };
    let lazy = (0..pattern.elements.len()).filter(|place| alike(*place).all(is_lazy));
    lazy.fold(0, |mask, place| mask | 1 << place)
}
