//! Effort: what finding and reducing a failure took.
//!
//! **Invariant:** a case that was kept is never counted as found.

use super::finder::Finder;
use std::fmt;

/// The cost of finding and reducing a failure.
///
/// ```
/// use bugnet::prelude::*;
///
/// let failed = check(any::<u32>(), |x| x < 1_000).unwrap_err();
/// assert_eq!(failed.arguments()[0].text, "1000");
/// assert!(failed.effort().shrink_steps <= failed.effort().shrink_tests);
/// assert!(!failed.effort().unfinished);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// The origin of the failing input.
    pub origin: Origin,
    /// Cases that passed before the first failure.
    pub passed: u64,
    /// Inputs tested while shrinking.
    pub shrink_tests: u64,
    /// Of those, how many were simpler and failed as well.
    pub shrink_steps: u64,
    /// True if shrinking was cut short by its limits.
    pub unfinished: bool,
}

/// The origin of a failing input.
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::campaign::Origin;
///
/// let failed = check(any::<u8>(), |x| x < 100).unwrap_err();
/// assert_eq!(failed.effort().origin, Origin::Found);
/// assert_eq!(Origin::Example.to_string(), "on an example");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Origin {
    /// It was searched for.
    #[default]
    Found,
    /// It was in flight when an earlier run died.
    InFlight,
    /// It was given by `#[example]`.
    Example,
    /// It was kept from an earlier run, or named by `BUGNET_REPLAY`.
    Kept,
}

impl fmt::Display for Origin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Origin::Found => "in the search",
            Origin::InFlight => "in the last run, which died of it",
            Origin::Example => "on an example",
            Origin::Kept => "on a case that was kept",
        })
    }
}

impl Effort {
    /// The same, of a case that a strategy found after `passed` cases that passed.
    pub(crate) fn found(self, by: Finder, passed: u64) -> Effort {
        let origin = if by == Finder::KeptCase { Origin::Kept } else { self.origin };
        Effort { origin, passed, ..self }
    }
}
