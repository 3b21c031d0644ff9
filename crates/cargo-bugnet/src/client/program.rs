//! Questions about operations and programs that a harness answers without running any.
//!
//! **Invariant:** a harness that does not answer in time has no operations, and its programs no calls.

use super::{Client, read};
use anyhow::Result;
use bugnet::wire::explore::{Command, Event};
use bugnet::wire::{Program, Role};

impl Client<'_> {
    /// Returns the names of all operations, and what each is for.
    pub(crate) fn operations(self) -> Result<Vec<(String, Role)>> {
        let events = self.answer(Command::List)?.events;
        let names = events.into_iter().filter_map(|event| match event {
            Event::Operation { name, role, is_reachable } => is_reachable.then_some((name, role)),
            _ => None,
        });
        Ok(names.collect())
    }

    /// Returns the calls of a program.
    pub(crate) fn describe(self, tape: &str) -> Result<Program> {
        let events = self.answer(Command::Describe(read(tape)?))?.events;
        let mut shown = events.into_iter().filter_map(|event| match event {
            Event::Program(program) => Some(program),
            _ => None,
        });
        Ok(shown.next().unwrap_or_default())
    }
}
