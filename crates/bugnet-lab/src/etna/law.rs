//! The ten properties of insertion and deletion that both workloads share.
//!
//! They are those of John Hughes, "How to Specify It!" (2019), as ETNA states them: validity,
//! postconditions, agreement with a sorted list, and metamorphic relations. An operation that
//! reports a broken invariant (`None`) refutes every law.

use super::task::{Property, SearchTree, Shape};

/// Insertion keeps the tree valid.
pub fn insert_valid<T: SearchTree>() -> Property<T> {
    Property {
        name: "InsertValid",
        shape: shape(1, 1),
        check: |case, mutant| {
            let (tree, key, value) = (&case.trees[0], case.keys[0], case.values[0]);
            let law = || tree.insert(key, value, mutant).is_some_and(|t| t.is_valid());
            tree.is_valid().then(law)
        },
    }
}

/// Deletion keeps the tree valid.
pub fn delete_valid<T: SearchTree>() -> Property<T> {
    Property {
        name: "DeleteValid",
        shape: shape(1, 0),
        check: |case, mutant| {
            let (tree, key) = (&case.trees[0], case.keys[0]);
            let law = || tree.delete(key, mutant).is_some_and(|t| t.is_valid());
            tree.is_valid().then(law)
        },
    }
}

/// After an insertion the key has the new value, every other key what it had.
pub fn insert_post<T: SearchTree>() -> Property<T> {
    Property {
        name: "InsertPost",
        shape: shape(2, 1),
        check: |case, mutant| {
            let (tree, key, probe) = (&case.trees[0], case.keys[0], case.keys[1]);
            let value = case.values[0];
            let law = || {
                let expected = match probe == key {
                    true => Some(value),
                    false => tree.find(probe),
                };
                tree.insert(key, value, mutant).is_some_and(|t| t.find(probe) == expected)
            };
            tree.is_valid().then(law)
        },
    }
}

/// After a deletion the key is gone, every other key has what it had.
pub fn delete_post<T: SearchTree>() -> Property<T> {
    Property {
        name: "DeletePost",
        shape: shape(2, 0),
        check: |case, mutant| {
            let (tree, key, probe) = (&case.trees[0], case.keys[0], case.keys[1]);
            let law = || {
                let expected = tree.find(probe).filter(|_| probe != key);
                tree.delete(key, mutant).is_some_and(|t| t.find(probe) == expected)
            };
            tree.is_valid().then(law)
        },
    }
}

/// Insertion does to the tree what it does to a sorted list.
pub fn insert_model<T: SearchTree>() -> Property<T> {
    Property {
        name: "InsertModel",
        shape: shape(1, 1),
        check: |case, mutant| {
            let (tree, key, value) = (&case.trees[0], case.keys[0], case.values[0]);
            let law = || {
                let mut expected = without(tree.entries(), key);
                expected.push((key, value));
                expected.sort_unstable();
                tree.insert(key, value, mutant).is_some_and(|t| t.entries() == expected)
            };
            tree.is_valid().then(law)
        },
    }
}

/// Deletion does to the tree what it does to a sorted list.
pub fn delete_model<T: SearchTree>() -> Property<T> {
    Property {
        name: "DeleteModel",
        shape: shape(1, 0),
        check: |case, mutant| {
            let (tree, key) = (&case.trees[0], case.keys[0]);
            let law = || {
                let expected = without(tree.entries(), key);
                tree.delete(key, mutant).is_some_and(|t| t.entries() == expected)
            };
            tree.is_valid().then(law)
        },
    }
}

/// Two insertions commute, or the later one of the same key wins.
pub fn insert_insert<T: SearchTree>() -> Property<T> {
    Property {
        name: "InsertInsert",
        shape: shape(2, 2),
        check: |case, mutant| {
            let (tree, key, earlier) = (&case.trees[0], case.keys[0], case.keys[1]);
            let (value, earlier_value) = (case.values[0], case.values[1]);
            let insert = |t: &T| t.insert(key, value, mutant);
            let insert_earlier = |t: &T| t.insert(earlier, earlier_value, mutant);
            let law = || {
                let one = insert_earlier(tree).and_then(|t| insert(&t));
                let other = match key == earlier {
                    true => insert(tree),
                    false => insert(tree).and_then(|t| insert_earlier(&t)),
                };
                same_entries(one, other)
            };
            tree.is_valid().then(law)
        },
    }
}

/// Insertion after deletion commutes, or undoes the deletion of the same key.
pub fn insert_delete<T: SearchTree>() -> Property<T> {
    Property {
        name: "InsertDelete",
        shape: shape(2, 1),
        check: |case, mutant| {
            let (tree, key, deleted) = (&case.trees[0], case.keys[0], case.keys[1]);
            let insert = |t: &T| t.insert(key, case.values[0], mutant);
            let delete = |t: &T| t.delete(deleted, mutant);
            let law = || {
                let one = delete(tree).and_then(|t| insert(&t));
                let other = match key == deleted {
                    true => insert(tree),
                    false => insert(tree).and_then(|t| delete(&t)),
                };
                same_entries(one, other)
            };
            tree.is_valid().then(law)
        },
    }
}

/// Deletion after insertion commutes, or undoes the insertion of the same key.
pub fn delete_insert<T: SearchTree>() -> Property<T> {
    Property {
        name: "DeleteInsert",
        shape: shape(2, 1),
        check: |case, mutant| {
            let (tree, key, inserted) = (&case.trees[0], case.keys[0], case.keys[1]);
            let delete = |t: &T| t.delete(key, mutant);
            let insert = |t: &T| t.insert(inserted, case.values[0], mutant);
            let law = || {
                let one = insert(tree).and_then(|t| delete(&t));
                let other = match key == inserted {
                    true => delete(tree),
                    false => delete(tree).and_then(|t| insert(&t)),
                };
                same_entries(one, other)
            };
            tree.is_valid().then(law)
        },
    }
}

/// Two deletions commute.
pub fn delete_delete<T: SearchTree>() -> Property<T> {
    Property {
        name: "DeleteDelete",
        shape: shape(2, 0),
        check: |case, mutant| {
            let (tree, key, other) = (&case.trees[0], case.keys[0], case.keys[1]);
            let law = || {
                let one = tree.delete(other, mutant);
                let two = tree.delete(key, mutant);
                same_entries(
                    one.and_then(|t| t.delete(key, mutant)),
                    two.and_then(|t| t.delete(other, mutant)),
                )
            };
            tree.is_valid().then(law)
        },
    }
}

/// All laws of this file.
pub fn all<T: SearchTree>() -> Vec<Property<T>> {
    vec![
        insert_valid(),
        delete_valid(),
        insert_post(),
        delete_post(),
        insert_model(),
        delete_model(),
        insert_insert(),
        insert_delete(),
        delete_insert(),
        delete_delete(),
    ]
}

fn shape(keys: usize, values: usize) -> Shape {
    Shape { trees: 1, keys, values }
}

fn without(mut entries: Vec<(i32, i32)>, key: i32) -> Vec<(i32, i32)> {
    entries.retain(|entry| entry.0 != key);
    entries
}

/// Equality as maps; a broken invariant on either side makes them unequal.
pub fn same_entries<T: SearchTree>(one: Option<T>, other: Option<T>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one.entries() == other.entries())
}
