//! Programs: tests that are sequences of calls.
//!
//! A [`Suite`] is what can be called: [`Operation`]s with typed parameters, and checks of the values
//! they make. A [`Program`] is a list of calls; an argument is a literal, kept as the tape it was
//! drawn from, or the result of an earlier call. Programs run on a store of values, in
//! process, with the ownership rules of Rust: what was moved is gone, and what is lent cannot be
//! changed until the loan has ended.
//!
//! `#[machine]` and `#[api]` write suites, so users meet only [`Api`] and [`build`]; nothing here knows about macros.
//! [`Frame`] has an example without them.
//!
//! ```
//! use bugnet::prelude::*;
//! use bugnet::oracle::Verdict;
//! use bugnet::program::{Operation, Programs, Suite};
//!
//! let suite = Suite::new("clock").operation(Operation::new("tick", "tick()", |_| Verdict::Pass)).build();
//! assert!(Property::new("clock").run(&Programs::new(suite)).is_ok());
//! ```
//!
//! **Invariant:** a program is replayed from its tape alone, and the tape from a program alone.

mod abstraction;
mod attribution;
mod avoidance;
mod build;
pub(crate) mod description;
mod execution;
mod frame;
mod history;
mod ledger;
mod manner;
mod odds;
mod operation;
mod probe;
mod programs;
mod proposal;
mod rank;
mod scratch;
mod sequence;
mod standard;
mod steering;
mod store;
mod suite;
mod text;

#[doc(hidden)]
pub use crate::generate::show::Shown;
#[doc(hidden)]
pub use abstraction::class_name;
pub use build::{Api, build};
#[doc(hidden)]
pub use frame::Frame;
#[doc(hidden)]
pub use operation::{Access, Kind, Mode, Operation, Parameter, Role};
#[doc(hidden)]
pub use probe::{
    Fingerprinted, FingerprintedByDebug, Generated, NotFingerprinted, NotGenerated, NotObserved, NotPrinted,
    Observed, Printed, Printer, Probe,
};
pub use programs::Programs;
#[doc(hidden)]
pub use sequence::{Argument, Call, Program};
#[doc(hidden)]
pub use standard::{NotStandard, Standard};
#[doc(hidden)]
pub use suite::Suite;

pub(crate) use abstraction::{Abstraction, Width};
#[doc(hidden)]
pub use avoidance::Avoidance;
pub(crate) use build::forget;
#[doc(hidden)]
pub use build::joined;
pub(crate) use execution::NoHook;
#[doc(hidden)]
pub use execution::{Attempt, Execution, Failed, Hook, HookedCall, Lookout};
#[doc(hidden)]
pub use frame::LITERAL;
pub(crate) use history::{calls_of, finds, first_call, measures_of, value_of};
pub(crate) use proposal::Extension;
#[doc(hidden)]
pub use proposal::Proposal;
#[doc(hidden)]
pub use scratch::Scratch;
#[doc(hidden)]
pub use sequence::CALL;
pub(crate) use steering::Steering;
pub(crate) use text::{Failing, described};

#[cfg(test)]
mod tests;
