//! Running a program of the file once: in a folder of its own, with limits, and never for too long.
//!
//! **Invariant:** processor time decides whether a program hangs. Waiting ends at ten times that and after a minute at
//! the earliest, and then nothing is concluded, for the machine may be busy.

use super::file::Limit;
use anyhow::Result;
use bugnet_process::{Group, How, Launcher, Limits, Next, Output, Process, Start, Variables, patience};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Waiting for a program ends at this many times its processor time.
const WAIT: u32 = 10;
/// The time between two questions whether to go on waiting; an interrupt is noticed this late.
const ASK: Duration = Duration::from_millis(100);
/// Bytes that are kept of standard output and of standard error.
const KEPT: usize = 256 << 10;
/// The largest file that a program may write, in bytes.
const FILE: u64 = 256 << 20;

/// The result of running a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) end: Ended,
    pub(crate) output: Vec<u8>,
    pub(crate) errors: String,
}

/// The end of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    Exit(i32),
    Signal(i32),
    /// It used up its processor time.
    UsedUp,
    /// It neither ended nor used up its processor time while it was waited for.
    Waited,
}

/// One run of a program.
#[derive(Debug)]
pub(crate) struct Job<'a> {
    pub(crate) program: &'a Path,
    pub(crate) words: Vec<String>,
    pub(crate) folder: &'a Path,
    /// The file that is its standard input.
    pub(crate) input: Option<PathBuf>,
    pub(crate) limit: Limit,
}

impl Job<'_> {
    /// Runs the program to its end, or until it was waited for too long.
    pub(crate) fn run(self) -> Result<Ran> {
        let wait = (self.limit.processor * WAIT).max(patience::STEADY);
        self.run_for(wait, &|| false)
    }

    /// Runs the program to its end, but no longer than `wait`, and only until `stop` says so.
    pub(crate) fn run_for(self, wait: Duration, stop: &dyn Fn() -> bool) -> Result<Ran> {
        let limit = self.limit;
        let limits = Limits {
            processor: Some(whole_seconds(limit.processor)),
            memory: Some(limit.memory << 20),
            file: Some(FILE),
            open_files: None,
        };
        let variables = Variables::default()
            // Messages must not depend on who runs this.
            .with("LC_ALL", "C")
            .with("RUST_BACKTRACE", "0")
            .with("TMPDIR", self.folder);
        let mut start = Start {
            folder: Some(self.folder.to_path_buf()),
            limits,
            variables,
            launcher: Launcher::Shell,
            output: Output::Whole { most: KEPT },
            group: Group::Own,
            input: self.input,
            ..Start::new(self.program)
        };
        start.arguments = self.words.into_iter().map(Into::into).collect();
        let mut process = started(&start)?;
        let end = Instant::now() + wait;
        while let Next::Late = process.next(end.min(Instant::now() + ASK)) {
            if Instant::now() >= end || stop() {
                break;
            }
        }
        let finished = process.finish(Instant::now());
        let end = match finished.end.how {
            How::Exited(code) => Ended::Exit(code),
            // The limit of the shell is both the soft and the hard one, and the hard one kills.
            How::Signalled(9 | 24) => Ended::UsedUp,
            How::Signalled(signal) => Ended::Signal(signal),
            How::TookTooLong => Ended::Waited,
        };
        Ok(Ran { end, output: finished.output, errors: finished.end.said })
    }
}

/// Starts a program. A machine that has no process to spare for a moment is asked again.
fn started(start: &Start) -> Result<Process> {
    let mut left = 20;
    loop {
        match Process::start(start) {
            Ok(process) => return Ok(process),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock && left > 0 => {
                left -= 1;
                std::thread::sleep(Duration::from_millis(50));
            }
            Err(error) => {
                let program = start.program.display();
                return Err(crate::exit::NotRun(format!("{program} cannot be started: {error}")).into());
            }
        }
    }
}

/// The operating system limits processor time in whole seconds.
fn whole_seconds(time: Duration) -> Duration {
    Duration::from_secs(time.as_secs() + u64::from(time.subsec_nanos() > 0))
}
