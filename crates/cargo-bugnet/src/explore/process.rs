//! Processes of a harness: started with limits, read line by line, and never waited for too long.
//!
//! **Invariant:** no process outlives its [`Process`].

use super::event::Event;
use super::isolate::{self, Limits};
use anyhow::{Context, Result};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How much is kept of what a process says about its end.
const KEPT: usize = 4_096;

/// A running harness.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    /// Held open: a harness whose standard input ends ends itself.
    _input: Option<ChildStdin>,
    events: Receiver<Event>,
    errors: Arc<Mutex<VecDeque<u8>>>,
}

/// What came next from a process.
#[derive(Debug)]
pub(crate) enum Next {
    Event(Event),
    /// Nothing, for as long as was waited.
    Silence,
    /// It has said all that it ever will.
    End,
}

/// How a process has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct End {
    /// In words: `signal 11 (SIGSEGV)`, `exit 0`.
    pub(crate) how: String,
    pub(crate) code: Option<i32>,
    /// The last that it wrote to the standard error.
    pub(crate) said: String,
}

impl Process {
    /// Starts a harness in a scratch folder.
    pub(crate) fn start(
        binary: &Path,
        scratch: &Path,
        arguments: &[&str],
        time: Duration,
    ) -> Result<Process> {
        let mut command = isolate::limited(binary, scratch, Limits::harness(time))?;
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("{} cannot be started", binary.display()))?;
        let (output, errors) = (child.stdout.take(), child.stderr.take());
        let (sender, events) = channel();
        std::thread::spawn(move || {
            let Some(output) = output else { return };
            let mut lines = BufReader::new(output);
            let mut line = Vec::new();
            while lines.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
                let event = Event::read(String::from_utf8_lossy(&line).trim_end());
                if event.is_some_and(|event| sender.send(event).is_err()) {
                    return;
                }
                line.clear();
            }
        });
        let kept = Arc::new(Mutex::new(VecDeque::new()));
        let last = Arc::clone(&kept);
        std::thread::spawn(move || {
            let (Some(mut errors), mut bytes) = (errors, [0; 1_024]) else { return };
            while let Ok(length @ 1..) = errors.read(&mut bytes) {
                let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
                last.extend(&bytes[..length]);
                let surplus = last.len().saturating_sub(KEPT);
                last.drain(..surplus);
            }
        });
        Ok(Process { _input: child.stdin.take(), child, events, errors: kept })
    }

    /// The next event, if it comes in time.
    pub(crate) fn next(&self, patience: Duration) -> Next {
        match self.events.recv_timeout(patience) {
            Ok(event) => Next::Event(event),
            Err(RecvTimeoutError::Timeout) => Next::Silence,
            Err(RecvTimeoutError::Disconnected) => Next::End,
        }
    }

    /// Ends the process if it has not ended, and says how it did.
    pub(crate) fn end(mut self, patience: Duration) -> Result<End> {
        let late = Instant::now() + patience;
        while self.child.try_wait()?.is_none() && Instant::now() < late {
            std::thread::sleep(Duration::from_millis(1));
        }
        isolate::end(&mut self.child);
        let status = self.child.wait()?;
        // The thread that reads the errors needs a moment to see their end.
        std::thread::sleep(Duration::from_millis(2));
        let mut said = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let said = String::from_utf8_lossy(said.make_contiguous()).into_owned();
        Ok(End::of(status, said))
    }

    /// All events until the end; `None` if it took too long and was ended.
    pub(crate) fn finish(self, patience: Duration) -> Result<(Vec<Event>, Option<End>)> {
        let late = Instant::now() + patience;
        let mut events = Vec::new();
        loop {
            match self.next(late.saturating_duration_since(Instant::now())) {
                Next::Event(event) => events.push(event),
                Next::End => return Ok((events, Some(self.end(Duration::from_secs(1))?))),
                Next::Silence => {
                    self.end(Duration::ZERO)?;
                    return Ok((events, None));
                }
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        isolate::end(&mut self.child);
        let _ = self.child.wait();
    }
}

/// How a process has ended, in words.
fn in_words(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        let name = nix::sys::signal::Signal::try_from(signal).map_or("unknown", |signal| signal.as_str());
        return format!("signal {signal} ({name})");
    }
    status.code().map_or("an unknown end".to_string(), |code| format!("exit {code}"))
}

impl End {
    /// The end of a process that wrote this to the standard error.
    pub(crate) fn of(status: ExitStatus, said: String) -> End {
        End { how: in_words(status), code: status.code(), said }
    }

    /// Why it died, as far as it can be told.
    pub(crate) fn reason(&self) -> String {
        let lines = self.said.lines().map(str::trim);
        let known = [
            ("has overflowed its stack", "stack overflow"),
            ("panic in a destructor during cleanup", "panic while panicking"),
            ("thread panicked while processing panic", "panic while panicking"),
            ("panic in a function that cannot unwind", "panic where nothing can unwind"),
        ];
        for (said, reason) in known {
            if self.said.contains(said) {
                return reason.to_string();
            }
        }
        if let Some(line) = lines.rev().find(|line| line.starts_with("memory allocation of")) {
            return line.trim_end_matches(", aborting").to_string();
        }
        match self.how.as_str() {
            "signal 6 (SIGABRT)" => "abort".to_string(),
            "signal 9 (SIGKILL)" | "signal 24 (SIGXCPU)" => "it used up what it may use".to_string(),
            how => how.to_string(),
        }
    }

    /// Whether it is an end of which was told only that it was an abort, or the reason itself.
    pub(crate) fn is_told_as(&self, reason: &str) -> bool {
        reason == self.reason() || (reason == "abort" && self.how == "signal 6 (SIGABRT)")
    }

    /// Whether it was ended because it used up the time of the processor that it may use.
    pub(crate) fn is_of_time(&self) -> bool {
        self.how == "signal 24 (SIGXCPU)"
    }

    /// Whether memory was what it died of.
    pub(crate) fn is_of_memory(&self) -> bool {
        self.said.contains("memory allocation of")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(how: &str, code: Option<i32>, said: &str) -> End {
        End { how: how.to_string(), code, said: said.to_string() }
    }

    #[test]
    fn a_death_is_told_by_what_the_process_said_last() {
        let stack =
            "\nthread 'main' has overflowed its stack\nfatal runtime error: stack overflow, aborting\n";
        assert_eq!(end("signal 6 (SIGABRT)", None, stack).reason(), "stack overflow");
        assert_eq!(end("signal 6 (SIGABRT)", None, "").reason(), "abort");
        assert_eq!(end("signal 11 (SIGSEGV)", None, "").reason(), "signal 11 (SIGSEGV)");
        assert_eq!(end("exit 0", Some(0), "").reason(), "exit 0");
        assert!(end("signal 6 (SIGABRT)", None, stack).is_told_as("abort"));
        assert!(!end("exit 0", Some(0), "").is_told_as("abort"));
        assert!(end("signal 24 (SIGXCPU)", None, "").is_of_time());
        assert!(!end("signal 9 (SIGKILL)", None, "").is_of_time());
        let memory = end("signal 6 (SIGABRT)", None, "memory allocation of 99 bytes failed, aborting\n");
        assert_eq!(memory.reason(), "memory allocation of 99 bytes failed");
    }
}
