//! The hunt: all bugs of a test, each found once.
//!
//! What fails is reduced, [learned](crate::learn) and put on a list, and from then on the search goes around
//! it. There is a hunt for programs and, with the feature `values`, one for the inputs of properties.
//!
//! **Invariant:** nothing here prints or reads a clock; the clock comes in by [`Outside`].

mod around;
#[cfg(feature = "values")]
mod avoid_forms;
mod bug;
mod bug_list;
#[doc(hidden)]
pub mod known;
mod programs;
mod pursuit;
mod same_fault;
#[cfg(feature = "values")]
mod sampling;
#[cfg(feature = "values")]
mod values;

pub use bug::Bug;

#[cfg(feature = "values")]
pub(crate) use avoid_forms::Shield;
pub(crate) use known::{KnownBug, of_test, remember};
pub(crate) use programs::Hunt;
pub(crate) use pursuit::Pursuit;
#[cfg(feature = "values")]
pub(crate) use values::Values;

use std::time::Duration;

/// What a hunt takes from outside its test.
#[derive(Clone, Copy)]
pub(crate) struct Outside<'a> {
    pub(crate) clock: &'a dyn Fn() -> Duration,
    /// Says whether the bugs that were found are enough.
    pub(crate) enough: &'a dyn Fn(&[Bug]) -> bool,
}
