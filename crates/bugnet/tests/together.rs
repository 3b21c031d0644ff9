//! Parameters of one property that come out of one program.

use bugnet::prelude::*;

/// A graph whose nodes go by names that nobody guesses.
#[derive(Debug, Default, Clone)]
pub struct Graph {
    nodes: Vec<Node>,
}

/// The name of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node(u64);

#[api]
impl Graph {
    pub fn new() -> Graph {
        Graph::default()
    }

    pub fn add(&mut self) -> Node {
        let node = Node(0x1234_5678_9abc_def1_u64.rotate_left(self.nodes.len() as u32));
        self.nodes.push(node);
        node
    }

    /// Its nodes come from `add`, as those of a graph do.
    pub fn remove(&mut self, node: Node) {
        self.nodes.retain(|known| *known != node);
    }
}

#[api]
impl Node {
    pub fn named(name: u64) -> Node {
        Node(name)
    }
}

impl Graph {
    fn has(&self, node: Node) -> bool {
        self.nodes.contains(&node)
    }
}

#[property(seed = 7, cases = 2_000)]
fn a_node_can_be_one_of_that_graph(graph: Graph, node: Node) {
    cover!(15, graph.has(node), "of that graph");
    cover!(20, !graph.has(node), "of another one, or gone");
}

#[property(seed = 7, cases = 2_000)]
fn so_it_can_where_both_are_lent(graph: &Graph, node: &Node) {
    cover!(15, graph.has(*node), "of that graph");
}

/// A tree that makes leaves, and never asks for one.
#[derive(Debug, Default)]
pub struct Tree {
    leaves: Vec<u64>,
}

#[derive(Debug)]
pub struct Leaf(u64);

#[api]
impl Tree {
    pub fn new() -> Tree {
        Tree::default()
    }

    pub fn grow(&mut self) -> Leaf {
        let leaf = 0x1234_5678_9abc_def1_u64.rotate_left(self.leaves.len() as u32);
        self.leaves.push(leaf);
        Leaf(leaf)
    }
}

#[api]
impl Leaf {
    pub fn named(name: u64) -> Leaf {
        Leaf(name)
    }
}

#[property(seed = 7, cases = 2_000)]
fn a_leaf_can_be_one_of_that_tree_though_no_call_takes_one(tree: Tree, leaf: Leaf) {
    cover!(20, tree.leaves.contains(&leaf.0), "of that tree");
}

#[property(seed = 7, cases = 2_000)]
fn what_has_a_generator_of_its_own_is_made_by_that(graph: Graph, #[with(any::<u64>().map(Node))] node: Node) {
    assert!(!graph.has(node));
}

/// No node is in its graph, says whoever is wrong.
mod wrong {
    use super::*;

    #[property(seed = 7, cases = 2_000, regressions = false)]
    #[ignore = "it is wrong on purpose"]
    fn no_node_is_in_its_graph(graph: Graph, node: Node) {
        assert!(!graph.has(node));
    }
}

#[test]
fn the_report_shows_a_program_for_each_and_the_smallest_ones() {
    let run = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["no_node_is_in_its_graph", "--ignored", "--nocapture"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
    // The node is what the program of the graph has made.
    let shown = ["let mut graph = Graph::new();", "let node = graph.add();"];
    assert!(!run.status.success() && shown.iter().all(|line| said.contains(line)), "{said}");
    assert!(!said.contains("Node::named"), "{said}");
}

#[test]
fn a_call_takes_what_another_call_of_its_block_has_made() {
    use bugnet::program::Api;
    let suite = Graph::suite();
    let remove = suite.operations.iter().find(|operation| operation.name == "remove").unwrap();
    assert!(!remove.parameters[1].is_literal());
}
