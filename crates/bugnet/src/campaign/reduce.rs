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
    is_known: &mut dyn FnMut(&Program) -> bool,
) -> Result<Reduced, Misuse> {
    let judge_programs = judge.test.programs();
    // A program that gets shorter has failed twice; any other one is run again.
    let doubtful = !found.confirmed && judge_programs.is_none();
    if doubtful && let Some(flaky) = doubt(judge, &found, false)?.1 {
        return Ok(flaky);
    }
    // Where all bugs are wanted, others will come up; a failure that does not is not looked into.
    let all = judge_programs.is_some() && settings.hunts(judge.test);
    let strict = judge_programs.is_none() || settings.bugs.strict;
    let mut subject = InProcess {
        signature: strict.then(|| found.failure.signature.clone()),
        is_known,
        judge,
        doubts: all,
        notes: None,
        end: clock() + settings.shrink_time,
        clock,
        misuse: None,
    };
    let program =
        judge_programs.and_then(|programs| Some((programs, Program::of(programs.suite(), &found.tape)?)));
    let shrunk = match program {
        Some((programs, program)) => {
            let (failure, suite) = (found.failure.clone(), programs.suite());
            programs.evidence.add(&found.tape, &found.tape, &Verdict::Fail(Box::new(failure.clone())), None);
            let (confirmed, limit) = (found.confirmed, settings.shrinks);
            match shrink_program(suite, &mut subject, program, failure, confirmed, limit) {
                Some(shrunk) => shrunk,
                None if subject.misuse.is_some() => return Err(subject.misuse.take().expect("it is there")),
                None => return flaky(judge, &found, all),
            }
        }
        None => shrink(&mut subject, found.tape.clone(), found.failure.clone(), settings.shrinks),
    };
    let InProcess { misuse, notes, .. } = subject;
    if let Some(misuse) = misuse {
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
    // What was doubted has failed twice, and its notes are known if it did so by itself.
    if let Some((_, notes)) = notes.filter(|(tape, _)| all && *tape == found.tape) {
        return Ok(Reduced { tape: found.tape, reason: Reason::Refuted(found.failure), notes, effort });
    }
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
    /// Whether a program may have failed by chance.
    doubts: bool,
    /// The program that was run again last, with its notes.
    notes: Option<(Tape, Vec<String>)>,
    clock: &'a dyn Fn() -> Duration,
    end: Duration,
    misuse: Option<Misuse>,
}

impl InProcess<'_, '_> {
    /// Runs a candidate: how it fails, if it does so in the right way.
    fn failure_of(&mut self, source: &mut Source, worth: &mut dyn FnMut(&Source) -> bool) -> Option<Failure> {
        let verdict = match self.judge.test.programs() {
            Some(_) => self.judge.program(source, self.signature.as_ref()).map(Some),
            None => self.judge.case(source, worth),
        };
        match verdict {
            Ok(Some(Verdict::Fail(failure)))
                if self.signature.as_ref().is_none_or(|signature| failure.signature == *signature) =>
            {
                Some(*failure)
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
        if programs.is_some_and(|programs| programs.evidence.has_passed(source.replayed())) {
            return None;
        }
        self.failure_of(source, worth)
    }

    fn fails_again(&mut self, source: &mut Source) -> bool {
        let tape = source.replayed().clone();
        let (failure, notes) = labels::with_notes(|| self.failure_of(source, &mut |_| true));
        self.notes = Some((tape, notes));
        if let (None, Some(programs)) = (&failure, self.judge.test.programs()) {
            programs.evidence.doubt();
        }
        failure.is_some()
    }

    fn proofs(&self) -> u32 {
        match self.judge.test.programs() {
            Some(programs) if self.doubts && programs.evidence.is_unsteady() => 3,
            Some(_) if self.doubts => 2,
            _ => 1,
        }
    }

    fn out_of_time(&self) -> bool {
        self.misuse.is_some() || (self.clock)() >= self.end
    }

    fn is_known(&mut self, program: &Program) -> bool {
        (self.is_known)(program)
    }
}
