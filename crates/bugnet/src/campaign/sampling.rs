//! Sampling: makes and runs inputs to find out how wide a form may be.
//!
//! **Invariant:** an input that is known to fail for another reason is no evidence.

use super::judge::{Found, Judge, Misuse};
use super::shield::Shield;
use super::test::Test;
use crate::bug::value::{Outcome, Trial};
use crate::choice::{Source, Tape};
use crate::oracle::{Signature, Verdict};
use std::time::Duration;

/// So many inputs are run, at most, to find a form.
const RUNS: u64 = 2_000;
/// So many inputs that fail otherwise are kept.
const BESIDE: usize = 4;

/// Makes and runs the samples of a form.
pub(super) struct Sampling<'a, 'b> {
    judge: Judge<'b>,
    shield: &'a Shield<'a>,
    signature: &'a Signature,
    /// The bug whose form it is, if it had one before.
    bug: Option<usize>,
    runs: u64,
    clock: &'a dyn Fn() -> Duration,
    end: Duration,
    pub(super) misuse: Option<Misuse>,
    /// What failed otherwise.
    pub(super) beside: Vec<Found>,
}

impl<'a, 'b> Sampling<'a, 'b> {
    /// Samples of inputs that fail so, of a bug if it is known; with a clock, and for so long.
    pub(super) fn new(
        judge: Judge<'b>,
        shield: &'a Shield<'a>,
        signature: &'a Signature,
        bug: Option<usize>,
        (clock, time): (&'a dyn Fn() -> Duration, Duration),
    ) -> Sampling<'a, 'b> {
        let end = clock() + time;
        Sampling { judge, shield, signature, bug, runs: RUNS, clock, end, misuse: None, beside: Vec::new() }
    }
}

impl Trial for Sampling<'_, '_> {
    fn made(&mut self, mut source: Source) -> Option<Tape> {
        // What draws while it runs has to run.
        match self.judge.case(&mut source, &mut Source::is_unfinished) {
            Ok(Some(Verdict::Discard)) => None,
            Ok(_) => Some(source.into_tape()),
            Err(misuse) => {
                self.misuse = Some(misuse);
                None
            }
        }
    }

    fn ran(&mut self, tape: Tape) -> Option<(Outcome, Tape)> {
        self.runs = self.runs.checked_sub(1)?;
        if self.misuse.is_some() || (self.clock)() >= self.end {
            return None;
        }
        match self.judge.recorded(Source::replay(tape)) {
            Ok((Verdict::Pass, tape)) => Some((Outcome::Differs, tape)),
            Ok((Verdict::Discard, tape)) => Some((Outcome::Unclear, tape)),
            Ok((Verdict::Fail(failure), tape)) => {
                let same = failure.signature == *self.signature;
                let is_known = self.shield.finds(&tape, &failure.signature, self.bug);
                if !same && !is_known && self.beside.len() < BESIDE {
                    let found =
                        Found { tape: tape.clone(), failure: *failure, confirmed: false, by: "sampling" };
                    self.beside.push(found);
                }
                let outcome = if same && !is_known { Outcome::Fails } else { Outcome::Unclear };
                Some((outcome, tape))
            }
            Err(misuse) => {
                self.misuse = Some(misuse);
                None
            }
        }
    }
}

/// A judge of another test.
pub(super) fn with_test<'b>(judge: &'b mut Judge<'_>, test: &'b dyn Test) -> Judge<'b> {
    Judge { test, journal: judge.journal }
}
