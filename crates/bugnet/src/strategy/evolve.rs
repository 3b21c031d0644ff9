//! Evolving search: for properties whose preconditions most random inputs miss.
//!
//! Inputs that met the preconditions are kept and varied. What a span reads stays aligned (see the
//! recorder), so a change in one part of an input leaves the other parts as they were.
//!
//! **Invariant:** the pool holds valid inputs only, one of each form.

use super::variation::{Repair, aim_numbers, vary};
use super::{Strategy, Turn};
use crate::case::{Finder, Found, Judge};
use crate::choice::{Kind, Source, Tape};
use crate::oracle::{Verdict, WrongTest};
use crate::random::Seed;
use std::collections::HashMap;

/// Valid inputs that are kept, at most.
const POOL: usize = 4_096;
/// Inputs of more choices are not kept. Variations of recursive values outgrow what they are made
/// of, and without a bound would at last be slow to make and too deep for the stack.
const LARGEST: usize = 2_048;
/// Kept inputs that are looked at to find one that was rarely varied.
const LOOKS: usize = 6;
/// Drafts made, at most, to find one of a form that is worth a test.
const DRAFTS: usize = 6;
/// Runs of an input of a new form at once, with other arguments.
const AIMS: usize = 4;
/// An odd number with no pattern, which spreads the bits that it is multiplied with.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// Varies valid inputs.
#[derive(Debug)]
pub(crate) struct Evolve {
    seed: Seed,
    case: u64,
    pool: Vec<Kept>,
    /// The places in the pool of the inputs of each size.
    sizes: Vec<Vec<usize>>,
    /// The places in the pool, by the form of what is there.
    known: HashMap<u64, usize>,
    /// For each form, the number of its inputs that were discarded.
    rejected: HashMap<u64, usize>,
    /// The successes of each repair so far.
    repairs: [Record; Repair::ALL.len()],
    /// Which repair the running case had; none if it is a kept input with other arguments.
    repaired: Option<usize>,
    /// The places of new inputs, each as often as it is yet to be run with other arguments.
    fresh: Vec<usize>,
}

/// A valid input and how often it was varied.
#[derive(Debug)]
struct Kept {
    tape: Tape,
    varied: u64,
}

/// The successes of a repair.
#[derive(Debug, Clone, Copy, Default)]
struct Record {
    passed: u64,
    discarded: u64,
}

impl Record {
    /// The part that passed, in thousandths; one that was never tried is the best.
    fn success(&self) -> u64 {
        1_000 * (self.passed + 1) / (self.passed + self.discarded + 1)
    }
}

impl Evolve {
    pub(crate) fn new(seed: Seed) -> Evolve {
        Evolve {
            seed: Seed(!seed.0),
            case: 0,
            pool: Vec::new(),
            sizes: Vec::new(),
            known: HashMap::new(),
            rejected: HashMap::new(),
            repairs: Default::default(),
            repaired: None,
            fresh: Vec::new(),
        }
    }

    /// The next case: a valid input with other arguments, a variation of one, or a random input.
    fn propose(&mut self, judge: &mut Judge<'_>) -> Result<Source, WrongTest> {
        let mut dice = Source::random(Seed(self.seed.0.rotate_left(17)), self.case);
        self.repaired = None;
        let fresh = self.fresh.pop();
        if fresh.is_some() || (!self.pool.is_empty() && dice.one_in_power(2)) {
            self.case += 1;
            let place = fresh.unwrap_or_else(|| self.pick(&mut dice));
            return Ok(self.aimed(place, &mut dice));
        }
        let mut tape = self.draft(judge, &mut dice)?;
        for _ in 1..DRAFTS {
            if self.is_worth_a_test(&tape, &mut dice) {
                break;
            }
            tape = self.draft(judge, &mut dice)?;
        }
        let repair = self.choose_repair(&mut dice);
        self.repaired = Some(repair);
        Repair::ALL[repair].apply(&mut tape, &mut dice);
        if dice.one_in_power(1) {
            aim_numbers(&mut tape, &mut dice);
        }
        Ok(Source::replay(tape))
    }

    /// A kept input with other arguments, which is mostly as valid as it was.
    fn aimed(&mut self, place: usize, dice: &mut Source) -> Source {
        let kept = &mut self.pool[place];
        kept.varied += 1;
        let mut tape = kept.tape.clone();
        aim_numbers(&mut tape, dice);
        Source::replay(tape)
    }

