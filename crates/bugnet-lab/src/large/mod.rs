//! `large`: how many calls each method needs for each of nine faults of a machine of 46 operations that
//! has to be set up by ten calls: the shape of section 3.4 of the paper on MoreBugs.
//!
//! **Invariant:** no method is told which fault it has found; that is only counted here.

mod machine;
mod methods;
mod system;

use crate::quantile::Quartiles;
use crate::throughput::table::{Table, grouped};
use bugnet::bug::Pattern;
use bugnet::campaign::{Bug, Environment, Options, WantedBugs};
use bugnet::prelude::*;
use bugnet::program::{Api, Programs};
use methods::Found;
use std::cell::RefCell;
use std::rc::Rc;
use system::{CALLS, FAULTS};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Runs of which each figure is the median
    #[arg(long, default_value_t = 9)]
    runs: u64,
    /// The first seed
    #[arg(long, default_value_t = 1)]
    first: u64,
    /// Calls that a run may make
    #[arg(long, default_value_t = 2_000_000)]
    calls: u64,
    /// Only methods whose name contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Prints the patterns that each run of Bugnet reports
    #[arg(long)]
    show: bool,
}

/// A run of a method.
#[derive(Debug, Clone, Copy)]
struct Run {
    seed: u64,
    /// The most calls.
    calls: u64,
    show: bool,
}

/// Runs a method: when each fault was first reported, and how many reports there were beyond.
type Method = fn(Run) -> (Found, u64);

const METHODS: &[(&str, Method)] = &[
    ("QuickCheck without shrinking", |run| (methods::unshrunk(run.seed, run.calls), 0)),
    ("QuickCheck with shrinking", |run| (methods::shrunk(run.seed, run.calls), 0)),
    ("RDS", |run| (methods::rds(run.seed, run.calls), 0)),
    ("MoreBugs as in the paper", |run| (methods::more_bugs(run.seed, run.calls), 0)),
    ("Bugnet, told how to set up", |run| hunt::<machine::Aware>(run, None)),
    ("Bugnet, told how to set up, 50 steps", |run| hunt::<machine::Aware>(run, Some(50))),
    ("Bugnet, told nothing", |run| hunt::<machine::Unaware>(run, None)),
    ("Bugnet, told nothing, 50 steps", |run| hunt::<machine::Unaware>(run, Some(50))),
];

/// Prints the table: a row for each method, the median of the calls for each fault.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let numbers: Vec<String> = (1..=FAULTS).map(|fault| fault.to_string()).collect();
    let headings = ["method"].into_iter().chain(numbers.iter().map(String::as_str));
    let mut table = Table::new(headings.chain(["found per run", "reports beyond"]));
    for (name, method) in METHODS.iter().filter(|(name, _)| name.contains(&arguments.only)) {
        eprintln!("running {name}");
        let run = |seed| Run { seed, calls: arguments.calls, show: arguments.show };
        let seeds = arguments.first..arguments.first + arguments.runs;
        let (runs, beyond): (Vec<Found>, Vec<u64>) = seeds.map(|seed| method(run(seed))).unzip();
        let within = |calls: &Option<u64>| calls.filter(|calls| *calls <= arguments.calls);
        let median = |fault: usize| {
            let outcomes: Vec<Option<u64>> = runs.iter().map(|found| within(&found[fault])).collect();
            Quartiles::of(&outcomes).median.map_or("-".to_owned(), grouped)
        };
        let found = runs.iter().flatten().filter(|calls| within(calls).is_some()).count();
        let mut row = vec![(*name).to_owned()];
        row.extend((0..FAULTS).map(median));
        row.push(format!("{:.1}", found as f64 / arguments.runs as f64));
        row.push(format!("{:.1}", beyond.iter().sum::<u64>() as f64 / arguments.runs as f64));
        table.push(row);
    }
    print!("{table}");
    Ok(())
}

/// Runs the engine for this many calls, with programs of the default length or of another one.
fn hunt<T: Api>(run: Run, steps: Option<usize>) -> (Found, u64) {
    let Run { seed, calls: most, show } = run;
    let names: Vec<&'static str> = T::suite().operations.iter().map(|operation| operation.name).collect();
    let state = Rc::new(RefCell::new((Found::default(), 0)));
    let told = Rc::clone(&state);
    let enough = move |bugs: &[Bug]| {
        let (found, beyond) = &mut *told.borrow_mut();
        let faults: Vec<usize> = bugs.iter().filter_map(|bug| fault(bug.pattern.as_ref()?, &names)).collect();
        for fault in &faults {
            found[fault - 1].get_or_insert(CALLS.get());
        }
        let distinct = (1..=FAULTS).filter(|fault| faults.contains(fault)).count();
        *beyond = (bugs.len() - distinct) as u64;
        CALLS.get() >= most || !found.contains(&None)
    };
    let environment = Environment { enough: Box::new(enough), ..Environment::none(Seed(seed)) };
    CALLS.set(0);
    // Some programs are short; what comes after the last call that counts does not count, nor do explanations.
    let options = Options { cases: Some(most / 20), steps, explain: Some(false), ..Options::default() };
    let property = Property::new("large")
        .bugs(WantedBugs::ALL)
        .seed(Seed(seed))
        .options(options)
        .environment(environment);
    if let (true, Err(failed)) = (show, property.run(&Programs::new(T::suite()))) {
        println!("### Seed {seed}\n");
        let names = T::suite().operations.iter().map(|operation| operation.name).collect::<Vec<_>>();
        for pattern in failed.bugs.iter().filter_map(|bug| bug.pattern.as_ref()) {
            let calls = pattern.elements.iter().map(|element| names[element.operation]);
            println!("- {}", calls.collect::<Vec<_>>().join("; "));
        }
    }
    state.take()
}

/// Returns the fault that a pattern is about: the one whose calls are all in it.
fn fault(pattern: &Pattern, names: &[&'static str]) -> Option<usize> {
    let calls: Vec<&str> = pattern.elements.iter().map(|element| names[element.operation]).collect();
    let has = |needed: &[&str]| {
        let mut left = calls.clone();
        needed
            .iter()
            .all(|name| left.iter().position(|call| call == name).map(|place| left.remove(place)).is_some())
    };
    let needed: [&[&str]; FAULTS] = [
        &["set_rate"],
        &["transmit", "cancel", "confirm"],
        &["sleep", "silence", "wake", "read_mode"],
        &["set_length", "set_length", "read_length"],
        &["allocate", "attach", "release", "transmit"],
        &["transmit", "transmit", "transmit", "transmit"],
        &["bus_off", "recover", "bus_off", "recover"],
        &["disable", "transmit", "enable", "receive"],
        &["sleep", "shutdown", "wake"],
    ];
    needed.iter().position(|needed| has(needed)).map(|place| place + 1)
}
