//! The five shapes of test case whose cost is compared, in the order of the table's columns.

use clap::ValueEnum;

/// The longest list or string; lengths are uniform from zero, hence 50 on average.
pub const LONGEST: usize = 100;

/// Operations per list of operations: always this many.
pub const OPERATIONS: usize = 50;

/// Levels below the root of an expression tree.
///
/// With the six kinds of node equally likely a node has 8/6 children on average, so that this
/// depth gives (4/3)^0 + … + (4/3)^7 = 27.0 nodes.
pub const DEPTH: usize = 7;

/// The contents of one test case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shape {
    /// One `u64`.
    Word,
    /// A `Vec<i32>` of at most [`LONGEST`] elements.
    Vector,
    /// A `String` of at most [`LONGEST`] characters.
    Text,
    /// An [`Expr`](super::expr::Expr) of about 27 nodes.
    Tree,
    /// [`OPERATIONS`] operations on a map.
    Operations,
}

impl Shape {
    pub const ALL: [Shape; 5] = [Shape::Word, Shape::Vector, Shape::Text, Shape::Tree, Shape::Operations];

    /// The heading of its column: the type and what its size counts.
    pub fn heading(self) -> &'static str {
        match self {
            Shape::Word => "u64",
            Shape::Vector => "Vec<i32>",
            Shape::Text => "String (chars)",
            Shape::Tree => "Expr (nodes)",
            Shape::Operations => "operations",
        }
    }

    /// Returns the name of the shape on the command line of `throughput-case`.
    pub fn argument(self) -> String {
        let value = self.to_possible_value().expect("no shape is skipped by clap");
        value.get_name().to_owned()
    }
}
