//! ETNA's second workload: a red-black tree with fifteen mutants, 58 tasks.
//!
//! Insertion balances as in Chris Okasaki, "Red-Black Trees in a Functional Setting" (1999);
//! deletion is Stefan Kahrs's ("Red-black trees with types", 2001, untyped version). Both are as
//! in ETNA, so that the mutants have a place to sit. A step that meets a tree which cannot occur
//! while the invariants hold gives `None`.

use std::cmp::Ordering::{Equal, Greater, Less};

use super::law;
use super::task::{self, SearchTree, Task};

#[derive(Clone, Copy, Debug, PartialEq, Eq, bugnet::Generate)]
pub enum Color {
    Red,
    Black,
}

/// A map from keys to values; valid if it is a red-black tree with a black root.
#[derive(Clone, Debug, PartialEq, bugnet::Generate)]
pub enum Tree {
    Leaf,
    /// Color, left subtree, key, value, right subtree.
    Node(Color, Box<Tree>, i32, i32, Box<Tree>),
}

/// The faulty variants, named as in ETNA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutant {
    /// The correct code.
    #[cfg_attr(not(test), expect(dead_code, reason = "tasks are about mutants only"))]
    Base,
    /// Insertion forgets the tree it inserts into.
    Insert1,
    /// Insertion of a larger key overwrites the value of the root.
    Insert2,
    /// Insertion of a present key keeps the old value.
    Insert3,
    /// Deletion forgets everything above and beside its path.
    Delete4,
    /// Deletion searches on the wrong side.
    Delete5,
    /// A new node is black.
    MiscolorInsert,
    /// Deletion leaves the root as it is.
    MiscolorDelete,
    /// Balancing a left side that became too short does not redden the far subtree.
    MiscolorBalLeft,
    /// Balancing a right side that became too short does not redden the far subtree.
    MiscolorBalRight,
    /// Joining two red trees around a red middle gives black children.
    MiscolorJoin1,
    /// Joining two black trees around a red middle gives red children.
    MiscolorJoin2,
    /// Insertion to the left does not balance.
    NoBalanceInsert1,
    /// Insertion to the right does not balance, and blackens the subtree.
    NoBalanceInsert2,
    /// Balancing exchanges two subtrees of a left-left violation.
    SwapCd,
    /// Balancing exchanges two subtrees of a right-left violation.
    SwapBc,
}

use Color::{Black, Red};
use Mutant::*;
use Tree::{Leaf, Node};

fn node(color: Color, left: Tree, key: i32, value: i32, right: Tree) -> Tree {
    Node(color, Box::new(left), key, value, Box::new(right))
}

/// A key and its value, which the rearrangements below carry about together.
type Entry = (i32, i32);

fn red(left: Tree, (key, value): Entry, right: Tree) -> Tree {
    node(Red, left, key, value, right)
}

fn black(left: Tree, (key, value): Entry, right: Tree) -> Tree {
    node(Black, left, key, value, right)
}

impl Tree {
    fn inserted(&self, key: i32, value: i32, mutant: Mutant) -> Tree {
        let Node(color, left, own_key, own_value, right) = self.clone() else {
            return match mutant {
                MiscolorInsert => node(Black, Leaf, key, value, Leaf),
                _ => node(Red, Leaf, key, value, Leaf),
            };
        };
        let own = (own_key, own_value);
        let insert = |tree: &Tree| tree.inserted(key, value, mutant);
        match (mutant, key.cmp(&own_key)) {
            (Insert1, _) => node(Red, Leaf, key, value, Leaf),
            (NoBalanceInsert1, Less) => node(color, insert(&left), own_key, own_value, *right),
            (_, Less) => balanced(color, insert(&left), own, *right, mutant),
            (NoBalanceInsert2, Greater) => {
                let larger = insert(&right).blackened();
                node(color, *left, own_key, own_value, larger)
            }
            (Insert2, Greater) => node(color, *left, own_key, value, *right),
            (_, Greater) => balanced(color, *left, own, insert(&right), mutant),
            (Insert3, Equal) => node(color, *left, own_key, own_value, *right),
            (_, Equal) => node(color, *left, own_key, value, *right),
        }
    }

