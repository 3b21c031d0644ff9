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

/// How often a candidate must fail to be taken for one that fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// Once: what is left in the end is run again anyway.
    Once,
    /// Twice.
    Twice,
}

/// Confirms and shrinks what was found.
pub(crate) fn reduce(
    judge: &mut Judge<'_>,
    found: Found,
    settings: &Settings,
    clock: &dyn Fn() -> Duration,
    is_known: &mut dyn FnMut(&Program) -> bool,
) -> Result<Reduced, Misuse> {
    let hunted = judge.test.programs().is_some() && settings.bugs.all;
    let again = hunted.then(|| found.clone());
    let reduced = reduce_with(judge, found, settings, clock, is_known, Trust::Once)?;
    match (again, &reduced) {
        // Smaller programs have failed, but the last of them did so by chance.
        (Some(found), Reduced { reason: Reason::Flaky { .. }, effort, .. }) if effort.shrink_steps > 1 => {
            reduce_with(judge, found, settings, clock, is_known, Trust::Twice)
        }
        _ => Ok(reduced),
    }
}

fn reduce_with(
    judge: &mut Judge<'_>,
    found: Found,
    settings: &Settings,
    clock: &dyn Fn() -> Duration,
    is_known: &mut dyn FnMut(&Program) -> bool,
    trust: Trust,
) -> Result<Reduced, Misuse> {
    let judge_programs = judge.test.programs();
    // A program that gets shorter has failed twice; any other one is run again.
    let doubtful = !found.confirmed && judge_programs.is_none();
    if doubtful && let Some(flaky) = doubt(judge, &found, false)?.1 {
        return Ok(flaky);
    }
    // Where all bugs are wanted, others will come up; a failure that does not is not looked into.
    let all = judge_programs.is_some() && settings.bugs.all;
    let strict = judge_programs.is_none() || settings.bugs.strict;
    let mut subject = InProcess {
        signature: strict.then(|| found.failure.signature.clone()),
        is_known,
        judge,
        trust,
        end: clock() + settings.shrink_time,
        clock,
        misuse: None,
    };
    let program =
        judge_programs.and_then(|programs| Some((programs, Program::of(programs.suite(), &found.tape)?)));
    let shrunk = match program {
        Some((programs, program)) => {
            let (failure, suite) = (found.failure.clone(), programs.suite());
            let (confirmed, limit) = (found.confirmed, settings.shrinks);
            match shrink_program(suite, &mut subject, program, failure, confirmed, limit) {
                Some(shrunk) => shrunk,
                None if subject.misuse.is_some() => return Err(subject.misuse.take().expect("it is there")),
                None => return flaky(judge, &found, all),
            }
        }
        None => shrink(&mut subject, found.tape.clone(), found.failure.clone(), settings.shrinks),
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
    let found = Found { tape: shrunk.tape, failure: shrunk.failure, confirmed: false, by: found.by };
    match doubt(judge, &found, all)? {
        (_, Some(flaky)) => Ok(Reduced { effort, ..flaky }),
        (notes, None) => {
            Ok(Reduced { tape: found.tape, reason: Reason::Refuted(found.failure), notes, effort })
        }
    }
}

/// Runs an input again, with its notes; if it does not fail as it did, finds out how often it does.
fn doubt(
    judge: &mut Judge<'_>,
    found: &Found,
    briefly: bool,
) -> Result<(Vec<String>, Option<Reduced>), Misuse> {
    let (again, notes) = labels::with_notes(|| fails(judge, found));
    if again? {
        return Ok((notes, None));
    }
    Ok((Vec::new(), Some(flaky(judge, found, briefly)?)))
}

fn fails(judge: &mut Judge<'_>, found: &Found) -> Result<bool, Misuse> {
    let (verdict, _) = judge.recorded(Source::replay(found.tape.clone()))?;
    Ok(matches!(verdict, Verdict::Fail(failure) if failure.signature == found.failure.signature))
}

/// An input that has not failed again.
fn flaky(judge: &mut Judge<'_>, found: &Found, briefly: bool) -> Result<Reduced, Misuse> {
    let runs = if briefly { 1 } else { DOUBTS };
    let mut failed = 0;
    for _ in 1..runs {
        failed += u32::from(fails(judge, found)?);
    }
    let reason = Reason::Flaky { failure: found.failure.clone(), runs, failed };
    Ok(Reduced { tape: found.tape.clone(), reason, notes: Vec::new(), effort: Effort::default() })
}

/// The subject of shrinking when the property runs in this process.
struct InProcess<'a, 'b> {
    judge: &'a mut Judge<'b>,
    /// How candidates have to fail, if that matters.
    signature: Option<Signature>,
    is_known: &'a mut dyn FnMut(&Program) -> bool,
    trust: Trust,
    clock: &'a dyn Fn() -> Duration,
    end: Duration,
    misuse: Option<Misuse>,
}

impl InProcess<'_, '_> {
    /// Runs a candidate: how it fails, if it does so in the right way.
    fn failure_of(&mut self, source: &mut Source, worth: &mut dyn FnMut(&Source) -> bool) -> Option<Failure> {
        match self.judge.case(source, worth) {
            Ok(Some(Verdict::Fail(failure)))
                if self.signature.as_ref().is_none_or(|signature| failure.signature == *signature) =>
            {
                Some(*failure)
            }
            Ok(Some(Verdict::Pass)) => {
                let programs = self.judge.test.programs();
                programs.iter().for_each(|programs| programs.passes(source.replayed()));
                None
            }
            Ok(_) => None,
            Err(misuse) => {
                self.misuse = Some(misuse);
                None
            }
        }
    }
}

impl Subject for InProcess<'_, '_> {
    fn fails(&mut self, source: &mut Source, worth: &mut dyn FnMut(&Source) -> bool) -> Option<Failure> {
        let programs = self.judge.test.programs();
        if programs.is_some_and(|programs| programs.has_passed(source.replayed())) {
            return None;
        }
        let failure = self.failure_of(source, worth)?;
        match self.trust {
            Trust::Twice if source.is_replay() => {
                self.failure_of(&mut Source::replay(source.replayed().clone()), worth)
            }
            _ => Some(failure),
        }
    }

    fn out_of_time(&self) -> bool {
        self.misuse.is_some() || (self.clock)() >= self.end
    }

    fn is_known(&mut self, program: &Program) -> bool {
        (self.is_known)(program)
    }
}
