//! The shrinking challenge: how often, and at what cost, does a peer end at the known minimum?
//!
//! The same seeds give the same tables: nothing here depends on time or on the machine.

pub mod bugnet;
mod expression;
mod heap;
#[cfg(feature = "hegel")]
mod hegel;
mod hypothesis;
mod outcome;
mod peer;
pub mod problem;
#[cfg(feature = "peers")]
mod proptest;
#[cfg(feature = "peers")]
mod quickcheck;
mod summary;
mod table;

use clap::{Args, ValueEnum};

use self::peer::Peer;
use self::problem::Problem;
use self::summary::Summary;
use self::table::{Column, Tables};

/// The peers and problems to measure.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Runs per peer and problem, with the seeds from 0 on
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Only this problem (may be repeated)
    #[arg(long, value_name = "NAME")]
    problem: Vec<Problem>,
    /// Only this peer (may be repeated)
    #[arg(long, value_name = "NAME")]
    peer: Vec<Peer>,
}

/// Measures, and prints the tables.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    let problems = chosen_or_all(arguments.problem);
    let peers = chosen_or_all(arguments.peer);
    let columns = peers.into_iter().map(|peer| measure(peer, &problems, arguments.seeds));
    let columns = columns.collect::<anyhow::Result<_>>()?;
    print!("{}", Tables { seeds: arguments.seeds, problems, columns });
    Ok(())
}

fn chosen_or_all<T: ValueEnum>(chosen: Vec<T>) -> Vec<T> {
    if chosen.is_empty() { T::value_variants().to_vec() } else { chosen }
}

fn measure(peer: Peer, problems: &[Problem], seeds: u64) -> anyhow::Result<Column> {
    let engine = match peer.engine() {
        Ok(engine) => engine,
        Err(missing) => {
            return Ok(Column { peer, summaries: Err(missing) });
        }
    };
    let mut summaries = Vec::new();
    for &problem in problems {
        eprintln!("{} on {}", peer.name(), problem.name());
        summaries.push(Summary::of(&engine.outcomes(problem, seeds)?));
    }
    Ok(Column { peer, summaries: Ok(summaries) })
}
