//! Laws of the crate in `tests/fixtures/laws`, whose types have every law that follows from names.

use super::super::candidate::{Candidate, Origin};
use super::super::generator::Generator;
use super::super::solver::Solver;
use super::{Names, serial};
use crate::api::tests::read;
use crate::api::{Block, Bound, Kind};
use std::collections::BTreeSet;

fn laws() -> Vec<Candidate> {
    let api = read("laws");
    let all = Generator::propose(&Solver::new(&api)).candidates;
    all.into_iter().filter(|candidate| candidate.origin == Origin::Law).collect()
}

#[test]
fn every_law_says_why_it_should_hold() {
    for law in laws() {
        let promise = law.facts.promise.unwrap_or_else(|| panic!("{} has no reason", law.name));
        assert!(
            promise.reason.len() > 20 && (50..=90).contains(&promise.sureness),
            "{}: {promise:?}",
            law.name
        );
    }
}

#[test]
fn laws_follow_from_names_and_types() {
    let names: BTreeSet<String> = laws().into_iter().map(|law| law.name).collect();
    let expected = [
        "set_is_got(level) of broken::Gauge",
        "set_is_got(mode) of broken::Gauge",
        "set_is_got(speed) of broken::Gauge",
        "set_is_got(wide) of broken::Gauge",
        "set_is_got(loud) of broken::Gauge",
        "set_is_got(scale) of broken::Gauge",
        "from_bytes_of_to_bytes of broken::Packet",
        "unpack_of_pack of broken::Packet",
        "read_from_of_write_to of broken::Packet",
        "encode_is_alike_behind of broken::Packet",
        "decode_undoes of kept::encode",
        "decode_undoes of broken::encode",
        "from_text_undoes of format::broken::to_text::<String>",
        "from_text_undoes of format::broken::to_text::<i64>",
        "parse_reads_display of format::broken::Note",
        "from_str_reads_display of format::broken::Level",
        "long_undoes of format::broken::write::long",
        "set_is_got(level) of kept::Gauge",
        "from_u8_is_undone of broken::Code",
        "to_hm_is_told_again of broken::Hour",
        "into_string_is_undone of broken::Code",
        "into_clear_settles of broken::Opaque",
        "zero_minus_is_neg of broken::Amount",
        "checked_add_is_add of broken::Amount",
        "checked_add_is_saturating_add of broken::Amount",
        "push_is_popped of broken::Row",
        "try_push_is_push of broken::Row",
        "get_is_nth of broken::Row",
        "set_is_got(value) of broken::Row",
        "contained_is_an_item of broken::Row",
        "truncate_is_short of broken::Row",
        "split_off_splits of broken::Row",
        "reverse_undoes_reverse of broken::Row",
        "sort_sorts of broken::Row",
        "remove_is_not_contained of broken::Bag",
        "remove_is_not_got of broken::Table",
        "insert_is_got of broken::Frozen",
        "contains_key_is_get of broken::Table",
        "get_mut_is_get of broken::Table",
        "peek_is_pop of broken::Heap",
        "into_iter_is_iter of broken::Heap",
        "describe_to_is_describe of broken::Packet",
        "remove_is_not_got of broken::Frozen",
        "update_in_parts_is_update of broken::Checksum",
        "push_str_in_parts_is_push_str of broken::Label",
        "try_push_refuses_cleanly of broken::Row",
        "try_fill_refuses_cleanly of broken::Tank",
    ];
    for law in expected {
        assert!(names.contains(&format!("law {law}")), "{law} is not among {names:#?}");
    }
    // It gives gauges that have the range, and does not change its own.
    assert!(!names.contains("law set_is_got(range) of broken::Gauge"), "{names:#?}");
    // It gets the first number of a key, and not the last.
    assert!(!names.contains("law insert_is_got of kept::Lists"), "{names:#?}");
    assert!(names.contains("law insert_is_got of kept::Table"), "{names:#?}");
    // What it yields when it is used up are other items than those that `iter` yields.
    assert!(!names.contains("law into_iter_is_iter of kept::Lists"), "{names:#?}");
    // Its documentation says that it takes no other volume.
    assert!(!names.contains("law set_is_got(volume) of broken::Gauge"), "{names:#?}");
}

#[test]
fn what_one_of_the_calls_refuses_is_not_compared() {
    let all = laws();
    let written = |name: &str| {
        let law =
            all.iter().find(|law| law.name == format!("law {name}")).unwrap_or_else(|| panic!("{name}"));
        law.variants[0].template.clone()
    };
    assert_eq!(
        written("push_str_in_parts_is_push_str of kept::Label"),
        "assert!({ let (mut whole, mut parts) = ({0}.clone(), {0}.clone()); \
         whole.push_str(&[&{1}[..], &{2}[..]].concat()).is_err() || \
         { parts.push_str(&{1}[..]).is_err() || { parts.push_str(&{2}[..]).is_err() || { whole == parts } } } })"
    );
    // What cannot refuse is compared as it is.
    assert_eq!(
        written("update_in_parts_is_update of kept::Checksum"),
        "assert!({ let (mut whole, mut parts) = ({0}.clone(), {0}.clone()); \
         whole.update(&[&{1}[..], &{2}[..]].concat()); parts.update(&{1}[..]); parts.update(&{2}[..]); \
         whole.finalize() == parts.finalize() })"
    );
}

#[test]
fn types_of_one_name_are_told_apart_by_their_modules() {
    let kinds = ["a::b::Set", "a::c::Set", "a::b::Map"].map(Kind::named);
    let names = Names::of(kinds.iter(), "a");
    assert_eq!(kinds.each_ref().map(|kind| names.name(kind)), ["b::Set", "c::Set", "Map"]);
}

#[test]
fn what_serde_writes_is_read_if_a_type_has_both_traits() {
    let subject = Kind::named("laws::kept::Code");
    let of = |name: &str| Some(Bound::named(name));
    let block = |name: &str| Block { of: of(name), ..read("laws").blocks[0].clone() };
    let mut api = read("laws");
    let with = |name: &str| Block { subject: subject.clone(), functions: Vec::new(), ..block(name) };
    api.blocks.push(with("serde_core::ser::Serialize"));
    assert!(!serial::has_any(&api));
    api.blocks.push(with("serde_core::de::Deserialize"));
    assert!(serial::has_any(&api));
    let all = Generator::propose(&Solver::new(&api)).candidates;
    let laws: Vec<&str> =
        all.iter().map(|law| law.name.as_str()).filter(|name| name.contains("json_is_read")).collect();
    assert_eq!(laws, ["law json_is_read of kept::Code"]);
}
