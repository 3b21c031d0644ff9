//! Sampling: what the inputs show that are run to find out how wide a form may be.
//!
//! **Invariant:** an input that is known to fail for another reason is no evidence.

use super::avoid_forms::KnownForms;
use crate::case::{Finder, Found};
use crate::choice::Tape;
use crate::form::Outcome;
use crate::oracle::{Signature, Verdict};

/// The most inputs that fail otherwise and are kept.
const BESIDE: usize = 4;

/// Judges the samples of one form.
pub(super) struct Sampling<'a> {
    shield: &'a KnownForms<'a>,
    signature: &'a Signature,
    /// The bug whose form it is, if it had one before.
    bug: Option<usize>,
    /// Inputs that failed otherwise.
    pub(super) beside: Vec<Found>,
}

impl<'a> Sampling<'a> {
    /// Of inputs that fail so, and of a bug if it is known.
    pub(super) fn new(
        shield: &'a KnownForms<'a>,
        signature: &'a Signature,
        bug: Option<usize>,
    ) -> Sampling<'a> {
        Sampling { shield, signature, bug, beside: Vec::new() }
    }

    /// Says what the verdict on an input shows.
    pub(super) fn shown(&mut self, verdict: Verdict, tape: &Tape) -> Outcome {
        let failure = match verdict {
            Verdict::Pass => return Outcome::Differs,
            Verdict::Discard => return Outcome::Unclear,
            Verdict::Fail(failure) => *failure,
        };
        let same = failure.signature == *self.signature;
        let is_known = self.shield.finds(tape, &failure.signature, self.bug);
        if !same && !is_known && self.beside.len() < BESIDE {
            let found = Found { tape: tape.clone(), failure, confirmed: false, by: Finder::Sampling };
            self.beside.push(found);
        }
        if same && !is_known { Outcome::Fails } else { Outcome::Unclear }
    }
}
