//! Types tested through their functions, and values built by them.

use bugnet::campaign::{Failed, Passed, Reason, WantedBugs};
use bugnet::oracle::Signature;
use bugnet::prelude::*;
use bugnet::program::{Api, Programs, Suite};
use std::collections::BTreeMap;

fn run(suite: Suite, seed: u64) -> Result<Passed, Box<Failed>> {
    Property::new("api").seed(Seed(seed)).bugs(WantedBugs::FIRST).run(&Programs::new(suite))
}

fn lines(failed: &Failed) -> Vec<String> {
    failed.arguments().iter().map(ToString::to_string).collect()
}

fn names(suite: &Suite) -> Vec<&'static str> {
    suite.operations.iter().map(|operation| operation.name).collect()
}

/// The operation that failed, and where in it.
fn failing(failed: &Failed) -> (String, &'static str) {
    let Reason::Refuted(failure) = &failed.reason else { panic!("{failed}") };
    let Signature::InCall { operation, phase, .. } = &failure.signature else { panic!("{failed}") };
    (operation.clone(), phase.as_str())
}

mod sum_stack {
    //! The running example of ArbitCheck, with its two mistakes.

    use super::*;

    #[derive(Debug)]
    pub struct SumStack {
        data: Vec<i32>,
        sum: i32,
    }

    #[api]
    #[ignore = "it is wrong on purpose"]
    impl SumStack {
        pub fn new() -> Self {
            SumStack { data: Vec::new(), sum: 0 }
        }

        pub fn push(&mut self, x: i32) {
            self.data.push(x);
            self.sum = self.sum.wrapping_add(x);
        }

        /// Forgets to subtract.
        pub fn pop(&mut self) -> Option<i32> {
            self.data.pop()
        }

        #[check]
        fn sum_is_right(&self) -> bool {
            self.data.iter().fold(0i32, |sum, x| sum.wrapping_add(*x)) == self.sum
        }
    }

    #[derive(Debug, Default)]
    pub struct Leaky {
        data: Vec<i32>,
        sum: i32,
    }

    #[api]
    #[ignore = "it is wrong on purpose"]
    impl Leaky {
        #[operation]
        fn empty() -> Self {
            Leaky::default()
        }

        pub fn push(&mut self, x: i32) {
            self.data.push(x);
            self.sum = self.sum.wrapping_add(x);
        }

        /// Hands out what must not be changed.
        pub fn data(&mut self) -> &mut Vec<i32> {
            &mut self.data
        }

        #[expect(dead_code, reason = "it is private, so it is no operation")]
        fn helper(&mut self) {}

        #[check]
        fn sum_is_right(&self) -> bool {
            self.data.iter().fold(0i32, |sum, x| sum.wrapping_add(*x)) == self.sum
        }
    }
}

#[test]
fn a_private_check_finds_the_forgotten_subtraction() {
    for seed in 0..20 {
        let failed = run(sum_stack::SumStack::suite(), seed).unwrap_err();
        let expected = [
            "let mut sum_stack = SumStack::new();",
            "sum_stack.push(1);",
            "sum_stack.pop();",
            "assert!(sum_stack.sum_is_right());",
        ];
        assert_eq!(lines(&failed), expected);
        assert_eq!(failing(&failed), ("sum_is_right".to_string(), "check"));
    }
}

#[test]
fn what_is_handed_out_is_changed_by_the_operations_of_its_type() {
    for seed in 0..20 {
        let failed = run(sum_stack::Leaky::suite(), seed).unwrap_err();
        let lines = lines(&failed);
        let handed_out = lines.iter().position(|line| line == "let data = leaky.data();").unwrap();
        assert!(lines[handed_out + 1].starts_with("data.") && lines.len() <= 5, "{lines:?}");
        assert_eq!(lines.last().unwrap(), "assert!(leaky.sum_is_right());");
    }
    let suite = sum_stack::Leaky::suite();
    assert_eq!(names(&suite)[..3], ["empty", "push", "data"]);
}

#[test]
fn a_property_takes_values_that_were_built_by_calls() {
    let stacks = any::<sum_stack::SumStack>();
    let failed = check(stacks, |stack| format!("{stack:?}").len() < 40).unwrap_err();
    assert!(failed.to_string().contains("SumStack { data: ["), "{failed}");
}

