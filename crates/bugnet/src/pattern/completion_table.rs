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
        let places = self.places.iter().take(usize::from(self.count));
        places.fold(self.salt, |hash, place| mixed(hash, value(usize::from(*place))))
    }
}

impl Last {
    /// The elements that a call may be the last one of.
    pub(super) fn of(watch: usize, pattern: &Pattern, lazy: u64) -> Vec<Last> {
        let last = pattern.last_elements().filter(|element| lazy & (1 << element) == 0);
        last.map(|element| Last::new(watch, pattern, lazy, element)).collect()
    }

    fn new(watch: usize, pattern: &Pattern, lazy: u64, element: usize) -> Last {
        let is_made = |variable: usize| pattern.maker(variable as u8).is_some();
        let all = earlier(pattern, lazy, element, &|_| true);
        let results = earlier(pattern, lazy, element, &is_made);
        let own = shared_variables(pattern, &pattern.elements[element]);
        let made = own.iter().filter_map(|(place, variable)| {
            Some((*place, pattern.elements[pattern.maker(*variable as u8)?].operation))
        });
        let has_literals = pattern.elements[element].arguments.iter().any(Term::asks);
        let decides = is_decisive(pattern, lazy, element, &all);
        let is_plain = decides && !has_literals && all == results;
        let with = with(pattern, lazy, element);
        Last { watch, element, made: made.collect(), with, decides, is_plain, all, results }
    }
}

/// The elements that make what the last one is called with: they were called, or there would be no such
/// values.
fn certain(pattern: &Pattern, lazy: u64, last: usize) -> u64 {
    let own = shared_variables(pattern, &pattern.elements[last]);
    let makers = own.iter().filter_map(|(_, variable)| pattern.maker(*variable as u8));
    makers.fold(0, |mask, maker| mask | 1 << maker) & lazy
}

/// The elements that are asked for, if one is the last.
fn others(pattern: &Pattern, lazy: u64, last: usize) -> impl Iterator<Item = usize> {
    let left_out = certain(pattern, lazy, last) | 1 << last;
    (0..pattern.elements.len()).filter(move |other| left_out & (1 << other) == 0)
}

/// Returns the calls that must have come before an element, if that is the last one, by the variables that count.
fn earlier(pattern: &Pattern, lazy: u64, last: usize, counts: &dyn Fn(usize) -> bool) -> Vec<Earlier> {
    let own = shared_variables(pattern, &pattern.elements[last]);
    let place = |variable| own.iter().find(|(_, own)| *own == variable).map(|(place, _)| *place);
    let asked: Vec<usize> = others(pattern, lazy, last).take(MOST_EARLIER).collect();
    let earlier = asked.iter().map(|other| {
        let element = &pattern.elements[*other];
        let shared = shared_variables(pattern, element).into_iter().filter(|(_, variable)| counts(*variable));
        let same = shared.filter_map(|(at, variable)| Some((at, place(variable)?)));
        let same = same.filter(|(at, own)| (*at).max(*own) <= usize::from(u8::MAX));
        let same: Vec<(usize, usize)> = same.take(MOST_COMMON).collect();
        let salt = same.iter().fold(element.operation as u64 + 1, |salt, (at, _)| mixed(salt, *at as u64));
        let mut others = Places { salt, count: same.len() as u8, places: [0; MOST_COMMON] };
        let mut own = others;
        for (number, (at, at_last)) in same.iter().enumerate() {
            (others.places[number], own.places[number]) = (*at as u8, *at_last as u8);
        }
        let is_before = |one: usize, another: usize| pattern.before[another] & !lazy & (1 << one) != 0;
        let mask = |is_there: &dyn Fn(usize) -> bool| {
            let there = asked.iter().enumerate().filter(|(_, one)| is_there(**one));
            there.fold(0, |mask, (place, _)| mask | 1 << place)
        };
        let (after, before) = (mask(&|one| is_before(one, *other)), mask(&|one| is_before(*other, one)));
        let made = shared_variables(pattern, element).into_iter();
        let made = made.filter(|(_, variable)| pattern.maker(*variable as u8).is_some());
        let made = made.map(|(place, _)| place).collect();
        Earlier { operation: element.operation, made, others, own, after, before }
    });
    earlier.collect()
}

