//! Facts: what a harness has been made for, and what the documentation says of each of its operations.
//!
//! **Invariant:** everything here is known before the first call is made, and is stored beside the harness,
//! so that a harness which is built already needs no second look at the crate.

use crate::harness::StandIn;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::LazyLock;

/// What the documentation and the signature of an operation say about its failures.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Facts {
    /// Its documentation, or else that of the trait's function, speaks of panics.
    pub(crate) documented_panic: bool,
    /// Its documentation speaks of the boundaries of characters.
    pub(crate) documented_boundary: bool,
    /// Its documentation says that it never panics.
    pub(crate) never_panics: bool,
    /// Its documentation has a precondition in prose: "must be", "must not".
    pub(crate) precondition: bool,
    /// The same where nothing but "must" will do.
    pub(crate) insists: bool,
    /// Its documentation says that it does not look at what it is given.
    pub(crate) unchecked: bool,
    /// It is given a length or a capacity.
    pub(crate) sizes: bool,
    /// It is given nothing but numbers.
    pub(crate) numbers: bool,
    /// It belongs to an operator or an index.
    pub(crate) operator: bool,
    /// A function beside it that refuses instead of panicking, such as `try_push`.
    pub(crate) sibling: Option<String>,
    /// It blames its caller.
    pub(crate) track_caller: bool,
    /// The trait whose function it is, such as `core::fmt::Debug`.
    pub(crate) trait_name: Option<String>,
    /// It returns a `Result` or an `Option`, so it could refuse.
    pub(crate) fallible: bool,
    /// It is given something beside what it is called on.
    pub(crate) given: bool,
    /// It is given text or bytes, which may come from anywhere.
    pub(crate) reads: bool,
    /// It is deprecated, or hidden from the documentation.
    pub(crate) deprecated: bool,
    /// Where it is defined, such as `src/lib.rs:12`.
    pub(crate) place: Option<String>,
    /// If it is a law that follows from names: why it should hold, in one sentence.
    pub(crate) reason: Option<String>,
    /// The same: how sure it is that what breaks it is a bug, in percent.
    pub(crate) sureness: Option<u8>,
}

/// A harness that is built.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Harness {
    /// The generated crate.
    pub(crate) folder: PathBuf,
    /// Its program.
    pub(crate) binary: PathBuf,
    /// The root of the package under test.
    pub(crate) source: PathBuf,
    pub(crate) crate_name: String,
    pub(crate) package: String,
    pub(crate) version: String,
    /// The line of `[dependencies]` for a crate that tests it.
    pub(crate) dependency: String,
    /// By the name of the operation.
    pub(crate) facts: BTreeMap<String, Facts>,
    /// How many free and inherent functions there are, and how many of them can be called.
    pub(crate) functions: usize,
    pub(crate) callable: usize,
    /// The same for functions of traits.
    pub(crate) trait_functions: usize,
    pub(crate) trait_callable: usize,
    /// What cannot be called.
    pub(crate) unreached: Vec<Unreached>,
    /// What could be called, but touches files, processes or the network.
    pub(crate) left_out: Vec<Unreached>,
    /// Types of our own that its operations use.
    #[serde(default)]
    pub(crate) stand_ins: Vec<StandIn>,
}

impl Harness {
    /// What is known of an operation.
    pub(crate) fn facts_of(&self, operation: &str) -> &Facts {
        static UNKNOWN: LazyLock<Facts> = LazyLock::new(Facts::default);
        self.facts.get(operation).unwrap_or(&UNKNOWN)
    }
}

/// A function that is not called.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Unreached {
    pub(crate) path: String,
    pub(crate) reason: String,
}
