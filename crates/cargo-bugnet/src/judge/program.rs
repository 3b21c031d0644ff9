//! Minimal programs: what their calls say about a finding.
//!
//! **Invariant:** programs are data here: a name is that of an operation, a number one that was drawn. How a call is
//! written is not looked at.

use super::rule::Step;
use super::words::function;
use bugnet::wire::{Call, Number, Role};

/// Words in the names of functions that do not check what they are given, and of types whose values nobody has checked.
const UNCHECKED: [&str; 6] = ["unchecked", "nocheck", "no_check", "uncheck", "unvalidated", "unverified"];
/// Words in the names of functions that choose among items, and ask once for each.
const CHOOSING: [&str; 6] = ["retain", "filter", "extract", "partition", "drain", "while"];

/// Returns the first function that by its name does not check what it is given.
pub(super) fn unchecked_call<'a>(program: &[Step<'a>]) -> Option<&'a str> {
    let is_unchecked = |name: &str| UNCHECKED.iter().any(|word| name.to_lowercase().contains(word));
    first(program, is_unchecked).or_else(|| {
        let types = program.iter().filter_map(|step| match &step.call.role {
            Role::Law { of, .. } => Some(of.as_str()),
            _ => None,
        });
        { types }.find(|of| is_unchecked(of))
    })
}

/// Returns a number of the last call that is no part of a year or date: zero, or more than a year has days.
pub(super) fn no_part_of_a_year(last: &[Step<'_>]) -> Option<u128> {
    let is_none = |number: Number| match number {
        Number::Whole { magnitude, .. } => (magnitude == 0 || magnitude > 366).then_some(magnitude),
        Number::Fraction(_) => None,
    };
    last.iter().flat_map(|step| drawn(step.call)).find_map(is_none)
}

/// Returns the first function that by its name is about what is below the usual interface.
pub(super) fn raw_call<'a>(program: &[Step<'a>]) -> Option<&'a str> {
    first(program, |name| name.split('_').any(|word| word == "raw"))
}

/// Returns true if a closure that is not deterministic may be called with the same argument more than once.
pub(super) fn has_fickle_closure(program: &[Step<'_>]) -> bool {
    let chooses = |step: &Step<'_>| CHOOSING.iter().any(|word| name(step.call).contains(word));
    program.iter().any(|step| step.facts.fickle && !chooses(step))
}

/// Returns true if a value is made by writing out its fields, which bypasses all functions that would refuse.
pub(super) fn has_written_out(program: &[Step<'_>]) -> bool {
    program.iter().any(|step| step.facts.written_out)
}

/// Returns true if the last call is given a range without an end.
pub(super) fn ends_with_endless_range(program: &[Step<'_>]) -> bool {
    program.last().is_some_and(|step| step.facts.endless)
}

/// Returns the first constant of the program that is a limit by its name (`HEBREW_MAX_RD`) and stands beside no type and
/// not in the module of a function: that function may have other limits.
pub(super) fn limit_of_another<'a>(program: &[Step<'a>], function: &str) -> Option<&'a str> {
    let module = |operation: &str| operation.split("::").next().map(str::to_string);
    let is_limit = |operation: &str| {
        let (owner, name) = operation.rsplit_once("::").unwrap_or(("", operation));
        let is_constant =
            name.chars().all(|letter| letter.is_ascii_uppercase() || "_0123456789".contains(letter));
        let is_of_type = owner.rsplit("::").next().is_some_and(|last| last.starts_with(char::is_uppercase));
        is_constant && !is_of_type && name.split('_').any(|word| ["MAX", "MIN", "LIMIT"].contains(&word))
    };
    let calls = program.iter().map(|step| step.call.operation.as_str());
    { calls }.find(|call| is_limit(call) && module(call) != module(function))
}

/// Returns the largest whole number that an operator was given, of those that are at least so large.
pub(super) fn moved_by(earlier: &[Step<'_>], least: u128) -> Option<u128> {
    let operators = earlier.iter().filter(|step| step.facts.operator || is_assignment(&step.call.operation));
    let numbers = operators.flat_map(|step| drawn(step.call)).filter_map(|number| match number {
        Number::Whole { magnitude, .. } if magnitude >= least => Some(magnitude),
        _ => None,
    });
    numbers.max()
}

/// Returns true if a function is that of `+=` and the like.
fn is_assignment(operation: &str) -> bool {
    function(operation).ends_with("_assign")
}

/// Returns true if a call was given a number with a fraction whose magnitude is at least `least`.
pub(super) fn has_fraction_from(program: &[Step<'_>], least: f64) -> bool {
    let is_large = |number: Number| matches!(number, Number::Fraction(number) if number.abs() >= least);
    program.iter().flat_map(|step| drawn(step.call)).any(is_large)
}

/// Returns the largest whole number that was given, of those that are at least so large or the last of their types.
pub(super) fn largest(program: &[Step<'_>], least: u128) -> Option<u128> {
    let large = |number: Number| match number {
        Number::Whole { magnitude, is_limit } => (is_limit || magnitude >= least).then_some(magnitude),
        Number::Fraction(_) => None,
    };
    program.iter().flat_map(|step| drawn(step.call)).filter_map(large).max()
}

/// Returns true if a whole number was given to some call.
pub(super) fn is_given(program: &[Step<'_>], number: u128) -> bool {
    let is_it = |drawn: Number| matches!(drawn, Number::Whole { magnitude, .. } if magnitude == number);
    program.iter().flat_map(|step| drawn(step.call)).any(is_it)
}

/// The numbers that were drawn for a call.
fn drawn(call: &Call) -> impl Iterator<Item = Number> {
    call.literals().flat_map(|literal| literal.numbers.iter().copied())
}

/// The function or law that is called, without its type or module.
fn name(call: &Call) -> &str {
    match &call.role {
        Role::Law { name, .. } => name,
        _ => function(&call.operation),
    }
}

/// The first name that is the one, of what is called.
fn first<'a>(program: &[Step<'a>], is_it: impl Fn(&str) -> bool) -> Option<&'a str> {
    let called = program.iter().filter(|step| step.call.role.is_called());
    called.map(|step| name(step.call)).find(|name| is_it(name))
}
