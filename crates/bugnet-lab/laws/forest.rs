//! indextree@4.9.2, tuned on

use bugnet::prelude::*;
use indextree::{Arena, NodeId};

/// "Returns the depth (level) of this node in the tree. A root node (no parent) has depth 0, its children have depth 1,
/// etc."
#[law]
fn a_child_is_one_deeper_than_its_parent(arena: &Arena<u8>, node: NodeId) {
    assume!(!node.is_removed(arena));
    let parent = node.parent(arena);
    classify!(parent.is_some(), "has a parent");
    assert_eq!(node.depth(arena), parent.map_or(0, |parent| parent.depth(arena) + 1));
}

/// "Returns an iterator over the leaf nodes (nodes with no children) of this node's subtree in pre-order depth-first
/// order."
#[law]
fn the_leaves_are_the_descendants_without_children(arena: &Arena<u8>, node: NodeId) {
    assume!(!node.is_removed(arena));
    let leaves: Vec<NodeId> = node.leaves(arena).collect();
    classify!(leaves.len() > 1, "several leaves");
    assert!(node.descendants(arena).filter(|node| node.is_leaf(arena)).eq(leaves));
}
