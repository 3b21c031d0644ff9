//! Evolving search: for properties whose preconditions most random inputs miss.
//!
//! Inputs that met the preconditions are kept and varied. What a span reads stays aligned (see the
//! recorder), so a change in one part of an input leaves the other parts as they were.
//!
//! **Invariant:** the pool holds valid inputs only, one of each form.

use super::variation::{aim_numbers, sort_numbers, vary};
use super::{Strategy, Turn};
use crate::campaign::{Found, Judge, Misuse};
use crate::choice::{Kind, Seed, Source, Tape};
use crate::oracle::Verdict;
use std::collections::BTreeMap;

/// How many valid inputs are kept.
const POOL: usize = 4_096;
/// How many kept inputs are looked at to find one that was rarely varied.
const LOOKS: usize = 6;

/// Varies valid inputs.
#[derive(Debug)]
pub(crate) struct Evolve {
    seed: Seed,
    case: u64,
    pool: Vec<Kept>,
    known: BTreeMap<Vec<u64>, usize>,
}

/// A valid input and how often it was varied.
#[derive(Debug)]
struct Kept {
    tape: Tape,
    varied: u64,
}

impl Evolve {
    pub(crate) fn new(seed: Seed) -> Evolve {
        Evolve { seed: Seed(!seed.0), case: 0, pool: Vec::new(), known: BTreeMap::new() }
    }

    /// The next case: a variation of a valid input, or a new random one.
    fn propose(&mut self, judge: &mut Judge<'_>) -> Result<Source, Misuse> {
        let case = self.case;
        self.case += 1;
        let mut dice = Source::random(Seed(self.seed.0.rotate_left(17)), case);
        if self.pool.is_empty() || dice.one_in_power(4) {
            return self.complete(judge, Source::recording(self.seed, case), &mut dice);
        }
        let base = self.pick(&mut dice);
        self.pool[base].varied += 1;
        if dice.one_in_power(2) {
            // The same input with other arguments is as valid as it was.
            let mut tape = self.pool[base].tape.clone();
            aim_numbers(&mut tape, &mut dice);
            return Ok(Source::replay(tape));
        }
        let other = self.pick(&mut dice);
        let varied = vary(&self.pool[base].tape, &self.pool[other].tape, &mut dice);
        self.complete(judge, Source::completing(varied, self.seed, case), &mut dice)
    }

    /// Makes an input of a draft. Numbers can be put in order, and aimed at, only when all of them
    /// are there, so the draft is generated first, without a test.
    fn complete(
        &self,
        judge: &mut Judge<'_>,
        mut draft: Source,
        dice: &mut Source,
    ) -> Result<Source, Misuse> {
        judge.case(&mut draft, &mut |_| false)?;
        let mut tape = draft.into_tape();
        if !dice.one_in_power(2) {
            sort_numbers(&mut tape, dice);
        }
        if dice.one_in_power(1) {
            aim_numbers(&mut tape, dice);
        }
        Ok(Source::replay(tape))
    }

    /// An input that was varied less than others.
    fn pick(&self, dice: &mut Source) -> usize {
        let looks = (0..LOOKS).map(|_| dice.random_below(self.pool.len() as u64) as usize);
        looks.min_by_key(|place| self.pool[*place].varied).expect("there is at least one look")
    }

    /// Keeps one input of each form; of two that differ in numbers only, the later.
    fn keep(&mut self, tape: Tape) {
        let form = form(&tape);
        match self.known.get(&form) {
            Some(place) => self.pool[*place].tape = tape,
            None if self.pool.len() < POOL => {
                self.known.insert(form, self.pool.len());
                self.pool.push(Kept { tape, varied: 0 });
            }
            None => {}
        }
    }
}

/// What a tape says of alternatives and lengths, without the numbers.
fn form(tape: &Tape) -> Vec<u64> {
    let structural = tape.choices.iter().filter(|choice| matches!(choice.kind, Kind::Index | Kind::Length));
    structural.map(|choice| choice.value).collect()
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
