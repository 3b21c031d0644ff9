//! The faults of the three machines, and of three properties of one input each, written once for all libraries.
//!
//! **Invariant:** a library learns of a bug only by the panic.

use bugnet::prelude::*;
use std::cell::Cell;

thread_local! {
    /// The operation that was called last.
    pub static CALLED: Cell<&'static str> = const { Cell::new("") };
}

/// A total, and what it should be.
#[derive(Debug, Default)]
pub struct Account {
    total: i64,
    expected: i64,
}

impl Account {
    pub fn add(&mut self, amount: u8) {
        CALLED.set("add");
        self.total += i64::from(amount);
        self.expected += i64::from(amount);
    }

    pub fn lose(&mut self) {
        CALLED.set("lose");
        self.total -= 1;
    }

    pub fn double(&mut self) {
        CALLED.set("double");
        self.total *= 2;
    }

    /// The number is below ten.
    pub fn swap(&mut self, with: u8) {
        CALLED.set("swap");
        if with == 7 {
            self.total += 1_000;
        }
    }

    /// The one assertion.
    pub fn check(&self) {
        assert_eq!(self.total, self.expected);
    }
}

/// Three numbers, and one way to get at them.
#[derive(Debug)]
pub struct Numbers([u8; 3]);

impl Numbers {
    pub fn new() -> Numbers {
        Numbers([1, 2, 3])
    }

    /// The one `unwrap`.
    fn get(&self, place: usize) -> u8 {
        *self.0.get(place).unwrap()
    }

    /// The number is below nine.
    pub fn first_of_many(&self, place: usize) {
        CALLED.set("first_of_many");
        self.get(place / 2);
    }

    /// The number is below nine.
    pub fn last_of_few(&self, place: usize) {
        CALLED.set("last_of_few");
        self.get(place.saturating_sub(4));
    }
}

/// Three panics.
#[derive(Debug)]
pub struct Panics;

impl Panics {
    pub fn one(&self, at: u8) {
        CALLED.set("one");
        assert!(at < 200, "one");
    }

    pub fn two(&self, at: Option<u8>) {
        CALLED.set("two");
        assert!(at != Some(0), "two");
    }

    pub fn three(&self, at: bool) {
        CALLED.set("three");
        assert!(!at, "three");
    }
}

/// One call of any of the machines, as the input of a property.
#[derive(Debug, Clone, PartialEq, Generate)]
pub enum Input {
    Add(u8),
    Lose,
    Double,
    Swap(u8),
    FirstOfMany(u8),
    LastOfFew(u8),
    One(u8),
    Two(Option<u8>),
    Three(bool),
}

impl Input {
    /// Three bugs behind one assertion.
    pub fn change_account(&self) {
        let mut account = Account::default();
        account.add(5);
        match *self {
            Input::Add(amount) => account.add(amount),
            Input::Lose => account.lose(),
            Input::Double => account.double(),
            Input::Swap(with) => account.swap(with % 10),
            _ => {}
        }
        account.check();
    }

    /// Two bugs through one `unwrap`.
    pub fn look_at_numbers(&self) {
        match *self {
            Input::FirstOfMany(place) => Numbers::new().first_of_many(usize::from(place % 9)),
            Input::LastOfFew(place) => Numbers::new().last_of_few(usize::from(place % 9)),
            _ => {}
        }
    }

    /// Three panics.
    pub fn panic(&self) {
        match *self {
            Input::One(at) => Panics.one(at),
            Input::Two(at) => Panics.two(at),
            Input::Three(at) => Panics.three(at),
            _ => {}
        }
    }
}

/// The three properties.
pub const PROPERTIES: [fn(&Input); 3] = [Input::change_account, Input::look_at_numbers, Input::panic];
