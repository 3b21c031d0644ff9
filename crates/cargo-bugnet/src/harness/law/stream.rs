//! Streams: what a function has written to a list of bytes, another one reads from it.

use super::super::candidate::Candidate;
use super::super::outcome::{self, Wrap};
use super::super::solver::Solver;
use super::super::standard;
use super::draft::{Draft, Writer, again};
use super::inverse::inverses;
use super::{Method, Receiver, behind, bytes, called, is_compared, own, owned, usable};
use crate::api::{Bound, Function, Kind};

/// Functions of a type that write to something, and those that read it.
const METHODS: [(&str, &str); 8] = [
    ("serialize_into", "deserialize_from"),
    ("write_to", "read_from"),
    ("encode_to", "decode_from"),
    ("encode_into", "decode_from"),
    ("serialize", "deserialize"),
    ("encode", "decode"),
    ("write", "read"),
    ("save", "load"),
];

/// Modules of functions that write, and of those that read.
const MODULES: [(&str, &str); 6] = [
    ("write", "read"),
    ("encode", "decode"),
    ("ser", "de"),
    ("writer", "reader"),
    ("encoder", "decoder"),
    ("serialize", "deserialize"),
];

/// The expressions from which bytes are read.
const SOURCES: [&str; 2] = ["&bytes[..]", "&mut &bytes[..]"];

/// Laws of the functions of a type.
pub(super) fn laws(writer: &mut Writer<'_>, methods: &[Method], solver: &Solver<'_>) {
    let kind = writer.kind;
    for (write, read) in METHODS.into_iter().filter(|_| is_compared(solver, kind)) {
        let (Some(there), Some(back)) = (called(methods, write, 1), owned(methods, read, 1)) else {
            continue;
        };
        if outcome::unwrapped(&back.output).1 == kind && there.receiver != Receiver::Value {
            let put = there.unless_refused(&format!("{{0}}.{write}(&mut bytes)"));
            let reason = format!("`{read}` should read what `{write}` has written");
            let conditions = read_back(&put, &format!("{}::{read}", kind.prefix()), &back.output, kind);
            writer.add(Draft::new(format!("{read}_of_{write}"), reason, conditions));
        }
    }
}

/// Laws of free functions.
pub(super) fn of_functions(solver: &Solver<'_>) -> Vec<Candidate> {
    let mut laws = Vec::new();
    for (path, write) in usable(solver) {
        let Some((value, list)) = written(write) else { continue };
        let put = match outcome::unwrapped(&write.output).0 {
            Wrap::Result => format!("{path}({list}).is_err() ||"),
            _ => format!("{path}({list});"),
        };
        let is_exact = |read: &Function| !read.facts.adjusts && !write.facts.adjusts;
        let counterparts = usable(solver).filter(|(other, _)| is_counterpart(path, other));
        let readers = counterparts.filter(|(_, read)| reads(read, &value) && is_exact(read));
        laws.extend(readers.map(|(other, read)| {
            let reason = format!("`{}` should read what `{}` has written", read.name, write.name);
            let conditions = read_back(&put, other, &read.output, &value);
            let law = Draft::new(format!("{}_undoes", read.name), reason, conditions).drawn();
            let has_fractions = value.any(&mut standard::is_float);
            // NaN is not equal to itself.
            let law = if has_fractions { law.unless("{&0} != {&0}".to_string()) } else { law };
            law.written(&value, own(solver, path))
        }));
    }
    laws
}

/// Returns true if a function reads by its name what another one writes: both are in one module, or their modules
/// are counterparts.
fn is_counterpart(write: &str, read: &str) -> bool {
    let (Some((module, name)), Some((other, back))) = (write.rsplit_once("::"), read.rsplit_once("::"))
    else {
        return false;
    };
    let is_named = inverses(name).any(|undoing| undoing == back);
    let is_beside = || other_modules(module).iter().any(|known| known == other);
    module == other && is_named || (is_named || back == name) && is_beside()
}

