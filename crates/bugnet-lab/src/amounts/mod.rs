//! `amounts`: is each fault reported once, where a fault is an amount or has many faces?
//!
//! **Invariant:** the engine runs as it does by default and is told nothing; which fault a report is about
//! is learned by running its program again.

#[cfg(feature = "amounts")]
mod blind;
mod causes;
mod fault;
#[cfg(feature = "amounts")]
mod fresh;
mod known;
#[cfg(feature = "amounts")]
mod shown;
mod slots;
mod tuned;

use crate::quantile::Quartiles;
use crate::throughput::table::Table;
use crate::trace::ended;
use anyhow::Context;
use bugnet::campaign::{Bug, Environment, Failed};
use bugnet::prelude::*;
use bugnet::program::{Api, Programs, Suite};
use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Runs for each subject, with the seeds from 0 on
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Only subjects whose name contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Measures what known bugs cost instead: runs that pass around them, beside runs without the fault
    #[arg(long)]
    known: bool,
    /// Prints the report of every run that does not show each fault once
    #[arg(long)]
    show: bool,
}

/// A machine under test.
struct Subject {
    name: String,
    suite: fn() -> Suite,
    /// The number of faults.
    faults: usize,
    /// Plants the fault.
    prepare: Box<dyn Fn()>,
}

impl Subject {
    fn new<T: Api>(name: &str, faults: usize) -> Subject {
        Subject { name: name.to_owned(), suite: T::suite, faults, prepare: Box::new(|| {}) }
    }
}

/// All subjects of this build.
fn subjects() -> Vec<Subject> {
    let mut all = vec![
        Subject::new::<tuned::Sum>("tuned: sum", 1),
        Subject::new::<tuned::Length>("tuned: length", 1),
        Subject::new::<tuned::Balance>("tuned: balance", 1),
        Subject::new::<tuned::Nesting>("tuned: nesting", 1),
        Subject::new::<tuned::Bytes>("tuned: total bytes", 1),
        Subject::new::<tuned::Handles>("tuned: open handles", 1),
        Subject::new::<tuned::Keys>("tuned: distinct keys", 1),
        Subject::new::<tuned::Counters>("tuned: two counters", 1),
        Subject::new::<tuned::Ratio>("tuned: ratio", 1),
        Subject::new::<tuned::Around>("tuned: wrap-around", 1),
        Subject::new::<causes::Queue>("causes: api with two", 2),
        Subject::new::<causes::forgotten::SumStack>("causes: SumStack with one", 1),
        Subject::new::<causes::SumStack>("causes: SumStack with both", 2),
    ];
    all.extend(slots::PLANTED.map(|planted| Subject {
        name: format!("slots: {planted:?}").to_lowercase(),
        prepare: Box::new(move || slots::FAULT.set(planted)),
        ..Subject::new::<slots::SlotsTest>("", 1)
    }));
    #[cfg(feature = "amounts")]
    all.extend([
        Subject::new::<shown::Log>("shown: log (arrayvec)", 1),
        Subject::new::<shown::Inline>("shown: inline (smallvec)", 1),
        Subject::new::<shown::Cache>("shown: cache (indexmap)", 2),
        Subject::new::<shown::Outgoing>("shown: outgoing (bytes)", 2),
        Subject::new::<shown::Connections>("shown: connections (slab)", 1),
        Subject::new::<shown::Limiter>("shown: limiter", 2),
        Subject::new::<shown::Undo>("shown: undo", 1),
        Subject::new::<shown::Line>("shown: line", 2),
        Subject::new::<shown::Scheduler>("shown: scheduler", 1),
        Subject::new::<shown::Bank>("shown: bank", 2),
        Subject::new::<fresh::Label>("fresh: label (arrayvec)", 1),
        Subject::new::<fresh::Sorted>("fresh: sorted (smallvec)", 2),
        Subject::new::<fresh::Frames>("fresh: frames (bytes)", 1),
        Subject::new::<fresh::Recent>("fresh: recent (indexmap)", 2),
        Subject::new::<fresh::Timers>("fresh: timers (slab)", 1),
        Subject::new::<fresh::Ring>("fresh: ring", 1),
        Subject::new::<fresh::Price>("fresh: price", 2),
        Subject::new::<fresh::Lock>("fresh: lock", 2),
        Subject::new::<fresh::Folders>("fresh: folders", 1),
        Subject::new::<fresh::Poll>("fresh: poll", 2),
        Subject::new::<blind::Seats>("blind: seats (bit-vec)", 2),
        Subject::new::<blind::Chosen>("blind: chosen (roaring)", 1),
        Subject::new::<blind::Versions>("blind: versions (rpds)", 2),
        Subject::new::<blind::Editor>("blind: editor (crop)", 1),
        Subject::new::<blind::Menu>("blind: menu (indexmap)", 2),
        Subject::new::<blind::Lift>("blind: lift", 1),
        Subject::new::<blind::Heater>("blind: heater", 2),
        Subject::new::<blind::Mailbox>("blind: mailbox", 1),
        Subject::new::<blind::CarPark>("blind: car park", 1),
        Subject::new::<blind::Brackets>("blind: brackets", 2),
    ]);
    all
}

