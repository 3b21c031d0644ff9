//! The cost of a call of a program beyond the call itself.
//!
//! Every contender runs programs of [`LENGTH`] calls of the eight operations of a [`counter`], each
//! picked at random and some with a random number. What the loop written by hand needs for that is
//! what the calls and their random numbers cost; what others need more is the cost of the library.

mod bugnet;
mod counter;
#[cfg(feature = "hegel")]
mod hegel;
mod plain_loop;

use anyhow::{Context, bail};

use crate::throughput::executable::{Executable, Profile};
use crate::throughput::measurement::{Measurement, Subject};
use crate::throughput::table::{Table, number};
use crate::throughput::{cachegrind, case};

/// The calls of a program.
pub const LENGTH: usize = 50;

/// Who is measured.
#[derive(Debug, Clone, Copy)]
struct Contender {
    name: &'static str,
    /// Runs this many programs.
    run: fn(u64),
}

/// The rows; the floor comes first.
const CONTENDERS: &[Contender] = &[
    Contender { name: "loop", run: plain_loop::run },
    Contender { name: "bugnet", run: bugnet::run },
    #[cfg(feature = "hegel")]
    Contender { name: "hegel", run: hegel::run },
];

/// The order to `calls-case`.
#[derive(Debug, clap::Args)]
pub struct Case {
    contender: String,
    cases: u64,
}

impl Case {
    pub fn run(&self) -> anyhow::Result<()> {
        let Some(contender) = CONTENDERS.iter().find(|contender| contender.name == self.contender) else {
            bail!("no contender `{}` in this build; try --features hegel", self.contender);
        };
        (contender.run)(self.cases);
        case::report();
        Ok(())
    }
}

/// Measures, and prints the table.
pub fn run() -> anyhow::Result<()> {
    cachegrind::require()?;
    let executable = Executable::build(Profile::Release)?;
    let mut table = Table::new([
        "contender",
        "calls per program",
        "instructions per call",
        "beyond the loop",
        "nanoseconds per call",
    ]);
    let mut floor = None;
    for Contender { name, .. } in CONTENDERS {
        eprintln!("measuring {name}");
        let arguments = vec!["calls-case".to_owned(), (*name).to_owned()];
        let measured = Subject { executable: &executable, arguments }.measure()?;
        let Measurement { instructions, nanoseconds } = measured;
        let instructions = instructions.map(|marginal| marginal.cost_per_element());
        let floor = *floor.get_or_insert(instructions.context("the loop cannot be counted")?);
        table.push(vec![
            (*name).to_owned(),
            number(nanoseconds.elements_per_case),
            instructions.map_or("-".to_owned(), number),
            instructions.map_or("-".to_owned(), |count| number(count - floor)),
            number(nanoseconds.cost_per_element()),
        ]);
    }
    println!("### A call of a program of {LENGTH} calls, in release\n\n{table}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::throughput::tally::Tally;

    #[test]
    fn every_contender_makes_as_many_calls_as_programs_have() {
        // The tally is one for the process, and tests run beside each other.
        let before = Tally::so_far();
        for Contender { name, run } in CONTENDERS {
            run(100);
            assert!(Tally::so_far().elements > before.elements, "{name}");
        }
    }
}
