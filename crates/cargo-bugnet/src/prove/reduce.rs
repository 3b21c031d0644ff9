//! Reducing: findings become bugs, with the simplest program that fails in the same way.
//!
//! **Invariant:** whatever is shown has failed in all of several fresh processes, or says in how many it did.

use crate::api::Law;
use crate::client::limit::Pace;
use crate::client::{Client, manner};
use crate::finding::{Cause, Finding, Place, Stack, function};
use crate::harness::StandIn;
use crate::harness::built::Built;
use crate::interrupt;
use crate::judge::bug::{Also, Bug, Group, Judged};
use crate::judge::{Asked, Step, judge_reduced, judge_repeated, same_cause};
use anyhow::Result;
use bugnet::wire::explore::Reduced;
use bugnet::wire::{Argument, Call};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The time to reduce one program.
const TIME: Duration = Duration::from_secs(6);
/// The time if each step takes a process of its own.
const TIME_APART: Duration = Duration::from_secs(12);
/// Trials to reduce one program where no clock is asked.
const TRIALS: u64 = 4_000;
/// The same where each trial takes a process of its own.
const TRIALS_APART: u64 = 1_000;
/// The same for a call that does not end: each trial takes as long as a call may take.
const TRIALS_ENDLESS: u64 = 60;
/// Ways to one place that are tried, if the first turn out to be wrong uses.
const WAYS: usize = 3;

/// The settings for reducing groups.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reducing<'a> {
    pub(crate) pace: Pace,
    pub(crate) built: &'a Built,
    /// The folder that the reducing processes may write to.
    pub(crate) folder: &'a Path,
    /// The number of groups that are reduced at a time.
    pub(crate) jobs: usize,
}

/// Reduces one group to a bug.
fn reduce(group: &Group, how: Reducing<'_>, client: Client<'_>) -> Result<Bug> {
    let built = how.built;
    let mut first = None;
    for judged in group.0.iter().take(WAYS) {
        let bug = reduce_one(judged, how, client)?;
        let is_shown = bug.judgement.is_shown();
        if is_shown || !judged.judgement.is_shown() {
            return Ok(with_others(bug, group, built));
        }
        first.get_or_insert(bug);
    }
    Ok(with_others(first.expect("a group has members"), group, built))
}

fn with_others(mut bug: Bug, group: &Group, built: &Built) -> Bug {
    // A wrong use at the same place says nothing about the bug.
    let others = group.0.iter().filter(|judged| judged.judgement.is_shown());
    let is_another =
        |finding: &Finding| finding.operation != bug.finding.operation || !bug.other_way(finding).is_empty();
    let others = others.filter(|judged| is_another(&judged.finding));
    let others: Vec<Also> = others
        .map(|Judged { finding, .. }| {
            let why = same_cause::why_grouped(&group.first().finding, finding, built);
            let at = finding.place.as_ref().filter(|_| why != same_cause::ONE_PLACE);
            let at = at.filter(|place| !place.is_in_standard_library()).map(Place::short);
            let after = bug.other_way(finding);
            let Finding { operation, law, .. } = finding.clone();
            Also { operation, law, at, after, why }
        })
        .collect();
    bug.add(others);
    bug
}

fn reduce_one(judged: &Judged, how: Reducing<'_>, client: Client<'_>) -> Result<Bug> {
    let Reducing { pace, built, .. } = how;
    let Judged { finding, judgement } = judged;
    let mut bug = Bug::unreduced(judged);
    let facts = built.facts_of(&finding.operation);
    let Some(tape) = &finding.tape else {
        // It has happened once, and nobody can say in which program.
        bug.judgement = judge_repeated(bug.judgement, finding, facts, bug.rate);
        return Ok(bug);
    };
    if matches!(finding.cause, Cause::Hang | Cause::Memory) {
        // To ask for much takes long to reduce, and is no bug.
        let last = client.describe(tape)?.calls.pop().map(alone);
        let steps: Vec<Step<'_>> = last.iter().map(|call| step(call, built)).collect();
        let asked = Asked { program: &steps, ..Asked::of(finding, facts) };
        let judged = judge_reduced(judgement.clone(), &asked);
        if !judged.is_shown() {
            return Ok(Bug { judgement: judged, ..bug });
        }
    }
    let apart = matches!(finding.cause, Cause::Death | Cause::Hang);
    let trials = match finding.cause {
        Cause::Hang => TRIALS_ENDLESS,
        Cause::Death => TRIALS_APART,
        Cause::Memory | Cause::Panic | Cause::Law => TRIALS,
    };
    let limit = pace.limit(if apart { TIME_APART } else { TIME }, trials);
    let mut reduced = client.reduce(tape, manner(finding.cause), limit, Vec::new())?;
    if reduced.is_none() && !apart {
        // Programs near it may be deadly.
        let limit = pace.limit(TIME_APART, TRIALS_APART);
        reduced = client.reduce(tape, manner(Cause::Death), limit, Vec::new())?;
    }
    if let Some(reduced) = reduced {
        take(&mut bug, reduced, finding);
    } else {
        // It did not fail again when it was to be reduced, so it stays as it is.
        bug.program = client.describe(tape)?;
    }
    let lines = bug.program.lines();
    let stand_ins = used(&lines, built);
    bug.program.helpers.extend(stand_ins.iter().map(|stand_in| stand_in.text.clone()));
    bug.rate = client.measure(&bug.finding, bug.finding.tape.as_deref().unwrap_or_default())?;
    locate(&mut bug, built, client)?;
    let steps: Vec<Step<'_>> = bug.program.calls.iter().map(|call| step(call, built)).collect();
    let (program, stand_ins) = (&steps[..], &stand_ins[..]);
    let line = bug.finding.place.as_ref().and_then(|place| place.source_line(&built.source));
    let asked = Asked { program, stand_ins, line: line.as_deref(), ..Asked::of(&bug.finding, facts) };
    let judgement = judge_reduced(bug.judgement.clone(), &asked);
    bug.judgement = judge_repeated(judgement, &bug.finding, facts, bug.rate);
    Ok(bug)
}

