//! Generalizing: what programs that fail as a minimal one have in common, so that no program matches it again.
//!
//! **Invariant:** what could not be tried in time stays as it is in the minimal program.

use super::bug::Bug;
use super::event::{Event, Pattern};
use super::fact::Harness;
use super::finding::Finding;
use super::process::Process;
use super::reduce::trial;
use anyhow::Result;
use std::path::Path;
use std::time::Duration;

/// How long one program is generalized.
const TIME: Duration = Duration::from_secs(3);

/// The pattern of a minimal program, if it has one.
pub(super) fn generalize(
    finding: &Finding,
    time: Duration,
    harness: &Harness,
    scratch: &Path,
) -> Result<Option<Pattern>> {
    let Some(tape) = finding.tape.as_deref() else { return Ok(None) };
    let seconds = time.as_secs().to_string();
    let mut arguments = vec!["generalize", "--tape", tape, "--seconds", &seconds];
    arguments.extend(trial(finding.cause));
    let process = Process::start(&harness.binary, scratch, &arguments, time * 4)?;
    let (events, _) = process.finish(time * 2)?;
    Ok(events.into_iter().find_map(|event| match event {
        Event::Generalized(pattern) => Some(pattern),
        _ => None,
    }))
}

/// Finds the patterns of bugs that fail in every run.
pub(crate) fn generalize_all(bugs: &mut [Bug], harness: &Harness, scratch: &Path) -> Result<()> {
    for bug in bugs.iter_mut().filter(|bug| bug.rate.failed > 0 && bug.rate.is_certain()) {
        bug.pattern = generalize(&bug.finding, TIME, harness, scratch)?;
    }
    Ok(())
}
