//! Findings: ways in which calls have failed, each kept on disk the moment it exists.
//!
//! **Invariant:** a finding is in the file before anybody is told of it, and the file is only added to. If it
//! cannot be, that is said.

pub(crate) mod family;
pub(crate) mod function;
pub(crate) mod panic_kind;
mod pattern;
mod place;
mod rate;
mod stack;

pub(crate) use pattern::Pattern;
pub(crate) use place::Place;
pub(crate) use rate::Rate;
pub(crate) use stack::Stack;

use crate::api::Law;
use anyhow::{Context, Result};
use bugnet::oracle::{self, Failure, Signature};
use bugnet_process::Death;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The way in which a call has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Cause {
    /// The process died.
    Death,
    Hang,
    Memory,
    Panic,
    /// A law did not hold.
    Law,
}

impl Cause {
    /// Returns the word that stands for it in files.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Cause::Death => "death",
            Cause::Hang => "hang",
            Cause::Memory => "memory",
            Cause::Panic => "panic",
            Cause::Law => "law",
        }
    }

    /// Returns true if no process survives it.
    pub(crate) fn is_deadly(self) -> bool {
        matches!(self, Cause::Death | Cause::Hang | Cause::Memory)
    }
}

/// The phase in which a call has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Phase {
    Call,
    /// Its result was looked at.
    Observe,
    /// A value was dropped.
    Drop,
}

impl Phase {
    /// Returns the word that stands for it in files.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Phase::Call => "call",
            Phase::Observe => "observe",
            Phase::Drop => "drop",
        }
    }
}

/// A way in which a call has failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Finding {
    pub(crate) operation: String,
    /// The law that the operation asks, if it asks one. Files that were written before this was told do not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) law: Option<Law>,
    pub(crate) phase: Phase,
    pub(crate) cause: Cause,
    pub(crate) place: Option<Place>,
    pub(crate) message: String,
    /// The program; none if it could not be found again.
    pub(crate) tape: Option<String>,
    /// The functions of the minimal program that change an earlier value, in order, if a law was broken and it was looked
    /// for another way to break it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) after: Option<Vec<String>>,
}

/// The properties that tell findings apart. The message is not one of them: it may hold values.
pub(crate) type Key = (String, Phase, Cause, Option<Place>);

impl Finding {
    /// Returns the finding that a harness has told; `law` is what the operation asks.
    pub(crate) fn of(failure: &Failure, law: Option<Law>, tape: Option<String>) -> Finding {
        let (operation, phase, cause) = match &failure.signature {
            Signature::InCall { operation, phase, cause } => (operation.clone(), *phase, &**cause),
            other => (String::new(), oracle::Phase::Call, other),
        };
        let is_panic = matches!(cause, Signature::Panic { .. });
        Finding {
            operation: oracle::plain(operation),
            law,
            phase: match phase {
                oracle::Phase::Observe => Phase::Observe,
                oracle::Phase::Drop => Phase::Drop,
                oracle::Phase::Call | oracle::Phase::Check => Phase::Call,
            },
            cause: match cause.cause() {
                Signature::Panic { .. } => Cause::Panic,
                Signature::Hung => Cause::Hang,
                Signature::Died(how) if Death::read(how) == Some(Death::OutOfMemory) => Cause::Memory,
                Signature::Died(_) => Cause::Death,
                _ => Cause::Law,
            },
            place: is_panic.then(|| Place::read(&cause.to_string())).flatten(),
            // It comes from another process, which may have changed it.
            message: oracle::plain(failure.message.clone()),
            tape,
            after: None,
        }
    }

    pub(crate) fn key(&self) -> Key {
        (self.operation.clone(), self.phase, self.cause, self.place.clone())
    }

    /// The law and the type that it is of, if the operation is a law.
    pub(crate) fn law(&self) -> Option<(&str, &str)> {
        self.law.as_ref().map(|law| (law.name.as_str(), law.of.as_str()))
    }

    /// The shortest program is the best, and of several that are as short one is, whoever found it first.
    fn rank(&self) -> (usize, Option<&str>, &str) {
        let length = self.tape.as_ref().map_or(usize::MAX, String::len);
        (length, self.tape.as_deref(), &self.message)
    }

    /// Returns true if a minimal program may come to take the place of this one.
    fn may_be_refined(&self) -> bool {
        self.after.is_none() && !self.cause.is_deadly()
    }

    /// Returns true if another run has failed in the same way.
    pub(crate) fn is_like(&self, other: &Finding) -> bool {
        // A process may die with other words, and the program tells the call.
        self.cause == other.cause
            && (self.cause.is_deadly()
                || (self.place == other.place
                    && self.phase == other.phase
                    && self.operation == other.operation))
    }
}

/// All findings of a run, each once, in memory and on disk.
///
/// Several processes tell them in an order that depends on the machine. What is left of them does not.
#[derive(Debug)]
pub(crate) struct Findings {
    /// By what tells them apart, and by the calls after which a law was broken; the best first. All programs are kept
    /// that a minimal one may still take the place of, for the next best shows the finding then.
    all: BTreeMap<(Key, Option<Vec<String>>), Vec<Finding>>,
    file: File,
    path: PathBuf,
    /// The reason why something could not be written.
    pub(crate) problem: Option<String>,
}

impl Findings {
    /// Findings that are kept in a new file.
    pub(crate) fn create(path: &Path) -> Result<Findings> {
        let cannot = || format!("{} cannot be written", path.display());
        let file = File::create(path).with_context(cannot)?;
        Ok(Findings { all: BTreeMap::new(), file, path: path.to_path_buf(), problem: None })
    }

