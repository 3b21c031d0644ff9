//! The outcome of all trials of a peer in a workload.

use super::task::{SearchTree, Task};
use super::trial::Peer;
use super::{bst, rbt};

/// A peer that missed a task with this many seeds will hardly find it with the others.
const GIVE_UP_AFTER: u64 = 3;

/// The program of ETNA that is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Workload {
    /// The binary search tree
    Bst,
    /// The red-black tree
    Rbt,
}

impl Workload {
    pub fn name(self) -> &'static str {
        match self {
            Workload::Bst => "BST",
            Workload::Rbt => "RBT",
        }
    }

    /// The tasks by name, in the order of [`measure`].
    pub fn task_names(self) -> Vec<String> {
        fn names<T: SearchTree>(tasks: Vec<Task<T>>) -> Vec<String> {
            let name = |t: &Task<T>| format!("{:?}, {}", t.mutant, t.property.name);
            tasks.iter().map(name).collect()
        }
        match self {
            Workload::Bst => names(bst::tasks()),
            Workload::Rbt => names(rbt::tasks()),
        }
    }
}

/// The outcome of a peer at one task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// Solved with every seed, in this many tests on average.
    Always(f64),
    Sometimes,
    Never,
}

impl Outcome {
    fn of(trials: &[Option<u64>]) -> Outcome {
        let found: Vec<u64> = trials.iter().copied().flatten().collect();
        match found.len() {
            0 => Outcome::Never,
            n if n == trials.len() => Outcome::Always(found.iter().sum::<u64>() as f64 / n as f64),
            _ => Outcome::Sometimes,
        }
    }

    /// The average number of tests if solved with every seed.
    pub fn tests(self) -> Option<f64> {
        match self {
            Outcome::Always(tests) => Some(tests),
            Outcome::Sometimes | Outcome::Never => None,
        }
    }
}

/// The number of trials, and their limits.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub seeds: u64,
    pub limit: u64,
}

/// The outcome of every task of the workload.
pub fn measure(peer: &Peer, workload: Workload, effort: Effort) -> Vec<Outcome> {
    match workload {
        Workload::Bst => outcomes(bst::tasks(), peer.bst, effort),
        Workload::Rbt => outcomes(rbt::tasks(), peer.rbt, effort),
    }
}

fn outcomes<T: SearchTree>(
    tasks: Vec<Task<T>>,
    search: fn(&Task<T>, u64, u64) -> Option<u64>,
    effort: Effort,
) -> Vec<Outcome> {
    let outcome = |task: &Task<T>| {
        let mut trials = Vec::new();
        for seed in 0..effort.seeds {
            if seed == GIVE_UP_AFTER && trials.iter().all(Option::is_none) {
                break;
            }
            trials.push(search(task, seed, effort.limit));
        }
        Outcome::of(&trials)
    };
    tasks.iter().map(outcome).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const EFFORT: Effort = Effort { seeds: 10, limit: 100 };

    #[test]
    fn task_missed_by_the_first_three_seeds_is_given_up() {
        let only_later_seeds = |_: &Task<bst::Tree>, seed, _| (seed >= 3).then_some(1);
        let outcomes = outcomes(bst::tasks(), only_later_seeds, EFFORT);
        assert!(outcomes.iter().all(|&outcome| outcome == Outcome::Never));
    }

    #[test]
    fn tests_are_averaged_only_if_every_seed_found_the_bug() {
        let seed_plus_one = |_: &Task<bst::Tree>, seed, _| Some(seed + 1);
        assert_eq!(outcomes(bst::tasks(), seed_plus_one, EFFORT)[0], Outcome::Always(5.5));
        let not_the_last = |_: &Task<bst::Tree>, seed, _| (seed < 9).then_some(1);
        assert_eq!(outcomes(bst::tasks(), not_the_last, EFFORT)[0], Outcome::Sometimes);
    }
}
