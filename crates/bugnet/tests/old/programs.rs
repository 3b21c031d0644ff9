//! The machines, APIs and suites whose old files are replayed.
//!
//! **Invariant:** nothing here changes: names, types, operations and their order are those that the files
//! were written with.

use bugnet::prelude::*;
use std::fmt;

/// A calendar that is wrong about leap years, and about some of its modes: a class, an exact literal and one
/// that never matters.
pub mod calendar {
    use super::*;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, Generate)]
    pub enum Mode {
        Plain,
        Strict,
        Lenient,
        Debug,
    }

    fn sort_of(year: &u16) -> &'static str {
        match year {
            year if year % 4 != 0 => "common year",
            year if year % 100 != 0 || year % 400 == 0 => "leap \"long\" year",
            _ => "common year",
        }
    }

    pub struct Calendar {
        days: u32,
    }

    #[machine]
    #[ignore = "it is wrong on purpose"]
    #[abstraction(Mode: exact)]
    impl Calendar {
        fn new() -> Self {
            Calendar { days: 0 }
        }

        fn enter(
            &mut self,
            #[with(1900..2100u16)]
            #[abstraction(class = sort_of)]
            year: u16,
            #[abstraction(any)] _id: u64,
        ) {
            self.days += if sort_of(&year) == "common year" { 365 } else { 366 };
            assert!(sort_of(&year) == "common year", "no such day");
        }

        fn export(&self, mode: Mode) {
            assert!(![Mode::Strict, Mode::Debug].contains(&mode), "not written yet");
        }
    }
}

/// Rooms: two bookings of one day are too many, but only at the weekend. A class with a guard.
pub mod rooms {
    use super::*;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Sort {
        Workday,
        Weekend,
    }

    fn sort_of(day: &u8) -> Sort {
        if day % 7 < 5 { Sort::Workday } else { Sort::Weekend }
    }

    #[derive(Default)]
    pub struct Rooms {
        booked: Vec<u8>,
    }

    #[machine]
    #[ignore = "it is wrong on purpose"]
    #[abstraction(u8: class = sort_of)]
    impl Rooms {
        fn new() -> Self {
            Rooms::default()
        }

        fn book(&mut self, #[with(0..28u8)] day: u8) {
            let is_taken = self.booked.contains(&day);
            assert!(!is_taken || sort_of(&day) == Sort::Workday, "taken");
            self.booked.push(day);
        }

        fn cancel(&mut self, #[with(0..28u8)] day: u8) {
            self.booked.retain(|other| *other != day);
        }
    }
}

/// The process registry of the paper on MoreBugs: results of calls, orders that do not matter, and guards.
pub mod registry {
    use super::*;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, Generate)]
    pub enum Name {
        A,
        B,
        C,
        D,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Pid(usize);

    pub struct Registry {
        alive: Vec<bool>,
        names: Vec<(Name, Pid)>,
        model: Vec<(Name, Pid)>,
    }

    #[machine]
    #[ignore = "it is wrong on purpose"]
    impl Registry {
        fn new() -> Self {
            Registry { alive: Vec::new(), names: Vec::new(), model: Vec::new() }
        }

        fn spawn(&mut self) -> Pid {
            self.alive.push(true);
            Pid(self.alive.len() - 1)
        }

        fn register(&mut self, name: Name, pid: &Pid) {
            let taken = self.names.iter().any(|(other, process)| *other == name || process == pid);
            assert!(!taken && self.alive[pid.0], "badarg");
            self.names.push((name, *pid));
            self.model.push((name, *pid));
        }

        fn unregister(&mut self, name: Name) {
            let place = self.names.iter().position(|(other, _)| *other == name);
            self.names.remove(place.expect("badarg"));
            self.model.retain(|(other, _)| *other != name);
        }

        fn whereis(&self, name: Name) {
            let find =
                |list: &[(Name, Pid)]| list.iter().find(|(other, _)| *other == name).map(|found| found.1);
            assert_eq!(find(&self.names), find(&self.model));
        }

        fn kill(&mut self, pid: &Pid) {
            self.alive[pid.0] = false;
            self.names.retain(|(_, other)| other != pid);
        }
    }
}

/// An account that is overdrawn by large amounts, and an alarm that can be switched off for good: literals
/// that are exact, and those that are only not too small.
pub mod account {
    use super::*;

    #[derive(Default)]
    pub struct Account {
        is_open: bool,
        is_muted: bool,
    }

    #[machine]
    #[ignore = "it is wrong on purpose"]
    impl Account {
        fn new() -> Self {
            Account::default()
        }

