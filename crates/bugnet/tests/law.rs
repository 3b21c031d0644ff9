//! `#[law]`: the function stays callable, and with `test` a property checks it.

use bugnet::oracle::Law;
use bugnet::prelude::*;
use std::process::Command;

#[law]
fn is_called_as_it_stands(mut list: Vec<u8>, more: &[u8]) -> bool {
    let length = list.len();
    list.extend_from_slice(more);
    list.len() == length + more.len()
}

#[law(cases = 500, expect_panic = "out of bounds", discard = "capacity")]
fn has_settings(list: Vec<u8>) {
    let _ = list[list.len()];
}

#[law(test, seed = 7, cases = 200)]
fn is_a_property_too(list: &[u8], at: usize) {
    assume!(at <= list.len());
    let (left, right) = list.split_at(at);
    classify!(left.is_empty(), "nothing on the left");
    assert_eq!([left, right].concat(), list);
}

#[law(test, expect_panic = "out of bounds")]
fn expects_its_panic(list: Vec<u8>) {
    let _ = list[list.len()];
}

#[law(test, seed = 7, regressions = false)]
#[cfg(any())]
fn is_left_out() {}

struct SumStack {
    data: Vec<i32>,
    sum: i32,
}

impl SumStack {
    #[law]
    fn sum_is_right(&self) {
        assert_eq!(self.data.iter().sum::<i32>(), self.sum);
    }
}

#[test]
fn a_law_stays_a_function_with_its_settings_beside_it() {
    assert!(is_called_as_it_stands(vec![1], &[2, 3]));
    assert_eq!(law_is_called_as_it_stands, Law::PLAIN);
    let (expect_panic, discard) = (Some("out of bounds"), Some("capacity"));
    assert_eq!(law_has_settings, Law { cases: Some(500), expect_panic, discard });
    SumStack { data: vec![1, 2], sum: 3 }.sum_is_right();
    assert_eq!(SumStack::law_sum_is_right, Law::PLAIN);
}

#[test]
fn a_law_without_test_is_ignored_with_the_command_that_runs_it() {
    let run = |words: &[&str]| Command::new(std::env::current_exe().unwrap()).args(words).output().unwrap();
    let listed = String::from_utf8(run(&["--list"]).stdout).unwrap();
    for name in ["is_called_as_it_stands::law", "is_a_property_too::law", "expects_its_panic::law"] {
        assert!(listed.contains(&format!("{name}: test")), "{listed}");
    }
    let said = String::from_utf8(run(&["has_settings::law"]).stdout).unwrap();
    assert!(said.contains("ignored, run by: cargo bugnet check"), "{said}");
    // Nobody takes the ignored test for one that checks something.
    assert!(!run(&["has_settings::law", "--ignored"]).status.success());
}
