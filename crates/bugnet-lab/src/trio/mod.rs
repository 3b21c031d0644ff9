//! `trio`: bugs that look the same from outside: three behind one assertion, two through one `unwrap`,
//! and three panics apart. How many of them does one run report?
//!
//! **Invariant:** no library is told which bug it has met. Each bug has an operation of its own, and
//! which one was called last is only counted here.

pub mod bugnet;
#[cfg(feature = "hegel")]
mod hegel;
mod machines;

use crate::throughput::table::Table;
use std::collections::BTreeSet;

/// Test cases of a run.
const CASES: u64 = 1_000;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Seeds of each row
    #[arg(long, default_value_t = 20)]
    runs: u64,
    /// Measures each means of telling inputs apart: rows with it switched off
    #[arg(long)]
    ablation: bool,
}

/// The reports of one run: for each report, the bug that it is about.
type Reports = Vec<&'static str>;

/// Runs a library on each of the three subjects.
type Contender = fn(u64) -> [Reports; 3];

const CONTENDERS: &[(&str, Contender)] = &[
    ("Bugnet, machines", bugnet::run),
    ("Bugnet, properties", bugnet::run_properties),
    #[cfg(feature = "hegel")]
    ("Hegel, machines, all that reports more switched on", hegel::run),
    #[cfg(feature = "hegel")]
    ("Hegel, properties, all that reports more switched on", hegel::run_properties),
];

const ABLATION: &[(&str, Contender)] = &[
    ("machines, bugs = all", bugnet::run),
    ("machines, bugs = more", bugnet::run_as_usual),
    ("bugs = all", bugnet::run_properties),
    ("bugs = more", bugnet::run_properties_as_usual),
    ("bugs = all-samples", bugnet::run_without_samples),
    ("bugs = all-forms", bugnet::run_without_forms),
];

/// Prints the table: for each subject the distinct bugs that a run reports, least and most over the
/// seeds, and the reports beyond those.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut table =
        Table::new(["library", "three behind one assertion", "two through one unwrap", "three panics"]);
    for (name, contender) in if arguments.ablation { ABLATION } else { CONTENDERS } {
        let runs: Vec<[Reports; 3]> = (1..=arguments.runs).map(contender).collect();
        let mut row = vec![(*name).to_owned()];
        row.extend((0..3).map(|subject| cell(runs.iter().map(|run| &run[subject]))));
        table.push(row);
    }
    print!("{table}");
    Ok(())
}

fn cell<'a>(runs: impl Iterator<Item = &'a Reports> + Clone) -> String {
    let distinct = |reports: &Reports| reports.iter().collect::<BTreeSet<_>>().len();
    let counts = || runs.clone().map(distinct);
    let (least, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
    let beyond: usize = runs.clone().map(|reports| reports.len() - distinct(reports)).sum();
    let bugs = if least == most { least.to_string() } else { format!("{least} to {most}") };
    let runs = runs.clone().count();
    if beyond == 0 { bugs } else { format!("{bugs} ({:.2} beyond)", beyond as f64 / runs as f64) }
}
