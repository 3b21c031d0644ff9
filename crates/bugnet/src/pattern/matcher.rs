//! The matcher: watches a program grow, call by call, for known patterns.
//!
//! Patterns are looked up by the operation of a call, and only those are looked into that it
//! [may](super::completion_table) complete: their [watches](super::partial_match) then catch up with the program.

use super::amount::{Scale, Weighed};
use super::completion_table::{Completion, EarlierCalls, Last};
use super::embedding::Search;
use super::history::{Call, History};
use super::partial_match::PartialMatch;
use super::{Element, Pattern, STATE, Term, Value};
use crate::list::mapped;

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
/// let call = |operation, arguments| Call { operation, arguments, choices: &[], classes: &[] };
/// matcher.add(&call(0, &[]));
/// assert_eq!(matcher.would_complete(&call(1, &[0])), None);
/// matcher.add(&call(1, &[0]));
/// assert_eq!(matcher.would_complete(&call(1, &[0])), Some(0));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Matcher {
    watches: Vec<PartialMatch>,
    history: History,
    /// The patterns that each operation may complete.
    lasts: Vec<Vec<Last>>,
    /// For each operation, true if a pattern has it in its elements or in its guards.
    concerned: Vec<bool>,
    called: EarlierCalls,
    search: Search,
    scales: Vec<Scale>,
    asks_for_choices: bool,
    asks_for_classes: bool,
}

impl Matcher {
    /// Watches for these patterns.
    pub fn new(patterns: &[Pattern]) -> Matcher {
        let mut matcher = Matcher::default();
        for (number, pattern) in patterns.iter().enumerate() {
            if !pattern.amounts.is_empty() {
                let operations = mapped(&pattern.elements, |element| element.operation);
                matcher.scales.push(Scale::new(number, operations, &pattern.amounts));
                matcher.watches.push(PartialMatch::new(pattern.clone()));
                continue;
            }
            for element in &pattern.elements {
                matcher.concern(element);
            }
            for guard in &pattern.guards {
                for extra in &guard.extras {
                    matcher.concern(&extra.element);
                }
            }
            let watch = PartialMatch::new(pattern.clone());
            for last in Last::of(number, pattern, watch.lazy()) {
                matcher.lasts[pattern.elements[last.element].operation].push(last);
            }
            matcher.watches.push(watch);
        }
        matcher.called = EarlierCalls::new(&matcher.lasts);
        matcher
    }

    /// Notes what an element asks of calls.
    fn concern(&mut self, element: &Element) {
        for term in &element.arguments {
            self.asks_for_choices |= matches!(term, Term::Least(_));
            self.asks_for_classes |= matches!(term, Term::Class(..));
        }
        while self.concerned.len() <= element.operation {
            self.concerned.push(false);
            self.lasts.push(Vec::new());
        }
        self.concerned[element.operation] = true;
    }

    /// Forgets the program.
    pub fn clear(&mut self) {
        self.history.clear();
        self.called.clear();
        self.scales.iter_mut().for_each(Scale::clear);
        self.watches.iter_mut().for_each(PartialMatch::clear);
    }

    /// Returns true if a pattern has an operation: only then do the arguments of its calls matter.
    #[inline]
    pub fn concerns(&self, operation: usize) -> bool {
        self.concerned.get(operation).is_some_and(|concerned| *concerned)
    }

    /// Returns true if quantities of the calls of an operation matter.
    #[inline]
    pub(crate) fn weighs(&self, operation: usize) -> bool {
        self.scales.iter().any(|scale| scale.concerns(operation))
    }

    /// The first pattern whose amounts are reached by a call.
    pub(crate) fn would_reach(&self, call: &Weighed<'_>) -> Option<usize> {
        self.scales.iter().find(|scale| scale.is_reached_by(call)).map(|scale| scale.pattern)
    }

    /// Takes note of the quantities of a call that was made.
    pub(crate) fn weigh(&mut self, call: &Weighed<'_>) {
        for scale in &mut self.scales {
            scale.add(call);
        }
    }

    /// Returns true if the choices of literals matter.
    pub fn asks_for_choices(&self) -> bool {
        self.asks_for_choices
    }

    /// Returns true if the classes of literals matter.
    pub fn asks_for_classes(&self) -> bool {
        self.asks_for_classes
    }

    /// Tells whether a call completes a pattern, as far as it can be said before its literals are drawn. Values are
    /// results of earlier calls, by their numbers; those at the places of literals are ignored.
    #[inline]
    pub(crate) fn early_chance(&self, operation: usize, values: &[u32]) -> Completion {
        let lasts = self.lasts.get(operation).map_or(&[][..], |lasts| lasts);
        self.called.early_chance(lasts, values, &self.history)
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
        let Matcher { watches, history, lasts, called, search, .. } = self;
        let completed = |last: &&Last| {
            let watch = &mut watches[last.watch];
            last.watch >= first
                && match called.chance(last, call, history) {
                    Completion::No => false,
                    Completion::Maybe => watch.is_completed(last.element, call, history, search),
                    Completion::Yes => watch.fits(last.element, call),
                }
        };
        lasts.get(call.operation)?.iter().find(completed).map(|last| last.watch)
    }

    /// Which operations have been called with one of these values, or with a value that stood beside
    /// one of them: a bit for each.
    pub(crate) fn context_of(&self, values: &[Value]) -> u64 {
        let (mut known, mut context) = (Vec::new(), 0);
        add_values(&mut known, values);
        for _ in 0..2 {
            let mut beside: Vec<Value> = Vec::new();
            for place in 0..self.history.len() {
                let call = self.history.call(place);
                if call.arguments.iter().any(|value| known.contains(value)) {
                    context |= 1 << (call.operation % 64);
                    add_values(&mut beside, call.arguments);
                }
            }
            known.append(&mut beside);
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

/// Adds values that are not the state of a machine.
fn add_values(known: &mut Vec<Value>, values: &[Value]) {
    for value in values {
        if *value != STATE {
            known.push(*value);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
