//! What was called with what: tells at little cost that a call cannot complete a pattern.
//!
//! Most calls complete nothing, and most patterns are far from complete. A pattern can be completed only
//! when all its other operations have been called, and with the values that the last call has in common
//! with them; and when of two that stand in an order, one was called before the other was called last.
//! What was called is kept in a table in which different calls may share a place.
//!
//! **Invariant:** it may say yes in vain, and never no.

use super::matcher::Call;
use super::pattern::{Element, Pattern, Term, Value};

/// How many places the table has.
const PLACES: usize = 512;

/// A pattern that a call of an operation may complete.
#[derive(Debug, Clone)]
pub(super) struct Last {
    /// The place of the pattern.
    pub(super) watch: usize,
    /// The element that the call would be.
    pub(super) element: usize,
    /// What must have been called before.
    earlier: Vec<Earlier>,
    /// Which of those come before which.
    orders: Vec<(usize, usize)>,
}

/// Another call of the pattern, by what it has in common with the last one.
#[derive(Debug, Clone)]
struct Earlier {
    operation: usize,
    /// Places of its arguments, and the places of the last call where the same values stand.
    same: Vec<(usize, usize)>,
}

impl Last {
    /// The elements that a call may be the last one of.
    pub(super) fn of(watch: usize, pattern: &Pattern, lazy: u64) -> Vec<Last> {
        let last = pattern.last_elements().filter(|element| lazy & (1 << element) == 0);
        last.map(|element| {
            let own = shared_variables(pattern, &pattern.elements[element]);
            let others: Vec<usize> = (0..pattern.elements.len()).filter(|other| *other != element).collect();
            let earlier = others.iter().map(|other| {
                let other = &pattern.elements[*other];
                let place = |variable| own.iter().find(|(_, own)| *own == variable).map(|(place, _)| *place);
                let same = shared_variables(pattern, other).into_iter();
                let same = same.filter_map(|(at, variable)| Some((at, place(variable)?))).collect();
                Earlier { operation: other.operation, same }
            });
            let mut orders = Vec::new();
            for (place, other) in others.iter().enumerate() {
                let before = pattern.before[*other] & !lazy;
                let firsts = others.iter().enumerate().filter(|(_, first)| before & (1 << **first) != 0);
                orders.extend(firsts.map(|(first, _)| (first, place)));
            }
            Last { watch, element, earlier: earlier.collect(), orders }
        })
        .collect()
    }
}

/// What was called in a program, and with what.
#[derive(Debug, Clone)]
pub(super) struct Called {
    /// For each operation, which arguments patterns ask for together.
    asked: Vec<Vec<Vec<usize>>>,
    places: Box<[Calls; PLACES]>,
}

/// The calls that share a place.
#[derive(Debug, Clone, Copy)]
struct Calls {
    first: u32,
    last: u32,
}

/// No calls: the first one is after the last one.
const NONE: Calls = Calls { first: u32::MAX, last: 0 };

impl Default for Called {
    fn default() -> Called {
        Called { asked: Vec::new(), places: Box::new([NONE; PLACES]) }
    }
}

impl Called {
    /// Nothing yet, for these patterns.
    pub(super) fn new<'a>(lasts: impl Iterator<Item = &'a Last>) -> Called {
        let mut called = Called::default();
        for Earlier { operation, same } in lasts.flat_map(|last| &last.earlier) {
            if called.asked.len() <= *operation {
                called.asked.resize(operation + 1, Vec::new());
            }
            let places: Vec<usize> = same.iter().map(|(place, _)| *place).collect();
            if !called.asked[*operation].contains(&places) {
                called.asked[*operation].push(places);
            }
        }
        called
    }

    /// Forgets the program.
    pub(super) fn clear(&mut self) {
        self.places.fill(NONE);
    }

    /// Takes note of a call, the one of this number.
    pub(super) fn add(&mut self, call: &Call<'_>, number: usize) {
        let Some(asked) = self.asked.get(call.operation) else { return };
        for places in asked {
            let arguments = places.iter().map(|place| (*place, call.arguments[*place]));
            let calls = &mut self.places[place_of(call.operation, arguments)];
            calls.first = calls.first.min(number as u32);
            calls.last = number as u32;
        }
    }

    /// Whether a call may complete a pattern.
    pub(super) fn allows(&self, last: &Last, call: &Call<'_>) -> bool {
        let calls = |place: usize| {
            let Earlier { operation, same } = &last.earlier[place];
            self.places[place_of(*operation, same.iter().map(|(place, own)| (*place, call.arguments[*own])))]
        };
        (0..last.earlier.len()).all(|place| calls(place).first != u32::MAX)
            && last.orders.iter().all(|(first, second)| calls(*first).first < calls(*second).last)
    }
}

/// The place of a call in the table.
fn place_of(operation: usize, arguments: impl Iterator<Item = (usize, Value)>) -> usize {
    let mixed = |hash: u64, word: u64| (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let hash = arguments.fold(mixed(0, operation as u64), |hash, (place, value)| {
        mixed(hash, value.wrapping_add(place as u64))
    });
    (hash >> 32) as usize % PLACES
}

/// The variables of an element that stand elsewhere too, each with its place: any other can be anything.
pub(super) fn shared_variables(pattern: &Pattern, element: &Element) -> Vec<(usize, usize)> {
    let uses = |variable: u8| -> usize {
        let terms = pattern.elements.iter().flat_map(|element| &element.arguments);
        terms.filter(|term| **term == Term::Variable(variable)).count()
    };
    let shared = |(place, term): (usize, &Term)| match term {
        Term::Variable(variable) if uses(*variable) > 1 || pattern.maker(*variable).is_some() => {
            Some((place, usize::from(*variable)))
        }
        _ => None,
    };
    element.arguments.iter().enumerate().filter_map(shared).collect()
}
