//! Variants of published crates: how many mutants compile, what the crate's own tests say of them, what a mutant costs,
//! and for how many of those that live a test is offered.
//!
//! Every crate is copied from Cargo's registry to a folder of its own and handed to the command itself, whose report is
//! read. Time is that of the processor, with all children, because other processes share the machine.

use crate::random::SplitMix64;
use anyhow::{Context, bail};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The list that crates are drawn from, written before variants of any of them were made.
const LIST: &str = include_str!("../variants-23.txt");

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The seed by which crates are drawn from the list
    #[arg(long, default_value_t = 47)]
    draw: u64,
    /// The number of crates to draw
    #[arg(long, default_value_t = 10)]
    crates: usize,
    /// Only says which crates are drawn
    #[arg(long)]
    list: bool,
    /// Only these crates, as name@version, of the list or not
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Programs to run on the variants; 0 to test mutants only
    #[arg(long, default_value_t = 5_000)]
    programs: u64,
    /// The seed of the programs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder for copies and reports
    #[arg(long, default_value = "target/lab-variants")]
    folder: PathBuf,
    /// The command
    #[arg(long, default_value = "target/release/cargo-bugnet")]
    command: PathBuf,
}

/// Measures every crate and prints a table.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let all = match arguments.only.is_empty() {
        true => drawn(arguments.draw, arguments.crates),
        false => arguments.only.clone(),
    };
    if arguments.list {
        all.iter().for_each(|name| println!("{name}"));
        return Ok(());
    }
    println!(
        "| crate | tests | mutants | compile | killed | unreached | live | ms a mutant | noticed | questions | settled |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for name in &all {
        let copy = copied(name, &arguments.folder)?;
        let tested = reported(arguments, &copy, &["--missed"])?;
        let cost = tested.milliseconds / number(&tested.report, "mutants").max(1.0);
        let explored = match arguments.programs {
            0 => tested.report.clone(),
            programs => {
                let words = [programs.to_string(), arguments.seed.to_string()];
                reported(arguments, &copy, &["--programs", &words[0], "--seed", &words[1]])?.report
            }
        };
        println!("{}", row(name, &tested.report, cost, &explored));
    }
    Ok(())
}

/// Draws crates from the list.
fn drawn(seed: u64, count: usize) -> Vec<String> {
    let all = LIST.lines().filter(|line| line.contains('@')).map(str::to_string).collect();
    SplitMix64(seed).draw(all, count)
}

fn number(report: &Value, member: &str) -> f64 {
    report[member].as_f64().unwrap_or_default()
}

fn count(report: &Value, member: &str) -> usize {
    report[member].as_array().map_or(0, Vec::len)
}

/// Returns a line of the table.
fn row(name: &str, tested: &Value, cost: f64, explored: &Value) -> String {
    let (mutants, proposed) = (number(tested, "mutants"), number(tested, "proposed"));
    let alarms = explored["alarms"].as_array().cloned().unwrap_or_default();
    let settled: usize = alarms.iter().map(|alarm| count(alarm, "mutations")).sum();
    format!(
        "| {name} | {} | {mutants} | {:.1} % | {} | {} | {} | {cost:.0} | {} | {} | {settled} |",
        number(tested, "tests"),
        100.0 * mutants / proposed.max(1.0),
        count(tested, "killed"),
        count(tested, "unreached"),
        count(tested, "neutral"),
        number(explored, "noticed"),
        alarms.len(),
    )
}

/// A report, and the processor time that it took.
struct Reported {
    report: Value,
    milliseconds: f64,
}

/// Runs the command on a crate. What can be built before is, so that the time is that of testing.
fn reported(arguments: &Arguments, copy: &Path, words: &[&str]) -> anyhow::Result<Reported> {
    let path = copy.join("report.json");
    let _ = fs::remove_file(&path);
    let command = arguments.command.canonicalize().with_context(|| {
        format!("{} is not built; run `cargo build --release -p cargo-bugnet`", arguments.command.display())
    })?;
    let before = children();
    let run = || {
        Command::new(&command).arg("variants").args(words).arg("--json").arg(&path).current_dir(copy).output()
    };
    let output = run()?;
    let milliseconds = children() - before;
    let Ok(text) = fs::read_to_string(&path) else {
        bail!("{}: {}", copy.display(), String::from_utf8_lossy(&output.stderr));
    };
    Ok(Reported { report: serde_json::from_str(&text)?, milliseconds })
}

/// Returns the processor time of all children that have ended, in milliseconds.
fn children() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = text.rsplit_once(')').map_or("", |(_, after)| after);
    let ticks: Vec<f64> =
        after.split_whitespace().skip(13).take(2).filter_map(|word| word.parse().ok()).collect();
    // A tick is a hundredth of a second.
    ticks.iter().sum::<f64>() * 10.0
}

/// Copies a published crate out of Cargo's registry.
pub(crate) fn copied(name: &str, folder: &Path) -> anyhow::Result<PathBuf> {
    let Some((package, version)) = name.split_once('@') else { bail!("{name} has no version") };
    let probe = folder.join("probe");
    fs::create_dir_all(probe.join("src"))?;
    fs::write(probe.join("src/lib.rs"), "")?;
    let manifest = format!(
        "[package]\nname = \"probe\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{package} = \"={version}\"\n"
    );
    fs::write(probe.join("Cargo.toml"), manifest)?;
    let mut cargo = Command::new("cargo");
    cargo.args(["metadata", "--format-version", "1", "--manifest-path"]).arg(probe.join("Cargo.toml"));
    let metadata: Value =
        serde_json::from_slice(&cargo.output()?.stdout).context("cargo finds no such crate")?;
    let mut packages = metadata["packages"].as_array().into_iter().flatten();
    let found =
        packages.find(|other| other["name"] == package).and_then(|found| found["manifest_path"].as_str());
    let from = found.and_then(|path| Path::new(path).parent()).context("cargo finds no such crate")?;
    let to = folder.join(name);
    copy_folder(from, &to)?;
    Ok(to.canonicalize()?)
}

fn copy_folder(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy_folder(&path, &target)?;
        } else {
            fs::copy(&path, target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn ten_crates_are_drawn_each_once_and_a_seed_draws_the_same() {
        let first = drawn(47, 10);
        assert_eq!(first, drawn(47, 10));
        assert_ne!(first, drawn(48, 10));
        assert_eq!(first.iter().collect::<std::collections::BTreeSet<_>>().len(), 10);
        assert_eq!(first[0], "email_address@0.2.9");
    }

    #[test]
    fn a_line_counts_what_questions_settle() {
        let tested = json!({ "tests": 3, "mutants": 10, "proposed": 20, "killed": [1, 2], "unreached": [], "neutral": [3] });
        let explored =
            json!({ "noticed": 2, "alarms": [{ "mutations": ["a", "b"] }, { "mutations": ["c"] }] });
        let expected = "| x@1 | 3 | 10 | 50.0 % | 2 | 0 | 1 | 12 | 2 | 2 | 3 |";
        assert_eq!(row("x@1", &tested, 12.3, &explored), expected);
    }
}
