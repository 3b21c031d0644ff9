//! Steering: the known bugs of a run, and the avoidance that draws programs around them.
//!
//! **Invariant:** no program that is drawn matches a known pattern, but for its last call where samples are wanted.

use super::avoidance::Avoidance;
use super::suite::Suite;
use crate::choice::Tape;
use crate::oracle::{Failure, Verdict};
use crate::pattern::Pattern;
use crate::trial::Sample;

/// The known bugs, and what keeps programs away from them.
#[derive(Debug, Default)]
pub(crate) struct Steering {
    /// The patterns of the known bugs.
    pub(crate) known: Vec<Pattern>,
    /// The number of changes to them; a child that knows an older state has to be told.
    pub(crate) version: u64,
    /// For each pattern, the number of samples that have ended their process since it became known.
    pub(crate) deaths: Vec<u32>,
    /// Looks at calls before they are made. A program that runs has it, and gives it back.
    pub(super) avoidance: Option<Box<Avoidance>>,
}

impl Steering {
    /// Sets the patterns that programs are drawn around from now on. If samples are wanted, a last call may complete
    /// one of them.
    pub(crate) fn know(&mut self, suite: &Suite, patterns: Vec<Pattern>, samples: bool) {
        let mut avoidance =
            (!patterns.is_empty()).then(|| Box::new(Avoidance::new(suite, &patterns, samples)));
        if let (Some(new), Some(old)) = (&mut avoidance, self.avoidance.take()) {
            new.inherit(*old);
        }
        self.avoidance = avoidance;
        self.deaths = vec![0; patterns.len()];
        self.known = patterns;
        self.version += 1;
    }

    /// Returns true if a last call may complete a known pattern.
    pub(crate) fn is_sampling(&self) -> bool {
        self.avoidance.as_ref().is_some_and(|avoidance| avoidance.sacrifices)
    }

    /// Returns true if any bug is known.
    pub(crate) fn is_avoiding(&self) -> bool {
        !self.known.is_empty()
    }

    /// Returns true if the last program ended before a call that would have completed a known pattern.
    pub(crate) fn has_avoided(&self) -> bool {
        self.avoidance.as_ref().is_some_and(|avoidance| avoidance.vain > 0)
    }

    /// Judges a program whose last call completes a pattern, and returns what it shows of the pattern. A program that
    /// fails as the pattern says is no finding, so it counts as passed.
    pub(crate) fn sampled(&self, verdict: Verdict, pattern: usize, tape: &Tape) -> (Verdict, Option<Sample>) {
        let is_known = |failure: &Failure| {
            self.known[pattern].signature.as_ref().is_none_or(|known| *known == failure.signature)
        };
        let (passed, verdict) = match verdict {
            Verdict::Pass => (Some(tape.clone()), Verdict::Pass),
            Verdict::Fail(failure) if is_known(&failure) => (None, Verdict::Pass),
            other => return (other, None),
        };
        (verdict, Some(Sample { pattern, passed }))
    }
}
