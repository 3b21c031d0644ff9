//! The harnesses of large crates: what building them costs beside building the crate, and how much they call.
//!
//! Every crate gets a folder of its own. The libraries of harnesses are built once, in all, before the first row: they
//! are the same for every crate, and a user builds them once.

use crate::build_cost::processor_time_of_children;
use crate::throughput::table::{Table, grouped};
use anyhow::{Context, bail, ensure};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Large crates of several sorts, at fixed versions: some with many functions, some whose functions are generic, some that
/// take long to build themselves.
const CRATES: [&str; 10] = [
    "fixed@1.31.0",
    "nalgebra@0.35.0",
    "ndarray@0.17.2",
    "chrono@0.4.45",
    "num-bigint@0.4.6",
    "regex-automata@0.4.18",
    "image@0.25.10",
    "glam@0.34.2",
    "simba@0.10.2",
    "arrow-array@60.1.0",
];

/// A crate whose harness is built first, so that the libraries are there.
const SMALL: &str = "semver@1.0.26";

/// A harness is ready within this time, and three plain builds of its crate, on two processors.
const GRANTED: Duration = Duration::from_secs(120);

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Only these crates, by name
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Where everything is built; what is there is removed
    #[arg(long, default_value = "target/bugnet-lab/harnesses")]
    folder: PathBuf,
    /// The command, built before
    #[arg(long, default_value = "target/release/cargo-bugnet")]
    command: PathBuf,
}

/// The harness of a crate.
struct Built {
    /// The lines that the command says.
    said: String,
    processor: Duration,
    wall: Duration,
    record: Value,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let command = fs::canonicalize(&arguments.command)
        .context("build the command first: cargo build --release -p cargo-bugnet")?;
    let is_wanted = |name: &&&str| {
        let bare = name.split('@').next().unwrap_or(name);
        arguments.only.is_empty() || arguments.only.iter().any(|only| only == bare)
    };
    let names: Vec<&&str> = CRATES.iter().filter(is_wanted).collect();
    if names.is_empty() {
        bail!("none of these crates is in the list: {}", arguments.only.join(", "));
    }
    let _ = fs::remove_dir_all(&arguments.folder);
    fs::create_dir_all(&arguments.folder)?;
    let folder = fs::canonicalize(&arguments.folder)?;
    let libraries = harness(&command, SMALL, &folder)?;
    eprintln!("the libraries, and the harness of {SMALL}: {} s", seconds(libraries.processor));
    let mut table = Table::new([
        "crate",
        "functions",
        "of them chosen",
        "called",
        "rounds",
        "three plain builds s",
        "harness s",
        "granted s",
        "wall s",
    ]);
    for name in names {
        let plain = plain(name, &folder)?;
        match harness(&command, name, &folder) {
            Ok(built) => {
                let row = row(name, plain, &built);
                // A table that takes an hour is worth something before its end.
                eprintln!("{}", row.join(" | "));
                table.push(row);
            }
            Err(problem) => eprintln!("{name}: {problem:#}"),
        }
    }
    println!("{table}");
    println!(
        "Seconds are processor time; granted is what two processors have in two minutes and three plain builds. Wall is \
         the time on the clock, beside whatever else the machine does."
    );
    Ok(())
}

fn row(name: &str, plain: Duration, built: &Built) -> Vec<String> {
    let (reached, total) = share(&built.record["reach"]["functions"]);
    let (of_traits, all_of_traits) = share(&built.record["reach"]["implemented"]);
    let chosen = total + all_of_traits;
    let all = left_out(&built.said).map_or(chosen, |left_out| left_out + chosen);
    vec![
        name.to_string(),
        grouped(all),
        grouped(chosen),
        format!("{} ({} %)", grouped(reached + of_traits), 100 * (reached + of_traits) / chosen.max(1)),
        built.record["rounds"].to_string(),
        seconds(3 * plain),
        seconds(built.processor),
        seconds(2 * GRANTED + 3 * plain),
        seconds(built.wall),
    ]
}

