//! The tests of a package: built, listed and run, one process each.
//!
//! **Invariant:** every test that was run has an outcome, whatever its process did.

pub(crate) mod binary;
pub(crate) mod kept;
pub(crate) mod outcome;
pub(crate) mod profile;
pub(crate) mod trial;
