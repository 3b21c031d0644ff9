//! Exploring a crate: its harness is run in processes that may die, and what fails becomes bugs.
//!
//! The modules follow the data: [`fact`]s say what the harness is, a [`crew`] of [`worker`]s runs its
//! [`process`]es with the limits of [`isolate`], [`event`]s become [`finding`]s, [`triage`] says which of
//! them are worth a look, those with one [`root`] are [`reduce`]d and [`replay`]ed to be a [`bug`] with a
//! [`test`] and its [`proof`], and bugs that are not [`known`] are [`report`]ed.
//!
//! **Invariant:** the code under test runs in other processes only, so nothing it does ends the run.

pub(crate) mod bug;
mod complaint;
pub(crate) mod crew;
mod deaths;
mod event;
pub(crate) mod fact;
mod finding;
pub(crate) mod generalize;
mod handle;
pub(crate) mod isolate;
pub(crate) mod known;
mod law;
mod process;
pub(crate) mod progress;
pub(crate) mod proof;
pub(crate) mod reduce;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod root;
pub(crate) mod subject;
pub(crate) mod test;
mod triage;
pub(crate) mod worker;
