//! Oracles: what judges a run.
//!
//! ```
//! use bugnet::oracle::{IntoVerdict, Signature, Verdict};
//!
//! let Verdict::Fail(failure) = false.into_verdict() else { unreachable!() };
//! assert_eq!(failure.signature, Signature::ReturnedFalse);
//! ```
//!
//! **Invariant:** whatever the code under test does short of ending the process becomes a
//! [`Verdict`]; a mistake in the test itself (an empty range, no cases) is told apart from both.

pub(crate) mod future;
mod law;
mod panic;
mod phase;
mod plain;

pub use law::Law;
#[doc(hidden)]
pub use law::PanickingLaw;
#[doc(hidden)]
pub use panic::{Caught, catch, look_at_panics, usage_error};
pub(crate) use panic::{Discarded, WrongTest};
pub use phase::Phase;
#[doc(hidden)]
pub use plain::plain;

use std::fmt::{self, Debug};

/// The result of one case.
///
/// ```
/// use bugnet::oracle::{IntoVerdict, Verdict};
///
/// assert_eq!(true.into_verdict(), Verdict::Pass);
/// assert!(matches!(Err::<(), _>("no").into_verdict(), Verdict::Fail(_)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The property held.
    Pass,
    /// The case did not meet the preconditions.
    Discard,
    /// The property was refuted.
    Fail(Box<Failure>),
}

/// The failure that refuted a property.
///
/// ```
/// use bugnet::oracle::{Failure, Signature};
///
/// let failure = Failure::new(Signature::ReturnedFalse, "the property returned false");
/// assert_eq!(failure.location(), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The kind of failure; shrinking never leaves the kind.
    pub signature: Signature,
    /// The message of the failure; not part of the kind, because it may hold values.
    pub message: String,
}

/// The kind of a failure, by which two failures are the same.
///
/// ```
/// use bugnet::oracle::Signature;
///
/// let place = Signature::Panic { file: "src/lib.rs".into(), line: 7, column: 5 };
/// assert_eq!(place.to_string(), "src/lib.rs:7:5");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signature {
    /// A panic, by its place.
    Panic {
        /// The source file.
        file: String,
        /// The line in it.
        line: u32,
        /// The column in it.
        column: u32,
    },
    /// The property returned `false`.
    ReturnedFalse,
    /// The property returned an error.
    ReturnedError,
    /// The property should have panicked and did not.
    NoPanic,
    /// The process died; the text says of what.
    Died(String),
    /// The case did not end in time.
    Hung,
    /// A call of a program failed.
    InCall {
        /// The operation, or nothing if values were dropped at the end.
        operation: String,
        /// When it happened. In [`Phase::Observe`], the operation is the type of the printed value.
        phase: Phase,
        /// The failure of that call.
        cause: Box<Signature>,
    },
}

impl Signature {
    /// Returns true if the process did not survive the failure, or would not have.
    pub(crate) fn is_deadly(&self) -> bool {
        matches!(self.cause(), Signature::Died(_) | Signature::Hung)
    }

    /// Returns true if the failure takes all the time that a case may take.
    pub(crate) fn is_hang(&self) -> bool {
        *self.cause() == Signature::Hung
    }

    /// The kind of failure, without the call it happened in.
    #[doc(hidden)]
    pub fn cause(&self) -> &Signature {
        match self {
            Signature::InCall { cause, .. } => cause,
            other => other,
        }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Signature::Panic { file, line, column } => write!(out, "{file}:{line}:{column}"),
            Signature::ReturnedFalse => out.write_str("returned false"),
            Signature::ReturnedError => out.write_str("returned an error"),
            Signature::NoPanic => out.write_str("did not panic"),
            Signature::Died(how) => out.write_str(how),
            Signature::Hung => out.write_str("did not end"),
            Signature::InCall { operation, phase, cause } => match (operation.as_str(), phase) {
                ("", _) => write!(out, "{cause}, when the values were dropped"),
                (name, Phase::Observe) => write!(out, "{cause}, when `{name}` was printed"),
                (name, Phase::Drop) => write!(out, "{cause}, when a value was dropped before `{name}`"),
                (name, phase) => write!(out, "{cause}, in the {phase} `{name}`"),
            },
        }
    }
}

impl Failure {
    /// A failure of a kind, with what it said.
    ///
    /// ```
    /// use bugnet::oracle::{Failure, Signature};
    ///
    /// let failure = Failure::new(Signature::Hung, "the case took longer than 10s");
    /// assert_eq!(failure.signature.to_string(), "did not end");
    /// ```
    pub fn new(signature: Signature, message: impl Into<String>) -> Failure {
        Failure { signature, message: plain(message.into()) }
    }

    /// Returns the place of the failure, if it has one.
    ///
    /// ```
    /// use bugnet::oracle::{Failure, Signature};
    ///
    /// let place = Signature::Panic { file: "src/lib.rs".into(), line: 7, column: 5 };
    /// assert_eq!(Failure::new(place, "boom").location().as_deref(), Some("src/lib.rs:7:5"));
    /// assert_eq!(Failure::new(Signature::ReturnedFalse, "false").location(), None);
    /// ```
    pub fn location(&self) -> Option<String> {
        let cause = self.signature.cause();
        matches!(cause, Signature::Panic { .. }).then(|| cause.to_string())
    }
}

/// Types that a property may return: nothing, a `bool` that says that it holds, or a result.
///
/// ```
/// use bugnet::oracle::{IntoVerdict, Verdict};
///
/// assert_eq!(().into_verdict(), Verdict::Pass);
/// assert!(matches!(false.into_verdict(), Verdict::Fail(_)));
/// ```
#[diagnostic::on_unimplemented(
    message = "a property cannot return `{Self}`",
    note = "a property returns nothing, `bool`, or `Result` of one of them"
)]
pub trait IntoVerdict {
    /// The verdict that the value stands for.
    ///
    /// ```
    /// use bugnet::oracle::{IntoVerdict, Verdict};
    ///
    /// assert_eq!(Ok::<bool, String>(true).into_verdict(), Verdict::Pass);
    /// assert!(matches!(Ok::<bool, String>(false).into_verdict(), Verdict::Fail(_)));
    /// ```
    fn into_verdict(self) -> Verdict;
}

impl IntoVerdict for () {
    #[inline(always)]
    fn into_verdict(self) -> Verdict {
        Verdict::Pass
    }
}

impl IntoVerdict for bool {
    #[inline]
    fn into_verdict(self) -> Verdict {
        if self { Verdict::Pass } else { returned_false() }
    }
}

impl IntoVerdict for Verdict {
    #[inline(always)]
    fn into_verdict(self) -> Verdict {
        self
    }
}

impl<T: IntoVerdict, E: Debug> IntoVerdict for Result<T, E> {
    #[inline]
    fn into_verdict(self) -> Verdict {
        match self {
            Ok(value) => value.into_verdict(),
            Err(error) => returned_error(&error),
        }
    }
}

#[cold]
fn returned_false() -> Verdict {
    Verdict::Fail(Box::new(Failure::new(Signature::ReturnedFalse, "the property returned false")))
}

#[cold]
fn returned_error(error: &dyn Debug) -> Verdict {
    let message = format!("the property returned an error: {error:?}");
    Verdict::Fail(Box::new(Failure::new(Signature::ReturnedError, message)))
}
