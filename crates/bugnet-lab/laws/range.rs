//! rangemap@1.8.0, tuned on

use bugnet::prelude::*;
use rangemap::RangeMap;
use std::ops::Range;

/// "If the inserted range partially or completely overlaps any existing range in the map, then the existing range (or
/// ranges) will be partially or completely replaced by the inserted range."
#[law]
fn an_inserted_range_replaces_what_it_overlaps(
    mut map: RangeMap<u8, u8>,
    range: Range<u8>,
    value: u8,
    at: u8,
) {
    assume!(range.start < range.end);
    let before = map.get(&at).copied();
    classify!(before.is_some() && range.contains(&at), "overlaps");
    map.insert(range.clone(), value);
    assert_eq!(map.get(&at).copied(), if range.contains(&at) { Some(value) } else { before });
}

/// "If the range to be removed _partially_ overlaps any ranges in the map, then those ranges will be contracted to no longer
/// cover the removed range."
#[law]
fn a_removed_range_is_not_covered(mut map: RangeMap<u8, u8>, range: Range<u8>, at: u8) {
    assume!(range.start < range.end);
    let before = map.get(&at).copied();
    map.remove(range.clone());
    assert_eq!(map.get(&at).copied(), if range.contains(&at) { None } else { before });
}
