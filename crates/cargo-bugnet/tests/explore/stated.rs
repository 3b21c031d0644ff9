//! Laws that somebody has stated, checked with values that calls of the crate make.

use super::fixture::{Crate, Done};
use serde_json::Value;
use std::fs;

/// The stack of the paper on ArbitCheck: `pop` forgets the sum, and so does whoever is lent the data.
const STACK: &str = "
    #[derive(Debug, Default)]
    pub struct SumStack {
        data: Vec<i32>,
        sum: i32,
    }

    impl SumStack {
        pub fn new() -> SumStack {
            SumStack::default()
        }
        pub fn push(&mut self, x: i32) {
            self.data.push(x);
            self.sum = self.sum.wrapping_add(x);
        }
        pub fn pop(&mut self) {
            self.data.pop();
        }
        pub fn sum(&self) -> i32 {
            self.sum
        }
        pub fn data(&self) -> &[i32] {
            &self.data
        }
        pub fn data_mut(&mut self) -> &mut Vec<i32> {
            &mut self.data
        }
        pub fn is_sound(&self, by: &Auditor) -> bool {
            by.0
        }
    }

    /// Nobody can make one.
    pub struct Token(u8);
    pub struct Auditor(bool);

    impl Token {
        pub fn number(&self) -> u8 {
            self.0
        }
    }
";

