//! Patterns: what the programs that fail in one way have in common.
//!
//! **Invariant:** only a harness can read a pattern; here it is carried and shown.

use serde::{Deserialize, Serialize};

/// The calls and values that all programs that fail in one way have in common.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pattern {
    /// The form that a harness reads.
    #[serde(rename = "pattern")]
    pub(crate) stored: String,
    /// The calls in it that change something, with any literals and any values.
    #[serde(default, skip_serializing)]
    pub(crate) wide: String,
    pub(crate) words: String,
    /// The number of calls in the pattern.
    pub(crate) calls: usize,
    /// Those of them that were given a certain literal, and may have made what the last call dies of.
    #[serde(default, skip_serializing)]
    pub(crate) suspects: Vec<String>,
}
