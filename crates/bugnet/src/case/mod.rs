//! Cases: a test as the engine runs it, one case at a time.
//!
//! A [`Test`] makes inputs and tests them, or has programs ([`Cases`]); a [`Runner`] runs them, and the [`Judge`] gives
//! verdicts; what failed is [reduced](reduce). Cases that must panic, or that run in a child process, have a runner
//! around their own.
//!
//! **Invariant:** nothing here proposes a case or knows a bug.

mod allowance;
mod cases;
mod child;
mod defaults;
mod effort;
mod elsewhere;
mod evidence;
mod expecting;
mod finder;
mod isolated;
mod journal;
mod judge;
mod judging;
mod program;
mod reduce;
mod runner;
mod test;

pub use effort::{Effort, Origin};
pub use finder::Finder;
pub use test::{Argument, Borrowing, Closures, Test};

pub(crate) use allowance::Allowance;
pub(crate) use cases::Cases;
pub(crate) use child::Child;
pub(crate) use expecting::{Expecting, turned};
pub(crate) use isolated::Isolated;
pub(crate) use journal::Journal;
pub(crate) use judge::{Found, Judge, verdict};
#[doc(hidden)]
pub use judge::{Judged, Observer};
pub(crate) use judging::Judging;
pub(crate) use reduce::{Flaky, Reduced, reduce};
pub(crate) use runner::{Inputs, Runner};
