//! iset@0.3.3, tuned on

use bugnet::prelude::*;
use iset::IntervalMap;

/// "`out.start` is the minimal start of all intervals in the map, and `out.end` is the maximal end of all intervals in the
/// map."
#[law]
fn the_range_reaches_from_the_first_start_to_the_last_end(map: &IntervalMap<u8, u8>) {
    let starts = map.iter(..).map(|(interval, _)| interval.start).min();
    let ends = map.iter(..).map(|(interval, _)| interval.end).max();
    classify!(map.len() > 2, "more than two");
    assert_eq!(map.range(), starts.zip(ends).map(|(start, end)| start..end));
}

/// "Checks, if the query overlaps any intervals in the interval map. Equivalent to `map.iter(query).next().is_some()`, but
/// much faster."
#[law]
fn an_overlap_is_what_the_iterator_finds(map: &IntervalMap<u8, u8>, start: u8, end: u8) {
    assume!(start < end);
    let is_found = map.iter(start..end).next().is_some();
    classify!(is_found, "overlaps");
    assert_eq!(map.has_overlap(start..end), is_found);
}
