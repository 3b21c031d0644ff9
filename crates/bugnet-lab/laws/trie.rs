//! patricia_tree@0.10.2, tuned on

use bugnet::prelude::*;
use patricia_tree::PatriciaMap;

/// "Splits the map into two at the given prefix. The returned map contains all the entries of which keys are prefixed by
/// `prefix`."
#[law]
fn splitting_takes_what_has_the_prefix(mut map: PatriciaMap<u8>, prefix: &[u8]) {
    let all: Vec<(Vec<u8>, u8)> = map.iter().map(|(key, value)| (key, *value)).collect();
    let split = map.split_by_prefix(prefix);
    classify!(split.len() > 0 && map.len() > 0, "both have some");
    let (inside, outside): (Vec<_>, Vec<_>) = all.into_iter().partition(|(key, _)| key.starts_with(prefix));
    assert!(split.iter().map(|(key, value)| (key, *value)).eq(inside));
    assert!(map.iter().map(|(key, value)| (key, *value)).eq(outside));
}

/// "Removes a key from this map, returning the value at the key if the key was previously in it."
#[law]
fn a_removed_key_is_gone_and_no_other(mut map: PatriciaMap<u8>, at: usize) {
    assume!(map.len() > 0);
    let keys: Vec<Vec<u8>> = map.keys().collect();
    let key = &keys[at % keys.len()];
    let value = map.get(key).copied();
    assert_eq!(map.remove(key), value);
    assert!(map.get(key).is_none());
    assert!(map.keys().eq(keys.iter().filter(|other| *other != key).cloned()));
}
