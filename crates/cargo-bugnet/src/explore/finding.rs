//! Findings: ways in which calls have failed, each kept on disk the moment it exists.
//!
//! **Invariant:** a finding is in the file before anybody is told of it, and the file is only added to. If it
//! cannot be, that is said.

use super::event::Failure;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// How a call has failed.
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
    /// Whether no process can live through it.
    pub(crate) fn is_deadly(self) -> bool {
        matches!(self, Cause::Death | Cause::Hang | Cause::Memory)
    }
}

/// When a call has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Phase {
    Call,
    /// When its result was looked at.
    Observe,
    /// When a value was dropped.
    Drop,
}

/// A line of source code.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Place {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl Place {
    /// Reads `file:line:column`.
    pub(crate) fn read(text: &str) -> Option<Place> {
        let mut parts = text.rsplitn(3, ':');
        let (column, line, file) = (parts.next()?, parts.next()?, parts.next()?);
        Some(Place { file: file.to_string(), line: line.parse().ok()?, column: column.parse().ok()? })
    }

    /// Whether it is the same place as another, which may be told with more folders before it.
    pub(crate) fn is_end_of(&self, whole: &Place) -> bool {
        let rest = whole.file.strip_suffix(&self.file);
        let is_file = rest.is_some_and(|rest| rest.is_empty() || rest.ends_with(['/', '\\']));
        is_file && (self.line, self.column) == (whole.line, whole.column)
    }

    /// Whether it is in the code that was generated: the panic blames its caller.
    pub(crate) fn is_in_harness(&self) -> bool {
        matches!(self.file.as_str(), "src/operations.rs" | "src/main.rs")
            || self.file.starts_with("src/operations/")
    }

    /// Whether it is in the standard library.
    pub(crate) fn is_in_standard_library(&self) -> bool {
        self.file.starts_with("/rustc/") || self.file.contains("/lib/rustlib/src/")
    }

    /// Without the folders that only say where packages are kept.
    pub(crate) fn short(&self) -> String {
        let parts: Vec<&str> = self.file.split(['/', '\\']).collect();
        let root = parts.iter().rposition(|part| matches!(*part, "src" | "tests" | "library"));
        let start = root.map_or(0, |root| root.saturating_sub(1));
        format!("{}:{}", parts[start..].join("/"), self.line)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A way in which a call has failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Finding {
    pub(crate) operation: String,
    pub(crate) phase: Phase,
    pub(crate) cause: Cause,
    pub(crate) place: Option<Place>,
    pub(crate) message: String,
    /// The program; none if it could not be found again.
    pub(crate) tape: Option<String>,
}

/// What tells findings apart. The message does not: it may hold values.
pub(crate) type Key = (String, Phase, Cause, Option<Place>);

impl Finding {
    /// What a harness has told.
    pub(crate) fn of(failure: Failure) -> Finding {
        let cause = match failure.cause.as_str() {
            "panic" => Cause::Panic,
            "hang" => Cause::Hang,
            "memory" => Cause::Memory,
            "death" => Cause::Death,
            _ => Cause::Law,
        };
        let phase = match failure.phase.as_str() {
            "observe" => Phase::Observe,
            "drop" => Phase::Drop,
            _ => Phase::Call,
        };
        Finding {
            phase,
            cause,
            place: failure.place.as_deref().and_then(Place::read),
            operation: failure.operation,
            message: failure.message,
            tape: failure.tape,
        }
    }

    pub(crate) fn key(&self) -> Key {
        (self.operation.clone(), self.phase, self.cause, self.place.clone())
    }

    /// The law and the type that it is of, if the operation is a law.
    pub(crate) fn law(&self) -> Option<(&str, &str)> {
        self.operation.strip_prefix("law ")?.split_once(" of ")
    }

    /// Whether another run has failed in the same way.
    pub(crate) fn is_like(&self, other: &Finding) -> bool {
        // What dies may die in other words, and the call is told by the program.
        self.cause == other.cause
            && (self.cause.is_deadly()
                || (self.place == other.place
                    && self.phase == other.phase
                    && self.operation == other.operation))
    }
}

/// All findings of a run, each once, in memory and on disk.
#[derive(Debug)]
pub(crate) struct Findings {
    all: BTreeMap<Key, Finding>,
    file: File,
    path: PathBuf,
    /// Why something could not be written.
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
        let length = |finding: &Finding| finding.tape.as_ref().map_or(usize::MAX, String::len);
        let known = self.all.get(&finding.key());
        if known.is_some_and(|known| length(known) <= length(&finding)) {
            return false;
        }
        let line = serde_json::to_string(&finding).map(|line| line + "\n").map_err(std::io::Error::from);
        // A full disk loses the file, not the run.
        if let Err(error) = line.and_then(|line| self.file.write_all(line.as_bytes())) {
            self.problem.get_or_insert(format!("{} cannot be written: {error}", self.path.display()));
        }
        self.all.insert(finding.key(), finding).is_none()
    }

    /// All of them, in the order of their keys.
    pub(crate) fn into_all(self) -> Vec<Finding> {
        self.all.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(message: &str, tape: &str) -> Finding {
        Finding {
            operation: "f".to_string(),
            phase: Phase::Call,
            cause: Cause::Panic,
            place: Place::read("/home/me/.cargo/registry/src/index/bit-vec-0.10.1/src/lib.rs:12:5"),
            message: message.to_string(),
            tape: Some(tape.to_string()),
        }
    }

    #[test]
    fn a_place_is_shown_without_the_folders_above_its_package() {
        assert_eq!(finding("", "").place.unwrap().short(), "bit-vec-0.10.1/src/lib.rs:12");
        assert_eq!(Place::read("src/lib.rs:1:2").unwrap().short(), "src/lib.rs:1");
        assert_eq!(Place::read("nonsense"), None);
    }

    #[test]
    fn a_place_is_the_same_with_more_folders_before_it() {
        let [short, whole, other] =
            ["b-0.1/src/lib.rs:1:2", "/r/b-0.1/src/lib.rs:1:2", "/r/bb-0.1/src/lib.rs:1:2"]
                .map(|text| Place::read(text).unwrap());
        assert!(short.is_end_of(&whole) && short.is_end_of(&short));
        assert!(!whole.is_end_of(&short) && !Place::read("-0.1/src/lib.rs:1:2").unwrap().is_end_of(&other));
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

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_loses_no_finding() {
        let mut findings = Findings::create(Path::new("/dev/full")).unwrap();
        assert!(findings.add(finding("index 7", "1.2.3")));
        assert!(findings.problem.as_ref().unwrap().contains("/dev/full cannot be written: No space left"));
        assert_eq!(findings.into_all().len(), 1);
    }
}
