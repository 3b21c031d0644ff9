//! Reducing: the simplest program that fails in the same way, run here or each in a process of its own.

use super::event::{Event, MEMORY};
use super::harness::called;
use super::law::HELPERS;
use crate::campaign::Test;
use crate::choice::{Source, Tape};
use crate::oracle::{Failure, Signature, Verdict};
use crate::program::{Program, Programs};
use crate::shrink::{Subject, shrink_program};
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// At most so many programs are run to reduce one.
const TESTS: u64 = 4_000;
/// A program in a child that takes longer has not ended.
const PATIENCE: Duration = Duration::from_secs(3);

/// Runs a program and says how it fails.
pub(crate) trait Trial {
    /// The failure, if it fails.
    fn failure(&self, tape: &Tape) -> Option<Failure>;
}

/// Runs programs in this process.
pub(crate) struct Here<'a>(pub(crate) &'a Programs);

impl Trial for Here<'_> {
    fn failure(&self, tape: &Tape) -> Option<Failure> {
        match self.0.case(&mut Source::replay(tape.clone()), &mut |_| true)? {
            Verdict::Fail(failure) => Some(*failure),
            _ => None,
        }
    }
}

/// Runs each program in a process of its own, because it may kill it.
pub(crate) struct Apart;

impl Trial for Apart {
    fn failure(&self, tape: &Tape) -> Option<Failure> {
        let mut child = Command::new(std::env::current_exe().ok()?)
            .args(["replay", "--tape", &tape.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let end = Instant::now() + PATIENCE;
        let status = loop {
            match child.try_wait() {
                Ok(Some(status)) => break Some(status),
                Ok(None) if Instant::now() < end => std::thread::sleep(Duration::from_millis(2)),
                _ => break None,
            }
        };
        let Some(status) = status else {
            let _ = child.kill();
            let _ = child.wait();
            return Some(Failure::new(Signature::Hung, "the call did not end"));
        };
        let mut told = String::new();
        child.stdout.take()?.read_to_string(&mut told).ok()?;
        if told.contains("\"cause\":\"memory\"") {
            return Some(Failure::new(
                Signature::Died(MEMORY.to_string()),
                "it wanted more memory than there is",
            ));
        }
        let passed = told.contains("\"outcome\"");
        (!passed).then(|| Failure::new(Signature::Died(super::harness::death(status)), ""))
    }
}

struct Reduction<'a> {
    trial: &'a dyn Trial,
    signature: Signature,
    end: Instant,
}

impl Subject for Reduction<'_> {
    fn fails(&mut self, source: &mut Source, worth: &mut dyn FnMut(&Source) -> bool) -> Option<Failure> {
        source.draws_later();
        if !worth(source) {
            return None;
        }
        self.trial.failure(source.replayed()).filter(|failure| failure.signature == self.signature)
    }

    fn out_of_time(&self) -> bool {
        Instant::now() >= self.end
    }
}

/// Reduces a failing program, and tells what it has come to.
pub(crate) fn reduce(programs: &Programs, trial: &dyn Trial, tape: &Tape, time: Duration) -> Option<Event> {
    let suite = programs.suite();
    let failure = trial.failure(tape)?;
    let mut subject = Reduction { trial, signature: failure.signature.clone(), end: Instant::now() + time };
    let program = Program::of(suite, tape)?;
    let shrunk = shrink_program(suite, &mut subject, program, failure, true, TESTS)?;
    let failure = trial.failure(&shrunk.tape);
    let flaky = failure.as_ref().is_none_or(|failure| failure.signature != subject.signature);
    let lines = programs.lines(&shrunk.tape, Some(&subject.signature));
    let event = Event::new("reduced").text("tape", &shrunk.tape.to_string()).failure(&shrunk.failure);
    let program = Program::of(suite, &shrunk.tape)?;
    let event = event.texts("operations", called(programs, &program));
    let event = event.texts("lines", lines.iter().map(|line| line.text.as_str()));
    let calls = |name: &str| lines.iter().any(|line| line.text.contains(name));
    let helpers = HELPERS.iter().filter(|(name, _)| calls(name)).map(|(_, text)| *text);
    let event = event.texts("helpers", helpers);
    Some(event.number("tested", shrunk.tested).flag("flaky", flaky))
}