/// Returns a call with what is known of its operation; only what is called has one.
fn step<'a>(call: &'a Call, built: &'a Built) -> Step<'a> {
    let operation = if call.role.is_called() { call.operation.as_str() } else { "" };
    Step { call, facts: built.facts_of(operation) }
}

/// Returns a call without what earlier calls have made for it.
fn alone(mut call: Call) -> Call {
    call.arguments.retain(|argument| matches!(argument, Argument::Literal(_)));
    call
}

/// Finds the function of the crate in which a bug fails: the one that its place is in, or else the first of the crate
/// that is on the stack.
fn locate(bug: &mut Bug, built: &Built, client: Client<'_>) -> Result<()> {
    let place = bug.finding.place.as_ref();
    bug.inner = place.and_then(|place| function::enclosing(place, &built.source));
    let has_stack = matches!(bug.finding.cause, Cause::Panic | Cause::Death);
    if let (None, true, Some(tape)) = (&bug.inner, has_stack, &bug.finding.tape) {
        bug.stack = Stack::inside(&client.stack(tape)?, &built.crate_name);
        bug.inner = bug.stack.innermost().map(str::to_string);
    }
    Ok(())
}

/// Takes what reducing has come to.
fn take(bug: &mut Bug, reduced: Reduced, finding: &Finding) {
    let Reduced { program, failure, .. } = reduced;
    let mut minimal = Finding::of(&failure, None, Some(program.tape.to_string()));
    // A process that dies does not say how; the call is the last of the minimal program.
    minimal.cause = finding.cause;
    if finding.cause.is_deadly() {
        minimal.message = finding.message.clone();
    }
    if minimal.operation.is_empty() || finding.cause.is_deadly() {
        let last = program.called().next_back().map(|call| &call.operation);
        minimal.operation = last.unwrap_or(&finding.operation).clone();
    }
    let call = program.called().find(|call| call.operation == minimal.operation);
    minimal.law = call.and_then(|call| Law::of(&call.role));
    // Only where another way was looked for is it evidence.
    minimal.after.clone_from(&finding.after);
    bug.finding = minimal;
    bug.program = program;
}

/// The types of our own that a program uses, and those that they use.
fn used<'a>(program: &[String], built: &'a Built) -> Vec<&'a StandIn> {
    let mut text = program.join("\n");
    let mut open: Vec<&StandIn> = built.stand_ins.iter().collect();
    let mut used = Vec::new();
    while let Some(place) = open.iter().position(|stand_in| stand_in.is_in(&text)) {
        let found = open.remove(place);
        text.push_str(&found.text);
        used.push(found);
    }
    used
}

/// Reduces groups, several at a time; what is left when `interrupted` is not reduced.
pub(crate) fn reduce_all(
    groups: &[Group],
    how: Reducing<'_>,
    interrupted: &(dyn Fn() -> bool + Sync),
    tell: &(dyn Fn() + Sync),
) -> Result<Vec<Bug>> {
    let Reducing { built, folder, jobs, .. } = how;
    let queue = Mutex::new(groups.iter().enumerate());
    let done = Mutex::new(Vec::new());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || -> Result<()> {
        let client = Client { binary: &built.binary, folder };
        while let Some((place, group)) = next() {
            let unreduced = || with_others(Bug::unreduced(group.first()), group, built);
            let bug = match interrupted() {
                true => unreduced(),
                // A reduction that was interrupted halfway says nothing.
                false => match reduce(group, how, client) {
                    _ if interrupted() => unreduced(),
                    bug => bug?,
                },
            };
            done.lock().unwrap_or_else(PoisonError::into_inner).push((place, bug));
            tell();
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("reducing does not panic"))
    })?;
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(place, _)| *place);
    Ok(done.into_iter().map(|(_, bug)| bug).collect())
}

/// The time to generalize one bug.
const GENERALIZING: Duration = Duration::from_secs(3);
/// Trials to generalize one bug where no clock is asked.
const GENERALIZING_TRIALS: u64 = 3_000;

/// Finds the patterns of bugs that fail in every run.
pub(crate) fn generalize_all(bugs: &mut [Bug], pace: Pace, client: Client<'_>) -> Result<()> {
    let limit = pace.limit(GENERALIZING, GENERALIZING_TRIALS);
    for bug in bugs.iter_mut().filter(|bug| bug.rate.failed > 0 && bug.rate.is_certain()) {
        if interrupt::is_cut() {
            break;
        }
        let pattern = client.generalize(&bug.finding, limit)?;
        bug.pattern = pattern.filter(|_| !interrupt::is_cut());
    }
    Ok(())
}
