//! ETNA's first workload: an unbalanced binary search tree with eight mutants, 53 tasks.
//!
//! Implementation and mutants are those of "How to Specify It!"; [`tasks`] pairs each mutant with
//! the properties that can refute it.

use std::cmp::Ordering::{Equal, Greater, Less};

use super::task::{self, SearchTree, Task};
use super::{law, union_law};

/// A map from keys to values; a search tree if keys increase from left to right.
#[derive(Clone, Debug, PartialEq, bugnet::Generate)]
pub enum Tree {
    Leaf,
    /// Left subtree, key, value, right subtree.
    Node(Box<Tree>, i32, i32, Box<Tree>),
}

/// The faulty variants, numbered as in ETNA.
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
    /// Union takes all keys of the first tree to be smaller.
    Union6,
    /// Union takes the tree with the smaller root to be smaller but for its right subtree.
    Union7,
    /// Union lets the tree with the smaller root win, which need not be the first one.
    Union8,
}

use Mutant::*;
use Tree::{Leaf, Node};

fn node(left: Tree, key: i32, value: i32, right: Tree) -> Tree {
    Node(Box::new(left), key, value, Box::new(right))
}

impl Tree {
    fn inserted(&self, key: i32, value: i32, mutant: Mutant) -> Tree {
        let Node(left, own_key, own_value, right) = self.clone() else {
            return node(Leaf, key, value, Leaf);
        };
        match (mutant, key.cmp(&own_key)) {
            (Insert1, _) => node(Leaf, key, value, Leaf),
            (_, Less) => node(left.inserted(key, value, mutant), own_key, own_value, *right),
            (Insert2, Greater) => node(*left, own_key, value, *right),
            (_, Greater) => node(*left, own_key, own_value, right.inserted(key, value, mutant)),
            (Insert3, Equal) => node(*left, own_key, own_value, *right),
            (_, Equal) => node(*left, own_key, value, *right),
        }
    }

    fn deleted(&self, key: i32, mutant: Mutant) -> Tree {
        let Node(left, own_key, value, right) = self.clone() else {
            return Leaf;
        };
        let side = match mutant {
            Delete5 => own_key.cmp(&key),
            _ => key.cmp(&own_key),
        };
        match (mutant, side) {
            (Delete4, Less) => left.deleted(key, mutant),
            (Delete4, Greater) => right.deleted(key, mutant),
            (_, Less) => node(left.deleted(key, mutant), own_key, value, *right),
            (_, Greater) => node(*left, own_key, value, right.deleted(key, mutant)),
            (_, Equal) => left.joined(*right),
        }
    }

    /// One tree of two, all keys of `self` being smaller.
    fn joined(self, larger: Tree) -> Tree {
        match (self, larger) {
            (Leaf, tree) | (tree, Leaf) => tree,
            (Node(left, key, value, right), Node(l, k, v, r)) => {
                node(*left, key, value, node(right.joined(*l), k, v, *r))
            }
        }
    }

    /// All keys of both trees; a key in both has the value of `self`.
    pub fn union(&self, other: &Tree, mutant: Mutant) -> Tree {
        let Node(left, key, value, right) = self.clone() else {
            return other.clone();
        };
        let Node(l, k, v, r) = other.clone() else {
            return self.clone();
        };
        match (mutant, key.cmp(&k)) {
            (Union6, _) | (Union7, Less) => node(*left, key, value, node(right.union(&l, mutant), k, v, *r)),
            (Union8, Less) => {
                let rest = node(l.above(key), k, v, *r);
                let smaller = left.union(&l.below(key), mutant);
                node(smaller, key, value, right.union(&rest, mutant))
            }
            (Union7 | Union8, Equal) => node(left.union(&l, mutant), key, value, right.union(&r, mutant)),
            (Union7 | Union8, Greater) => other.union(self, mutant),
            _ => {
                let smaller = left.union(&other.below(key), mutant);
                node(smaller, key, value, right.union(&other.above(key), mutant))
            }
        }
    }

    /// The part with keys smaller than `key`.
    fn below(&self, key: i32) -> Tree {
        match self.clone() {
            Leaf => Leaf,
            Node(left, k, _, _) if key <= k => left.below(key),
            Node(left, k, v, right) => node(*left, k, v, right.below(key)),
        }
    }

    /// The part with keys larger than `key`.
    fn above(&self, key: i32) -> Tree {
        match self.clone() {
            Leaf => Leaf,
            Node(_, k, _, right) if key >= k => right.above(key),
            Node(left, k, v, right) => node(left.above(key), k, v, *right),
        }
    }
}

