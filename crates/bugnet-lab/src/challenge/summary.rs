//! The figures of one peer on one problem, over all seeds.
//!
//! Means are over the runs that found a failure: the others have nothing to shrink.

use std::collections::BTreeMap;

use super::outcome::Outcome;

#[derive(Clone, Debug)]
pub struct Summary {
    pub runs: usize,
    pub found: usize,
    pub minimal: usize,
    pub evaluations_until_failure: Estimate,
    pub evaluations_after_failure: Estimate,
    /// The number of different counterexamples that the runs ended with.
    pub distinct: usize,
    /// The final counterexamples that are not minimal, most frequent first.
    pub missed: Vec<(String, usize)>,
}

/// A mean and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub mean: f64,
    pub error: f64,
}

impl Summary {
    pub fn of(outcomes: &[Outcome]) -> Self {
        let found: Vec<&Outcome> = outcomes.iter().filter(|outcome| outcome.found).collect();
        let mut results: BTreeMap<&str, (bool, usize)> = BTreeMap::new();
        for outcome in &found {
            results.entry(&outcome.shown).or_insert((outcome.minimal, 0)).1 += 1;
        }
        let missed = results.iter().filter(|(_, (minimal, _))| !minimal);
        let mut missed: Vec<_> = missed.map(|(shown, (_, runs))| (shown.to_string(), *runs)).collect();
        // Stable, so that results of equal frequency stay in alphabetical order.
        missed.sort_by_key(|(_, runs)| std::cmp::Reverse(*runs));
        let until = |o: &&Outcome| o.total_evaluations - o.evaluations_after_first_failure;
        let after = |o: &&Outcome| o.evaluations_after_first_failure;
        Summary {
            runs: outcomes.len(),
            found: found.len(),
            minimal: found.iter().filter(|outcome| outcome.minimal).count(),
            evaluations_until_failure: Estimate::of(found.iter().map(until)),
            evaluations_after_failure: Estimate::of(found.iter().map(after)),
            distinct: results.len(),
            missed,
        }
    }

    /// The share of all runs, in percent, that ended at the known minimum.
    pub fn minimal_percent(&self) -> f64 {
        100.0 * self.minimal as f64 / self.runs as f64
    }

    /// The share of all runs, in percent, that found a failure at all.
    pub fn found_percent(&self) -> f64 {
        100.0 * self.found as f64 / self.runs as f64
    }
}

impl Estimate {
    fn of(counts: impl Iterator<Item = u64> + Clone) -> Self {
        let n = counts.clone().count() as f64;
        let mean = counts.clone().map(|count| count as f64).sum::<f64>() / n;
        let squares: f64 = counts.map(|count| (count as f64 - mean).powi(2)).sum();
        Estimate { mean, error: (squares / (n - 1.0) / n).sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(shown: &str, minimal: bool, after: u64) -> Outcome {
        Outcome {
            found: true,
            minimal,
            evaluations_after_first_failure: after,
            total_evaluations: after + 5,
            shown: shown.to_owned(),
        }
    }

    #[test]
    fn means_carry_their_standard_error() {
        // Deviations 1, 0, 1: a variance of 1, and sqrt(1 / 3) for the error of the mean.
        let estimate = Estimate::of([1, 2, 3].into_iter());
        assert_eq!(estimate.mean, 2.0);
        assert!((estimate.error - (1.0f64 / 3.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn runs_without_failure_lower_the_share_but_not_the_means() {
        let nothing = Outcome { found: false, ..outcome("", false, 0) };
        let summary = Summary::of(&[outcome("[0]", true, 10), nothing]);
        assert_eq!(summary.minimal_percent(), 50.0);
        assert_eq!(summary.evaluations_after_failure.mean, 10.0);
        assert_eq!(summary.evaluations_until_failure.mean, 5.0);
        assert_eq!(summary.distinct, 1);
    }

    #[test]
    fn missed_minima_come_most_frequent_first() {
        let shown = [("[1]", false), ("[2]", false), ("[0]", true), ("[2]", false)];
        let summary = Summary::of(&shown.map(|(text, minimal)| outcome(text, minimal, 1)));
        assert_eq!(summary.missed, [("[2]".to_owned(), 2), ("[1]".to_owned(), 1)]);
        assert_eq!(summary.distinct, 3);
    }
}
