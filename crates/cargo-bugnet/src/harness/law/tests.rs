//! What is asked of the crate in `tests/fixtures/laws`, whose types have every law that follows from names.

use super::super::candidate::{Candidate, Origin};
use super::super::generator::Generator;
use super::super::solver::Solver;
use crate::api::tests::read;
use std::collections::BTreeSet;

fn laws() -> Vec<Candidate> {
    let api = read("laws");
    let all = Generator::propose(&Solver::new(&api)).candidates;
    all.into_iter().filter(|candidate| candidate.origin == Origin::Law).collect()
}

#[test]
fn every_law_says_why_it_should_hold() {
    for law in laws() {
        let promise = law.promise.unwrap_or_else(|| panic!("{} has no reason", law.name));
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
        "set_is_got(level) of Gauge",
        "set_is_got(mode) of Gauge",
        "set_is_got(speed) of Gauge",
        "set_is_got(wide) of Gauge",
        "set_is_got(loud) of Gauge",
        "set_is_got(scale) of Gauge",
        "from_bytes_of_to_bytes of Packet",
        "unpack_of_pack of Packet",
        "read_from_of_write_to of Packet",
        "decode_undoes of kept::encode",
        "decode_undoes of broken::encode",
        // There are two types of each name.
        "set_is_got(level) of kept::Gauge",
        "from_u8_is_undone of Code",
        "into_string_is_undone of Code",
        "into_clear_settles of Opaque",
        "zero_minus_is_neg of Amount",
        "checked_add_is_add of Amount",
        "checked_add_is_saturating_add of Amount",
        "push_is_popped of Row",
        "get_is_nth of Row",
        "contained_is_an_item of Row",
        "truncate_is_short of Row",
        "split_off_splits of Row",
        "reverse_undoes_reverse of Row",
        "sort_sorts of Row",
        "remove_is_not_contained of Bag",
        "remove_is_not_got of Table",
        "update_in_parts_is_update of Checksum",
    ];
    for law in expected {
        assert!(names.contains(&format!("law {law}")), "{law} is not among {names:#?}");
    }
    // Its documentation says that it takes no other volume.
    assert!(!names.contains("law set_is_got(volume) of Gauge"), "{names:#?}");
}
