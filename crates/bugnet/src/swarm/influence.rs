//! Influences: which features trigger a failure, and which suppress it.
//!
//! **Invariant:** a feature is called a trigger or a suppressor only if that survives the number
//! of comparisons made; and "neither" is said only where a clear influence would have been seen.
//!
//! A test that died of another failure tells nothing certain of this one. Where the other comes first, it
//! masks: what triggers it would look like a suppressor here if its tests counted as passed. Where this one
//! comes first, the same would look like a trigger if they were left out. So both are computed, and an
//! influence is one that holds both ways.

use super::statistics::{Exact, Table, benjamini_hochberg, exact_test, wilson};
use super::tally::Others;
use super::{Presence, Tally};
use crate::list::{mapped, sort};
use std::fmt;

/// Tests that must have failed alike before their features are compared.
pub(super) const LEAST_FAILURES: u64 = 4;
/// The share of the triggers and suppressors shown that may be wrong. With 0.05, of 2,000 simulated campaigns with one
/// true influence up to 7.7 % named another feature as well (`bugnet-lab influences`); fewer than 5 % are wanted.
const FALSE_DISCOVERIES: f64 = 0.03;

/// The effect of a feature on a failure.
///
/// ```
/// use bugnet::swarm::Effect;
///
/// assert_eq!(Effect::Trigger.to_string(), "triggers");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Failing tests have it more often.
    Trigger,
    /// Failing tests have it less often.
    Suppressor,
    /// Chance explains how often failing tests have it.
    Neither,
    /// Nothing can be said: if all of the failing tests had it, or none, chance would still
    /// explain that among so many comparisons.
    NotEnough,
}

/// The share of a feature in the tests that failed in one way, compared with the others.
///
/// ```
/// use bugnet::swarm::{Effect, Feature, Presence, Scheme, Swarm, Tally};
///
/// let swarm = Swarm::new("coin".parse().unwrap(), []);
/// let push = Feature::named("push");
/// let mut tally = Tally::default();
/// for word in 1..100u64 {
///     let configuration = swarm.configuration(word, word);
///     let on = [("push", configuration.is_on(push))];
///     tally.count(&configuration, on, on, on[0].1.then_some("overflow"));
/// }
/// let influence = &tally.influences()[0];
/// assert_eq!((influence.presence, influence.effect), (Presence::Configured, Effect::Trigger));
/// assert_eq!(influence.failing_without, 0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Influence {
    /// The signature with which the tests failed.
    pub signature: String,
    /// The name of the feature.
    pub feature: String,
    /// In what sense tests had it.
    pub presence: Presence,
    /// Failing tests that had it.
    pub failing_with: u64,
    /// Failing tests that did not have it.
    pub failing_without: u64,
    /// Tests that had it, failing or not.
    pub all_with: u64,
    /// Tests that did not have it, failing or not.
    pub all_without: u64,
    /// The 95% interval of the share of failing tests that have it.
    pub interval: (f64, f64),
    /// The share of failing tests that would have it if it did not matter: how many of all tests
    /// have it, each stratum counting as much as it has failing tests.
    pub expected: f64,
    /// The probability of a share at least as odd by chance, taken alone.
    pub p: f64,
    /// The same, adjusted for the number of signatures and features that were compared.
    pub q: f64,
    /// The conclusion.
    pub effect: Effect,
}

impl Influence {
    /// Compares a feature's share with what is expected; `q` and `effect` need all the others.
    fn compare(signature: &str, feature: &str, presence: Presence, strata: &[Table]) -> (Influence, Exact) {
        let exact = exact_test(strata);
        let (mut sum, mut expected) = (Table::default(), 0.0);
        for table in strata {
            sum = sum.join(table);
            expected += table.expected();
        }
        let influence = Influence {
            signature: signature.to_string(),
            feature: feature.to_string(),
            presence,
            failing_with: sum.failing_with,
            failing_without: sum.failing_without,
            all_with: sum.with(),
            all_without: sum.tests() - sum.with(),
            interval: wilson(sum.failing_with, sum.failing()),
            expected: expected / sum.failing() as f64,
            p: exact.p,
            q: 1.0,
            effect: Effect::Neither,
        };
        (influence, exact)
    }

