//! Work: cases, named so that anybody can run them again.
//!
//! It is what a journal holds, and what another process is told to run.

use super::encode::encode_enum;
use crate::choice::Tape;
use crate::random::Seed;

/// Cases to run, or that are running.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Work {
    /// Random cases of a seed, by number.
    Random {
        /// The seed.
        seed: Seed,
        /// The number of the first case.
        first: u64,
        /// The number of cases.
        count: u64,
    },
    /// Inputs of a depth, by number.
    Exhaustive {
        /// The depth.
        depth: u32,
        /// The number of inputs of this depth before the first.
        skip: u64,
        /// The number of inputs.
        count: u64,
    },
    /// One input.
    Tape(Tape),
    /// One random case, whose tape is to be told call by call.
    Traced(Seed),
}

encode_enum!(Work {
    0 Random { seed, first, count };
    1 Exhaustive { depth, skip, count };
    2 Tape(tape);
    3 Traced(seed);
});
