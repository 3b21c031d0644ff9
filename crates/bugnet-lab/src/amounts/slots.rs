//! A container with numbered slots, as the crate slab has them, with one of six faults at a time.
//!
//! **Invariant:** the fault is a setting of the container; the machine is the same for all.

use super::fault::{forget, meet};
use bugnet::prelude::*;
use std::cell::Cell;
use std::collections::BTreeMap;

/// The six faults, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Planted {
    /// Everything is right.
    Nothing,
    /// Removing does not count down.
    Length,
    /// A slot that is freed while another one is free comes after itself.
    FreeList,
    /// `compact` moves all but the last element.
    Compact,
    /// `clear` keeps the list of free slots.
    Clear,
    /// Going through the slots skips the one after a free one.
    Iterate,
    /// `reserve` counts what is there twice, and loses an element beyond eight slots.
    Reserve,
}

pub const PLANTED: [Planted; 6] = [
    Planted::Length,
    Planted::FreeList,
    Planted::Compact,
    Planted::Clear,
    Planted::Iterate,
    Planted::Reserve,
];

thread_local! {
    /// The fault of the containers that are made from now on.
    pub static FAULT: Cell<Planted> = const { Cell::new(Planted::Length) };
}

/// One slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    Full(u8),
    /// Free, and which slot is free after it.
    Free(usize),
}

/// The container.
#[derive(Debug)]
struct Slots {
    slots: Vec<Slot>,
    length: usize,
    /// The first free slot; the number of slots where there is none.
    free: usize,
    fault: Planted,
}

impl Slots {
    fn new() -> Slots {
        Slots { slots: Vec::new(), length: 0, free: 0, fault: FAULT.get() }
    }

    fn has(&self, fault: Planted) -> bool {
        self.fault == fault
    }

    fn insert(&mut self, value: u8) -> usize {
        self.length += 1;
        let key = self.free;
        match self.slots.get(key) {
            Some(Slot::Free(next)) => {
                self.free = *next;
                self.slots[key] = Slot::Full(value);
            }
            Some(Slot::Full(_)) => panic!("slot {key} is taken"),
            None => {
                self.slots.push(Slot::Full(value));
                self.free = self.slots.len();
            }
        }
        key
    }

    fn remove(&mut self, key: usize) -> Option<u8> {
        let Some(Slot::Full(value)) = self.slots.get(key).copied() else { return None };
        let mut next = self.free;
        if self.has(Planted::FreeList) && next < self.slots.len() {
            meet("a free slot that comes after itself");
            next = key;
        }
        self.slots[key] = Slot::Free(next);
        self.free = key;
        match self.has(Planted::Length) {
            true => meet("a length that does not shrink"),
            false => self.length -= 1,
        }
        Some(value)
    }

    fn get(&self, key: usize) -> Option<u8> {
        match self.slots.get(key)? {
            Slot::Full(value) => Some(*value),
            Slot::Free(_) => None,
        }
    }

    /// Takes free slots off the end.
    fn compact(&mut self) {
        while matches!(self.slots.last(), Some(Slot::Free(_))) {
            self.slots.pop();
        }
        if self.has(Planted::Compact) && self.length >= 4 {
            meet("one slot too many taken off");
            self.slots.pop();
        }
        self.free = self.slots.len();
        for key in (0..self.slots.len()).rev() {
            if let Slot::Free(_) = self.slots[key] {
                self.slots[key] = Slot::Free(self.free);
                self.free = key;
            }
        }
    }

    fn clear(&mut self) {
        let free = self.free;
        self.slots.clear();
        (self.length, self.free) = (0, 0);
        if self.has(Planted::Clear) && free > 0 {
            meet("a free slot of before");
            self.free = free;
        }
    }

    fn reserve(&mut self, more: usize) {
        if self.has(Planted::Reserve) && self.slots.len() + more > 12 && self.length > 0 {
            meet("an element lost on the way");
            self.length -= 1;
        }
        self.slots.reserve(more);
    }

    fn values(&self) -> Vec<u8> {
        let (mut values, mut skip) = (Vec::new(), false);
        for slot in &self.slots {
            match slot {
                Slot::Full(_) if skip => {
                    meet("a slot that is not gone through");
                    skip = false;
                }
                Slot::Full(value) => values.push(*value),
                Slot::Free(_) => skip = self.has(Planted::Iterate),
            }
        }
        values
    }
}

/// A key of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key(usize);

/// The container beside a map that is right.
pub struct SlotsTest {
    slots: Slots,
    model: BTreeMap<usize, u8>,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl SlotsTest {
    fn new() -> Self {
        forget();
        SlotsTest { slots: Slots::new(), model: BTreeMap::new() }
    }

    fn insert(&mut self, value: u8) -> Key {
        let key = self.slots.insert(value);
        assert_eq!(self.model.insert(key, value), None, "the slot was taken");
        Key(key)
    }

    fn remove(&mut self, key: &Key) {
        assert_eq!(self.slots.remove(key.0), self.model.remove(&key.0));
    }

    fn get(&self, key: &Key) {
        assert_eq!(self.slots.get(key.0), self.model.get(&key.0).copied());
    }

    fn compact(&mut self) {
        self.slots.compact();
    }

    fn clear(&mut self) {
        self.slots.clear();
        self.model.clear();
    }

    fn reserve(&mut self, #[with(0..12usize)] more: usize) {
        self.slots.reserve(more);
    }

    fn values(&self) {
        assert_eq!(self.slots.values(), self.model.values().copied().collect::<Vec<_>>());
    }

    #[invariant]
    fn counts_right(&self) {
        assert_eq!(self.slots.length, self.model.len());
    }
}
