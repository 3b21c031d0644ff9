use bugnet::prelude::*;

mod state_is_moved {
    use super::*;
    struct State;
    #[machine]
    impl State {
        fn new() -> Self {
            State
        }
        fn end(self) {}
    }
}

mod second_state {
    use super::*;
    struct State;
    #[machine]
    impl State {
        fn new() -> Self {
            State
        }
        fn merge(&mut self, other: &Self) {}
    }
}

mod boxed_state {
    use super::*;
    struct State;
    #[machine]
    impl State {
        fn new() -> Self {
            State
        }
        fn pass(self: Box<Self>) {}
    }
}

mod constructor_that_waits {
    use super::*;
    struct State;
    #[machine]
    impl State {
        #[when(true)]
        fn new() -> Self {
            State
        }
    }
}

mod constructor_after_something {
    use super::*;
    struct State;
    #[machine]
    impl State {
        fn new(#[earlier] size: usize) -> Self {
            State
        }
    }
}

mod helper_with_a_weight {
    use super::*;
    struct State;
    #[machine]
    impl State {
        #[weight(2)]
        fn help() {}
    }
}

mod no_weight {
    use super::*;
    struct State;
    #[machine]
    impl State {
        #[weight(0)]
        fn rule(&self) {}
    }
}

mod no_condition {
    use super::*;
    struct State;
    #[machine]
    impl State {
        #[when]
        fn rule(&self) {}
    }
}

mod pattern {
    use super::*;
    struct State;
    #[machine]
    impl State {
        fn rule(&self, (a, b): (u8, u8)) {}
    }
}

mod source {
    use super::*;
    struct State;
    #[machine]
    impl State {
        fn rule(&self, source: &mut Source) {}
    }
}

mod drawn_and_earlier {
    use super::*;
    struct State;
    #[machine]
    impl State {
        fn rule(&self, #[earlier] #[with(0..3u8)] key: u8) {}
    }
}

mod dangerous {
    use super::*;
    struct State;
    #[machine]
    impl State {
        unsafe fn rule(&self) {}
    }
}

mod generic {
    use super::*;
    struct State;
    #[machine]
    impl State {
        fn rule<T>(&self, value: T) {}
    }
}

mod opaque {
    use super::*;
    struct State;
    #[machine]
    impl State {
        fn rule(&self, value: impl Into<u8>) {}
    }
}

mod blind_invariant {
    use super::*;
    struct State;
    #[machine]
    impl State {
        #[invariant]
        fn holds() -> bool {
            true
        }
    }
}

mod changing_invariant {
    use super::*;
    struct State;
    #[machine]
    impl State {
        #[invariant]
        fn holds(&mut self) -> bool {
            true
        }
    }
}

mod two_roles {
    use super::*;
    struct State;
    #[machine]
    impl State {
        #[invariant]
        #[teardown]
        fn holds(&self) {}
    }
}

mod role_of_an_api {
    use super::*;
    struct State;
    #[machine]
    impl State {
        #[check]
        fn holds(&self) {}
    }
}

mod two_ends {
    use super::*;
    struct State;
    #[machine]
    impl State {
        #[teardown]
        fn first(&self) {}
        #[teardown]
        fn second(self) {}
    }
}

fn main() {}
