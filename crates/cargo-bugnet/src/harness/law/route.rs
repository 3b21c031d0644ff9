//! Routes: two functions that lead to the same, one to a new text or list and one to a given one.

use super::super::outcome::{self, Wrap};
use super::super::standard;
use super::draft::{Draft, Writer, again, if_any};
use super::{Method, Receiver, behind};
use crate::api::Kind;

/// Endings of the names of functions that write to what they are given.
const ENDINGS: [&str; 8] = ["_into", "_to", "_append", "_string", "_vec", "_buf", "_to_string", "_to_vec"];

/// A function returns the same as its sibling writes.
pub(super) fn laws(writer: &mut Writer<'_>, methods: &[Method]) {
    for plain in methods.iter().filter(|plain| plain.receiver == Receiver::Shared) {
        let made = outcome::unwrapped(&plain.output).1;
        let empty = match made {
            made if made.is("std::string::String") => "String::new()",
            made if *made == Kind::generic("std::vec::Vec", [Kind::named("u8")]) => "Vec::<u8>::new()",
            _ => continue,
        };
        let is_route = |other: &&Method| {
            let Some((out, inputs)) = other.inputs.split_last() else { return false };
            let is_out = behind(out) == made || matches!(behind(out), Kind::Parameter(_) | Kind::Opaque(_));
            let is_named = ENDINGS.iter().any(|ending| other.name == format!("{}{ending}", plain.name));
            is_out && is_named && inputs == plain.inputs && other.receiver == Receiver::Shared
        };
        if plain.inputs.iter().all(standard::is_scalar) {
            for other in methods.iter().filter(is_route) {
                writer.add(law(plain, other, empty));
            }
        }
    }
}

fn law(plain: &Method, other: &Method, empty: &str) -> Draft {
    let all = plain.inputs.iter().enumerate().map(|(place, kind)| again(place + 1, kind));
    let all: Vec<String> = all.collect();
    let list = all.join(", ");
    let more = [all.clone(), vec!["&mut out".to_string()]].concat().join(", ");
    let put = other.unless_refused(&format!("{{0}}.{}({more})", other.name));
    let wrap = outcome::unwrapped(&plain.output).0;
    let call = format!("{{0}}.{}({list})", plain.name);
    let same = match wrap {
        Wrap::Bare => format!("out == {call}"),
        _ => if_any(wrap, &call, "new == out"),
    };
    let condition = format!("{{ let mut out = {empty}; {put} {same} }}");
    let reason = format!("`{}` should write what `{}` returns", other.name, plain.name);
    Draft::new(format!("{}_is_{}", other.name, plain.name), reason, [condition]).given(&plain.inputs)
}
