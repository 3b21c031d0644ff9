//! The eight properties of union, which only the binary search tree has.
//!
//! As in [`law`](super::law), they are ETNA's. One deviation: `UnionPost` asks that both trees be
//! search trees, not only the first, for otherwise the correct code fails it.

use std::collections::BTreeMap;

use super::bst::Tree;
use super::law::same_entries;
use super::task::{Case, Property, SearchTree, Shape};

/// Union keeps the tree valid.
pub fn union_valid() -> Property<Tree> {
    Property {
        name: "UnionValid",
        shape: shape(2, 0, 0),
        check: |case, mutant| {
            let (one, two) = (&case.trees[0], &case.trees[1]);
            all_valid(case).then(|| one.union(two, mutant).is_valid())
        },
    }
}

/// A key has the value it has in the first tree, else the one in the second.
pub fn union_post() -> Property<Tree> {
    Property {
        name: "UnionPost",
        shape: shape(2, 1, 0),
        check: |case, mutant| {
            let (one, two, key) = (&case.trees[0], &case.trees[1], case.keys[0]);
            let expected = || one.find(key).or_else(|| two.find(key));
            all_valid(case).then(|| one.union(two, mutant).find(key) == expected())
        },
    }
}

/// Union does to trees what it does to maps.
pub fn union_model() -> Property<Tree> {
    Property {
        name: "UnionModel",
        shape: shape(2, 0, 0),
        check: |case, mutant| {
            let (one, two) = (&case.trees[0], &case.trees[1]);
            let law = || {
                let mut expected = BTreeMap::from_iter(two.entries());
                expected.extend(one.entries());
                expected.into_iter().eq(one.union(two, mutant).entries())
            };
            all_valid(case).then(law)
        },
    }
}

/// Inserting into the union is inserting into its first tree.
pub fn insert_union() -> Property<Tree> {
    Property {
        name: "InsertUnion",
        shape: shape(2, 1, 1),
        check: |case, mutant| {
            let (one, two) = (&case.trees[0], &case.trees[1]);
            let insert = |t: &Tree| t.insert(case.keys[0], case.values[0], mutant);
            let law = || {
                let inside = insert(one).map(|t| t.union(two, mutant));
                same_entries(insert(&one.union(two, mutant)), inside)
            };
            all_valid(case).then(law)
        },
    }
}

/// Deleting from the union is deleting from both trees.
pub fn delete_union() -> Property<Tree> {
    Property {
        name: "DeleteUnion",
        shape: shape(2, 1, 0),
        check: |case, mutant| {
            let (one, two) = (&case.trees[0], &case.trees[1]);
            let delete = |t: &Tree| t.delete(case.keys[0], mutant);
            let law = || {
                let (first, second) = (delete(one), delete(two));
                let inside = first.zip(second).map(|(a, b)| a.union(&b, mutant));
                same_entries(delete(&one.union(two, mutant)), inside)
            };
            all_valid(case).then(law)
        },
    }
}

/// A key deleted from the first tree and inserted into the second is inserted into the union.
pub fn union_delete_insert() -> Property<Tree> {
    Property {
        name: "UnionDeleteInsert",
        shape: shape(2, 1, 1),
        check: |case, mutant| {
            let (one, two, key) = (&case.trees[0], &case.trees[1], case.keys[0]);
            let insert = |t: &Tree| t.insert(key, case.values[0], mutant);
            let law = || {
                let (first, second) = (one.delete(key, mutant), insert(two));
                let inside = first.zip(second).map(|(a, b)| a.union(&b, mutant));
                same_entries(inside, insert(&one.union(two, mutant)))
            };
            all_valid(case).then(law)
        },
    }
}

/// The union of a tree with itself is the tree.
pub fn union_union_idem() -> Property<Tree> {
    Property {
        name: "UnionUnionIdem",
        shape: shape(1, 0, 0),
        check: |case, mutant| {
            let tree = &case.trees[0];
            all_valid(case).then(|| tree.union(tree, mutant).entries() == tree.entries())
        },
    }
}

/// Union is associative, down to the form of the tree.
pub fn union_union_assoc() -> Property<Tree> {
    Property {
        name: "UnionUnionAssoc",
        shape: shape(3, 0, 0),
        check: |case, mutant| {
            let (one, two, three) = (&case.trees[0], &case.trees[1], &case.trees[2]);
            let law = || {
                let left = one.union(two, mutant).union(three, mutant);
                left == one.union(&two.union(three, mutant), mutant)
            };
            all_valid(case).then(law)
        },
    }
}

/// All laws of this file.
#[cfg(test)]
pub fn all() -> Vec<Property<Tree>> {
    vec![
        union_valid(),
        union_post(),
        union_model(),
        insert_union(),
        delete_union(),
        union_delete_insert(),
        union_union_idem(),
        union_union_assoc(),
    ]
}

fn shape(trees: usize, keys: usize, values: usize) -> Shape {
    Shape { trees, keys, values }
}

fn all_valid(case: &Case<Tree>) -> bool {
    case.trees.iter().all(Tree::is_valid)
}
