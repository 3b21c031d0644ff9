//! Defaults: settings that depend on the kind of test.
//!
//! **Invariant:** a setting that was given is never changed.

use super::cases::Cases;
use crate::settings::{Scope, Settings, WantedBugs};

impl Settings {
    /// Returns true if more than the first bug of a test is looked for. Of programs that must panic, the shortest
    /// that does not stands for all of them: it is the empty one, or what it lacks is in no pattern.
    pub(crate) fn hunts(&self, cases: Cases<'_>) -> bool {
        match cases.programs {
            Some(_) => self.bugs.scope != Scope::First && self.expect_panic.is_none(),
            None if cfg!(feature = "values") => self.bugs.scope != Scope::First,
            // What cannot be told apart is asked for all the same, and that is told.
            None => self.bugs.scope == Scope::All,
        }
    }
}

impl WantedBugs {
    /// The bugs wanted of a test where nothing is said. Of programs, all that is found in little more time. What
    /// refutes a property is often no form that a pattern could say, such as a number that is less than another,
    /// and then every input is a bug of its own.
    pub(crate) fn usual(cases: Cases<'_>) -> WantedBugs {
        match cases.programs {
            Some(_) => WantedBugs::MORE,
            None => WantedBugs::FIRST,
        }
    }
}
