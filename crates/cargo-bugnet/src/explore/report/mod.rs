//! Reports: what a run has come to, for people and for machines.
//!
//! **Invariant:** all reports are made of the same [`Report`], and the same report gives the same text.

pub(crate) mod json;
pub(crate) mod junit;
pub(crate) mod sarif;
pub(crate) mod terminal;

use super::bug::{Bug, Group};
use super::complaint::Complaint;
use super::crew::Run;
use super::fact::Harness;
use super::finding::{Cause, Phase};

/// What a run has come to.
#[derive(Debug)]
pub(crate) struct Report<'a> {
    pub(crate) harness: &'a Harness,
    pub(crate) run: &'a Run,
    pub(crate) seed: u64,
    /// What is shown, the surest first.
    pub(crate) bugs: &'a [Bug],
    /// How many bugs are known and not shown.
    pub(crate) known: usize,
    /// What is probably a wrong use.
    pub(crate) suspects: &'a [Group],
    /// What the operating system did not deny.
    pub(crate) gaps: &'a [String],
    /// The command that the user would give to explore the same crate.
    pub(crate) command: String,
}

/// One line about a bug, without a full stop.
pub(crate) fn title(bug: &Bug) -> String {
    let operation = &bug.finding.operation;
    match (bug.finding.cause, bug.finding.law()) {
        (Cause::Law, Some((law, kind))) => format!("`{kind}` breaks the law `{law}`"),
        (Cause::Law, None) => format!("`{operation}` does not hold"),
        (Cause::Hang, _) => format!("`{operation}` does not end"),
        (Cause::Memory, _) => format!("`{operation}` asks for more memory than there is"),
        (Cause::Death, _) => format!("`{operation}` ends the process: {}", bug.finding.message),
        (Cause::Panic, law) => {
            let how = Complaint::of(&bug.finding.message, None).words();
            match (bug.finding.phase, law) {
                (Phase::Observe, _) => format!("`Debug` of a value from `{operation}` {how}"),
                (Phase::Drop, _) => format!("dropping a value after `{operation}` {how}"),
                (Phase::Call, Some((law, kind))) => format!("`{law}` of `{kind}` {how}"),
                (Phase::Call, None) => format!("`{operation}` {how}"),
            }
        }
    }
}

/// What to add to the words about a bug that does not always fail.
fn chance(bug: &Bug) -> String {
    if bug.rate.is_certain() { String::new() } else { format!(", fails in {}", bug.rate) }
}

/// What the code under test said, in one line.
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
pub(super) mod example {
    use super::*;
    use crate::explore::finding::{Finding, Place};
    use crate::explore::replay::Rate;
    use crate::explore::triage::{Class, Judgement};
    use std::path::PathBuf;
    use std::time::Duration;

    pub(crate) fn harness() -> Harness {
        Harness {
            folder: PathBuf::from("h"),
            binary: PathBuf::from("h/target/debug/harness"),
            source: PathBuf::from("s"),
            crate_name: "bit_vec".to_string(),
            package: "bit-vec".to_string(),
            version: "0.10.1".to_string(),
            dependency: "bit-vec = \"=0.10.1\"".to_string(),
            facts: Default::default(),
            functions: 57,
            callable: 53,
            trait_functions: 10,
            trait_callable: 9,
            unreached: Vec::new(),
            left_out: Vec::new(),
            stand_ins: Vec::new(),
        }
    }

    pub(crate) fn run() -> Run {
        Run {
            calls: 2_000_000,
            failed: 4,
            operations: 50,
            reached: ["a", "b"].map(str::to_string).into(),
            elapsed: Duration::from_secs(10),
            ..Run::default()
        }
    }

    pub(crate) fn bug() -> Bug {
        Bug {
            name: "bit_vec_split_off_panics".to_string(),
            judgement: Judgement {
                class: Class::Panic,
                sureness: 80,
                reason: "what the author took for granted is not there".to_string(),
            },
            finding: Finding {
                operation: "BitVec::split_off".to_string(),
                phase: Phase::Call,
                cause: Cause::Panic,
                place: Place::read("/r/bit-vec-0.10.1/src/lib.rs:12:5"),
                message: "called `Option::unwrap()` on a `None` value <&>".to_string(),
                tape: Some("1.2".to_string()),
            },
            program: vec![
                "let mut bit_vec = bit_vec::BitVec::<u32>::new();".to_string(),
                "let _ = bit_vec.split_off(0);".to_string(),
            ],
            calls: vec!["BitVec::new".to_string(), "BitVec::split_off".to_string()],
            helpers: Vec::new(),
            pattern: None,
            also: vec!["BitVec::truncate".to_string()],
            rate: Rate { failed: 3, runs: 3 },
            proven: true,
        }
    }

    pub(crate) fn report<'a>(harness: &'a Harness, run: &'a Run, bugs: &'a [Bug]) -> Report<'a> {
        let command = "cargo bugnet explore --crate bit-vec@0.10.1".to_string();
        Report { harness, run, seed: 7, bugs, known: 0, suspects: &[], gaps: &[], command }
    }
}
