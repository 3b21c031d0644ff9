//! The file system of the swarm paper's section 2.1: 64 files opened and none closed crash it.
//!
//! Tests have 512 calls of nine operations. With all of them, `close` undoes what `open` does; a
//! configuration that has `open` and not `close` overflows the table of descriptors if it makes
//! enough of its calls to `open`. The first table is what the paper argues about, by configuration;
//! the second runs the same machine in the engine.

use bugnet::campaign::{Environment, Options, WantedBugs};
use bugnet::oracle::Verdict;
use bugnet::prelude::*;
use bugnet::program::{Access, Frame, Kind, Mode, Operation, Parameter, Programs, Role, Suite};
use bugnet::swarm::Scheme;

use crate::quantile::Quartiles;
use crate::random::SplitMix64;
use crate::rate::Rate;
use crate::throughput::table::Table;
use crate::trace::{Ended, ended};

/// The features of the paper's example; mounting is left out as the paper does.
const CALLS: [&str; 9] = ["open", "close", "read", "write", "unlink", "sync", "mkdir", "rmdir", "stat"];
const OPEN: usize = 0;
const CLOSE: usize = 1;
/// The calls of a test.
const LENGTH: usize = 512;
/// The open that crashes the file system.
const CRASH: u32 = 64;

/// The size of the measurement.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Tests of each kind of configuration
    #[arg(long, default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    tests: u64,
    /// Campaigns of the engine, with the seeds from 0 on
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
}

/// Counts, and prints the tables.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut table = Table::new(["tests of 512 calls", "tests that crash (95% interval)"]);
    for configurations in Configurations::ALL {
        let rate = configurations.count(arguments.tests);
        table.push(vec![configurations.name().to_owned(), rate.percent()]);
    }
    println!("### 64 opens without a close, by configuration\n\n{table}");
    let mut table = Table::new(["campaign", "tests to the crash, median (quartiles)"]);
    for text in ["all", "coin", "mix"] {
        let scheme: Scheme = text.parse().expect("the schemes are written correctly");
        let outcomes: Vec<Option<u64>> =
            (0..arguments.seeds).map(|seed| tests_to_crash(scheme, seed)).collect();
        let name = if scheme == Scheme::default() { format!("{text} (default)") } else { text.to_owned() };
        table.push(vec![name, Quartiles::of(&outcomes).to_string()]);
    }
    println!("### The engine, {} seeds of at most {CASES} tests\n\n{table}", arguments.seeds);
    Ok(())
}

/// The configurations of the tests.
#[derive(Debug, Clone, Copy)]
enum Configurations {
    /// Every operation.
    All,
    /// Open and not close, and at least one other operation left out; fair coins otherwise.
    Right,
    /// The same, by how many operations are in.
    RightOf(usize),
    /// A fair coin for each operation.
    Coins,
}

impl Configurations {
    const ALL: [Configurations; 8] = [
        Configurations::All,
        Configurations::Right,
        Configurations::RightOf(4),
        Configurations::RightOf(5),
        Configurations::RightOf(6),
        Configurations::RightOf(7),
        Configurations::RightOf(8),
        Configurations::Coins,
    ];

    fn name(self) -> &'static str {
        match self {
            Configurations::All => "all features",
            Configurations::Right => "open, neither close nor at least one other",
            Configurations::RightOf(4) => "– of these, 4 of 9 features",
            Configurations::RightOf(5) => "– 5 of 9",
            Configurations::RightOf(6) => "– 6 of 9",
            Configurations::RightOf(7) => "– 7 of 9",
            Configurations::RightOf(_) => "open and all but close",
            Configurations::Coins => "coin for each feature",
        }
    }

    /// Returns true if tests of a configuration, one bit for each operation, are counted.
    fn has(self, on: u32) -> bool {
        let count = on.count_ones() as usize;
        let leaks = on >> OPEN & 1 == 1 && on >> CLOSE & 1 == 0;
        match self {
            Configurations::All => count == CALLS.len(),
            Configurations::Right => leaks && count <= CALLS.len() - 2,
            Configurations::RightOf(calls) => leaks && count == calls,
            Configurations::Coins => on > 0,
        }
    }

    fn count(self, tests: u64) -> Rate {
        let mut random = SplitMix64(0x5EED);
        let fitting: Vec<u32> = (0..1 << CALLS.len()).filter(|on| self.has(*on)).collect();
        let mut rate = Rate::default();
        for _ in 0..tests {
            let on = fitting[random.below(fitting.len() as u64) as usize];
            rate.count(crashes(on, &mut random));
        }
        rate
    }
}

