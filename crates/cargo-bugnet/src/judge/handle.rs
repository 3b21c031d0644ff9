//! Handles: values that stand for a part of another value, such as the index of a node or a walk through a
//! graph.
//!
//! A handle means something to what it was got from and to nothing else, so a program that uses it with
//! something else has asked for what it gets.
//!
//! **Invariant:** a value is a handle by the name of its variable, which is that of its type.

use super::rule::Step;
use std::collections::BTreeSet;

/// Endings of the names of handles; a value has the name of its type.
const ENDINGS: [&str; 15] = [
    "index", "id", "idx", "ix", "key", "handle", "token", "cursor", "position", "walker", "walk", "dfs",
    "bfs", "topo", "order",
];

/// The first handle in a program that is used with something that it does not come from.
pub(crate) fn foreign<'a>(program: &[Step<'a>]) -> Option<&'a str> {
    // The calls whose results each call was made with, however far back.
    let mut origins: Vec<BTreeSet<usize>> = Vec::new();
    // For each call, true if it has made a handle.
    let mut handles: Vec<bool> = Vec::new();
    for (place, step) in program.iter().enumerate() {
        let used: Vec<usize> = step.call.uses().filter(|call| *call < place).collect();
        let others: Vec<usize> = used.iter().copied().filter(|call| !handles[*call]).collect();
        let fits = |handle: usize| {
            let home = &origins[handle];
            let is_home = |other: &usize| home.contains(other) || !home.is_disjoint(&origins[*other]);
            others.is_empty() || others.iter().any(is_home)
        };
        // A value whose fields are written out has its key by that.
        let foreign = used.iter().find(|call| handles[**call] && !fits(**call));
        if let Some(handle) = foreign.filter(|_| !step.facts.fields) {
            return program[*handle].call.binding.as_ref().map(|binding| binding.name.as_str());
        }
        // A value that is made of nothing but handles is a handle, whatever its name.
        let is_made_of_handles = !used.is_empty() && others.is_empty();
        let name = step.call.binding.as_ref().map(|binding| binding.name.as_str());
        handles.push(is_made_of_handles || name.is_some_and(is_handle));
        origins.push(used.iter().flat_map(|call| origins[*call].iter().copied().chain([*call])).collect());
    }
    None
}

/// Returns true if a value is a handle, judging by its name: `node_index_2` is one.
fn is_handle(name: &str) -> bool {
    let name = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '_');
    name.rsplit('_').next().is_some_and(|last| ENDINGS.contains(&last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Facts;
    use crate::judge::bug::example::call;
    use bugnet::wire::Call;

    /// Returns true if a program has a foreign handle. Each value is given by its name, with the places of
    /// the values that it is made from.
    fn is_foreign(program: &[(&str, &[u32])]) -> bool {
        let made = |(name, uses): &(&str, &[u32])| call(name).bound(name, false).using(uses).0;
        let calls: Vec<Call> = program.iter().map(made).collect();
        // A font is written out by its fields.
        let facts = |call: &Call| Facts { fields: call.operation == "font", ..Facts::default() };
        let facts: Vec<Facts> = calls.iter().map(facts).collect();
        let steps: Vec<Step<'_>> =
            calls.iter().zip(&facts).map(|(call, facts)| Step { call, facts }).collect();
        foreign(&steps).is_some()
    }

    #[test]
    fn a_handle_is_at_home_where_it_comes_from() {
        let (graph, index): (_, (_, &[u32])) = (("graph", &[][..]), ("node_index", &[0]));
        assert!(!is_foreign(&[graph, index, ("removed", &[0, 1])]));
        assert!(!is_foreign(&[graph, index, ("view", &[0]), ("weight", &[2, 1])]));
        assert!(!is_foreign(&[graph, index, ("graph_2", &[0]), ("weight", &[2, 1])]));
    }

    #[test]
    fn a_handle_from_elsewhere_is_foreign_wherever_it_is_used() {
        let (graph, index): ((_, &[u32]), (_, &[u32])) = (("graph", &[]), ("node_index_2", &[]));
        assert!(is_foreign(&[graph, index, ("weight", &[0, 1])]));
        assert!(is_foreign(&[graph, index, ("walk", &[0, 1]), ("next", &[2])]));
        let walk: (_, &[u32]) = ("dfs_post_order", &[0]);
        assert!(is_foreign(&[graph, walk, ("graph_2", &[]), ("next", &[1, 2])]));
        assert!(!is_foreign(&[graph, walk, ("next", &[1, 0])]));
        assert!(!is_foreign(&[("vec", &[]), ("key", &[]), ("font", &[0, 1]), ("width", &[2])]));
        assert!(is_foreign(&[("vec", &[]), ("key", &[]), ("paint", &[0, 1]), ("width", &[2])]));
        assert!(is_foreign(&[graph, index, ("edge", &[1]), ("next", &[2, 0])]));
        // By itself it is as good as any value.
        assert!(!is_foreign(&[index, ("next", &[0])]));
        assert!(!is_foreign(&[graph, ("leaf", &[]), ("weight", &[0, 1])]));
    }
}
