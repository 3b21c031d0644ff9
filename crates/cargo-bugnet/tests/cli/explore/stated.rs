//! Laws that somebody has stated, checked with values that calls of the crate make.

use crate::fixture::{Crate, Done};
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
fn a_law_is_refuted_by_values_that_nobody_made_and_its_test_calls_the_law() {
    let stack = stack(LAWS);
    let (done, report) = stack.checked(&["--programs", "3000", "--write-tests"]);
    done.assert_ended(1, "Proven");
    assert!(done.output.contains("FAILED in "), "{}", done.output);
    assert!(done.output.contains("pushing_adds_one         passed "), "{}", done.output);
    let programs = programs(&report);
    assert!(!programs.is_empty());
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
    assert_eq!(replayed.code, Some(1), "{}\n{}", replayed.output, replayed.errors);
    assert!(replayed.output.contains("Failed"), "{}", replayed.output);
}
