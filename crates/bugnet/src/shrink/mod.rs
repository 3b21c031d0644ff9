//! Shrinking: from a failing case to the simplest one that fails in the same way.
//!
//! It works on tapes alone, so it needs nothing from generators, holds every precondition that
//! they and the property hold, and goes through dependent draws. "Simpler" is
//! [`Tape::simplicity`](crate::choice::Tape::simplicity) and nothing else. The passes, in order:
//!
//! 1. [`delete`]: take elements out of sequences, many at a time.
//! 2. [`collapse`]: replace a value by a part of it, or by the simplest value.
//! 3. [`lower`]: make single choices smaller.
//! 4. [`rearrange`]: join and sort sequences, take out several elements at once, renumber what
//!    refers to elements by place.
//! 5. [`together`]: change several numbers at once: equal ones, and pairs that keep their
//!    difference or their sum.
//!
//! The passes repeat until none of them finds anything simpler. The last two are tried only when
//! the ones before have nothing left to do.
//!
//! **Invariant:** the best tape always fails with the signature of the first, and no tape is
//! tested twice.

mod collapse;
mod delete;
mod doubt;
mod lower;
mod program;
mod rearrange;
mod sequence;
mod together;
mod twins;

#[doc(hidden)]
pub use program::shrink_program;

use crate::choice::{Source, Tape};
use crate::oracle::{Failure, Signature};
use crate::program::Program;
use crate::trial::Trial;
use std::cmp::Ordering;
use std::collections::HashSet;

/// The conditions on which a candidate is taken, and the number that may be tested.
#[doc(hidden)]
pub struct Terms<'a> {
    /// The failure that candidates must have, if that matters.
    pub signature: Option<Signature>,
    /// Says of a program whether it is known to fail for another reason, so that it is not worth running.
    pub is_known: &'a mut dyn FnMut(&Program) -> bool,
    /// The most inputs that are tested.
    pub limit: u64,
}

impl std::fmt::Debug for Terms<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Terms { signature, limit, .. } = self;
        out.debug_struct("Terms").field("signature", signature).field("limit", limit).finish_non_exhaustive()
    }
}

/// The result of shrinking.
#[derive(Debug, Clone)]
#[doc(hidden)]
pub struct Shrunk {
    pub tape: Tape,
    pub failure: Failure,
    /// The number of inputs that were tested.
    pub tested: u64,
    /// The number of them that were taken as simpler.
    pub steps: u64,
    /// True if shrinking ended by itself, not by its limits.
    pub complete: bool,
}

/// Shrinks a failing tape.
pub(crate) fn shrink<'a>(trial: &'a mut dyn Trial, tape: Tape, failure: Failure, terms: Terms<'a>) -> Shrunk {
    let mut shrinker = Shrinker {
        trial,
        terms,
        best: tape,
        failure,
        proposed: HashSet::new(),
        judged: HashSet::new(),
        tested: 0,
        steps: 0,
    };
    shrinker.judged.insert(shrinker.best.values());
    while !shrinker.exhausted() {
        let (before, length) = (shrinker.steps, shrinker.best.choices.len());
        delete::run(&mut shrinker);
        collapse::run(&mut shrinker);
        lower::run(&mut shrinker);
        // The passes that change several things at once are dear: only when the tape has got as
        // short as it gets. Not later, though: two numbers that can only be lowered in turn, a
        // little at a time, would keep the passes before busy for ever.
        for pass in [rearrange::run, together::run] {
            if shrinker.best.choices.len() == length {
                pass(&mut shrinker);
            }
        }
        if shrinker.steps == before {
            break;
        }
    }
    Shrunk {
        complete: !shrinker.exhausted(),
        tape: shrinker.best,
        failure: shrinker.failure,
        tested: shrinker.tested,
        steps: shrinker.steps,
    }
}

/// The state that the passes share.
struct Shrinker<'a> {
    trial: &'a mut dyn Trial,
    terms: Terms<'a>,
    best: Tape,
    failure: Failure,
    /// The tapes that were proposed, and the tapes as a generator consumed them and were tested:
    /// different proposals often come to the same input.
    proposed: HashSet<Vec<u64>>,
    judged: HashSet<Vec<u64>>,
    tested: u64,
    steps: u64,
}

impl Shrinker<'_> {
    fn exhausted(&self) -> bool {
        self.tested >= self.terms.limit || self.trial.is_over()
    }

    /// Tests a candidate; takes it if it is simpler than the best and fails in the same way.
    fn attempt(&mut self, candidate: Tape) -> bool {
        if self.exhausted() || !self.proposed.insert(candidate.values()) {
            return false;
        }
        let mut source = Source::replay(candidate);
        let (best, judged, tested) = (&self.best, &mut self.judged, &mut self.tested);
        let ran = self.trial.run(&mut source, &mut |source| {
            let simpler = source.tape().simplicity(best) == Ordering::Less;
            // What the test itself will draw is not on the tape yet, so nothing is known of it.
            let new = simpler && (source.is_unfinished() || judged.insert(source.tape().values()));
            *tested += u64::from(new);
            new
        });
        let like = self.terms.signature.as_ref();
        let Some(failure) = ran.and_then(|ran| ran.failure(like)) else { return false };
        let tape = source.into_tape();
        if tape.simplicity(&self.best) != Ordering::Less {
            return false;
        }
        self.best = tape;
        self.failure = failure;
        self.steps += 1;
        true
    }

    /// Tries the best tape with some choices set to other values.
    fn attempt_values(&mut self, changes: &[(usize, u64)]) -> bool {
        let mut candidate = self.best.clone();
        for (place, value) in changes {
            match candidate.choices.get_mut(*place) {
                Some(choice) if *value <= choice.limit => choice.value = *value,
                _ => return false,
            }
        }
        self.attempt(candidate)
    }

    /// Finds a small number for which `attempt` succeeds, given that `from` does. Most minimal
    /// inputs are made of zeros and ones, so those come first. A number that can be neither
    /// halved nor lowered by one or two is taken for the least; for others, the number of bits is
    /// found by bisection and then the number itself.
    fn minimize(&mut self, from: u64, attempt: &mut dyn FnMut(&mut Self, u64) -> bool) -> u64 {
        for simple in [0, 1] {
            if from <= simple || attempt(self, simple) {
                return simple;
            }
        }
        let lower = [from / 2, from - 1, from - 2];
        let found = lower.iter().find(|lower| **lower > 1 && attempt(self, **lower));
        let Some(mut high) = found.copied() else { return from };
        let bits = |number: u64| 64 - number.leading_zeros();
        let mut low = 1;
        while bits(high) - bits(low) > 1 {
            let middle = (1 << (bits(low) + bits(high)).div_ceil(2).saturating_sub(1)).min(high - 1);
            if attempt(self, middle) { high = middle } else { low = middle }
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if attempt(self, middle) { high = middle } else { low = middle }
        }
        high
    }
}
