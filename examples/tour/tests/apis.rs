//! Types tested through their own functions.

use bugnet::prelude::*;

/// A stack that keeps the sum of its elements: the running example of the ArbitCheck paper.
#[derive(Debug, Default)]
pub struct SumStack {
    data: Vec<i32>,
    sum: i32,
}

#[api]
impl SumStack {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn push(&mut self, x: i32) {
        self.data.push(x);
        self.sum = self.sum.wrapping_add(x);
    }

    pub fn pop(&mut self) {
        let x = self.data.pop().expect("the stack is empty");
        self.sum = self.sum.wrapping_sub(x);
    }

    pub fn len(&self) -> usize {
        self.data.len()
    }

    pub fn data(&mut self) -> &mut Vec<i32> {
        &mut self.data
    }

    #[check]
    fn sum_is_right(&self) {
        assert_eq!(self.data.iter().fold(0i32, |sum, x| sum.wrapping_add(*x)), self.sum);
    }
}

#[property(expect_panic = "empty")]
fn popping_once_more_than_there_is_panics(mut stack: SumStack) {
    for _ in 0..=stack.len() {
        stack.pop();
    }
}

#[property]
fn stacks_are_short(stack: SumStack) {
    assert!(stack.len() < 3);
}