/// Returns true if a function gives values of a type, alone or with something beside.
fn reads(read: &Function, value: &Kind) -> bool {
    let made = outcome::unwrapped(&read.output).1;
    let is_first = matches!(made, Kind::Tuple(parts) if parts.first() == Some(value));
    read.inputs.len() == 1 && (made == value || is_first)
}

/// Returns the type that a function writes, and its call with that and a list of bytes; none if it is not one that
/// writes.
fn written(function: &Function) -> Option<(Kind, String)> {
    let is_out = |kind: &Kind| {
        let is_write = |bound: &Bound| matches!(bound.path.as_str(), "std::io::Write" | "bytes::BufMut");
        match behind(kind) {
            Kind::Parameter(name) => function.generics.of(name).any(is_write),
            Kind::Opaque(bounds) | Kind::Dynamic(bounds) => bounds.iter().any(is_write),
            of => matches!(kind, Kind::Reference { mutable: true, .. }) && *of == bytes(),
        }
    };
    let [(_, first), (_, second)] = &function.inputs[..] else { return None };
    let value = match (is_out(first), is_out(second)) {
        (true, false) => second,
        (false, true) => first,
        _ => return None,
    };
    let owned = match behind(value) {
        kind if kind.is("str") => Kind::named("std::string::String"),
        Kind::Slice(of) => Kind::generic("std::vec::Vec", [(**of).clone()]),
        kind => kind.clone(),
    };
    let given = match value {
        Kind::Reference { .. } => "{&0}".to_string(),
        _ => again(0, &owned),
    };
    let list = if value == second { format!("&mut bytes, {given}") } else { format!("{given}, &mut bytes") };
    standard::is_drawn(&owned).then_some((owned, list))
}

/// The modules that undo what one does, by their names.
fn other_modules(module: &str) -> Vec<String> {
    let parts: Vec<&str> = module.split("::").collect();
    let other = |(place, part): (usize, &&str)| {
        let (_, other) = MODULES.iter().find(|(known, _)| known == part)?;
        let mut parts = parts.clone();
        parts[place] = other;
        Some(parts.join("::"))
    };
    parts.iter().enumerate().filter_map(other).collect()
}

/// Ways to say that a function reads the value that was put to `bytes`.
fn read_back(put: &str, read: &str, output: &Kind, kind: &Kind) -> [String; 2] {
    let value = again(0, kind);
    let (wrap, made) = outcome::unwrapped(output);
    // A reader may also return the number of bytes that it read.
    let part = if matches!(made, Kind::Tuple(_)) && made != kind { ".0" } else { "" };
    let after = match wrap {
        Wrap::Bare => format!("{part} == {value}"),
        Wrap::Option => format!(".is_some_and(|new| new{part} == {value})"),
        _ => format!(".is_ok_and(|new| new{part} == {value})"),
    };
    SOURCES.map(|from| format!("{{ let mut bytes = Vec::<u8>::new(); {put} {read}({from}){after} }}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_module_writes_another_reads() {
        assert_eq!(other_modules("leb::write::long"), ["leb::read::long"]);
        assert!(other_modules("leb::rewrite").is_empty());
        assert!(is_counterpart("leb::write::long", "leb::read::long"));
        assert!(is_counterpart("leb::write_long", "leb::read_long"));
        assert!(!is_counterpart("leb::write::long", "leb::write::long"));
        assert!(!is_counterpart("leb::write::long", "leb::read::short"));
    }

    #[test]
    fn what_comes_with_its_length_is_read_too() {
        let number = Kind::named("u64");
        let output =
            Kind::generic("std::option::Option", [Kind::Tuple(vec![number.clone(), Kind::named("usize")])]);
        let ways = read_back("put(&mut bytes, {0});", "take", &output, &number);
        assert_eq!(
            ways[0],
            "{ let mut bytes = Vec::<u8>::new(); put(&mut bytes, {0}); take(&bytes[..]).is_some_and(|new| new.0 == {0}) }"
        );
    }
}