    fn deleted(&self, key: i32, mutant: Mutant) -> Option<Tree> {
        let Node(_, left, own_key, value, right) = self.clone() else {
            return Some(Leaf);
        };
        let side = match mutant {
            Delete5 => own_key.cmp(&key),
            _ => key.cmp(&own_key),
        };
        let own = (own_key, value);
        match (mutant, side) {
            (Delete4, Less) => left.deleted(key, mutant),
            (Delete4, Greater) => right.deleted(key, mutant),
            (_, Less) => match (left.color(), left.deleted(key, mutant)?) {
                (Some(Black), left) => balanced_left(left, own, *right, mutant),
                (_, left) => Some(red(left, own, *right)),
            },
            (_, Greater) => match (right.color(), right.deleted(key, mutant)?) {
                (Some(Black), right) => balanced_right(*left, own, right, mutant),
                (_, right) => Some(red(*left, own, right)),
            },
            (_, Equal) => joined(*left, *right, mutant),
        }
    }

    /// The color of the root; a leaf, though it counts as black, has none.
    fn color(&self) -> Option<Color> {
        match self {
            Leaf => None,
            Node(color, ..) => Some(*color),
        }
    }

    fn blackened(self) -> Tree {
        match self {
            Leaf => Leaf,
            Node(_, left, key, value, right) => Node(Black, left, key, value, right),
        }
    }

    fn reddened(self) -> Option<Tree> {
        match self {
            Node(Black, left, key, value, right) => Some(Node(Red, left, key, value, right)),
            _ => None,
        }
    }

    /// The parts of a tree with a red root.
    fn as_red(&self) -> Option<(&Tree, Entry, &Tree)> {
        match self {
            Node(Red, left, key, value, right) => Some((left, (*key, *value), right)),
            _ => None,
        }
    }

    /// The parts of a tree with a black root.
    fn as_black(&self) -> Option<(&Tree, Entry, &Tree)> {
        match self {
            Node(Black, left, key, value, right) => Some((left, (*key, *value), right)),
            _ => None,
        }
    }

    /// The number of black nodes on every path to a leaf; `None` if paths differ.
    fn black_height(&self) -> Option<usize> {
        let Node(color, left, _, _, right) = self else {
            return Some(0);
        };
        let height = left.black_height()?;
        (height == right.black_height()?).then_some(height + usize::from(*color == Black))
    }

    fn has_red_child_of_red(&self) -> bool {
        let Node(color, left, _, _, right) = self else {
            return false;
        };
        let child_is_red = [left, right].iter().any(|t| t.color() == Some(Red));
        (*color == Red && child_is_red) || left.has_red_child_of_red() || right.has_red_child_of_red()
    }
}

/// A node that gets rid of a red child with a red child, if its own color is black. The letters
/// are the paper's: subtrees a to d and entries x to z in order.
fn balanced(color: Color, left: Tree, entry: Entry, right: Tree, mutant: Mutant) -> Tree {
    let four = |[a, b, c, d]: [&Tree; 4], x: Entry, y: Entry, z: Entry| {
        red(black(a.clone(), x, b.clone()), y, black(c.clone(), z, d.clone()))
    };
    if color == Black {
        if let Some((child, y, c)) = left.as_red()
            && let Some((a, x, b)) = child.as_red()
        {
            return match mutant {
                SwapCd => four([a, b, &right, c], x, y, entry),
                _ => four([a, b, c, &right], x, y, entry),
            };
        }
        if let Some((a, x, child)) = left.as_red()
            && let Some((b, y, c)) = child.as_red()
        {
            return four([a, b, c, &right], x, y, entry);
        }
        if let Some((child, z, d)) = right.as_red()
            && let Some((b, y, c)) = child.as_red()
        {
            return match mutant {
                SwapBc => four([&left, c, b, d], entry, y, z),
                _ => four([&left, b, c, d], entry, y, z),
            };
        }
        if let Some((b, y, child)) = right.as_red()
            && let Some((c, z, d)) = child.as_red()
        {
            return four([&left, b, c, d], entry, y, z);
        }
    }
    node(color, left, entry.0, entry.1, right)
}