/// One run of the engine.
struct Run {
    reports: u64,
    /// The faults that were reported.
    found: usize,
    calls: u64,
    /// Processor time.
    time: Duration,
}

impl Subject {
    fn run(&self, seed: u64, show: bool) -> anyhow::Result<Run> {
        (self.prepare)();
        let programs = Programs::new((self.suite)());
        let (start, before) = (Instant::now(), processor_time()?);
        let environment =
            Environment { clock: Box::new(move || start.elapsed()), ..Environment::none(Seed(seed)) };
        let property = Property::new("amounts").seed(Seed(seed)).environment(environment);
        let (outcome, calls) = ended(property.run(&programs));
        let time = processor_time()?.saturating_sub(before);
        let Err(failed) = outcome else { return Ok(Run { reports: 0, found: 0, calls, time }) };
        let found: BTreeSet<&str> = failed.bugs.iter().map(|bug| self.fault(bug)).collect();
        if show && (failed.bugs.len() != self.faults || found.len() != self.faults) {
            println!("### {}, seed {seed}\n\n{}", self.name, shape(&failed));
        }
        Ok(Run { reports: failed.bugs.len() as u64, found: found.len(), calls, time })
    }

    /// The fault that a bug's program meets.
    fn fault(&self, bug: &Bug) -> &'static str {
        fault::forget();
        let environment = Environment { replay: Some(bug.tape.clone()), ..Environment::none(Seed(0)) };
        let _ = Property::new("amounts").environment(environment).run(&Programs::new((self.suite)()));
        fault::met()
    }
}

/// Returns the reports of a run, briefly.
fn shape(failed: &Failed) -> String {
    let line = |bug: &Bug| {
        let program: Vec<String> = bug.arguments.iter().map(ToString::to_string).collect();
        format!("- {}\n  {}\n", bug.words, program.join(" "))
    };
    failed.bugs.iter().map(line).collect()
}

/// Runs every subject, and prints the table.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.known {
        return known::run(arguments);
    }
    let headings =
        ["subject", "faults", "each once", "reports", "most", "lost", "calls", "most calls", "ms", "most ms"];
    let mut table = Table::new(headings);
    for subject in subjects().iter().filter(|subject| subject.name.contains(&arguments.only)) {
        eprintln!("{}", subject.name);
        let runs: Vec<Run> =
            (0..arguments.seeds).map(|seed| subject.run(seed, arguments.show)).collect::<Result<_, _>>()?;
        let median = |figure: fn(&Run) -> u64| {
            Quartiles::of(&runs.iter().map(|run| Some(figure(run))).collect::<Vec<_>>()).to_string()
        };
        let most = |figure: fn(&Run) -> u64| runs.iter().map(figure).max().unwrap_or(0).to_string();
        let once = |run: &&Run| run.found == subject.faults && run.reports == subject.faults as u64;
        table.push(vec![
            subject.name.clone(),
            subject.faults.to_string(),
            format!("{} of {}", runs.iter().filter(once).count(), runs.len()),
            median(|run| run.reports),
            most(|run| run.reports),
            runs.iter().filter(|run| run.found < subject.faults).count().to_string(),
            median(|run| run.calls),
            most(|run| run.calls),
            median(|run| run.time.as_millis() as u64),
            most(|run| run.time.as_millis() as u64),
        ]);
    }
    println!("### Default settings, {} seeds: median (quartiles)\n\n{table}", arguments.seeds);
    Ok(())
}

/// The time that this thread has been on a processor.
fn processor_time() -> anyhow::Result<Duration> {
    let statistics = fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds = statistics.split_whitespace().next().context("/proc/thread-self/schedstat is empty")?;
    Ok(Duration::from_nanos(nanoseconds.parse()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_met_by_the_programs_that_are_reported() {
        for subject in subjects() {
            let run = subject.run(1, false).unwrap();
            assert!(run.found > 0 && run.found <= subject.faults, "{}: {}", subject.name, run.found);
        }
    }
}
