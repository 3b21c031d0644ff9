//! Ranks: how many calls it takes at least to make a value, and to call an operation.
//!
//! Yatoh et al. (ArbitCheck, section IV-A): a parameter that is drawn has rank 0, an operation the sum
//! of the ranks of its parameters plus one, and a kind the least rank of the operations that make it.
//! To make a value when a call needs one, only operations of the least rank are taken.

use super::operation::Role;
use super::suite::Suite;

/// The rank of a value that cannot be made.
pub(super) const NEVER: u32 = u32::MAX;

/// The ranks of all kinds, given the kinds that operations need and make.
pub(super) fn of_kinds(suite: &Suite) -> Vec<u32> {
    let mut ranks = vec![NEVER; suite.kinds.len()];
    loop {
        let mut changed = false;
        for (place, operation) in suite.operations.iter().enumerate() {
            let (Some(made), true) = (suite.made[place], operation.role != Role::Check) else { continue };
            let rank = of_operation(suite, place, &ranks);
            changed |= rank < ranks[made];
            ranks[made] = ranks[made].min(rank);
        }
        if !changed {
            return ranks;
        }
    }
}

/// The rank of an operation, given those of the kinds.
pub(super) fn of_operation(suite: &Suite, operation: usize, ranks: &[u32]) -> u32 {
    let mut rank = 1u32;
    for need in &suite.needed[operation] {
        rank = rank.saturating_add(ranks[need.kind]);
    }
    rank
}
