//! `trace`: one hash over everything that the engine runs on a subject, so that a change that is to
//! change nothing can be shown to change nothing.
//!
//! The data flow: a [`subject`] runs a campaign, a [`recording`] hears every batch and every recorded
//! case of it and what it came to, and the [`golden`] file says what each hash has to be.
//!
//! **Invariant:** a trace depends on the engine and the seed alone: budgets are in cases, the clock
//! stands still, and no place in a source file enters a hash.

mod golden;
mod isolated;
mod recording;
mod subject;
mod values;

use bugnet::campaign::{Environment, Failed, Passed};
use bugnet::prelude::*;
use golden::{Golden, Line};
use recording::Recording;
use subject::Subject;

/// The outcome of a campaign, and the number of calls of the code under test.
pub type Ended = (Result<Passed, Box<Failed>>, u64);

/// Adds to an outcome the calls that its programs made, without those that explain failures.
pub fn ended(outcome: Result<Passed, Box<Failed>>) -> Ended {
    let calls = match &outcome {
        Ok(passed) => passed.calls,
        Err(failed) => failed.calls.searching + failed.calls.learning,
    };
    (outcome, calls)
}

pub use isolated::serve_if_asked;

/// The seeds of each subject.
const SEEDS: std::ops::Range<u64> = 1..4;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Only subjects whose name contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Compare with trace.txt, and name what differs
    #[arg(long, conflicts_with = "write")]
    check: bool,
    /// Renew trace.txt, after a change that is meant to change what is run
    #[arg(long)]
    write: bool,
}

/// Prints the traces, and compares or writes them.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut golden = Golden::read()?;
    let mut different = 0;
    for subject in subject::all().iter().filter(|subject| subject.name.contains(&arguments.only)) {
        for seed in SEEDS {
            let line = trace(subject, seed);
            match golden.difference(&line) {
                Some(difference) if arguments.check => {
                    println!("{difference}");
                    different += 1;
                }
                _ if arguments.check => {}
                _ => println!("{line}"),
            }
            golden.renew(line);
        }
    }
    if arguments.write {
        golden.write()?;
    }
    anyhow::ensure!(different == 0, "{different} traces differ; if they are meant to, run `trace --write`");
    Ok(())
}

/// Runs a subject with a seed.
fn trace(subject: &Subject, seed: u64) -> Line {
    let recording = Recording::new();
    let environment = Environment { observer: Some(recording.observer()), ..Environment::none(Seed(seed)) };
    let (outcome, calls) = (subject.run)(environment);
    let (events, hash) = recording.finish(&outcome, calls);
    Line { name: subject.name.clone(), seed, events, hash }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Subjects of every kind that take a moment each.
    const QUICK: [&str; 12] = [
        "stack",
        "files/mix",
        "planted/10-calls/bug-2",
        "registry/A/all",
        "registry/flaky",
        "trio/unwrap",
        "challenge/reverse",
        "challenge/coupling/random",
        "etna/bst/",
        "values/three-panics",
        "values/sorted",
        "values/switch",
    ];

    #[test]
    fn the_engine_runs_the_same_cases_as_ever() {
        let golden = Golden::read().expect("trace.txt can be read");
        let mut different = Vec::new();
        for subject in subject::all() {
            if QUICK.iter().any(|quick| subject.name.starts_with(quick)) {
                different.extend(golden.difference(&trace(&subject, SEEDS.start)));
            }
        }
        assert!(different.is_empty(), "{}", different.join("\n"));
    }

    #[test]
    fn another_seed_leaves_another_trace() {
        let subjects = subject::all();
        let stack = subjects.iter().find(|subject| subject.name == "stack").expect("it is there");
        assert_eq!(trace(stack, 1), trace(stack, 1));
        assert_ne!(trace(stack, 1).hash, trace(stack, 2).hash);
    }
}
