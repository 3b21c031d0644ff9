//! Reducing: the simplest program that fails in the same way.

use super::chance::Often;
use super::event::Event;
use super::harness::called;
use super::law::HELPERS;
use super::spell::spelled;
use super::trial::Trial;
use crate::choice::{Source, Tape};
use crate::oracle::Failure;
use crate::program::{Program, Programs};
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
    let program = Program::of(suite, tape)?;
    let mut shrunk = shrink_program(suite, &mut subject, program, failure, true, TESTS)?;
    // What is simple by its choices need not be a simple text.
    if let Some(spelled) = spelled(suite, &Program::of(suite, &shrunk.tape)?)
        && let Some(failure) = often.failure(&spelled.tape(suite))
    {
        let left = TESTS.saturating_sub(shrunk.tested);
        let again = shrink_program(suite, &mut subject, spelled, failure, true, left)?;
        shrunk = Shrunk { tested: shrunk.tested + again.tested, ..again };
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
