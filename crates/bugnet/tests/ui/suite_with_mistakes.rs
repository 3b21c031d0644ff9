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

fn main() {}
