//! The stack of the swarm paper: 32 elements fit, and the 33rd push is the bug.
//!
//! Groce et al. ("Swarm Testing", ISSTA 2012, section 1) say that uniform tests overflow it once in
//! about 370,000 tests and swarm tests once in about 16, but not how long their tests are. The law
//! that gives both figures is the half-normal one: `floor|N(0, 25)|`. The first table computes both
//! figures from the law and then counts them; the second is the campaign that users get.

use bugnet::campaign::{Environment, WantedBugs};
use bugnet::oracle::Verdict;
use bugnet::prelude::*;
use bugnet::program::{Access, Frame, Kind, Mode, Operation, Parameter, Programs, Role, Suite};

use crate::quantile::Quartiles;
use crate::random::SplitMix64;
use crate::rate::{Rate, tests};
use crate::throughput::table::Table;
use crate::trace::{Ended, ended};

/// Elements that fit on the stack.
const CAPACITY: usize = 32;
/// The deviation of the normal distribution behind the lengths.
const DEVIATION: f64 = 25.0;
/// No test is longer, but for one in 10^15.
const LONGEST: usize = 200;

/// The size of the measurement.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Uniform tests, which hardly ever overflow the stack
    #[arg(long, default_value_t = 100_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    uniform: u64,
    /// Swarm tests
    #[arg(long, default_value_t = 20_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    swarm: u64,
    /// Campaigns of the engine, with the seeds from 0 on
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
}

/// Counts, and prints the tables.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut table = Table::new(["tests of half-normal length, deviation 25", "computed", "counted", "agree"]);
    for (scheme, count) in [(Scheme::Uniform, arguments.uniform), (Scheme::Swarm, arguments.swarm)] {
        let (computed, counted) = (scheme.computed(), scheme.counted(count));
        let agree = if counted.agrees_with(computed) { "yes" } else { "no" };
        table.push(vec![
            scheme.name().to_owned(),
            format!("1 in {}", tests(computed)),
            counted.to_string(),
            agree.to_owned(),
        ]);
    }
    println!("### Tests to one overflow (95% intervals)\n\n{table}");
    let outcomes: Vec<Option<u64>> = (0..arguments.seeds).map(tests_to_overflow).collect();
    let mut table = Table::new(["campaign with default settings", "tests to the overflow"]);
    table.push(vec![format!("{} seeds", arguments.seeds), Quartiles::of(&outcomes).to_string()]);
    println!("### The engine: median (quartiles)\n\n{table}");
    Ok(())
}

/// The tests that are drawn.
#[derive(Debug, Clone, Copy)]
enum Scheme {
    /// Push and pop are equally likely.
    Uniform,
    /// A third of the tests only push and a third only pop.
    Swarm,
}

impl Scheme {
    fn name(self) -> &'static str {
        match self {
            Scheme::Uniform => "uniform: both calls, 50:50",
            Scheme::Swarm => "swarm: both, push only or pop only",
        }
    }

    /// The probability that a test overflows the stack, by dynamic programming.
    fn computed(self) -> f64 {
        let both: f64 = (0..=LONGEST).zip(first_overflows()).map(|(call, p)| p * at_least(call)).sum();
        match self {
            Scheme::Uniform => both,
            Scheme::Swarm => (both + at_least(CAPACITY + 1)) / 3.0,
        }
    }

    /// Draws tests and counts those that overflow the stack.
    fn counted(self, tests: u64) -> Rate {
        let mut random = SplitMix64(0x5EED);
        let mut rate = Rate::default();
        for _ in 0..tests {
            let length = random.normal(DEVIATION).abs() as usize;
            let overflows = match self {
                Scheme::Uniform => walks_over(&mut random, length),
                Scheme::Swarm => match random.below(3) {
                    0 => walks_over(&mut random, length),
                    1 => length > CAPACITY,
                    _ => false,
                },
            };
            rate.count(overflows);
        }
        rate
    }
}

/// Returns true if this many random calls overflow the stack.
fn walks_over(random: &mut SplitMix64, length: usize) -> bool {
    let (mut depth, mut bits) = (0usize, 0);
    for call in 0..length {
        if call % 64 == 0 {
            bits = random.next();
        }
        depth = if bits & 1 == 1 { depth + 1 } else { depth.saturating_sub(1) };
        if depth > CAPACITY {
            return true;
        }
        bits >>= 1;
    }
    false
}

/// The probability that the stack overflows first at each call, pushes and pops being equally likely.
fn first_overflows() -> Vec<f64> {
    let mut depths = [0.0; CAPACITY + 1];
    depths[0] = 1.0;
    let mut overflows = vec![0.0];
    for _ in 0..LONGEST {
        let mut next = [0.0; CAPACITY + 1];
        for (depth, p) in depths.iter().enumerate() {
            next[depth.saturating_sub(1)] += p / 2.0;
            if depth < CAPACITY {
                next[depth + 1] += p / 2.0;
            }
        }
        overflows.push(depths[CAPACITY] / 2.0);
        depths = next;
    }
    overflows
}

/// The probability that a test has at least this many calls: both tails of the normal distribution.
fn at_least(calls: usize) -> f64 {
    const PIECES: u32 = 20_000;
    let density =
        |x: f64| (-x * x / (2.0 * DEVIATION * DEVIATION)).exp() / (DEVIATION * std::f64::consts::TAU.sqrt());
    let (from, to) = (calls as f64, 12.0 * DEVIATION);
    let piece = (to - from).max(0.0) / f64::from(PIECES);
    let middle = |place: u32| from + (f64::from(place) + 0.5) * piece;
    2.0 * piece * (0..PIECES).map(|place| density(middle(place))).sum::<f64>()
}

/// The number of the test that overflowed the stack in a campaign with default settings.
fn tests_to_overflow(seed: u64) -> Option<u64> {
    campaign(Environment::none(Seed(seed))).0.err().map(|failed| failed.effort().passed + 1)
}

/// The campaign itself.
pub fn campaign(environment: Environment) -> Ended {
    let programs = Programs::new(suite());
    let property = Property::new("stack").seed(environment.fresh).bugs(WantedBugs::FIRST);
    ended(property.environment(environment).run(&programs))
}

struct Stack(Vec<u8>);

fn suite() -> Suite {
    let stack = Kind::of::<Stack>("Stack");
    let own = || Parameter::earlier("self", stack, Mode::Mutable);
    Suite::machine("Stack")
        .operations([
            Operation::new("new", "Stack::new()", |frame| frame.keep(Stack(Vec::new())))
                .returns(stack, Access::Owned)
                .role(Role::Setup),
            Operation::new("push", "{0}.push()", |frame: &mut Frame<'_>| {
                let stack = frame.mutable::<Stack>(0);
                stack.0.push(0);
                assert!(stack.0.len() <= CAPACITY, "the stack is full");
                Verdict::Pass
            })
            .parameter(own()),
            Operation::new("pop", "{0}.pop()", |frame: &mut Frame<'_>| {
                frame.mutable::<Stack>(0).0.pop();
                Verdict::Pass
            })
            .parameter(own()),
        ])
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_law_gives_the_figures_it_was_chosen_for() {
        assert_eq!((1.0 / Scheme::Uniform.computed()).round(), 466_494.0);
        assert_eq!((100.0 / Scheme::Swarm.computed()).round(), 1_606.0);
    }

    #[test]
    fn swarm_tests_overflow_as_often_as_computed() {
        assert!(Scheme::Swarm.counted(100_000).agrees_with(Scheme::Swarm.computed()));
    }

    #[test]
    fn campaign_finds_the_overflow() {
        assert!(tests_to_overflow(0).is_some());
    }
}
