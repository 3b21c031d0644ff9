use bugnet::prelude::*;

struct Stack<T>(Vec<T>);

#[api(N = 3)]
impl<T> Stack<T> {
    pub fn new() -> Self {
        Stack(Vec::new())
    }
}

struct A;
struct B;
struct C;
struct D;

#[api]
impl A {
    pub fn add(&mut self, _by: u8) {}
    fn new() -> Self {
        A
    }
}

#[api(cases = 10)]
impl B {
    fn new() -> Self {
        B
    }
}

#[api]
impl C {
    fn new() -> Self {
        C
    }
    #[check]
    fn holds(self) -> bool {
        true
    }
}

#[api]
impl D {
    #[invariant]
    fn holds(&self) {}
}

fn main() {}