    /// The share of failing tests that have the feature.
    ///
    /// ```
    /// # use bugnet::swarm::{Scheme, Swarm, Tally};
    /// # let configuration = Swarm::new(Scheme::Uniform, []).configuration(7, 0);
    /// # let mut tally = Tally::default();
    /// for has in [true, true, true, false] {
    ///     tally.count(&configuration, [("push", has)], [], Some("overflow"));
    /// }
    /// assert_eq!(tally.influences()[0].share(), 0.75);
    /// ```
    pub fn share(&self) -> f64 {
        self.failing_with as f64 / (self.failing_with + self.failing_without) as f64
    }
}

impl Tally {
    /// All comparisons of a signature that at least four tests failed with and a feature that
    /// some tests had and some had not: by signature, as configured before as used, the strongest
    /// first.
    ///
    /// Four is where the swarm paper begins (section 3.2.4), but four failures that all have a
    /// feature are not evidence yet: with a fair coin that happens by chance in one of eight
    /// cases. They are listed as [`Effect::NotEnough`].
    ///
    /// ```
    /// use bugnet::swarm::Tally;
    ///
    /// assert!(Tally::default().influences().is_empty());
    /// ```
    pub fn influences(&self) -> Vec<Influence> {
        let mut all = influences(std::slice::from_ref(self));
        all.pop().expect("there is one tally")
    }

    /// The weaker of the two comparisons: tests that died otherwise as passed, and left out. `None` if
    /// there is nothing to compare.
    fn compared(
        &self,
        signature: &str,
        feature: &str,
        presence: Presence,
        place: usize,
    ) -> Option<(Influence, Exact)> {
        let strata = self.strata(signature, presence, place, Others::Passed);
        let mut sum = Table::default();
        for table in &strata {
            sum = sum.join(table);
        }
        if sum.failing() < LEAST_FAILURES || sum.with() == 0 || sum.with() == sum.tests() {
            return None;
        }
        let (passed, exact) = Influence::compare(signature, feature, presence, &strata);
        if self.has_one_failure() {
            return Some((passed, exact));
        }
        let strata = self.strata(signature, presence, place, Others::Apart);
        let (mut apart, mut exact_apart) = Influence::compare(signature, feature, presence, &strata);
        if (passed.share() > passed.expected) != (apart.share() > apart.expected) {
            // They contradict each other: chance, or the other failure, explains it.
            (apart.p, exact_apart.p) = (1.0, 1.0);
        }
        // The tests are those that there were, however the others are counted.
        (apart.all_with, apart.all_without) = (passed.all_with, passed.all_without);
        Some(if apart.p > passed.p { (apart, exact_apart) } else { (passed, exact) })
    }

    /// Compares all signatures with all features.
    fn compare_all(&self, presence: Presence) -> Vec<(Influence, Exact)> {
        let mut compared = Vec::new();
        for failures in &self.failures {
            let signature = &failures.signature;
            for (place, feature) in self.names.iter().enumerate() {
                if let Some(found) = self.compared(signature, feature, presence, place) {
                    compared.push(found);
                }
            }
        }
        compared
    }
}

/// Returns the [`influences`](Tally::influences) of several tallies, corrected for all their comparisons together:
/// where each failure has tests of its own that tell something about it.
///
/// ```
/// use bugnet::swarm::{Tally, influences};
///
/// assert_eq!(influences(&[Tally::default(), Tally::default()]), [[], []]);
/// ```
pub fn influences(tallies: &[Tally]) -> Vec<Vec<Influence>> {
    let mut all: Vec<Vec<Influence>> = mapped(tallies, |_| Vec::new());
    for presence in &[Presence::Configured, Presence::Used] {
        let (mut p, mut compared) = (Vec::new(), Vec::new());
        for (place, tally) in tallies.iter().enumerate() {
            for (influence, exact) in tally.compare_all(*presence) {
                p.push(influence.p);
                compared.push((place, influence, exact.least));
            }
        }
        let (adjusted, comparisons) = (benjamini_hochberg(&p), p.len() as f64);
        for (number, (place, mut influence, least)) in compared.into_iter().enumerate() {
            influence.q = adjusted[number];
            influence.effect = effect(&influence, least * comparisons);
            all[place].push(influence);
        }
    }
    for influences in &mut all {
        sort(influences, &|a, b| {
            let groups = (&a.signature, a.presence).cmp(&(&b.signature, b.presence));
            let distance = |influence: &Influence| (influence.share() - influence.expected).abs();
            groups
                .then_with(|| a.q.total_cmp(&b.q))
                .then_with(|| a.p.total_cmp(&b.p))
                .then_with(|| distance(b).total_cmp(&distance(a)))
                .then_with(|| a.feature.cmp(&b.feature))
        });
    }
    all
}

