//! Known bugs: what a user has accepted in `bugnet-explore.toml`, which is counted and not shown.
//!
//! **Invariant:** the file is only ever added to; what is there stays as it is.

use super::bug::Bug;
use super::finding::Cause;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// The file, in the folder of the package, or where a published crate is explored.
pub(crate) const FILE: &str = "bugnet-explore.toml";

const HEADER: &str = "\
# Bugs that `cargo bugnet explore` has found, and that are known. They are counted and not shown.
# Commit this file. Delete a bug when it is mended: a run says so.
";

/// A bug by which it is told again, and its program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Known {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) package: String,
    operation: String,
    cause: Cause,
    /// Where it panics, without the line, which changes with every edit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    pub(crate) tape: String,
    /// What no program is to match any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) pattern: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    known: Vec<Entry>,
}

/// A bug in the file, with what its user has written beside it.
#[derive(Debug, Deserialize)]
struct Entry {
    #[serde(flatten)]
    known: Known,
    /// For people.
    #[serde(rename = "note")]
    _note: Option<String>,
    #[serde(rename = "link")]
    _link: Option<String>,
}

impl Known {
    /// A bug whose program is known.
    pub(crate) fn of(bug: &Bug, package: &str) -> Option<Known> {
        Some(Known {
            name: bug.name.clone(),
            package: package.to_string(),
            operation: bug.finding.operation.clone(),
            cause: bug.finding.cause,
            file: file(bug),
            tape: bug.finding.tape.clone()?,
            pattern: bug.pattern.as_ref().map(|pattern| pattern.stored.clone()),
        })
    }

    /// Whether a bug is this one: the same operation fails in the same way, in the same file.
    pub(crate) fn is(&self, bug: &Bug) -> bool {
        let operations = std::iter::once(&bug.finding.operation).chain(&bug.also);
        let mut operations = operations.map(|operation| operation.split(" at ").next().unwrap_or(operation));
        self.cause == bug.finding.cause
            && self.file == file(bug)
            && operations.any(|operation| operation == self.operation)
    }
}

/// The file in which a bug panics, within its package.
fn file(bug: &Bug) -> Option<String> {
    let file = &bug.finding.place.as_ref()?.file;
    Some(file.rfind("src/").map_or(file.as_str(), |place| &file[place..]).to_string())
}

/// The known bugs of a package, by the file in a folder.
pub(crate) fn read(folder: &Path, package: &str) -> Result<Vec<Known>> {
    let path = folder.join(FILE);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    let document: Document = match toml::from_str(&text) {
        Ok(document) => document,
        Err(error) => bail!(
            "{} is not understood; mend it, or delete the bug in it and accept it again\n\n{error}",
            path.display()
        ),
    };
    let all = document.known.into_iter().map(|entry| entry.known);
    Ok(all.filter(|known| known.package == package).collect())
}

/// Adds a bug to the file in a folder, unless it is there; says whether it was not.
pub(crate) fn accept(folder: &Path, known: &Known) -> Result<bool> {
    if read(folder, &known.package)?.iter().any(|other| other.name == known.name) {
        return Ok(false);
    }
    let path = folder.join(FILE);
    let before = fs::read_to_string(&path).unwrap_or_else(|_| HEADER.to_string());
    let block = format!("\n[[known]]\n{}note = \"\"\n", toml::to_string(known)?);
    fs::write(&path, before + &block).with_context(|| format!("{} cannot be written", path.display()))?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::finding::Place;
    use crate::explore::report::example::bug;

    fn known() -> Known {
        Known::of(&bug(), "fruit").unwrap()
    }

    #[test]
    fn a_bug_is_known_by_its_operation_its_cause_and_its_file() {
        let mut other = bug();
        assert!(known().is(&other));
        other.finding.place = Place::read("/elsewhere/fruit-9/src/lib.rs:999:1");
        assert!(known().is(&other), "{other:?}");
        other.finding.place = Place::read("/elsewhere/fruit-9/src/other.rs:1:1");
        assert!(!known().is(&other));
        let mut elsewhere = bug();
        elsewhere.finding.operation = "another".to_string();
        assert!(!known().is(&elsewhere));
        elsewhere.also = vec![format!("{} at fruit/src/lib.rs:7", bug().finding.operation)];
        assert!(known().is(&elsewhere));
    }

    #[test]
    fn what_is_accepted_is_read_again_and_stands_once() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read(folder.path(), "fruit").unwrap(), []);
        assert!(accept(folder.path(), &known()).unwrap());
        assert!(!accept(folder.path(), &known()).unwrap());
        assert_eq!(read(folder.path(), "fruit").unwrap(), [known()]);
        assert_eq!(read(folder.path(), "stone").unwrap(), []);
        let text = fs::read_to_string(folder.path().join(FILE)).unwrap();
        assert!(text.starts_with("# Bugs that") && text.contains("[[known]]"), "{text}");
    }

    #[test]
    fn a_file_that_is_not_understood_says_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(FILE), "[[known]]\nname = 7\n").unwrap();
        let error = read(folder.path(), "fruit").unwrap_err().to_string();
        assert!(error.contains("mend it, or delete the bug"), "{error}");
    }
}
