//! Unseen findings: what a run has found and could not show, because it was killed.
//!
//! **Invariant:** a file with findings that nobody has seen is never truncated, unless the user wants to begin anew.

use crate::finding::Finding;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// The findings of the run.
pub(crate) const FOUND: &str = "found.jsonl";
/// Those of the run before, while they are taken over.
const BEFORE: &str = "found-before.jsonl";
/// Names the harness that the findings are of.
const HARNESS: &str = "found-by";
/// Is there once they were shown.
const SHOWN: &str = "shown";

/// The findings that an earlier run left behind.
#[derive(Debug, Default)]
pub(crate) struct Unseen {
    pub(crate) findings: Vec<Finding>,
    /// The file of findings that are of another build of the crate, and were put aside.
    pub(crate) aside: Option<PathBuf>,
}

/// Takes what the last run could not show, and begins a new one.
pub(crate) fn take(folder: &Path, harness: &Path, is_fresh: bool) -> Result<Unseen> {
    let program = fs::read(harness).with_context(|| format!("{} cannot be read", harness.display()))?;
    let identity = blake3::hash(&program).to_hex()[..16].to_string();
    let [found, before, by, shown] = [FOUND, BEFORE, HARNESS, SHOWN].map(|name| folder.join(name));
    let known = fs::read_to_string(&by).ok();
    let mut unseen = Unseen::default();
    if known.is_some() && !shown.exists() && !is_fresh {
        let files = [&before, &found];
        let findings: Vec<Finding> = files.into_iter().flat_map(|file| read(file)).collect();
        if known.as_ref() == Some(&identity) {
            join(&found, &before)?;
            unseen.findings = findings;
        } else if !findings.is_empty() {
            join(&found, &before)?;
            let aside = folder.join(format!("found-{}.jsonl", known.unwrap_or_default()));
            rename(&before, &aside)?;
            unseen.aside = Some(aside);
        }
    }
    let _ = fs::remove_file(&shown);
    let cannot = || format!("{} cannot be written", by.display());
    fs::write(&by, identity).with_context(cannot)?;
    Ok(unseen)
}

/// Notes that the findings of the run before are among those of this one.
pub(crate) fn taken_over(folder: &Path) {
    let _ = fs::remove_file(folder.join(BEFORE));
}

/// Notes that all findings were shown.
pub(crate) fn shown(folder: &Path) {
    // Where that cannot be noted, they are shown again.
    let _ = fs::write(folder.join(SHOWN), "");
}

/// Moves findings to those of the run before.
fn join(found: &Path, before: &Path) -> Result<()> {
    if !before.exists() {
        return if found.exists() { rename(found, before) } else { Ok(()) };
    }
    let mut all = fs::read(before).unwrap_or_default();
    all.push(b'\n');
    all.extend(fs::read(found).unwrap_or_default());
    let cannot = || format!("{} cannot be written", before.display());
    let both = before.with_extension("new");
    fs::write(&both, all).with_context(cannot)?;
    rename(&both, before)
}

fn rename(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).with_context(|| format!("{} cannot be written", to.display()))
}

/// Reads the findings of a file. The last line may have been cut off, and is passed over then.
fn read(file: &Path) -> Vec<Finding> {
    let bytes = fs::read(file).unwrap_or_default();
    let lines = bytes.split(|byte| *byte == b'\n');
    lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Cause, Findings, Phase};

    fn finding(operation: &str) -> Finding {
        let (operation, message) = (operation.to_string(), "no".to_string());
        let tape = Some("1".to_string());
        Finding {
            operation,
            phase: Phase::Call,
            cause: Cause::Panic,
            place: None,
            message,
            tape,
            law: None,
            after: None,
        }
    }

    /// A run that is killed when it has found something.
    fn killed(folder: &Path, harness: &Path, operations: &[&str]) -> Unseen {
        let unseen = take(folder, harness, false).unwrap();
        let mut findings = Findings::create(&folder.join(FOUND)).unwrap();
        unseen.findings.iter().cloned().for_each(|finding| {
            findings.add(finding);
        });
        taken_over(folder);
        operations.iter().for_each(|operation| {
            findings.add(finding(operation));
        });
        unseen
    }

    fn names(unseen: &Unseen) -> Vec<&str> {
        unseen.findings.iter().map(|finding| finding.operation.as_str()).collect()
    }

    #[test]
    fn what_killed_runs_have_found_is_taken_over_until_it_was_shown() {
        let folder = tempfile::tempdir().unwrap();
        let (run, harness) = (folder.path(), folder.path().join("harness"));
        fs::write(&harness, "one").unwrap();
        assert!(killed(run, &harness, &["a"]).findings.is_empty());
        assert_eq!(names(&killed(run, &harness, &["b"])), ["a"]);
        // One that was killed in the middle of a line, and before it took over what there was.
        let mut text = fs::read(run.join(FOUND)).unwrap();
        text.extend(b"{\"operation\": \"c");
        fs::write(run.join(FOUND), text).unwrap();
        assert_eq!(names(&take(run, &harness, false).unwrap()), ["a", "b"]);
        assert_eq!(names(&take(run, &harness, false).unwrap()), ["a", "b"]);
        shown(run);
        assert!(take(run, &harness, false).unwrap().findings.is_empty());
    }

    #[test]
    fn findings_of_another_build_are_put_aside_and_a_fresh_run_takes_none() {
        let folder = tempfile::tempdir().unwrap();
        let (run, harness) = (folder.path(), folder.path().join("harness"));
        fs::write(&harness, "one").unwrap();
        killed(run, &harness, &["a"]);
        fs::write(&harness, "two").unwrap();
        let unseen = take(run, &harness, false).unwrap();
        assert!(unseen.findings.is_empty());
        assert_eq!(read(&unseen.aside.unwrap()), [finding("a")]);
        killed(run, &harness, &["b"]);
        assert!(take(run, &harness, true).unwrap().findings.is_empty());
    }
}
