//! Learning: from programs that fail to the pattern of their bug, and from those that pass to what it lacks.
//!
//! The idea is that of MoreBugs (Hughes, Norell, Smallbone and Arts, *Find more bugs with QuickCheck!*,
//! 2016). A stored pattern names operations, so writing and reading one needs the suite too.
//!
//! **Invariant:** nothing here runs a program itself; what has to be tried is a [trial](crate::trial).

mod amount;
mod amount_text;
mod broken;
mod class;
mod counterexample;
mod detour;
mod generalize;
mod grown;
mod guard;
mod learner;
mod name;
mod order;
mod order_text;
mod text;

pub use text::PatternError;

pub(crate) use amount::{Trace, learned, may_have_reason, reason_of_its_own};
pub(crate) use broken::{common_way, is_broken};
pub(crate) use counterexample::{has_setup, learn_guards, smallest};
pub(crate) use detour::is_kin;
pub use generalize::varied;
pub(crate) use generalize::{abstracted, exact, loosened};
pub(crate) use grown::{is_grown, is_traded};
pub use learner::Learner;
#[cfg(feature = "values")]
pub(crate) use name::name_for;
pub(crate) use name::name_of;
pub use order::parallelized;

#[cfg(test)]
mod tests;
