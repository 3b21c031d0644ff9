//! Reducing: the harness looks for the simplest program that fails in the same way.
//!
//! **Invariant:** the answer has failed in the harness that gave it.

use super::limit::{patience, processor};
use super::{Client, read};
use anyhow::Result;
use bugnet::wire::explore::{Command, Event, Limit, Manner, Reduced, Restraint, Task};
use bugnet_process::Talk;

impl Client<'_> {
    /// Asks for the minimal program that matches none of the known patterns; `None` if the program does not fail
    /// again when it is tried in this manner.
    pub(crate) fn reduce(
        self,
        tape: &str,
        manner: Manner,
        limit: Limit,
        known: Vec<String>,
    ) -> Result<Option<Reduced>> {
        let question = Command::Reduce(Task { tape: read(tape)?, manner, limit });
        let restraint = Restraint { known, ..Restraint::default() };
        let asked = self.ask_with(question, restraint, processor(limit), Talk::Frames)?;
        Ok(asked.finish(patience(limit)).events.into_iter().find_map(|event| match event {
            Event::Reduced(reduced) => Some(reduced),
            _ => None,
        }))
    }
}
