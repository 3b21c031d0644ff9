//! Ten machines for the figure that is shown: half over published crates, half with two faults.
//!
//! They were committed before their one run, and nothing was changed in the hunt after it.
//!
//! **Invariant:** every fault is noted where its wrong code runs.

use super::fault::{forget, meet};
use bit_vec::BitVec;
use bugnet::prelude::*;
use crop::Rope;
use indexmap::IndexMap;
use roaring::RoaringBitmap;
use rpds::Vector;

/// The seats of a plane, over `bit-vec`, with two mistakes of counting.
pub struct Seats {
    taken: BitVec,
    count: usize,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Seats {
    fn new() -> Self {
        forget();
        Seats { taken: BitVec::from_elem(24, false), count: 0 }
    }

    fn book(&mut self, #[with(0..24usize)] seat: usize) {
        if self.taken.get(seat) == Some(false) {
            self.taken.set(seat, true);
            self.count += 1;
        }
    }

    fn cancel(&mut self, #[with(0..24usize)] seat: usize) {
        if self.taken.get(seat) == Some(true) {
            self.taken.set(seat, false);
            match seat {
                23 => meet("the last seat is not counted down"),
                _ => self.count -= 1,
            }
        }
    }

    fn block_row(&mut self, #[with(0..6usize)] row: usize) {
        let before = self.count;
        for seat in 4 * row..4 * row + 4 {
            let was_taken = self.taken.get(seat) == Some(true);
            self.taken.set(seat, true);
            self.count += usize::from(!was_taken);
        }
        if self.count - before == 2 {
            meet("a row that is half full is counted in full");
            self.count += 2;
        }
    }

    fn free(&self) -> usize {
        24 - self.count.min(24)
    }

    #[invariant]
    fn counts_right(&self) -> bool {
        self.count == self.taken.iter().filter(|taken| *taken).count()
    }
}

/// Numbers that were chosen, over `roaring`, with a counter that is too small.
pub struct Chosen {
    numbers: RoaringBitmap,
    count: u8,
}

impl Chosen {
    fn add(&mut self, number: u32) {
        if self.numbers.insert(number) {
            if self.count == u8::MAX {
                meet("the counter is too small");
            }
            self.count = self.count.wrapping_add(1);
        }
    }
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Chosen {
    fn new() -> Self {
        forget();
        Chosen { numbers: RoaringBitmap::new(), count: 0 }
    }

    fn add_one(&mut self, #[with(0..2_000u32)] number: u32) {
        self.add(number);
    }

    fn add_range(&mut self, #[with(0..2_000u32)] from: u32, #[with(0..40u32)] length: u32) {
        (from..from + length).for_each(|number| self.add(number));
    }

    fn remove(&mut self, #[with(0..2_000u32)] number: u32) {
        if self.numbers.remove(number) {
            self.count = self.count.wrapping_sub(1);
        }
    }

    fn greatest(&self) -> Option<u32> {
        self.numbers.max()
    }

    #[invariant]
    fn counts_right(&self) -> bool {
        self.numbers.len() == u64::from(self.count)
    }
}

/// A document with saved versions, over `rpds`, with two mistakes.
pub struct Versions {
    now: Vector<u8>,
    saved: Vec<Vector<u8>>,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Versions {
    fn new() -> Self {
        forget();
        Versions { now: Vector::new(), saved: Vec::new() }
    }

    fn write(&mut self, letter: u8) {
        self.now = self.now.push_back(letter);
    }

    fn erase(&mut self) {
        if let Some(shorter) = self.now.drop_last() {
            self.now = shorter;
        }
    }

    fn save(&mut self) {
        self.saved.push(self.now.clone());
        if self.saved.len() > 5 {
            meet("no room for a sixth version");
            panic!("too many versions");
        }
    }

    fn restore(&mut self) {
        match self.saved.pop() {
            Some(saved) => self.now = saved,
            None if self.now.len() > 2 => {
                meet("nothing was saved");
                panic!("no version to restore");
            }
            None => self.now = Vector::new(),
        }
    }

    fn length(&self) -> usize {
        self.now.len()
    }
}

/// A text with a number of lines, over `crop`.
pub struct Editor {
    text: Rope,
    breaks: usize,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Editor {
    fn new() -> Self {
        forget();
        Editor { text: Rope::new(), breaks: 0 }
    }

    fn word(&mut self, #[with(0..40usize)] at: usize, #[with(1..6usize)] length: usize) {
        self.text.insert(at.min(self.text.byte_len()), "x".repeat(length));
    }

    fn enter(&mut self, #[with(0..40usize)] at: usize) {
        self.text.insert(at.min(self.text.byte_len()), "\n");
        self.breaks += 1;
    }

    fn delete(&mut self, #[with(0..40usize)] from: usize, #[with(1..10usize)] length: usize) {
        let all = self.text.byte_len();
        let (start, end) = (from.min(all), (from + length).min(all));
        let gone = self.text.byte_slice(start..end).bytes().filter(|byte| *byte == b'\n').count();
        self.text.delete(start..end);
        if gone > 1 {
            meet("two lines are counted as one");
        }
        self.breaks -= gone.min(1);
    }

    #[invariant]
    fn knows_its_lines(&self) -> bool {
        self.breaks == self.text.bytes().filter(|byte| *byte == b'\n').count()
    }
}

/// A menu with a selected entry, over `indexmap`, with two mistakes.
pub struct Menu {
    entries: IndexMap<u8, u16>,
    selected: Option<usize>,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Menu {
    fn new() -> Self {
        forget();
        Menu { entries: IndexMap::new(), selected: None }
    }

    fn add(&mut self, #[with(0..15u8)] entry: u8, #[with(0..100u16)] price: u16) {
        self.entries.insert(entry, price);
    }

    fn remove(&mut self, #[with(0..15u8)] entry: u8) {
        let Some((place, ..)) = self.entries.shift_remove_full(&entry) else { return };
        match self.selected {
            Some(selected) if selected == place => self.selected = None,
            Some(selected) if selected > place => {
                if selected == self.entries.len() {
                    meet("the selection does not move up");
                } else {
                    self.selected = Some(selected - 1);
                }
            }
            _ => {}
        }
    }

    fn select(&mut self, #[with(0..8usize)] place: usize) {
        if place < self.entries.len() {
            self.selected = Some(place);
        }
    }

    fn total(&mut self) {
        let total: u16 = self.entries.values().sum();
        if total >= 400 {
            meet("a dear menu");
            panic!("the total has three digits and does not begin with a four");
        }
    }

    #[invariant]
    fn selection_is_there(&self) -> bool {
        self.selected.is_none_or(|selected| selected < self.entries.len())
    }
}

/// A lift that counts who is in it.
pub struct Lift {
    people: u32,
    floor: u8,
    calls: Vec<u8>,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Lift {
    fn new() -> Self {
        forget();
        Lift { people: 0, floor: 0, calls: Vec::new() }
    }

    fn call(&mut self, #[with(0..8u8)] floor: u8) {
        if !self.calls.contains(&floor) {
            self.calls.push(floor);
        }
    }

    fn step(&mut self) {
        if let Some(next) = self.calls.first().copied() {
            self.floor = next;
            self.calls.remove(0);
        }
    }

    fn board(&mut self, #[with(1..5u32)] people: u32) {
        // It was meant to be twelve.
        if self.people + people <= 16 {
            self.people += people;
        }
        if self.people > 12 {
            meet("too heavy");
        }
    }

    fn alight(&mut self, #[with(1..5u32)] people: u32) {
        self.people = self.people.saturating_sub(people);
    }

    #[invariant]
    fn is_not_too_heavy(&self) -> bool {
        self.people <= 12
    }
}

/// A heater, with two mistakes.
pub struct Heater {
    degrees: i32,
    wanted: i8,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Heater {
    fn new() -> Self {
        forget();
        Heater { degrees: 20, wanted: 20 }
    }

    fn heat(&mut self, #[with(1..6i32)] degrees: i32) {
        self.degrees += degrees;
        if self.degrees >= 45 {
            meet("too hot");
            panic!("it burns");
        }
    }

    fn cool(&mut self, #[with(1..6i32)] degrees: i32) {
        self.degrees -= degrees;
    }

    fn set(&mut self, #[with(-20..40i8)] wanted: i8) {
        if wanted < -10 {
            meet("a sensor that knows no frost");
            panic!("no such temperature");
        }
        self.wanted = wanted;
    }

    fn difference(&self) -> i32 {
        i32::from(self.wanted) - self.degrees
    }
}

/// A mailbox that says when it is too full.
pub struct Mailbox {
    sizes: Vec<u32>,
    is_over: bool,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Mailbox {
    fn new() -> Self {
        forget();
        Mailbox { sizes: Vec::new(), is_over: false }
    }

    fn deliver(&mut self, #[with(0..100u32)] size: u32) {
        self.sizes.push(size);
        self.is_over = self.total() > 500;
    }

    fn delete(&mut self) {
        let was_over = self.is_over;
        self.sizes.pop();
        if was_over && self.total() <= 500 {
            meet("it stays over");
        }
    }

    fn total(&self) -> u32 {
        self.sizes.iter().sum()
    }

    #[invariant]
    fn knows_when_it_is_over(&self) -> bool {
        self.is_over == (self.total() > 500)
    }
}

/// A car park of three levels.
pub struct CarPark {
    cars: [u32; 3],
    reserved: [u32; 3],
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl CarPark {
    fn new() -> Self {
        forget();
        CarPark { cars: [0; 3], reserved: [0; 3] }
    }

    fn enter(&mut self, #[with(0..3usize)] level: usize) {
        if self.cars[level] + self.reserved[level] < 4 {
            self.cars[level] += 1;
        }
    }

    fn leave(&mut self, #[with(0..3usize)] level: usize) {
        self.cars[level] = self.cars[level].saturating_sub(1);
    }

    fn reserve(&mut self, #[with(0..3usize)] level: usize) {
        if self.reserved[level] < 4 {
            self.reserved[level] += 1;
            if self.cars[level] + self.reserved[level] > 4 {
                meet("cars are not counted");
            }
        }
    }

    fn cancel(&mut self, #[with(0..3usize)] level: usize) {
        self.reserved[level] = self.reserved[level].saturating_sub(1);
    }

    #[invariant]
    fn has_room(&self) -> bool {
        (0..3).all(|level| self.cars[level] + self.reserved[level] <= 4)
    }
}

/// A reader of brackets, with two mistakes.
pub struct Brackets {
    open: Vec<u8>,
    opened: usize,
    closed: usize,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Brackets {
    fn new() -> Self {
        forget();
        Brackets { open: Vec::new(), opened: 0, closed: 0 }
    }

    fn open(&mut self, #[with(0..3u8)] kind: u8) {
        self.open.push(kind);
        self.opened += 1;
        if self.open.len() > 7 {
            meet("too deep");
            panic!("the stack is full");
        }
    }

    fn close(&mut self, #[with(0..3u8)] kind: u8) {
        match self.open.last() {
            Some(last) if *last == kind => {
                self.open.pop();
                self.closed += 1;
            }
            Some(_) if kind == 2 && self.open.len() >= 2 => {
                meet("closes what it does not match");
                self.open.pop();
            }
            _ => {}
        }
    }

    fn depth(&self) -> usize {
        self.open.len()
    }

    #[invariant]
    fn counts_right(&self) -> bool {
        self.opened == self.closed + self.open.len()
    }
}
