//! Elsewhere: programs that are drawn in a child process, around what is known here.
//!
//! The child is told the patterns and draws nothing that matches one, but for samples. What a sample has
//! shown is found out here, for the child may not have survived it.
//!
//! **Invariant:** a child takes no failure for a known one; who told it the patterns decides that.

use crate::choice::Tape;
use crate::oracle::{Signature, Verdict};
use crate::pattern::{Matcher, Pattern};
use crate::program::{Program, Steering, Suite, calls_of};
use crate::trial::Ran;
use crate::wire::{Restraint, Steer};

/// Samples of a pattern in a row that have killed a child, after which the pattern is trusted: each costs a process.
const DEATHS: u32 = 10;

impl Steering {
    /// Returns what a child has to know.
    pub(crate) fn restraint(&self, suite: &Suite) -> Restraint {
        let mut restraint = Restraint { samples: self.is_sampling(), known: Vec::new() };
        for (pattern, deaths) in self.known.iter().zip(&self.deaths) {
            let hangs = pattern.signature.as_ref().is_some_and(Signature::is_hang);
            let is_sampled = *deaths < DEATHS && !hangs;
            restraint.known.push(Steer { pattern: pattern.stored(suite), is_sampled });
        }
        restraint
    }

    /// Knows from now on what a parent says.
    pub(crate) fn heed(&mut self, suite: &Suite, restraint: &Restraint) {
        let mut patterns = Vec::new();
        for steer in &restraint.known {
            let Ok(mut pattern) = Pattern::read(&steer.pattern, suite) else { continue };
            // No failure of a program is one of these, where it happens. What hangs is not sampled.
            pattern.signature = Some(if steer.is_sampled { Signature::NoPanic } else { Signature::Hung });
            patterns.push(pattern);
        }
        self.know(suite, patterns, restraint.samples);
    }

    /// Judges a program that a child has drawn. If its last call completes a known pattern, it is a sample of that.
    pub(crate) fn drawn_elsewhere(&mut self, suite: &Suite, verdict: Verdict, tape: &Tape) -> Ran {
        let program = Program::of(suite, tape).filter(|_| self.is_avoiding());
        let completed = program.and_then(|program| {
            let history = calls_of(suite, &program);
            Matcher::new(&self.known).find((0..history.len()).map(|place| history.call(place)))
        });
        let Some(pattern) = completed else { return Ran::from(verdict) };
        if matches!(&verdict, Verdict::Fail(failure) if failure.signature.is_deadly()) {
            self.deaths[pattern] += 1;
            self.version += 1;
        }
        let (verdict, sample) = self.sampled(verdict, pattern, tape);
        Ran { sample, ..Ran::from(verdict) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Failure;
    use crate::program::{Call, Operation};

    fn door() -> Suite {
        let operation = |name| Operation::new(name, "", |_| Verdict::Pass);
        Suite::new("Door").operations(["open", "close", "wait"].map(operation)).build()
    }

    fn tape(operations: &[usize]) -> Tape {
        let call = |operation: &usize| Call { operation: *operation, arguments: Vec::new() };
        Program { features: 0, calls: operations.iter().map(call).collect() }.tape(&door())
    }

    fn knowing(texts: &[&str]) -> Steering {
        let (suite, mut steering) = (door(), Steering::default());
        let pattern = |text: &&str| {
            let signature = Some(Signature::Died("aborted".to_string()));
            Pattern { signature, ..Pattern::read(text, &suite).unwrap() }
        };
        steering.know(&suite, texts.iter().map(pattern).collect(), true);
        steering
    }

    fn failing(signature: Signature) -> Verdict {
        Verdict::Fail(Box::new(Failure::new(signature, "")))
    }

    #[test]
    fn a_restraint_is_heeded_as_it_was_told() {
        let (suite, here) = (door(), knowing(&["open(); close()", "wait() | open()"]));
        let mut there = Steering::default();
        there.heed(&suite, &here.restraint(&suite));
        assert_eq!(there.restraint(&suite), here.restraint(&suite));
        there.heed(&suite, &Steering::default().restraint(&suite));
        assert!(!there.is_avoiding());
    }

    #[test]
    fn what_hangs_and_what_has_killed_enough_children_is_spared() {
        let (suite, mut here) = (door(), knowing(&["open()", "wait()", "close()"]));
        here.known[1].signature = Some(Signature::Hung);
        let spared = |here: &Steering| {
            let mut there = Steering::default();
            there.heed(&suite, &here.restraint(&suite));
            let is_spared = |pattern: &Pattern| pattern.signature == Some(Signature::Hung);
            there.known.iter().map(is_spared).collect::<Vec<_>>()
        };
        assert_eq!(spared(&here), [false, true, false]);
        let (version, died) = (here.version, Signature::Died("aborted".to_string()));
        for _ in 0..DEATHS {
            here.drawn_elsewhere(&suite, failing(died.clone()), &tape(&[1]));
        }
        assert_eq!(spared(&here), [false, true, true]);
        for _ in 0..DEATHS {
            here.drawn_elsewhere(&suite, failing(died.clone()), &tape(&[0]));
        }
        assert_eq!(spared(&here), [true, true, true]);
        assert_ne!(here.version, version, "a child has to be told");
    }

    #[test]
    fn a_program_that_dies_as_it_is_known_to_is_a_sample() {
        let (suite, mut steering) = (door(), knowing(&["wait(); wait()", "open(); close()"]));
        let (tape, died) = (tape(&[2, 0, 1]), Signature::Died("aborted".to_string()));
        let Ran { verdict, sample, .. } = steering.drawn_elsewhere(&suite, failing(died), &tape);
        let sample = sample.expect("it completes the second pattern");
        assert_eq!((verdict, sample.pattern, sample.passed), (Verdict::Pass, 1, None));
        let other = failing(Signature::Hung);
        let ran = steering.drawn_elsewhere(&suite, other.clone(), &tape);
        assert_eq!((ran.verdict, ran.sample), (other, None), "it is known to die");
    }

    #[test]
    fn a_program_that_passes_although_it_is_known_to_fail_refutes_its_pattern() {
        let (suite, mut steering) = (door(), knowing(&["open(); close()"]));
        let ran = steering.drawn_elsewhere(&suite, Verdict::Pass, &tape(&[1, 0]));
        assert_eq!((ran.verdict, ran.sample), (Verdict::Pass, None));
        let ran = steering.drawn_elsewhere(&suite, Verdict::Pass, &tape(&[0, 1]));
        assert_eq!(ran.verdict, Verdict::Pass);
        assert!(ran.sample.is_some_and(|sample| sample.passed.is_some()));
    }
}
