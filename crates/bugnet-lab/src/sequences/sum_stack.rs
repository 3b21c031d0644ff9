//! The running example of ArbitCheck (Yatoh, Sakamoto, Ishikawa, Honiden, 2015): a stack that keeps the
//! sum of its elements, with each of the two mistakes that the paper makes.

/// Popping forgets to subtract.
pub mod forgotten {
    use bugnet::prelude::*;

    #[derive(Debug)]
    pub struct SumStack {
        data: Vec<i32>,
        sum: i32,
    }

    #[api(name = sum_stack_with_a_forgotten_update)]
    #[ignore = "it is wrong on purpose"]
    impl SumStack {
        pub fn new() -> Self {
            SumStack { data: Vec::new(), sum: 0 }
        }

        pub fn push(&mut self, x: i32) {
            self.data.push(x);
            self.sum = self.sum.wrapping_add(x);
        }

        pub fn pop(&mut self) -> Option<i32> {
            self.data.pop()
        }

        #[check]
        fn sum_is_right(&self) {
            assert_eq!(self.data.iter().fold(0i32, |sum, x| sum.wrapping_add(*x)), self.sum);
        }
    }
}

/// A getter hands out what nobody may change.
pub mod leaked {
    use bugnet::prelude::*;

    #[derive(Debug)]
    pub struct SumStack {
        data: Vec<i32>,
        sum: i32,
    }

    #[api(name = sum_stack_with_a_leaked_reference)]
    #[ignore = "it is wrong on purpose"]
    impl SumStack {
        pub fn new() -> Self {
            SumStack { data: Vec::new(), sum: 0 }
        }

        pub fn push(&mut self, x: i32) {
            self.data.push(x);
            self.sum = self.sum.wrapping_add(x);
        }

        pub fn pop(&mut self) -> Option<i32> {
            let x = self.data.pop()?;
            self.sum = self.sum.wrapping_sub(x);
            Some(x)
        }

        pub fn data(&mut self) -> &mut Vec<i32> {
            &mut self.data
        }

        #[check]
        fn sum_is_right(&self) {
            assert_eq!(self.data.iter().fold(0i32, |sum, x| sum.wrapping_add(*x)), self.sum);
        }
    }
}
