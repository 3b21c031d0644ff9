//! A pursuit: the search for all bugs of a test, whatever its inputs are.

use super::hunt::Hunt;
use super::judge::{Judge, Misuse};
use super::known::KnownBug;
use super::outcome::Bug;
use super::reduce::Reduced;
use super::regressions::Kept;
use super::search::Search;
#[cfg(feature = "values")]
use super::values::Values;

/// Looks for all bugs: those of programs, or those behind a property.
pub(super) enum Pursuit<'a> {
    Programs(Hunt<'a>),
    #[cfg(feature = "values")]
    Values(Values<'a>),
}

impl Pursuit<'_> {
    /// Takes in what is known before the search.
    pub(super) fn begin(
        &mut self,
        known: &[KnownBug],
        kept: &[Kept],
        judge: &mut Judge<'_>,
    ) -> Result<(), Misuse> {
        match self {
            Pursuit::Programs(hunt) => hunt.begin(known, kept, judge),
            #[cfg(feature = "values")]
            Pursuit::Values(values) => values.begin(known, kept, judge),
        }
    }

    /// Searches until the budget is used up.
    pub(super) fn run(&mut self, search: &mut Search<'_>, judge: &mut Judge<'_>) -> Result<(), Misuse> {
        match self {
            Pursuit::Programs(hunt) => hunt.run(search, judge),
            #[cfg(feature = "values")]
            Pursuit::Values(values) => values.run(search, judge),
        }
    }

    /// Whether there is anything to report.
    pub(super) fn has_found(&self) -> bool {
        match self {
            Pursuit::Programs(hunt) => hunt.has_found(),
            #[cfg(feature = "values")]
            Pursuit::Values(values) => values.has_found(),
        }
    }

    /// Known bugs that are there no more.
    pub(super) fn fixed(&self) -> &[String] {
        match self {
            Pursuit::Programs(hunt) => &hunt.fixed,
            #[cfg(feature = "values")]
            Pursuit::Values(values) => values.fixed(),
        }
    }

    /// How many inputs were not run, but count as passed.
    pub(super) fn avoided(&self) -> u64 {
        match self {
            Pursuit::Programs(_) => 0,
            #[cfg(feature = "values")]
            Pursuit::Values(values) => values.avoided(),
        }
    }

    /// The bugs in the order of the report, with their names.
    pub(super) fn named(self) -> (Vec<Bug>, Option<Reduced>) {
        match self {
            Pursuit::Programs(hunt) => hunt.named(),
            #[cfg(feature = "values")]
            Pursuit::Values(values) => values.named(),
        }
    }
}
