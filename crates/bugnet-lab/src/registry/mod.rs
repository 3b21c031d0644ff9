//! `registry`: how many calls of the interface it takes until all bugs of the process registry are
//! reported, minimized: the table of section 3.3 of the paper on MoreBugs, with Bugnet in it.
//!
//! **Invariant:** the engine is told nothing; which bug a report is about is only counted here.

mod baseline;
#[cfg(all(feature = "peers", feature = "hegel"))]
pub mod peers;
pub mod system;

use crate::trace::Ended;
use bugnet::bug::Pattern;
use bugnet::campaign::{Bug, Environment, Options, WantedBugs};
use bugnet::prelude::*;
use bugnet::program::{Api, Programs};
use bugnet::swarm::Scheme;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;
use system::{A, B, CALLS, Calibration, FLAKES, NAMES};

/// Programs after which a run that has not found all bugs counts as one that does not find them.
const MOST_CASES: u64 = 2_000;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Runs of which each row is the mean
    #[arg(long, default_value_t = 1000)]
    runs: u64,
    /// The first seed; those below 1000 were looked at while the engine was tuned
    #[arg(long, default_value_t = 1_000_000)]
    first: u64,
    /// Only rows whose name contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Measures each means of telling bugs apart: rows with it switched off, or on
    #[arg(long)]
    ablation: bool,
}

/// The result of the runs of one row.
#[derive(Debug, Default)]
struct Row {
    calls: Vec<u64>,
    beyond: u64,
    complete: u64,
}

/// Runs one method once: the calls until all bugs are reported, and the reports beyond them.
type Method<'a> = dyn Fn(&Calibration, u64) -> (Option<u64>, u64) + 'a;

/// Prints the table.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    println!("{:<44}{:>10}{:>10}{:>12}{:>10}", "", "A", "B", "complete", "beyond");
    let show = |name: &str, runs: u64, row: &Method<'_>| {
        if !name.contains(&arguments.only) {
            return;
        }
        let rows = [A, B].map(|calibration| {
            let mut all = Row::default();
            NAMES.set(calibration.names);
            for seed in arguments.first..arguments.first + runs {
                let (calls, beyond) = row(&calibration, seed);
                all.complete += u64::from(calls.is_some());
                all.calls.extend(calls);
                all.beyond += beyond;
            }
            all
        });
        let mean = |row: &Row| row.calls.iter().sum::<u64>() as f64 / row.calls.len().max(1) as f64;
        let share = |row: &Row| 100.0 * row.complete as f64 / runs as f64;
        let least = share(&rows[0]).min(share(&rows[1]));
        let beyond = rows.iter().map(|row| row.beyond).max().unwrap_or(0) as f64 / runs as f64;
        println!("{name:<44}{:>10.0}{:>10.0}{least:>11.1}%{beyond:>10.3}", mean(&rows[0]), mean(&rows[1]));
    };
    let runs = arguments.runs;
    if arguments.ablation {
        for means in ["all", "more", "all-strict", "all+values", "all-guards", "all-samples"] {
            let wanted: WantedBugs = means.parse().map_err(anyhow::Error::msg)?;
            for (bugs, name) in [(5, "five bugs"), (6, "six bugs")] {
                show(&format!("bugs = {means}, {name}"), runs, &|calibration, seed| {
                    hunt_with::<system::RegistryTest>(calibration, seed, bugs, Scheme::Mix, wanted)
                });
            }
        }
        return Ok(());
    }
    show("QuickCheck without shrinking", runs, &|calibration, seed| {
        (baseline::unshrunk(calibration, seed), 0)
    });
    show("QuickCheck with shrinking", runs, &|calibration, seed| (baseline::shrunk(calibration, seed), 0));
    show("RDS, refined classification", runs, &|calibration, seed| (baseline::rds(calibration, seed), 0));
    show("MoreBugs as in the paper", runs, &|calibration, seed| (baseline::more_bugs(calibration, seed), 0));
    for (name, swarm) in [("Bugnet", Scheme::Mix), ("Bugnet without swarm", Scheme::All)] {
        show(&format!("{name}, five bugs"), runs, &|calibration, seed| {
            hunt::<system::RegistryTest>(calibration, seed, 5, swarm)
        });
        show(&format!("{name}, six bugs"), runs, &|calibration, seed| {
            hunt::<system::RegistryTest>(calibration, seed, 6, swarm)
        });
        show(&format!("{name}, five among 11 irrelevant calls"), runs, &|calibration, seed| {
            hunt::<system::Crowded>(calibration, seed, 5, swarm)
        });
    }
    show("Bugnet, five bugs, 1% of calls flaky", runs, &|calibration, seed| {
        FLAKES.set((10, seed));
        let found = hunt::<system::RegistryTest>(calibration, seed, 5, Scheme::Mix);
        FLAKES.set((0, 0));
        found
    });
    Ok(())
}