    /// Takes a finding; says whether it is new.
    pub(crate) fn add(&mut self, finding: Finding) -> bool {
        let known = self.all.entry((finding.key(), finding.after.clone())).or_default();
        let place = known.partition_point(|known| known.rank() < finding.rank());
        if known.get(place).is_some_and(|known| known.rank() == finding.rank()) {
            return false;
        }
        let (is_new, is_best) = (known.is_empty(), place == 0);
        if is_best {
            let line = serde_json::to_string(&finding).map(|line| line + "\n").map_err(std::io::Error::from);
            // A full disk loses the file, not the run.
            if let Err(error) = line.and_then(|line| self.file.write_all(line.as_bytes())) {
                self.problem.get_or_insert(format!("{} cannot be written: {error}", self.path.display()));
            }
        }
        match finding.may_be_refined() {
            true => known.insert(place, finding),
            false if is_best => *known = vec![finding],
            false => {}
        }
        is_new
    }

    /// Takes the minimal program of a finding in its place; says whether that is a new way to fail.
    pub(crate) fn refine(&mut self, finding: &Finding, minimal: Finding) -> bool {
        let is_news = self.add(minimal);
        let raw = (finding.key(), None);
        let Some(known) = self.all.get_mut(&raw) else { return is_news };
        let count = known.len();
        known.retain(|known| known.tape != finding.tape);
        let was_there = known.len() < count;
        if known.is_empty() {
            self.all.remove(&raw);
        }
        is_news && !was_there
    }

    /// All of them, in the order of their keys.
    pub(crate) fn into_all(self) -> Vec<Finding> {
        self.all.into_values().filter_map(|known| known.into_iter().next()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(message: &str, tape: &str) -> Finding {
        Finding {
            operation: "f".to_string(),
            law: None,
            phase: Phase::Call,
            cause: Cause::Panic,
            place: Place::read("/home/me/.cargo/registry/src/index/bit-vec-0.10.1/src/lib.rs:12:5"),
            message: message.to_string(),
            tape: Some(tape.to_string()),
            after: None,
        }
    }

    #[test]
    fn findings_that_differ_in_their_message_are_one_and_all_are_on_disk() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("found.jsonl");
        let mut findings = Findings::create(&path).unwrap();
        assert!(findings.add(finding("index 7", "1.2.3")));
        assert!(!findings.add(finding("index 9", "1.2.3")));
        // A shorter program takes the place of a longer one.
        assert!(!findings.add(finding("index 9", "1.2")));
        let text = std::fs::read_to_string(&path).unwrap();
        let read: Vec<Finding> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(read, [finding("index 7", "1.2.3"), finding("index 9", "1.2")]);
        assert_eq!(findings.problem, None);
        assert_eq!(findings.into_all(), [finding("index 9", "1.2")]);
    }

    #[test]
    fn a_line_that_was_written_before_laws_were_told_is_still_read() {
        let old = r#"{"operation":"law hash of B","phase":"call","cause":"law","place":null,"message":"","tape":"1"}"#;
        let read: Finding = serde_json::from_str(old).unwrap();
        assert_eq!((read.operation.as_str(), read.law()), ("law hash of B", None));
        let law = Some(Law { name: "hash".to_string(), of: "B".to_string() });
        let told = Finding { law, ..read };
        let again: Finding = serde_json::from_str(&serde_json::to_string(&told).unwrap()).unwrap();
        assert_eq!(again.law(), Some(("hash", "B")));
    }

    #[test]
    fn of_programs_that_are_as_short_the_same_is_kept_whichever_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        let kept = |tapes: [&str; 2]| {
            let mut findings = Findings::create(&folder.path().join("found.jsonl")).unwrap();
            for tape in tapes {
                findings.add(finding("no", tape));
            }
            findings.into_all()
        };
        assert_eq!(kept(["1.2", "1.3"]), [finding("no", "1.2")]);
        assert_eq!(kept(["1.3", "1.2"]), [finding("no", "1.2")]);
    }

    #[test]
    fn a_minimal_program_takes_the_place_of_its_own_finding_whatever_another_process_tells_meanwhile() {
        let folder = tempfile::tempdir().unwrap();
        let raw = |tape: &str| Finding { cause: Cause::Law, ..finding("no", tape) };
        let minimal = Finding { after: Some(vec!["g".to_string()]), ..raw("1") };
        // Of one process: a finding, and what it was reduced to. Of another one: a finding that nobody looked into.
        let (found, reduced, beside) = (0, 1, 2);
        let left = |order: [i32; 3], own: &str, other: &str| {
            let mut findings = Findings::create(&folder.path().join("found.jsonl")).unwrap();
            for step in order {
                match step {
                    0 => findings.add(raw(own)),
                    1 => findings.refine(&raw(own), minimal.clone()),
                    _ => findings.add(raw(other)),
                };
            }
            findings.into_all()
        };
        for (own, other) in [("1.2", "1.2.3"), ("1.2.3", "1.2")] {
            for order in [[found, reduced, beside], [found, beside, reduced], [beside, found, reduced]] {
                assert_eq!(left(order, own, other), [raw(other), minimal.clone()], "{order:?}");
            }
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_loses_no_finding() {
        let mut findings = Findings::create(Path::new("/dev/full")).unwrap();
        assert!(findings.add(finding("index 7", "1.2.3")));
        assert!(findings.problem.as_ref().unwrap().contains("/dev/full cannot be written: No space left"));
        assert_eq!(findings.into_all().len(), 1);
    }
}
