//! Why tests fail: which features trigger each failure, and which suppress it.
//!
//! Every failure is compared with the tests that its targets took and passed. A test that died otherwise on the same
//! target says nothing about this failure (competing risks): counted as passing, a feature that triggers an earlier
//! crash would look like a suppressor of a later one, which it only masks. Numbers enter as below and above the
//! median of what was drawn.
//!
//! **Invariant:** what is said is corrected for all comparisons of the campaign together.

use super::file::{Feature, Kind};
use super::setup::{Setting, Setup, item_name};
use crate::store::campaign::Influence;
use crate::store::outcome::Mark;
use bugnet::swarm::statistics::benjamini_hochberg;
use bugnet::swarm::{self, Configuration, Effect, Part, Scheme, Tally};
use std::collections::BTreeMap;

/// The share of the triggers and suppressors shown that may be wrong.
const FALSE_DISCOVERIES: f64 = 0.05;

/// One test: its setup, and what became of it at each target, by the numbers of failures.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Test {
    pub(crate) setup: Setup,
    pub(crate) marks: Vec<Mark<i64>>,
}

/// The features that influence one failure.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Reasons {
    pub(crate) triggers: Vec<Influence>,
    pub(crate) suppressors: Vec<Influence>,
    pub(crate) others: Vec<Influence>,
}

/// The features of a test as yes or no, with the names that are shown.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Columns {
    pub(crate) names: Vec<String>,
    /// The median of each number.
    medians: BTreeMap<usize, i64>,
}

impl Columns {
    /// The columns of tests.
    pub(crate) fn of(features: &[Feature], tests: &[Test]) -> Columns {
        let mut columns = Columns { names: Vec::new(), medians: BTreeMap::new() };
        for (place, feature) in features.iter().enumerate() {
            match &feature.kind {
                Kind::Switch { .. } => columns.names.push(feature.name.clone()),
                Kind::List { items, .. } => {
                    columns.names.extend(items.iter().map(|item| item_name(&feature.name, item)));
                }
                Kind::Number { .. } => {
                    let drawn = tests.iter().filter(|test| test.setup.configuration.part() != Part::All);
                    let mut drawn: Vec<i64> = drawn
                        .filter_map(|test| match test.setup.settings[place] {
                            Setting::Number(value) => value,
                            _ => None,
                        })
                        .collect();
                    drawn.sort_unstable();
                    let median = drawn.get(drawn.len().saturating_sub(1) / 2).copied().unwrap_or(0);
                    columns.medians.insert(place, median);
                    columns.names.push(format!("{} > {median}", feature.name));
                }
            }
        }
        columns
    }

    /// Returns, for each column, true if a test has it.
    pub(crate) fn row(&self, setup: &Setup) -> Vec<bool> {
        let mut row = Vec::new();
        for (place, setting) in setup.settings.iter().enumerate() {
            match setting {
                Setting::Switch(is_on) => row.push(*is_on),
                Setting::List(are_in) => row.extend(are_in),
                Setting::Number(value) => row.push(value.is_some_and(|value| value > self.medians[&place])),
            }
        }
        row
    }
}

/// Explains failures; `failures` has the numbers under which each is marked.
pub(crate) fn explain(
    columns: &Columns,
    tests: &[Test],
    failures: &[Vec<i64>],
    scheme: Scheme,
) -> Vec<Reasons> {
    let rows: Vec<Vec<bool>> = tests.iter().map(|test| columns.row(&test.setup)).collect();
    let mut compared: Vec<Vec<swarm::Influence>> = Vec::new();
    for failure in failures {
        let mut tally = Tally::default();
        for (configuration, row, fails) in counted(tests, &rows, failure, scheme) {
            let on = columns.names.iter().map(String::as_str).zip(row.iter().copied());
            tally.count(configuration, on, [], fails.then_some("failure"));
        }
        compared.push(tally.influences());
    }
    let p: Vec<f64> = compared.iter().flatten().map(|influence| influence.p).collect();
    let mut adjusted = benjamini_hochberg(&p).into_iter();
    compared.into_iter().map(|influences| reasons(influences, &mut adjusted)).collect()
}

/// The tests that say something about a failure: how each was drawn, what it had, and whether it failed so.
///
/// Where a scheme takes turns among few configurations, each of them counts once: tests of one configuration always
/// have the same features in common.
fn counted<'a>(
    tests: &'a [Test],
    rows: &'a [Vec<bool>],
    failure: &[i64],
    scheme: Scheme,
) -> Vec<(&'a Configuration, &'a [bool], bool)> {
    let is_this = |mark: &Mark<i64>| matches!(mark, Mark::Failed(id) if failure.contains(id));
    let targets = tests.first().map_or(0, |test| test.marks.len());
    let own: Vec<usize> =
        (0..targets).filter(|target| tests.iter().any(|test| is_this(&test.marks[*target]))).collect();
    let mut counted = Vec::new();
    for (test, row) in tests.iter().zip(rows) {
        let marks: Vec<&Mark<i64>> = own.iter().map(|target| &test.marks[*target]).collect();
        let fails = marks.iter().any(|mark| is_this(mark));
        let died_otherwise = marks.iter().any(|mark| matches!(mark, Mark::Failed(_)));
        let was_rejected = marks.iter().all(|mark| **mark == Mark::Rejected);
        if fails || !died_otherwise && !was_rejected {
            counted.push((&test.setup.configuration, row.as_slice(), fails));
        }
    }
    if !takes_turns(scheme) {
        return counted;
    }
    let mut once: BTreeMap<String, (&Configuration, &[bool], bool)> = BTreeMap::new();
    for (configuration, row, fails) in counted {
        let entry = once.entry(configuration.to_string()).or_insert((configuration, row, false));
        entry.2 |= fails;
    }
    once.into_values().collect()
}

/// Returns whether a scheme has few configurations, which come again and again.
fn takes_turns(scheme: Scheme) -> bool {
    match scheme {
        Scheme::Set(_) | Scheme::Covering(..) | Scheme::Complete => true,
        Scheme::WithAll(scheme) => takes_turns(*scheme),
        Scheme::All | Scheme::Coin(_) | Scheme::Uniform | Scheme::Weighted | Scheme::Mix => false,
    }
}

/// Sorts the influences of one failure, by their adjusted probabilities.
fn reasons(influences: Vec<swarm::Influence>, adjusted: &mut impl Iterator<Item = f64>) -> Reasons {
    let mut reasons = Reasons::default();
    for influence in influences {
        let q = adjusted.next().expect("there is one for each");
        let is_more = influence.share() > influence.expected;
        let shown = Influence {
            feature: influence.feature.clone(),
            failing_with: influence.failing_with,
            failing: influence.failing_with + influence.failing_without,
            all_with: influence.all_with,
            all: influence.all_with + influence.all_without,
            expected: influence.expected,
            interval: influence.interval,
            p: influence.p,
            q,
            is_undecided: influence.effect == Effect::NotEnough,
        };
        match q <= FALSE_DISCOVERIES {
            true if is_more => reasons.triggers.push(shown),
            true => reasons.suppressors.push(shown),
            false => reasons.others.push(shown),
        }
    }
    reasons
}

#[cfg(test)]
mod tests;
