//! The table of calls that were made, which tells at little cost whether a call can complete a pattern.
//!
//! Most calls complete nothing, and most patterns are far from complete. A pattern can be completed only
//! when all its other operations have been called, and with the values that the last call has in common
//! with them; and when of two that stand in an order, one was called before the other was called last.
//! For most patterns that is all there is to it, and then a call that can complete the pattern does.
//!
//! It can be asked before the literals of a call are drawn: then only results of earlier calls count.
//!
//! **Invariant:** it may say that a call can complete a pattern and be wrong, but not that it cannot, and
//! not that it does.

use super::first_last::{FirstAndLast, Time};
use super::history::{Call, History};
use super::{Element, Pattern, Term, Value};

/// Other calls of a pattern that are asked for, at most.
const MOST_EARLIER: usize = 8;
/// Arguments of such a call that it shares with the last call, at most.
const MOST_COMMON: usize = 4;

/// A pattern that a call of an operation may complete.
#[derive(Debug, Clone)]
pub(super) struct Last {
    /// The place of the pattern.
    pub(super) watch: usize,
    /// The element that the call would be.
    pub(super) element: usize,
    /// The calls that must have come before, found by all arguments of the call.
    all: Vec<Earlier>,
    /// The same calls, found by the arguments that are results of calls.
    results: Vec<Earlier>,
    /// The arguments that are made by operations of the pattern.
    made: Vec<(usize, usize)>,
    /// Operations that must have been called with one of these arguments, by its place: a bit for each.
    with: Option<(usize, u64)>,
    /// True if no other conditions exist.
    decides: bool,
    /// True if literals do not matter.
    is_plain: bool,
}

/// Another call of the pattern, by what it has in common with the last one.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Earlier {
    /// The places of the arguments that both have, in the last call and in the other one.
    own: Places,
    others: Places,
    operation: usize,
    /// The places of its arguments that are made by operations of the pattern.
    made: Vec<usize>,
    /// Which of the others come before it, and which after it: a bit for each.
    after: u8,
    before: u8,
}

/// A few places of arguments, and what distinguishes them from those of other operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Places {
    salt: u64,
    count: u8,
    places: [u8; MOST_COMMON],
}

impl Places {
    /// The hash of the values that stand at these places.
    #[inline(always)]
    fn hash(&self, value: impl Fn(usize) -> Value) -> u64 {
        let mut hash = self.salt;
        for place in &self.places[..usize::from(self.count)] {
            hash = mixed(hash, value(usize::from(*place)));
        }
        hash
    }
}

impl Last {
    /// The elements that a call may be the last one of.
    pub(super) fn of(watch: usize, pattern: &Pattern, lazy: u64) -> Vec<Last> {
        let mut all = Vec::new();
        for element in pattern.last_elements() {
            if lazy & (1 << element) == 0 {
                all.push(Last::new(watch, pattern, lazy, element));
            }
        }
        all
    }

    fn new(watch: usize, pattern: &Pattern, lazy: u64, element: usize) -> Last {
        let is_made = |variable: usize| pattern.maker(variable as u8).is_some();
        let all = earlier(pattern, lazy, element, &|_| true);
        let results = earlier(pattern, lazy, element, &is_made);
        let mut made = Vec::new();
        for (place, variable) in shared_variables(pattern, &pattern.elements[element]) {
            if let Some(maker) = pattern.maker(variable as u8) {
                made.push((place, pattern.elements[maker].operation));
            }
        }
        let has_literals = pattern.elements[element].arguments.iter().any(Term::asks);
        let decides = is_decisive(pattern, lazy, element, &all);
        let is_plain = decides && !has_literals && all == results;
        let with = with(pattern, lazy, element);
        Last { watch, element, made, with, decides, is_plain, all, results }
    }
}

/// The elements that make what the last one is called with: they were called, or there would be no such
/// values.
fn certain(pattern: &Pattern, lazy: u64, last: usize) -> u64 {
    let mut mask = 0;
    for (_, variable) in shared_variables(pattern, &pattern.elements[last]) {
        if let Some(maker) = pattern.maker(variable as u8) {
            mask |= 1 << maker;
        }
    }
    mask & lazy
}

