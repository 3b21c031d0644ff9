//! The child: another process of the same test, which runs cases that may kill it.
//!
//! It is asked by commands and answers by events. A child that dies or hangs is a finding; the next case gets a new
//! one.
//!
//! **Invariant:** nothing that a child says is taken for more than a verdict, labels and a tape.

use crate::choice::Tape;
use crate::label;
use crate::oracle::{Failure, Signature, Verdict};
use crate::wire::{Command, Event, Ran, Restraint, VERSION, Work, decode, encode};
use bugnet_process::{Answer, End, Flow, How, Launcher, Limits, Start, Supervisor, Talk};
use std::time::Duration;

/// The limits of a child, in bytes: a case that would take the memory of the machine, or fill its disk, is a finding,
/// not the end of everything else that runs there.
const LIMITS: Limits =
    Limits { memory: Some(4 << 30), file: Some(1 << 30), processor: None, open_files: None };

/// A process that runs cases of one property.
#[derive(Debug)]
pub(crate) struct Child {
    name: String,
    patience: Duration,
    /// The program that starts the child, and takes away its rights if it is to have none.
    launcher: Launcher,
    /// None until the first case is to run.
    supervisor: Option<Supervisor>,
    /// The knowledge that a child needs, with a number that changes whenever it does.
    known: (u64, Restraint),
    /// True if the running process has said that it serves the property.
    is_ready: bool,
    /// The tape of the case that ran last, as far as it is known only from running it.
    traced: Option<Tape>,
}

/// The fate of cases in a child.
#[derive(Debug)]
pub(crate) enum Tried {
    /// The child answered.
    Judged(Verdict),
    /// The child died or hung.
    Lost(Failure),
}

impl Child {
    /// A child for a property; it is started when it is first needed.
    pub(crate) fn new(name: &str, patience: Duration, launcher: Launcher) -> Child {
        Child {
            name: name.to_string(),
            patience,
            launcher,
            supervisor: None,
            known: (0, Restraint::default()),
            is_ready: false,
            traced: None,
        }
    }

    /// Has every child know something before it runs anything else.
    pub(crate) fn teach(&mut self, version: u64, restraint: &dyn Fn() -> Restraint) {
        if self.known.0 != version {
            self.known = (version, restraint());
            let hello = self.hello();
            if let Some(supervisor) = &mut self.supervisor {
                supervisor.tell(&hello[1]);
                supervisor.greet(hello);
            }
        }
    }

    /// Returns the tape of the case that ran last, as far as it got, if only running it has shown it.
    pub(crate) fn traced(&mut self) -> Option<Tape> {
        self.traced.take()
    }

    /// Has the child run cases. The number is that of the cases that ended, the last one included
    /// if it was judged.
    pub(crate) fn run(&mut self, work: &Work) -> Result<(Tried, u64), String> {
        self.traced = None;
        let mut supervisor = match self.supervisor.take() {
            Some(supervisor) => supervisor,
            None => self.supervised()?,
        };
        let (mut ran, is_ready) = (None, &mut self.is_ready);
        let mut take = |frame: Option<&[u8]>| match frame.and_then(decode) {
            Some(Event::Ran(told)) => {
                ran = Some(told);
                Flow::Done
            }
            Some(Event::Ready { version }) => {
                *is_ready = version == VERSION;
                Flow::More
            }
            _ => Flow::More,
        };
        let answer = supervisor.ask(&encode(&Command::Run(work.clone())), self.patience, &mut take);
        self.supervisor = Some(supervisor);
        match (answer, ran) {
            (Ok(Answer::Done), Some(Ran { verdict, ended, labels, tape })) => {
                label::absorb(labels);
                self.traced = tape;
                Ok((Tried::Judged(verdict), ended))
            }
            (Ok(Answer::Lost { end, journal }), _) if self.is_ready => {
                self.is_ready = false;
                if let Some(Work::Tape(tape)) = journal.and_then(|record| decode(&record)) {
                    self.traced = Some(tape);
                }
                Ok((Tried::Lost(self.lost(&end)), 0))
            }
            (Err(error), _) => Err(format!("a child process could not be started: {error}")),
            _ => Err(format!(
                "a child process of this test did not come to serve `{}`: isolation needs the usual test harness, \
                 and a property that is a test of its own",
                self.name
            )),
        }
    }

    fn supervised(&self) -> Result<Supervisor, String> {
        let program = std::env::current_exe().map_err(|error| format!("the test has no path: {error}"))?;
        // The harness knows the test by its path without the name of the crate.
        let test = self.name.split_once("::").map_or(self.name.as_str(), |(_, test)| test);
        let mut start = Start::new(program).argument(test);
        for word in ["--exact", "--nocapture", "--include-ignored", "--test-threads=1"] {
            start = start.argument(word);
        }
        // Tests find their files where they always do; only what they write goes elsewhere.
        let (folder, scratch) = match self.launcher {
            Launcher::Program { .. } => (std::env::current_dir().ok(), Some(std::env::temp_dir())),
            _ => (None, None),
        };
        let mut supervisor = Supervisor::new(Start {
            folder,
            scratch,
            limits: LIMITS,
            launcher: self.launcher.clone(),
            talk: Talk::Journalled(std::env::temp_dir()),
            ..start
        });
        supervisor.greet(self.hello());
        Ok(supervisor)
    }

    /// Returns the frames that every process is told first.
    fn hello(&self) -> Vec<Vec<u8>> {
        let hello = Command::Hello { version: VERSION, serve: self.name.clone() };
        vec![encode(&hello), encode(&Command::Know(self.known.1.clone()))]
    }

    /// The failure of a case that its process did not survive.
    fn lost(&self, end: &End) -> Failure {
        if end.how == How::TookTooLong {
            return Failure::new(Signature::Hung, format!("the case did not end within {:?}", self.patience));
        }
        let how = end.death().verb();
        let message = match end.last_line() {
            "" => format!("the process {how}"),
            last => format!("the process {how}: {last}"),
        };
        Failure::new(Signature::Died(how), message)
    }
}
