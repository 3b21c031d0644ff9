//! Reducing: findings become bugs, with the simplest program that fails in the same way.
//!
//! **Invariant:** whatever is shown has failed in all of several fresh processes, or says in how many it did.

use super::bug::{Bug, Group, Judged};
use super::event::{Event, Failure, Reduced};
use super::fact::Harness;
use super::finding::{Cause, Finding};
use super::process::Process;
use super::replay;
use super::triage::{judge_earlier, judge_reduced, judge_stand_ins};
use super::worker;
use crate::harness::StandIn;
use anyhow::Result;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long one program is reduced, and how long if each step takes a process.
const TIME: Duration = Duration::from_secs(6);
const TIME_APART: Duration = Duration::from_secs(12);
/// So many ways to one place are tried, if the first turn out to be misuse.
const WAYS: usize = 3;

/// How much less sure a bug is that fails by chance, and one that never failed again.
const CHANCE: u8 = 15;
const LOST: u8 = 60;

/// Reduces one group to a bug.
fn reduce(group: &Group, harness: &Harness, scratch: &Path) -> Result<Bug> {
    let mut first = None;
    for judged in group.0.iter().take(WAYS) {
        let bug = reduce_one(judged, harness, scratch)?;
        let is_shown = bug.judgement.is_shown();
        if is_shown || !judged.judgement.is_shown() {
            return Ok(with_others(bug, group));
        }
        first.get_or_insert(bug);
    }
    Ok(with_others(first.expect("a group has members"), group))
}

fn with_others(mut bug: Bug, group: &Group) -> Bug {
    // What is used wrongly at the same place says nothing about the bug.
    let others = group.0.iter().filter(|judged| judged.judgement.is_shown());
    bug.also = others
        .map(|judged| judged.finding.operation.clone())
        .filter(|operation| *operation != bug.finding.operation && !operation.is_empty())
        .collect();
    bug.also.sort();
    bug.also.dedup();
    bug
}

fn reduce_one(judged: &Judged, harness: &Harness, scratch: &Path) -> Result<Bug> {
    let Judged { finding, judgement } = judged;
    let mut bug = Bug::unreduced(judged);
    let facts = harness.facts_of(&finding.operation);
    let Some(tape) = &finding.tape else {
        // It has happened once, and nobody can say in which program.
        bug.judgement.sureness = bug.judgement.sureness.saturating_sub(LOST);
        return Ok(bug);
    };
    if matches!(finding.cause, Cause::Hang | Cause::Memory) {
        // To ask for much takes long to reduce, and is no bug.
        let last = worker::lines(&harness.binary, scratch, tape)?.pop();
        let judged = judge_reduced(judgement.clone(), finding, facts, last.as_slice());
        if !judged.is_shown() {
            return Ok(Bug { judgement: judged, ..bug });
        }
    }
    let apart = matches!(finding.cause, Cause::Death | Cause::Hang);
    let time = if apart { TIME_APART } else { TIME };
    let mut reduced = reduced(tape, trial(finding.cause), time, harness, scratch)?;
    if reduced.is_none() && !apart {
        // Programs near it may be deadly.
        reduced = self::reduced(tape, trial(Cause::Death), TIME_APART, harness, scratch)?;
    }
    if let Some(reduced) = reduced {
        take(&mut bug, reduced, finding);
    } else {
        // It did not fail again when it was to be reduced, so it stays as it is.
        let shown = worker::shown(&harness.binary, scratch, tape)?;
        (bug.calls, bug.program) = (shown.operations, shown.lines);
    }
    bug.helpers.extend(used(&bug.program, harness).into_iter().map(|stand_in| stand_in.text.clone()));
    let tape = bug.finding.tape.clone().unwrap_or_default();
    bug.rate = replay::measure(&bug.finding, &tape, harness, scratch)?;
    let judgement = judge_reduced(bug.judgement.clone(), &bug.finding, facts, &bug.program);
    let earlier = bug.calls.iter().take(bug.calls.len().saturating_sub(1));
    let earlier = earlier.map(|call| (call.as_str(), harness.facts_of(call)));
    let judgement = judge_earlier(judgement, &bug.finding, earlier);
    bug.judgement = judge_stand_ins(judgement, used(&bug.program, harness).into_iter());
    if !bug.rate.is_certain() {
        let less = if bug.rate.failed == 0 { LOST } else { CHANCE };
        bug.judgement.sureness = bug.judgement.sureness.saturating_sub(less);
    }
    Ok(bug)
}

