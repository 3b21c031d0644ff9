//! Claims: what is said of a crate, in words and as a property.
//!
//! **Invariant:** the same claim runs under every strategy; only the `Property` it is given
//! differs.

use bugnet::campaign::{Failed, Passed, Property};

/// The outcome of a claim under one strategy and seed.
pub type Tested = Result<Passed, Box<Failed>>;

/// A sentence about a crate that a search may refute.
#[derive(Debug, Clone, Copy)]
pub struct Claim {
    /// The crate and its version, or both crates of a pair.
    pub about: &'static str,
    pub pattern: Pattern,
    pub words: &'static str,
    /// Tests the claim as the given property says.
    pub test: fn(Property<'_>) -> Tested,
}

/// The four patterns of properties in Venema's thesis (2012), section 3.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    /// Two implementations of the same thing agree.
    Differential,
    /// No input makes the code panic.
    NoPanic,
    /// One operation undoes another.
    Inverse,
    /// Something holds of every result.
    Invariant,
}

impl Pattern {
    pub fn name(self) -> &'static str {
        match self {
            Pattern::Differential => "differential",
            Pattern::NoPanic => "no panic",
            Pattern::Inverse => "inverse",
            Pattern::Invariant => "invariant",
        }
    }
}

impl Claim {
    pub const fn new(
        about: &'static str,
        pattern: Pattern,
        words: &'static str,
        test: fn(Property<'_>) -> Tested,
    ) -> Claim {
        Claim { about, pattern, words, test }
    }
}