/// A node whose left side lost one from its black height.
fn balanced_left(left: Tree, entry: Entry, right: Tree, mutant: Mutant) -> Option<Tree> {
    if left.color() == Some(Red) {
        return Some(red(left.blackened(), entry, right));
    }
    if right.color() == Some(Black) {
        return Some(balanced(Black, left, entry, right.reddened()?, mutant));
    }
    let (child, z, c) = right.as_red()?;
    let (a, y, b) = child.as_black()?;
    let far = match mutant {
        MiscolorBalLeft => c.clone(),
        _ => c.clone().reddened()?,
    };
    let near = black(left, entry, a.clone());
    Some(red(near, y, balanced(Black, b.clone(), z, far, mutant)))
}

/// A node whose right side lost one from its black height.
fn balanced_right(left: Tree, entry: Entry, right: Tree, mutant: Mutant) -> Option<Tree> {
    if right.color() == Some(Red) {
        return Some(red(left, entry, right.blackened()));
    }
    if left.color() == Some(Black) {
        return Some(balanced(Black, left.reddened()?, entry, right, mutant));
    }
    let (a, x, child) = left.as_red()?;
    let (b, y, c) = child.as_black()?;
    let far = match mutant {
        MiscolorBalRight => a.clone(),
        _ => a.clone().reddened()?,
    };
    let near = black(c.clone(), entry, right);
    Some(red(balanced(Black, far, x, b.clone(), mutant), y, near))
}

/// One tree of two of the same black height, all keys of the first being smaller.
fn joined(left: Tree, right: Tree, mutant: Mutant) -> Option<Tree> {
    match (left, right) {
        (Leaf, tree) | (tree, Leaf) => Some(tree),
        (Node(Red, a, x, vx, b), Node(Red, c, y, vy, d)) => {
            let (a, x, y, d) = (*a, (x, vx), (y, vy), *d);
            Some(match joined(*b, *c, mutant)? {
                Node(Red, b, z, vz, c) if mutant == MiscolorJoin1 => {
                    red(black(a, x, *b), (z, vz), black(*c, y, d))
                }
                Node(Red, b, z, vz, c) => red(red(a, x, *b), (z, vz), red(*c, y, d)),
                middle => red(a, x, red(middle, y, d)),
            })
        }
        (Node(Black, a, x, vx, b), Node(Black, c, y, vy, d)) => {
            let (a, x, y, d) = (*a, (x, vx), (y, vy), *d);
            match joined(*b, *c, mutant)? {
                Node(Red, b, z, vz, c) if mutant == MiscolorJoin2 => {
                    Some(red(red(a, x, *b), (z, vz), red(*c, y, d)))
                }
                Node(Red, b, z, vz, c) => Some(red(black(a, x, *b), (z, vz), black(*c, y, d))),
                middle => balanced_left(a, x, black(middle, y, d), mutant),
            }
        }
        (left, Node(Red, b, x, vx, c)) => Some(red(joined(left, *b, mutant)?, (x, vx), *c)),
        (Node(Red, a, x, vx, b), right) => Some(red(*a, (x, vx), joined(*b, right, mutant)?)),
    }
}

impl SearchTree for Tree {
    type Mutant = Mutant;

    fn root(&self) -> Option<(&Self, i32, i32, &Self)> {
        match self {
            Leaf => None,
            Node(_, left, key, value, right) => Some((left, *key, *value, right)),
        }
    }

    fn is_valid(&self) -> bool {
        self.color() != Some(Red)
            && !self.has_red_child_of_red()
            && self.black_height().is_some()
            && self.is_ordered()
    }

    fn insert(&self, key: i32, value: i32, mutant: Mutant) -> Option<Self> {
        Some(self.inserted(key, value, mutant).blackened())
    }

    fn delete(&self, key: i32, mutant: Mutant) -> Option<Self> {
        match mutant {
            MiscolorDelete => self.deleted(key, mutant),
            _ => self.deleted(key, mutant).map(Tree::blackened),
        }
    }
}

