//! An exploration: one run of `cargo bugnet explore` on a published crate, whose report is kept.
//!
//! **Invariant:** a run whose report is there is not made again, so that a measurement that was ended goes
//! on where it was.

use anyhow::{Context, bail};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// How crates are explored, and where reports are kept.
#[derive(Debug, clap::Args)]
pub struct Exploration {
    /// Where reports are kept
    #[arg(long, default_value = "target/bugnet-lab/crates")]
    folder: PathBuf,
    /// The command, built before
    #[arg(long, default_value = "target/release/cargo-bugnet")]
    command: PathBuf,
    /// Further words for the command, such as `--option=--jobs=1`
    #[arg(long = "option", allow_hyphen_values = true)]
    options: Vec<String>,
}

/// A report, and how long all but exploring took, if the run was made just now.
pub struct Explored {
    pub report: Value,
    pub built: Option<f64>,
}

impl Exploration {
    /// The report of a crate such as `semver@1.0.26`: the one that is kept, or a new one.
    pub fn report(&self, name: &str, seed: u64, time: &str) -> anyhow::Result<Explored> {
        self.report_with(name, seed, time, &[])
    }

    /// The same with more words for the command.
    pub fn report_with(
        &self,
        name: &str,
        seed: u64,
        time: &str,
        words: &[String],
    ) -> anyhow::Result<Explored> {
        fs::create_dir_all(&self.folder).context("the folder for reports cannot be made")?;
        let words: Vec<String> = self.options.iter().chain(words).cloned().collect();
        let options: String = words.iter().map(|option| option.replace('/', "_")).collect();
        let kept = self.folder.join(format!("{name}-{seed}-{time}{options}.json"));
        let mut built = None;
        if !kept.exists() {
            let started = Instant::now();
            let report = kept.with_extension("new");
            self.explore(name, seed, time, &words, &report)?;
            let seconds = read(&report)?["seconds"].as_f64().unwrap_or_default();
            built = Some(started.elapsed().as_secs_f64() - seconds);
            fs::rename(&report, &kept)?;
        }
        Ok(Explored { report: read(&kept)?, built })
    }

    fn explore(
        &self,
        name: &str,
        seed: u64,
        time: &str,
        words: &[String],
        report: &Path,
    ) -> anyhow::Result<()> {
        let command = fs::canonicalize(&self.command)
            .context("build the command first: cargo build --release -p cargo-bugnet")?;
        let report = std::path::absolute(report)?;
        let output = Command::new(command)
            .args(["bugnet", "explore", "--crate", name, "--time", time])
            .args(["--seed", &seed.to_string(), "--json"])
            .arg(&report)
            .args(words)
            .current_dir(&self.folder)
            .output()?;
        if report.exists() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        bail!("{}", said.lines().last().unwrap_or("the command said nothing"))
    }
}

fn read(path: &Path) -> anyhow::Result<Value> {
    let text = fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is not a report", path.display()))
}
