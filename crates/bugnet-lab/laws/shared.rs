//! imbl@7.0.2, fresh

use bugnet::prelude::*;
use imbl::Vector;

/// "Split a vector at a given index, consuming the vector and returning a pair of the left hand side and the right hand side of
/// the split."
#[law]
fn the_sides_of_a_split_are_the_whole(list: Vector<u8>, at: usize) {
    let all: Vec<u8> = list.iter().copied().collect();
    let at = at % (all.len() + 1);
    classify!(all.len() > 64, "more than a chunk");
    let (left, right) = list.split_at(at);
    assert!(left.iter().eq(&all[..at]) && right.iter().eq(&all[at..]));
}

/// "Insert an element at position `index`, shifting all elements after it to the right."
#[law]
fn inserting_shifts_what_is_after_it(mut list: Vector<u8>, at: usize, value: u8) {
    let mut all: Vec<u8> = list.iter().copied().collect();
    let at = at % (all.len() + 1);
    list.insert(at, value);
    all.insert(at, value);
    assert!(list.iter().eq(&all));
}
