//! linked-hash-map@0.5.6, tuned on

use bugnet::prelude::*;
use linked_hash_map::LinkedHashMap;

/// "Inserts a key-value pair into the map. If the key already existed, the old value is returned."
#[law]
fn inserting_returns_the_old_value(mut map: LinkedHashMap<u8, u8>, key: u8, value: u8) {
    let old = map.get(&key).copied();
    classify!(old.is_some(), "there is such a key");
    assert_eq!(map.insert(key, value), old);
    assert_eq!(map.get(&key), Some(&value));
}

/// "Returns the value corresponding to the key in the map. If value is found, it is moved to the end of the list."
#[law]
fn a_refreshed_key_is_the_last(mut map: LinkedHashMap<u8, u8>, key: u8) {
    let mut keys: Vec<u8> = map.keys().copied().collect();
    assume!(keys.contains(&key));
    map.get_refresh(&key);
    keys.retain(|known| *known != key);
    keys.push(key);
    assert!(map.keys().copied().eq(keys));
}
