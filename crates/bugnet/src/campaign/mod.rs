//! The campaign of one property: search, judge, reduce, remember.
//!
//! The engine reads no clock and no environment variable, and prints nothing: both come in by
//! [`Environment`], and what happened goes out as [`Passed`] or [`Failed`].
//!
//! ```
//! use bugnet::campaign::{Property, Strategies};
//!
//! let property = Property::new("squares").strategies(Strategies::Random).cases(100);
//! let failed = property.check(0..1_000u32, |x| x * x < 500).unwrap_err();
//! assert_eq!(failed.arguments[0].text, "23");
//! ```
//!
//! **Invariant:** a failure is on disk before it is reported.

mod environment;
mod expecting;
mod explain;
mod hunt;
mod isolated;
mod judge;
mod kin;
mod known;
pub(crate) mod labels;
mod lesson;
mod outcome;
mod profile;
mod property;
mod pursuit;
mod reduce;
mod regressions;
mod roster;
mod run;
#[cfg(feature = "values")]
mod sampling;
mod search;
mod settings;
#[cfg(feature = "values")]
mod shield;
mod test;
#[cfg(feature = "values")]
mod values;
mod wanted;
mod written;

pub use crate::strategy::Exhausted;
pub use environment::{Enough, Environment, KnownUse};
pub use labels::{Cover, Labels};
pub use outcome::{Bug, Effort, Failed, Origin, Passed, Reason};
pub use property::{Property, check};
pub use settings::{Isolate, Observe, Options, SeedChoice, Settings, Span, Strategies, Write};
pub use test::{Argument, Borrowing, Closures, Test};
pub use wanted::{Scope, Wanted};

pub(crate) use explain::ENOUGH;
pub(crate) use judge::{Found, Judge, Misuse};