/// ETNA's table of this workload.
pub fn tasks() -> Vec<Task<Tree>> {
    use law::*;
    task::tasks(vec![
        (Insert1, vec![insert_post(), insert_model(), delete_insert(), insert_insert()]),
        (Insert2, vec![insert_post(), insert_model(), insert_delete(), delete_insert(), insert_insert()]),
        (Insert3, vec![insert_post(), insert_model(), insert_delete(), insert_insert()]),
        (Delete4, vec![delete_model(), delete_post(), delete_delete(), delete_insert(), insert_delete()]),
        (Delete5, vec![delete_model(), delete_post(), delete_delete(), delete_insert()]),
        (MiscolorInsert, vec![insert_valid(), delete_insert()]),
        (MiscolorDelete, vec![delete_valid()]),
        (MiscolorBalLeft, vec![delete_valid(), delete_delete()]),
        (MiscolorBalRight, vec![delete_valid(), delete_delete()]),
        (MiscolorJoin1, vec![delete_valid()]),
        (MiscolorJoin2, vec![delete_valid(), delete_delete()]),
        (NoBalanceInsert1, vec![insert_valid(), delete_insert(), insert_delete()]),
        (NoBalanceInsert2, vec![insert_valid(), delete_insert(), insert_delete()]),
        (SwapCd, law::all()),
        (SwapBc, law::all()),
    ])
}

#[cfg(test)]
mod tests {
    use super::super::exhaustion::{Exhaustion, is_refuted_by, refutation};
    use super::*;

    /// Every tree with the odd keys in `from..to`, of one black height, with a root in one of
    /// `colors` and no red child of a red node. Even keys lie before, between and after.
    fn colored_trees(from: i32, to: i32, height: usize, colors: &[Color]) -> Vec<Tree> {
        if from >= to {
            return if height == 0 { vec![Leaf] } else { vec![] };
        }
        let mut trees = Vec::new();
        for &color in colors {
            let (below, height): (&[Color], _) = match (color, height) {
                (Red, height) => (&[Black], height),
                (Black, 0) => continue,
                (Black, height) => (&[Red, Black], height - 1),
            };
            for key in (from..to).step_by(2) {
                let larger = colored_trees(key + 2, to, height, below);
                for left in colored_trees(from, key - 1, height, below) {
                    let tree = |right: &Tree| node(color, left.clone(), key, key, right.clone());
                    trees.extend(larger.iter().map(tree));
                }
            }
        }
        trees
    }

    fn red_black_trees(size: i32) -> Vec<Tree> {
        let of_height = |height| colored_trees(1, 2 * size, height, &[Black]);
        (0..4).flat_map(of_height).collect()
    }

    /// Every red-black tree of at most `nodes` nodes, the smallest first.
    fn exhaustion(nodes: i32) -> Exhaustion<Tree> {
        let trees = (0..=nodes).flat_map(red_black_trees);
        Exhaustion { trees: vec![trees.collect()], keys: (0..=2 * nodes).collect(), values: vec![-1, -2] }
    }

    #[test]
    fn enumeration_gives_valid_trees_of_every_small_size() {
        let counts: Vec<usize> = (0..=6).map(|size| red_black_trees(size).len()).collect();
        assert_eq!(counts, [1, 1, 2, 2, 4, 8, 16]);
        assert!(exhaustion(9).trees[0].iter().all(Tree::is_valid));
    }

    #[test]
    fn correct_code_satisfies_every_property_on_all_small_trees() {
        for property in law::all() {
            let counterexample = refutation(&property, Base, &exhaustion(7));
            assert_eq!(counterexample, None, "{}", property.name);
        }
    }

    #[test]
    fn every_one_of_the_58_tasks_can_be_solved() {
        // The smallest tree that shows MiscolorJoin1 has twelve nodes.
        let exhaustion = exhaustion(12);
        assert_eq!(tasks().len(), 58);
        for task in tasks() {
            assert!(is_refuted_by(&task, &exhaustion), "{task:?}");
        }
    }

    #[test]
    fn tree_that_breaks_any_one_invariant_is_discarded() {
        let single = |color, key| node(color, Leaf, key, 0, Leaf);
        let red_root = single(Red, 1);
        let red_below_red = node(Red, single(Red, 1), 2, 0, single(Red, 3));
        let red_below_red = node(Black, red_below_red, 4, 0, single(Red, 5));
        let uneven = node(Black, single(Black, 1), 2, 0, Leaf);
        let unordered = node(Black, single(Red, 2), 2, 0, single(Red, 3));
        for tree in [red_root, red_below_red, uneven, unordered] {
            assert!(!tree.is_valid(), "{tree:?}");
        }
    }
}
