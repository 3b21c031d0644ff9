//! A harness that was asked: its events, and its end.
//!
//! **Invariant:** a frame that is no event is passed over, and a process that ended without an [`Ending`] has died.

use crate::interrupt;
use bugnet::wire::explore::{Command, Ending, Event, Restraint};
use bugnet::wire::{VERSION, decode, encode};
use bugnet_process::{End, How, Process};
use std::time::{Duration, Instant};

/// The time between two looks at whether an answer is still wanted; an interrupt is noticed this late.
const LOOK: Duration = Duration::from_millis(100);

/// A process of a harness that was asked something.
#[derive(Debug)]
pub(crate) struct Asked {
    process: Process,
    ending: Option<Ending>,
}

/// The next event of a process.
#[derive(Debug)]
pub(crate) enum Next {
    Event(Event),
    /// Nothing, for as long as was waited.
    Silence,
    /// It has ended, and has said all that it ever will. Without an ending of its own it has died.
    End(Option<Ending>, End),
}

/// All that a process said.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) events: Vec<Event>,
    /// The reason for which it ended by itself.
    pub(crate) ending: Option<Ending>,
    pub(crate) end: End,
    /// The last record of its journal, if it has one.
    pub(crate) journal: Option<Vec<u8>>,
}

impl Asked {
    /// Asks a process that has just been started.
    pub(crate) fn new(mut process: Process, restraint: Restraint, question: Command) -> Asked {
        for command in [Command::Hello { version: VERSION }, Command::Know(restraint), question] {
            process.send(&encode(&command));
        }
        Asked { process, ending: None }
    }

    /// Tells a process that has asked for it something more.
    pub(crate) fn tell(&mut self, command: &Command) {
        self.process.send(&encode(command));
    }

    /// Returns the next event, if it comes in time.
    pub(crate) fn next(&mut self, patience: Duration) -> Next {
        let late = Instant::now() + patience;
        loop {
            match self.process.next(late) {
                bugnet_process::Next::Late => return Next::Silence,
                bugnet_process::Next::Ended(end) => return Next::End(self.ending.take(), end),
                bugnet_process::Next::Frame(frame) => match decode(&frame) {
                    Some(Event::Ending(ending)) => self.ending = Some(ending),
                    Some(event) => return Next::Event(event),
                    None => {}
                },
            }
        }
    }

    /// Sends one more command to a process that waits for it.
    pub(crate) fn say(&mut self, command: &Command) {
        self.process.send(&encode(command));
    }

    /// Returns the record in the journal of the process.
    pub(crate) fn journal(&self) -> Option<Vec<u8>> {
        self.process.journal()
    }

    /// Waits for the end, and ends a process that takes too long, or whose answer nobody wants any more.
    pub(crate) fn finish(mut self, patience: Duration) -> Answer {
        let late = Instant::now() + patience;
        let mut events = Vec::new();
        loop {
            match self.next(late.saturating_duration_since(Instant::now()).min(LOOK)) {
                Next::Event(event) => events.push(event),
                Next::End(ending, end) => {
                    return Answer { events, ending, end, journal: self.journal() };
                }
                Next::Silence if Instant::now() < late && !interrupt::is_cut() => {}
                Next::Silence => {
                    let journal = self.journal();
                    return Answer { events, ending: None, end: self.process.end(), journal };
                }
            }
        }
    }
}

impl Answer {
    /// Returns whether the process was ended because it took too long, on the clock or on the processor.
    pub(crate) fn took_too_long(&self) -> bool {
        // A process that used up the time of the processor which it may use is sent SIGXCPU.
        matches!(self.end.how, How::TookTooLong | How::Signalled(24))
    }
}
