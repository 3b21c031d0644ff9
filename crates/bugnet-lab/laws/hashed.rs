//! hashlink@0.12.2, fresh

use bugnet::prelude::*;
use hashlink::LinkedHashMap;

/// "Inserts the given key / value pair at the *back* of the internal linked list. Returns the previously set value, if one
/// existed prior to this call."
#[law]
fn an_inserted_pair_is_the_last(mut map: LinkedHashMap<u8, u8>, key: u8, value: u8) {
    let old = map.get(&key).copied();
    classify!(old.is_some(), "there is such a key");
    assert_eq!(map.insert(key, value), old);
    assert_eq!(map.back(), Some((&key, &value)));
}

/// "otherwise, replaces the existing value with the given value *without* moving the entry in the internal linked list and
/// returns the previous value."
#[law]
fn a_replaced_value_stays_in_its_place(mut map: LinkedHashMap<u8, u8>, at: usize, value: u8) {
    assume!(!map.is_empty());
    let mut pairs: Vec<(u8, u8)> = map.iter().map(|(key, value)| (*key, *value)).collect();
    let at = at % pairs.len();
    let (key, old) = pairs[at];
    pairs[at].1 = value;
    assert_eq!(map.replace(key, value), Some(old));
    assert!(map.iter().map(|(key, value)| (*key, *value)).eq(pairs));
}
