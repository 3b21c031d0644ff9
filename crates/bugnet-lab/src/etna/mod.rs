//! ETNA: how many tests each peer needs to find a known bug.
//!
//! ETNA (Shi et al., "Etna: An Evaluation Platform for Property-Based Testing", ICFP 2023) is a
//! set of workloads, each with mutants and properties. Two are re-created here, from its
//! definitions and with code of our own. Peers follow the type of the inputs, with keys from the
//! full range of their own `i32`; a tree that is not a search tree is discarded.

pub mod bst;
pub mod bugnet;
#[cfg(test)]
mod exhaustion;
#[cfg(feature = "hegel")]
mod hegel;
mod law;
mod outcome;
#[cfg(feature = "peers")]
mod proptest;
#[cfg(feature = "peers")]
mod quickcheck;
pub mod rbt;
mod report;
pub mod task;
mod trial;
mod union_law;

use anyhow::ensure;

use outcome::{Effort, Workload, measure};
use report::{Column, Detail, Report};
use trial::Peer;

/// The deepest tree a peer may make; a leaf has depth 0.
#[cfg(any(feature = "peers", feature = "hegel"))]
const DEPTH: u32 = 6;

/// The largest tree a peer may make, where it can be told.
#[cfg(any(feature = "peers", feature = "hegel"))]
const NODES: u32 = 32;

/// The `etna` subcommand.
#[derive(clap::Args, Debug)]
pub struct Etna {
    /// Trials of each task
    #[arg(long, default_value_t = 10)]
    seeds: u64,
    /// Tests after which a trial has failed, discarded ones included
    #[arg(long, default_value_t = 60_000)]
    limit: u64,
    /// Only this peer (can be repeated)
    #[arg(long)]
    peer: Vec<String>,
    /// Only this workload
    #[arg(long)]
    workload: Option<Workload>,
    /// Also list every task
    #[arg(long)]
    each_task: bool,
}

impl Etna {
    pub fn run(&self) -> anyhow::Result<()> {
        let effort = Effort { seeds: self.seeds, limit: self.limit };
        let mut columns = Vec::new();
        for peer in self.peers()? {
            for workload in self.workloads() {
                eprintln!("{}: {}", peer.name, workload.name());
                columns.push(Column {
                    peer: peer.name,
                    workload,
                    outcomes: measure(&peer, workload, effort),
                });
            }
        }
        let detail = match self.each_task {
            true => Detail::EachTask,
            false => Detail::Summary,
        };
        print!("{}", Report { columns, detail });
        Ok(())
    }

    fn peers(&self) -> anyhow::Result<Vec<Peer>> {
        let mut peers = peers();
        let is_known = |name: &&String| peers.iter().any(|peer| peer.name == **name);
        if let Some(unknown) = self.peer.iter().find(|name| !is_known(name)) {
            let known: Vec<&str> = peers.iter().map(|peer| peer.name).collect();
            anyhow::bail!(
                "no peer is called {unknown}; known are {known:?} \
                 (others need --features peers,hegel)"
            );
        }
        peers.retain(|peer| self.peer.is_empty() || self.peer.iter().any(|n| n == peer.name));
        ensure!(!peers.is_empty(), "nothing to measure: build with --features peers,hegel");
        Ok(peers)
    }

    fn workloads(&self) -> Vec<Workload> {
        match self.workload {
            Some(workload) => vec![workload],
            None => vec![Workload::Bst, Workload::Rbt],
        }
    }
}

fn peers() -> Vec<Peer> {
    vec![
        bugnet::peer(),
        #[cfg(feature = "peers")]
        quickcheck::peer(),
        #[cfg(feature = "peers")]
        proptest::peer(),
        #[cfg(feature = "hegel")]
        hegel::peer(),
    ]
}

#[cfg(all(test, any(feature = "peers", feature = "hegel")))]
mod tests {
    use super::*;

    #[test]
    fn every_peer_finds_an_easy_bug_and_repeats_itself_with_the_same_seed() {
        for peer in peers() {
            let search = |seed| {
                let bst = (peer.bst)(&bst::tasks()[1], seed, 10_000);
                let rbt = (peer.rbt)(&rbt::tasks()[1], seed, 10_000);
                (bst, rbt)
            };
            assert!(matches!(search(0), (Some(_), Some(_))), "{}", peer.name);
            assert_eq!(search(0), search(0), "{}", peer.name);
            let results: Vec<_> = (0..5).map(search).collect();
            assert!(results.iter().any(|&r| r != results[0]), "{}", peer.name);
        }
    }
}