/// The functions that are called, and all.
fn share(value: &Value) -> (u64, u64) {
    let number = |member: &str| value[member].as_u64().unwrap_or_default();
    (number("reached"), number("total"))
}

/// The functions that the command says it has left out.
fn left_out(said: &str) -> Option<u64> {
    let (_, rest) = said.split_once("Left out ")?;
    rest.split_whitespace().next()?.parse().ok()
}

fn seconds(time: Duration) -> String {
    format!("{:.0}", time.as_secs_f64())
}

/// Returns what a plain build of a crate costs that depends on this one alone.
fn plain(name: &str, folder: &Path) -> anyhow::Result<Duration> {
    let (bare, version) = name.split_once('@').context("a crate has a version")?;
    let package = folder.join(format!("plain-{bare}"));
    fs::create_dir_all(package.join("src"))?;
    fs::write(package.join("src/lib.rs"), "")?;
    let manifest = format!(
        "[package]\nname = \"plain\"\nedition = \"2024\"\n\n[dependencies]\n{bare} = \"={version}\"\n\n[workspace]\n"
    );
    fs::write(package.join("Cargo.toml"), manifest)?;
    cargo(&package, "fetch")?;
    let before = processor_time_of_children()?;
    cargo(&package, "build")?;
    Ok(processor_time_of_children()? - before)
}

fn cargo(package: &Path, word: &str) -> anyhow::Result<()> {
    let output = Command::new("cargo").args([word, "--quiet"]).current_dir(package).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "cargo {word} fails in {}: {said}", package.display());
    Ok(())
}

/// Has the command make the harness of a crate.
fn harness(command: &Path, name: &str, folder: &Path) -> anyhow::Result<Built> {
    let (before, start) = (processor_time_of_children()?, Instant::now());
    let output = Command::new(command)
        .args(["bugnet", "harness", "--crate", name])
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .current_dir(folder)
        .output()?;
    let (processor, wall) = (processor_time_of_children()? - before, start.elapsed());
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    ensure!(output.status.success(), "{}", said.lines().last().unwrap_or("the command said nothing"));
    let scratch = folder_in(&said).context("the command names no folder")?;
    let record = fs::read_to_string(Path::new(scratch).join("record.json"))?;
    Ok(Built { record: serde_json::from_str(&record)?, said, processor, wall })
}

/// The folder of a harness, which the command names on a line of its own.
fn folder_in(said: &str) -> Option<&str> {
    said.lines().map(str::trim_start).find(|line| line.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_stands_on_a_line_of_its_own_below_the_status_word() {
        let said =
            "       Built fixed 1.31.0: 3 rounds, 50.9 s\n             /a/fixed-17\n     Program /a/b\n";
        assert_eq!((folder_in(said), folder_in("Program /a/b")), (Some("/a/fixed-17"), None));
    }

    #[test]
    fn a_row_counts_what_was_left_out_and_what_is_granted() {
        let record = serde_json::json!({
            "rounds": 2,
            "reach": { "functions": { "reached": 10, "total": 20 }, "implemented": { "reached": 20, "total": 40 } },
        });
        let said = "    Left out 140 of 200 functions: 8 of 12 types like `A` stand for their siblings\n"
            .to_string();
        let built = Built { said, processor: Duration::from_secs(90), wall: Duration::from_secs(50), record };
        let row = row("a@1.0.0", Duration::from_secs(5), &built);
        assert_eq!(row, ["a@1.0.0", "200", "60", "30 (50 %)", "2", "15", "90", "255", "50"]);
    }

    #[test]
    fn where_nothing_is_left_out_all_functions_are_chosen() {
        assert_eq!((left_out("Reading the API\n"), left_out("Left out 7 of 9 functions")), (None, Some(7)));
    }
}
