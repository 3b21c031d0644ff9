//! Ten machines that were shown first: half over published crates, half with two faults.
//!
//! They were written before the hunt learned amounts, without a look at its code. What went wrong with them was
//! looked into since, so they are tuned on now; [`fresh`](super::fresh) has ten others.
//!
//! **Invariant:** every fault is noted where its wrong code runs.

use super::fault::{forget, meet};
use arrayvec::ArrayVec;
use bugnet::prelude::*;
use bytes::{Buf, BytesMut};
use indexmap::IndexMap;
use slab::Slab;
use smallvec::SmallVec;

/// A log of sixteen entries that nobody empties in time, over `arrayvec`.
pub struct Log(ArrayVec<u16, 16>);

#[machine]
#[ignore = "it is wrong on purpose"]
impl Log {
    fn new() -> Self {
        forget();
        Log(ArrayVec::new())
    }

    fn append(&mut self, entry: u16) {
        if self.0.is_full() {
            meet("full");
        }
        self.0.push(entry);
    }

    fn last(&mut self) -> Option<u16> {
        self.0.pop()
    }

    fn keep(&mut self, #[with(0..10usize)] count: usize) {
        self.0.truncate(count);
    }

    fn drop_odd(&mut self) {
        self.0.retain(|entry| *entry % 2 == 0);
    }
}

