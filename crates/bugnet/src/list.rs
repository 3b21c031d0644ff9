//! Lists: filling, searching and sorting them at little cost to those who compile the library.
//!
//! Whoever tests with the library compiles it, without optimization and often from nothing. What the standard
//! library does to be fast costs then: its sort is 5,000 lines of intermediate code for each type and
//! comparison, and `collect` is 700 for each chain of iterators. These are 300 and 100.

use std::cmp::Ordering;

/// Iterators that become lists, where speed does not matter.
pub(crate) trait Listed: Iterator + Sized {
    /// Collects the items into a list, as `collect` does.
    #[expect(clippy::while_let_on_iterator, reason = "`for` is a quarter more code, for each iterator")]
    fn listed(mut self) -> Vec<Self::Item> {
        let mut list = Vec::with_capacity(self.size_hint().0);
        while let Some(item) = self.next() {
            list.push(item);
        }
        list
    }
}

impl<I: Iterator> Listed for I {}

/// Returns what items become, as a list.
pub(crate) fn mapped<T, U>(items: &[T], mut become_of: impl FnMut(&T) -> U) -> Vec<U> {
    let mut list = Vec::with_capacity(items.len());
    for item in items {
        list.push(become_of(item));
    }
    list
}

/// Returns the numbers below a count that are wanted.
pub(crate) fn numbers(count: usize, is_wanted: &dyn Fn(usize) -> bool) -> Vec<usize> {
    let mut list = Vec::new();
    for number in 0..count {
        if is_wanted(number) {
            list.push(number);
        }
    }
    list
}

/// Returns the first place of an item in a list.
pub(crate) fn place_of<T: PartialEq>(items: &[T], item: &T) -> Option<usize> {
    for (place, other) in items.iter().enumerate() {
        if other == item {
            return Some(place);
        }
    }
    None
}

/// Sorts; what is equal keeps its order.
pub(crate) fn sort<T>(items: &mut [T], compare: &dyn Fn(&T, &T) -> Ordering) {
    let order = ranked(items.len(), &|one, another| compare(&items[one], &items[another]));
    for place in 0..items.len() {
        let mut from = order[place];
        // What was at an earlier place was swapped to where the item of that place came from.
        while from < place {
            from = order[from];
        }
        items.swap(place, from);
    }
}

/// The numbers below `count` in order: sorted runs are merged, two at a time, until there is one.
fn ranked(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut length = 1;
    while length < count {
        let mut merged = Vec::with_capacity(count);
        for start in (0..count).step_by(2 * length) {
            let (middle, end) = ((start + length).min(count), (start + 2 * length).min(count));
            let (mut one, mut another) = (start, middle);
            while one < middle || another < end {
                let takes_first = another == end
                    || (one < middle && compare(order[one], order[another]) != Ordering::Greater);
                let taken = if takes_first { &mut one } else { &mut another };
                merged.push(order[*taken]);
                *taken += 1;
            }
        }
        order = merged;
        length *= 2;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn sorts_as_the_standard_library_does() {
        check(vec_of((0..8u8, any::<u16>())), |mut items: Vec<(u8, u16)>| {
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            sort(&mut items, &|one, another| one.0.cmp(&another.0));
            assert_eq!(items, expected);
        })
        .unwrap();
    }
}
