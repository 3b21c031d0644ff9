//! Ten machines that nothing was tuned on: half over published crates, half with two faults.
//!
//! They were committed before they were first run, and are run once, for a figure.
//!
//! **Invariant:** every fault is noted where its wrong code runs.

use super::fault::{forget, meet};
use arrayvec::{ArrayString, ArrayVec};
use bugnet::prelude::*;
use bytes::{Buf, BufMut, BytesMut};
use indexmap::IndexSet;
use slab::Slab;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// A label that is cut where it does not fit, over `arrayvec`.
pub struct Label {
    text: ArrayString<24>,
    whole: String,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Label {
    fn new() -> Self {
        forget();
        Label { text: ArrayString::new(), whole: String::new() }
    }

    fn add(&mut self, word: String) {
        self.whole += &word;
        if self.text.try_push_str(&word).is_err() {
            meet("does not fit");
        }
    }

    fn back(&mut self) {
        self.text.pop();
        self.whole.pop();
    }

    fn clear(&mut self) {
        self.text.clear();
        self.whole.clear();
    }

    fn length(&self) -> usize {
        self.text.len()
    }

    #[invariant]
    fn says_all(&self) -> bool {
        self.text.as_str() == self.whole
    }
}

/// A small set of numbers that is sorted by hand, over `smallvec`, with two mistakes.
pub struct Sorted(SmallVec<[i16; 6]>);

#[machine]
#[ignore = "it is wrong on purpose"]
impl Sorted {
    fn new() -> Self {
        forget();
        Sorted(SmallVec::new())
    }

    fn insert(&mut self, x: i16) {
        let place = self.0.iter().position(|other| *other >= x).unwrap_or(self.0.len());
        if x < -100 {
            meet("far below zero");
            self.0.push(x);
            self.0.insert(0, 0);
        } else {
            self.0.insert(place, x);
        }
    }

    fn remove(&mut self, #[with(0..6usize)] place: usize) {
        if place < self.0.len() {
            if self.0.len() >= 5 {
                meet("swaps");
                self.0.swap_remove(place);
            } else {
                self.0.remove(place);
            }
        }
    }

    fn greatest(&self) -> Option<i16> {
        self.0.last().copied()
    }

