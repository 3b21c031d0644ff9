//! Finders: the searches that come upon failing cases.
//!
//! **Invariant:** the word of a finder is the same in every report.

use std::fmt;

/// The search that found a failing case. Printed, it is the word of the report's `met by:` line.
///
/// ```
/// use bugnet::campaign::{Finder, WantedBugs};
/// use bugnet::prelude::*;
/// use bugnet::program::{Operation, Programs, Suite};
///
/// let suite = Suite::new("time").operation(Operation::new("now", "now()", |_| panic!("late")));
/// let property = Property::new("time").bugs(WantedBugs::ALL).strategies(Strategies::Random);
/// let failed = property.run(&Programs::new(suite.strict().build())).unwrap_err();
/// assert_eq!(failed.bugs[0].hits[0].0, Finder::RandomSearch);
/// assert_eq!(Finder::RandomSearch.to_string(), "random search");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Finder {
    /// Random cases.
    RandomSearch,
    /// All small cases.
    ExhaustiveSearch,
    /// Variations of cases that did something new.
    EvolvingSearch,
    /// Random cases without some of their features.
    SwarmedSearch,
    /// Programs that extend others.
    Feedback,
    /// Cases of a known pattern that are run all the same, to test the pattern.
    Sampling,
    /// A case that an earlier run kept.
    KeptCase,
    /// The case of a known bug, which now fails in another way.
    KnownBug,
    /// The case in which an earlier run died.
    EarlierRun,
    /// Anything, after the bug was named.
    Later,
}

impl Finder {
    /// Returns the word that stands for it in reports.
    ///
    /// ```
    /// use bugnet::campaign::Finder;
    ///
    /// assert_eq!(Finder::KeptCase.as_str(), "a kept case");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Finder::RandomSearch => "random search",
            Finder::ExhaustiveSearch => "exhaustive search",
            Finder::EvolvingSearch => "evolving search",
            Finder::SwarmedSearch => "swarmed search",
            Finder::Feedback => "feedback",
            Finder::Sampling => "sampling",
            Finder::KeptCase => "a kept case",
            Finder::KnownBug => "a known bug",
            Finder::EarlierRun => "an earlier run",
            Finder::Later => "later",
        }
    }
}

impl fmt::Display for Finder {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}
