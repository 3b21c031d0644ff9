//! Evolving search: for properties whose preconditions most random inputs miss.
//!
//! Inputs that met the preconditions are kept and varied. What a span reads stays aligned (see the
//! recorder), so a change in one part of an input leaves the other parts as they were.
//!
//! **Invariant:** the pool holds valid inputs only, each once.

use super::variation::{sort_numbers, vary};
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
    fn propose(&mut self, judge: &mut Judge<'_>) -> Result<Source, Misuse> {
        let case = self.case;
        self.case += 1;
        let mut dice = Source::random(Seed(self.seed.0.rotate_left(17)), case);
        let mut draft = if self.pool.is_empty() || dice.one_in_power(3) {
            Source::recording(self.seed, case)
        } else {
            let base = self.pick(&mut dice);
            let other = self.pick(&mut dice);
            let varied = vary(&self.pool[base], &self.pool[other], &mut dice);
            Source::completing(varied, self.seed, case)
        };
        if dice.one_in_power(1) {
            return Ok(draft);
        }
        // Numbers can be put in order only when all of them are there.
        judge.case(&mut draft, &mut |_| false)?;
        let mut tape = draft.into_tape();
        sort_numbers(&mut tape, &mut dice);
        Ok(Source::replay(tape))
    }

    /// Larger inputs are rarer among the valid ones and lead further: of two, the larger.
    fn pick(&self, dice: &mut Source) -> usize {
        let mut one = || dice.random_below(self.pool.len() as u64) as usize;
        let (first, second) = (one(), one());
        let larger = self.pool[first].choices.len() < self.pool[second].choices.len();
        if larger { second } else { first }
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
            let mut source = self.propose(judge)?;
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
