//! Masking: do the easy bugs of a crate hide its broken laws?
//!
//! The first experiment of MoreBugs (section 3.1) in our terms. The same crates are explored with calls at
//! random, with feedback, and with everything; what each has to say is counted in three ways. A tool that
//! reports every test that fails has as many reports as *failing calls*. One that reports a way to fail once
//! has as many as there are *operations that fail*, as Randoop has. What Bugnet *shows* are distinct causes
//! that are hardly misuse.

use crate::exploration::{Budget, Exploration};
use crate::throughput::table::Table;
use serde_json::Value;
use std::collections::BTreeSet;

/// Crates of several kinds, with laws that are broken and laws that hold.
const CRATES: [&str; 10] = [
    "bit-vec@0.10.1",
    "chrono@0.4.45",
    "im@15.1.0",
    "priority-queue@2.7.0",
    "unicode-segmentation@1.13.3",
    "url@2.5.8",
    "ropey@1.6.1",
    "indexmap@2.11.0",
    "ordered-float@5.0.0",
    "slab@0.4.11",
];

const STRATEGIES: [&str; 3] = ["random", "feedback", "all"];

/// Time to explore each crate if the user gives none.
const USUAL: &str = "20s";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    budget: Budget,
    /// The seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// These crates, as name@version, instead of the usual ten
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    #[command(flatten)]
    exploration: Exploration,
}

/// Reports of some kind, and how many of them are broken laws.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Reports {
    all: u64,
    laws: u64,
}

impl Reports {
    fn add(&mut self, other: Reports) {
        self.all += other.all;
        self.laws += other.laws;
    }

    /// The share of the reports that are laws.
    fn share(self) -> String {
        let percent = 100.0 * self.laws as f64 / self.all.max(1) as f64;
        format!("{} of {} ({percent:.1} %)", self.laws, self.all)
    }
}

/// The reports of a run, counted in three ways.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counts {
    calls: Reports,
    operations: Reports,
    shown: Reports,
}

impl Counts {
    fn of(report: &Value) -> Counts {
        let number = |member: &str| report[member].as_u64().unwrap_or_default();
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let (bugs, suspects) = (list(&report["bugs"]), list(&report["suspects"]));
        let shown = bugs.iter().map(|bug| bug["operation"].as_str().unwrap_or_default().to_string());
        let shown: Vec<String> = shown.collect();
        let words =
            |value: &Value| list(value).into_iter().filter_map(|word| Some(word.as_str()?.to_string()));
        let beside = bugs.iter().flat_map(|bug| words(&bug["also"]));
        let hidden = suspects.iter().flat_map(|suspect| words(&suspect["operations"]));
        let operations: Vec<String> = shown.iter().cloned().chain(beside).chain(hidden).collect();
        let found = list(&report["findings"]).into_iter().chain(bugs.iter().cloned());
        let asking = found.filter(|found| !found["law"].is_null());
        let laws: BTreeSet<String> =
            asking.filter_map(|found| Some(found["operation"].as_str()?.to_string())).collect();
        // Beside a bug there may be a place: `f at src/lib.rs:7`.
        let asks = |name: &&String| laws.contains(name.split(" at ").next().unwrap_or(name));
        let counted = |names: &[String]| Reports {
            all: names.len() as u64,
            laws: names.iter().filter(asks).count() as u64,
        };
        Counts {
            calls: Reports { all: number("failed_calls"), laws: number("failed_laws") },
            operations: counted(&operations),
            shown: counted(&shown),
        }
    }
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let usual = || CRATES.map(str::to_string).to_vec();
    let crates = if arguments.only.is_empty() { usual() } else { arguments.only.clone() };
    let mut sums = [Counts::default(); STRATEGIES.len()];
    let mut table = Table::new(["crate", "strategies", "failing calls", "operations that fail", "shown"]);
    for name in &crates {
        for (strategy, sum) in STRATEGIES.iter().zip(&mut sums) {
            let words = [format!("--strategies={strategy}")];
            let explored =
                arguments.exploration.report_with(name, arguments.seed, &arguments.budget, USUAL, &words)?;
            let counts = Counts::of(&explored.report);
            sum.calls.add(counts.calls);
            sum.operations.add(counts.operations);
            sum.shown.add(counts.shown);
            table.push(row(name, strategy, counts));
        }
    }
    for (strategy, sum) in STRATEGIES.iter().zip(sums) {
        table.push(row("all crates", strategy, sum));
    }
    println!("### Broken laws among what is reported, {} each\n\n{table}", arguments.budget.named(USUAL));
    Ok(())
}

fn row(name: &str, strategy: &str, counts: Counts) -> Vec<String> {
    let shares = [counts.calls, counts.operations, counts.shown].map(Reports::share);
    [name.to_string(), strategy.to_string()].into_iter().chain(shares).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn reports_are_counted_by_calls_by_operations_and_by_what_is_shown() {
        let report = json!({
            "failed_calls": 100,
            "failed_laws": 2,
            "bugs": [
                { "operation": "law a of B", "law": { "name": "a", "of": "B" }, "also": ["law c of B at b.rs:1"] },
                { "operation": "f", "also": [] },
            ],
            "findings": [{ "operation": "law c of B", "law": { "name": "c", "of": "B" } }, { "operation": "g" }],
            "suspects": [{ "operations": ["g", "h"] }],
        });
        let counts = Counts::of(&report);
        assert_eq!(counts.calls, Reports { all: 100, laws: 2 });
        assert_eq!(counts.operations, Reports { all: 5, laws: 2 });
        assert_eq!(counts.shown, Reports { all: 2, laws: 1 });
        assert_eq!(counts.shown.share(), "1 of 2 (50.0 %)");
    }
}
