use bugnet::prelude::*;

suite! {
    impl Vec<u8> {
        fn new() -> Self;
    }
}

suite! {
    fn nothing for
}

suite! {
    fn generic for impl<T> Vec<T> {
        fn new() -> Self;
    }
}

suite! {
    fn unjudged for impl Vec<u8> {
        fn new() -> Self;
    }
}

suite! {
    fn method(name = other) for impl Vec<u8> {
        fn new() -> Self;
    }
}

suite! {
    fn body for impl Vec<u8> {
        fn new() -> Self;
        #[check]
        fn is_short(&self) -> bool {
            self.len() < 3
        }
    }
}

use std::slice::Iter;

suite! {
    fn iterators(strict) for

    impl Vec<u8> {
        fn new() -> Self;
        fn iter(&self) -> Iter<'_, u8>;
    }

    impl Iter<u8> {
        fn as_slice(&self) -> &[u8];
    }
}

fn main() {}