/// Takes what reducing has come to.
fn take(bug: &mut Bug, reduced: Reduced, finding: &Finding) {
    let Reduced { tape, lines, helpers, operations, failure, .. } = reduced;
    let mut minimal = Finding::of(Failure { tape: Some(tape), ..failure });
    // A process that dies does not say how; the call is the last of the minimal program.
    minimal.cause = finding.cause;
    if finding.cause.is_deadly() {
        minimal.message = finding.message.clone();
    }
    if minimal.operation.is_empty() || finding.cause.is_deadly() {
        minimal.operation = operations.last().cloned().unwrap_or_else(|| finding.operation.clone());
    }
    bug.finding = minimal;
    (bug.program, bug.helpers, bug.calls) = (lines, helpers, operations);
}

/// The types of our own that a program uses, and those that they use.
fn used<'a>(program: &[String], harness: &'a Harness) -> Vec<&'a StandIn> {
    let mut text = program.join("\n");
    let mut open: Vec<&StandIn> = harness.stand_ins.iter().collect();
    let mut used = Vec::new();
    while let Some(place) = open.iter().position(|stand_in| stand_in.is_in(&text)) {
        let found = open.remove(place);
        text.push_str(&found.text);
        used.push(found);
    }
    used
}

/// The words by which a harness is told where to try programs that fail of this cause.
pub(super) fn trial(cause: Cause) -> &'static [&'static str] {
    match cause {
        Cause::Death => &["--children"],
        Cause::Hang => &["--children", "--hangs"],
        _ => &[],
    }
}

/// The minimal program, if the program fails again when it is tried in some manner.
pub(super) fn reduced(
    tape: &str,
    manner: &[&str],
    time: Duration,
    harness: &Harness,
    scratch: &Path,
) -> Result<Option<Reduced>> {
    let seconds = time.as_secs().to_string();
    let mut arguments = vec!["reduce", "--tape", tape, "--seconds", &seconds];
    arguments.extend(manner);
    let process = Process::start(&harness.binary, scratch, &arguments, time * 4)?;
    let (events, _) = process.finish(time + Duration::from_secs(10))?;
    Ok(events.into_iter().find_map(|event| match event {
        Event::Reduced(reduced) => Some(*reduced),
        _ => None,
    }))
}

/// Reduces groups, several at a time; what is left when `interrupted` is not reduced.
pub(crate) fn reduce_all(
    groups: &[Group],
    harness: &Harness,
    folder: &Path,
    jobs: usize,
    interrupted: &(dyn Fn() -> bool + Sync),
    tell: &(dyn Fn() + Sync),
) -> Result<Vec<Bug>> {
    let queue = Mutex::new(groups.iter().enumerate());
    let done = Mutex::new(Vec::new());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = |number: usize| -> Result<()> {
        let scratch = folder.join(format!("reducer-{number}"));
        std::fs::create_dir_all(&scratch)?;
        while let Some((place, group)) = next() {
            let unreduced = || with_others(Bug::unreduced(group.first()), group);
            let bug = if interrupted() { unreduced() } else { reduce(group, harness, &scratch)? };
            done.lock().unwrap_or_else(PoisonError::into_inner).push((place, bug));
            tell();
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|number| scope.spawn(move || work(number))).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("reducing does not panic"))
    })?;
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(place, _)| *place);
    Ok(done.into_iter().map(|(_, bug)| bug).collect())
}
