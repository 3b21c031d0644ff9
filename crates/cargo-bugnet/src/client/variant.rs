//! Questions about variants, to a harness whose code under test has switches.
//!
//! **Invariant:** each question is asked of a fresh process, so an answer is confirmed by being asked again.

use super::{Asked, Client};
use anyhow::Result;
use bugnet::wire::explore::{Command, Compared, Comparison, Event, Filtering, Restraint};
use bugnet_process::Talk;
use std::time::Duration;

/// Time of the processor that programs on variants may take; whoever waits ends it sooner.
const HOUR: Duration = Duration::from_secs(3_600);
/// How long is waited for one program to be reduced.
const MINUTE: Duration = Duration::from_secs(60);

impl Client<'_> {
    /// Has programs drawn and run on variants.
    pub(crate) fn filter(self, asked: Filtering) -> Result<Asked> {
        let talk = Talk::Journalled(self.folder.to_path_buf());
        self.ask_with(Command::Filter(asked), Restraint::default(), HOUR, talk)
    }

    /// Has a program reduced and compared; `None` if no variant runs it otherwise, or one ends the process.
    pub(crate) fn compare(self, asked: Comparison) -> Result<Option<Compared>> {
        let answer = self.ask(Command::Compare(asked), HOUR)?.finish(MINUTE);
        Ok(answer.events.into_iter().find_map(|event| match event {
            Event::Compared(compared) => Some(compared),
            _ => None,
        }))
    }
}
