//! The conditions that literals become in patterns, where the user says so.

use bugnet::campaign::{Environment, Failed, Options, Passed, WantedBugs};
use bugnet::prelude::*;
use bugnet::program::{Api, Programs, Suite};
use std::path::{Path, PathBuf};

fn run(suite: Suite, wanted: WantedBugs, seed: u64) -> Box<Failed> {
    let property = Property::new("abstraction").bugs(wanted).seed(Seed(seed)).cases(300);
    property.run(&Programs::new(suite)).unwrap_err()
}

/// The patterns, in words and sorted.
fn patterns(failed: &Failed) -> Vec<&str> {
    let mut patterns: Vec<&str> = failed.bugs.iter().map(|bug| bug.words.as_str()).collect();
    patterns.sort_unstable();
    patterns
}

/// The patterns of a suite that every run finds, whether literals are tried or not.
fn assert_patterns(suite: fn() -> Suite, expected: &[&str]) {
    for wanted in ["all", "all+values"] {
        for seed in 1..3 {
            let failed = run(suite(), wanted.parse().unwrap(), seed);
            assert_eq!(patterns(&failed), expected, "{wanted}, seed {seed}: {failed}");
        }
    }
}

mod calendar {
    //! A calendar that is wrong about leap years, and about some of its modes.

    use super::*;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, Generate)]
    pub enum Mode {
        Plain,
        Strict,
        Lenient,
        Debug,
    }

    pub fn sort_of(year: &u16) -> &'static str {
        match year {
            year if year % 4 != 0 => "common year",
            year if year % 100 != 0 || year % 400 == 0 => "leap year",
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
            self.days += if sort_of(&year) == "leap year" { 366 } else { 365 };
            assert!(sort_of(&year) != "leap year", "no such day");
        }

        fn export(&self, mode: Mode) {
            assert!(![Mode::Strict, Mode::Debug].contains(&mode), "not written yet");
        }
    }
}

#[test]
fn what_is_exact_is_a_bug_for_each_value_and_a_class_is_one_bug() {
    assert_patterns(
        calendar::Calendar::suite,
        &["enter(?a in leap year, ?b)", "export(Mode::Debug)", "export(Mode::Strict)"],
    );
}

#[test]
fn bugs_that_differ_in_an_exact_value_have_names_of_their_own_in_every_run() {
    let names = |seed| -> Vec<String> {
        let failed = run(calendar::Calendar::suite(), WantedBugs::ALL, seed);
        failed.bugs.iter().map(|bug| bug.name.clone()).collect()
    };
    let first = names(1);
    assert!(first.iter().all(|name| name.matches('-').count() == 1), "{first:?}");
    assert_eq!(first, names(2));
}

mod bookings {
    //! Rooms: two bookings of one day are too many, but only at the weekend.

    use super::*;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Sort {
        Workday,
        Weekend,
    }

    pub fn sort_of(day: &u8) -> Sort {
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

#[test]
fn equal_values_of_a_class_are_the_same_variable() {
    let expected = ["book(?a in Weekend) | book(?a), unless cancel(?a) in between"];
    assert_patterns(bookings::Rooms::suite, &expected);
}

mod narrow {
    //! A class that is too wide for the bug.

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

#[test]
fn a_class_that_is_too_wide_gives_way_to_the_value_and_what_is_any_stays() {
    assert_patterns(narrow::numbers_suite, &["?n = new(); ignore(?n, ?a)", "?n = new(); use_up(?n, 7)"]);
}

mod shelf {
    //! A shelf that breaks under the second thing, whatever it is.

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

#[test]
fn equal_values_are_not_tied_where_they_are_equal_by_chance() {
    assert_patterns(
        shelf::Shelf::suite,
        &["?s = new(); put(?s, ?a) | put(?s, ?b)", "?s = new(); put_named(?s, _)"],
    );
}

mod known {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("abstraction-{name}"));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn hunt(folder: &Path, suite: Suite, seed: u64) -> Result<Passed, Box<Failed>> {
        let environment = Environment { denies_fixed: true, ..Environment::none(Seed(1)) };
        let options = Options { regressions: Some(false), ..Options::default() };
        let property =
            Property::new("known").bugs(WantedBugs::ALL).folder(folder).seed(Seed(seed)).cases(200);
        property.options(options).environment(environment).run(&Programs::new(suite))
    }

    /// Accepts all bugs that the last run has found, after a change.
    fn accept(folder: &Path, change: impl Fn(String) -> String) {
        let found = std::fs::read_to_string(folder.join(".bugnet/known.bugs.toml")).unwrap();
        std::fs::write(folder.join("bugnet-known.toml"), change(found)).unwrap();
    }

    #[test]
    fn accepted_classes_are_steered_around() {
        for (name, suite) in [
            ("calendar", calendar::Calendar::suite as fn() -> Suite),
            ("rooms", bookings::Rooms::suite),
            ("numbers", narrow::numbers_suite),
        ] {
            let folder = folder(name);
            hunt(&folder, suite(), 1).unwrap_err();
            accept(&folder, |found| found);
            for seed in 100..103 {
                hunt(&folder, suite(), seed).unwrap_or_else(|failed| panic!("{name}, {seed}: {failed}"));
            }
        }
    }

    #[test]
    fn a_value_that_is_not_accepted_is_found_beside_one_that_is() {
        let folder = folder("beside");
        hunt(&folder, calendar::Calendar::suite(), 1).unwrap_err();
        accept(&folder, |found| {
            let left = found.split("\n[[bug]]").filter(|block| !block.contains("export(Mode::Debug)"));
            left.collect::<Vec<_>>().join("\n[[bug]]")
        });
        let failed = hunt(&folder, calendar::Calendar::suite(), 2).unwrap_err();
        assert_eq!(patterns(&failed), ["export(Mode::Debug)"], "{failed}");
    }

    #[test]
    fn a_class_that_is_called_otherwise_now_is_told_with_what_to_do() {
        let folder = folder("renamed");
        hunt(&folder, calendar::Calendar::suite(), 1).unwrap_err();
        accept(&folder, |found| found.replace("in \\\"leap year", "in \\\"long year"));
        let text = hunt(&folder, calendar::Calendar::suite(), 1).unwrap_err().to_string();
        for part in [
            "bugnet-known.toml:",
            "`long year` is no class of `year` of `enter`",
            "`common year`",
            "write one of these if it was renamed; mend or delete the bug",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn a_class_of_a_parameter_that_has_none_is_told_with_what_to_do() {
        let folder = folder("gone");
        hunt(&folder, narrow::numbers_suite(), 1).unwrap_err();
        accept(&folder, |found| found.replace("ignore(?n, ?a)", "ignore(?n, ?a in \\\"1\\\")"));
        let text = hunt(&folder, narrow::numbers_suite(), 1).unwrap_err().to_string();
        assert!(
            text.contains("`id` of `ignore` has no classes; write `#[abstraction(class = …)]`"),
            "{text}"
        );
    }
}
