//! Words in the names of functions, which say what a function is there for.
//!
//! **Invariant:** a word counts as a whole: `power` is not `pow`.

use crate::harness::name;

/// Functions whose names begin or end so refuse what others panic at.
const REFUSING: ([&str; 5], [&str; 2]) =
    (["checked_", "try_", "saturating_", "wrapping_", "overflowing_"], ["_opt", "_checked"]);

/// Words of functions that divide by their argument.
const DIVIDING: [&str; 9] = ["div", "divide", "rem", "mod", "modulo", "quotient", "inverse", "inv", "recip"];

/// Words of functions that have more to do the larger their argument is, and cannot do anything about it.
const GROWING: [&str; 11] =
    ["pow", "powi", "shl", "repeat", "factorial", "reserve", "capacity", "resize", "grow", "full", "fill"];

/// The types of numbers.
const NUMBERS: [&str; 14] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64"];

/// The function of an operation, without its type or module.
pub(super) fn function(operation: &str) -> &str {
    name::split(operation).map_or(operation, |(_, function)| function)
}

/// Returns true if the name of a function contains one of these words.
fn has(operation: &str, words: &[&str]) -> bool {
    function(operation).split('_').any(|word| words.contains(&word))
}

/// Returns true if a function exists to refuse values at which others panic.
pub(super) fn refuses(operation: &str) -> bool {
    let (beginnings, endings) = REFUSING;
    let name = function(operation);
    beginnings.iter().any(|beginning| name.starts_with(beginning))
        || endings.iter().any(|ending| name.ends_with(ending))
}

/// Returns true if a function divides by its argument.
pub(super) fn divides(operation: &str) -> bool {
    has(operation, &DIVIDING)
}

/// Returns true if a function has more to do the larger its argument is.
pub(super) fn grows(operation: &str) -> bool {
    has(operation, &GROWING)
}

/// Returns true if a function converts to a type of numbers: `to_u32`, `as_usize`.
pub(super) fn converts(operation: &str) -> bool {
    let mut words = function(operation).split('_');
    let first = words.next().unwrap_or_default();
    ["to", "as", "into"].contains(&first) && words.any(|word| NUMBERS.contains(&word))
}

/// Returns true if a function removes a limit: `without_recursion_limit`, `unbounded`.
pub(super) fn lifts_limit(operation: &str) -> bool {
    has(operation, &["unlimited", "unbounded", "limitless"])
        || has(operation, &["limit", "limits"])
            && has(operation, &["without", "no", "disable", "remove", "ignore"])
}

/// Returns true if a message tells callers what to do.
pub(super) fn states_rule(message: &str) -> bool {
    ["must ", "can only", "may only"].iter().any(|rule| message.contains(rule))
}
