//! The program that outside reducers ask: whether a candidate still fails in the same way.
//!
//! A reducer runs a script, which runs this program with a question in a file. Some reducers hand over the path of the
//! candidate; others put it into the current folder under its old name.
//!
//! **Invariant:** the answer is that of the oracle of the run.

use super::super::file::Plan;
use super::super::test::Bench;
use super::is_same;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The word that makes this program answer a question.
pub(crate) const WORD: &str = "__interesting";

/// A question about candidates.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Question {
    /// The file of the swarm.
    pub(super) plan: PathBuf,
    pub(super) target: String,
    pub(super) signature: String,
    /// The file of the smallest candidate that was answered with yes.
    pub(super) best: PathBuf,
}

impl Question {
    /// Writes the question, and the script that asks it, into a folder. Returns the path of the script.
    pub(super) fn script(&self, folder: &Path) -> Result<PathBuf> {
        let (question, script) = (folder.join("question.json"), folder.join("test.sh"));
        fs::write(&question, serde_json::to_string(self)?)?;
        let own = std::env::current_exe().context("this program has no path")?;
        let words = [own.display().to_string(), WORD.to_string(), question.display().to_string()];
        fs::write(&script, format!("#!/bin/sh\nexec {} \"$@\"\n", shell_words::join(words)))?;
        #[cfg(unix)]
        fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        Ok(script)
    }
}

/// Answers the question in a file about a candidate.
pub(crate) fn answer(words: &[OsString]) -> Result<bool> {
    let [question, rest @ ..] = words else { anyhow::bail!("`{WORD}` is for `cargo bugnet swarm` only") };
    let question: Question = serde_json::from_str(&fs::read_to_string(question)?)?;
    let plan = Plan::read(&question.plan)?;
    let candidate = rest.first().map_or_else(|| PathBuf::from(&plan.generator.input), PathBuf::from);
    let input = fs::read(&candidate).with_context(|| format!("{} cannot be read", candidate.display()))?;
    let target = plan.targets.iter().position(|target| target.name == question.target);
    let target = target.context("the target is gone from the file")?;
    let folder = tempfile::tempdir()?;
    let bench = Bench::new(&plan, folder.path().to_path_buf());
    let is_interesting = !input.is_empty()
        && is_same(&bench, target, &question.signature, &input)?
        && bench.is_valid(&input)?;
    if is_interesting {
        keep(&question.best, &input)?;
    }
    Ok(is_interesting)
}

/// Keeps a candidate if it is the smallest. Reducers ask several questions at a time, so it is moved into its place.
fn keep(best: &Path, input: &[u8]) -> Result<()> {
    if fs::metadata(best).is_ok_and(|kept| kept.len() <= input.len() as u64) {
        return Ok(());
    }
    let folder = best.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    std::io::Write::write_all(&mut file, input)?;
    file.persist(best)?;
    Ok(())
}