/// The elements that are asked for, if one is the last.
fn others(pattern: &Pattern, lazy: u64, last: usize) -> Vec<usize> {
    let left_out = certain(pattern, lazy, last) | 1 << last;
    let mut others = Vec::new();
    for other in 0..pattern.elements.len() {
        if left_out & (1 << other) == 0 {
            others.push(other);
        }
    }
    others
}

/// Returns the calls that must have come before an element, if that is the last one, by the variables that count.
fn earlier(pattern: &Pattern, lazy: u64, last: usize, counts: &dyn Fn(usize) -> bool) -> Vec<Earlier> {
    let at_last = shared_variables(pattern, &pattern.elements[last]);
    let is_before = |one: usize, another: usize| pattern.before[another] & !lazy & (1 << one) != 0;
    let mut asked = others(pattern, lazy, last);
    asked.truncate(MOST_EARLIER);
    let mut all = Vec::with_capacity(asked.len());
    for other in &asked {
        let element = &pattern.elements[*other];
        let (mut same, mut made) = (Vec::new(), Vec::new());
        for (at, variable) in shared_variables(pattern, element) {
            if pattern.maker(variable as u8).is_some() {
                made.push(at);
            }
            let Some(at_last) = place_of(&at_last, variable).filter(|_| counts(variable)) else { continue };
            if at.max(at_last) <= usize::from(u8::MAX) && same.len() < MOST_COMMON {
                same.push((at, at_last));
            }
        }
        let (mut after, mut before) = (0, 0);
        for (place, one) in asked.iter().enumerate() {
            after |= u8::from(is_before(*one, *other)) << place;
            before |= u8::from(is_before(*other, *one)) << place;
        }
        let operation = element.operation;
        let (own, others) = places(operation, &same);
        all.push(Earlier { operation, made, others, own, after, before });
    }
    all
}

/// Returns the place of a variable among those of a call.
fn place_of(variables: &[(usize, usize)], variable: usize) -> Option<usize> {
    for (place, other) in variables {
        if *other == variable {
            return Some(*place);
        }
    }
    None
}

/// The places of the values that another call has in common with the last one: in the last one, and in the other.
fn places(operation: usize, same: &[(usize, usize)]) -> (Places, Places) {
    let mut salt = operation as u64 + 1;
    for (at, _) in same {
        salt = mixed(salt, *at as u64);
    }
    let mut others = Places { salt, count: same.len() as u8, places: [0; MOST_COMMON] };
    let mut own = others;
    for (number, (at, at_last)) in same.iter().enumerate() {
        (others.places[number], own.places[number]) = (*at as u8, *at_last as u8);
    }
    (own, others)
}

/// The operations that must have been called with a value that the last call has, and where it has it: for
/// the value that most of them share.
fn with(pattern: &Pattern, lazy: u64, last: usize) -> Option<(usize, u64)> {
    let mut most: Option<(usize, u64)> = None;
    for (place, variable) in shared_variables(pattern, &pattern.elements[last]) {
        if pattern.maker(variable as u8).is_none() {
            continue;
        }
        let mut mask = 0;
        for other in others(pattern, lazy, last) {
            let element = &pattern.elements[other];
            if element.uses(variable as u8) {
                mask |= bit(element.operation);
            }
        }
        if most.is_none_or(|(_, most)| mask.count_ones() >= most.count_ones()) {
            most = Some((place, mask));
        }
    }
    most
}

/// The bit of an operation; some share one.
fn bit(operation: usize) -> u64 {
    1 << (operation % 64)
}

/// Returns true if a call completes a pattern as its last element whenever all required calls were made.
///
/// It does if the last call has all values that matter, each once; if the others ask for no literals and
/// make nothing; and if those that stand between two others have none of their sort beside them, so that
/// each can be the first of its kind or the last one, and no two of them the same call.
fn is_decisive(pattern: &Pattern, lazy: u64, last: usize, asked: &[Earlier]) -> bool {
    let own = shared_variables(pattern, &pattern.elements[last]);
    let others = others(pattern, lazy, last);
    if !pattern.guards.is_empty() || pattern.elements[last].result.is_some() || others.len() != asked.len() {
        return false;
    }
    let certain = certain(pattern, lazy, last);
    for (number, (_, variable)) in own.iter().enumerate() {
        let maker = pattern.maker(*variable as u8);
        let is_certain = maker.is_none_or(|maker| certain & (1 << maker) != 0);
        if !is_certain || place_of(&own[..number], *variable).is_some() {
            return false;
        }
    }
    let mut between = 0;
    for (place, earlier) in asked.iter().enumerate() {
        between |= u8::from(earlier.is_middle()) << place;
    }
    for (place, earlier) in asked.iter().enumerate() {
        let is_placed = !earlier.is_middle() || (earlier.after | earlier.before) & between == 0;
        if !is_placed || !is_simple(pattern, &pattern.elements[others[place]], &own, earlier) {
            return false;
        }
        for other in &others[..place] {
            if !are_told_apart(pattern, others[place], *other) {
                return false;
            }
        }
    }
    true
}