mod generic {
    use super::*;

    #[derive(Debug, Clone)]
    pub struct Ring<T, const N: usize> {
        values: Vec<T>,
    }

    #[api(T = (u8, bool), N = 3, cases = 300, steps = 12, swarm = uniform)]
    impl<T: Clone, const N: usize> Ring<T, N>
    where
        T: PartialEq,
    {
        pub fn new() -> Self {
            Ring { values: Vec::new() }
        }

        pub fn of(values: Vec<T>) -> Result<Ring<T, N>, String> {
            if values.len() > N { Err("too many".to_string()) } else { Ok(Ring { values }) }
        }

        pub fn push(&mut self, value: T) -> Option<T> {
            self.values.push(value);
            (self.values.len() > N).then(|| self.values.remove(0))
        }

        pub fn append(&mut self, other: &Self) {
            for value in &other.values {
                self.push(value.clone());
            }
        }

        pub fn get(&self, index: usize) -> &T {
            &self.values[index]
        }

        pub fn iter(&self) -> impl Iterator<Item = &T> {
            self.values.iter()
        }

        pub fn halves<'a>(&'a self) -> (&'a [T], std::slice::Iter<'a, T>) {
            (&self.values, self.values.iter())
        }

        pub fn into_values(self) -> Vec<T> {
            self.values
        }

        #[skip]
        pub fn map<U>(self, change: impl Fn(T) -> U) -> Ring<U, N> {
            Ring { values: self.values.into_iter().map(change).collect() }
        }

        #[check]
        fn is_bounded(&self) -> Result<(), String> {
            if self.values.len() <= N { Ok(()) } else { Err(format!("{} values", self.values.len())) }
        }

        #[check]
        fn what_is_equal_is_as_long(a: &Self, b: &Self) -> bool {
            a.values != b.values || a.values.len() == b.values.len()
        }

        #[check]
        fn pushed_is_last(&self, value: T) -> bool {
            let mut ring = self.clone();
            ring.push(value.clone());
            ring.values.last() == Some(&value)
        }
    }
}

#[test]
fn a_generic_block_is_tested_for_the_types_it_names() {
    let suite = generic::Ring::<(u8, bool), 3>::suite();
    let expected = [
        "new",
        "of",
        "push",
        "append",
        "get",
        "iter",
        "halves",
        "into_values",
        "what_is_equal_is_as_long",
        "pushed_is_last",
    ];
    assert_eq!(names(&suite), expected);
    run(suite, 1).unwrap_or_else(|failed| panic!("{failed}"));
    assert_eq!(generic::Ring::<u8, 2>::new().map(u16::from).into_values(), Vec::<u16>::new());
}

mod strict {
    use super::*;

    pub struct Divider(u32);

    #[api(strict, name = divides)]
    #[ignore = "it is wrong on purpose"]
    impl Divider {
        fn new(by: u32) -> Divider {
            Divider(by)
        }

        fn divide(&self, number: u32) -> u32 {
            number / self.0
        }
    }
}

#[test]
fn in_a_strict_suite_no_call_may_panic() {
    let failed = run(strict::Divider::suite(), 1).unwrap_err();
    assert_eq!(lines(&failed), ["let divider = Divider::new(0);", "divider.divide(0);"]);
    assert!(failed.to_string().contains("divide by zero"), "{failed}");
}

