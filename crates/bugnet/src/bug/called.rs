//! What was called with what: tells at little cost that a call cannot complete a pattern.
//!
//! Most calls complete nothing, and most patterns are far from complete. A pattern can be completed only
//! when all its other operations have been called, and with the values that the last call has in common
//! with them. What was called is kept as a set of bits, in which different calls may share one.
//!
//! **Invariant:** it may say yes in vain, and never no.

use super::matcher::Call;
use super::pattern::{Element, Pattern, Term, Value};

/// How many words of bits there are.
const WORDS: usize = 64;

/// A pattern that a call of an operation may complete.
#[derive(Debug, Clone)]
pub(super) struct Last {
    /// The place of the pattern.
    pub(super) watch: usize,
    /// The element that the call would be.
    pub(super) element: usize,
    /// What must have been called before.
    earlier: Vec<Earlier>,
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
            let others = pattern.elements.iter().enumerate().filter(|(place, _)| *place != element);
            let earlier = others.map(|(_, other)| {
                let place = |variable| own.iter().find(|(_, own)| *own == variable).map(|(place, _)| *place);
                let same = shared_variables(pattern, other).into_iter();
                let same = same.filter_map(|(at, variable)| Some((at, place(variable)?))).collect();
                Earlier { operation: other.operation, same }
            });
            Last { watch, element, earlier: earlier.collect() }
        })
        .collect()
    }
}

/// What was called in a program, and with what.
#[derive(Debug, Clone, Default)]
pub(super) struct Called {
    /// For each operation, which arguments patterns ask for together.
    asked: Vec<Vec<Vec<usize>>>,
    bits: Bits,
}

#[derive(Debug, Clone)]
struct Bits([u64; WORDS]);

impl Default for Bits {
    fn default() -> Bits {
        Bits([0; WORDS])
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
        self.bits = Bits::default();
    }

    /// Takes note of a call.
    pub(super) fn add(&mut self, call: &Call<'_>) {
        let Some(asked) = self.asked.get(call.operation) else { return };
        for places in asked {
            let arguments = places.iter().map(|place| (*place, call.arguments[*place]));
            let (word, bit) = place_of(call.operation, arguments);
            self.bits.0[word] |= bit;
        }
    }

    /// Whether a call may complete a pattern.
    pub(super) fn allows(&self, last: &Last, call: &Call<'_>) -> bool {
        last.earlier.iter().all(|Earlier { operation, same }| {
            let arguments = same.iter().map(|(place, own)| (*place, call.arguments[*own]));
            let (word, bit) = place_of(*operation, arguments);
            self.bits.0[word] & bit != 0
        })
    }
}

/// The bit of a call: its word, and its mask.
fn place_of(operation: usize, arguments: impl Iterator<Item = (usize, Value)>) -> (usize, u64) {
    let mixed = |hash: u64, word: u64| (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let hash = arguments.fold(mixed(0, operation as u64), |hash, (place, value)| {
        mixed(hash, value.wrapping_add(place as u64))
    });
    ((hash >> 58) as usize % WORDS, 1 << (hash >> 52 & 63))
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
