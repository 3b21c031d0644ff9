//! Evolving search: for properties whose preconditions most random inputs miss.
//!
//! Inputs that met the preconditions are kept and varied: most choices stay, some are drawn
//! afresh. What a span reads stays aligned (see the recorder), so a change in one part of an
//! input leaves the other parts as they were.
//!
//! **Invariant:** the pool holds valid inputs only, each once.

use super::{Strategy, Turn};
use crate::campaign::{Found, Judge, Misuse};
use crate::choice::{Seed, Source, Tape};
use crate::oracle::Verdict;
use std::collections::BTreeSet;

/// How many valid inputs are kept.
const POOL: usize = 512;

/// Varies valid inputs.
#[derive(Debug)]
pub(crate) struct Evolve {
    seed: Seed,
    case: u64,
    pool: Vec<Tape>,
    known: BTreeSet<Vec<u64>>,
}

impl Evolve {
    pub(crate) fn new(seed: Seed) -> Evolve {
        Evolve { seed: Seed(!seed.0), case: 0, pool: Vec::new(), known: BTreeSet::new() }
    }

    /// The next case: a variation of a valid input, or a new random one.
    fn propose(&mut self) -> Source {
        let case = self.case;
        self.case += 1;
        let mut dice = Source::random(Seed(self.seed.0.rotate_left(17)), case);
        if self.pool.is_empty() || dice.one_in_power(3) {
            return Source::recording(self.seed, case);
        }
        // Larger inputs are rarer among the valid ones and lead further: look at two, take one.
        let mut pick = || dice.random_below(self.pool.len() as u64) as usize;
        let (first, second) = (pick(), pick());
        let longer = self.pool[first].choices.len() < self.pool[second].choices.len();
        let base = if longer { second } else { first };
        let power = 1 + dice.random_below(5) as u32;
        Source::mutate(self.pool[base].clone(), power, self.seed, case)
    }

    fn keep(&mut self, tape: Tape) {
        if self.known.insert(tape.values()) {
            if self.pool.len() == POOL {
                let oldest = self.case as usize % POOL;
                self.pool[oldest] = tape;
            } else {
                self.pool.push(tape);
            }
        }
    }
}

impl Strategy for Evolve {
    fn run(&mut self, judge: &mut Judge<'_>, count: u64) -> Result<Turn, Misuse> {
        let mut turn = Turn::default();
        while turn.ran() < count {
            let mut source = self.propose();
            let verdict = judge.journalled_case(&mut source)?;
            let tape = source.into_tape();
            match verdict {
                Some(Verdict::Pass) => {
                    turn.passed += 1;
                    self.keep(tape);
                }
                Some(Verdict::Fail(failure)) => {
                    turn.found = Some(Found { tape, failure: *failure, confirmed: false });
                    return Ok(turn);
                }
                _ => turn.discarded += 1,
            }
        }
        Ok(turn)
    }
}
