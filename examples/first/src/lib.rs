//! A first look at Bugnet: three pieces of ordinary code, each with one bug in it.
//!
//! The bugs are of the kind that a review lets through and a few examples do not show. They are here
//! to be found: run `cargo test`, or `cargo bugnet run`, in this folder.
//!
//! **Invariant:** each module has exactly one bug, and mending it makes the tests of the module pass.

pub mod expression;
pub mod interval;
pub mod percent;
