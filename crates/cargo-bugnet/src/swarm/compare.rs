//! Comparing schemes: they take turns with equal processor time or equal tests, and what each finds is counted.
//!
//! This is table 4 of the swarm paper. The significance is that of an exact permutation test over blocks: under the
//! hypothesis that two schemes find equally much, the sign of the difference in each block is a coin toss.
//!
//! **Invariant:** all schemes get the same in every block, and the order of their turns rotates.

use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The most blocks whose signs are all enumerated.
pub(crate) const MOST_BLOCKS: u32 = 20;

/// The failures that each scheme has found, and how the schemes differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Comparison {
    pub(crate) arms: Vec<Arm>,
    /// Distinct failures that every scheme has found.
    pub(crate) in_all: usize,
    /// Distinct failures that some scheme has found.
    pub(crate) in_any: usize,
    /// Each scheme against the first one.
    pub(crate) differences: Vec<Difference>,
}

/// The failures that one scheme has found.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Arm {
    pub(crate) scheme: String,
    pub(crate) tests: u64,
    pub(crate) failing_tests: u64,
    pub(crate) processor_seconds: f64,
    /// The signatures of its distinct failures.
    pub(crate) failures: BTreeSet<String>,
    /// Distinct failures of each target.
    pub(crate) by_target: BTreeMap<String, BTreeSet<String>>,
    /// The signatures of each block.
    pub(crate) blocks: Vec<BTreeSet<String>>,
}

/// The number of failures that a scheme finds in a block beyond those of the first scheme.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Difference {
    pub(crate) scheme: String,
    pub(crate) against: String,
    /// The mean over blocks.
    pub(crate) mean: f64,
    /// The probability of a mean at least as far from zero by chance.
    pub(crate) p: f64,
}

impl Arm {
    /// Takes other names for failures: those that turned out to be one have one name.
    pub(crate) fn rename(&mut self, names: &BTreeMap<String, String>) {
        let renamed = |all: &BTreeSet<String>| -> BTreeSet<String> {
            all.iter().map(|name| names.get(name).unwrap_or(name).clone()).collect()
        };
        self.failures = renamed(&self.failures);
        self.by_target.values_mut().for_each(|all| *all = renamed(all));
        self.blocks.iter_mut().for_each(|all| *all = renamed(all));
    }
}

impl Comparison {
    pub(crate) fn of(arms: Vec<Arm>) -> Comparison {
        let any: BTreeSet<&String> = arms.iter().flat_map(|arm| &arm.failures).collect();
        let in_any = any.len();
        let in_all = any.iter().filter(|name| arms.iter().all(|arm| arm.failures.contains(**name))).count();
        let mut differences = Vec::new();
        if let Some((first, others)) = arms.split_first() {
            for other in others {
                let pairs = other.blocks.iter().zip(&first.blocks);
                let found: Vec<i64> =
                    pairs.map(|(other, first)| other.len() as i64 - first.len() as i64).collect();
                differences.push(Difference {
                    scheme: other.scheme.clone(),
                    against: first.scheme.clone(),
                    mean: found.iter().sum::<i64>() as f64 / found.len().max(1) as f64,
                    p: sign_flip(&found),
                });
            }
        }
        Comparison { arms, in_all, in_any, differences }
    }
}

/// The share of all ways to choose the signs of some differences whose sum is at least as far from zero.
fn sign_flip(differences: &[i64]) -> f64 {
    let seen = differences.iter().sum::<i64>().abs();
    let ways = 1u64 << differences.len().min(MOST_BLOCKS as usize);
    let far = (0..ways).filter(|signs| {
        let signed = differences.iter().enumerate();
        let sum: i64 = signed.map(|(at, value)| if signs >> at & 1 == 1 { -value } else { *value }).sum();
        sum.abs() >= seen
    });
    far.count() as f64 / ways as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| name.to_string()).collect()
    }

    fn arm(scheme: &str, blocks: &[&[&str]]) -> Arm {
        let blocks: Vec<BTreeSet<String>> = blocks.iter().map(|names| set(names)).collect();
        let failures = blocks.iter().flatten().cloned().collect();
        Arm { scheme: scheme.to_string(), failures, blocks, ..Arm::default() }
    }

    #[test]
    fn what_all_and_what_any_scheme_has_found_is_counted() {
        let all = arm("all", &[&["a"], &["a", "b"]]);
        let coin = arm("coin", &[&["a", "c", "d"], &["a", "c", "d"]]);
        let comparison = Comparison::of(vec![all, coin]);
        assert_eq!((comparison.in_all, comparison.in_any), (1, 4));
        assert_eq!(comparison.differences[0].mean, 1.5);
    }

    #[test]
    fn the_exact_test_is_that_of_the_signs() {
        assert_eq!(sign_flip(&[1, 1, 1, 1, 1, 1, 1, 1]), 2.0 / 256.0);
        assert_eq!(sign_flip(&[1, -1]), 1.0);
        assert_eq!(sign_flip(&[0, 0, 0]), 1.0);
        assert_eq!(sign_flip(&[3, 1]), 0.5);
        assert_eq!(sign_flip(&[]), 1.0);
    }

    #[test]
    fn failures_that_turned_out_to_be_one_count_once() {
        let mut one = arm("all", &[&["a", "b"], &["b"]]);
        one.rename(&BTreeMap::from([("b".to_string(), "a".to_string())]));
        assert_eq!((one.failures.len(), one.blocks[0].len()), (1, 1));
    }
}
