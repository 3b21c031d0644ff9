//! Reducing: confirms that a failure is real, and makes it as simple as it gets.
//!
//! **Invariant:** the reduced case fails with the signature of the first, or is called flaky.

use super::effort::{Effort, Origin};
use super::judge::{Found, Judge};
use super::judging::Judging;
use crate::choice::{Source, Tape};
use crate::label;
use crate::oracle::{Failure, Verdict, WrongTest};
use crate::program::Program;
use crate::settings::Settings;
use crate::shrink::{Terms, shrink, shrink_program};
use std::time::Duration;

/// Runs of an input that did not fail again, before it counts as one that fails by chance no more.
const DOUBTS: u32 = 20;

/// A failure, confirmed and reduced.
#[derive(Debug)]
pub(crate) struct Reduced {
    pub(crate) tape: Tape,
    pub(crate) failure: Failure,
    /// Its rate of failure, if it did not fail each time.
    pub(crate) flaky: Option<Flaky>,
    pub(crate) notes: Vec<String>,
    pub(crate) effort: Effort,
}

/// The runs of a case that does not fail each time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Flaky {
    pub(crate) runs: u32,
    pub(crate) failed: u32,
}

/// Confirms and shrinks what was found.
pub(crate) fn reduce(
    judge: &mut Judge<'_>,
    found: Found,
    settings: &Settings,
    clock: &dyn Fn() -> Duration,
    is_known: &mut dyn FnMut(&Program) -> bool,
) -> Result<Reduced, WrongTest> {
    let judge_programs = judge.cases.programs;
    // A program that gets shorter has failed twice; any other one is run again.
    let doubtful = !found.confirmed && judge_programs.is_none();
    if doubtful {
        if let Some(flaky) = doubt(judge, &found, false)?.1 {
            return Ok(flaky);
        }
    }
    // Where all bugs are wanted, others will come up; a failure that does not is not looked into.
    let all = judge_programs.is_some() && settings.hunts(judge.cases);
    let strict = judge_programs.is_none() || settings.bugs.strict;
    let signature = strict.then(|| found.failure.signature.clone());
    let time = settings.reducing_time(&found.failure.signature, judge_programs.is_some());
    let terms = Terms { signature: signature.clone(), is_known, limit: settings.shrinks };
    let program =
        judge_programs.and_then(|programs| Some((programs, Program::of(programs.suite(), &found.tape)?)));
    if program.is_some() {
        let failed = Verdict::Fail(Box::new(found.failure.clone()));
        judge.evidence.add(&found.tape, &found.tape, &failed, None);
    }
    let mut trial = Judging::new(judge, signature.as_ref()).until(clock, time);
    trial.doubts = all;
    let shrunk = match program {
        Some((programs, program)) => {
            let (failure, suite) = (found.failure.clone(), programs.suite());
            match shrink_program(suite, &mut trial, program, failure, found.confirmed, terms) {
                Some(shrunk) => shrunk,
                None if trial.misuse.is_some() => return Err(trial.misuse.take().expect("it is there")),
                None => return flaky(judge, &found, all),
            }
        }
        None => shrink(&mut trial, found.tape.clone(), found.failure.clone(), terms),
    };
    let Judging { misuse, notes, .. } = trial;
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
        return Ok(Reduced { tape: found.tape, failure: found.failure, flaky: None, notes, effort });
    }
    match doubt(judge, &found, all)? {
        (_, Some(flaky)) => Ok(Reduced { effort, ..flaky }),
        (notes, None) => Ok(Reduced { tape: found.tape, failure: found.failure, flaky: None, notes, effort }),
    }
}

/// Runs an input again, with its notes; if it does not fail as it did, finds out how often it does.
fn doubt(
    judge: &mut Judge<'_>,
    found: &Found,
    briefly: bool,
) -> Result<(Vec<String>, Option<Reduced>), WrongTest> {
    let (again, notes) = label::with_notes(|| fails(judge, found));
    if again? {
        return Ok((notes, None));
    }
    Ok((Vec::new(), Some(flaky(judge, found, briefly)?)))
}

fn fails(judge: &mut Judge<'_>, found: &Found) -> Result<bool, WrongTest> {
    let (verdict, _) = judge.recorded(Source::replay(found.tape.clone()))?;
    Ok(matches!(verdict, Verdict::Fail(failure) if failure.signature == found.failure.signature))
}

/// An input that has not failed again.
fn flaky(judge: &mut Judge<'_>, found: &Found, briefly: bool) -> Result<Reduced, WrongTest> {
    let runs = if briefly { 1 } else { DOUBTS };
    let mut failed = 0;
    for _ in 1..runs {
        failed += u32::from(fails(judge, found)?);
    }
    Ok(Reduced {
        tape: found.tape.clone(),
        failure: found.failure.clone(),
        flaky: Some(Flaky { runs, failed }),
        notes: Vec::new(),
        effort: Effort::default(),
    })
}
