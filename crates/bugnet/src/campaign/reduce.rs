//! Reducing: confirms that a failure is real, and makes it as simple as it gets.

use super::judge::{Found, Judge, Misuse};
use super::labels;
use super::outcome::{Effort, Origin, Reason};
use super::settings::Settings;
use crate::choice::{Source, Tape};
use crate::oracle::{Failure, Signature, Verdict};
use crate::program::Program;
use crate::shrink::{Subject, shrink, shrink_program};
use std::time::Duration;

/// How often an input that did not fail again is tried once more.
const DOUBTS: u32 = 20;

/// A failure, confirmed and reduced.
#[derive(Debug)]
pub(crate) struct Reduced {
    pub(crate) tape: Tape,
    pub(crate) reason: Reason,
    pub(crate) notes: Vec<String>,
    pub(crate) effort: Effort,
}

/// Confirms and shrinks what was found.
pub(crate) fn reduce(
    judge: &mut Judge<'_>,
    found: Found,
    settings: &Settings,
    clock: &dyn Fn() -> Duration,
) -> Result<Reduced, Misuse> {
    if !found.confirmed
        && let Some(flaky) = doubt(judge, &found)?.1
    {
        return Ok(flaky);
    }
    let judge_programs = judge.test.programs();
    let mut subject = InProcess {
        signature: found.failure.signature.clone(),
        judge,
        end: clock() + settings.shrink_time,
        clock,
        misuse: None,
    };
    let program =
        judge_programs.and_then(|programs| Some((programs, Program::of(programs.suite(), &found.tape)?)));
    let shrunk = match program {
        Some((programs, program)) => {
            shrink_program(programs.suite(), &mut subject, program, found.failure, settings.shrinks)
        }
        None => shrink(&mut subject, found.tape, found.failure, settings.shrinks),
    };
    if let Some(misuse) = subject.misuse {
        return Err(misuse);
    }
    let effort = Effort {
        origin: Origin::Found,
        passed: 0,
        shrink_tests: shrunk.tested,
        shrink_steps: shrunk.steps,
        unfinished: !shrunk.complete,
    };
    let found = Found { tape: shrunk.tape, failure: shrunk.failure, confirmed: false };
    match doubt(judge, &found)? {
        (_, Some(flaky)) => Ok(Reduced { effort, ..flaky }),
        (notes, None) => {
            Ok(Reduced { tape: found.tape, reason: Reason::Refuted(found.failure), notes, effort })
        }
    }
}

/// Runs an input again, with its notes; if it does not fail as it did, finds out how often it does.
fn doubt(judge: &mut Judge<'_>, found: &Found) -> Result<(Vec<String>, Option<Reduced>), Misuse> {
    let mut fails = || -> Result<bool, Misuse> {
        let (verdict, _) = judge.recorded(Source::replay(found.tape.clone()))?;
        Ok(matches!(verdict, Verdict::Fail(failure) if failure.signature == found.failure.signature))
    };
    let (again, notes) = labels::with_notes(&mut fails);
    if again? {
        return Ok((notes, None));
    }
    let mut failed = 0;
    for _ in 1..DOUBTS {
        failed += u32::from(fails()?);
    }
    let reason = Reason::Flaky { failure: found.failure.clone(), runs: DOUBTS, failed };
    let tape = found.tape.clone();
    Ok((Vec::new(), Some(Reduced { tape, reason, notes, effort: Effort::default() })))
}

/// The subject of shrinking when the property runs in this process.
struct InProcess<'a, 'b> {
    judge: &'a mut Judge<'b>,
    signature: Signature,
    clock: &'a dyn Fn() -> Duration,
    end: Duration,
    misuse: Option<Misuse>,
}

impl Subject for InProcess<'_, '_> {
    fn fails(&mut self, source: &mut Source, worth: &mut dyn FnMut(&Source) -> bool) -> Option<Failure> {
        match self.judge.case(source, worth) {
            Ok(Some(Verdict::Fail(failure))) if failure.signature == self.signature => Some(*failure),
            Ok(_) => None,
            Err(misuse) => {
                self.misuse = Some(misuse);
                None
            }
        }
    }

    fn out_of_time(&self) -> bool {
        self.misuse.is_some() || (self.clock)() >= self.end
    }
}
