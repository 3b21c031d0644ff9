//! slab@0.4.12, tuned on

use bugnet::prelude::*;
use slab::Slab;

/// "Insert a value in the slab, returning key assigned to the value."
#[law]
fn a_value_is_found_under_its_key(mut slab: Slab<u8>, value: u8) {
    let key = slab.insert(value);
    assert_eq!(slab.get(key), Some(&value));
}

/// "Remove and return the value associated with the given key. The key is then released and may be associated with future
/// stored values."
#[law]
fn a_released_key_is_given_again(mut slab: Slab<u8>, key: usize, value: u8) {
    assume!(slab.contains(key));
    slab.remove(key);
    assert!(!slab.contains(key));
    assert_eq!(slab.insert(value), key);
}