/// The operations that must have been called with a value that the last call has, and where it has it: for
/// the value that most of them share.
fn with(pattern: &Pattern, lazy: u64, last: usize) -> Option<(usize, u64)> {
    let own = shared_variables(pattern, &pattern.elements[last]).into_iter();
    let made = own.filter(|(_, variable)| pattern.maker(*variable as u8).is_some());
    let masks = made.map(|(place, variable)| {
        let users = others(pattern, lazy, last).map(|other| &pattern.elements[other]);
        let users = users.filter(|element| element.uses(variable as u8));
        (place, users.fold(0, |mask, element| mask | bit(element.operation)))
    });
    masks.max_by_key(|(_, mask)| mask.count_ones())
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
    let certain = certain(pattern, lazy, last);
    let others: Vec<usize> = others(pattern, lazy, last).collect();
    let is_own = |variable: usize| own.iter().any(|(_, own)| *own == variable);
    let is_simple = |(other, asked): (&usize, &Earlier)| {
        let element = &pattern.elements[*other];
        let shared = shared_variables(pattern, element);
        element.result.is_none()
            && !element.arguments.iter().any(Term::asks)
            && shared.iter().all(|(_, variable)| is_own(*variable))
            && shared.len() == usize::from(asked.own.count)
    };
    let is_before = |one: usize, another: usize| pattern.before[another] & (1 << one) != 0;
    let is_between = |earlier: &Earlier| earlier.after != 0 && earlier.before != 0;
    let is_placed = |middle: &Earlier| {
        let between = asked.iter().enumerate().filter(|(_, other)| is_between(other));
        let between = between.fold(0, |mask, (place, _)| mask | 1 << place);
        !is_between(middle) || (middle.after | middle.before) & between == 0
    };
    let are_told_apart = |one: usize, another: usize| {
        let alike = pattern.elements[one].operation == pattern.elements[another].operation;
        !alike || one == another || is_before(one, another) || is_before(another, one)
    };
    let all_apart = others.iter().all(|one| others.iter().all(|another| are_told_apart(*one, *another)));
    let is_certain =
        |variable: usize| pattern.maker(variable as u8).is_none_or(|maker| certain & (1 << maker) != 0);
    let once = |(place, variable): &(usize, usize)| {
        own.iter().all(|(other, same)| other == place || same != variable)
    };
    pattern.guards.is_empty()
        && pattern.elements[last].result.is_none()
        && own.iter().all(once)
        && own.iter().all(|(_, variable)| is_certain(*variable))
        && others.len() == asked.len()
        && others.iter().zip(asked).all(is_simple)
        && asked.iter().all(is_placed)
        && all_apart
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
    pub(super) fn new<'a>(lasts: impl Iterator<Item = &'a Last>) -> EarlierCalls {
        let mut called = EarlierCalls::default();
        for earlier in lasts.flat_map(|last| last.all.iter().chain(&last.results)) {
            if called.asked.len() <= earlier.operation {
                called.asked.resize(earlier.operation + 1, Asked::default());
            }
            let Asked { together, made } = &mut called.asked[earlier.operation];
            if !together.contains(&earlier.others) {
                together.push(earlier.others);
            }
            let new: Vec<usize> =
                earlier.made.iter().copied().filter(|place| !made.contains(place)).collect();
            made.extend(new);
        }
        called
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
            if !bits(earlier.after).all(|one| times[one].first < time.last) {
                return Completion::No;
            }
            has_middle |= earlier.after != 0 && earlier.before != 0;
        }
        if !has_middle || all.iter().zip(times).all(|(earlier, time)| earlier.is_between(time, &times)) {
            Completion::Yes
        } else {
            Completion::Maybe
        }
    }
}

impl Earlier {
    /// Returns true if the first or the last of the candidates lies between the calls that must surround it: those
    /// before are the first ones, and those after are the last ones.
    fn is_between(&self, time: Time, times: &[Time; MOST_EARLIER]) -> bool {
        self.after == 0
            || self.before == 0
            || bits(self.after).all(|one| times[one].first < time.first)
            || bits(self.before).all(|one| time.last < times[one].last)
    }
}

/// The places of the bits of a mask.
#[inline(always)]
fn bits(mut mask: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (mask != 0).then(|| mask.trailing_zeros() as usize % MOST_EARLIER)?;
        mask &= mask - 1;
        Some(place)
    })
}

/// Returns true if the arguments of a call were made by the operations that the pattern names. Two that were made by
/// one operation must not be the same.
#[inline]
fn is_made(last: &Last, value: impl Fn(usize) -> Value, history: &History) -> bool {
    last.made.iter().enumerate().all(|(number, (place, operation))| {
        let made = value(*place);
        history.is_made_by(made, *operation)
            && last.made[..number].iter().all(|(other, same)| same != operation || value(*other) != made)
    })
}

#[inline]
fn mixed(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The variables of an element that stand elsewhere too, each with its place: any other can be anything.
pub(super) fn shared_variables(pattern: &Pattern, element: &Element) -> Vec<(usize, usize)> {
    let uses = |variable: u8| -> usize {
        let terms = pattern.elements.iter().flat_map(|element| &element.arguments);
        terms.filter(|term| term.variable() == Some(variable)).count()
    };
    let shared = |(place, term): (usize, &Term)| {
        let variable = term.variable().filter(|one| uses(*one) > 1 || pattern.maker(*one).is_some())?;
        Some((place, usize::from(variable)))
    };
    element.arguments.iter().enumerate().filter_map(shared).collect()
}
