//! `matcher`: what it costs to build programs that avoid what is known, beside programs that avoid
//! nothing.
//!
//! The programs have [`LENGTH`] calls of a machine of [`files`], whose operations do next to nothing. The
//! patterns are drawn once and for all. Nothing ever fails: what is counted is building and no more.

mod files;

use crate::random::SplitMix64;
use crate::throughput::executable::{Executable, Profile};
use crate::throughput::measurement::Subject;
use crate::throughput::table::{Table, number};
use crate::throughput::{cachegrind, case};
use anyhow::Context;
use bugnet::bug::Pattern;
use bugnet::campaign::{Environment, Options, WantedBugs};
use bugnet::prelude::*;
use bugnet::program::{Programs, Suite};
use files::Machine;

/// The calls of a program, but for the one that sets up the machine.
const LENGTH: usize = 100;

/// The numbers of known patterns, one for each row.
const KNOWN: [usize; 4] = [0, 1, 10, 50];

/// The order to `matcher-case`.
#[derive(Debug, clap::Args)]
pub struct Case {
    machine: Machine,
    /// The number of known patterns
    known: usize,
    programs: u64,
}

impl Case {
    pub fn run(&self) -> anyhow::Result<()> {
        let suite = self.machine.suite();
        let patterns = patterns(&suite, self.machine.operations(), self.known)?;
        let programs = Programs::new(suite).avoiding(patterns);
        let options = Options { steps: Some(LENGTH), cases: Some(self.programs), ..Options::default() };
        let outcome = Property::new("matcher")
            .environment(Environment::none(Seed(0x5EED)))
            .seed(Seed(0x5EED))
            .strategies(Strategies::Random)
            .bugs(WantedBugs::FIRST)
            .options(options)
            .run(&programs);
        outcome.expect("nothing can fail");
        case::report();
        Ok(())
    }
}

/// Patterns of two to four calls of one file, most of which have to name the same block if they name one.
/// The first argument of a call is the machine.
fn patterns(suite: &Suite, operations: &[(&str, bool)], count: usize) -> anyhow::Result<Vec<Pattern>> {
    let mut random = SplitMix64(0x5EED);
    let mut pattern = |_| {
        let mut text = "?0 = open(_)".to_owned();
        for _ in 0..2 + random.below(3) {
            let (name, has_block) = operations[random.below(operations.len() as u64) as usize];
            let block = match random.below(4) {
                _ if !has_block => "",
                0 => "_, ",
                _ => "?1, ",
            };
            text += &format!("; {name}(_, {block}?0)");
        }
        Pattern::read(&text, suite).with_context(|| format!("not a pattern: {text}"))
    };
    (0..count).map(&mut pattern).collect()
}

/// Measures, and prints the table.
pub fn run() -> anyhow::Result<()> {
    cachegrind::require()?;
    let executable = Executable::build(Profile::Release)?;
    let headings = ["operations", "known patterns", "calls", "instructions per call", "times as much"];
    let mut table = Table::new(headings);
    for machine in Machine::ALL {
        let mut floor = None;
        for known in KNOWN {
            eprintln!("measuring {known} known patterns, {} operations", machine.name());
            let arguments = ["matcher-case", machine.name(), &known.to_string()].map(str::to_owned).to_vec();
            let cost = Subject { executable: &executable, arguments }.count()?;
            let cost = cost.context("programs cannot be counted")?;
            let floor = *floor.get_or_insert(cost.cost_per_element());
            table.push(vec![
                (machine.operations().len() + 1).to_string(),
                known.to_string(),
                number(cost.elements_per_case),
                number(cost.cost_per_element()),
                number(cost.cost_per_element() / floor),
            ]);
        }
    }
    print!("{table}");
    Ok(())
}
