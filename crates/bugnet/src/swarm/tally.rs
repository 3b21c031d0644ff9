//! The tally: which features the tests of a campaign had, and how the tests ended.
//!
//! A feature's presence has two meanings, counted apart. As *configured*, it is an experiment: a
//! coin decided, so a difference is the feature's doing. As *used*, it is an observation: a
//! feature that was on may not have come up, and a test that stopped early used less.
//!
//! Where the share of features is drawn per test, all features are on together more often than by
//! chance: if `push` triggers a bug, the failing tests have large shares, and every other feature
//! looks like a trigger too. So tests are counted in strata of their share, and compared only
//! within a stratum.
//!
//! **Invariant:** what is computed from a tally does not depend on the order of its tests.

use super::statistics::Table;
use super::{Configuration, Part};

/// Shares are told apart to a sixteenth.
const STEPS: usize = 16;
/// Each step without and with weights, and at the end the tests that had everything.
pub(super) const STRATA: usize = 2 * STEPS + 1;
/// A stratum of fewer tests is joined with the next one: alone, it could hardly say anything.
const LEAST_TESTS: u64 = 20;

/// In what sense a test had a feature.
///
/// ```
/// use bugnet::swarm::Presence;
///
/// assert_eq!(Presence::Configured.to_string(), "as configured");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Presence {
    /// The configuration left the feature in.
    Configured,
    /// The test used the feature.
    Used,
}

/// The end of a test, as seen from a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending<F> {
    /// It passed.
    Passed,
    /// It failed so: with this signature, or with those at these places.
    Failed(F),
    /// It died of something else, so nobody knows if this failure would have come.
    Masked,
}

/// The treatment of tests that failed with another signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Others {
    /// As tests that did not fail with this one.
    Passed,
    /// Not at all: what they would have come to if they had not died first, nobody knows.
    Apart,
}

/// Counts per failure and feature, from which [`influences`](Tally::influences) are computed.
///
/// ```
/// use bugnet::swarm::{Feature, Scheme, Swarm, Tally};
///
/// let names = ["push", "pop", "clear"];
/// let swarm = Swarm::new(Scheme::Uniform, []);
/// let mut tally = Tally::default();
/// for word in 1..500u64 {
///     let configuration = swarm.configuration(word, word);
///     let on = names.map(|name| (name, configuration.is_on(Feature::named(name))));
///     let overflows = on[0].1 && !on[1].1;
///     tally.count(&configuration, on, on, overflows.then_some("overflow"));
/// }
/// let strongest = &tally.influences()[..2];
/// assert!(strongest.iter().all(|influence| influence.feature != "clear"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    pub(super) names: Vec<String>,
    /// The places of the names, in alphabetical order.
    alphabetical: Vec<usize>,
    pub(super) tests: u64,
    /// The number of them that failed, in whatever way.
    pub(super) failing: u64,
    pub(super) all: Counts,
    /// The tests that failed, in whatever way. Those that are in no [`Failures`] were masked.
    pub(super) failed: Counts,
    /// By their signatures.
    pub(super) failures: Vec<Failures>,
}

/// The tests that failed in one way.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Failures {
    pub(super) signature: String,
    pub(super) tests: u64,
    pub(super) counts: Counts,
}

/// Tests per presence, feature and stratum.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Counts(pub(super) [Vec<Strata>; 2]);

/// Tests per stratum, without and with the feature.
pub(super) type Strata = [[u64; 2]; STRATA];

impl Counts {
    fn add(&mut self, presence: Presence, place: usize, stratum: usize, has: bool) {
        let features = &mut self.0[presence as usize];
        if features.len() <= place {
            features.resize(place + 1, [[0; 2]; STRATA]);
        }
        features[place][stratum][usize::from(has)] += 1;
    }

    /// Adds up the counts of another tally, whose feature `place` is here at `places[place]`.
    #[inline]
    fn merge(&mut self, other: &Counts, places: &[usize]) {
        for (mine, others) in self.0.iter_mut().zip(&other.0) {
            for (place, strata) in others.iter().enumerate() {
                let place = places[place];
                if mine.len() <= place {
                    mine.resize(place + 1, [[0; 2]; STRATA]);
                }
                for (mine, other) in mine[place].iter_mut().zip(strata) {
                    mine[0] += other[0];
                    mine[1] += other[1];
                }
            }
        }
    }

