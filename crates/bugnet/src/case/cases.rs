//! Cases: what a run knows of its test.
//!
//! **Invariant:** whether a test consists of programs is asked once, when its cases are made.

use super::test::Test;
use crate::program::Programs;

/// The cases of a test: inputs, or programs.
#[derive(Clone, Copy)]
pub(crate) struct Cases<'a> {
    /// Runs them.
    pub(crate) test: &'a dyn Test,
    /// The programs that they are, if they are programs.
    pub(crate) programs: Option<&'a Programs>,
}

impl<'a> Cases<'a> {
    pub(crate) fn of(test: &'a dyn Test) -> Cases<'a> {
        Cases { test, programs: test.programs() }
    }

    /// The same cases, run by a test around the test.
    pub(crate) fn run_by<'b>(self, test: &'b dyn Test) -> Cases<'b>
    where
        'a: 'b,
    {
        Cases { test, programs: self.programs }
    }
}