    #[invariant]
    fn is_sorted(&self) -> bool {
        self.0.windows(2).all(|pair| pair[0] <= pair[1])
    }
}

/// Frames with their lengths before them, over `bytes`.
pub struct Frames {
    wire: BytesMut,
    sent: Vec<usize>,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Frames {
    fn new() -> Self {
        forget();
        Frames { wire: BytesMut::new(), sent: Vec::new() }
    }

    fn send(&mut self, frame: Vec<u8>) {
        // Four bits are not enough for every length.
        if frame.len() > 15 {
            meet("a long frame");
        }
        self.sent.push(frame.len());
        self.wire.put_u8(frame.len() as u8 & 15);
        self.wire.put_slice(&frame);
    }

    fn receive(&mut self) {
        if self.wire.has_remaining() {
            let length = usize::from(self.wire.get_u8());
            assert_eq!(length, self.sent.remove(0), "another length");
            self.wire.advance(length);
        }
    }

    fn waiting(&self) -> usize {
        self.wire.len()
    }
}

/// Recent files, over `indexmap`, with two mistakes.
pub struct Recent {
    files: IndexSet<u8>,
    pinned: Option<u8>,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Recent {
    fn new() -> Self {
        forget();
        Recent { files: IndexSet::new(), pinned: None }
    }

    fn open(&mut self, #[with(0..20u8)] file: u8) {
        self.files.shift_remove(&file);
        self.files.insert(file);
        if self.files.len() > 7 {
            // The oldest goes, even if it is pinned.
            let oldest = self.files.shift_remove_index(0);
            if oldest == self.pinned {
                meet("drops the pinned");
            }
        }
    }

    fn pin(&mut self, #[with(0..20u8)] file: u8) {
        if self.files.contains(&file) {
            self.pinned = Some(file);
        }
    }

    fn close(&mut self, #[with(0..20u8)] file: u8) {
        self.files.shift_remove(&file);
        if self.pinned == Some(file) {
            meet("closes the pinned");
        }
    }

    #[invariant]
    fn pinned_is_there(&self) -> bool {
        self.pinned.is_none_or(|file| self.files.contains(&file))
    }
}

/// A timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Timer(usize);

/// Timers by their ticks, over `slab`.
pub struct Timers {
    all: Slab<u8>,
    fired: ArrayVec<usize, 8>,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Timers {
    fn new() -> Self {
        forget();
        Timers { all: Slab::new(), fired: ArrayVec::new() }
    }

    fn start(&mut self, #[with(1..4u8)] ticks: u8) -> Timer {
        Timer(self.all.insert(ticks))
    }

    fn stop(&mut self, timer: Timer) {
        self.all.try_remove(timer.0);
    }

    fn tick(&mut self) {
        self.fired.clear();
        let mut done = Vec::new();
        for (key, ticks) in &mut self.all {
            *ticks -= 1;
            if *ticks == 0 {
                done.push(key);
            }
        }
        for key in done {
            self.all.remove(key);
            if self.fired.len() >= 3 {
                meet("three at once");
                panic!("too many timers");
            }
            self.fired.push(key);
        }
    }
}

/// A ring of messages that says how full it is.
pub struct Ring {
    slots: [u8; 8],
    read: usize,
    written: usize,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Ring {
    fn new() -> Self {
        forget();
        Ring { slots: [0; 8], read: 0, written: 0 }
    }

    fn write(&mut self, message: u8) {
        if self.written - self.read >= 8 {
            meet("overwrites");
        }
        self.slots[self.written % 8] = message;
        self.written += 1;
    }

    fn read(&mut self) -> Option<u8> {
        if self.read == self.written {
            return None;
        }
        self.read += 1;
        Some(self.slots[(self.read - 1) % 8])
    }

    fn drain(&mut self) {
        self.read = self.written;
    }

    #[invariant]
    fn not_too_full(&self) -> bool {
        self.written - self.read <= 8
    }
}

/// A price with a discount, with two mistakes of value.
pub struct Price {
    total: i64,
    items: u32,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Price {
    fn new() -> Self {
        forget();
        Price { total: 0, items: 0 }
    }

    fn add(&mut self, #[with(0..500i64)] price: i64) {
        self.items += 1;
        self.total += price;
        if (90..=110).contains(&price) {
            meet("a price of about a hundred");
            panic!("no such price");
        }
    }

    fn voucher(&mut self, code: String) {
        if code.contains('-') {
            meet("a dash");
            panic!("no such voucher");
        }
        self.total -= code.len() as i64;
    }

    fn pay(&mut self) {
        (self.total, self.items) = (0, 0);
    }
}

/// A lock with readers and writers, with two mistakes.
pub struct Lock {
    readers: u32,
    writing: bool,
    upgraded: bool,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Lock {
    fn new() -> Self {
        forget();
        Lock { readers: 0, writing: false, upgraded: false }
    }

    fn read(&mut self) {
        if !self.writing {
            self.readers += 1;
        }
    }

    fn unread(&mut self) {
        self.readers = self.readers.saturating_sub(1);
    }

    fn upgrade(&mut self) {
        if self.readers > 0 && !self.writing {
            if self.readers > 1 {
                meet("upgrades among others");
            }
            self.upgraded = true;
            self.writing = true;
            self.readers -= 1;
        }
    }

    fn write(&mut self) {
        if self.readers == 6 {
            meet("the sixth is not counted");
            self.writing = true;
        }
        if self.readers == 0 {
            self.writing = true;
        }
    }

    fn unwrite(&mut self) {
        (self.writing, self.upgraded) = (false, false);
    }

    #[invariant]
    fn nobody_reads_what_is_written(&self) -> bool {
        !self.writing || self.readers == 0
    }
}

/// A tree of folders, by depth.
pub struct Folders {
    path: Vec<u8>,
    visited: BTreeMap<Vec<u8>, u32>,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Folders {
    fn new() -> Self {
        forget();
        Folders { path: Vec::new(), visited: BTreeMap::new() }
    }

    fn enter(&mut self, #[with(0..3u8)] name: u8) {
        self.path.push(name);
        *self.visited.entry(self.path.clone()).or_default() += 1;
        if self.path.len() > 6 {
            meet("too deep");
            panic!("the path is too long");
        }
    }

    fn up(&mut self) {
        self.path.pop();
    }

    fn home(&mut self) {
        self.path.clear();
    }

    fn visits(&self) -> usize {
        self.visited.len()
    }
}

/// A poll with two mistakes: one is who votes twice, the other is how many do.
pub struct Poll {
    votes: Vec<(u8, bool)>,
    yes: usize,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Poll {
    fn new() -> Self {
        forget();
        Poll { votes: Vec::new(), yes: 0 }
    }

    fn vote(&mut self, #[with(0..30u8)] voter: u8, yes: bool) {
        if let Some(vote) = self.votes.iter_mut().find(|(other, _)| *other == voter) {
            if vote.1 && !yes {
                meet("takes a vote back");
            } else if yes && !vote.1 {
                self.yes += 1;
            }
            vote.1 = yes;
            return;
        }
        self.votes.push((voter, yes));
        self.yes += usize::from(yes);
        if self.votes.len() > 9 && yes {
            meet("the tenth");
            self.yes -= 1;
        }
    }

    fn reset(&mut self) {
        self.votes.clear();
        self.yes = 0;
    }

    #[invariant]
    fn counts_right(&self) -> bool {
        self.yes == self.votes.iter().filter(|(_, yes)| *yes).count()
    }
}
