use bugnet::prelude::*;

mod unknown_rule {
    use super::*;
    struct State;
    #[machine]
    impl State {
        fn new() -> Self {
            State
        }
        fn rule(&self, #[abstraction(same)] _mode: bool) {}
    }
}

mod nothing_said {
    use super::*;
    struct State;
    #[machine]
    impl State {
        fn new() -> Self {
            State
        }
        fn rule(&self, #[abstraction] _mode: bool) {}
    }
}

mod two_widths {
    use super::*;
    struct State;
    #[machine]
    impl State {
        fn new() -> Self {
            State
        }
        fn rule(&self, #[abstraction(exact, any)] _mode: bool) {}
    }
}

mod exact_and_apart {
    use super::*;
    struct State;
    #[machine]
    impl State {
        fn new() -> Self {
            State
        }
        fn rule(&self, #[abstraction(exact, apart)] _mode: bool) {}
    }
}

mod class_without_function {
    use super::*;
    struct State;
    #[machine]
    impl State {
        fn new() -> Self {
            State
        }
        fn rule(&self, #[abstraction(class)] _year: u16) {}
    }
}

mod twice {
    use super::*;
    struct State;
    #[machine]
    impl State {
        fn new() -> Self {
            State
        }
        fn rule(&self, #[abstraction(any)] #[abstraction(apart)] _id: u64) {}
    }
}

mod result_of_a_call {
    use super::*;
    struct State;
    #[machine]
    impl State {
        fn new() -> Self {
            State
        }
        fn rule(&self, #[earlier] #[abstraction(exact)] _size: usize) {}
    }
}

mod no_type {
    use super::*;
    struct State;
    #[machine]
    #[abstraction(exact)]
    impl State {
        fn new() -> Self {
            State
        }
        fn rule(&self, _mode: bool) {}
    }
}

mod type_that_is_not_there {
    use super::*;
    pub struct State;
    #[api(strict)]
    #[abstraction(u16: any)]
    impl State {
        pub fn new() -> Self {
            State
        }
        pub fn rule(&self, _mode: bool) {}
    }
}

mod type_twice {
    suite! {
        #[abstraction(u8: any)]
        #[abstraction(u8: exact)]
        fn lists(strict) for

        impl Vec<u8> {
            fn new() -> Self;
            fn push(&mut self, value: u8);
        }
    }
    use bugnet::prelude::*;
}

mod function_of_another_type {
    use super::*;
    struct State;
    fn sort_of(_year: &u32) -> &'static str {
        "year"
    }
    #[machine]
    impl State {
        fn new() -> Self {
            State
        }
        fn rule(&self, #[abstraction(class = sort_of)] _year: u16) {}
    }
}

mod class_that_cannot_be_told {
    use super::*;
    struct State;
    struct Sort;
    fn sort_of(_year: &u16) -> Sort {
        Sort
    }
    #[machine]
    impl State {
        fn new() -> Self {
            State
        }
        fn rule(&self, #[abstraction(class = sort_of)] _year: u16) {}
    }
}

fn main() {}