    /// Makes an input, without a test: numbers can be put in order, and aimed at, only when all of
    /// them are there.
    fn draft(&mut self, judge: &mut Judge<'_>, dice: &mut Source) -> Result<Tape, WrongTest> {
        let case = self.case;
        self.case += 1;
        let mut draft = if self.pool.is_empty() || dice.one_in_power(5) {
            Source::recording(self.seed, case)
        } else {
            let (base, other) = (self.pick(dice), self.pick(dice));
            self.pool[base].varied += 1;
            let varied = vary(&self.pool[base].tape, &self.pool[other].tape, dice);
            Source::completing(varied, self.seed, case)
        };
        judge.case(&mut draft, &mut |_| false)?;
        Ok(draft.into_tape())
    }

    /// Returns true if a draft may tell something new. The more often its form was discarded, the less likely.
    fn is_worth_a_test(&self, draft: &Tape, dice: &mut Source) -> bool {
        let form = form(draft);
        if self.known.contains_key(&form) {
            return dice.one_in_power(3);
        }
        self.rejected.get(&form).is_none_or(|times| dice.random_below(*times as u64 + 1) == 0)
    }

    /// Mostly the repair that made most drafts valid.
    fn choose_repair(&self, dice: &mut Source) -> usize {
        let any = dice.random_below(self.repairs.len() as u64) as usize;
        if dice.one_in_power(3) {
            return any;
        }
        let mut best = 0;
        for place in 1..self.repairs.len() {
            if self.repairs[place].success() > self.repairs[best].success() {
                best = place;
            }
        }
        best
    }

    /// An input that was varied less than others of about its size.
    fn pick(&self, dice: &mut Source) -> usize {
        let weight = |size: usize| weight(size, self.sizes[size].len());
        let mut all = 0;
        (0..self.sizes.len()).for_each(|size| all += weight(size));
        let (mut ticket, mut chosen) = (dice.random_below(all), 0);
        while ticket >= weight(chosen) {
            ticket -= weight(chosen);
            chosen += 1;
        }
        let places = &self.sizes[chosen];
        let mut look = || places[dice.random_below(places.len() as u64) as usize];
        let mut best = look();
        for _ in 1..LOOKS {
            let place = look();
            if self.pool[place].varied < self.pool[best].varied {
                best = place;
            }
        }
        best
    }

    /// Keeps one input of each form; of two that differ in numbers only, the later.
    fn keep(&mut self, tape: Tape) {
        if let Some(repair) = self.repaired {
            self.repairs[repair].passed += 1;
        }
        let form = form(&tape);
        match self.known.get(&form) {
            Some(place) => self.pool[*place].tape = tape,
            _ if self.pool.len() < POOL && tape.choices.len() <= LARGEST => {
                self.known.insert(form, self.pool.len());
                self.add(tape);
            }
            _ => {}
        }
    }

    /// Puts an input of a new form into the pool.
    fn add(&mut self, tape: Tape) {
        let (place, size) = (self.pool.len(), size(&tape));
        while self.sizes.len() <= size {
            self.sizes.push(Vec::new());
        }
        self.sizes[size].push(place);
        (0..AIMS).for_each(|_| self.fresh.push(place));
        self.pool.push(Kept { tape, varied: 0 });
    }

    /// Takes note of a form that did not meet the preconditions.
    fn reject(&mut self, tape: &Tape) {
        if let Some(repair) = self.repaired {
            self.repairs[repair].discarded += 1;
        }
        let form = form(tape);
        if !self.known.contains_key(&form) {
            *self.rejected.entry(form).or_insert(0) += 1;
        }
    }
}

/// A number for what a tape says of alternatives and lengths, without the numbers.
fn form(tape: &Tape) -> u64 {
    let mut form = 0u64;
    for choice in &tape.choices {
        if matches!(choice.kind, Kind::Index | Kind::Length) {
            form = (form.rotate_left(5) ^ choice.value.wrapping_add(1)).wrapping_mul(MIX);
        }
    }
    form
}

/// About how long a tape is, in quarters of a doubling.
fn size(tape: &Tape) -> usize {
    let length = tape.choices.len().max(1);
    let doublings = length.ilog2() as usize;
    4 * doublings + ((length << 2 >> doublings) & 3)
}

/// Returns the weight of a size, by the number of forms of that size. Most forms are large and say little more than
/// others, so their number counts by the square of its logarithm, and half as much with each doubling of the size.
fn weight(size: usize, count: usize) -> u64 {
    let bits = u64::from(usize::BITS - count.leading_zeros());
    (((bits * bits) << 40) >> (size / 4)).max(bits.min(1))
}

impl Strategy for Evolve {
    fn run(&mut self, judge: &mut Judge<'_>, count: u64) -> Result<Turn, WrongTest> {
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
                    turn.found =
                        Some(Found { tape, failure: *failure, confirmed: false, by: Finder::EvolvingSearch });
                    return Ok(turn);
                }
                _ => {
                    turn.discarded += 1;
                    self.reject(&tape);
                }
            }
        }
        Ok(turn)
    }
}
