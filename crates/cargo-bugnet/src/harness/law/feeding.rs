//! Feeding: what is given in parts is the same as what is given at once, and what is written is the same
//! wherever it is written.

use super::super::outcome::{self, Wrap};
use super::super::solver::Solver;
use super::draft::{Draft, Writer};
use super::{Method, Receiver, behind, called, has, is_compared, then};
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

/// Functions that write a value behind what was written before.
const WRITERS: [&str; 8] =
    ["write", "write_to", "write_into", "encode", "encode_to", "encode_into", "serialize_into", "append_to"];

/// The laws of what is fed and what is written.
pub(super) fn laws(writer: &mut Writer<'_>, methods: &[Method], solver: &Solver<'_>) {
    fed(writer, methods, solver);
    for method in methods.iter().filter(|method| method.receiver == Receiver::Shared) {
        if let ([out], true) = (&method.inputs[..], WRITERS.contains(&method.name.as_str())) {
            written(writer, method, out);
        }
    }
}

/// Writing behind something writes the same as writing to nothing. A function that clears its target may do so.
fn written(writer: &mut Writer<'_>, method: &Method, out: &Kind) {
    let name = &method.name;
    let put = |buffer: &str| method.unless_refused(&format!("{{0}}.{name}(&mut {buffer})"));
    let same = then(&put("behind"), "behind[3..] == alone[..] || behind == alone");
    let same = then(&put("alone"), &same);
    let conditions: Vec<String> = buffers(behind(out))
        .into_iter()
        .map(|(empty, more)| {
            format!("{{ let (mut alone, mut behind) = ({empty}, {empty}); behind.{more}; {same} }}")
        })
        .collect();
    if !conditions.is_empty() {
        let reason = format!("what `{name}` writes should not depend on what was written before");
        writer.add(Draft::new(format!("{name}_is_alike_behind"), reason, conditions).of_manners());
    }
}

/// Returns ways to make an empty buffer, and to put three bytes into it.
fn buffers(out: &Kind) -> Vec<(String, &'static str)> {
    let bytes = Kind::generic("std::vec::Vec", [Kind::named("u8")]);
    let text = || ("String::new()".to_string(), "push_str(\"777\")");
    let list = || ("Vec::<u8>::new()".to_string(), "extend_from_slice(&[7; 3])");
    match out {
        Kind::Parameter(_) | Kind::Opaque(_) => vec![list(), text()],
        out if *out == bytes => vec![list()],
        out if out.is("std::string::String") => vec![text()],
        // A buffer of another crate, such as `BytesMut`.
        Kind::Named { path, .. } if !path.starts_with("std::") => {
            vec![(format!("{}::default()", out.prefix()), "extend_from_slice(&[7; 3])")]
        }
        _ => Vec::new(),
    }
}

/// Parts are the same as the whole.
fn fed(writer: &mut Writer<'_>, methods: &[Method], solver: &Solver<'_>) {
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
            (Wrap::Bare | Wrap::Result, output) => *output == Kind::unit() || behind(output) == writer.kind,
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
        writer.add(law(method, is_text, &same));
    }
}

/// The law is about what fits: a part or the whole may be refused, and what was put in before that stays.
fn law(method: &Method, is_text: bool, same: &str) -> Draft {
    let part = match is_text {
        true => Kind::named("std::string::String"),
        false => Kind::generic("std::vec::Vec", [Kind::named("u8")]),
    };
    let name = &method.name;
    let calls =
        ["whole.{name}(&[&{1}[..], &{2}[..]].concat())", "parts.{name}(&{1}[..])", "parts.{name}(&{2}[..])"];
    let calls = calls.map(|call| method.unless_refused(&call.replace("{name}", name)));
    let same = calls.iter().rev().fold(same.to_string(), |rest, call| then(call, &rest));
    let condition = format!("{{ let (mut whole, mut parts) = ({{0}}.clone(), {{0}}.clone()); {same} }}");
    let reason = format!("what `{name}` is given in parts should be the same as what it is given at once");
    Draft::new(format!("{name}_in_parts_is_{name}"), reason, [condition]).given([&part, &part])
}
