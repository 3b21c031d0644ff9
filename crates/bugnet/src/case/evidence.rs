//! Evidence: what the programs that were run have shown, so that none is run in vain, and chance is known
//! for what it is.
//!
//! A call that has held after certain others holds after them again. Where one fails all the same, the
//! failure came by chance, and the program is run again before anything is made of it.
//!
//! **Invariant:** nothing here depends on the order in which programs were run, but for what is forgotten.

use crate::choice::Tape;
use crate::oracle::{Signature, Verdict};
use crate::program::CALL;
use std::collections::HashSet;

/// Programs that are remembered, at most.
const MOST: usize = 100_000;

/// The verdicts of programs that were run.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    /// Programs that have passed.
    passed: HashSet<u64>,
    /// Beginnings of programs, each with a last call that has held.
    held: HashSet<u64>,
    /// Beginnings of programs that have failed in their last call.
    failed: HashSet<u64>,
    /// True if anything has failed by chance.
    unsteady: bool,
}

impl Evidence {
    /// Returns true if a program is known to pass, and need not be run.
    pub(crate) fn has_passed(&self, tape: &Tape) -> bool {
        self.passed.contains(&whole(tape))
    }

    /// Takes note of what became of a program, given the tape that it left. `false` if that is not to be
    /// believed: it has failed in a call that has held before; or, where that has happened, for the first
    /// time in another manner than one may expect.
    pub(crate) fn add(
        &mut self,
        program: &Tape,
        ran: &Tape,
        verdict: &Verdict,
        expected: Option<&Signature>,
    ) -> bool {
        let keys = keys(ran);
        let mut ends = Vec::new();
        for span in &ran.spans {
            if span.label == CALL {
                ends.push(span.end);
            }
        }
        if let Verdict::Fail(_) = verdict {
            ends.pop();
        }
        let Evidence { passed, held, failed, unsteady } = self;
        let room = passed.len().max(held.len()).max(failed.len()) < MOST;
        match (verdict, keys.last()) {
            (Verdict::Fail(failure), Some(key)) => {
                if held.contains(key) {
                    *unsteady = true;
                    return false;
                }
                let is_expected = expected.is_none_or(|expected| failure.signature == *expected);
                let is_new = failed.insert(*key);
                if is_new && !is_expected && *unsteady {
                    return false;
                }
            }
            _ if room => {
                passed.insert(whole(program));
            }
            _ => {}
        }
        if room && *verdict != Verdict::Discard {
            for end in ends {
                held.insert(keys[end]);
            }
        }
        true
    }

    /// Takes note of a failure that did not come again.
    pub(crate) fn doubt(&mut self) {
        self.unsteady = true;
    }

    /// Returns true if anything has failed by chance.
    pub(crate) fn is_unsteady(&self) -> bool {
        self.unsteady
    }
}

/// Returns a hash for each beginning of a tape, from the empty one to the whole.
fn keys(tape: &Tape) -> Vec<u64> {
    let mix = |hash: u64, value: u64| (hash ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let mut keys = vec![1];
    for choice in &tape.choices {
        keys.push(mix(keys[keys.len() - 1], choice.value));
    }
    keys
}

fn whole(tape: &Tape) -> u64 {
    keys(tape).pop().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Failure;
    use crate::program::{Call, Operation, Program, Suite};

    fn clock() -> Suite {
        Suite::new("clock").operation(Operation::new("tick", "tick()", |_| Verdict::Pass)).build()
    }

    fn ticks(count: usize) -> Tape {
        let tick = Call { operation: 0, arguments: Vec::new() };
        Program { features: 0, calls: vec![tick; count] }.tape(&clock())
    }

    /// Returns the tape that this many ticks leave if the last one fails.
    fn broken_off(count: usize) -> Tape {
        let mut tape = ticks(count);
        tape.choices.pop();
        tape
    }

    fn failing(signature: &Signature) -> Verdict {
        Verdict::Fail(Box::new(Failure::new(signature.clone(), String::new())))
    }

    #[test]
    fn a_call_that_has_held_fails_by_chance() {
        let (mut evidence, fails) = (Evidence::default(), failing(&Signature::NoPanic));
        assert!(evidence.add(&ticks(3), &ticks(3), &Verdict::Pass, None));
        assert!(evidence.add(&ticks(5), &broken_off(4), &fails, None), "nothing is known of the fourth call");
        assert!(!evidence.is_unsteady());
        assert!(!evidence.add(&ticks(5), &broken_off(2), &fails, None));
        assert!(evidence.is_unsteady());
    }

    #[test]
    fn the_calls_before_one_that_fails_have_held() {
        let (mut evidence, fails) = (Evidence::default(), failing(&Signature::NoPanic));
        assert!(evidence.add(&ticks(4), &broken_off(4), &fails, None));
        assert!(evidence.add(&ticks(4), &broken_off(4), &fails, None), "it fails again, as it should");
        assert!(!evidence.add(&ticks(4), &broken_off(3), &fails, None));
    }

    #[test]
    fn where_chance_is_known_what_is_not_expected_is_believed_the_second_time() {
        let (mut evidence, expected) = (Evidence::default(), Signature::Hung);
        let (other, same) = (failing(&Signature::NoPanic), failing(&expected));
        assert!(evidence.add(&ticks(2), &broken_off(2), &other, Some(&expected)));
        evidence.doubt();
        assert!(!evidence.add(&ticks(3), &broken_off(3), &other, Some(&expected)));
        assert!(evidence.add(&ticks(3), &broken_off(3), &other, Some(&expected)));
        assert!(evidence.add(&ticks(4), &broken_off(4), &same, Some(&expected)));
    }

    #[test]
    fn only_whole_programs_have_passed() {
        let mut evidence = Evidence::default();
        evidence.add(&ticks(3), &ticks(3), &Verdict::Pass, None);
        evidence.add(&ticks(5), &broken_off(5), &failing(&Signature::NoPanic), None);
        // What ends a program, such as dropping its values, was not seen to hold.
        let passed: Vec<usize> = (1..7).filter(|count| evidence.has_passed(&ticks(*count))).collect();
        assert_eq!(passed, [3]);
    }
}