bugnet::suite! {
    /// Maps and their keys in order.
    #[ignore = "it is wrong on purpose"]
    fn maps(cases = 300, steps = 20) for

    impl BTreeMap<u8, i8> {
        fn new() -> Self;
        fn insert(&mut self, #[with(0..5u8)] key: u8, value: i8) -> Option<i8>;
        fn get(&self, key: &u8) -> Option<&i8>;
        fn get_mut(&mut self, #[with(0..5u8)] key: &u8) -> Option<&mut i8>;
        fn split_off(&mut self, #[with(0..5u8)] at: &u8) -> Self;
        fn append(&mut self, other: &mut Self);
        #[when(!self.is_empty())]
        #[weight(2)]
        fn pop_first(&mut self) -> Option<(u8, i8)>;
        fn keys(&self) -> std::collections::btree_map::Keys<'_, u8, i8>;

        #[check]
        fn is_sorted(this: &Self) -> bool {
            this.keys().is_sorted()
        }

        #[check]
        fn has_what_is_inserted(this: &Self, key: u8) {
            let mut copy: Self = this.clone();
            copy.insert(key, 1);
            assert_eq!(copy.get(&key), Some(&1));
        }
    }

    impl Vec<u8> {
        fn with_capacity(#[with(0..100usize)] capacity: usize) -> Self;
        fn push(&mut self, value: u8);
        fn sort(&mut self);

        /// Returns the contents of the map, in one list.
        fn listed(map: &BTreeMap<u8, i8>) -> Self {
            let list: Self = map.keys().copied().collect();
            list
        }

        #[check]
        fn is_short(this: &Self) -> bool {
            this.len() < 2
        }
    }
}

#[test]
fn several_foreign_types_make_one_suite() {
    let suite = maps_suite();
    let expected = [
        "BTreeMap<u8, i8>::new",
        "BTreeMap<u8, i8>::insert",
        "BTreeMap<u8, i8>::get",
        "BTreeMap<u8, i8>::get_mut",
        "BTreeMap<u8, i8>::split_off",
        "BTreeMap<u8, i8>::append",
        "BTreeMap<u8, i8>::pop_first",
        "BTreeMap<u8, i8>::keys",
        "BTreeMap<u8, i8>::has_what_is_inserted",
        "Vec<u8>::with_capacity",
        "Vec<u8>::push",
        "Vec<u8>::sort",
        "Vec<u8>::listed",
    ];
    assert_eq!(names(&suite)[..expected.len()], expected);
}

#[test]
fn a_suite_of_foreign_types_prints_what_can_be_pasted() {
    let failed = run(maps_suite(), 1).unwrap_err();
    let expected = [
        "let mut vec = Vec::<u8>::with_capacity(0);",
        "vec.push(0);",
        "vec.push(0);",
        "assert!(is_short(&vec));",
    ];
    assert_eq!(lines(&failed), expected);
    assert_eq!(failing(&failed), ("Vec<u8>::is_short".to_string(), "check"));
}

mod under_test {
    //! As in a crate that depends on Bugnet for its tests only.

    use super::*;

    #[derive(Debug)]
    pub struct Dial(u8);

    #[cfg_attr(test, api)]
    impl Dial {
        pub fn at(#[cfg_attr(test, with(0..10u8))] position: u8) -> Self {
            Dial(position)
        }

        #[cfg_attr(test, skip)]
        #[expect(dead_code, reason = "it is skipped")]
        pub fn break_it(&mut self) {
            self.0 = 200;
        }

        #[cfg(test)]
        #[check]
        fn is_on_the_dial(&self) -> bool {
            self.0 < 10
        }
    }
}

#[test]
fn attributes_may_be_there_for_tests_only() {
    assert_eq!(names(&under_test::Dial::suite()), ["at"]);
}

mod borrowing {
    //! Results that borrow, and what is done to them.

    #[derive(Debug, Default)]
    pub struct Shelf {
        books: Vec<u8>,
    }

    #[derive(Debug)]
    pub struct Hand<'a> {
        shelf: &'a mut Shelf,
        held: Option<u8>,
    }

    impl Shelf {
        fn hand(&mut self) -> Hand<'_> {
            Hand { shelf: self, held: None }
        }

        fn longest<'a>(&'a self, other: &'a Shelf) -> &'a Shelf {
            if self.books.len() > other.books.len() { self } else { other }
        }

        fn or<'a>(&'a self, other: &'a u8) -> &'a u8 {
            self.books.first().unwrap_or(other)
        }

        fn sorted(&mut self) -> &mut Self {
            self.books.sort();
            self
        }
    }

    impl<'a> Hand<'a> {
        /// Loses the book that it holds already.
        fn take(&mut self) {
            self.held = self.shelf.books.pop();
        }

        fn put(self) -> &'a mut Shelf {
            self.shelf.books.extend(self.held);
            self.shelf
        }
    }

    bugnet::suite! {
        #[ignore = "it is wrong on purpose"]
        pub fn shelves for

        impl Shelf {
            fn shelf() -> Self {
                Shelf { books: vec![3, 2, 1] }
            }
            fn hand(&mut self) -> Hand<'_>;
            fn longest<'a>(&'a self, other: &'a Self) -> &'a Self;
            fn or<'a>(&'a self, other: &'a u8) -> &'a u8;
            fn sorted(&mut self) -> &mut Self;
            #[check]
            fn nothing_is_lost(this: &Self) -> bool {
                this.books.len() == 3
            }
        }

        impl Hand<'_> {
            fn take(&mut self);
            fn put(self) -> &mut Shelf;
        }
    }
}

