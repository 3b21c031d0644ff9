//! A published collection with mistakes: which swarm schemes kill its mutants.
//!
//! As in the swarm paper's table 7, tests have ten calls. The data flow: [`mutation`]s of the source
//! of a published tree are compiled in a [`scratch`] crate with a driver, which tests each of them
//! against a `BTreeMap` in a process of its own.

mod mutation;
mod scratch;

use std::time::Duration;

use scratch::{COLLECTION, Driver, Ending};

use crate::throughput::table::{Table, grouped};

/// The size of the measurement.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Tests of each mutant and scheme
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    tests: u64,
    /// The most mutants
    #[arg(long, default_value_t = 150)]
    mutants: usize,
    /// Seconds after which a run has hung, which kills the mutant
    #[arg(long, default_value_t = 5)]
    patience: u64,
}

/// The rows, as the driver takes them.
const SCHEMES: [&str; 7] = ["coin", "set:10", "set:20", "covering:2", "covering:3", "all", "default"];

/// Builds, runs, and prints the table.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let driver = Driver::build(arguments.mutants)?;
    let patience = Duration::from_secs(arguments.patience);
    let numbers: Vec<String> = driver.mutants.iter().skip(1).map(|(number, _)| number.to_string()).collect();
    let mut table = Table::new(["configurations", "mutants killed", "different trees"]);
    let mut killers = vec![0; numbers.len()];
    for scheme in SCHEMES {
        eprintln!("{scheme}");
        let original = driver.run("0", scheme, arguments.tests, patience)?;
        anyhow::ensure!(original != Ending::Killed, "the original fails under {scheme}");
        let mut killed = 0;
        for (number, killers) in numbers.iter().zip(&mut killers) {
            let dies = driver.run(number, scheme, arguments.tests, patience)? == Ending::Killed;
            killed += u64::from(dies);
            *killers += usize::from(dies);
        }
        let states = match driver.run("states", scheme, arguments.tests, patience * 10)? {
            Ending::Survived { output } => output.parse().map_or("-".to_owned(), grouped),
            Ending::Killed => "-".to_owned(),
        };
        let name = if scheme == "default" { "default campaign" } else { scheme };
        table.push(vec![name.to_owned(), format!("{killed} of {}", numbers.len()), states]);
    }
    println!("### {COLLECTION}, {} tests of ten calls for each mutant\n\n{table}", grouped(arguments.tests));
    println!("{} mutants do not compile.", driver.stillborn);
    for ((_, mutant), killers) in driver.mutants.iter().skip(1).zip(killers) {
        if (1..SCHEMES.len()).contains(&killers) {
            let text = if mutant.text.is_empty() { "(left out)" } else { mutant.text.trim() };
            println!("Killed by {killers} of {}: line {}: `{text}`", SCHEMES.len(), mutant.line);
        }
    }
    Ok(())
}
