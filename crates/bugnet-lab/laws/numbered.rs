//! vec_map@0.8.2, tuned on

use bugnet::prelude::*;
use vec_map::VecMap;

/// "Moves all elements from `other` into the map while overwriting existing keys."
#[law]
fn appending_moves_and_overwrites(mut map: VecMap<u8>, mut other: VecMap<u8>, key: usize) {
    let expected = other.get(key).or(map.get(key)).copied();
    map.append(&mut other);
    assert_eq!(map.get(key).copied(), expected);
    assert!(other.is_empty());
}

/// "Splits the collection into two at the given key. Returns a newly allocated `Self`. `self` contains elements `[0, at)`, and
/// the returned `Self` contains elements `[at, max_key)`."
#[law]
fn splitting_divides_by_key(mut map: VecMap<u8>, at: usize) {
    let length = map.len();
    let right = map.split_off(at);
    classify!(!map.is_empty() && !right.is_empty(), "both sides");
    assert!(map.keys().all(|key| key < at) && right.keys().all(|key| key >= at));
    assert_eq!(map.len() + right.len(), length);
}
