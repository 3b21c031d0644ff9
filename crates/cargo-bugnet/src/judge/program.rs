//! Minimal programs: what their calls say about a finding.
//!
//! **Invariant:** programs are data here: a name is that of an operation, a number one that was drawn. How a call is
//! written is not looked at.

use super::rule::Step;
use super::words::function;
use bugnet::wire::{Call, Number, Role};

/// Words in the names of functions that do not check what they are given.
const UNCHECKED: [&str; 4] = ["unchecked", "nocheck", "no_check", "uncheck"];
/// Words in the names of functions that choose among items, and ask once for each.
const CHOOSING: [&str; 6] = ["retain", "filter", "extract", "partition", "drain", "while"];

/// Returns the first function that by its name does not check what it is given.
pub(super) fn unchecked_call<'a>(program: &[Step<'a>]) -> Option<&'a str> {
    first(program, |name| UNCHECKED.iter().any(|word| name.contains(word)))
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
