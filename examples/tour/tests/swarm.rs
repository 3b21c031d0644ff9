//! A stack with room for few: what swarm testing is for.

use bugnet::prelude::*;

#[derive(Debug, Default)]
struct BoundedStack {
    items: Vec<u8>,
}

#[machine]
impl BoundedStack {
    fn new() -> Self {
        Self::default()
    }

    fn push(&mut self, item: u8) {
        assert!(self.items.len() < 32, "no room");
        self.items.push(item);
    }

    fn pop(&mut self) {
        self.items.pop();
    }

    fn clear(&mut self) {
        self.items.clear();
    }

    fn peek(&self) {
        assert_eq!(self.items.last(), self.items.iter().next_back());
    }
}