/// Returns true if a random test of a configuration crashes the file system.
fn crashes(on: u32, random: &mut SplitMix64) -> bool {
    let calls: Vec<usize> = (0..CALLS.len()).filter(|call| on >> call & 1 == 1).collect();
    let mut files = Files::default();
    (0..LENGTH).any(|_| files.call(calls[random.below(calls.len() as u64) as usize]))
}

/// A table of open files.
#[derive(Debug, Clone, Default)]
struct Files {
    open: u32,
}

impl Files {
    /// Makes a call; whether it crashes.
    fn call(&mut self, call: usize) -> bool {
        match call {
            OPEN => self.open += 1,
            CLOSE => self.open = self.open.saturating_sub(1),
            _ => {}
        }
        self.open >= CRASH
    }
}

/// The most tests of a campaign.
const CASES: u64 = 1_000;

/// The number of the test that crashes the file system in a campaign.
fn tests_to_crash(scheme: Scheme, seed: u64) -> Option<u64> {
    campaign(scheme, Environment::none(Seed(seed))).0.err().map(|failed| failed.effort().passed + 1)
}

/// The campaign itself.
pub fn campaign(scheme: Scheme, environment: Environment) -> Ended {
    let programs = Programs::new(suite());
    let options =
        Options { steps: Some(LENGTH), swarm: Some(scheme), shrinks: Some(0), ..Options::default() };
    let property = Property::new("files").bugs(WantedBugs::FIRST).cases(CASES).seed(environment.fresh);
    ended(property.options(options).environment(environment).run(&programs))
}

fn call<const CALL: usize>(frame: &mut Frame<'_>) -> Verdict {
    assert!(!frame.mutable::<Files>(0).call(CALL), "the table of descriptors is full");
    Verdict::Pass
}

fn suite() -> Suite {
    let files = Kind::of::<Files>("Files");
    let bodies =
        [call::<0>, call::<1>, call::<2>, call::<3>, call::<4>, call::<5>, call::<6>, call::<7>, call::<8>];
    let setup = Operation::new("format", "Files::format()", |frame| frame.keep(Files::default()))
        .returns(files, Access::Owned)
        .role(Role::Setup);
    let operation = |(name, body): (&'static str, fn(&mut Frame<'_>) -> Verdict)| {
        Operation::new(name, "_", body).parameter(Parameter::earlier("self", files, Mode::Mutable))
    };
    Suite::machine("Files").operation(setup).operations(CALLS.into_iter().zip(bodies).map(operation)).build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurations_are_those_of_their_names() {
        assert!(Configurations::Right.has(0b0_0000_0101) && !Configurations::Right.has(0b0_0000_0111));
        assert!(!Configurations::Right.has(0b1_1111_1101), "nothing but close is left out");
        assert!(Configurations::RightOf(8).has(0b1_1111_1101));
    }

    #[test]
    fn all_features_never_crash_and_opens_alone_always_do() {
        assert_eq!(Configurations::All.count(1_000).hits, 0);
        assert!(crashes(1 << OPEN, &mut SplitMix64(1)));
    }

    #[test]
    fn campaign_with_defaults_finds_the_crash() {
        assert!(tests_to_crash(Scheme::default(), 1).is_some());
    }
}