        fn open(&mut self) {
            self.is_open = true;
        }

        fn mute(&mut self) {
            self.is_muted = true;
        }

        fn draw(&mut self, amount: u16) {
            assert!(amount < 300 || !self.is_open || self.is_muted, "overdrawn");
        }

        fn enter(&self, #[with(0..20u8)] code: u8) -> Result<(), String> {
            if code == 13 { Err("an unlucky code".to_owned()) } else { Ok(()) }
        }

        #[invariant]
        fn is_quiet(&self) -> bool {
            !self.is_muted || self.is_open
        }
    }
}

/// A suite with a class that is too wide for the bug, which therefore gives way to the literal.
pub mod numbers {
    use super::*;

    suite! {
        /// Numbers, one of which is wrong.
        #[ignore = "it is wrong on purpose"]
        #[abstraction(u8: class = |number: &u8| number % 2)]
        pub fn numbers(strict) for

        impl Numbers {
            fn new() -> Self;
            fn use_up(&self, #[with(0..20u8)] number: u8);
            fn ignore(&self, #[with(0..20u8)] #[abstraction(any)] id: u8);
        }
    }

    pub struct Numbers;

    impl Numbers {
        fn new() -> Self {
            Numbers
        }

        fn use_up(&self, number: u8) {
            assert!(number != 7, "seven");
        }

        fn ignore(&self, id: u8) {
            assert!(id != 7, "seven");
        }
    }
}

/// An API that breaks under the second thing, whatever it is: equal literals that are equal by chance.
pub mod shelf {
    use super::*;

    #[derive(Debug, Clone)]
    pub struct Shelf {
        things: Vec<u8>,
    }

    #[api(name = shelves)]
    #[ignore = "it is wrong on purpose"]
    impl Shelf {
        pub fn new() -> Self {
            Shelf { things: Vec::new() }
        }

        pub fn put(&mut self, #[abstraction(apart)] thing: u8) {
            self.things.push(thing);
        }

        pub fn put_named(&mut self, #[abstraction(any, apart)] name: &str) {
            self.things.extend([0, name.len() as u8]);
        }

        #[check]
        fn is_whole(&self) -> bool {
            self.things.len() < 2
        }
    }
}

/// An API whose values can be borrowed, moved and joined: what a program can say of ownership.
pub mod rope {
    use super::*;

    #[derive(Debug, Default)]
    pub struct Rope {
        parts: Vec<u16>,
    }

    #[api(name = ropes)]
    #[ignore = "it is wrong on purpose"]
    impl Rope {
        #[operation]
        fn of(part: u16) -> Self {
            Rope { parts: vec![part] }
        }

        pub fn join(mut self, other: Rope) -> Rope {
            self.parts.extend(other.parts);
            self
        }

        pub fn first(&mut self) -> Option<&mut u16> {
            self.parts.first_mut()
        }

        #[check]
        fn is_short(&self) {
            assert!(self.parts.len() < 3, "{} parts", self.parts.len());
        }
    }
}

/// A note that cannot be printed once it is sealed: a failure when values are observed.
pub mod note {
    use super::*;

    pub struct Note {
        is_sealed: bool,
    }

    impl fmt::Debug for Note {
        fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            assert!(!self.is_sealed, "cannot be read");
            out.write_str("a note")
        }
    }

    #[api(name = notes, strict)]
    #[ignore = "it is wrong on purpose"]
    impl Note {
        pub fn new() -> Self {
            Note { is_sealed: false }
        }

        pub fn seal(&mut self) {
            self.is_sealed = true;
        }

        pub fn open(&mut self) {
            self.is_sealed = false;
        }
    }
}

/// A candle that cannot be put away while it burns.
pub mod candle {
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

        pub fn blow_out(&mut self) {
            self.is_burning = false;
        }
    }
}

/// A fuse that ends its process when it is lit twice, and never ends when it is wet.
pub mod fuse {
    use super::*;

    #[derive(Default)]
    pub struct Fuse {
        lit: u32,
    }

    #[machine]
    #[ignore = "it is wrong on purpose"]
    impl Fuse {
        fn new() -> Self {
            Fuse::default()
        }

        fn light(&mut self, _strength: u8) {
            self.lit += 1;
            if self.lit > 1 {
                std::process::abort();
            }
        }

        fn quench(&mut self) {
            self.lit = 0;
        }

        fn test(&self) {
            assert!(self.lit == 0, "it burns");
        }
    }
}
