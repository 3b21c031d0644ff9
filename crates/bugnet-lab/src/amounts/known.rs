//! The price of known bugs: a run that passes around them, beside one of the same machine without the fault.
//!
//! **Invariant:** both runs have the same seeds and settings; the bugs are those that a run before has found.

use super::slots::{FAULT, PLANTED, Planted, SlotsTest};
use super::{Arguments, processor_time};
use crate::quantile::Quartiles;
use crate::throughput::table::Table;
use anyhow::{Context, ensure};
use bugnet::campaign::{Environment, Options};
use bugnet::prelude::*;
use bugnet::program::{Api, Programs};
use std::path::Path;
use std::time::Instant;
use std::{env, fs, process};

/// The seed of the run whose bugs are accepted.
const FOUND: u64 = 1_000;

/// Calls and microseconds of processor time.
struct Price {
    calls: u64,
    time: u64,
}

/// Prints a row for each fault: calls and time of runs without it, and of runs that know it.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let headings =
        ["fault", "known", "calls without", "calls with", "us without", "us with", "times as much"];
    let mut table = Table::new(headings);
    let folder = env::temp_dir().join(format!("bugnet-known-{}", process::id()));
    for planted in PLANTED {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)?;
        FAULT.set(planted);
        let known = property(&folder, FOUND).run(&Programs::new(SlotsTest::suite()));
        let known = known.err().with_context(|| format!("{planted:?} is not found"))?.bugs.len();
        fs::copy(folder.join(".bugnet/known.bugs.toml"), folder.join("bugnet-known.toml"))?;
        let mut with = Vec::new();
        for seed in 0..arguments.seeds {
            with.extend(passed(&folder, seed)?);
        }
        fs::remove_dir_all(&folder)?;
        fs::create_dir_all(&folder)?;
        FAULT.set(Planted::Nothing);
        let mut without = Vec::new();
        for seed in 0..arguments.seeds {
            without.extend(passed(&folder, seed)?);
        }
        ensure!(without.len() as u64 == arguments.seeds, "the machine fails without a fault");
        let median = |prices: &[Price], figure: fn(&Price) -> u64| {
            Quartiles::of(&prices.iter().map(|price| Some(figure(price))).collect::<Vec<_>>()).median
        };
        let time = |prices: &[Price]| median(prices, |price| price.time).unwrap_or(0);
        let calls = |prices: &[Price]| median(prices, |price| price.calls).unwrap_or(0);
        table.push(vec![
            format!("{planted:?}").to_lowercase(),
            format!("{known}, passed {} of {}", with.len(), arguments.seeds),
            calls(&without).to_string(),
            calls(&with).to_string(),
            time(&without).to_string(),
            time(&with).to_string(),
            format!("{:.2}", time(&with) as f64 / time(&without).max(1) as f64),
        ]);
    }
    let _ = fs::remove_dir_all(&folder);
    println!("### Runs that pass, {} seeds, median\n\n{table}", arguments.seeds);
    Ok(())
}

/// Runs the machine with what is accepted in a folder. Returns `None` if it does not pass.
fn passed(folder: &Path, seed: u64) -> anyhow::Result<Option<Price>> {
    let programs = Programs::new(SlotsTest::suite());
    let before = processor_time()?;
    let outcome = property(folder, seed).run(&programs);
    let time = processor_time()?.saturating_sub(before).as_micros() as u64;
    Ok(outcome.ok().map(|passed| Price { calls: passed.calls, time }))
}

fn property(folder: &Path, seed: u64) -> Property<'_> {
    let start = Instant::now();
    let environment =
        Environment { clock: Box::new(move || start.elapsed()), ..Environment::none(Seed(seed)) };
    let options = Options { regressions: Some(false), ..Options::default() };
    Property::new("known").folder(folder).seed(Seed(seed)).options(options).environment(environment)
}
