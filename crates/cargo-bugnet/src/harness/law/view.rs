//! Views: the functions that tell what is in a collection agree with each other.

use super::draft::{Draft, Writer};
use super::{Method, called};
use crate::api::Kind;

/// Functions that look at the same from two sides.
struct View {
    name: &'static str,
    reason: &'static str,
    /// What the type must have: names of functions that take nothing but the value.
    needs: &'static [&'static str],
    /// What else it must have: names of functions that take a place.
    at: &'static [&'static str],
    /// The condition.
    agrees: &'static str,
}

/// What is asked of all collections. One that is too long is not followed to its end.
const VIEWS: [View; 9] = [
    View {
        name: "len_is_count",
        reason: "the length must be the number of items",
        needs: &["len", "iter"],
        at: &[],
        agrees: "{0}.iter().nth(1_000).is_some() || {0}.len() == {0}.iter().count()",
    },
    View {
        name: "is_empty_is_len_0",
        reason: "what is empty has the length zero, and nothing else has",
        needs: &["is_empty", "len"],
        at: &[],
        agrees: "{0}.is_empty() == ({0}.len() == 0)",
    },
    View {
        name: "first_is_get_0",
        reason: "the first item is that at zero",
        needs: &["first"],
        at: &["get"],
        agrees: "{0}.first() == {0}.get(0)",
    },
    View {
        name: "last_is_get_len",
        reason: "the last item is that before the length",
        needs: &["last", "len"],
        at: &["get"],
        agrees: "{0}.len() == 0 || {0}.last() == {0}.get({0}.len() - 1)",
    },
    View {
        name: "first_is_next",
        reason: "the first item is the first one that `iter` yields",
        needs: &["first", "iter"],
        at: &[],
        agrees: "{0}.first() == {0}.iter().next()",
    },
    View {
        name: "last_is_end",
        reason: "the last item is the last one that `iter` yields",
        needs: &["last", "iter"],
        at: &[],
        agrees: "{0}.iter().nth(1_000).is_some() || {0}.last() == {0}.iter().last()",
    },
    View {
        name: "get_is_nth",
        reason: "the item at a place is the one that `iter` yields there",
        needs: &["first", "iter"],
        at: &["get"],
        agrees: "{0}.iter().take(100).enumerate().all(|(place, item)| {0}.get(place) == Some(item))",
    },
    View {
        name: "min_is_least",
        reason: "the least item is the least one that `iter` yields",
        needs: &["min", "iter"],
        at: &[],
        agrees: "{0}.iter().nth(1_000).is_some() || {0}.min() == {0}.iter().min()",
    },
    View {
        name: "max_is_most",
        reason: "the greatest item is the greatest one that `iter` yields",
        needs: &["max", "iter"],
        at: &[],
        agrees: "{0}.iter().nth(1_000).is_some() || {0}.max() == {0}.iter().max()",
    },
];

/// What a value shows in one way, it shows in all.
pub(super) fn laws(writer: &mut Writer<'_>, methods: &[Method]) {
    let has = |name: &&str| called(methods, name, 0).is_some();
    let place = Kind::named("usize");
    let has_at = |name: &&str| called(methods, name, 1).is_some_and(|method| method.inputs[0] == place);
    for view in VIEWS.iter().filter(|view| view.needs.iter().all(has) && view.at.iter().all(has_at)) {
        writer.add(Draft::new(view.name, view.reason, [view.agrees.to_string()]));
    }
}
