//! Working out the shape of a type: how deep its alternatives are and which of them recur.
//!
//! Recursive types end without weights or annotations because the engine knows, for each
//! alternative, the least depth of a value made by it and how many of its fields lead back to
//! the type. Both come from a graph of the types, built once per type by asking each for its
//! alternatives.
//!
//! **Invariant:** the alternatives of a shape stand simplest first, and the first one always ends.

use super::Generate;
use crate::choice::{Alternative, KnownShape, Law, Shape};
use std::cell::RefCell;
use std::sync::atomic::Ordering;

impl Shape {
    /// The shape of a type.
    ///
    /// ```
    /// use bugnet::generate::Shape;
    ///
    /// assert_eq!(Shape::of::<Option<u8>>().simplest_first(), [0, 1]);
    /// assert_eq!(Shape::of::<u8>().simplest_first(), [0]);
    /// ```
    pub fn of<T: Generate>() -> Shape {
        Shape::weighted::<T>(&[])
    }

    /// The shape of a type whose alternatives have weights, in order of declaration. What is likely is
    /// not simpler for it.
    ///
    /// ```
    /// use bugnet::generate::Shape;
    ///
    /// let mostly_some = Shape::weighted::<Option<u8>>(&[1, 9]);
    /// assert_eq!(mostly_some.simplest_first(), [0, 1]);
    /// ```
    pub fn weighted<T: Generate>(weights: &[u32]) -> Shape {
        let mut graph = Graph::default();
        let root = T::shape(&mut graph);
        Shape::of_root(&graph, root, weights, std::any::type_name::<T>())
    }

    /// Compiled once for all types.
    fn of_root(graph: &Graph, root: TypeId, weights: &[u32], name: &str) -> Shape {
        let depths = graph.least_depths();
        let mut order: Vec<Alternative> = Vec::new();
        for (declared, fields) in graph.nodes[root.0].iter().enumerate() {
            let recursive = graph.all_return(fields, root);
            order.push(Alternative {
                declared: declared as u32,
                least_depth: Graph::depth_of(fields, &depths),
                recursive,
                fields: !fields.is_empty(),
            });
        }
        if order.iter().all(|alternative| alternative.least_depth == u32::MAX) {
            crate::oracle::usage_error(format!(
                "every value of `{name}` would contain another one, without end; give it a variant or a field that ends, such as an `Option` or a `Vec`"
            ));
        }
        put_simplest_first(&mut order);
        let recursive = order.iter().position(|alternative| alternative.recursive > 0);
        let ends = recursive.unwrap_or(order.len()).max(1);
        let law = match order.len() {
            1 => Law::Only,
            _ if !weights.is_empty() => Law::Weighted,
            all if all == ends => Law::Equal,
            _ => Law::Recursive,
        };
        let mut in_order = Vec::new();
        for alternative in &order {
            if let Some(weight) = weights.get(alternative.declared as usize) {
                in_order.push(*weight);
            }
        }
        Shape { order, ends, law, weights: in_order, names: &[] }
    }
}

/// Sorts alternatives by hand: they are few, and the sort of the standard library is much to compile.
fn put_simplest_first(order: &mut [Alternative]) {
    let effort = |alternative: &Alternative| (alternative.least_depth, alternative.recursive);
    for end in 1..order.len() {
        let mut place = end;
        while place > 0 && effort(&order[place]) < effort(&order[place - 1]) {
            order.swap(place, place - 1);
            place -= 1;
        }
    }
}

impl KnownShape {
    /// The shape of a generic type, which cannot have a static of its own.
    pub fn cached<T: Generate>(
        names: &'static [&'static str],
        weights: &'static [u32],
    ) -> &'static KnownShape {
        thread_local! {
            static SHAPES: RefCell<Vec<(Key, &'static KnownShape)>> = const { RefCell::new(Vec::new()) };
        }
        let key = key::<T>();
        let known = SHAPES.with_borrow(|shapes| shapes.iter().find(|known| known.0 == key).copied());
        if let Some((_, shape)) = known {
            return shape;
        }
        let shape: &'static KnownShape = Box::leak(Box::new(KnownShape::new(names, weights)));
        SHAPES.with_borrow_mut(|shapes| shapes.push((key, shape)));
        shape
    }

    /// The shape; the type must be the same each time.
    #[inline]
    pub fn of<T: Generate>(&self) -> &Shape {
        match self.shape.get() {
            Some(shape) => shape,
            None => self.work_out::<T>(),
        }
    }

    #[cold]
    #[inline(never)]
    fn work_out<T: Generate>(&self) -> &Shape {
        let shape = Shape { names: self.names, ..Shape::weighted::<T>(self.weights) };
        if shape.law == Law::Equal {
            self.equal.store(shape.order.len() as u32, Ordering::Relaxed);
        }
        self.shape.get_or_init(|| shape)
    }
}

