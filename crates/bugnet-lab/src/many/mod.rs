//! `many`: how many distinct bugs one run reports of a published crate that has several, without a
//! generator; and how many Hegel reports by the same rules.
//!
//! The subject is `url` 2.5.8: an address that setters have changed must be read back as it is written.
//! Which bug a report is about was judged by hand and is in `many-verdicts.md`.
//!
//! **Invariant:** both libraries have the same operations, and one law.

pub mod bugnet;
#[cfg(feature = "hegel")]
mod hegel;
mod law;

use std::time::Duration;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Tests of a run
    #[arg(long, default_value_t = 100_000)]
    cases: u64,
    /// Minutes of a run, instead of a number of tests
    #[arg(long)]
    minutes: Option<u64>,
    /// The first seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Runs both, and prints what they report.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let time = arguments.minutes.map(|minutes| Duration::from_secs(60 * minutes));
    bugnet::run(arguments.seed, arguments.cases, time);
    #[cfg(feature = "hegel")]
    hegel::run(arguments.seed, arguments.cases, time);
    Ok(())
}
