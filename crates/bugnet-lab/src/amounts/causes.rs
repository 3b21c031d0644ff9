//! Types whose one check fails for one reason, or for two.
//!
//! **Invariant:** every fault is noted where its wrong code runs.

use super::fault::{forget, meet};
use bugnet::prelude::*;

/// The stack of `sequences`, whose `pop` forgets to subtract.
pub mod forgotten {
    use super::{forget, meet};
    use bugnet::prelude::*;

    #[derive(Debug)]
    pub struct SumStack {
        data: Vec<i32>,
        sum: i32,
    }

    #[api(name = sum_stack_with_one_cause)]
    #[ignore = "it is wrong on purpose"]
    impl SumStack {
        pub fn new() -> Self {
            forget();
            SumStack { data: Vec::new(), sum: 0 }
        }

        pub fn push(&mut self, x: i32) {
            self.data.push(x);
            self.sum = self.sum.wrapping_add(x);
        }

        pub fn pop(&mut self) -> Option<i32> {
            let x = self.data.pop();
            if x.is_some_and(|x| x != 0) {
                meet("pop");
            }
            x
        }

        #[check]
        fn sum_is_right(&self) {
            assert_eq!(self.data.iter().fold(0i32, |sum, x| sum.wrapping_add(*x)), self.sum);
        }
    }
}

/// The same stack with both mistakes: `pop` forgets to subtract, and `data` hands out what nobody may
/// change.
#[derive(Debug)]
pub struct SumStack {
    data: Vec<i32>,
    sum: i32,
    /// The elements after the last call that changed them by the stack itself.
    before: Vec<i32>,
}

#[api(name = sum_stack_with_both_causes)]
#[ignore = "it is wrong on purpose"]
impl SumStack {
    pub fn new() -> Self {
        forget();
        SumStack { data: Vec::new(), sum: 0, before: Vec::new() }
    }

    pub fn push(&mut self, x: i32) {
        self.data.push(x);
        self.sum = self.sum.wrapping_add(x);
        self.before.clone_from(&self.data);
    }

    pub fn pop(&mut self) -> Option<i32> {
        let x = self.data.pop();
        if x.is_some_and(|x| x != 0) {
            meet("pop");
        }
        self.before.clone_from(&self.data);
        x
    }

    pub fn data(&mut self) -> &mut Vec<i32> {
        &mut self.data
    }

    #[check]
    fn sum_is_right(&self) {
        if self.before != self.data {
            meet("data");
        }
        assert_eq!(self.data.iter().fold(0i32, |sum, x| sum.wrapping_add(*x)), self.sum);
    }
}

/// A queue with two causes behind one check: turning it around loses an element, and taking from the
/// back does not count.
#[derive(Debug)]
pub struct Queue {
    items: Vec<u8>,
    count: usize,
}

#[api(name = queue_with_two_causes)]
#[ignore = "it is wrong on purpose"]
impl Queue {
    pub fn new() -> Self {
        forget();
        Queue { items: Vec::new(), count: 0 }
    }

    pub fn push(&mut self, item: u8) {
        self.items.push(item);
        self.count += 1;
    }

    pub fn append(&mut self, items: Vec<u8>) {
        self.count += items.len();
        self.items.extend(items);
    }

    pub fn take_front(&mut self) -> Option<u8> {
        if self.items.is_empty() {
            return None;
        }
        self.count -= 1;
        Some(self.items.remove(0))
    }

    pub fn take_back(&mut self) -> Option<u8> {
        let item = self.items.pop();
        if item.is_some() {
            meet("take_back");
        }
        item
    }

    pub fn turn_around(&mut self) {
        self.items.reverse();
        if self.items.len() > 2 {
            meet("turn_around");
            self.items.pop();
        }
    }

    pub fn clear(&mut self) {
        self.items.clear();
        self.count = 0;
    }

    #[check]
    fn counts_right(&self) {
        assert_eq!(self.items.len(), self.count);
    }
}
