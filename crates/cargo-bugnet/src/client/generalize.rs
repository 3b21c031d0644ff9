//! Generalizing: the harness looks for what programs that fail as a minimal one have in common.
//!
//! **Invariant:** what could not be tried in time stays as it is in the minimal program.

use super::limit::{patience, processor};
use super::{Client, manner, read};
use crate::finding::{Finding, Pattern};
use anyhow::Result;
use bugnet::wire::explore::{Command, Event, Generalized, Limit, Task};

impl Client<'_> {
    /// Asks for the pattern of a minimal program; `None` if it has none.
    pub(crate) fn generalize(self, finding: &Finding, limit: Limit) -> Result<Option<Pattern>> {
        let Some(tape) = finding.tape.as_deref() else { return Ok(None) };
        let task = Task { tape: read(tape)?, manner: manner(finding.cause), limit };
        let asked = self.ask(Command::Generalize(task), processor(limit))?;
        Ok(asked.finish(patience(limit)).events.into_iter().find_map(|event| match event {
            Event::Generalized(Generalized { pattern, wide, words, calls, suspects }) => {
                Some(Pattern { stored: pattern, wide, words, calls: calls as usize, suspects })
            }
            _ => None,
        }))
    }
}