/// Returns true if an element asks for no literals, makes nothing, and has no values that the last call has not.
fn is_simple(pattern: &Pattern, element: &Element, own: &[(usize, usize)], asked: &Earlier) -> bool {
    let shared = shared_variables(pattern, element);
    for (_, variable) in &shared {
        if place_of(own, *variable).is_none() {
            return false;
        }
    }
    element.result.is_none()
        && !element.arguments.iter().any(Term::asks)
        && shared.len() == usize::from(asked.own.count)
}

/// Returns true if one call cannot be taken for both elements.
fn are_told_apart(pattern: &Pattern, one: usize, another: usize) -> bool {
    let is_before = |one: usize, another: usize| pattern.before[another] & (1 << one) != 0;
    let alike = pattern.elements[one].operation == pattern.elements[another].operation;
    !alike || is_before(one, another) || is_before(another, one)
}

/// The possible effect of a call on a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Completion {
    /// It cannot complete it.
    No,
    /// It may complete it.
    Maybe,
    /// It does complete it.
    Yes,
}

/// The demands of patterns on calls of an operation.
#[derive(Debug, Clone, Default)]
struct Asked {
    /// The arguments that are asked for together.
    together: Vec<Places>,
    /// The arguments that are made by operations of a pattern.
    made: Vec<usize>,
}

/// The calls of a program, with their arguments.
#[derive(Debug, Clone, Default)]
pub(super) struct EarlierCalls {
    /// For each operation, what patterns ask for.
    asked: Vec<Asked>,
    times: FirstAndLast,
    /// For the result of each call, which operations were called with it: a bit for each.
    with: Vec<u64>,
}

impl EarlierCalls {
    /// Nothing yet, for these patterns.
    pub(super) fn new(lasts: &[Vec<Last>]) -> EarlierCalls {
        let mut called = EarlierCalls::default();
        for last in lasts.iter().flatten() {
            for earlier in &last.all {
                called.ask(earlier);
            }
            for earlier in &last.results {
                called.ask(earlier);
            }
        }
        called
    }

    /// Has calls of an operation noted, because they are asked for.
    fn ask(&mut self, earlier: &Earlier) {
        if self.asked.len() <= earlier.operation {
            self.asked.resize(earlier.operation + 1, Asked::default());
        }
        let Asked { together, made } = &mut self.asked[earlier.operation];
        if !together.contains(&earlier.others) {
            together.push(earlier.others);
        }
        for place in &earlier.made {
            if !made.contains(place) {
                made.push(*place);
            }
        }
    }

    /// Forgets the program.
    pub(super) fn clear(&mut self) {
        self.times.clear();
        self.with.clear();
    }

    /// Takes note of a call, the one of this number.
    #[inline]
    pub(super) fn add(&mut self, call: &Call<'_>, number: usize) {
        self.with.push(0);
        let Some(Asked { together, made }) = self.asked.get(call.operation) else { return };
        for place in made {
            if let Some(with) = self.with.get_mut(call.arguments[*place] as usize) {
                *with |= bit(call.operation);
            }
        }
        for places in together {
            self.times.add(places.hash(|place| call.arguments[place]), number as u32);
        }
    }

    /// Tells whether a call completes a pattern, if its literals are those of the pattern.
    pub(super) fn chance(&self, last: &Last, call: &Call<'_>, history: &History) -> Completion {
        let value = |place: usize| call.arguments[place];
        match self.order(&last.all, value) {
            Completion::Yes if !last.decides => Completion::Maybe,
            Completion::Yes if !is_made(last, value, history) => Completion::No,
            chance => chance,
        }
    }