/// Runs the engine until this many distinct bugs are known: how many calls that took, and how many it
/// would report beyond.
fn hunt<T: Api>(calibration: &Calibration, seed: u64, wanted: usize, swarm: Scheme) -> (Option<u64>, u64) {
    hunt_with::<T>(calibration, seed, wanted, swarm, WantedBugs::ALL)
}

fn hunt_with<T: Api>(
    calibration: &Calibration,
    seed: u64,
    wanted: usize,
    swarm: Scheme,
    means: WantedBugs,
) -> (Option<u64>, u64) {
    let process_first = calibration.process_first;
    let names: Vec<&'static str> = T::suite().operations.iter().map(|operation| operation.name).collect();
    let state = Rc::new(Cell::new((None, 0)));
    let told = Rc::clone(&state);
    let enough = move |bugs: &[Bug]| {
        let classes = bugs.iter().filter_map(|bug| class(bug.pattern.as_ref()?, &names, process_first));
        let classes: BTreeSet<u32> = classes.filter(|class| *class <= wanted as u32).collect();
        let known = bugs.iter().filter_map(|bug| class(bug.pattern.as_ref()?, &names, process_first));
        let known: BTreeSet<u32> = known.collect();
        if classes.len() == wanted {
            told.set((Some(CALLS.get()), (bugs.len() - known.len()) as u64));
        }
        classes.len() == wanted
    };
    let environment = Environment { enough: Box::new(enough), ..Environment::none(Seed(seed)) };
    let _ = campaign::<T>(swarm, means, MOST_CASES, environment);
    state.get()
}

/// Runs the engine on a registry.
pub fn campaign<T: Api>(swarm: Scheme, means: WantedBugs, cases: u64, environment: Environment) -> Ended {
    CALLS.set(0);
    let options =
        Options { swarm: Some(swarm), cases: Some(cases), explain: Some(false), ..Options::default() };
    let property = Property::new("registry").bugs(means).seed(environment.fresh).options(options);
    let outcome = property.environment(environment).run(&Programs::new(T::suite()));
    (outcome, CALLS.get())
}

/// Returns the bug of the paper that a pattern is, if it is one; six is the one that the paper cannot find.
fn class(pattern: &Pattern, names: &[&'static str], process_first: bool) -> Option<u32> {
    let mut calls: Vec<&str> = pattern.elements.iter().map(|element| names[element.operation]).collect();
    calls.sort_unstable();
    let registers = pattern.elements.iter().filter(|element| names[element.operation] == "register");
    let mut named = registers.map(|element| &element.arguments[1]);
    let same = named.next() == named.next();
    match calls.as_slice() {
        ["unregister"] => Some(1),
        ["register", "register", "spawn"] if same && !process_first => Some(5),
        ["register", "register", "spawn"] => Some(2),
        ["kill", "register", "spawn"] => Some(3),
        ["kill", "register", "spawn", "whereis"] => Some(4),
        ["register", "register", "spawn", "spawn"] => Some(5),
        ["kill", "register", "spawn", "unregister"] => Some(6),
        _ => None,
    }
}
