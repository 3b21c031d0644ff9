//! stable-vec@0.4.3, fresh

use bugnet::prelude::*;
use stable_vec::StableVec;

/// "Inserts the new element `elem` at index `self.next_push_index` and returns said index. The inserted element will always be
/// accessible via the returned index."
#[law]
fn a_pushed_element_is_found_at_its_index(mut list: StableVec<u8>, value: u8) {
    let next = list.next_push_index();
    assert_eq!(list.push(value), next);
    assert_eq!((list.get(next), list.next_push_index()), (Some(&value), next + 1));
}

/// "This simply marks the slot at `index` as empty. The elements after the given index are **not** shifted to the left."
#[law]
fn removing_shifts_nothing(mut list: StableVec<u8>, at: usize) {
    assume!(at < list.capacity());
    let others: Vec<(usize, u8)> =
        list.iter().map(|(index, value)| (index, *value)).filter(|(index, _)| *index != at).collect();
    let old = list.get(at).copied();
    classify!(old.is_some(), "there is an element");
    assert_eq!(list.remove(at), old);
    assert!(list.iter().map(|(index, value)| (index, *value)).eq(others));
}
