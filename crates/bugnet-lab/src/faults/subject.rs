//! The crate that is explored, and what of a run can be seen from outside.
//!
//! **Invariant:** every process and file of a run has the folder of the subject in its command line or path.

use anyhow::{Context, bail};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// Functions that fail in ways of their own.
const SOURCE: &str = "
pub fn first(list: Vec<u8>) -> u8 { list[0] }
pub fn last(list: Vec<u8>) -> u8 { *list.last().unwrap() }
pub fn number(text: &str) -> u32 { text.parse().unwrap() }
pub fn share(whole: u8, parts: u8) -> u8 { whole / parts }
pub fn give_up(reason: u16) { if reason > 500 { std::process::abort() } }
";

/// Programs of a run that a fault befalls; it takes some seconds.
const LONG: &str = "200000";
/// Programs of a run that finds all bugs.
const SHORT: &str = "3000";
/// The longest that processes which were told to end may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The crate, the command that explores it, and the folder of both.
pub struct Subject {
    pub command: PathBuf,
    pub folder: PathBuf,
}

/// The amount of work of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    Long,
    Short,
}

impl Subject {
    pub fn new(command: &Path, folder: &Path) -> anyhow::Result<Subject> {
        fs::create_dir_all(folder.join("src"))?;
        let manifest =
            "[package]\nname = \"unlucky\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n";
        fs::write(folder.join("Cargo.toml"), manifest)?;
        let subject =
            Subject { command: command.to_path_buf(), folder: folder.canonicalize().context("no folder")? };
        subject.change(0)?;
        Ok(subject)
    }

    /// Gives the crate one function of this number more, so that it is read and built again.
    pub fn change(&self, number: u64) -> anyhow::Result<()> {
        let text = format!("{SOURCE}pub fn harmless_{number}() {{}}\n");
        Ok(fs::write(self.folder.join("src/lib.rs"), text)?)
    }

    /// The words that explore the crate.
    pub fn words(&self, length: Length) -> Vec<String> {
        let programs = if length == Length::Long { LONG } else { SHORT };
        let words = ["explore", "--programs", programs, "--seed", "1", "--jobs", "2", "--json"];
        words.iter().map(ToString::to_string).chain([self.report().display().to_string()]).collect()
    }

    pub fn explore(&self, length: Length) -> Command {
        let mut command = Command::new(&self.command);
        command.args(self.words(length));
        self.settle(&mut command);
        command
    }

    /// Has a command run in the folder of the crate, and write below it.
    pub fn settle(&self, command: &mut Command) {
        command.current_dir(&self.folder).env("CARGO_TARGET_DIR", self.folder.join("target"));
    }

    fn report(&self) -> PathBuf {
        self.folder.join("report.json")
    }

    /// The folder that a run writes to.
    pub fn run(&self) -> anyhow::Result<PathBuf> {
        let mut folders = fs::read_dir(self.folder.join("target/bugnet/explore"))?.flatten();
        let harness = folders.find(|entry| entry.path().join("run").is_dir());
        Ok(harness.context("the crate was never explored")?.path().join("run"))
    }

    /// The ways to fail that a run has on disk.
    pub fn on_disk(&self) -> BTreeSet<String> {
        let text =
            self.run().and_then(|run| Ok(fs::read_to_string(run.join("found.jsonl"))?)).unwrap_or_default();
        // The last line may have been cut off.
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).map(|finding| way(&finding)).collect()
    }

    /// The ways to fail that the last run has reported; none if it has written no report.
    pub fn reported(&self) -> BTreeSet<String> {
        let text = fs::read_to_string(self.report()).unwrap_or_default();
        let report: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        report["findings"].as_array().into_iter().flatten().map(way).collect()
    }

    /// Explores the crate to the end; returns the bugs that are shown.
    pub fn bugs(&self) -> anyhow::Result<BTreeSet<String>> {
        let _ = fs::remove_file(self.report());
        let output = self.explore(Length::Short).output()?;
        match output.status.code() {
            Some(1) => Ok(shown(&output)),
            code => bail!("exit code {code:?}: {}", String::from_utf8_lossy(&output.stderr)),
        }
    }

    /// The processes of the last run that are still there after a while: their command lines.
    pub fn processes_left(&self) -> Vec<String> {
        let began = Instant::now();
        loop {
            let left: Vec<String> = self.processes().into_iter().map(|(_, line)| line).collect();
            if left.is_empty() || began.elapsed() > PATIENCE {
                return left;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The numbers of the processes that run code under test.
    pub fn workers(&self) -> Vec<u32> {
        let harness = self.folder.join("target").display().to_string();
        let is_worker = |line: &str| line.starts_with(&harness);
        self.processes().into_iter().filter(|(_, line)| is_worker(line)).map(|(number, _)| number).collect()
    }

    fn processes(&self) -> Vec<(u32, String)> {
        let folder = self.folder.display().to_string();
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let lines = entries.filter_map(|entry| {
            let number: u32 = entry.file_name().to_str()?.parse().ok()?;
            let line = fs::read_to_string(entry.path().join("cmdline")).ok()?.replace('\0', " ");
            (number != std::process::id() && line.contains(&folder)).then_some((number, line))
        });
        lines.collect()
    }

    /// The scratch folders that are there.
    pub fn scratch_folders(&self) -> anyhow::Result<usize> {
        let entries = fs::read_dir(self.run()?)?.flatten();
        Ok(entries
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(".bugnet-scratch-"))
            .count())
    }
}

/// The operation of a finding, and the way in which it fails.
fn way(finding: &serde_json::Value) -> String {
    let text = |member: &str| finding[member].as_str().unwrap_or_default().to_string();
    format!("{} {}", text("operation"), text("cause"))
}

/// The operations of the bugs in a printed report, which begin with `1. ` and the name between grave accents.
pub fn shown(output: &Output) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let numbered = text.lines().filter_map(|line| line.trim_start().split_once(". `"));
    let bugs = numbered.filter(|(number, _)| number.parse::<u32>().is_ok());
    bugs.filter_map(|(_, rest)| Some(rest.split_once('`')?.0.to_string())).collect()
}
