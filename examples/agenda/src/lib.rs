//! A small library without a single test: the times, names and meetings of a day.
//!
//! `cargo bugnet explore` finds its three bugs from its public functions alone: two are shown, and the third, an
//! overflow for numbers that nobody would pass, is counted among the suspects. They are of the kind that a review lets
//! through; try to see them first.
//!
//! **Invariant:** each module has exactly one bug.

mod duration;
mod meeting;
mod name;

pub use duration::{Duration, ParseDurationError};
pub use meeting::{Agenda, Meeting};
pub use name::Name;
