//! The page on how the search works.

use bugnet::prelude::*;

#[property]
fn every_byte_is_tried(byte: u8) {
    assert_eq!(byte.reverse_bits().reverse_bits(), byte);
}

#[property]
fn small_lists_are_all_tried(list: Vec<bool>) {
    let mut twice = list.clone();
    twice.reverse();
    twice.reverse();
    assert_eq!(twice, list);
}

#[property(strategies = exhaustive, depth = 4)]
fn all_lists_up_to_a_depth(list: Vec<bool>) {
    assert!(list.len() <= 4);
}

#[property(strategies = random)]
fn random_lists_only(list: Vec<bool>) {
    assert!(list.len() < 1_000_000);
}

/// Few random lists are sorted: here the search varies those that are.
#[property]
fn searching_finds_what_is_there(list: Vec<u16>, wanted: u16) {
    assume!(list.is_sorted());
    classify!(list.len() > 4, "long");
    let found = list.binary_search(&wanted).is_ok();
    assert_eq!(found, list.contains(&wanted));
}
