//! Random search: the case is its number, and nothing is recorded until it fails.

use super::{Strategy, Turn};
use crate::case::{Finder, Found, Judge};
use crate::choice::Source;
use crate::label;
use crate::oracle::{Verdict, WrongTest};
use crate::random::Seed;

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
    fn run_recorded(&mut self, judge: &mut Judge<'_>, count: u64) -> Result<Turn, WrongTest> {
        let mut turn = Turn::default();
        let mut source = Source::recording(self.seed, self.position());
        while turn.ran() < count && !turn.is_refuting(judge) {
            source.record_next(self.seed, self.position());
            self.source.next_case();
            match judge.journalled_case(&mut source)? {
                Some(Verdict::Fail(failure)) => {
                    turn.found = Found::of(Verdict::Fail(failure), source.into_tape(), Finder::RandomSearch);
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
    fn run(&mut self, judge: &mut Judge<'_>, count: u64) -> Result<Turn, WrongTest> {
        let start = self.position();
        let mut turn = Turn::default();
        if judge.scratch.steering.is_avoiding() {
            return self.run_recorded(judge, count);
        }
        loop {
            let verdict = judge.batch(&mut self.source, self.seed, count - turn.ran())?;
            let ran = self.position() - start;
            match verdict {
                Verdict::Pass => {
                    label::finish();
                    turn.passed = ran - turn.discarded;
                    return Ok(turn);
                }
                Verdict::Discard => {
                    label::discard();
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
                        Verdict::Fail(again) if judge.cases.programs.is_some() => (false, again),
                        _ => (false, failure),
                    };
                    turn.found = Some(Found { tape, failure: *failure, confirmed, by: Finder::RandomSearch });
                    return Ok(turn);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Cases, Inputs, Journal};
    use crate::oracle::{Failure, Signature};
    use crate::program::{Operation, Program, Programs, Scratch, Suite};
    use std::cell::Cell;

    thread_local! {
        static TICKS: Cell<u32> = const { Cell::new(0) };
    }

    /// Returns the failure that the ticks of a clock meet, and the number of programs until then.
    fn found(tick: fn(u32) -> Option<Signature>) -> (Found, usize) {
        thread_local! {
            static TICK: Cell<fn(u32) -> Option<Signature>> = const { Cell::new(|_| None) };
        }
        TICK.set(tick);
        TICKS.set(0);
        let run = |_: &mut crate::program::Frame<'_>| {
            TICKS.set(TICKS.get() + 1);
            let signature = TICK.get()(TICKS.get());
            signature.map_or(Verdict::Pass, |signature| Verdict::Fail(Box::new(Failure::new(signature, ""))))
        };
        let suite = Suite::new("clock").operation(Operation::new("tick", "tick()", run)).strict();
        let (programs, mut journal) = (Programs::new(suite.build()), Journal::default());
        let (inputs, mut scratch) = (Inputs(&programs), Scratch::new(programs.suite()));
        let mut judge = Judge::new(Cases::of(&inputs), &mut scratch, &mut journal, None);
        let found = Random::new(Seed(1)).find(&mut judge, 100).unwrap_or_else(|_| panic!());
        let found = found.expect("the clock fails");
        let calls = Program::of(programs.suite(), &found.tape).map_or(0, |program| program.calls.len());
        (found, calls)
    }

    #[test]
    fn a_failure_that_comes_again_is_confirmed() {
        let (found, calls) = found(|tick| tick.is_multiple_of(3).then_some(Signature::ReturnedFalse));
        assert_eq!((found.confirmed, calls), (true, 3));
    }

    #[test]
    fn a_program_that_gets_further_when_it_is_run_again_is_what_that_run_has_shown() {
        let (found, calls) = found(|tick| match tick {
            3 => Some(Signature::ReturnedFalse),
            // The fifth call of the second run.
            8 => Some(Signature::ReturnedError),
            _ => None,
        });
        assert_eq!(*found.failure.signature.cause(), Signature::ReturnedError);
        assert_eq!((found.confirmed, calls), (false, 5));
    }

    #[test]
    fn a_failure_that_does_not_come_again_is_kept_unconfirmed() {
        let (found, _) = found(|tick| (tick == 3).then_some(Signature::ReturnedFalse));
        assert_eq!((found.failure.signature.cause(), found.confirmed), (&Signature::ReturnedFalse, false));
    }
}
