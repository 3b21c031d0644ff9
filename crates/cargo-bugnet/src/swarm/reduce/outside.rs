//! Reducers of others: cvise, shrinkray, `wasm-tools shrink`, or any that asks a program about each candidate.
//!
//! **Invariant:** what a reducer leaves is believed only after the oracle has seen it. The smallest candidate that
//! was answered with yes is kept, so that a reducer may be ended at any time.

use super::super::file::{Limit, Plan, Template};
use super::super::program::Job;
use super::interesting::Question;
use anyhow::{Context, Result};
use bugnet_process::patience;
use std::fs;
use std::path::Path;

/// Megabytes of address space of a reducer: those in Python take some.
const MEMORY: u64 = 8_192;

/// The task of an outside reducer.
#[derive(Debug)]
pub(super) struct Task<'a> {
    pub(super) plan: &'a Plan,
    pub(super) command: &'a Template,
    /// The folder that it works in.
    pub(super) folder: &'a Path,
    pub(super) target: usize,
    pub(super) signature: &'a str,
}

impl Task<'_> {
    /// Has the reducer work, and returns the smallest input that still fails in the same way.
    pub(super) fn smallest(
        &self,
        input: Vec<u8>,
        is_same: &dyn Fn(&[u8]) -> Result<bool>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<u8>> {
        if self.folder.exists() {
            fs::remove_dir_all(self.folder)?;
        }
        fs::create_dir_all(self.folder)?;
        let name = &self.plan.generator.input;
        for file in &self.plan.generator.files {
            fs::copy(file, self.folder.join(file.file_name().unwrap_or_default()))?;
        }
        fs::write(self.folder.join(name), &input)?;
        let best = self.folder.join("best");
        let question = Question {
            plan: self.plan.path.clone(),
            target: self.plan.targets[self.target].name.clone(),
            signature: self.signature.to_string(),
            best: best.clone(),
        };
        let test = question.script(self.folder)?;
        let (test, output) = (test.display().to_string(), format!("out-{name}"));
        let values = [("test", test.as_str()), ("in", name.as_str()), ("out", output.as_str())];
        let job = Job {
            program: &self.command.program,
            words: self.command.filled(&[], &values),
            folder: self.folder,
            input: None,
            limit: Limit { processor: patience::TASK, memory: MEMORY },
        };
        job.run_for(self.plan.reducer.time, stop).context("the reducer could not be run")?;
        let left = [best, self.folder.join(&output), self.folder.join(name)];
        let mut left: Vec<Vec<u8>> = left.iter().filter_map(|path| fs::read(path).ok()).collect();
        left.retain(|candidate| !candidate.is_empty() && candidate.len() < input.len());
        left.sort_by_key(Vec::len);
        for candidate in left {
            if is_same(&candidate)? {
                return Ok(candidate);
            }
        }
        Ok(input)
    }
}
