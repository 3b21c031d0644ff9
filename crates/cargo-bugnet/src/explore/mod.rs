//! Exploring a crate: its harness is run in processes that may die, and every failure is kept as a finding.
//!
//! A [`pool`] of [`worker`]s runs the harness within a [`budget`]; operations that kill their process are [`deadly`]
//! and are avoided; [`progress`] says how far a run is. Bugs that were accepted are [`known`], and those of the
//! [`last`] run can be. Findings that a killed run could not show are [`unseen`].
//!
//! **Invariant:** the code under test runs in other processes only, so nothing it does ends the run.

pub(crate) mod budget;
mod deadly;
pub(crate) mod known;
pub(crate) mod last;
pub(crate) mod pool;
pub(crate) mod progress;
pub(crate) mod tally;
pub(crate) mod unseen;
pub(crate) mod worker;
