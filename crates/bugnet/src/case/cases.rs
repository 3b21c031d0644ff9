//! Cases: what a run knows of its test.
//!
//! **Invariant:** whether a test consists of programs is asked once, when its cases are made.

use super::runner::{Inputs, Runner};
use crate::program::{Programs, Scratch};
use crate::settings::Settings;

/// The cases of a test: inputs, or programs.
#[derive(Clone, Copy)]
pub(crate) struct Cases<'a> {
    /// Runs them.
    pub(crate) runner: &'a dyn Runner,
    /// The programs that they are, if they are programs.
    pub(crate) programs: Option<&'a Programs>,
}

impl<'a> Cases<'a> {
    pub(crate) fn of(inputs: &'a Inputs<'a>) -> Cases<'a> {
        match inputs.0.programs() {
            Some(programs) => Cases { runner: programs, programs: Some(programs) },
            None => Cases { runner: inputs, programs: None },
        }
    }

    /// Returns the same cases, run by a runner around theirs.
    pub(crate) fn run_by<'b>(self, runner: &'b dyn Runner) -> Cases<'b>
    where
        'a: 'b,
    {
        Cases { runner, programs: self.programs }
    }

    /// Returns the state of a run that has not begun. That of inputs is empty.
    pub(crate) fn scratch(self, settings: &Settings) -> Scratch {
        self.programs.map_or(Scratch::default(), |programs| programs.scratch(settings))
    }
}
