//! Hypothesis on the challenge: a Python process runs the problems, in `hypothesis/challenge.py`,
//! and answers with one outcome per line.
//!
//! The script defines problems and minima a second time because they must be Python there; it
//! keeps to the definitions in `problem.rs`.

use std::process::Command;

use anyhow::{Context, ensure};

use super::outcome::Outcome;
use super::problem::Problem;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/hypothesis/challenge.py");

/// Returns true if `python3` can import Hypothesis.
pub fn is_installed() -> bool {
    let import = Command::new("python3").args(["-c", "import hypothesis"]).output();
    import.is_ok_and(|output| output.status.success())
}

/// The outcomes for the seeds below `seeds`.
pub fn run(problem: Problem, seeds: u64) -> anyhow::Result<Vec<Outcome>> {
    let output = Command::new("python3")
        .args([SCRIPT, &problem.name(), &seeds.to_string()])
        // Sets of strings inside Hypothesis must iterate in the same order on every run.
        .env("PYTHONHASHSEED", "0")
        // Hypothesis caches what it reads in the source; keep that out of the working directory.
        .env("HYPOTHESIS_STORAGE_DIRECTORY", std::env::temp_dir().join("bugnet-lab-hypothesis"))
        .output()
        .context("python3 could not be started")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{SCRIPT} failed:\n{errors}");
    String::from_utf8(output.stdout)?
        .lines()
        .map(|line| serde_json::from_str(line).with_context(|| format!("not an outcome: {line}")))
        .collect()
}