    fn of(&self, presence: Presence, place: usize) -> Strata {
        self.0[presence as usize].get(place).copied().unwrap_or([[0; 2]; STRATA])
    }
}

impl Tally {
    /// Failures that are enough to see what influences them.
    pub(crate) const ENOUGH: u64 = 100;

    /// Counts one test, which passed or failed with a signature. Tests that were discarded should
    /// not be counted. A test names each feature at most once; features that it does not name are
    /// not counted for it.
    ///
    /// A test that was configured to have everything is not counted as configured: there is no
    /// test like it that lacks a feature. What it used is counted.
    ///
    /// Each test is taken for a fresh draw. Where a scheme takes turns among few configurations,
    /// count one test for each configuration and signature, or what two features always had in
    /// common in that set will look like the doing of both.
    ///
    /// ```
    /// use bugnet::swarm::{Scheme, Swarm, Tally};
    ///
    /// let configuration = Swarm::new(Scheme::Uniform, []).configuration(7, 0);
    /// let mut tally = Tally::default();
    /// tally.count(&configuration, [("push", true), ("pop", true)], [("push", true), ("pop", false)], None);
    /// ```
    pub fn count<'a>(
        &mut self,
        configuration: &Configuration,
        configured: impl IntoIterator<Item = (&'a str, bool)>,
        used: impl IntoIterator<Item = (&'a str, bool)>,
        outcome: Option<&str>,
    ) {
        self.count_ending(configuration, configured, used, outcome.map_or(Ending::Passed, Ending::Failed));
    }

    /// Counts one test, as [`count`](Tally::count) does; it may have died of a failure that has its own tally.
    pub(crate) fn count_ending<'a>(
        &mut self,
        configuration: &Configuration,
        configured: impl IntoIterator<Item = (&'a str, bool)>,
        used: impl IntoIterator<Item = (&'a str, bool)>,
        ending: Ending<&str>,
    ) {
        let places = match ending {
            Ending::Failed(signature) => Ending::Failed(self.count_failures(&[signature])),
            Ending::Passed => Ending::Passed,
            Ending::Masked => Ending::Masked,
        };
        self.count_test(configuration, configured, used, &places);
    }

    /// Counts one test that may have failed in several ways.
    ///
    /// ```
    /// use bugnet::swarm::{Configuration, Tally};
    ///
    /// let mut tally = Tally::default();
    /// tally.count_several(&Configuration::ALL, [], &["overflow", "hang"]);
    /// tally.count_several(&Configuration::ALL, [], &[]);
    /// assert_eq!(tally.tests(), 2);
    /// assert_eq!(tally.failures().collect::<Vec<_>>(), [("hang", 1), ("overflow", 1)]);
    /// ```
    pub fn count_several<'a>(
        &mut self,
        configuration: &Configuration,
        configured: impl IntoIterator<Item = (&'a str, bool)>,
        signatures: &[&str],
    ) {
        let ending = match signatures {
            [] => Ending::Passed,
            _ => Ending::Failed(self.count_failures(signatures)),
        };
        self.count_test(configuration, configured, [], &ending);
    }

    fn count_test<'a>(
        &mut self,
        configuration: &Configuration,
        configured: impl IntoIterator<Item = (&'a str, bool)>,
        used: impl IntoIterator<Item = (&'a str, bool)>,
        ending: &Ending<Vec<usize>>,
    ) {
        self.tests += 1;
        self.failing += u64::from(*ending != Ending::Passed);
        let stratum = stratum(configuration);
        if configuration.part() != Part::All {
            for (at, (name, has)) in configured.into_iter().enumerate() {
                let place = self.place_of(name, at);
                self.add(ending, Presence::Configured, place, stratum, has);
            }
        }
        for (at, (name, has)) in used.into_iter().enumerate() {
            let place = self.place_of(name, at);
            self.add(ending, Presence::Used, place, stratum, has);
        }
    }

    /// Returns the number of tests that were counted.
    ///
    /// ```
    /// assert_eq!(bugnet::swarm::Tally::default().tests(), 0);
    /// ```
    pub fn tests(&self) -> u64 {
        self.tests
    }

    /// The number of them that failed, in whatever way.
    ///
    /// ```
    /// use bugnet::swarm::{Configuration, Tally};
    ///
    /// let mut tally = Tally::default();
    /// tally.count_several(&Configuration::ALL, [], &["overflow", "hang"]);
    /// assert_eq!((tally.tests(), tally.failing()), (1, 1));
    /// ```
    pub fn failing(&self) -> u64 {
        self.failing
    }

    /// The signatures that tests failed with, in alphabetical order, and how many did.
    ///
    /// ```
    /// use bugnet::swarm::{Configuration, Tally};
    ///
    /// let mut tally = Tally::default();
    /// tally.count(&Configuration::ALL, [], [], Some("overflow"));
    /// assert_eq!(tally.failures().collect::<Vec<_>>(), [("overflow", 1)]);
    /// ```
    #[inline]
    pub fn failures(&self) -> impl Iterator<Item = (&str, u64)> {
        self.failures.iter().map(|failures| (failures.signature.as_str(), failures.tests))
    }

    /// Adds the tests of another tally.
    ///
    /// ```
    /// use bugnet::swarm::{Scheme, Swarm, Tally};
    ///
    /// let swarm = Swarm::new(Scheme::Uniform, []);
    /// let (mut whole, mut parts) = (Tally::default(), [Tally::default(), Tally::default()]);
    /// for case in 0..100 {
    ///     let (configuration, fails) = (swarm.configuration(case + 1, case), case % 9 == 0);
    ///     let features = [("push", case % 2 == 0), ("pop", case % 3 == 0)];
    ///     for tally in [&mut whole, &mut parts[case as usize % 2]] {
    ///         tally.count(&configuration, features, [], fails.then_some("overflow"));
    ///     }
    /// }
    /// let [mut sum, other] = parts;
    /// sum.merge(&other);
    /// assert_eq!(sum.influences(), whole.influences());
    /// ```
    #[inline]
    pub fn merge(&mut self, other: &Tally) {
        let mut places = Vec::new();
        for (at, name) in other.names.iter().enumerate() {
            places.push(self.place_of(name, at));
        }
        self.tests += other.tests;
        self.failing += other.failing;
        self.all.merge(&other.all, &places);
        self.failed.merge(&other.failed, &places);
        for failures in &other.failures {
            let place = self.place_of_failure(&failures.signature);
            self.failures[place].tests += failures.tests;
            self.failures[place].counts.merge(&failures.counts, &places);
        }
    }

    /// Gives the tests that failed with one signature another: where two signatures have turned out to
    /// be one failure.
    ///
    /// ```
    /// use bugnet::swarm::{Configuration, Tally};
    ///
    /// let mut tally = Tally::default();
    /// tally.count(&Configuration::ALL, [], [], Some("overflow at line 3"));
    /// tally.count(&Configuration::ALL, [], [], Some("overflow at line 4"));
    /// tally.rename("overflow at line 4", "overflow at line 3");
    /// assert_eq!(tally.failures().collect::<Vec<_>>(), [("overflow at line 3", 2)]);
    /// ```
    #[inline]
    pub fn rename(&mut self, signature: &str, new: &str) {
        let Ok(old) = self.failures_with(signature) else { return };
        let moved = self.failures.remove(old);
        let place = self.place_of_failure(new);
        let places: Vec<usize> = (0..self.names.len()).collect();
        self.failures[place].tests += moved.tests;
        self.failures[place].counts.merge(&moved.counts, &places);
    }

    /// Forgets how tests failed unless `is_kept` says so: they count as tests that died of something else.
    ///
    /// ```
    /// use bugnet::swarm::{Configuration, Tally};
    ///
    /// let mut tally = Tally::default();
    /// tally.count_several(&Configuration::ALL, [], &["overflow", "misuse"]);
    /// tally.retain(|signature| signature == "overflow");
    /// assert_eq!(tally.failures().collect::<Vec<_>>(), [("overflow", 1)]);
    /// ```
    pub fn retain(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.failures.retain(|failures| is_kept(&failures.signature));
    }

    /// The tally as if tests had failed with this signature or not at all: for tests that go on after other failures, which
    /// therefore mask nothing.
    ///
    /// ```
    /// use bugnet::swarm::{Configuration, Tally};
    ///
    /// let mut tally = Tally::default();
    /// tally.count_several(&Configuration::ALL, [], &["overflow", "misuse"]);
    /// tally.count_several(&Configuration::ALL, [], &["misuse"]);
    /// let overflow = tally.only("overflow");
    /// assert_eq!((overflow.tests(), overflow.failing()), (2, 1));
    /// ```
    #[inline]
    pub fn only(&self, signature: &str) -> Tally {
        let mut only = Tally { failing: 0, failed: Counts::default(), failures: Vec::new(), ..self.clone() };
        if let Ok(place) = self.failures_with(signature) {
            let failures = self.failures[place].clone();
            (only.failing, only.failed) = (failures.tests, failures.counts.clone());
            only.failures.push(failures);
        }
        only
    }

    /// Counts a test for each of its failures; returns their places.
    fn count_failures(&mut self, signatures: &[&str]) -> Vec<usize> {
        // A new one may move the others.
        for signature in signatures {
            let place = self.place_of_failure(signature);
            self.failures[place].tests += 1;
        }
        let mut places = Vec::new();
        for signature in signatures {
            places.push(self.place_of_failure(signature));
        }
        places
    }

    /// Where the tests that failed with a signature are, from now on.
    fn place_of_failure(&mut self, signature: &str) -> usize {
        self.failures_with(signature).unwrap_or_else(|place| {
            let failures = Failures { signature: signature.to_string(), ..Failures::default() };
            self.failures.insert(place, failures);
            place
        })
    }

    /// Where the tests that failed with a signature are, or would be.
    fn failures_with(&self, signature: &str) -> Result<usize, usize> {
        self.failures.binary_search_by(|known| known.signature.as_str().cmp(signature))
    }

    /// The place of a feature, which most tests name in the same order.
    pub(super) fn place_of(&mut self, name: &str, at: usize) -> usize {
        if self.names.get(at).is_some_and(|known| known == name) {
            return at;
        }
        let names = &mut self.names;
        match self.alphabetical.binary_search_by(|place| names[*place].as_str().cmp(name)) {
            Ok(found) => self.alphabetical[found],
            Err(missing) => {
                self.alphabetical.insert(missing, names.len());
                names.push(name.to_string());
                names.len() - 1
            }
        }
    }

    fn add(
        &mut self,
        ending: &Ending<Vec<usize>>,
        presence: Presence,
        place: usize,
        stratum: usize,
        has: bool,
    ) {
        self.all.add(presence, place, stratum, has);
        if let Ending::Failed(failures) = ending {
            for failure in failures {
                self.failures[*failure].counts.add(presence, place, stratum, has);
            }
        }
        if *ending != Ending::Passed {
            self.failed.add(presence, place, stratum, has);
        }
    }

    /// Returns true if all tests that failed did so in one way.
    pub(super) fn has_one_failure(&self) -> bool {
        self.failures.len() == 1 && self.failures[0].counts == self.failed
    }

    /// Returns the counts of the tests that failed with a signature and of all others, stratum by stratum.
    pub(super) fn strata(
        &self,
        signature: &str,
        presence: Presence,
        place: usize,
        others: Others,
    ) -> Vec<Table> {
        let failing = match self.failures_with(signature) {
            Ok(failures) => self.failures[failures].counts.of(presence, place),
            Err(_) => [[0; 2]; STRATA],
        };
        // All tests, less those that failed: with this signature, or with any.
        let (all, less) = match others {
            Others::Passed => (self.all.of(presence, place), failing),
            Others::Apart => (self.all.of(presence, place), self.failed.of(presence, place)),
        };
        let mut tables: Vec<Table> = Vec::new();
        let mut open = Table::default();
        for (stratum, failing) in failing.iter().enumerate() {
            open.failing_without += failing[0];
            open.failing_with += failing[1];
            open.passing_without += all[stratum][0].saturating_sub(less[stratum][0]);
            open.passing_with += all[stratum][1].saturating_sub(less[stratum][1]);
            if open.tests() >= LEAST_TESTS {
                tables.push(std::mem::take(&mut open));
            }
        }
        // What is left at the end goes to the last stratum that is large enough.
        match tables.last_mut() {
            Some(last) => *last = last.join(&open),
            None => tables.push(open),
        }
        tables
    }
}

/// Neighbours are alike: they differ by weights only, or by a step of the share.
fn stratum(configuration: &Configuration) -> usize {
    let step = ((configuration.share().to_f64() * STEPS as f64) as usize).min(STEPS - 1);
    match configuration.part() {
        Part::All => STRATA - 1,
        Part::Weighted => 2 * step + 1,
        Part::Coin | Part::Uniform | Part::Covering => 2 * step,
    }
}

#[cfg(test)]
mod tests {
    use super::super::statistics::{exact_test, fisher};
    use super::super::{Feature, Scheme, Swarm, mix};
    use super::*;

    const NAMES: [&str; 4] = ["push", "pop", "clear", "len"];

    /// A campaign in which a test fails one time in ten if it has `push`.
    fn campaign(scheme: Scheme, cases: impl Iterator<Item = u64>) -> Tally {
        let swarm = Swarm::new(scheme, []);
        let mut tally = Tally::default();
        for case in cases {
            let configuration = swarm.configuration(mix(case + 1), case);
            let on = NAMES.map(|name| (name, configuration.is_on(Feature::named(name))));
            let fails = on[0].1 && mix(!case).is_multiple_of(10);
            tally.count(&configuration, on, on, fails.then_some("overflow"));
        }
        tally
    }

    #[test]
    fn a_share_that_is_drawn_makes_no_triggers_of_bystanders() {
        let tally = campaign(Scheme::Uniform, 0..20_000);
        for (place, name) in NAMES.iter().enumerate().skip(1) {
            let strata = tally.strata("overflow", Presence::Configured, place, Others::Passed);
            assert!(exact_test(&strata).p > 0.01, "{name}");
            let together = strata.iter().fold(Table::default(), |sum, table| sum.join(table));
            assert!(fisher(together) < 1e-9, "strata are not needed");
        }
        assert!(exact_test(&tally.strata("overflow", Presence::Configured, 0, Others::Passed)).p < 1e-25);
    }

    #[test]
    fn the_order_of_tests_does_not_matter() {
        let forwards = campaign(Scheme::Mix, 0..500).influences();
        assert_eq!(forwards, campaign(Scheme::Mix, (0..500).rev()).influences());
        assert!(!forwards.is_empty());
    }

    #[test]
    fn a_test_that_has_everything_counts_as_used_only() {
        let tally = campaign(Scheme::All, 0..100);
        let tests = |presence| {
            tally.strata("overflow", presence, 0, Others::Passed).iter().map(Table::tests).sum::<u64>()
        };
        assert_eq!((tests(Presence::Configured), tests(Presence::Used)), (0, 100));
    }

    #[test]
    fn no_stratum_is_too_small_and_no_test_is_lost() {
        for count in [1, 19, 20, 50, 500, 5_000] {
            let strata =
                campaign(Scheme::Mix, 0..count).strata("overflow", Presence::Used, 0, Others::Passed);
            assert_eq!(strata.iter().map(Table::tests).sum::<u64>(), count);
            assert!(strata.iter().all(|table| table.tests() >= LEAST_TESTS.min(count)));
            assert!(strata.len() > 1 || count < 50);
        }
    }

    #[test]
    fn features_may_come_up_late_and_in_any_order() {
        let configuration = Swarm::new(Scheme::Uniform, []).configuration(7, 0);
        let mut tally = Tally::default();
        tally.count(&configuration, [("push", true)], [], Some("overflow"));
        tally.count(&configuration, [("pop", true), ("push", true)], [("pop", false)], Some("overflow"));
        let count = |presence, place| tally.strata("overflow", presence, place, Others::Passed)[0];
        assert_eq!((tally.names[0].as_str(), tally.names[1].as_str()), ("push", "pop"));
        assert_eq!(count(Presence::Configured, 0).failing_with, 2);
        assert_eq!(count(Presence::Configured, 1).failing_with, 1);
        assert_eq!(count(Presence::Used, 1).failing_without, 1);
    }
}
