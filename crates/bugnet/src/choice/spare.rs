//! Spare values: what is left of one input goes into the next.
//!
//! A property that only borrows its input leaves it to the engine, which makes the next one in its
//! place. Where the next one is of the same alternative, its fields are made anew where they are.
//! Otherwise it trades places with a spare value of the alternative that is wanted, which brings
//! boxes along, and becomes a spare itself. So trees that are as large as those before them
//! hardly ask for memory.
//!
//! **Invariant:** what was there before changes neither the choices made nor the value made of them.

use super::Source;
use crate::generate::{Alternatives, KnownShape};
use std::any::{Any, TypeId};
use std::mem;

/// So many spare values of an alternative are kept at most.
const MOST: usize = 1000;

/// The spare values of one type, by their alternatives in order of declaration.
#[doc(hidden)]
#[derive(Debug)]
pub struct Spares<T> {
    of: Vec<Vec<T>>,
}

impl<T: Alternatives> Spares<T> {
    /// Has a value of one alternative trade places with a spare one of another, if there is one.
    fn trade(&mut self, value: &mut T, alternative: usize, other: usize) -> bool {
        let Some(spares) = self.of.get_mut(other) else { return false };
        let Some(spare) = spares.pop() else { return false };
        let old = mem::replace(value, spare);
        self.keep(old, alternative);
        true
    }

    fn keep(&mut self, value: T, alternative: usize) {
        match self.of.get_mut(alternative) {
            Some(spares) if spares.len() == MOST => {}
            Some(spares) => spares.push(value),
            None => self.keep_first(value, alternative),
        }
    }

    #[cold]
    #[inline(never)]
    fn keep_first(&mut self, value: T, alternative: usize) {
        self.of.resize_with(alternative + 1, Vec::new);
        self.of[alternative].push(value);
    }
}

impl Source {
    /// Makes a value of a type with alternatives in the place of another one.
    #[doc(hidden)]
    #[inline(always)]
    pub fn recompose<T: Alternatives>(&mut self, value: &mut T, shape: &KnownShape) {
        // What is recorded is made in one way only.
        if !T::REUSES || !self.is_fast() {
            return self.replace(value);
        }
        match shape.equal() {
            0 => self.recur_in(value, shape.of::<T>()),
            count => self.choose_in(value, count),
        }
    }

    #[inline(never)]
    fn replace<T: Alternatives>(&mut self, value: &mut T) {
        *value = T::generate(self);
    }

    /// Makes a value of one of several alternatives that are equally likely.
    #[inline(never)]
    fn choose_in<T: Alternatives>(&mut self, value: &mut T, count: u64) {
        let alternative = self.random_below(count) as usize;
        self.rebuild(value, alternative);
    }

    /// Makes a value of an alternative in the place of another one.
    #[inline(always)]
    pub(super) fn rebuild<T: Alternatives>(&mut self, value: &mut T, wanted: usize) {
        let present = value.alternative();
        if present == wanted || T::spares(self).is_some_and(|spares| spares.trade(value, present, wanted)) {
            value.rebuild(self);
            return;
        }
        let old = mem::replace(value, T::build(self, wanted));
        if let Some(spares) = T::spares(self) {
            spares.keep(old, present);
        }
    }

    /// The spare values of a type.
    #[doc(hidden)]
    #[inline]
    pub fn spares<T: Alternatives + 'static>(&mut self) -> &mut Spares<T> {
        let all = self.all_spares();
        let mut place = 0;
        while place < all.len() && all[place].0 != TypeId::of::<T>() {
            place += 1;
        }
        if place == all.len() {
            first_spares::<T>(all);
        }
        all[place].1.downcast_mut().expect("it was looked for by its type")
    }
}

#[cold]
#[inline(never)]
fn first_spares<T: Alternatives + 'static>(all: &mut Vec<(TypeId, Box<dyn Any>)>) {
    all.push((TypeId::of::<T>(), Box::new(Spares::<T> { of: Vec::new() })));
}
