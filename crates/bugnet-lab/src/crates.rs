//! Published crates, explored: what share of their API is called, what is shown, and how fast it is.
//!
//! Every crate is explored by the command itself, whose report is kept. Which of the bugs that are shown
//! are right is written down by hand, in `explore-verdicts.md`.

use crate::exploration::{Budget, Exploration, Explored};
use anyhow::bail;
use serde_json::Value;

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

/// Time to explore each crate if the user gives none.
const USUAL: &str = "10m";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    budget: Budget,
    /// The seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only these crates, by name or by name@version
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    #[command(flatten)]
    exploration: Exploration,
}

/// The facts about one crate.
struct Row {
    name: String,
    report: Value,
    /// Seconds of reading, checking and building, if they were measured.
    built: Option<f64>,
}

impl Row {
    fn number(&self, member: &str) -> f64 {
        self.report[member].as_f64().unwrap_or_default()
    }

    fn count(&self, member: &str) -> usize {
        self.report[member].as_array().map_or(0, Vec::len)
    }

    /// Returns the number of bugs with a member for which `holds` is true.
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
    let mut rows = Vec::new();
    for name in names {
        match arguments.exploration.report(name, arguments.seed, &arguments.budget, USUAL) {
            Ok(Explored { report, built }) => rows.push(Row { name: name.to_string(), report, built }),
            Err(problem) => println!("{name}: {problem:#}"),
        }
    }
    print(&rows);
    Ok(())
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
