//! Variants of published crates: how many mutants compile, what the crate's own tests say of them, what a mutant costs,
//! and for how many of those that live a test is offered.
//!
//! Every crate is copied from Cargo's registry to a folder of its own and handed to the command itself, whose report is
//! read. Time is that of the processor, with all children, because other processes share the machine.

use crate::build_cost::processor_time_of_children;
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
        "| crate | tests | mutants | compile | killed | unreached | live | ms a mutant | all in ms a mutant | noticed | questions | settled | by ten |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for name in &all {
        match measured(arguments, name) {
            Ok(measured) => println!("{}", row(name, &measured)),
            // The command refuses some crates with a sentence; a reader of the table should know of them.
            Err(error) => println!("| {name} | {} |", error.to_string().replace('|', " ")),
        }
    }
    Ok(())
}

fn measured(arguments: &Arguments, name: &str) -> anyhow::Result<Measured> {
    let copy = copied(name, &arguments.folder)?;
    match arguments.programs {
        0 => reported(arguments, &copy, &["--missed"]),
        programs => {
            let words = [programs.to_string(), arguments.seed.to_string()];
            reported(arguments, &copy, &["--programs", &words[0], "--seed", &words[1]])
        }
    }
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

/// A report of the command.
struct Measured {
    report: Value,
    /// Milliseconds of processor time that testing a mutant took, building left out.
    cost: f64,
    /// The same of everything, building and exploring among it.
    whole: f64,
}

/// Returns a line of the table.
fn row(name: &str, Measured { report, cost, whole }: &Measured) -> String {
    let (mutants, proposed) = (number(report, "mutants"), number(report, "proposed"));
    let alarms = report["alarms"].as_array().cloned().unwrap_or_default();
    let settled =
        |most: usize| alarms.iter().take(most).map(|alarm| count(alarm, "mutations")).sum::<usize>();
    format!(
        "| {name} | {} | {mutants} | {:.1} % | {} | {} | {} | {cost:.0} | {whole:.0} | {} | {} | {} | {} |",
        number(report, "tests"),
        100.0 * mutants / proposed.max(1.0),
        count(report, "killed"),
        count(report, "unreached"),
        count(report, "neutral"),
        number(report, "noticed"),
        alarms.len(),
        settled(usize::MAX),
        settled(10),
    )
}

/// Runs the command on a crate.
fn reported(arguments: &Arguments, copy: &Path, words: &[&str]) -> anyhow::Result<Measured> {
    let path = copy.join("report.json");
    let _ = fs::remove_file(&path);
    let command = arguments.command.canonicalize().with_context(|| {
        format!("{} is not built; run `cargo build --release -p cargo-bugnet`", arguments.command.display())
    })?;
    let before = processor_time_of_children()?;
    let output = Command::new(&command)
        .arg("variants")
        .args(words)
        .arg("--json")
        .arg(&path)
        .current_dir(copy)
        .output()?;
    let spent = processor_time_of_children()?.saturating_sub(before);
    let said = String::from_utf8_lossy(&output.stderr);
    let Ok(text) = fs::read_to_string(&path) else {
        let error = said.lines().find(|line| line.starts_with("error")).unwrap_or("no report was written");
        bail!("{error}");
    };
    let report: Value = serde_json::from_str(&text)?;
    let whole = spent.as_secs_f64() * 1000.0 / number(&report, "mutants").max(1.0);
    let told = String::from_utf8_lossy(&output.stdout);
    let cost = cost(&told).context("the command did not say what a mutant costs")?;
    Ok(Measured { cost, whole, report })
}

/// Reads what testing a mutant costs: `Cost 12.5 ms of processor time a mutant`.
fn cost(said: &str) -> Option<f64> {
    let before = said.split(" ms of processor time a mutant").next()?;
    before.rsplit(' ').next()?.parse().ok()
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
        let alarms = json!([{ "mutations": ["a", "b"] }, { "mutations": ["c"] }]);
        let report = json!({
            "tests": 3, "mutants": 10, "proposed": 20, "killed": [1, 2], "unreached": [], "neutral": [3],
            "noticed": 2, "alarms": alarms,
        });
        let measured = Measured { report, cost: 12.3, whole: 400.0 };
        let expected = "| x@1 | 3 | 10 | 50.0 % | 2 | 0 | 1 | 12 | 400 | 2 | 2 | 3 | 3 |";
        assert_eq!(row("x@1", &measured), expected);
    }

    #[test]
    fn the_cost_of_a_mutant_is_read_from_what_the_command_says() {
        assert_eq!(cost("  Tested 3\n   Cost 12.5 ms of processor time a mutant\n"), Some(12.5));
        assert_eq!(cost("error: no\n"), None);
    }
}
