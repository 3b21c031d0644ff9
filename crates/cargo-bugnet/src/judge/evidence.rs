//! Evidence: what two bugs have in common, or what tells them apart, beyond their places.
//!
//! **Invariant:** what is not known of a bug is no evidence, neither for one cause nor for two.

use super::Class;
use super::bug::Bug;
use super::same_cause::{function, is_view};
use crate::api::Law;
use crate::finding::Cause;
use crate::finding::family::without_values;
use crate::finding::panic_kind::PanicKind;
use crate::harness::name::{self, stem};
use bugnet::wire::Call;

/// Returns true if the stack overflows.
pub(super) fn overflows(bug: &Bug) -> bool {
    bug.finding.message.contains("stack overflow")
}

/// Returns true if there is evidence that two bugs have two causes: they die in different ways, fail in
/// different functions of the crate, or fail differently in one function. A recursion may be noticed in any
/// of its functions.
pub(super) fn are_apart(one: &Bug, other: &Bug) -> bool {
    let both = |pair: (Option<&str>, Option<&str>)| matches!(pair, (Some(one), Some(other)) if one != other);
    let recursion = |bug: &Bug| !bug.stack.cycle().is_empty();
    match (recursion(one), recursion(other)) {
        (true, true) => !recurse_alike(one, other),
        _ => {
            both((death(one), death(other)))
                || both((one.inner.as_deref(), other.inner.as_deref()))
                || are_in_one_function(one, other) && !fail_alike(one, other)
        }
    }
}

/// Returns the way in which a bug ends its process, if it does.
fn death(bug: &Bug) -> Option<&str> {
    (bug.finding.cause == Cause::Death).then_some(bug.finding.message.as_str())
}

/// Returns true if both fail in the same way: they die alike, or panic with the same words but for values.
pub(super) fn fail_alike(one: &Bug, other: &Bug) -> bool {
    let (a, b) = (&one.finding, &other.finding);
    a.cause == b.cause
        && match a.cause {
            Cause::Panic => {
                panic_alike(one, other) && without_values(&a.message) == without_values(&b.message)
            }
            Cause::Death => a.message == b.message,
            Cause::Law | Cause::Hang | Cause::Memory => true,
        }
}

/// Returns true if the innermost function of the crate is known for both, and is the same. Functions of two
/// files may share a name; a panic in a file of another crate says nothing about that.
pub(super) fn are_in_one_function(one: &Bug, other: &Bug) -> bool {
    let is_elsewhere = |bug: &Bug| bug.stack.innermost().is_some();
    let are_elsewhere = is_elsewhere(one) && is_elsewhere(other);
    one.inner.is_some() && one.inner == other.inner && (are_elsewhere || same_file(one, other))
}

/// Returns true if both stacks are full of the same functions.
pub(super) fn recurse_alike(one: &Bug, other: &Bug) -> bool {
    !one.stack.cycle().is_empty() && one.stack.cycle() == other.stack.cycle()
}

/// The type of an operation, without its size, and its function.
fn sized(operation: &str) -> Option<(String, String)> {
    name::split(operation).map(|(owner, function)| (stem(owner), function.to_string()))
}

/// The type that a law is of, without its size, and the law.
fn sized_law(law: &Law) -> (String, String) {
    (stem(&law.of), law_family(&law.name))
}

/// Returns true if types that differ only in size fail after calls of the same functions, in functions of one
/// name.
pub(super) fn are_of_siblings(one: &Bug, other: &Bug) -> bool {
    let called =
        |call: &Call| Law::of(&call.role).map_or_else(|| sized(&call.operation), |law| Some(sized_law(&law)));
    let shape = |bug: &Bug| -> Vec<_> { bug.program.called().map(called).collect() };
    let inner = |bug: &Bug| {
        let inner = bug.inner.as_deref()?;
        Some(sized(inner).unwrap_or_else(|| (String::new(), inner.to_string())))
    };
    let own = |bug: &Bug| match &bug.finding.law {
        Some(law) => Some(sized_law(law)),
        None => sized(&bug.finding.operation),
    };
    one.finding.operation != other.finding.operation
        && own(one).is_some()
        && own(one) == own(other)
        && inner(one) == inner(other)
        && shape(one) == shape(other)
}

/// Returns true if functions of one name, of types of one name in two modules, are given the same: programs that are equal
/// but for the module of the type in the last call.
pub(super) fn have_one_input(one: &Bug, other: &Bug) -> bool {
    let called = |bug: &Bug| {
        let (owner, function) = name::split(&bug.finding.operation)?;
        let owner = bare_type(owner)?;
        Some((owner, function.to_string()))
    };
    let given =
        |call: &Call| -> Vec<String> { call.literals().map(|literal| literal.text.clone()).collect() };
    let calls = |bug: &Bug| -> Vec<(String, Vec<String>)> {
        bug.program.called().map(|call| (call.operation.clone(), given(call))).collect()
    };
    let (one_calls, other_calls) = (calls(one), calls(other));
    let (Some((one_last, one_before)), Some((other_last, other_before))) =
        (one_calls.split_last(), other_calls.split_last())
    else {
        return false;
    };
    let are_calls = one.finding.law().is_none() && other.finding.law().is_none();
    let is_last = one_last.0 == one.finding.operation && other_last.0 == other.finding.operation;
    are_calls
        && is_last
        && one.finding.operation != other.finding.operation
        && called(one).is_some()
        && called(one) == called(other)
        && one_last.1 == other_last.1
        && one_before == other_before
}

