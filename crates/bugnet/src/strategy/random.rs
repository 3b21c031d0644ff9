//! Random search: the case is its number, and nothing is recorded until it fails.

use super::{Strategy, Turn};
use crate::campaign::{Found, Judge, Misuse, labels};
use crate::choice::{Seed, Source};
use crate::oracle::Verdict;
use crate::program::Programs;

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

impl Random {
    /// As [`Strategy::run`], where programs are looked at while they are drawn.
    fn run_recorded(&mut self, judge: &mut Judge<'_>, count: u64) -> Result<Turn, Misuse> {
        let mut turn = Turn::default();
        let mut source = Source::recording(self.seed, self.position());
        while turn.ran() < count && !turn.is_refuting(judge) {
            source.record_next(self.seed, self.position());
            self.source.next_case();
            match judge.journalled_case(&mut source)? {
                Some(Verdict::Fail(failure)) => {
                    turn.found = Found::of(Verdict::Fail(failure), source.into_tape(), "random search");
                    return Ok(turn);
                }
                Some(Verdict::Pass) => turn.passed += 1,
                _ => turn.discarded += 1,
            }
        }
        Ok(turn)
    }
}

impl Strategy for Random {
    fn run(&mut self, judge: &mut Judge<'_>, count: u64) -> Result<Turn, Misuse> {
        let start = self.position();
        let mut turn = Turn::default();
        if judge.test.programs().is_some_and(Programs::is_avoiding) {
            return self.run_recorded(judge, count);
        }
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
                    let (confirmed, failure) = match verdict {
                        Verdict::Fail(again) if again.signature == failure.signature => (true, failure),
                        // A program that gets further now had failed by chance, and the tape is that of this run.
                        Verdict::Fail(again) if judge.test.programs().is_some() => (false, again),
                        _ => (false, failure),
                    };
                    turn.found = Some(Found { tape, failure: *failure, confirmed, by: "random search" });
                    return Ok(turn);
                }
            }
        }
    }
}
