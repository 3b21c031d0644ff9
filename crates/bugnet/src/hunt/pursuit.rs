//! A pursuit: the search for all bugs of a test, whatever its inputs are.

use super::bug::Bug;
use super::known::KnownBug;
use super::programs::Hunt;
#[cfg(feature = "values")]
use super::values::Values;
use crate::case::{Allowance, Judge, Reduced};
use crate::choice::Tape;
use crate::oracle::WrongTest;
use crate::strategy::Search;

/// Looks for all bugs: those of programs, or those behind a property.
pub(crate) enum Pursuit<'a> {
    Programs(Hunt<'a>),
    #[cfg(feature = "values")]
    Values(Values<'a>),
}

impl Pursuit<'_> {
    /// Takes in what is known before the search.
    pub(crate) fn begin(
        &mut self,
        known: &[KnownBug],
        kept: &[Tape],
        judge: &mut Judge<'_>,
    ) -> Result<(), WrongTest> {
        match self {
            Pursuit::Programs(hunt) => hunt.begin(known, kept, judge),
            #[cfg(feature = "values")]
            Pursuit::Values(values) => values.begin(known, kept, judge),
        }
    }

    /// Searches until the budget is used up.
    pub(crate) fn run(&mut self, search: &mut Search<'_>, judge: &mut Judge<'_>) -> Result<(), WrongTest> {
        match self {
            Pursuit::Programs(hunt) => hunt.run(search, judge),
            #[cfg(feature = "values")]
            Pursuit::Values(values) => values.run(search, judge),
        }
    }

    /// Whether there is anything to report.
    pub(crate) fn has_found(&self) -> bool {
        match self {
            Pursuit::Programs(hunt) => hunt.has_found(),
            #[cfg(feature = "values")]
            Pursuit::Values(values) => values.has_found(),
        }
    }

    /// The calls that may be made from the first bug on.
    pub(crate) fn allowance(&self) -> Option<Allowance> {
        match self {
            Pursuit::Programs(hunt) => hunt.allowance,
            #[cfg(feature = "values")]
            Pursuit::Values(_) => None,
        }
    }

    /// How many calls it took to reduce failures and learn from them.
    pub(crate) fn learning(&self) -> u64 {
        match self {
            Pursuit::Programs(hunt) => hunt.learning,
            #[cfg(feature = "values")]
            Pursuit::Values(_) => 0,
        }
    }

    /// Known bugs that are there no more.
    pub(crate) fn fixed(&self) -> &[String] {
        match self {
            Pursuit::Programs(hunt) => &hunt.fixed,
            #[cfg(feature = "values")]
            Pursuit::Values(values) => values.fixed(),
        }
    }

    /// How many inputs were not run, but count as passed.
    pub(crate) fn avoided(&self) -> u64 {
        match self {
            Pursuit::Programs(_) => 0,
            #[cfg(feature = "values")]
            Pursuit::Values(values) => values.avoided(),
        }
    }

    /// The bugs in the order of the report, with their names.
    pub(crate) fn named(self) -> (Vec<Bug>, Option<Reduced>) {
        match self {
            Pursuit::Programs(hunt) => hunt.named(),
            #[cfg(feature = "values")]
            Pursuit::Values(values) => values.named(),
        }
    }
}
