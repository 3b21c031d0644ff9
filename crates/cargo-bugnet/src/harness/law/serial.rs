//! Serial forms: what serde writes, it reads as the same.
//!
//! **Invariant:** nothing is asked unless a type of the crate has both traits of serde, so that crates without
//! them need no other crate.

use super::super::solver::Solver;
use super::draft::{Draft, Writer};
use super::has;
use crate::api::{Api, Assignment, Kind, Lifetimes};

/// Returns true if a block of the crate implements a trait of serde for a type.
fn is_of_serde(api: &Api, name: &str, kind: &Kind) -> bool {
    api.blocks.iter().any(|block| {
        let of = block.of.as_ref().filter(|of| of.name() == name && of.path.starts_with("serde"));
        of.is_some() && block.subject.unify(kind, &mut Assignment::new())
    })
}

/// Returns true if values of a type are written and read.
fn is_serial(api: &Api, kind: &Kind) -> bool {
    is_of_serde(api, "Serialize", kind) && is_of_serde(api, "Deserialize", kind)
}

/// Returns true if any type of a crate is written and read.
pub(in super::super) fn has_any(api: &Api) -> bool {
    let subjects = api.blocks.iter().filter(|block| block.of.is_some()).map(|block| &block.subject);
    subjects
        .filter(|kind| kind.path().is_some_and(|path| api.is_local(path)))
        .any(|kind| is_serial(api, kind))
}

/// A value that is written as JSON is read as the same value.
pub(super) fn laws(writer: &mut Writer<'_>, solver: &Solver<'_>) {
    if !has(solver, writer.kind, "std::cmp::PartialEq") || !is_serial(solver.api, writer.kind) {
        return;
    }
    let kind = writer.kind.text(Lifetimes::Inferred);
    // JSON has no form of some numbers, and writes nothing for them. What no value keeps is not meant for JSON.
    let is_same = format!("serde_json::from_str::<{kind}>(&text).ok().as_ref() == Some(one)");
    let condition = format!(
        "{{ let is_read = |one: &{kind}| one != one || serde_json::to_string(one).ok().is_none_or(|text| text.contains(\"null\") || {is_same}); is_read({{&0}}) || !is_read({{&1}}) }}"
    );
    let reason = "what `Serialize` writes should be read by `Deserialize` as the same value";
    let law = Draft::new("json_is_read", reason, [condition]).given([writer.kind]).of_manners();
    writer.add(law.unless(is_dynamic(&kind)));
}

/// The condition that a type takes anything, by itself or as an item, and does not merely pass over it: what there is
/// no JSON for, such as a letter that is no text, comes back as something else.
fn is_dynamic(kind: &str) -> String {
    let reads = format!("filter_map(|text| serde_json::from_str::<{kind}>(text).ok())");
    let all =
        [["0", r#""a""#, "[]"], ["[0]", r#"["a"]"#, "[[]]"], [r#"{"a":0}"#, r#"{"a":"a"}"#, r#"{"a":[]}"#]];
    let is_taken = "read.len() == 3 && read[0] != read[1]";
    format!(
        "{all:?}.iter().any(|texts| {{ let read: Vec<{kind}> = texts.iter().{reads}.collect(); {is_taken} }})"
    )
}