impl SearchTree for Tree {
    type Mutant = Mutant;

    fn root(&self) -> Option<(&Self, i32, i32, &Self)> {
        match self {
            Leaf => None,
            Node(left, key, value, right) => Some((left, *key, *value, right)),
        }
    }

    fn is_valid(&self) -> bool {
        self.is_ordered()
    }

    fn insert(&self, key: i32, value: i32, mutant: Mutant) -> Option<Self> {
        Some(self.inserted(key, value, mutant))
    }

    fn delete(&self, key: i32, mutant: Mutant) -> Option<Self> {
        Some(self.deleted(key, mutant))
    }
}

/// ETNA's table of this workload.
pub fn tasks() -> Vec<Task<Tree>> {
    use law::*;
    use union_law::*;
    task::tasks(vec![
        (
            Insert1,
            vec![
                insert_post(),
                insert_model(),
                delete_insert(),
                insert_insert(),
                insert_union(),
                union_delete_insert(),
            ],
        ),
        (
            Insert2,
            vec![
                insert_post(),
                insert_model(),
                insert_delete(),
                delete_insert(),
                insert_insert(),
                insert_union(),
                union_delete_insert(),
            ],
        ),
        (
            Insert3,
            vec![
                insert_post(),
                insert_model(),
                insert_delete(),
                insert_insert(),
                insert_union(),
                union_delete_insert(),
            ],
        ),
        (
            Delete4,
            vec![
                delete_model(),
                delete_post(),
                delete_delete(),
                delete_insert(),
                delete_union(),
                insert_delete(),
                union_delete_insert(),
            ],
        ),
        (
            Delete5,
            vec![
                delete_model(),
                delete_post(),
                delete_delete(),
                delete_insert(),
                delete_union(),
                union_delete_insert(),
            ],
        ),
        (
            Union6,
            vec![
                union_valid(),
                union_post(),
                union_model(),
                delete_union(),
                insert_union(),
                union_delete_insert(),
                union_union_assoc(),
                union_union_idem(),
            ],
        ),
        (
            Union7,
            vec![
                union_valid(),
                union_post(),
                union_model(),
                delete_union(),
                insert_union(),
                union_delete_insert(),
                union_union_assoc(),
            ],
        ),
        (
            Union8,
            vec![
                union_post(),
                union_model(),
                delete_union(),
                insert_union(),
                union_delete_insert(),
                union_union_assoc(),
            ],
        ),
    ])
}

#[cfg(test)]
mod tests {
    use super::super::exhaustion::{Exhaustion, is_refuted_by, refutation};
    use super::*;

    /// Every search tree with keys in `from..to`, gaps included; a value says its key and owner.
    fn search_trees(from: i32, to: i32, owner: i32) -> Vec<Tree> {
        let mut trees = vec![Leaf];
        for key in from..to {
            for left in search_trees(from, key, owner) {
                for right in search_trees(key + 1, to, owner) {
                    trees.push(node(left.clone(), key, 10 * owner + key, right));
                }
            }
        }
        trees
    }

    fn exhaustion() -> Exhaustion<Tree> {
        Exhaustion {
            trees: (1..=3).map(|owner| search_trees(0, 4, owner)).collect(),
            keys: (0..4).collect(),
            values: vec![0, 1],
        }
    }

    #[test]
    fn enumeration_gives_the_51_search_trees_of_four_keys() {
        let trees = search_trees(0, 4, 1);
        assert_eq!(trees.len(), 51);
        assert!(trees.iter().all(Tree::is_valid));
    }

    #[test]
    fn correct_code_satisfies_every_property_on_all_small_trees() {
        for property in law::all().into_iter().chain(union_law::all()) {
            let counterexample = refutation(&property, Base, &exhaustion());
            assert_eq!(counterexample, None, "{}", property.name);
        }
    }

    #[test]
    fn every_one_of_the_53_tasks_can_be_solved() {
        assert_eq!(tasks().len(), 53);
        for task in tasks() {
            assert!(is_refuted_by(&task, &exhaustion()), "{task:?}");
        }
    }

    #[test]
    fn tree_out_of_order_is_discarded_by_every_property() {
        let unordered = node(node(Leaf, 3, 0, Leaf), 3, 0, Leaf);
        let exhaustion = Exhaustion { trees: vec![vec![unordered]; 3], ..exhaustion() };
        for property in law::all().into_iter().chain(union_law::all()) {
            for case in exhaustion.cases(property.shape) {
                assert_eq!((property.check)(&case, Insert1), None, "{}", property.name);
            }
        }
    }
}
