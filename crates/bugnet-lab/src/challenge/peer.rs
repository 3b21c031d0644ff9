//! The libraries that are compared, and what is missing where one cannot be measured.

use clap::ValueEnum;

use super::hypothesis;
use super::outcome::Outcome;
use super::problem::Problem;

/// Test cases that a peer may spend to find a first failure. Far more than the default of any of them, because the
/// challenge is about shrinking and begins only there.
pub const CASES: u64 = 100_000;

/// A library that takes the challenge: a column of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Peer {
    Bugnet,
    BugnetRandom,
    Hypothesis,
    Hegel,
    Proptest,
    Quickcheck,
}

/// The program that runs a peer.
#[derive(Clone, Copy, Debug)]
pub enum Engine {
    /// A function of this process: one run with one seed.
    Native(fn(Problem, u64) -> Outcome),
    /// A Python process, which makes all runs on a problem in one go because it starts slowly.
    Python,
}

/// The reason why a peer has no figures, with the remedy.
#[derive(Clone, Copy, Debug)]
pub struct Missing(pub &'static str);

impl Peer {
    pub fn name(self) -> String {
        let value = self.to_possible_value().expect("no peer is hidden");
        value.get_name().to_owned()
    }

    pub fn engine(self) -> Result<Engine, Missing> {
        match self {
            Peer::Bugnet => Ok(Engine::Native(super::bugnet::run)),
            Peer::BugnetRandom => Ok(Engine::Native(super::bugnet::run_random)),

            Peer::Hypothesis if hypothesis::is_installed() => Ok(Engine::Python),
            Peer::Hypothesis => Err(Missing("install it with `pip install hypothesis`")),

            #[cfg(feature = "hegel")]
            Peer::Hegel => Ok(Engine::Native(super::hegel::run)),
            #[cfg(not(feature = "hegel"))]
            Peer::Hegel => Err(Missing("build with `--features hegel`")),

            #[cfg(feature = "peers")]
            Peer::Proptest => Ok(Engine::Native(super::proptest::run)),
            #[cfg(feature = "peers")]
            Peer::Quickcheck => Ok(Engine::Native(super::quickcheck::run)),
            #[cfg(not(feature = "peers"))]
            Peer::Proptest | Peer::Quickcheck => Err(Missing("build with `--features peers`")),
        }
    }
}

impl Engine {
    /// The outcomes for the seeds below `seeds`, in their order.
    pub fn outcomes(self, problem: Problem, seeds: u64) -> anyhow::Result<Vec<Outcome>> {
        match self {
            Engine::Native(run) => Ok((0..seeds).map(|seed| run(problem, seed)).collect()),
            Engine::Python => hypothesis::run(problem, seeds),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn native() -> impl Iterator<Item = (Peer, fn(Problem, u64) -> Outcome)> {
        let peers = Peer::value_variants().iter();
        peers.filter_map(|&peer| match peer.engine() {
            Ok(Engine::Native(run)) => Some((peer, run)),
            Ok(Engine::Python) | Err(Missing(_)) => None,
        })
    }

    #[test]
    fn every_native_peer_solves_the_easiest_problem() {
        for (peer, run) in native() {
            let outcome = run(Problem::Reverse, 0);
            assert!(outcome.found && outcome.minimal, "{peer:?}: {outcome:?}");
            assert!(outcome.evaluations_after_first_failure > 0, "{peer:?}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_outcome() {
        for (peer, run) in native() {
            assert_eq!(run(Problem::Coupling, 7), run(Problem::Coupling, 7), "{peer:?}");
        }
    }
}