const LAWS: &str = "
    use bugnet::prelude::*;
    use stack::SumStack;

    #[law]
    fn sum_is_that_of_the_data(stack: &SumStack) {
        classify!(stack.data().is_empty(), \"empty\");
        assert_eq!(stack.sum(), stack.data().iter().fold(0i32, |sum, x| sum.wrapping_add(*x)));
    }

    #[law(cases = 100)]
    fn pushing_adds_one(mut stack: SumStack, x: i32) -> bool {
        let before = stack.data().len();
        stack.push(x);
        stack.data().len() == before + 1
    }
";

const BAD: &str = "
    use bugnet::prelude::*;
    use stack::{SumStack, Token};

    #[law]
    fn nobody_makes_a_token(token: Token) {
        assert!(token.number() < 9);
    }

    #[law]
    fn nothing_meets_this(stack: &SumStack) {
        assume!(stack.data().len() > 100_000);
    }

    #[law]
    fn all_is_well(stack: &SumStack) {
        assert!(stack.data().len() < 100_000);
    }
";

fn stack(laws: &str) -> Crate {
    Crate::with("stack", &[("src/lib.rs", STACK), ("tests/laws.rs", laws)])
}

impl Crate {
    /// Checks the laws, and reads the report.
    fn checked(&self, words: &[&str]) -> (Done, Value) {
        let report = self.path().join("report.json");
        let words = [words, &["--json", report.to_str().unwrap()]].concat();
        let done = Done::of(self.bugnet("check", &words).output().unwrap());
        let text = fs::read_to_string(&report).unwrap_or_else(|_| panic!("{}\n{}", done.output, done.errors));
        (done, serde_json::from_str(&text).unwrap())
    }
}

/// The lines of each bug of a report.
fn programs(report: &Value) -> Vec<Vec<&str>> {
    let bugs = report["bugs"].as_array().unwrap().iter();
    bugs.map(|bug| bug["program"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect())
        .collect()
}

#[test]
fn a_law_is_refuted_by_values_that_nobody_made_and_each_fault_behind_it_is_told_once() {
    let stack = stack(LAWS);
    let (done, report) = stack.checked(&["--programs", "3000", "--write-tests"]);
    done.assert_ended(1, "Proven");
    assert!(done.output.contains("FAILED in "), "{}", done.output);
    assert!(done.output.contains("pushing_adds_one         passed "), "{}", done.output);
    let programs = programs(&report);
    let names =
        |word: &str| programs.iter().filter(|lines| lines.iter().any(|line| line.contains(word))).count();
    assert_eq!((programs.len(), names("pop()"), names("data_mut()")), (2, 1, 1), "{programs:?}");
    for (bug, lines) in report["bugs"].as_array().unwrap().iter().zip(&programs) {
        assert_eq!(lines.last(), Some(&"laws::sum_is_that_of_the_data(&sum_stack);"), "{lines:?}");
        assert_eq!(bug["test_fails_alike"], true, "{bug}");
    }
    let law = &report["laws"][0];
    assert!(law["passed"].as_u64().unwrap() > 0 && law["failed"].as_u64().unwrap() > 0, "{law}");
    assert_eq!(law["labels"][0][0], "empty");

    // The tests stand beside the laws, and call the law as it stands.
    let test = fs::read_to_string(stack.path().join("tests/explore_stack.rs")).unwrap();
    assert!(test.contains("#[path = \"laws.rs\"]\nmod laws;"), "{test}");

    let name = report["bugs"][0]["name"].as_str().unwrap().to_string();
    let replayed = Done::of(stack.bugnet("check", &["--replay", &name]).output().unwrap());
    replayed.assert_ended(1, "Failed");
}

#[test]
fn a_law_that_was_not_checked_is_named_with_what_to_write() {
    let stack = stack(BAD);
    let (done, report) = stack.checked(&["--programs", "300", "--explain"]);
    done.assert_ended(5, "2 of 3 laws not checked");
    assert!(done.errors.contains("the law `nobody_makes_a_token` takes `stack::Token`"), "{}", done.errors);
    assert!(done.errors.contains("-> stack::Token {"), "{}", done.errors);
    assert!(done.output.contains("NOT CHECKED: nothing makes a `stack::Token`"), "{}", done.output);
    assert!(done.output.contains("NOT CHECKED: its precondition held for none of"), "{}", done.output);
    assert!(done.output.contains("all_is_well           passed "), "{}", done.output);
    assert!(done.output.contains("SumStack: one call makes it"), "{}", done.output);
    // Nobody needs the auditor, so nothing of it was built.
    assert!(!done.output.contains("is_sound"), "{}", done.output);
    assert_eq!(report["bugs"].as_array().unwrap().len(), 0);
}

#[test]
fn whatever_ends_a_check_is_a_failure_of_its_law() {
    let stack = stack(
        "
        use bugnet::prelude::*;
        use stack::SumStack;

        #[law]
        fn two_end_the_process(stack: &SumStack) {
            if stack.data().len() == 2 {
                std::process::abort();
            }
        }

        #[law(expect_panic = \"out of bounds\")]
        fn three_are_refused(stack: &SumStack) {
            let _ = stack.data()[3];
        }

        #[law(discard = \"not today\")]
        fn some_days_do_not_count(stack: &SumStack, day: u8) {
            assert!(day % 2 == 0, \"not today\");
            assert!(stack.data().len() < 100_000);
        }
        ",
    );
    let (done, report) = stack.checked(&["--programs", "2000"]);
    done.assert_ended(1, "Proven");
    let of = |law: &str| {
        let bugs = report["bugs"].as_array().unwrap().iter();
        bugs.filter(|bug| bug["operation"] == law)
            .map(|bug| bug["cause"].as_str().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(of("two_end_the_process"), ["death"], "{}", done.output);
    assert_eq!(of("three_are_refused"), ["law"], "{}", done.output);
    assert_eq!(of("some_days_do_not_count"), [""; 0], "{}", done.output);
    let discarded = &report["laws"][2]["discarded"];
    assert!(discarded.as_u64().unwrap() > 0, "{}", report["laws"]);
}

#[test]
fn a_file_of_laws_that_does_not_compile_is_shown_and_one_without_laws_is_refused() {
    let stack = stack("use bugnet::prelude::*;\n#[law]\nfn wrong(x: u8) { x.missing() }\n");
    let done = Done::of(stack.bugnet("check", &["--programs", "9"]).output().unwrap());
    done.assert_ended(3, "tests/laws.rs");
    fs::write(stack.path().join("tests/laws.rs"), "fn none() {}\n").unwrap();
    let named = Done::of(stack.bugnet("check", &["--laws", "tests/laws.rs"]).output().unwrap());
    named.assert_ended(2, "states no law");
    let none = Done::of(stack.bugnet("check", &["--programs", "9"]).output().unwrap());
    none.assert_ended(2, "write `#[law]` before a function in one of its tests");
}

#[test]
fn a_private_method_under_cfg_test_is_a_law() {
    let law = "
        impl SumStack {
            #[cfg(test)]
            #[bugnet::law]
            fn sum_is_right(&self) {
                assert_eq!(self.data.iter().fold(0i32, |sum, x| sum.wrapping_add(*x)), self.sum);
            }
        }
    ";
    let stack = Crate::with("stack", &[("src/lib.rs", &format!("{STACK}{law}"))]);
    let (done, report) = stack.checked(&["--programs", "2000"]);
    done.assert_ended(1, "Proven");
    for program in programs(&report) {
        assert_eq!(program.last(), Some(&"sum_stack.sum_is_right();"), "{program:?}");
    }
}
