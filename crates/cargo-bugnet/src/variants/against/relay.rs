//! The relay: harnesses of two builds in processes of their own, and the programs that pass between them.
//!
//! **Invariant:** a build that dies or hangs is started again, and its death is what it did with that program.

use crate::client::{Asked, Client, Next};
use anyhow::{Result, bail};
use bugnet::choice::Tape;
use bugnet::wire::explore::{Command, Ending, Entry, Event, Sight, Transcript};
use bugnet_process::{How, patience};
use std::time::Instant;

/// Passes programs on to another build.
#[derive(Debug)]
pub(crate) struct Relay<'a> {
    other: Client<'a>,
    /// The process of the other build, once it was needed.
    attending: Option<Asked>,
}

/// The end of a conversation.
#[derive(Debug)]
pub(crate) enum Ended {
    /// The harness came to its end.
    Done,
    /// There is no more time.
    Late,
    /// The harness died or hung; its journal says over what.
    Lost(String),
}

impl<'a> Relay<'a> {
    pub(crate) fn new(other: Client<'a>) -> Relay<'a> {
        Relay { other, attending: None }
    }

    /// Listens to a harness until it ends, and answers its questions about the other build.
    pub(crate) fn listen(
        &mut self,
        mut asked: Asked,
        end: Instant,
        is_interrupted: &dyn Fn() -> bool,
        hear: &mut dyn FnMut(Event),
    ) -> Result<Ended> {
        let ending = loop {
            if Instant::now() >= end || is_interrupted() {
                return Ok(Ended::Late);
            }
            match asked.next(patience::STEADY) {
                Next::Event(Event::Asked(tape)) => {
                    let transcript = self.transcript(&tape)?;
                    asked.say(&Command::Told(transcript));
                }
                Next::Event(event) => hear(event),
                Next::Silence => break None,
                Next::End(ending, _) => break ending,
            }
        };
        match ending {
            Some(Ending::Done) => Ok(Ended::Done),
            Some(Ending::Misused(reason)) | Some(Ending::OurBug(reason)) => {
                bail!("the harness gave up: {reason}; please report this crate")
            }
            _ => {
                let journal = asked.journal().and_then(|record| String::from_utf8(record).ok());
                Ok(Ended::Lost(journal.unwrap_or_default()))
            }
        }
    }

    /// Returns what the other build does with a program.
    fn transcript(&mut self, tape: &Tape) -> Result<Transcript> {
        let mut attending = match self.attending.take() {
            Some(attending) => attending,
            None => self.other.attend()?,
        };
        attending.say(&Command::Run(tape.clone()));
        let how = loop {
            match attending.next(patience::STEADY) {
                Next::Event(Event::Ran(transcript)) => {
                    self.attending = Some(attending);
                    return Ok(transcript);
                }
                Next::Event(_) => {}
                Next::Silence => break "does not come to its end".to_string(),
                Next::End(ending, end) => break death(ending, end.how),
            }
        };
        // Nobody knows which call it was.
        Ok(Transcript { entries: vec![Entry { call: 0, sight: Sight::Died(how) }] })
    }
}

/// Returns the end of a process in words.
fn death(ending: Option<Ending>, how: How) -> String {
    match (ending, how) {
        (Some(Ending::CallHangs), _) | (_, How::TookTooLong) => "does not come to its end".to_string(),
        (Some(Ending::Full), _) => "wants more memory than there is".to_string(),
        (_, How::Signalled(signal)) => format!("dies of signal {signal}"),
        (_, How::Exited(code)) => format!("ends the process with code {code}"),
    }
}