/// A list that forgets to note that it has left the stack, over `smallvec`.
pub struct Inline {
    list: SmallVec<[u8; 4]>,
    on_heap: bool,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Inline {
    fn new() -> Self {
        forget();
        Inline { list: SmallVec::new(), on_heap: false }
    }

    fn push(&mut self, x: u8) {
        self.list.push(x);
        self.on_heap = self.list.spilled();
    }

    fn extend(&mut self, more: Vec<u8>) {
        self.list.extend(more);
        if self.list.spilled() != self.on_heap {
            meet("extend");
        }
    }

    fn pop(&mut self) -> Option<u8> {
        self.list.pop()
    }

    fn shrink(&mut self) {
        self.list.shrink_to_fit();
        self.on_heap = self.list.spilled();
    }

    #[invariant]
    fn knows_where_it_is(&self) -> bool {
        self.on_heap == self.list.spilled()
    }
}

/// A cache with a limit on the weight of its entries, over `indexmap`.
pub struct Cache {
    entries: IndexMap<u8, u32>,
    weight: u32,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Cache {
    fn new() -> Self {
        forget();
        Cache { entries: IndexMap::new(), weight: 0 }
    }

    fn insert(&mut self, #[with(0..12u8)] key: u8, #[with(0..60u32)] weight: u32) {
        let old = self.entries.insert(key, weight).unwrap_or(0);
        self.weight = self.weight + weight - old;
        if self.weight > 100 {
            // One is not always enough.
            let (_, evicted) = self.entries.shift_remove_index(0).unwrap();
            self.weight -= evicted;
            if self.weight > 100 {
                meet("evicts one");
            }
        }
    }

    fn remove(&mut self, #[with(0..12u8)] key: u8) {
        if let Some(weight) = self.entries.shift_remove(&key)
            && weight > 0
        {
            meet("keeps the weight");
        }
    }

    fn get(&self, #[with(0..12u8)] key: u8) -> Option<u32> {
        self.entries.get(&key).copied()
    }

    #[invariant]
    fn within_its_limit(&self) -> bool {
        self.entries.values().sum::<u32>() <= 100
    }

    #[invariant]
    fn knows_its_weight(&self) -> bool {
        self.weight == self.entries.values().sum::<u32>()
    }
}

/// Bytes that wait to be sent, over `bytes`.
pub struct Outgoing {
    waiting: BytesMut,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Outgoing {
    fn new() -> Self {
        forget();
        Outgoing { waiting: BytesMut::new() }
    }

    fn put(&mut self, frame: Vec<u8>) {
        self.waiting.extend_from_slice(&frame);
        if self.waiting.len() > 32 {
            meet("more than a window");
            panic!("the window is full");
        }
    }

    fn send(&mut self, #[with(0..20usize)] count: usize) {
        if count == 0 && !self.waiting.is_empty() {
            meet("sends nothing");
            panic!("an empty packet");
        }
        let count = count.min(self.waiting.len());
        self.waiting.advance(count);
    }

    fn waiting(&self) -> usize {
        self.waiting.len()
    }
}

/// A connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Connection(usize);

/// Connections with names beside them, over `slab`.
pub struct Connections {
    all: Slab<u8>,
    names: [u8; 6],
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Connections {
    fn new() -> Self {
        forget();
        Connections { all: Slab::new(), names: [0; 6] }
    }

    fn connect(&mut self, name: u8) -> Connection {
        let key = self.all.insert(name);
        if key >= self.names.len() {
            meet("six names");
        }
        self.names[key] = name;
        Connection(key)
    }

    fn close(&mut self, connection: Connection) {
        self.all.try_remove(connection.0);
    }

    fn name(&self, connection: &Connection) -> Option<u8> {
        self.all.get(connection.0).map(|_| self.names[connection.0])
    }
}

/// A limit on requests in a span of time.
pub struct Limiter {
    tokens: i32,
    ticks: u32,
    open: bool,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Limiter {
    fn new() -> Self {
        forget();
        Limiter { tokens: 12, ticks: 0, open: true }
    }

    fn tick(&mut self) {
        self.tokens = 12;
        self.ticks += 1;
    }

    fn request(&mut self, #[with(1..8i32)] cost: i32) {
        if self.open && self.tokens > 0 {
            self.tokens -= cost;
            if self.tokens < -3 {
                meet("overdrawn");
            }
        }
    }

    fn close(&mut self) {
        if self.ticks >= 3 {
            meet("closes late");
            self.tokens = -9;
        }
        self.open = false;
    }

    #[invariant]
    fn within_its_limit(&self) -> bool {
        self.tokens >= -3
    }
}

/// A number with a history.
pub struct Undo {
    done: Vec<u8>,
    undone: Vec<u8>,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Undo {
    fn new() -> Self {
        forget();
        Undo { done: Vec::new(), undone: Vec::new() }
    }

    fn edit(&mut self, x: u8) {
        self.done.push(x);
        self.undone.clear();
    }

    fn undo(&mut self) {
        self.undone.extend(self.done.pop());
    }

    fn redo(&mut self) {
        if self.undone.len() >= 5 {
            meet("five undone");
            panic!("nothing to do again");
        }
        self.done.extend(self.undone.pop());
    }
}

/// A line of text with a cursor.
pub struct Line {
    text: String,
    width: usize,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Line {
    fn new() -> Self {
        forget();
        Line { text: String::new(), width: 0 }
    }

    fn write(&mut self, text: String) {
        self.width += text.chars().count();
        if text.contains('%') {
            meet("a percent sign");
            self.width += 1;
        }
        self.text += &text;
        if self.width > 20 {
            meet("a long line");
            self.width = 20;
        }
    }

    fn backspace(&mut self) {
        if self.text.pop().is_some() {
            self.width -= 1;
        }
    }

    fn clear(&mut self) {
        self.text.clear();
        self.width = 0;
    }

    #[invariant]
    fn knows_its_width(&self) -> bool {
        self.width == self.text.chars().count()
    }
}

/// A task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Task(usize);

/// Tasks with priorities.
pub struct Scheduler {
    waiting: Vec<(bool, usize)>,
    next: usize,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Scheduler {
    fn new() -> Self {
        forget();
        Scheduler { waiting: Vec::new(), next: 0 }
    }

    fn spawn(&mut self, urgent: bool) -> Task {
        self.next += 1;
        self.waiting.push((urgent, self.next));
        if self.waiting.iter().filter(|(urgent, _)| *urgent).count() >= 4 {
            meet("four urgent");
        }
        Task(self.next)
    }

    fn run(&mut self) {
        let place = self.waiting.iter().position(|(urgent, _)| *urgent);
        if !self.waiting.is_empty() {
            self.waiting.remove(place.unwrap_or(0));
        }
    }

    fn cancel(&mut self, task: Task) {
        self.waiting.retain(|(_, number)| *number != task.0);
    }

    #[invariant]
    fn nobody_starves(&self) -> bool {
        self.waiting.iter().filter(|(urgent, _)| *urgent).count() < 4
    }
}

/// Four accounts.
pub struct Bank {
    accounts: [i64; 4],
    moved: i64,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Bank {
    fn new() -> Self {
        forget();
        Bank { accounts: [100; 4], moved: 0 }
    }

    fn transfer(&mut self, #[with(0..4usize)] from: usize, #[with(0..4usize)] to: usize, amount: u8) {
        let amount = i64::from(amount).min(self.accounts[from]);
        self.moved += amount;
        if from == to && amount > 0 {
            meet("to itself");
        } else {
            self.accounts[from] -= amount;
        }
        self.accounts[to] += amount;
        if self.moved > 300 {
            meet("a fee too many");
            self.accounts[to] -= 1;
        }
    }

    fn balance(&self, #[with(0..4usize)] of: usize) -> i64 {
        self.accounts[of]
    }

    #[invariant]
    fn nothing_is_lost(&self) -> bool {
        self.accounts.iter().sum::<i64>() == 400
    }
}
