//! Views: the functions that tell what is in a collection agree with each other.

use super::super::solver::Solver;
use super::super::standard;
use super::draft::{Draft, Writer};
use super::{Method, behind, called};
use crate::api::{Bound, Kind};

/// Functions that look at the same from two sides.
struct View {
    name: &'static str,
    reason: &'static str,
    /// Functions that the type must have, and that take nothing but the value.
    needs: &'static [&'static str],
    /// Functions that it must have too, and that take a place.
    at: &'static [&'static str],
    /// The condition.
    agrees: &'static str,
}

/// Laws of all collections. One that is too long is not followed to its end.
const VIEWS: [View; 11] = [
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
    View {
        name: "into_iter_is_iter",
        reason: "a collection that is used up yields as many items as one that is only looked at",
        needs: &["iter"],
        at: &[],
        agrees: "{0}.iter().nth(1_000).is_some() || {0}.clone().into_iter().count() == {0}.iter().count()",
    },
    View {
        name: "peek_is_pop",
        reason: "`peek` shows what `pop` takes next",
        needs: &["peek", "pop"],
        at: &[],
        agrees: "{ let mut one = {0}.clone(); {0}.peek().cloned() == one.pop() }",
    },
];

/// A value shows the same in every way that it can be looked at.
pub(super) fn laws(writer: &mut Writer<'_>, methods: &[Method], solver: &Solver<'_>) {
    let has = |name: &&str| called(methods, name, 0).is_some();
    let place = Kind::named("usize");
    let has_at = |name: &&str| called(methods, name, 1).is_some_and(|method| method.inputs[0] == place);
    for view in VIEWS.iter().filter(|view| view.needs.iter().all(has) && view.at.iter().all(has_at)) {
        if view.name == "into_iter_is_iter" && yields_others(writer.kind, methods, solver) {
            continue;
        }
        writer.add(Draft::new(view.name, view.reason, [view.agrees.to_string()]));
    }
    keyed(writer, methods);
}

/// Returns true if a collection that is used up yields items of another type than `iter` does, such as each item with its
/// number: it then need not yield as many.
fn yields_others(kind: &Kind, methods: &[Method], solver: &Solver<'_>) -> bool {
    let item = |of: &Kind, path: &str| solver.associated(of, &Bound::named(path), "Item");
    let seen = called(methods, "iter", 0).and_then(|iter| match &iter.output {
        Kind::Opaque(bounds) => bounds.iter().find_map(|bound| bound.binding("Item")).cloned(),
        output => item(output, "std::iter::Iterator"),
    });
    match (item(kind, "std::iter::IntoIterator"), seen) {
        (Some(used), Some(seen)) => !is_alike(&used, &seen),
        _ => false,
    }
}

/// Returns true if two types are the same but for references, in tuples too.
fn is_alike(one: &Kind, other: &Kind) -> bool {
    match (behind(one), behind(other)) {
        (Kind::Tuple(ones), Kind::Tuple(others)) => {
            ones.len() == others.len() && ones.iter().zip(others).all(|(one, other)| is_alike(one, other))
        }
        (one, other) => one == other,
    }
}

/// Everything that asks for a key finds the same there.
fn keyed(writer: &mut Writer<'_>, methods: &[Method]) {
    let Some(get) = called(methods, "get", 1) else { return };
    // A function that takes whatever its key lends says nothing of its type; what puts a key in does.
    let key = [called(methods, "insert", 2).map(|insert| &insert.inputs[0]), Some(behind(&get.inputs[0]))];
    let Some(key) = key.into_iter().flatten().find(|key| standard::is_drawn(key)) else { return };
    if called(methods, "contains_key", 1).is_some() {
        let ways =
            ["&{1}", "{1}"].map(|key| format!("{{0}}.contains_key({key}) == {{0}}.get({key}).is_some()"));
        let reason = "what has a value at a key contains the key";
        writer.add(Draft::new("contains_key_is_get", reason, ways).given([key]));
    }
    if called(methods, "get_mut", 1).is_some() {
        let ways = ["&{1}", "{1}"].map(|key| {
            format!("{{ let mut one = {{0}}.clone(); one.get_mut({key}).map(|item| item.clone()) == {{0}}.get({key}).cloned() }}")
        });
        let reason = "what can be changed at a key is what is got there";
        writer.add(Draft::new("get_mut_is_get", reason, ways).given([key]));
    }
}
