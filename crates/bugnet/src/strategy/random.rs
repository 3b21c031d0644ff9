//! Random search: the case is its number, and nothing is recorded until it fails.

use super::{Strategy, Turn};
use crate::campaign::{Found, Judge, Misuse, labels};
use crate::choice::{Seed, Source};
use crate::oracle::Verdict;

/// Random cases of a seed, one after the other.
#[derive(Debug)]
pub(crate) struct Random {
    seed: Seed,
    source: Source,
}

impl Random {
    pub(crate) fn new(seed: Seed) -> Random {
        Random::starting_at(seed, 0)
    }

    pub(crate) fn starting_at(seed: Seed, first: u64) -> Random {
        // The first case is reached by a step from the one before it.
        Random { seed, source: Source::random(seed, first.wrapping_sub(1)) }
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    fn position(&self) -> u64 {
        self.source.case_number(self.seed).wrapping_add(1)
    }
}

impl Strategy for Random {
    fn run(&mut self, judge: &mut Judge<'_>, count: u64) -> Result<Turn, Misuse> {
        let start = self.position();
        let mut turn = Turn::default();
        loop {
            let verdict = judge.batch(&mut self.source, self.seed, count - turn.ran())?;
            let ran = self.position() - start;
            match verdict {
                Verdict::Pass => {
                    labels::finish();
                    turn.passed = ran - turn.discarded;
                    return Ok(turn);
                }
                Verdict::Discard => {
                    labels::discard();
                    turn.discarded += 1;
                    turn.passed = ran - turn.discarded;
                    if turn.ran() >= count {
                        return Ok(turn);
                    }
                }
                Verdict::Fail(failure) => {
                    turn.passed = ran - turn.discarded - 1;
                    let (verdict, tape) =
                        judge.recorded(Source::recording(self.seed, self.position() - 1))?;
                    let again =
                        matches!(&verdict, Verdict::Fail(again) if again.signature == failure.signature);
                    turn.found = Some(Found { tape, failure: *failure, confirmed: again });
                    return Ok(turn);
                }
            }
        }
    }
}
