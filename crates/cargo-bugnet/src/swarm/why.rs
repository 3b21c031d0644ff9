//! Why tests fail: which features trigger each failure, and which suppress it.
//!
//! Every failure is compared with the tests that its targets took and passed. A test that died otherwise on the same
//! target says nothing certain about this failure (competing risks): counted as passing, a feature that triggers an
//! earlier crash would look like a suppressor of a later one, which it only masks. Numbers enter as below and above
//! the median of what was drawn.
//!
//! **Invariant:** what is said is decided by the library's one rule, corrected for all comparisons of the campaign
//! together.

use super::file::{Feature, Kind};
use super::setup::{Setting, Setup, item_name};
use crate::store::outcome::Mark;
use crate::store::reasons::Reasons;
use bugnet::swarm::{Configuration, Part, Scheme, Tally, influences};
use std::collections::BTreeMap;

/// The signature of the failure that is being explained.
const THIS: &str = "this failure";

/// One test: its setup, and what became of it at each target, by the numbers of failures.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Test {
    pub(crate) setup: Setup,
    pub(crate) marks: Vec<Mark<i64>>,
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

/// The evidence of a test about one failure, the strongest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Says {
    /// It died otherwise on the same target.
    Nothing,
    Passed,
    Failed,
}

/// A test as it is counted for one failure: how it was drawn, what it had, and what it says.
type Counted<'a> = (&'a Configuration, &'a [bool], Says);

/// Explains failures; `failures` has the numbers under which each is marked.
pub(crate) fn explain(
    columns: &Columns,
    tests: &[Test],
    failures: &[Vec<i64>],
    scheme: Scheme,
) -> Vec<Reasons> {
    let rows: Vec<Vec<bool>> = tests.iter().map(|test| columns.row(&test.setup)).collect();
    let tally = |failure: &Vec<i64>| {
        let mut tally = Tally::default();
        for (configuration, row, says) in counted(tests, &rows, failure, scheme) {
            let on = columns.names.iter().map(String::as_str).zip(row.iter().copied());
            let signatures: &[&str] = match says {
                Says::Failed => &[THIS],
                Says::Nothing => &["another failure"],
                Says::Passed => &[],
            };
            tally.count_several(configuration, on, signatures);
        }
        tally.retain(|signature| signature == THIS);
        tally
    };
    let tallies: Vec<Tally> = failures.iter().map(tally).collect();
    influences(&tallies).into_iter().map(Reasons::of).collect()
}

/// Returns the tests that say something about a failure, or that died of another one.
///
/// Where a scheme takes turns among few configurations, each of them counts once: tests of one configuration always
/// have the same features in common.
fn counted<'a>(
    tests: &'a [Test],
    rows: &'a [Vec<bool>],
    failure: &[i64],
    scheme: Scheme,
) -> Vec<Counted<'a>> {
    let is_this = |mark: &Mark<i64>| matches!(mark, Mark::Failed(id) if failure.contains(id));
    let targets = tests.first().map_or(0, |test| test.marks.len());
    let own: Vec<usize> =
        (0..targets).filter(|target| tests.iter().any(|test| is_this(&test.marks[*target]))).collect();
    let says = |test: &Test| {
        let marks = || own.iter().map(|target| &test.marks[*target]);
        match () {
            () if marks().any(is_this) => Some(Says::Failed),
            () if marks().any(|mark| matches!(mark, Mark::Failed(_))) => Some(Says::Nothing),
            () if marks().all(|mark| *mark == Mark::Rejected) => None,
            () => Some(Says::Passed),
        }
    };
    let counted = tests.iter().zip(rows).filter_map(|(test, row)| {
        let says = says(test)?;
        Some((&test.setup.configuration, row.as_slice(), says))
    });
    if !takes_turns(scheme) {
        return counted.collect();
    }
    let mut once: BTreeMap<String, Counted<'_>> = BTreeMap::new();
    for (configuration, row, says) in counted {
        let entry = once.entry(configuration.to_string()).or_insert((configuration, row, says));
        entry.2 = entry.2.max(says);
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

#[cfg(test)]
mod tests;
