//! A task of ETNA: a mutant of a search tree, and a property that refutes it.
//!
//! A [`Property`] does not say how its inputs are made, only how many trees, keys and values it
//! takes ([`Shape`]); every peer draws them in its own way and hands over a [`Case`]. So all
//! peers are judged by the same code, and differ in their generators alone.

use std::fmt::Debug;

/// A map kept as a binary tree, whose operations can be switched to a faulty variant.
///
/// The operations take `&self` and copy: the trees are small, and a copy keeps the code as close
/// to the definition in the paper as Rust allows.
pub trait SearchTree: Clone + PartialEq + Debug + 'static {
    /// The faulty variants, with one for the correct code.
    type Mutant: Copy + PartialEq + Debug + 'static;

    /// The left subtree, key, value and right subtree; `None` for a leaf.
    fn root(&self) -> Option<(&Self, i32, i32, &Self)>;

    /// The precondition of every property.
    fn is_valid(&self) -> bool;

    /// `None` when the code notices that its own invariant is broken.
    fn insert(&self, key: i32, value: i32, mutant: Self::Mutant) -> Option<Self>;

    /// `None` when the code notices that its own invariant is broken.
    fn delete(&self, key: i32, mutant: Self::Mutant) -> Option<Self>;

    /// Returns the value that a search for `key` arrives at, ordered tree or not.
    fn find(&self, key: i32) -> Option<i32> {
        let (left, own_key, value, right) = self.root()?;
        match key.cmp(&own_key) {
            std::cmp::Ordering::Less => left.find(key),
            std::cmp::Ordering::Equal => Some(value),
            std::cmp::Ordering::Greater => right.find(key),
        }
    }

    /// Keys and values from left to right.
    fn entries(&self) -> Vec<(i32, i32)> {
        let mut entries = Vec::new();
        collect(self, &mut entries);
        entries
    }

    /// Returns true if keys strictly increase from left to right, which makes the tree a search tree.
    fn is_ordered(&self) -> bool {
        self.entries().is_sorted_by(|a, b| a.0 < b.0)
    }
}

fn collect<T: SearchTree>(tree: &T, entries: &mut Vec<(i32, i32)>) {
    if let Some((left, key, value, right)) = tree.root() {
        collect(left, entries);
        entries.push((key, value));
        collect(right, entries);
    }
}

/// The number of inputs of each kind that a property takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub trees: usize,
    pub keys: usize,
    pub values: usize,
}

/// The inputs of one test, as many of each kind as the [`Shape`] says.
#[derive(Clone, Debug, PartialEq)]
pub struct Case<T> {
    pub trees: Vec<T>,
    pub keys: Vec<i32>,
    pub values: Vec<i32>,
}

/// A named law about a tree.
#[derive(Clone, Debug)]
pub struct Property<T: SearchTree> {
    /// ETNA's name, such as `InsertValid`.
    pub name: &'static str,
    pub shape: Shape,
    /// Returns true if the law holds; `None` when the case does not meet the precondition.
    pub check: fn(&Case<T>, T::Mutant) -> Option<bool>,
}

/// One line of ETNA's table.
#[derive(Clone, Debug)]
pub struct Task<T: SearchTree> {
    pub mutant: T::Mutant,
    pub property: Property<T>,
}

impl<T: SearchTree> Task<T> {
    /// Returns true if the property holds of the mutant for this case; `None` when the case is discarded.
    pub fn check(&self, case: &Case<T>) -> Option<bool> {
        (self.property.check)(case, self.mutant)
    }
}

/// The tasks in a table of mutants with the properties that can refute each.
pub fn tasks<T: SearchTree>(table: Vec<(T::Mutant, Vec<Property<T>>)>) -> Vec<Task<T>> {
    let row = |(mutant, properties): (T::Mutant, Vec<Property<T>>)| {
        let task = move |property| Task { mutant, property };
        properties.into_iter().map(task)
    };
    table.into_iter().flat_map(row).collect()
}