/// Says what follows from a comparison; `least` is the smallest `q` that its tests could have had.
fn effect(influence: &Influence, least: f64) -> Effect {
    match influence.q <= FALSE_DISCOVERIES {
        true if influence.share() > influence.expected => Effect::Trigger,
        true => Effect::Suppressor,
        false if least > FALSE_DISCOVERIES => Effect::NotEnough,
        false => Effect::Neither,
    }
}

impl fmt::Display for Presence {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Presence::Configured => "as configured",
            Presence::Used => "as used",
        })
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Effect::Trigger => "triggers",
            Effect::Suppressor => "suppresses",
            Effect::Neither => "neither",
            Effect::NotEnough => "not enough failures",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tally::Ending;
    use super::super::{Configuration, Feature, Scheme, Share, Swarm, mix};
    use super::*;

    /// A campaign of tests of ten features; `fails` looks at a configuration and a random word.
    fn campaign(
        scheme: Scheme,
        seed: u64,
        cases: u64,
        fails: impl Fn(&Configuration, &[(&str, bool)], u64) -> bool,
    ) -> Tally {
        let swarm = Swarm::new(scheme, []);
        let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
        let mut tally = Tally::default();
        for case in 0..cases {
            let word = mix(mix(seed) ^ case);
            let configuration = swarm.configuration(word, case);
            let on = names.map(|name| (name, configuration.is_on(Feature::named(name))));
            let failure = fails(&configuration, &on, mix(!word)).then_some("failure");
            tally.count(&configuration, on, [], failure);
        }
        tally
    }

    fn effects(tally: &Tally) -> Vec<(String, Effect)> {
        let influences = tally.influences().into_iter();
        influences.map(|influence| (influence.feature, influence.effect)).collect()
    }

    #[test]
    fn triggers_and_suppressors_are_found_and_nothing_else() {
        for scheme in [Scheme::Coin(Share::HALF), Scheme::Uniform, Scheme::Mix] {
            let tally =
                campaign(scheme, 1, 2_000, |_, on, word| on[2].1 && !on[5].1 && word.is_multiple_of(4));
            let effects = effects(&tally);
            assert_eq!(effects.len(), 10);
            assert!(effects[..2].contains(&("c".to_string(), Effect::Trigger)), "{scheme}: {effects:?}");
            assert!(effects[..2].contains(&("f".to_string(), Effect::Suppressor)), "{scheme}: {effects:?}");
            assert!(
                effects[2..].iter().all(|(_, effect)| *effect == Effect::Neither),
                "{scheme}: {effects:?}"
            );
        }
    }

    #[test]
    fn chance_is_seldom_taken_for_an_influence() {
        let campaigns = 200;
        let wrong = (0..campaigns).filter(|seed| {
            // Nothing matters but the share, which has all features on together.
            let tally = campaign(Scheme::Mix, *seed, 600, |configuration, _, word| {
                configuration.share().to_f64() > 0.6 && word.is_multiple_of(5)
            });
            effects(&tally).iter().any(|(_, effect)| matches!(effect, Effect::Trigger | Effect::Suppressor))
        });
        // One in twenty is allowed; discrete counts have fewer.
        assert!(wrong.count() <= 15);
    }

    /// A campaign in which tests with feature `a` die of one failure half of the time, and one in six tests
    /// of another, whatever its features. The first of the two that a program comes to ends it.
    fn masked(first: &str, second: &str, seed: u64) -> Tally {
        masking(first, second, seed, Ending::Failed)
    }

    /// The same, counted as `ending` says of each failure.
    fn masking<'a>(
        first: &'a str,
        second: &'a str,
        seed: u64,
        ending: impl Fn(&'a str) -> Ending<&'a str>,
    ) -> Tally {
        let swarm = Swarm::new(Scheme::Mix, []);
        let names = ["a", "b", "c", "d", "e"];
        let mut tally = Tally::default();
        for case in 0..3_000 {
            let word = mix(mix(seed) ^ case);
            let configuration = swarm.configuration(word, case);
            let on = names.map(|name| (name, configuration.is_on(Feature::named(name))));
            let comes = |signature: &str| match signature {
                "by a" => on[0].1 && mix(!word).is_multiple_of(2),
                _ => mix(word ^ 77).is_multiple_of(6),
            };
            let died = [first, second].into_iter().find(|name| comes(name));
            tally.count_ending(&configuration, on, [], died.map_or(Ending::Passed, &ending));
        }
        tally
    }

    #[test]
    fn a_failure_with_a_tally_of_its_own_masks_as_one_in_the_same_tally() {
        let other = |name| if name == "by a" { Ending::Masked } else { Ending::Failed(name) };
        for (first, second) in [("by a", "by chance"), ("by chance", "by a")] {
            let apart = masking(first, second, 3, other);
            assert_eq!(apart.failures().map(|(name, _)| name).collect::<Vec<_>>(), ["by chance"]);
            assert_eq!(Tally::from_bytes(&apart.to_bytes()), Ok(apart.clone()));
            let mut together = masked(first, second, 3).influences();
            together.retain(|influence| influence.signature == "by chance");
            for influence in apart.influences() {
                let same = together.iter().find(|other| other.feature == influence.feature).unwrap();
                assert_eq!((influence.p, influence.expected), (same.p, same.expected));
            }
        }
    }

    #[test]
    fn a_mask_is_no_suppressor_and_what_is_masked_is_no_trigger() {
        for seed in 0..20 {
            for (first, second) in [("by a", "by chance"), ("by chance", "by a")] {
                let influences = masked(first, second, seed).influences();
                let of = |signature: &str| {
                    let found = influences.iter().filter(|influence| influence.signature == signature);
                    found.map(|found| (found.feature.as_str(), found.effect)).collect::<Vec<_>>()
                };
                assert!(of("by a").contains(&("a", Effect::Trigger)), "{seed}: {:?}", of("by a"));
                let by_chance = of("by chance");
                assert!(
                    !by_chance.contains(&("a", Effect::Suppressor)),
                    "{first} first, {seed}: {by_chance:?}"
                );
                assert!(!by_chance.contains(&("a", Effect::Trigger)), "{first} first, {seed}: {by_chance:?}");
            }
        }
    }

    #[test]
    fn four_failures_alone_are_not_enough() {
        let configuration = Swarm::new(Scheme::Uniform, []).configuration(7, 0);
        let mut tally = Tally::default();
        for case in 0..100 {
            let outcome = (case < 8 && case % 2 == 0).then_some("overflow");
            tally.count(&configuration, [("push", case % 2 == 0)], [], outcome);
        }
        let influence = &tally.influences()[0];
        assert_eq!((influence.failing_with, influence.failing_without), (4, 0));
        assert_eq!((influence.all_with, influence.all_without), (50, 50));
        assert!((influence.p - 0.117).abs() < 0.001, "{}", influence.p);
        assert_eq!(influence.effect, Effect::NotEnough);
    }

    #[test]
    fn fewer_failures_than_four_and_features_without_a_contrast_are_not_compared() {
        let configuration = Swarm::new(Scheme::Uniform, []).configuration(7, 0);
        let mut tally = Tally::default();
        for case in 0..3 {
            tally.count(&configuration, [("push", case == 0), ("new", true)], [], Some("overflow"));
        }
        assert!(tally.influences().is_empty());
        tally.count(&configuration, [("push", true), ("new", true)], [], Some("overflow"));
        assert_eq!(effects(&tally), [("push".to_string(), Effect::NotEnough)]);
    }

    #[test]
    fn what_is_expected_is_the_share_of_all_tests_where_there_is_one_stratum() {
        let tally = campaign(Scheme::Coin(Share::HALF), 3, 1_000, |_, _, word| word.is_multiple_of(9));
        for influence in tally.influences() {
            let all = influence.all_with as f64 / (influence.all_with + influence.all_without) as f64;
            assert!((influence.expected - all).abs() < 1e-12);
            assert!(influence.interval.0 <= influence.share() && influence.share() <= influence.interval.1);
        }
    }
}
