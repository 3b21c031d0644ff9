use bugnet::prelude::*;

struct Counter;
struct Wrapper<T>(T);

#[machine]
struct Other;

#[machine]
fn function() {}

#[machine]
impl Default for Counter {
    fn default() -> Self {
        Counter
    }
}

#[machine]
impl<T: Clone> Wrapper<T> {
    fn new() -> Self {
        panic!()
    }
}

#[machine]
impl Counter {
    fn add(&mut self) {}
}

fn main() {}
