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

/// The settings of the exploration, and the folder of its reports.
#[derive(Debug, clap::Args)]
pub struct Exploration {
    /// The folder of the reports
    #[arg(long, default_value = "target/bugnet-lab/crates")]
    folder: PathBuf,
    /// The command, built before
    #[arg(long, default_value = "target/release/cargo-bugnet")]
    command: PathBuf,
    /// Further words for the command, such as `--option=--jobs=1`
    #[arg(long = "option", allow_hyphen_values = true)]
    options: Vec<String>,
}

/// The budget of the exploration of one crate.
#[derive(Debug, Clone, clap::Args)]
pub struct Budget {
    /// Time to explore each crate; a usual time, unless a number of programs is given
    #[arg(long)]
    time: Option<String>,
    /// Programs to explore each crate with, so that the same seed finds the same
    #[arg(long)]
    programs: Option<u64>,
}

impl Budget {
    /// As the command is told, if nothing else is said by this time.
    fn words(&self, usual: &str) -> Vec<String> {
        let time = self.time.clone().or_else(|| self.programs.is_none().then(|| usual.to_string()));
        let time = time.map(|time| ["--time".to_string(), time]);
        let programs = self.programs.map(|programs| ["--programs".to_string(), programs.to_string()]);
        programs.into_iter().chain(time).flatten().collect()
    }

    /// In words, for titles and for the names of files.
    pub fn named(&self, usual: &str) -> String {
        let words = self.words(usual);
        let values = words.chunks(2).map(|pair| match pair[0].as_str() {
            "--programs" => format!("{} programs", pair[1]),
            _ => pair[1].clone(),
        });
        values.collect::<Vec<_>>().join(" or ")
    }
}

/// A report, and how long all but exploring took, if the run was made just now.
pub struct Explored {
    pub report: Value,
    pub built: Option<f64>,
}

impl Exploration {
    /// The report of a crate such as `semver@1.0.26`: the one that is kept, or a new one.
    pub fn report(&self, name: &str, seed: u64, budget: &Budget, usual: &str) -> anyhow::Result<Explored> {
        self.report_with(name, seed, budget, usual, &[])
    }

    /// The same with more words for the command.
    pub fn report_with(
        &self,
        name: &str,
        seed: u64,
        budget: &Budget,
        usual: &str,
        words: &[String],
    ) -> anyhow::Result<Explored> {
        fs::create_dir_all(&self.folder).context("the folder for reports cannot be made")?;
        let words: Vec<String> = self.options.iter().chain(words).cloned().collect();
        let options: String = words.iter().map(|option| option.replace('/', "_")).collect();
        let time = budget.named(usual).replace(' ', "-");
        let kept = self.folder.join(format!("{name}-{seed}-{time}{options}.json"));
        let mut built = None;
        if !kept.exists() {
            let started = Instant::now();
            let report = kept.with_extension("new");
            self.explore(name, seed, &[budget.words(usual), words].concat(), &report)?;
            let seconds = read(&report)?["seconds"].as_f64().unwrap_or_default();
            built = Some(started.elapsed().as_secs_f64() - seconds);
            fs::rename(&report, &kept)?;
        }
        Ok(Explored { report: read(&kept)?, built })
    }

    fn explore(&self, name: &str, seed: u64, words: &[String], report: &Path) -> anyhow::Result<()> {
        let command = fs::canonicalize(&self.command)
            .context("build the command first: cargo build --release -p cargo-bugnet")?;
        let report = std::path::absolute(report)?;
        let output = Command::new(command)
            .args(["bugnet", "explore", "--crate", name])
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_programs_takes_the_place_of_the_usual_time() {
        let named = |time: Option<&str>, programs| {
            let budget = Budget { time: time.map(str::to_string), programs };
            (budget.named("10m"), budget.words("10m").join(" "))
        };
        let pair = |name: &str, words: &str| (name.to_string(), words.to_string());
        assert_eq!(named(None, None), pair("10m", "--time 10m"));
        assert_eq!(named(None, Some(500)), pair("500 programs", "--programs 500"));
        assert_eq!(named(Some("5s"), Some(500)), pair("500 programs or 5s", "--programs 500 --time 5s"));
    }
}
