//! Replaying: a program is run again in fresh processes, to see in how many of them it fails.
//!
//! **Invariant:** a program that is said to fail always has failed in every run, and in enough runs that one which
//! fails by chance would hardly have.

use super::{Client, read};
use crate::api::Law;
use crate::finding::{Cause, Finding, Phase, Rate};
use crate::interrupt;
use anyhow::Result;
use bugnet::wire::explore::{Command, Event, Replay};
use bugnet_process::Death;
use std::time::{Duration, Instant};

/// Fresh processes in which a program is run at first.
const FEW: u32 = 3;
/// Fresh processes in which a program is run if chance plays a part.
const MANY: u32 = 60;
/// The time for the many runs; a program that hangs in some of them takes seconds each.
const TIME: Duration = Duration::from_secs(10);
/// Runs of a program in one process. They take no time, and they tell a failure in 99 of 100 runs from one in
/// every run.
const TIMES: u64 = 1_000;
/// Processes in which a program has to pass before it is believed to pass.
const PASSES: u32 = 20;

impl Client<'_> {
    /// Measures in how many runs a program fails as it did before.
    pub(crate) fn measure(self, finding: &Finding, tape: &str) -> Result<Rate> {
        let is_like = |again: Option<Finding>| again.is_some_and(|again| finding.is_like(&again));
        let mut rate = Rate::default();
        // No process lives to repeat what is deadly.
        let mut repeated = Rate::default();
        if !finding.cause.is_deadly() {
            let (first, all) = self.repeat(tape, TIMES)?;
            rate.count(is_like(first));
            repeated = all;
        }
        // Nobody waits for a measure that was cut short.
        let is_wanted = || !interrupt::is_cut();
        while rate.runs < FEW && is_wanted() {
            rate.count(is_like(self.replay(tape)?));
        }
        let never = |rate: Rate| rate.failed == 0;
        let is_agreed = rate.is_certain() && repeated.is_certain() || never(rate) && never(repeated);
        let start = Instant::now();
        while !is_agreed && rate.runs < MANY && start.elapsed() < TIME && is_wanted() {
            rate.count(is_like(self.replay(tape)?));
        }
        Ok(rate.settled(repeated))
    }

    /// Runs a program in fresh processes until it fails; `None` if it does not, or if nobody wants to know any more.
    pub(crate) fn seek(self, tape: &str) -> Result<Option<Finding>> {
        for _ in 0..PASSES {
            if interrupt::is_cut() {
                break;
            }
            if let Some(finding) = self.replay(tape)? {
                return Ok(Some(finding));
            }
        }
        Ok(None)
    }

    /// Runs a program in a fresh process; says how it fails, if it does.
    fn replay(self, tape: &str) -> Result<Option<Finding>> {
        Ok(self.repeat(tape, 1)?.0)
    }

    /// Runs a program in a fresh process; returns the functions on the stack where it fails, the innermost first. There
    /// are none if it does not fail, or in a way in which nobody can look.
    pub(crate) fn stack(self, tape: &str) -> Result<Vec<String>> {
        let replay = Replay { tape: read(tape)?, times: 1, is_steady: false, has_stack: true };
        let events = self.answer(Command::Replay(replay))?.events;
        let mut stacks = events.into_iter().filter_map(|event| match event {
            Event::Stack(functions) => Some(functions),
            _ => None,
        });
        Ok(stacks.next().unwrap_or_default())
    }

    /// Runs a program several times in a fresh process; says how it fails at first, and in how many runs.
    fn repeat(self, tape: &str, times: u64) -> Result<(Option<Finding>, Rate)> {
        let replay = Replay { tape: read(tape)?, times, is_steady: false, has_stack: false };
        let answer = self.answer(Command::Replay(replay))?;
        let repeated = answer.events.iter().find_map(|event| match event {
            Event::Repeated { failed, runs } => Some(Rate { failed: *failed, runs: *runs }),
            _ => None,
        });
        let told = answer.events.iter().find_map(|event| match event {
            Event::Replayed(failure) => Some(failure),
            _ => None,
        });
        if let Some(told) = told {
            let finding = told.as_ref().map(|failure| Finding::of(failure, None, None));
            return Ok((finding, repeated.unwrap_or_default()));
        }
        let (cause, message) = match answer.end.death() {
            _ if answer.took_too_long() => (Cause::Hang, "the call does not end".to_string()),
            Death::OutOfMemory => (Cause::Memory, answer.end.reason()),
            _ => (Cause::Death, answer.end.reason()),
        };
        let program = self.describe(tape)?;
        let last = program.called().next_back();
        let finding = Finding {
            operation: last.map(|call| call.operation.clone()).unwrap_or_default(),
            law: last.and_then(|call| Law::of(&call.role)),
            phase: Phase::Call,
            cause,
            place: None,
            message,
            tape: Some(tape.to_string()),
            after: None,
        };
        Ok((Some(finding), Rate::default()))
    }
}
