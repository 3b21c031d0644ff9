//! The shape of a type, as a source needs it to choose an alternative.
//!
//! `generate` works it out from the type; here it is data.
//!
//! **Invariant:** the alternatives of a shape stand simplest first, and the first one always ends.

use crate::list::mapped;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Everything the engine knows about the alternatives of one type.
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::generate::Shape;
///
/// #[derive(Debug, Clone, Generate)]
/// enum Tree {
///     Node(Box<Tree>, Box<Tree>),
///     Leaf,
/// }
///
/// let shape = Shape::of::<Tree>();
/// assert_eq!(shape.simplest_first(), [1, 0]);
/// ```
#[derive(Debug, Clone)]
pub struct Shape {
    pub(crate) order: Vec<Alternative>,
    /// The number of alternatives, from the first, that do not recur; at least one.
    pub(crate) ends: usize,
    pub(crate) law: Law,
    /// The weights of the alternatives, if any differ from one.
    pub(crate) weights: Vec<u32>,
    /// The names of the alternatives in order of declaration, if they have any.
    pub(crate) names: &'static [&'static str],
}

/// The law by which an alternative is chosen at random.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Law {
    /// There is but one.
    Only,
    /// Nothing recurs: all are equally likely.
    Equal,
    /// Some recur, and the size tells whether they may.
    Recursive,
    /// Some are likelier than others.
    Weighted,
}

/// One alternative of a shape.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Alternative {
    /// Its place in the declaration.
    pub(crate) declared: u32,
    /// The least depth of a value made by it.
    pub(crate) least_depth: u32,
    /// The number of its fields that lead back to the type.
    pub(crate) recursive: u32,
    /// True if it has fields.
    pub(crate) fields: bool,
}

impl Shape {
    /// The alternatives by their place in the declaration, simplest first.
    ///
    /// ```
    /// use bugnet::prelude::*;
    /// use bugnet::generate::Shape;
    ///
    /// #[derive(Generate)]
    /// enum List {
    ///     More(u8, Box<List>),
    ///     End,
    /// }
    /// assert_eq!(Shape::of::<List>().simplest_first(), [1, 0]);
    /// ```
    pub fn simplest_first(&self) -> Vec<usize> {
        mapped(&self.order, |alternative| alternative.declared as usize)
    }

    /// Returns the number of alternatives that have a value within a depth.
    pub(crate) fn reachable(&self, depth: u32) -> usize {
        let deeper = self.order.iter().position(|alternative| alternative.least_depth > depth);
        deeper.unwrap_or(self.order.len())
    }
}

/// Keeps the shape of one type, which is worked out when a value is first generated.
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::generate::KnownShape;
///
/// static SHAPE: KnownShape = KnownShape::new(&[], &[]);
/// assert_eq!(SHAPE.of::<Option<u8>>().simplest_first(), [0, 1]);
/// ```
#[doc(hidden)]
#[derive(Debug)]
pub struct KnownShape {
    /// The number of alternatives if they are equally likely. Zero otherwise, and before the shape is known: one
    /// look tells the most frequent law from all others.
    pub(crate) equal: AtomicU32,
    pub(crate) weights: &'static [u32],
    pub(crate) names: &'static [&'static str],
    pub(crate) shape: OnceLock<Shape>,
}

impl KnownShape {
    /// A shape that is not known yet, with the names of its alternatives in order of declaration, and
    /// their weights if any differ from one.
    pub const fn new(names: &'static [&'static str], weights: &'static [u32]) -> KnownShape {
        KnownShape { equal: AtomicU32::new(0), weights, names, shape: OnceLock::new() }
    }

    /// Returns the number of equally likely alternatives, or zero if they are not known to be equally likely.
    #[inline(always)]
    pub(crate) fn equal(&self) -> u64 {
        self.equal.load(Ordering::Relaxed).into()
    }
}
