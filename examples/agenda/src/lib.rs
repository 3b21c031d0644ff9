//! A small library without a single test: the times, names and meetings of a day.
//!
//! `cargo bugnet explore` finds its three bugs from its public functions alone. They are of the kind that a
//! review lets through; try to see them first.
//!
//! **Invariant:** each module has exactly one bug, and without the three nothing is reported.

mod duration;
mod meeting;
mod name;

pub use duration::{Duration, ParseDurationError};
pub use meeting::{Agenda, Meeting};
pub use name::Name;
