//! Reducing: the simplest program that fails in the same way.

use super::describe::described;
use super::flaky::Often;
use super::limit::{Limit, Limited};
use super::spell_out::spelled;
use super::trial::Trial;
use bugnet::choice::Tape;
use bugnet::engine::{Shrunk, Terms, shrink_program};
use bugnet::oracle::Failure;
use bugnet::program::{Program, Programs, Suite};
use bugnet::wire::explore::Reduced;

/// Programs that are run at most to reduce one.
const TESTS: u64 = 4_000;

/// Reduces a failing program; `None` if it does not fail.
pub(crate) fn reduce(programs: &Programs, trial: &dyn Trial, tape: &Tape, limit: Limit) -> Option<Reduced> {
    let suite = programs.suite();
    let (often, failure) = Often::of(trial, tape, &limit)?;
    let mut subject = Limited { trial: &often, limit: &limit };
    let mut shrunk = shrink(suite, &mut subject, tape, failure.clone())?;
    if !trial.confirms(&shrunk.tape) {
        let half = limit.half();
        subject.limit = &half;
        shrunk = shrink(suite, &mut subject, tape, failure)?;
    }
    let program = described(programs, &shrunk.tape, Some(often.signature()))?;
    Some(Reduced { program, failure: shrunk.failure, tested: shrunk.tested })
}

/// The terms of a reduction: the trial itself takes only failures like the first for one.
fn terms(limit: u64, is_known: &mut dyn FnMut(&Program) -> bool) -> Terms<'_> {
    Terms { signature: None, is_known, limit }
}

/// Shrinks a program, and then its texts, for what is simple by its choices need not be a simple text.
fn shrink(suite: &Suite, subject: &mut Limited<'_>, tape: &Tape, failure: Failure) -> Option<Shrunk> {
    let program = Program::of(suite, tape)?;
    let shrunk = shrink_program(suite, subject, program, failure, true, terms(TESTS, &mut |_| false))?;
    let Some(spelled) = spelled(suite, &Program::of(suite, &shrunk.tape)?) else { return Some(shrunk) };
    let Some(failure) = subject.trial.failure(&spelled.tape(suite)) else { return Some(shrunk) };
    let left = TESTS.saturating_sub(shrunk.tested);
    let again = shrink_program(suite, subject, spelled, failure, true, terms(left, &mut |_| false))?;
    Some(Shrunk { tested: shrunk.tested + again.tested, ..again })
}
