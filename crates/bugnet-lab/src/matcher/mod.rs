//! `matcher`: what it costs to build programs that avoid what is known, beside programs that avoid
//! nothing.
//!
//! The programs have [`LENGTH`] calls of the [`files`] machine, whose operations do next to nothing. The
//! patterns are drawn once and for all. Nothing ever fails: what is counted is building and no more.

mod files;

use crate::random::SplitMix64;
use crate::throughput::executable::{Executable, Profile};
use crate::throughput::measurement::{Measurement, Subject};
use crate::throughput::table::{Table, grouped, number};
use crate::throughput::{cachegrind, case};
use anyhow::Context;
use bugnet::bug::Pattern;
use bugnet::campaign::{Environment, Options, Wanted};
use bugnet::prelude::*;
use bugnet::program::{Api, Programs, Suite};
use files::{FilesTest, OPERATIONS};

/// The calls of a program, but for the one that sets up the machine.
const LENGTH: usize = 100;

/// How many patterns the rows know.
const KNOWN: [usize; 4] = [0, 1, 10, 50];

/// What `matcher-case` is asked to run.
#[derive(Debug, clap::Args)]
pub struct Case {
    /// How many patterns are known
    known: usize,
    programs: u64,
}

impl Case {
    pub fn run(&self) -> anyhow::Result<()> {
        let suite = FilesTest::suite();
        let patterns = patterns(&suite, self.known)?;
        let programs = Programs::new(suite);
        programs.know(patterns, false);
        let options = Options { steps: Some(LENGTH), cases: Some(self.programs), ..Options::default() };
        let outcome = Property::new("matcher")
            .environment(Environment::none(Seed(0x5EED)))
            .seed(Seed(0x5EED))
            .strategies(Strategies::Random)
            .bugs(Wanted::FIRST)
            .options(options)
            .run(&programs);
        outcome.expect("nothing can fail");
        case::report();
        Ok(())
    }
}

/// Patterns of two to four calls of one file, most of which have to name the same block if they name one.
/// The first argument of a call is the machine.
fn patterns(suite: &Suite, count: usize) -> anyhow::Result<Vec<Pattern>> {
    let mut random = SplitMix64(0x5EED);
    let mut pattern = |_| {
        let mut text = "?0 = open(_)".to_owned();
        for _ in 0..2 + random.below(3) {
            let (name, has_block) = OPERATIONS[random.below(OPERATIONS.len() as u64) as usize];
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
    let headings =
        ["known patterns", "calls per program", "instructions per program", "per call", "times as much"];
    let mut table = Table::new(headings);
    let mut floor = None;
    for known in KNOWN {
        eprintln!("measuring {known} known patterns");
        let arguments = vec!["matcher-case".to_owned(), known.to_string()];
        let Measurement { instructions, .. } = Subject { executable: &executable, arguments }.measure()?;
        let cost = instructions.context("programs cannot be counted")?;
        let floor = *floor.get_or_insert(cost.cost_per_element());
        table.push(vec![
            known.to_string(),
            number(cost.elements_per_case),
            grouped(cost.cost_per_case as u64),
            number(cost.cost_per_element()),
            number(cost.cost_per_element() / floor),
        ]);
    }
    print!("{table}");
    Ok(())
}
