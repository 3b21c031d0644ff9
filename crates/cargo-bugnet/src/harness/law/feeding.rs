//! Feeding: what is given in parts is the same as what is given at once.

use super::super::outcome::{self, Wrap};
use super::super::solver::Solver;
use super::draft::{Draft, Writer};
use super::{Method, Receiver, called, has, is_compared};
use crate::api::Kind;

/// Functions that add bytes to what they were given before.
const OF_BYTES: [&str; 10] = [
    "update",
    "feed",
    "input",
    "absorb",
    "consume",
    "process",
    "write_bytes",
    "write_slice",
    "extend_from_slice",
    "push_slice",
];
/// Functions that add texts to what they were given before.
const OF_TEXTS: [&str; 2] = ["push_str", "write_str"];
/// Functions that tell what came of it all.
const ENDS: [&str; 9] =
    ["finalize", "finish", "digest", "sum", "checksum", "result", "value", "hash", "get_checksum"];

/// Parts are the same as the whole.
pub(super) fn laws(writer: &mut Writer<'_>, methods: &[Method], solver: &Solver<'_>) {
    // A hash may well depend on how it is fed: `Hasher` says so.
    let is_hasher = has(solver, writer.kind, "std::hash::Hasher");
    if is_hasher || !has(solver, writer.kind, "std::clone::Clone") {
        return;
    }
    for method in methods.iter().filter(|method| method.receiver == Receiver::Mutable) {
        let [input] = &method.inputs[..] else { continue };
        let bytes = Kind::Slice(Box::new(Kind::named("u8")));
        let name = method.name.as_str();
        let is_text = OF_TEXTS.contains(&name) && *input == Kind::shared(Kind::named("str"));
        let is_fed = OF_BYTES.contains(&name) && *input == Kind::shared(bytes);
        let is_quiet = match outcome::unwrapped(&method.output) {
            (Wrap::Bare | Wrap::Result, output) => {
                *output == Kind::unit() || super::behind(output) == writer.kind
            }
            _ => false,
        };
        if !is_quiet || !(is_text || is_fed) {
            continue;
        }
        let same = match ENDS.iter().find_map(|end| called(methods, end, 0)) {
            Some(end) if end.output != Kind::unit() => format!("whole.{0}() == parts.{0}()", end.name),
            _ if is_compared(solver, writer.kind) => "whole == parts".to_string(),
            _ => continue,
        };
        writer.add(law(name, is_text, &same));
    }
}

fn law(name: &str, is_text: bool, same: &str) -> Draft {
    let part = match is_text {
        true => Kind::named("std::string::String"),
        false => Kind::generic("std::vec::Vec", [Kind::named("u8")]),
    };
    let condition = format!(
        "{{ let (mut whole, mut parts) = ({{0}}.clone(), {{0}}.clone()); let _ = whole.{name}(&[&{{1}}[..], &{{2}}[..]].concat()); let _ = parts.{name}(&{{1}}[..]); let _ = parts.{name}(&{{2}}[..]); {same} }}"
    );
    let reason = format!("what `{name}` is given in parts should be the same as what it is given at once");
    Draft::new(format!("{name}_in_parts_is_{name}"), reason, [condition]).given([&part, &part])
}