    /// Tells whether a call completes any of these patterns, as far as it can be said before its literals are drawn.
    #[inline]
    pub(super) fn early_chance(&self, lasts: &[Last], values: &[u32], history: &History) -> Completion {
        let mut chance = Completion::No;
        for last in lasts {
            let is_far = last.with.is_some_and(|(place, operations)| {
                self.with.get(values[place] as usize).is_none_or(|with| operations & !with != 0)
            });
            if is_far {
                continue;
            }
            match self.near_chance(last, values, history) {
                Completion::Yes => return Completion::Yes,
                Completion::Maybe => chance = Completion::Maybe,
                Completion::No => {}
            }
        }
        chance
    }

    /// The same for one pattern, all operations of which were called with a value that the call has.
    #[inline(never)]
    fn near_chance(&self, last: &Last, values: &[u32], history: &History) -> Completion {
        let value = |place: usize| Value::from(values[place]);
        match self.order(&last.results, value) {
            Completion::Yes if !last.is_plain => Completion::Maybe,
            Completion::Yes if !is_made(last, value, history) => Completion::No,
            chance => chance,
        }
    }

    /// Tells whether all these calls were made in the right order, each the first of its kind or the last one.
    #[inline(always)]
    fn order(&self, all: &[Earlier], value: impl Fn(usize) -> Value) -> Completion {
        let mut times = [Time { first: 0, last: 0 }; MOST_EARLIER];
        let mut has_middle = false;
        for (number, earlier) in all.iter().enumerate() {
            let Some(time) = self.times.get(earlier.own.hash(&value)) else { return Completion::No };
            times[number % MOST_EARLIER] = time;
            if !are_begun(earlier.after, &times, time.last) {
                return Completion::No;
            }
            has_middle |= earlier.is_middle();
        }
        if has_middle {
            for (number, earlier) in all.iter().enumerate() {
                if !earlier.is_between(times[number % MOST_EARLIER], &times) {
                    return Completion::Maybe;
                }
            }
        }
        Completion::Yes
    }
}

impl Earlier {
    /// Returns true if it stands between others.
    fn is_middle(&self) -> bool {
        self.after != 0 && self.before != 0
    }

    /// Returns true if the first or the last of the candidates lies between the calls that must surround it: those
    /// before are the first ones, and those after are the last ones.
    fn is_between(&self, time: Time, times: &[Time; MOST_EARLIER]) -> bool {
        !self.is_middle()
            || are_begun(self.after, times, time.first)
            || are_going_on(self.before, times, time.last)
    }
}

/// Returns true if all calls of a mask were first made before a time.
#[inline]
fn are_begun(mut mask: u8, times: &[Time; MOST_EARLIER], time: u32) -> bool {
    while mask != 0 {
        if times[mask.trailing_zeros() as usize % MOST_EARLIER].first >= time {
            return false;
        }
        mask &= mask - 1;
    }
    true
}

/// Returns true if all calls of a mask were last made after a time.
#[inline]
fn are_going_on(mut mask: u8, times: &[Time; MOST_EARLIER], time: u32) -> bool {
    while mask != 0 {
        if times[mask.trailing_zeros() as usize % MOST_EARLIER].last <= time {
            return false;
        }
        mask &= mask - 1;
    }
    true
}

/// Returns true if the arguments of a call were made by the operations that the pattern names. Two that were made by
/// one operation must not be the same.
#[inline]
fn is_made(last: &Last, value: impl Fn(usize) -> Value, history: &History) -> bool {
    for (number, (place, operation)) in last.made.iter().enumerate() {
        let made = value(*place);
        if !history.is_made_by(made, *operation) {
            return false;
        }
        for (other, same) in &last.made[..number] {
            if same == operation && value(*other) == made {
                return false;
            }
        }
    }
    true
}

#[inline]
fn mixed(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The variables of an element that stand elsewhere too, each with its place: any other can be anything.
pub(super) fn shared_variables(pattern: &Pattern, element: &Element) -> Vec<(usize, usize)> {
    let mut shared = Vec::new();
    for (place, term) in element.arguments.iter().enumerate() {
        let Some(variable) = term.variable() else { continue };
        if uses(pattern, variable) > 1 || pattern.maker(variable).is_some() {
            shared.push((place, usize::from(variable)));
        }
    }
    shared
}

/// Counts the arguments that a variable stands for.
fn uses(pattern: &Pattern, variable: u8) -> usize {
    let mut count = 0;
    for element in &pattern.elements {
        for term in &element.arguments {
            count += usize::from(term.variable() == Some(variable));
        }
    }
    count
}
