//! Questions about variants, to a harness whose code under test has switches.
//!
//! **Invariant:** each question is asked of a fresh process, so an answer is confirmed by being asked again.

use super::{Asked, Client};
use anyhow::Result;
use bugnet::wire::explore::{Command, Compared, Comparison, Contrast, Dispute, Event, Filtering, Restraint};
use bugnet_process::{Talk, patience};

impl Client<'_> {
    /// Has programs drawn and run on variants.
    pub(crate) fn filter(self, asked: Filtering) -> Result<Asked> {
        let talk = Talk::Journalled(self.folder.to_path_buf());
        self.ask_with(Command::Filter(asked), Restraint::default(), patience::TASK, talk)
    }

    /// Has programs drawn and run on another build, whose transcripts the process asks for.
    pub(crate) fn contrast(self, asked: Contrast) -> Result<Asked> {
        let talk = Talk::Journalled(self.folder.to_path_buf());
        self.ask_with(Command::Contrast(asked), Restraint::default(), patience::TASK, talk)
    }

    /// Has a program reduced that another build runs otherwise; the process asks for its transcripts.
    pub(crate) fn dispute(self, asked: Dispute) -> Result<Asked> {
        self.ask(Command::Dispute(asked), patience::TASK)
    }

    /// Starts a process that runs the programs which it is sent.
    pub(crate) fn attend(self) -> Result<Asked> {
        self.ask(Command::Attend, patience::TASK)
    }

    /// Has a program reduced and compared; `None` if no variant runs it otherwise, or one ends the process.
    pub(crate) fn compare(self, asked: Comparison) -> Result<Option<Compared>> {
        let answer = self.ask(Command::Compare(asked), patience::TASK)?.finish(patience::STEADY);
        Ok(answer.events.into_iter().find_map(|event| match event {
            Event::Compared(compared) => Some(compared),
            _ => None,
        }))
    }
}
