//! slotmap@1.1.1, tuned on

use bugnet::prelude::*;
use slotmap::{DefaultKey, SlotMap};

/// "Inserts a value into the slot map. Returns a unique key that can be used to access this value."
#[law]
fn a_key_is_unique_and_finds_its_value(mut map: SlotMap<DefaultKey, u8>, value: u8) {
    let known: Vec<DefaultKey> = map.keys().collect();
    let key = map.insert(value);
    assert!(!known.contains(&key));
    assert_eq!(map.get(key), Some(&value));
}

/// "Removes a key from the slot map, returning the value at the key if the key was not previously removed."
#[law]
fn a_removed_key_finds_nothing(mut map: SlotMap<DefaultKey, u8>, key: DefaultKey) {
    let value = map.get(key).copied();
    classify!(value.is_some(), "there is such a key");
    assert_eq!(map.remove(key), value);
    assert_eq!((map.get(key).copied(), map.remove(key)), (None, None));
}
