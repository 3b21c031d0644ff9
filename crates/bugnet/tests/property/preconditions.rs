//! Inputs that do not count.

use super::*;

static PASSED: Log<(u8, u8)> = Log::new(Vec::new());

#[property(cases = 200)]
#[ignore = "called below"]
fn with_leading_preconditions(mut a: u8, b: &mut u8) -> Result<bool, String> {
    assume!(*b != 0);
    bugnet::assume!(a > *b,);
    PASSED.lock().unwrap().push((a, *b));
    a -= 1;
    if a < *b {
        return Err(format!("{a} < {b}"));
    }
    "x".parse::<char>().map_err(|error| error.to_string())?;
    Ok(a >= *b)
}

#[test]
fn a_case_without_its_preconditions_is_discarded() {
    let passed = logged(&PASSED, with_leading_preconditions);
    assert!(passed.len() >= 200);
    assert!(passed.iter().all(|(a, b)| *b != 0 && a > b));
}

#[property]
fn a_precondition_may_take_its_parameter(list: Vec<u8>, other: Vec<u8>) {
    assume!(list.into_iter().all(|number| number < 200));
    let moved = other;
    assert!(moved.len() < 1_000_000);
}

#[property]
fn a_precondition_may_return(text: String) -> Result<(), std::num::ParseIntError> {
    assume!(text.is_empty() || "7".parse::<u8>()? == 7);
    Ok(())
}

#[property]
fn a_precondition_may_come_late(a: u8) {
    let half = a / 2;
    assume!(half > 3);
    assert!(half > 3);
}

#[property]
fn a_property_may_be_nothing_but_a_precondition(a: u8) {
    assume!(a > 3);
}

#[property]
fn a_property_may_call_itself(a: u8) {
    assume!(a < 10);
    if a > 0 {
        a_property_may_call_itself(a - 1);
    }
}

#[property(regressions = false)]
#[ignore = "read below"]
fn never_met(a: u8) {
    assume!(u16::from(a) > 255);
    assert!(a > 0);
}

#[test]
fn a_precondition_that_is_never_met_is_reported() {
    assert!(report("preconditions::never_met").contains("GAVE UP"));
}

#[property(regressions = false)]
#[ignore = "read below"]
fn refuted(a: u8) {
    assume!(a > 10);
    assert!(a < 100);
}

#[test]
fn a_failure_behind_a_precondition_has_its_place() {
    let line = line!() - 5;
    let report = report("preconditions::refuted");
    assert!(report.contains("let a: u8 = 100;"), "{report}");
    assert!(report.contains(&format!("preconditions.rs:{line}:5")), "{report}");
}
