//! Against: a whole build of the same library as the variant, so that what has changed between two builds is seen.
//!
//! A [`rival`] is the other build, as the user names it. Programs are drawn on one build, a [`relay`] has the other one
//! run them too, and each [`change`] is a smallest program that shows one difference.
//!
//! **Invariant:** what differs between two runs of the same build is no change.

pub(crate) mod change;
pub(crate) mod relay;
pub(crate) mod rival;
