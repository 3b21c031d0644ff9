//! indexmap@2.14.2, tuned on

use bugnet::prelude::*;
use indexmap::IndexMap;

/// "Like [`Vec::swap_remove`], the pair is removed by swapping it with the last element of the map and popping it off."
#[law]
fn the_last_takes_the_place_of_the_removed(mut map: IndexMap<u8, u8>, key: u8) {
    let mut pairs: Vec<(u8, u8)> = map.iter().map(|(key, value)| (*key, *value)).collect();
    assume!(pairs.iter().any(|(known, _)| *known == key));
    let place = pairs.iter().position(|(known, _)| *known == key).unwrap();
    let removed = pairs.swap_remove(place).1;
    assert_eq!(map.swap_remove(&key), Some(removed));
    assert!(map.iter().map(|(key, value)| (*key, *value)).eq(pairs));
}

/// "Like [`Vec::remove`], the pair is removed by shifting all of the elements that follow it, preserving their relative
/// order."
#[law]
fn the_others_keep_their_order(mut map: IndexMap<u8, u8>, key: u8) {
    let others: Vec<u8> = map.keys().copied().filter(|known| *known != key).collect();
    map.shift_remove(&key);
    assert!(map.keys().copied().eq(others));
}
