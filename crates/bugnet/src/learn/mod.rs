//! Learning: from programs that fail to the pattern of their bug, and from those that pass to what it lacks.
//!
//! The idea is that of MoreBugs (Hughes, Norell, Smallbone and Arts, *Find more bugs with QuickCheck!*,
//! 2016). A stored pattern names operations, so writing and reading one needs the suite too.
//!
//! **Invariant:** nothing here runs a program itself; what has to be tried is a [trial](crate::trial).

mod amount;
mod amount_text;
mod class;
mod counterexample;
mod detour;
mod generalize;
mod guard;
mod learner;
mod name;
mod text;

pub use text::PatternError;

pub(crate) use amount::{Trace, learned};
pub(crate) use counterexample::{has_setup, learn_guards, smallest};
pub(crate) use detour::is_kin;
pub(crate) use generalize::abstracted;
pub use generalize::{parallelized, varied};
pub use learner::Learner;
#[cfg(feature = "values")]
pub(crate) use name::name_for;
pub(crate) use name::name_of;

#[cfg(test)]
mod tests;
