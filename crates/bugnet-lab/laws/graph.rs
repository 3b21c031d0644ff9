//! petgraph@0.8.3, tuned on

use bugnet::prelude::*;
use petgraph::graph::{DiGraph, NodeIndex};

/// "Remove `a` from the graph if it exists, and return its weight."
#[law]
fn a_removed_node_is_returned(mut graph: DiGraph<u8, ()>, node: NodeIndex) {
    let (before, weight) = (graph.node_count(), graph.node_weight(node).copied());
    classify!(weight.is_some(), "there is such a node");
    assert_eq!(graph.remove_node(node), weight);
    assert_eq!(graph.node_count(), before - usize::from(weight.is_some()));
}

/// "Add an edge from `a` to `b` to the graph, with its associated data `weight`. Return the index of the new edge."
#[law]
fn an_added_edge_joins_its_nodes(mut graph: DiGraph<u8, ()>, from: NodeIndex, to: NodeIndex) {
    assume!(graph.node_weight(from).is_some() && graph.node_weight(to).is_some());
    let edge = graph.add_edge(from, to, ());
    assert_eq!(graph.edge_endpoints(edge), Some((from, to)));
}
