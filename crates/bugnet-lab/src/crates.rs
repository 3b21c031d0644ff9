//! Published crates, explored: what share of their API is called, what is shown, and how fast it is.
//!
//! Every crate is explored by the command itself, whose report is kept; a crate whose report is there is
//! not explored again, so that a measurement that was ended goes on where it was. Which of the bugs that
//! are shown are right is written down by hand, in `explore-verdicts.md`.

use anyhow::{Context, bail};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Crates of many sorts, at fixed versions.
const CRATES: [&str; 32] = [
    "smallvec@1.15.1",
    "arrayvec@0.7.6",
    "indexmap@2.11.0",
    "semver@1.0.26",
    "url@2.5.8",
    "time@0.3.44",
    "chrono@0.4.45",
    "fixedbitset@0.5.7",
    "petgraph@0.8.3",
    "bytes@1.10.1",
    "num-bigint@0.4.6",
    "rust_decimal@1.43.0",
    "heck@0.5.0",
    "unicode-segmentation@1.13.3",
    "slab@0.4.11",
    "priority-queue@2.7.0",
    "bit-vec@0.10.1",
    "ordered-float@5.0.0",
    "either@1.15.0",
    "roaring@0.11.2",
    "im@15.1.0",
    "ropey@1.6.1",
    "rangemap@1.6.0",
    "intervaltree@0.2.7",
    "humantime@2.3.0",
    "base64@0.22.1",
    "hex@0.4.3",
    "textwrap@0.16.2",
    "percent-encoding@2.3.2",
    "geo-types@0.7.17",
    "csv@1.3.1",
    "smol_str@0.3.2",
];

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// How long each crate is explored
    #[arg(long, default_value = "10m")]
    time: String,
    /// The seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only these crates, by name or by name@version
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Where reports are kept
    #[arg(long, default_value = "target/bugnet-lab/crates")]
    folder: PathBuf,
    /// The command, built before
    #[arg(long, default_value = "target/release/cargo-bugnet")]
    command: PathBuf,
}

/// What is known of one crate.
struct Row {
    name: String,
    report: Value,
    /// How long reading, checking and building took, if that was measured.
    built: Option<f64>,
}

impl Row {
    fn number(&self, member: &str) -> f64 {
        self.report[member].as_f64().unwrap_or_default()
    }

    fn count(&self, member: &str) -> usize {
        self.report[member].as_array().map_or(0, Vec::len)
    }

    /// How many bugs have a member that is so.
    fn bugs(&self, holds: impl Fn(&Value) -> bool) -> usize {
        self.report["bugs"].as_array().map_or(0, |bugs| bugs.iter().filter(|bug| holds(bug)).count())
    }
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let wanted = |name: &&&str| {
        let bare = name.split('@').next().unwrap_or(name);
        arguments.only.is_empty() || arguments.only.iter().any(|only| only == bare || only == **name)
    };
    let names: Vec<&&str> = CRATES.iter().filter(wanted).collect();
    if names.is_empty() {
        bail!("none of these crates is in the list: {}", arguments.only.join(", "));
    }
    fs::create_dir_all(&arguments.folder).context("the folder for reports cannot be made")?;
    let mut rows = Vec::new();
    for name in names {
        match explored(name, arguments) {
            Ok(row) => rows.push(row),
            Err(problem) => println!("{name}: {problem:#}"),
        }
    }
    print(&rows);
    Ok(())
}

/// The report of a crate: the one that is kept, or a new one.
fn explored(name: &str, arguments: &Arguments) -> anyhow::Result<Row> {
    let kept = arguments.folder.join(format!("{name}-{}-{}.json", arguments.seed, arguments.time));
    let mut built = None;
    if !kept.exists() {
        let started = Instant::now();
        let report = kept.with_extension("new");
        explore(name, arguments, &report)?;
        let seconds = read(&report)?["seconds"].as_f64().unwrap_or_default();
        built = Some(started.elapsed().as_secs_f64() - seconds);
        fs::rename(&report, &kept)?;
    }
    Ok(Row { name: name.to_string(), report: read(&kept)?, built })
}

fn read(path: &Path) -> anyhow::Result<Value> {
    let text = fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is not a report", path.display()))
}

fn explore(name: &str, arguments: &Arguments, report: &Path) -> anyhow::Result<()> {
    let command = fs::canonicalize(&arguments.command)
        .context("build the command first: cargo build --release -p cargo-bugnet")?;
    let report = std::path::absolute(report)?;
    let output = Command::new(command)
        .args(["bugnet", "explore", "--crate", name, "--time", &arguments.time])
        .args(["--seed", &arguments.seed.to_string(), "--json"])
        .arg(&report)
        .current_dir(&arguments.folder)
        .output()?;
    if report.exists() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    bail!("{}", said.lines().last().unwrap_or("the command said nothing"))
}

fn print(rows: &[Row]) {
    println!(
        "| crate | functions called | of traits | build and report s | calls/s | bugs shown | of them laws | tests that fail alike | suspects hidden |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for row in rows {
        let share = |callable: &str, all: &str| {
            let (callable, all) = (row.number(callable), row.number(all));
            let percent = if all > 0.0 { 100.0 * callable / all } else { 100.0 };
            format!("{callable} of {all} ({percent:.0} %)")
        };
        let law = |bug: &Value| matches!(bug["class"].as_str(), Some("law" | "convention"));
        println!(
            "| {} | {} | {} | {} | {:.0} | {} | {} | {} | {} |",
            row.name,
            share("functions_callable", "functions"),
            share("trait_functions_callable", "trait_functions"),
            row.built.map_or("kept".to_string(), |seconds| format!("{seconds:.0}")),
            row.number("calls") / row.number("seconds").max(0.001),
            row.count("bugs"),
            row.bugs(law),
            row.bugs(|bug| bug["test_fails_alike"] == true),
            row.count("suspects"),
        );
    }
    let sum = |member: &str| rows.iter().map(|row| row.number(member)).sum::<f64>();
    let percent = |callable: &str, all: &str| 100.0 * sum(callable) / sum(all).max(1.0);
    let shown: usize = rows.iter().map(|row| row.count("bugs")).sum();
    println!(
        "\n{} crates: {:.1} % of functions, {:.1} % of functions of traits; {:.1} bugs shown per crate",
        rows.len(),
        percent("functions_callable", "functions"),
        percent("trait_functions_callable", "trait_functions"),
        shown as f64 / rows.len().max(1) as f64,
    );
    for row in rows {
        for bug in row.report["bugs"].as_array().into_iter().flatten() {
            let text = |member: &str| bug[member].as_str().unwrap_or_default().to_string();
            println!("{}: {} ({} %, {})", row.name, text("title"), bug["sureness"], text("reason"));
        }
    }
}
