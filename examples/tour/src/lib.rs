//! The tests that the pages of the book run, a file per page in `tests`.
//!
//! **Invariant:** what a page shows is what its test prints, up to seeds and times.

pub mod registry;
