//! Reports: what a run has come to, for people and for machines.
//!
//! **Invariant:** all reports are made of the same [`Report`], and the same report gives the same text.

pub(crate) mod against;
pub(crate) mod checks;
mod columns;
pub(crate) mod json;
pub(crate) mod junit;
pub(crate) mod reasons;
pub(crate) mod sarif;
pub(crate) mod swarm;
pub(crate) mod terminal;
pub(crate) mod variants;

use crate::explore::budget::Budget;
use crate::explore::pool::Run;
use crate::finding::Cause;
use crate::harness::built::Built;
use crate::judge::bug::{Bug, Group};
use crate::store::reasons::Reasons;

/// The results of a run, as they are reported.
#[derive(Debug)]
pub(crate) struct Report<'a> {
    pub(crate) harness: &'a Built,
    pub(crate) run: &'a Run,
    pub(crate) seed: u64,
    pub(crate) budget: Budget,
    /// The bugs that are shown, the surest first.
    pub(crate) bugs: &'a [Bug],
    /// For each of them, what triggers and suppresses it.
    pub(crate) reasons: Vec<Reasons>,
    /// The number of known bugs, which are not shown.
    pub(crate) known: usize,
    /// Findings that are probably wrong uses.
    pub(crate) suspects: &'a [Group],
    /// Accesses that the operating system did not deny.
    pub(crate) gaps: &'a [String],
    /// The command that the user would give to explore the same crate.
    pub(crate) command: String,
}

/// Returns the words to add about a bug that does not always fail.
fn chance(bug: &Bug) -> String {
    if bug.rate.is_certain() { String::new() } else { format!(", fails in {}", bug.rate) }
}

/// Returns the message of a panic in the code under test, in one line.
pub(crate) fn message(bug: &Bug) -> Option<String> {
    let first = bug.finding.message.lines().next().filter(|line| !line.is_empty())?;
    let is_said = matches!(bug.finding.cause, Cause::Panic);
    is_said.then(|| shortened(first, 160))
}

/// A line that is not too long.
pub(crate) fn shortened(line: &str, most: usize) -> String {
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_string(),
    }
}

/// A number and its noun.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
pub(crate) mod example {
    use super::*;
    use crate::explore::budget::Ended;
    pub(crate) use crate::harness::built::example::harness;
    pub(crate) use crate::judge::bug::example::{bug, call, program};
    use std::time::Duration;

    pub(crate) fn run() -> Run {
        Run {
            ended: Ended::Time,
            programs: 50_000,
            calls: 2_000_000,
            failed: 4,
            operations: 50,
            reached: ["a", "b"].map(str::to_string).into(),
            elapsed: Duration::from_secs(10),
            ..Run::default()
        }
    }

    pub(crate) fn report<'a>(harness: &'a Built, run: &'a Run, bugs: &'a [Bug]) -> Report<'a> {
        let command = "cargo bugnet explore --crate bit-vec@0.10.1".to_string();
        let budget = Budget::new(None, None);
        let reasons = reasons::of_bugs(run, bugs);
        Report { harness, run, seed: 7, budget, bugs, reasons, known: 0, suspects: &[], gaps: &[], command }
    }
}
