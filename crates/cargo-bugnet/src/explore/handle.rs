//! Handles: values that stand for a part of another value, such as the index of a node or a walk through a
//! graph.
//!
//! A handle means something to what it was got from and to nothing else, so a program that uses it with
//! something else has asked for what it gets.

use std::collections::{BTreeMap, BTreeSet};

/// How the names of handles end; a value has the name of its type.
const ENDINGS: [&str; 15] = [
    "index", "id", "idx", "ix", "key", "handle", "token", "cursor", "position", "walker", "walk", "dfs",
    "bfs", "topo", "order",
];

/// The first handle in a program that is used with something that it does not come from.
pub(super) fn foreign(program: &[String]) -> Option<&str> {
    // What each value was made with, however far back.
    let mut origins: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    // What is made of nothing but handles is one, whatever its name.
    let mut made_of_handles: BTreeSet<&str> = BTreeSet::new();
    for line in program {
        let (name, used) = parts(line);
        let used: Vec<&str> = used.filter(|word| origins.contains_key(word)).collect();
        let is_handle = |word: &str| is_handle(word) || made_of_handles.contains(word);
        let others: Vec<&str> = used.iter().copied().filter(|word| !is_handle(word)).collect();
        let fits = |handle: &str| {
            let home = &origins[handle];
            others.is_empty()
                || others.iter().any(|other| home.contains(other) || !home.is_disjoint(&origins[other]))
        };
        // A value that is written out has its key by that.
        let is_written_out = line.contains(" { ") && line.trim_end().ends_with(" };");
        let foreign = used.iter().find(|word| is_handle(word) && !fits(word));
        if let Some(handle) = foreign.filter(|_| !is_written_out) {
            return Some(handle);
        }
        let made: BTreeSet<&str> =
            used.iter().flat_map(|word| origins[word].iter().copied().chain([*word])).collect();
        let is_made_of_handles = !used.is_empty() && others.is_empty();
        if let Some(name) = name {
            if is_made_of_handles {
                made_of_handles.insert(name);
            }
            origins.insert(name, made);
        }
    }
    None
}

/// The name that a line gives to what it makes, and the words that it makes it with.
fn parts(line: &str) -> (Option<&str>, impl Iterator<Item = &str>) {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let (name, made) = match line.strip_prefix("let ").and_then(|rest| rest.split_once(" = ")) {
        Some((name, made)) => (Some(name.trim_start_matches("mut ")), made),
        None => (None, line),
    };
    (name, made.split(move |letter: char| !is_word(letter)).filter(|word| !word.is_empty()))
}

/// Whether a value is a handle, by its name: `node_index_2` is one.
fn is_handle(name: &str) -> bool {
    let name = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '_');
    name.rsplit('_').next().is_some_and(|last| ENDINGS.contains(&last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_foreign(program: &[&str]) -> bool {
        let program: Vec<String> = program.iter().map(|line| line.to_string()).collect();
        foreign(&program).is_some()
    }

    #[test]
    fn a_handle_is_at_home_where_it_comes_from() {
        let graph = ["let mut graph = Graph::new();", "let node_index = graph.add_node(1);"];
        assert!(!is_foreign(&[graph[0], graph[1], "graph.remove(node_index);"]));
        let view = "let view = graph.view();";
        assert!(!is_foreign(&[graph[0], graph[1], view, "view.get(node_index);"]));
        assert!(!is_foreign(&[
            graph[0],
            graph[1],
            "let graph_2 = graph.clone();",
            "graph_2.get(node_index);"
        ]));
    }

    #[test]
    fn a_handle_from_elsewhere_is_foreign_wherever_it_is_used() {
        let graph = "let graph = Graph::new();";
        let index = "let node_index_2 = NodeIndex::default();";
        assert!(is_foreign(&[graph, index, "graph.get(node_index_2);"]));
        assert!(is_foreign(&[graph, index, "let walk = graph.walk(node_index_2);", "walk.next();"]));
        let walk = "let dfs_post_order = DfsPostOrder::new(&graph, 0);";
        let other = "let graph_2 = Graph::new();";
        assert!(is_foreign(&[graph, walk, other, "dfs_post_order.walk_next(&graph_2);"]));
        assert!(!is_foreign(&[graph, walk, "dfs_post_order.walk_next(&graph);"]));
        let font =
            ["let vec = vec![1];", "let key = Key::new();", "let font = Font { data: &vec, key: key };"];
        assert!(!is_foreign(&[font[0], font[1], font[2], "font.width();"]));
        let edge = "let edge = Edge::Start(node_index_2);";
        assert!(is_foreign(&[graph, index, edge, "edge.next(&graph);"]));
        // By itself it is as good as any value.
        assert!(!is_foreign(&[index, "node_index_2.next();"]));
        assert!(!is_foreign(&[graph, "let leaf = Leaf::default();", "graph.get(leaf);"]));
    }
}
