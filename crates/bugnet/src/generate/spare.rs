//! Spare values: what is left of one input goes into the next.
//!
//! A property that only borrows its input leaves it to the engine, which makes the next one in its
//! place. Where the next one is of the same alternative, its fields are made anew where they are.
//! Otherwise it trades places with a spare value of the alternative that is wanted, which brings
//! boxes along, and becomes a spare itself. So trees that are as large as those before them
//! hardly ask for memory.
//!
//! **Invariant:** what was there before changes neither the choices made nor the value made of them.

use super::Alternatives;
use crate::choice::{AllSpares, KnownShape, Shape, Source};
use std::{mem, ptr};

/// The most spare values of an alternative that are kept.
const MOST: usize = 1000;

/// The spare values of one type, by their alternatives in order of declaration.
#[doc(hidden)]
#[derive(Debug)]
pub struct Spares<T> {
    // Not a list: in a debug build, each look into one is a call.
    of: Box<[Vec<T>]>,
}

impl<T> Spares<T> {
    /// Has a value of one alternative trade places with a spare one of another, if there is one.
    fn trade(&mut self, value: &mut T, present: usize, wanted: usize) -> bool {
        match self.of[wanted].pop() {
            Some(spare) => {
                self.keep(mem::replace(value, spare), present);
                true
            }
            None => false,
        }
    }

    fn keep(&mut self, value: T, alternative: usize) {
        let spares = &mut self.of[alternative];
        if spares.len() < MOST {
            spares.push(value);
        }
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

    /// Makes a value where the size decides, or the weights.
    #[inline(never)]
    fn recur_in<T: Alternatives>(&mut self, value: &mut T, shape: &Shape) {
        let (size, alternative) = (self.size, self.random_alternative(shape));
        self.rebuild(value, alternative);
        self.size = size;
    }

    /// Makes a value of one of several alternatives that are equally likely.
    #[inline(never)]
    fn choose_in<T: Alternatives>(&mut self, value: &mut T, count: u64) {
        let alternative = self.random_below(count) as usize;
        self.rebuild(value, alternative);
    }

    /// Makes a value of an alternative in the place of another one.
    #[inline(always)]
    fn rebuild<T: Alternatives>(&mut self, value: &mut T, wanted: usize) {
        let present = value.alternative();
        let mut fits = present == wanted;
        if !fits {
            fits = T::spares(self).is_some_and(|spares| spares.trade(value, present, wanted));
        }
        if fits {
            return value.rebuild(self);
        }
        let old = mem::replace(value, T::build(self, wanted));
        if let Some(spares) = T::spares(self) {
            spares.keep(old, present);
        }
    }

    /// Returns the spare values of a type with this number of alternatives.
    #[doc(hidden)]
    #[inline]
    pub fn spares<T: 'static>(&mut self, shape: &'static KnownShape, alternatives: usize) -> &mut Spares<T> {
        let all = self.all_spares();
        let mut place = 0;
        while place < all.len() && !ptr::eq(all[place].0, shape) {
            place += 1;
        }
        if place == all.len() {
            first_spares::<T>(all, shape, alternatives);
        }
        all[place].1.downcast_mut().expect("a shape is that of one type")
    }
}

#[cold]
#[inline(never)]
fn first_spares<T: 'static>(all: &mut AllSpares, shape: &'static KnownShape, alternatives: usize) {
    let of = (0..alternatives).map(|_| Vec::new()).collect();
    all.push((shape, Box::new(Spares::<T> { of })));
}
