//! Reducing: the simplest program that fails in the same way.

use super::chance::Often;
use super::event::Event;
use super::harness::called;
use super::law::HELPERS;
use super::spell::spelled;
use super::trial::Trial;
use crate::choice::{Source, Tape};
use crate::oracle::Failure;
use crate::program::{Program, Programs, Suite};
use crate::shrink::{Shrunk, Subject, shrink_program};
use std::time::{Duration, Instant};

/// At most so many programs are run to reduce one.
const TESTS: u64 = 4_000;

struct Reduction<'a> {
    trial: &'a Often<'a>,
    end: Instant,
}

impl Subject for Reduction<'_> {
    fn fails(&mut self, source: &mut Source, worth: &mut dyn FnMut(&Source) -> bool) -> Option<Failure> {
        source.draws_later();
        if !worth(source) {
            return None;
        }
        self.trial.failure(source.replayed())
    }

    fn out_of_time(&self) -> bool {
        Instant::now() >= self.end
    }
}

/// Reduces a failing program, and tells what it has come to.
pub(crate) fn reduce(programs: &Programs, trial: &dyn Trial, tape: &Tape, time: Duration) -> Option<Event> {
    let suite = programs.suite();
    let end = Instant::now() + time;
    let (often, failure) = Often::of(trial, tape)?;
    let mut subject = Reduction { trial: &often, end };
    let mut shrunk = shrink(suite, &mut subject, tape, failure.clone())?;
    if !trial.confirms(&shrunk.tape) {
        subject.end = Instant::now() + time / 2;
        shrunk = shrink(suite, &mut subject, tape, failure)?;
    }
    let lines = programs.lines(&shrunk.tape, Some(often.signature()));
    let event = Event::new("reduced").text("tape", &shrunk.tape.to_string()).failure(&shrunk.failure);
    let program = Program::of(suite, &shrunk.tape)?;
    let event = event.texts("operations", called(programs, &program));
    let event = event.texts("lines", lines.iter().map(|line| line.text.as_str()));
    let calls = |name: &str| lines.iter().any(|line| line.text.contains(name));
    let helpers = HELPERS.iter().filter(|(name, _)| calls(name)).map(|(_, text)| *text);
    let event = event.texts("helpers", helpers);
    Some(event.number("tested", shrunk.tested))
}

/// Shrinks a program, and then its texts, for what is simple by its choices need not be a simple text.
fn shrink(suite: &Suite, subject: &mut Reduction<'_>, tape: &Tape, failure: Failure) -> Option<Shrunk> {
    let program = Program::of(suite, tape)?;
    let shrunk = shrink_program(suite, subject, program, failure, true, TESTS)?;
    let Some(spelled) = spelled(suite, &Program::of(suite, &shrunk.tape)?) else { return Some(shrunk) };
    let Some(failure) = subject.trial.failure(&spelled.tape(suite)) else { return Some(shrunk) };
    let left = TESTS.saturating_sub(shrunk.tested);
    let again = shrink_program(suite, subject, spelled, failure, true, left)?;
    Some(Shrunk { tested: shrunk.tested + again.tested, ..again })
}
