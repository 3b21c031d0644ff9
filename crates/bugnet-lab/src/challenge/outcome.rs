//! The outcome of one run of one peer on one problem, and the tally that counts it.
//!
//! Evaluations are counted where the property is evaluated, so that the figure means the same for
//! every peer, whatever the peer itself calls a test case or a shrinking step. Discarded inputs
//! count: the property was called on them.

use serde::Deserialize;

use super::problem::{Input, Verdict};

/// The end of one run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Outcome {
    /// True if the run found any failing input.
    pub found: bool,
    /// True if it ended at the known minimum.
    pub minimal: bool,
    pub evaluations_after_first_failure: u64,
    pub total_evaluations: u64,
    /// The final counterexample; empty if none was found.
    pub shown: String,
}

/// Judges inputs for a peer and remembers what an outcome needs.
#[derive(Debug, Default)]
pub struct Tally {
    evaluations: u64,
    first_failure: Option<u64>,
    minimal: bool,
    shown: String,
}

impl Tally {
    /// Evaluates the property. The last input that fails is taken for the final counterexample:
    /// every peer either moves on only to inputs that fail or replays its result at the end.
    pub fn judge(&mut self, input: &impl Input) -> Verdict {
        self.evaluations += 1;
        let verdict = input.verdict();
        if verdict == Verdict::Failure {
            self.first_failure.get_or_insert(self.evaluations);
            self.minimal = input.is_minimal();
            self.shown = format!("{input:?}");
        }
        verdict
    }

    pub fn outcome(self) -> Outcome {
        Outcome {
            found: self.first_failure.is_some(),
            minimal: self.minimal,
            evaluations_after_first_failure: self.first_failure.map_or(0, |first| self.evaluations - first),
            total_evaluations: self.evaluations,
            shown: self.shown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::challenge::problem::Lengthlist;

    fn outcome_of(lists: &[&[u16]]) -> Outcome {
        let mut tally = Tally::default();
        for list in lists {
            tally.judge(&Lengthlist(list.to_vec()));
        }
        tally.outcome()
    }

    #[test]
    fn evaluations_after_the_first_failure_include_passes_and_discards() {
        let outcome = outcome_of(&[&[1], &[950], &[], &[899], &[900]]);
        assert_eq!(outcome.total_evaluations, 5);
        assert_eq!(outcome.evaluations_after_first_failure, 3);
    }

    #[test]
    fn the_last_failing_input_is_the_counterexample() {
        let outcome = outcome_of(&[&[950], &[900], &[899]]);
        assert!(outcome.found && outcome.minimal);
        assert_eq!(outcome.shown, "Lengthlist([900])");
        assert!(!outcome_of(&[&[900], &[950]]).minimal);
    }

    #[test]
    fn a_run_without_failure_has_found_nothing() {
        let outcome = outcome_of(&[&[1], &[2]]);
        assert!(!outcome.found && !outcome.minimal);
        assert_eq!(outcome.evaluations_after_first_failure, 0);
    }
}