/// Tells types apart without demanding `'static` of them: two types in different blocks may have
/// the same name, but not the same function as well.
type Key = (usize, &'static str);

fn key<T: Generate>() -> Key {
    (T::shape as fn(&mut Graph) -> TypeId as usize, std::any::type_name::<T>())
}

/// A type in a [`Graph`].
///
/// ```
/// use bugnet::generate::{Generate, Graph};
///
/// let mut graph = Graph::default();
/// assert_eq!(<u8 as Generate>::shape(&mut graph), graph.leaf());
/// ```
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TypeId(usize);

/// The types that a type is made of, each with its alternatives and their fields.
///
/// ```
/// use bugnet::generate::{Generate, Graph};
///
/// let mut graph = Graph::default();
/// let list = <Vec<u8> as Generate>::shape(&mut graph);
/// assert_ne!(list, graph.leaf());
/// ```
#[doc(hidden)]
#[derive(Debug)]
pub struct Graph {
    nodes: Vec<Vec<Vec<TypeId>>>,
    /// True for a node that hands on its size to all of its fields instead of dividing it.
    bundles: Vec<bool>,
    /// The types of the nodes behind the first, which is the leaf.
    known: Vec<Key>,
}

impl Default for Graph {
    fn default() -> Graph {
        Graph { nodes: vec![vec![vec![]]], bundles: vec![false], known: Vec::new() }
    }
}

impl Graph {
    /// A type without parts, such as a number.
    pub fn leaf(&self) -> TypeId {
        TypeId(0)
    }

    /// A type with alternatives, each a list of fields; asked for once per type.
    pub fn node<T: Generate>(&mut self, fields: impl FnOnce(&mut Graph) -> Vec<Vec<TypeId>>) -> TypeId {
        let (id, is_new) = self.id(key::<T>());
        if is_new {
            let alternatives = fields(self);
            self.nodes[id.0] = alternatives;
        }
        id
    }

    /// The number of a type, and whether it had none before.
    fn id(&mut self, key: Key) -> (TypeId, bool) {
        if let Some(known) = self.known.iter().position(|known| *known == key) {
            return (TypeId(known + 1), false);
        }
        self.known.push(key);
        self.nodes.push(Vec::new());
        self.bundles.push(false);
        (TypeId(self.nodes.len() - 1), true)
    }

    /// A type that adds nothing to its fields, such as a tuple: they get the size that it is given, so
    /// whoever divides the size counts them one by one.
    pub(super) fn bundle<T: Generate>(
        &mut self,
        fields: impl FnOnce(&mut Graph) -> Vec<Vec<TypeId>>,
    ) -> TypeId {
        let id = self.node::<T>(fields);
        self.bundles[id.0] = true;
        id
    }

    fn least_depths(&self) -> Vec<u32> {
        let mut depths = vec![u32::MAX; self.nodes.len()];
        loop {
            let mut changed = false;
            for (node, alternatives) in self.nodes.iter().enumerate() {
                for fields in alternatives {
                    let depth = Graph::depth_of(fields, &depths);
                    changed |= depth < depths[node];
                    depths[node] = depths[node].min(depth);
                }
            }
            if !changed {
                return depths;
            }
        }
    }

    fn depth_of(fields: &[TypeId], depths: &[u32]) -> u32 {
        let mut depth = 0;
        for field in fields {
            depth = depth.max(depths[field.0].saturating_add(1));
        }
        depth
    }

    /// Counts how many times a field leads back to a type.
    fn returns(&self, field: TypeId, goal: TypeId) -> u32 {
        if field == goal || !self.bundles[field.0] {
            return self.reaches(field, goal).into();
        }
        let mut most = 0;
        for fields in &self.nodes[field.0] {
            most = most.max(self.all_return(fields, goal));
        }
        most
    }

    /// Counts how many times the fields of an alternative lead back together.
    fn all_return(&self, fields: &[TypeId], goal: TypeId) -> u32 {
        let mut sum = 0;
        for field in fields {
            sum += self.returns(*field, goal);
        }
        sum
    }

    fn reaches(&self, from: TypeId, goal: TypeId) -> bool {
        let (mut seen, mut open) = (Vec::new(), vec![from]);
        while let Some(node) = open.pop() {
            if node == goal {
                return true;
            }
            if !seen.contains(&node) {
                seen.push(node);
                for fields in &self.nodes[node.0] {
                    open.extend(fields);
                }
            }
        }
        false
    }
}
