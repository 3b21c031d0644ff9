//! Bugs that take a sequence of calls, found through suites that list functions and their types.
//!
//! Nobody wrote a generator: arguments are drawn by their types, and receivers are made by calls.

mod published;
mod sum_stack;

use bugnet::campaign::{Environment, Failed, Options, Reason};
use bugnet::prelude::*;
use bugnet::program::{Api, Programs, Suite};

use crate::quantile::Quartiles;
use crate::throughput::table::Table;

/// What to measure.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Campaigns for each subject, with the seeds from 0 on
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Tests after which a campaign has not found its bug
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
}

/// What is tested: a name, and the suite of its functions.
const SUBJECTS: [(&str, fn() -> Suite); 5] = [
    ("SumStack, forgotten update", sum_stack::forgotten::SumStack::suite),
    ("SumStack, leaked reference", sum_stack::leaked::SumStack::suite),
    ("vte 0.15.0", published::Terminal::suite),
    ("rstar 0.12.2", published::rstar_trees_suite),
    ("url 2.5.8", published::urls_suite),
];

/// Searches, and prints the table and the smallest programs.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut table =
        Table::new(["subject", "found", "tests, median (quartiles)", "calls, median (quartiles)"]);
    let mut programs = Vec::new();
    for (name, suite) in SUBJECTS {
        eprintln!("{name}");
        let efforts: Vec<Option<Effort>> =
            (0..arguments.seeds).map(|seed| search(suite, seed, arguments.limit)).collect();
        let found = efforts.iter().flatten().count();
        let quartiles = |figure: fn(&Effort) -> u64| {
            Quartiles::of(&efforts.iter().map(|effort| effort.as_ref().map(figure)).collect::<Vec<_>>())
        };
        table.push(vec![
            name.to_owned(),
            format!("{found} of {}", arguments.seeds),
            quartiles(|effort| effort.tests).to_string(),
            quartiles(|effort| effort.calls).to_string(),
        ]);
        programs.push((name, smallest(suite, arguments.limit)));
    }
    println!("### Default settings, but for at most {} tests\n\n{table}", arguments.limit);
    for (name, program) in programs {
        println!("{name}:\n\n```rust\n{program}\n```\n");
    }
    Ok(())
}

/// What it took to find a bug.
#[derive(Debug, Clone, Copy)]
struct Effort {
    tests: u64,
    calls: u64,
}

fn campaign(programs: &Programs, seed: u64, options: Options) -> Option<Box<Failed>> {
    let property = Property::new("sequences").seed(Seed(seed)).options(options);
    let failed = property.environment(Environment::none(Seed(seed))).run(programs).err()?;
    matches!(failed.reason, Reason::Refuted(_)).then_some(failed)
}

fn search(suite: fn() -> Suite, seed: u64, limit: u64) -> Option<Effort> {
    let programs = Programs::new(suite());
    let options = Options { cases: Some(limit), shrinks: Some(0), ..Options::default() };
    let failed = campaign(&programs, seed, options)?;
    Some(Effort { tests: failed.effort.passed + 1, calls: programs.calls() })
}

/// The program that one campaign prints.
fn smallest(suite: fn() -> Suite, limit: u64) -> String {
    let options = Options { cases: Some(limit), ..Options::default() };
    let Some(failed) = campaign(&Programs::new(suite()), 0, options) else {
        return "// not found".to_owned();
    };
    let lines: Vec<String> = failed.arguments.iter().map(ToString::to_string).collect();
    let Reason::Refuted(failure) = &failed.reason else { return lines.join("\n") };
    let message: Vec<String> = failure.message.lines().map(|line| format!("// {line}")).collect();
    format!("{}\n{}", lines.join("\n"), message.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_mistakes_of_the_sum_stack_are_found() {
        for (name, suite) in &SUBJECTS[..2] {
            let effort = search(*suite, 1, 1_000).expect(name);
            assert!(effort.calls >= effort.tests, "{name}: {effort:?}");
        }
    }
}