#[test]
fn what_borrows_is_used_and_ends_before_its_owner_is_looked_at() {
    for seed in 0..20 {
        let failed = run(borrowing::shelves_suite(), seed).unwrap_err();
        let expected = [
            "let mut shelf_2 = shelf();",
            "let mut hand = shelf_2.hand();",
            "hand.take();",
            "drop(hand);",
            "assert!(nothing_is_lost(&shelf_2));",
        ];
        assert_eq!(lines(&failed), expected, "seed {seed}");
    }
}

mod holding {
    //! Values that come to hold what others lend.

    #[derive(Debug)]
    pub struct Page {
        number: Box<u64>,
    }

    impl Drop for Page {
        fn drop(&mut self) {
            *self.number = 0;
        }
    }

    #[derive(Debug, Clone, Copy)]
    pub struct Mark<'a> {
        number: &'a u64,
    }

    #[derive(Debug, Default)]
    pub struct Index<'a> {
        marks: std::cell::RefCell<Vec<Mark<'a>>>,
    }

    impl Page {
        fn mark(&self) -> Mark<'_> {
            Mark { number: &self.number }
        }

        fn burn(self) {}
    }

    impl<'a> Index<'a> {
        fn add(&mut self, mark: Mark<'a>) {
            self.marks.get_mut().push(mark);
        }

        fn copy(&self, mark: &Mark<'a>) {
            self.marks.borrow_mut().push(*mark);
        }

        fn last(&self) -> Option<Mark<'a>> {
            self.marks.borrow().last().copied()
        }
    }

    bugnet::suite! {
        pub fn indexes(cases = 2000, steps = 30) for

        impl Page {
            fn page() -> Self {
                Page { number: Box::new(1) }
            }
            fn mark(&self) -> Mark<'_>;
            fn burn(self);
        }

        impl Index<'_> {
            fn default() -> Self;
            fn add(&mut self, mark: Mark<'_>);
            fn copy(&self, mark: &Mark<'_>);
            fn last(&self) -> Option<Mark<'static>>;
            #[check]
            fn all_pages_are_there(this: &Self) -> bool {
                this.marks.borrow().iter().all(|mark| *mark.number == 1)
            }
        }

        impl Mark<'_> {
            #[check]
            fn its_page_is_there(this: &Self) -> bool {
                *this.number == 1
            }
        }
    }
}

#[test]
fn what_is_lent_outlives_whatever_may_hold_it() {
    for seed in 0..5 {
        run(holding::indexes_suite(), seed).unwrap_or_else(|failed| panic!("{failed}"));
    }
}

mod candle {
    //! A candle that cannot be put away while it burns.

    use super::*;

    #[derive(Debug)]
    pub struct Candle {
        is_burning: bool,
    }

    impl Drop for Candle {
        fn drop(&mut self) {
            assert!(!self.is_burning || std::thread::panicking(), "it burns");
        }
    }

    #[api(name = candles, strict)]
    #[ignore = "it is wrong on purpose"]
    impl Candle {
        pub fn new() -> Self {
            Candle { is_burning: false }
        }

        pub fn light(&mut self) {
            self.is_burning = true;
        }
    }
}

#[test]
fn values_that_panic_when_they_are_dropped_do_not_end_the_explanation() {
    for seed in 0..5 {
        let failed = run(candle::Candle::suite(), seed).unwrap_err();
        assert!(lines(&failed).contains(&"candle.light();".to_string()), "{failed}");
    }
}
