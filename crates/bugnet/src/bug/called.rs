//! What was called with what: tells at little cost that a call cannot complete a pattern.
//!
//! Most calls complete nothing, and most patterns are far from complete. A pattern can be completed only
//! when all its other operations have been called, and with the same values where it says so. Two tables
//! of masks know that, in which values share places.
//!
//! **Invariant:** they may say yes in vain, and never no.

use super::matcher::Call;
use super::pattern::{Element, Pattern, Term, Value};

/// A pattern that a call of an operation may complete.
#[derive(Debug, Clone)]
pub(super) struct Last {
    /// The place of the pattern.
    pub(super) watch: usize,
    /// The element that the call would be.
    pub(super) element: usize,
    /// The operations of all other elements.
    called: u64,
    /// For places of arguments, the operations of other elements that use the same value.
    with: Vec<(usize, u64)>,
}

impl Last {
    /// The elements that a call may be the last one of.
    pub(super) fn of(watch: usize, pattern: &Pattern, lazy: u64) -> Vec<Last> {
        let mask = |fits: &dyn Fn(usize) -> bool| -> u64 {
            let elements = pattern.elements.iter().enumerate().filter(|(place, _)| fits(*place));
            elements.fold(0, |mask, (_, element)| mask | bit(element.operation))
        };
        let last = pattern.last_elements().filter(|element| lazy & (1 << element) == 0);
        last.map(|element| {
            let variables = shared_variables(pattern, &pattern.elements[element]);
            let with = variables.into_iter().map(|(place, variable)| {
                (place, mask(&|other| other != element && pattern.elements[other].uses(variable as u8)))
            });
            let with = with.filter(|(_, operations)| *operations != 0).collect();
            Last { watch, element, called: mask(&|other| other != element), with }
        })
        .collect()
    }
}

/// The bit of an operation in masks of operations; some share one.
fn bit(operation: usize) -> u64 {
    1 << (operation % 64)
}

/// Which operations have been called in a program, and with which values.
#[derive(Debug, Clone)]
pub(super) struct Called {
    all: u64,
    with: [u64; VALUES],
}

/// How many places for values there are.
const VALUES: usize = 256;

impl Default for Called {
    fn default() -> Called {
        Called { all: 0, with: [0; VALUES] }
    }
}

impl Called {
    fn place(value: Value) -> usize {
        (value.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize
    }

    pub(super) fn add(&mut self, call: &Call<'_>) {
        self.all |= bit(call.operation);
        for value in call.arguments {
            self.with[Called::place(*value)] |= bit(call.operation);
        }
    }

    /// Whether a call may complete a pattern.
    pub(super) fn allows(&self, last: &Last, call: &Call<'_>) -> bool {
        let known = |(place, operations): &(usize, u64)| {
            operations & !self.with[Called::place(call.arguments[*place])] == 0
        };
        last.called & !self.all == 0 && last.with.iter().all(known)
    }
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
