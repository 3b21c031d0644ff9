//! Feedback-directed search: extends programs that ran well and reached a state nobody had reached.
//!
//! Pacheco et al. (Randoop, 2007) collect sequences of calls that did not fail and build new ones of
//! them. Here a program is extended by a few calls, operations that were seldom called first. The
//! manner of [`Feedback::rds`] is that of Hughes et al. (MoreBugs, section 3.2), as a baseline: the
//! shortest program to each state is kept, one operation is picked and one call of it added.
//!
//! **Invariant:** a program that failed, or did not get to its end, is never extended.

use super::{Strategy, Turn};
use crate::case::{Finder, Found, Judge};
use crate::choice::{Source, Tape};
use crate::list::{Listed, mapped};
use crate::oracle::{Verdict, WrongTest};
use crate::program::Extension;
use crate::random::{Seed, Stream, scale};
use crate::trial::Ran;
use std::collections::{HashMap, HashSet};

/// The most programs that are kept.
const LARGEST: usize = 2_048;
/// The most calls that a program is extended by.
const MOST_CALLS: u64 = 4;
/// One in this many programs is begun anew.
const ANEW: u64 = 8;
/// Attempts of the baseline to find a state in which its operation can be called.
const TRIES: u32 = 20;

/// Extends programs.
#[derive(Debug)]
pub(crate) struct Feedback {
    seed: Seed,
    case: u64,
    manner: Manner,
    kept: Vec<Tape>,
    /// The place of the program that is kept for a state.
    states: HashMap<u64, usize>,
    /// The programs that were run.
    run: HashSet<Vec<u64>>,
    used: Vec<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    Rarest,
    Rds,
}

impl Feedback {
    pub(crate) fn new(seed: Seed) -> Feedback {
        // The programs of random search are others, although they have the same seed.
        let seed = Seed(seed.0 ^ 0x51ed_270b_9f8a_3d6c);
        Feedback {
            seed,
            case: 0,
            manner: Manner::Rarest,
            kept: Vec::new(),
            states: HashMap::new(),
            run: HashSet::new(),
            used: Vec::new(),
        }
    }

    /// The baseline.
    pub(crate) fn rds(seed: Seed) -> Feedback {
        Feedback { manner: Manner::Rds, ..Feedback::new(seed) }
    }

    /// The next program: what it extends, and by what.
    fn propose(&mut self, stream: &mut Stream, operations: usize) -> (Tape, Extension) {
        let mut below = |count: usize| scale(stream.word().1, count as u64) as usize;
        let anew = self.kept.is_empty() || (self.manner == Manner::Rarest && below(ANEW as usize) == 0);
        let base = if anew { Tape::default() } else { self.kept[below(self.kept.len())].clone() };
        let extension = match self.manner {
            Manner::Rarest => {
                let rarity = |used: &u64| (65_536 / (1 + used)).max(1) as u32;
                let weights = mapped(&self.used, rarity);
                Extension::Few { calls: 1 + below(MOST_CALLS as usize), weights }
            }
            Manner::Rds => {
                let picked = below(operations);
                Extension::Few {
                    calls: 1,
                    weights: (0..operations).map(|place| u32::from(place == picked)).listed(),
                }
            }
        };
        (base, extension)
    }

    /// Keeps a program if it has reached a new state, or a known one by fewer calls.
    fn keep(&mut self, state: u64, mut tape: Tape) {
        // Without the mark of its end it can go on.
        tape.choices.pop();
        match self.states.get(&state) {
            Some(place) if self.manner == Manner::Rds && calls(&tape) < calls(&self.kept[*place]) => {
                self.kept[*place] = tape;
            }
            None if self.kept.len() < LARGEST => {
                self.states.insert(state, self.kept.len());
                self.kept.push(tape);
            }
            _ => {}
        }
    }
}

fn calls(tape: &Tape) -> usize {
    tape.spans_where(&|span| span.label == "call").len()
}

impl Strategy for Feedback {
    fn run(&mut self, judge: &mut Judge<'_>, count: u64) -> Result<Turn, WrongTest> {
        let mut turn = Turn::default();
        let Some(programs) = judge.cases.programs else { return Ok(Turn { over: true, ..turn }) };
        let operations = programs.suite().operations.len();
        self.used.resize(operations, 0);
        let mut vain = 0;
        while turn.ran() < count && !turn.is_refuting(judge) {
            self.case += 1;
            let mut stream = Source::random(self.seed, self.case).stream();
            let (base, extension) = self.propose(&mut stream, operations);
            let mut source = Source::extending(base, self.seed, self.case);
            source.resume(stream);
            let ran = judge.extended(&mut source, &extension)?.unwrap_or(Ran::from(Verdict::Discard));
            let tape = source.into_tape();
            for (total, used) in self.used.iter_mut().zip(&ran.used) {
                *total += u64::from(*used);
            }
            // What could not be extended has been run before.
            let new = self.run.insert(tape.values());
            vain = if new { 0 } else { vain + 1 };
            match ran.verdict {
                Verdict::Fail(failure) => {
                    turn.found =
                        Some(Found { tape, failure: *failure, confirmed: false, by: Finder::Feedback });
                    return Ok(turn);
                }
                Verdict::Pass if new => {
                    turn.passed += 1;
                    if let Some(state) = ran.reached {
                        self.keep(state, tape);
                    }
                }
                _ if vain < TRIES => {}
                _ => turn.discarded += 1,
            }
        }
        Ok(turn)
    }
}
