//! Bugs that take a sequence of calls, found through suites that list functions and their types.
//!
//! Nobody wrote a generator: arguments are drawn by their types, and receivers are made by calls.

mod published;
mod sum_stack;

use bugnet::campaign::{Environment, Failed, Isolate, Options, Reason, WantedBugs};
use bugnet::prelude::*;
use bugnet::program::{Api, Programs, Suite};

use crate::quantile::Quartiles;
use crate::throughput::table::Table;

/// The size of the measurement.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Campaigns for each subject, with the seeds from 0 on
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Tests after which a campaign has not found its bug
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
}

/// A library under test.
#[derive(Debug, Clone, Copy)]
struct Subject {
    name: &'static str,
    /// The suite of its functions.
    suite: fn() -> Suite,
    /// Says whether its bug kills the process.
    isolate: Isolate,
}

impl Subject {
    const fn new(name: &'static str, suite: fn() -> Suite) -> Subject {
        Subject { name, suite, isolate: Isolate::Off }
    }
}

const SUBJECTS: [Subject; 6] = [
    Subject::new("SumStack, forgotten update", sum_stack::forgotten::SumStack::suite),
    Subject::new("SumStack, leaked reference", sum_stack::leaked::SumStack::suite),
    Subject::new("vte 0.15.0", published::Terminal::suite),
    Subject::new("url 2.5.8", published::urls_suite),
    DEADLY,
    Subject::new("rstar 0.12.2", published::rstar_trees_suite),
];

/// The only one whose programs run in children.
const DEADLY: Subject =
    Subject { name: "rpds 1.2.1, in a child", suite: published::rpds_maps_suite, isolate: Isolate::CHILD };

/// The name of every property here. Children are started with it as their first argument.
const PROPERTY: &str = "sequences-child";

/// Runs programs for a parent, which starts this executable as if it were a test.
#[derive(Debug, clap::Args)]
pub struct Child {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    harness: Vec<String>,
}

impl Child {
    pub fn run(&self) -> anyhow::Result<()> {
        match Property::new(PROPERTY).bugs(WantedBugs::FIRST).run(&Programs::new((DEADLY.suite)())) {
            Ok(_) => anyhow::bail!("this command is for `sequences` to start"),
            Err(failed) => anyhow::bail!("{failed}"),
        }
    }
}

/// Searches, and prints the table and the smallest programs.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut table =
        Table::new(["subject", "found", "tests, median (quartiles)", "calls, median (quartiles)"]);
    let mut programs = Vec::new();
    for subject in SUBJECTS {
        eprintln!("{}", subject.name);
        let efforts: Vec<Option<Effort>> =
            (0..arguments.seeds).map(|seed| subject.search(seed, arguments.limit)).collect();
        let found = efforts.iter().flatten().count();
        let quartiles = |figure: fn(&Effort) -> u64| {
            Quartiles::of(&efforts.iter().map(|effort| effort.as_ref().map(figure)).collect::<Vec<_>>())
        };
        table.push(vec![
            subject.name.to_owned(),
            format!("{found} of {}", arguments.seeds),
            quartiles(|effort| effort.tests).to_string(),
            match subject.isolate {
                Isolate::Off => quartiles(|effort| effort.calls).to_string(),
                // Children do not say how many calls they made.
                Isolate::Child { .. } => "-".to_owned(),
            },
        ]);
        programs.push((subject.name, subject.smallest(arguments.limit)));
    }
    println!("### Default settings, but for at most {} tests\n\n{table}", arguments.limit);
    for (name, program) in programs {
        println!("{name}:\n\n```rust\n{program}\n```\n");
    }
    Ok(())
}

/// The effort of finding a bug.
#[derive(Debug, Clone, Copy)]
struct Effort {
    tests: u64,
    calls: u64,
}

impl Subject {
    fn campaign(self, programs: &Programs, seed: u64, options: Options) -> Option<Box<Failed>> {
        let property = Property::new(PROPERTY)
            .bugs(WantedBugs::FIRST)
            .seed(Seed(seed))
            .options(options)
            .isolate(self.isolate);
        let failed = property.environment(Environment::none(Seed(seed))).run(programs).err()?;
        matches!(failed.reason, Reason::Refuted(_)).then_some(failed)
    }

    fn search(self, seed: u64, limit: u64) -> Option<Effort> {
        let programs = Programs::new((self.suite)());
        let options = Options { cases: Some(limit), shrinks: Some(0), ..Options::default() };
        let failed = self.campaign(&programs, seed, options)?;
        Some(Effort {
            tests: failed.effort().passed + 1,
            calls: failed.calls.searching + failed.calls.learning,
        })
    }

    /// The program that one campaign prints.
    fn smallest(self, limit: u64) -> String {
        let options = Options { cases: Some(limit), ..Options::default() };
        let Some(failed) = self.campaign(&Programs::new((self.suite)()), 0, options) else {
            return "// not found".to_owned();
        };
        let lines: Vec<String> = failed.arguments().iter().map(ToString::to_string).collect();
        let Reason::Refuted(failure) = &failed.reason else { return lines.join("\n") };
        let message: Vec<String> = failure.message.lines().map(|line| format!("// {line}")).collect();
        format!("{}\n{}", lines.join("\n"), message.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_mistakes_of_the_sum_stack_are_found() {
        for subject in &SUBJECTS[..2] {
            let effort = subject.search(1, 1_000).expect(subject.name);
            assert!(effort.calls >= effort.tests, "{}: {effort:?}", subject.name);
        }
    }
}
