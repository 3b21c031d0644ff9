//! The supervisor: asks a process, and starts it again when it has died.
//!
//! **Invariant:** every process is told what is known before it is asked anything.

use crate::end::End;
use crate::patience;
use crate::process::{Next, Process};
use crate::start::Start;
use std::io;
use std::time::{Duration, Instant};

/// The time between two reports that nothing was heard; the caller can end the question at each.
const LOOK: Duration = Duration::from_millis(50);

/// A program that answers, and that is started as often as need be.
///
/// ```
/// use bugnet_process::{Answer, Death, Flow, Start, Supervisor};
/// use std::time::Duration;
///
/// let mut supervisor = Supervisor::new(Start::new("/bin/false"));
/// let answer = supervisor.ask(b"who are you?", Duration::from_secs(9), &mut |_| Flow::More).unwrap();
/// let Answer::Lost { end, .. } = answer else { panic!("it does not answer") };
/// assert_eq!(end.death(), Death::Exit(1));
/// ```
#[derive(Debug)]
pub struct Supervisor {
    start: Start,
    process: Option<Process>,
    hello: Vec<Vec<u8>>,
    /// True once the process has said anything.
    has_spoken: bool,
}

/// Says whether an answer is complete.
///
/// ```
/// use bugnet_process::Flow;
///
/// assert_ne!(Flow::More, Flow::Done);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// More is to come.
    More,
    /// The process has told all, or all that is wanted.
    Done,
}

/// The outcome of a question.
///
/// ```
/// use bugnet_process::Answer;
///
/// assert!(matches!(Answer::Done, Answer::Done));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It was answered.
    Done,
    /// The process died, or was ended because it said nothing for too long.
    Lost {
        /// The end of the process.
        end: End,
        /// The journal, which says what the process was doing, if it has one.
        journal: Option<Vec<u8>>,
    },
}

impl Supervisor {
    /// A program; it is started when it is first asked.
    ///
    /// ```
    /// use bugnet_process::{Start, Supervisor};
    ///
    /// // It is not even looked for.
    /// Supervisor::new(Start::new("/no/such/program"));
    /// ```
    pub fn new(start: Start) -> Supervisor {
        Supervisor { start, process: None, hello: Vec::new(), has_spoken: false }
    }

    /// Sets what every process is told first.
    ///
    /// ```
    /// use bugnet_process::{Start, Supervisor};
    ///
    /// Supervisor::new(Start::new("/bin/cat")).greet(vec![b"hello".to_vec()]);
    /// ```
    pub fn greet(&mut self, hello: Vec<Vec<u8>>) {
        self.hello = hello;
    }

    /// Returns whether a process is running, as far as is known.
    ///
    /// ```
    /// use bugnet_process::{Start, Supervisor};
    ///
    /// assert!(!Supervisor::new(Start::new("/bin/cat")).is_running());
    /// ```
    #[inline]
    pub fn is_running(&self) -> bool {
        self.process.is_some()
    }

    /// Sends a frame that is not answered to the process, if one is running.
    ///
    /// ```
    /// use bugnet_process::{Start, Supervisor};
    ///
    /// Supervisor::new(Start::new("/bin/cat")).tell(b"nobody listens");
    /// ```
    pub fn tell(&mut self, content: &[u8]) {
        if let Some(process) = &mut self.process {
            process.send(content);
        }
    }

    /// Asks the process. `take` is given each frame of the answer, and `None` now and then while there is none. A
    /// process that says nothing for as long as `patience` is ended; a new one has time to start.
    ///
    /// ```
    /// use bugnet_process::{Answer, Flow, How, Start, Supervisor};
    /// use std::time::Duration;
    ///
    /// let mut supervisor = Supervisor::new(Start::new("/bin/sleep").argument("60"));
    /// let answer = supervisor.ask(b"", Duration::from_secs(9), &mut |frame| match frame {
    ///     None => Flow::Done,
    ///     Some(_) => Flow::More,
    /// });
    /// assert_eq!(answer.unwrap(), Answer::Done);
    /// ```
    pub fn ask(
        &mut self,
        command: &[u8],
        patience: Duration,
        take: &mut dyn FnMut(Option<&[u8]>) -> Flow,
    ) -> io::Result<Answer> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.started()?,
        };
        process.send(command);
        let mut heard = Instant::now();
        loop {
            let limit = if self.has_spoken { patience } else { patience.max(patience::START) };
            let late = heard + limit;
            let flow = match process.next(late.min(Instant::now() + LOOK)) {
                Next::Frame(frame) => {
                    (self.has_spoken, heard) = (true, Instant::now());
                    take(Some(&frame))
                }
                Next::Late if Instant::now() < late => take(None),
                Next::Late => {
                    process.stop();
                    continue;
                }
                Next::Ended(end) => return Ok(Answer::Lost { end, journal: process.journal() }),
            };
            if flow == Flow::Done {
                self.process = Some(process);
                return Ok(Answer::Done);
            }
        }
    }

    /// Ends the process, if one is running. The next question is put to a new one.
    ///
    /// ```
    /// use bugnet_process::{Start, Supervisor};
    ///
    /// Supervisor::new(Start::new("/bin/cat")).end();
    /// ```
    #[inline]
    pub fn end(&mut self) {
        self.process = None;
    }

    fn started(&mut self) -> io::Result<Process> {
        let mut process = Process::start(&self.start)?;
        self.has_spoken = false;
        for content in &self.hello {
            process.send(content);
        }
        Ok(process)
    }
}