/// The bare name of a type before a function: `Finder` of `all::packedpair::Finder<u8>`.
fn bare_type(owner: &str) -> Option<String> {
    let plain = name::without_types(owner);
    let bare = plain.rsplit("::").next()?;
    bare.starts_with(char::is_uppercase).then(|| bare.to_string())
}

/// Returns true if functions of one type, whatever its size, fail at the same literal.
pub(super) fn have_one_offender(one: &Bug, other: &Bug) -> bool {
    let owner = |bug: &Bug| sized(&bug.finding.operation).map(|(owner, _)| owner);
    let are_calls = one.finding.law().is_none() && other.finding.law().is_none();
    are_calls && owner(one).is_some() && owner(one) == owner(other) && {
        let (a, b) = (offender(one), offender(other));
        a.is_some() && a == b
    }
}

/// The literal that a program fails at, if it is one that much cannot be done with.
fn offender(bug: &Bug) -> Option<&'static str> {
    if bug.finding.cause == Cause::Panic
        && PanicKind::of(&bug.finding.message, None) == PanicKind::DivisionByZero
    {
        return Some("zero");
    }
    let lines = bug.program.lines();
    let has = |word: &str| lines.iter().any(|line| line.contains(word));
    match (has("::NAN"), has("::INFINITY") || has("::NEG_INFINITY")) {
        (true, false) => Some("not a number"),
        (false, true) => Some("infinite"),
        _ => None,
    }
}

/// Returns true if a value breaks a law as it is made, and another program makes the same: the failure there comes from
/// the value, whichever call meets it.
pub(super) fn is_spoiled_as_made(law: &Bug, other: &Bug) -> bool {
    let mut others = other.program.called();
    law.judgement.class == Class::Law
        && made(law).is_some_and(|made_here| others.any(|call| maker(call).as_ref() == Some(&made_here)))
}

/// The call that has made a value of a list, if nothing has changed the value since: it is looked at as it is, or through
/// views such as iterators.
fn made(bug: &Bug) -> Option<(String, String)> {
    let mut called = bug.program.called();
    let first = called.next()?;
    let is_still =
        |call: &Call| Law::of(&call.role).is_some() || call.uses().next().is_none() || is_view(call);
    called.all(is_still).then(|| maker(first)).flatten()
}

/// The function that makes a value of a list alone, and the shape of the list. An empty list tells nothing, because
/// reducing leaves it wherever it does not matter.
fn maker(call: &Call) -> Option<(String, String)> {
    let shapes: Vec<String> = call.literals().map(|literal| shape(&literal.text)).collect();
    let list = shapes.join(", ");
    let is_full = list.split('[').skip(1).any(|items| !items.starts_with(']'));
    (is_full && call.uses().next().is_none()).then(|| (function(&call.operation), list))
}

/// A literal with a mark in the place of each number and text, so that lists of several types can be compared:
/// `vec![(7, vec![])]` and `vec![("a".to_string(), vec![])]` have one shape.
fn shape(literal: &str) -> String {
    let mut shape = String::new();
    let mut letters = literal.chars();
    while let Some(letter) = letters.next() {
        let is_text = letter == '"';
        if is_text {
            while letters.next().is_some_and(|letter| letter != '"') {}
        }
        match is_text || letter.is_ascii_digit() {
            true if shape.ends_with('#') => {}
            true => shape.push('#'),
            false => shape.push(letter),
        }
    }
    shape.replace(".to_string()", "").replace("#.#", "#").replace("-#", "#")
}

/// Returns true if one hangs and the other runs out of memory.
pub(super) fn is_excess(one: &Bug, other: &Bug) -> bool {
    let causes = [one.finding.cause, other.finding.cause];
    causes.contains(&Cause::Hang) && causes.contains(&Cause::Memory)
}

/// Returns true if both fail in one file, or neither has a place.
pub(super) fn same_file(one: &Bug, other: &Bug) -> bool {
    let file = |bug: &Bug| bug.finding.place.as_ref().map(|place| place.file.clone());
    file(one) == file(other)
}

/// Returns true if both panics are of one kind.
pub(super) fn panic_alike(one: &Bug, other: &Bug) -> bool {
    let kind = |bug: &Bug| PanicKind::of(&bug.finding.message, None);
    kind(one) == kind(other)
}

/// The name of a law without types of numbers: `from_u8_is_undone` and `from_i64_is_undone` are written by one
/// macro, and so are `div_assign_is_div(u8)` and its kin. What `try_from_x` does not give back, `from_x` does not.
pub(super) fn law_family(law: &str) -> String {
    let law = law.strip_prefix("try_").unwrap_or(law);
    let numbers = "u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64";
    let is_number = |word: &str| numbers.split(' ').any(|number| number == word);
    let words = law.split_inclusive(['_', '(', ')', ' ']);
    let plain = words.map(|word| {
        let end = word.find(['_', '(', ')', ' ']).unwrap_or(word.len());
        if is_number(&word[..end]) { format!("N{}", &word[end..]) } else { word.to_string() }
    });
    plain.collect()
}
