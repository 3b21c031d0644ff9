//! Nine planted bugs in a synthetic API: how many tests each scheme of leaving calls out needs.
//!
//! The data flow: a [`sample`] counts how many random tests of a scheme show each [`bug`] of the
//! [`call`]s of the API; a [`campaign`] of the engine is run until it finds one. The figure of a
//! row is the mean over the bugs of the logarithm of the tests expected for each, so that no
//! bug outweighs the others.

pub mod bug;
pub mod call;
pub mod campaign;
mod sample;

use bug::BUGS;
use call::Size;
use sample::Row;

use crate::throughput::table::Table;

/// The size of the measurement.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Random tests of each scheme
    #[arg(long, default_value_t = 300_000, value_parser = clap::value_parser!(u64).range(1..))]
    tests: u64,
    /// Campaigns for each bug, with the seeds from 0 on; of a hundred, the mean would be off by 0.014
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Tests after which a campaign has not found its bug
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
}

/// Counts, and prints a table for each size of the API.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    for size in Size::ALL {
        let bugs = BUGS.iter().map(|(name, _)| *name);
        let mut table = Table::new(["configurations", "mean"].into_iter().chain(bugs));
        for row in Row::all() {
            let logarithms = row.count(size, arguments.tests).map(|hits| logarithm(hits, arguments.tests));
            table.push(cells(row.name(), &logarithms));
        }
        let logarithms: Vec<f64> = (0..BUGS.len()).map(|bug| of_campaigns(bug, size, arguments)).collect();
        table.push(cells("default campaign".to_owned(), &logarithms));
        println!("### {}: log10 of the tests expected\n\n{table}", size.heading());
    }
    for (name, needs) in BUGS {
        println!("- {name}: {needs}");
    }
    Ok(())
}

fn cells(name: String, logarithms: &[f64]) -> Vec<String> {
    let mean = logarithms.iter().sum::<f64>() / logarithms.len() as f64;
    let shown = [mean].into_iter().chain(logarithms.iter().copied()).map(|value| format!("{value:.2}"));
    [name].into_iter().chain(shown).collect()
}

/// The logarithm of the tests expected to one hit; what was never hit counts as half a hit.
fn logarithm(hits: u64, tests: u64) -> f64 {
    let hits = if hits == 0 { 0.5 } else { hits as f64 };
    (tests as f64 / hits).log10()
}

/// The same of the mean number of tests that campaigns need for a bug.
fn of_campaigns(bug: usize, size: Size, arguments: &Arguments) -> f64 {
    let tests = |seed| campaign::tests(bug, size, seed, arguments.limit).unwrap_or(arguments.limit);
    let total: u64 = (0..arguments.seeds).map(tests).sum();
    (total as f64 / arguments.seeds as f64).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_never_hit_counts_as_half_a_hit() {
        assert_eq!(logarithm(1, 1_000), 3.0);
        assert_eq!(logarithm(0, 500), 3.0);
        assert_eq!(logarithm(500, 500), 0.0);
    }

    #[test]
    fn a_row_begins_with_the_mean() {
        assert_eq!(cells("all".to_owned(), &[1.0, 2.0]), ["all", "1.50", "1.00", "2.00"]);
    }
}
