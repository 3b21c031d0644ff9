//! tinyvec@1.13.3, fresh

use bugnet::prelude::*;
use tinyvec::ArrayVec;

/// "Splits the collection at the point given. `[0, at)` stays in this vec, `[at, len)` ends up in the new vec."
#[law]
fn splitting_divides_at_the_point(mut list: ArrayVec<[u8; 8]>, at: usize) {
    assume!(at <= list.len());
    let all = list.to_vec();
    let rest = list.split_off(at);
    classify!(!list.is_empty() && !rest.is_empty(), "both sides");
    assert_eq!((list.as_slice(), rest.as_slice()), (&all[..at], &all[at..]));
}

/// "Inserts an item at the position given, moving all following elements +1 index."
#[law]
fn inserting_moves_what_follows(mut list: ArrayVec<[u8; 8]>, at: usize, value: u8) {
    assume!(at <= list.len() && list.len() < list.capacity());
    let mut all = list.to_vec();
    list.insert(at, value);
    all.insert(at, value);
    assert_eq!(list.to_vec(), all);
}
