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
//! assert_eq!(failed.arguments()[0].text, "23");
//! ```
//!
//! **Invariant:** a failure is on disk before it is reported.

mod environment;
mod explain;
mod outcome;
mod profile;
mod property;
mod regressions;
mod run;
mod serve;
mod written;

pub use crate::case::{Argument, Effort};
#[doc(hidden)]
pub use crate::case::{Borrowing, Closures, Finder, Judged, Observer, Origin, Test};
pub use crate::hunt::Bug;
#[doc(hidden)]
pub use crate::hunt::known;
pub use crate::label::{Checks, Cover, Labels};
pub use crate::settings::{Isolate, Observe, Options, Scope, SeedChoice, Strategies, WantedBugs, Write};
#[doc(hidden)]
pub use crate::settings::{Settings, Span};
pub use crate::strategy::Exhausted;
#[doc(hidden)]
pub use environment::{Enough, Environment, KnownUse};
pub use outcome::{Calls, Failed, Passed, Reason};
pub use property::{Property, check};

pub(crate) use serve::tell_outcome;
