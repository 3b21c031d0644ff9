//! Swarms: schemes with the features of a test, which hand out configurations.
//!
//! **Invariant:** word zero gives [`Configuration::ALL`] whatever the scheme, so a recorded test
//! whose word shrinks to zero has all features again.

use super::code::Code;
use super::constraint::{Constraints, FREE, OFF, ON};
use super::{Configuration, Feature, Part, Relations, Scheme, Share, covering, mix};

/// Told apart from the words of cases: the words of a fixed set.
const SET: u64 = 0x3c6e_f372_fe94_f82b;
/// Told apart from the draws of features: which tests of a scheme have everything.
const WITH_ALL: u64 = 0x1f83_d9ab_fb41_bd6c;
/// Told apart from both: the order in which features are decided.
const ORDER: u64 = 0x9b05_688c_2b3e_6c1f;
/// One test in this many has everything, where a scheme is to have that now and then: of 10, 10 and 25
/// planted features and calls, a tenth found the bugs of `bugnet-lab planted` sooner than none.
const ONE_IN: u64 = 10;

/// A scheme with the features that a test is known to have: what hands out configurations.
///
/// ```
/// use bugnet::swarm::{Configuration, Feature, Scheme, Swarm};
///
/// let swarm = Swarm::new(Scheme::Mix, [Feature::named("push"), Feature::named("pop")]);
/// assert_eq!(swarm.configuration(0, 0), Configuration::ALL);
/// assert_eq!(swarm.configuration(u64::MAX, 0), swarm.configuration(u64::MAX, 0));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Swarm {
    scheme: Scheme,
    features: Vec<Feature>,
    constraints: Constraints,
    rows: Vec<Configuration>,
    /// For schemes that go through all configurations.
    code: Option<Code>,
}

impl Swarm {
    /// A scheme over features. Only covering arrays need to know the features beforehand; they
    /// are computed here, once.
    ///
    /// ```
    /// use bugnet::swarm::{Scheme, Swarm};
    ///
    /// let swarm = Swarm::new(Scheme::default(), []);
    /// assert_eq!(swarm.scheme(), Scheme::Mix);
    /// ```
    pub fn new(scheme: Scheme, features: impl Into<Vec<Feature>>) -> Swarm {
        Swarm::related(scheme, features, &Relations::default())
    }

    /// A scheme over features of which some require or exclude others. Features that only the relations
    /// name are added to the others. What [`on`](Swarm::on) says keeps to the relations.
    ///
    /// ```
    /// use bugnet::swarm::{Feature, Relations, Scheme, Swarm};
    ///
    /// let (structs, packed) = (Feature::named("structs"), Feature::named("packed"));
    /// let relations = Relations::default().requires(packed, structs);
    /// let swarm = Swarm::related(Scheme::Uniform, [structs, packed], &relations);
    /// for word in 1..100 {
    ///     let on = swarm.on(&swarm.configuration(word, 0));
    ///     assert!(on[0] || !on[1]);
    /// }
    /// ```
    pub fn related(scheme: Scheme, features: impl Into<Vec<Feature>>, relations: &Relations) -> Swarm {
        let mut features = features.into();
        let constraints = relations.constraints(&mut features);
        let (mut rows, mut code) = (Vec::new(), None);
        match scheme {
            Scheme::Covering(ways, free) | Scheme::WithAll(&Scheme::Covering(ways, free)) => {
                rows = covering::rows(&features, &constraints, ways, free);
            }
            Scheme::Complete => code = Code::of(&features),
            _ => {}
        }
        Swarm { scheme, features, constraints, rows, code }
    }

    /// Returns the scheme by which configurations are drawn.
    ///
    /// ```
    /// use bugnet::swarm::{Scheme, Swarm};
    ///
    /// assert_eq!(Swarm::new(Scheme::Uniform, []).scheme(), Scheme::Uniform);
    /// ```
    #[inline]
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The features known beforehand.
    ///
    /// ```
    /// use bugnet::swarm::{Feature, Scheme, Swarm};
    ///
    /// assert_eq!(Swarm::new(Scheme::Mix, [Feature::named("push")]).features().len(), 1);
    /// ```
    #[inline]
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// The configuration of a case, by a random word of the case, or by its number where the
    /// scheme takes turns.
    ///
    /// ```
    /// use bugnet::swarm::Swarm;
    ///
    /// let swarm = Swarm::new("set:2".parse().unwrap(), []);
    /// assert_eq!(swarm.configuration(7, 0), swarm.configuration(9, 2));
    /// assert_ne!(swarm.configuration(7, 0), swarm.configuration(7, 1));
    /// ```
    pub fn configuration(&self, word: u64, case: u64) -> Configuration {
        if word == 0 {
            return Configuration::ALL;
        }
        match self.scheme {
            Scheme::WithAll(scheme) => self.with_all(*scheme, word, case),
            scheme => self.plain(scheme, word, case),
        }
    }

    fn plain(&self, scheme: Scheme, word: u64, case: u64) -> Configuration {
        match scheme {
            Scheme::All | Scheme::WithAll(_) => Configuration::ALL,
            Scheme::Coin(share) => Configuration::coin(word, share),
            Scheme::Uniform => Configuration::uniform(word),
            Scheme::Weighted => Configuration::weighted(word),
            Scheme::Set(count) => {
                Configuration::coin(mix(SET ^ (case % u64::from(count.get()))), Share::HALF)
            }
            Scheme::Covering(..) if self.rows.is_empty() => Configuration::ALL,
            Scheme::Covering(..) => self.rows[(case % self.rows.len() as u64) as usize],
            Scheme::Complete => self.complete(word, case),
            Scheme::Mix => match word >> 62 {
                0 | 1 => Configuration::ALL,
                2 => Configuration::uniform(word),
                _ => Configuration::weighted(word),
            },
        }
    }

    /// A configuration of a scheme that has everything now and then.
    fn with_all(&self, scheme: Scheme, word: u64, case: u64) -> Configuration {
        let turns = match scheme {
            Scheme::Set(count) => u64::from(count.get()),
            Scheme::Covering(..) => self.rows.len() as u64,
            _ if mix(word ^ WITH_ALL) % ONE_IN == 0 => return Configuration::ALL,
            _ => return self.plain(scheme, word, case),
        };
        match case % (turns + 1) {
            last if last == turns => Configuration::ALL,
            turn => self.plain(scheme, word, turn),
        }
    }

    /// Returns the number of configurations that take turns, where they do.
    #[inline]
    pub(super) fn turns(&self) -> u64 {
        match self.scheme {
            Scheme::Complete => 1 << self.features.len().min(20),
            _ => self.rows.len() as u64,
        }
    }

    /// The configuration of a case where each has its turn.
    fn complete(&self, word: u64, case: u64) -> Configuration {
        let Some(code) = &self.code else { return Configuration::coin(word, Share::HALF) };
        let count = self.features.len();
        let mask = if count == 64 { u64::MAX } else { (1 << count) - 1 };
        let mut number = case;
        let mut states = vec![OFF; count];
        loop {
            // An odd factor has each number its turn, and neighbours differ in many bits.
            let bits = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask;
            for (place, state) in states.iter_mut().enumerate() {
                *state = (bits >> place & 1) as u8;
            }
            // Everything left out is always allowed, so this ends.
            if self.constraints.allow(&states) {
                return Configuration::row(code.word(&states, mix(word)));
            }
            number = number.wrapping_add(1);
        }
    }

    /// Which of the [features](Swarm::features) are on in a configuration, as the relations between
    /// them allow. One that requires another brings it in, or goes, whichever was decided first; the
    /// order is drawn with the configuration, and where everything is on, it is that of the features.
    ///
    /// ```
    /// use bugnet::swarm::{Configuration, Feature, Relations, Scheme, Swarm};
    ///
    /// let (tabs, spaces) = (Feature::named("tabs"), Feature::named("spaces"));
    /// let relations = Relations::default().excludes(tabs, spaces);
    /// let swarm = Swarm::related(Scheme::Mix, [tabs, spaces], &relations);
    /// assert_eq!(swarm.on(&Configuration::ALL), [true, false]);
    /// ```
    #[inline]
    pub fn on(&self, configuration: &Configuration) -> Vec<bool> {
        let mut order: Vec<usize> = (0..self.features.len()).collect();
        if configuration.part() != Part::All && !self.constraints.is_empty() {
            let drawn = |place: &usize| mix(configuration.word() ^ self.features[*place].key() ^ ORDER);
            crate::list::sort(&mut order, &|one, two| drawn(one).cmp(&drawn(two)));
        }
        let mut states = vec![FREE; self.features.len()];
        for place in order {
            let state = if configuration.is_on(self.features[place]) { ON } else { OFF };
            if !self.constraints.decide(&mut states, place, state) {
                self.constraints.decide(&mut states, place, 1 - state);
            }
        }
        let mut on = Vec::new();
        for state in &states {
            on.push(*state == ON);
        }
        on
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Free, Ways, covering};
    use super::*;

    #[test]
    fn word_zero_leaves_everything_in_whatever_the_scheme() {
        for text in ["all", "coin:0", "uniform", "weighted", "set:10", "covering:2", "mix"] {
            let swarm = Swarm::new(text.parse().unwrap(), [Feature::named("push")]);
            assert_eq!(swarm.configuration(0, 3), Configuration::ALL, "{text}");
        }
    }

    #[test]
    fn half_of_the_mix_has_everything_and_the_rest_is_shared_evenly() {
        let swarm = Swarm::new(Scheme::Mix, []);
        let mut all = 0u32;
        let mut weighted = 0u32;
        for case in 0..10_000u64 {
            match swarm.configuration(mix(case + 1), case).part() {
                Part::All => all += 1,
                Part::Weighted => weighted += 1,
                part => assert_eq!(part, Part::Uniform),
            }
        }
        assert!(all.abs_diff(5_000) < 250 && weighted.abs_diff(2_500) < 220, "{all} {weighted}");
    }

    #[test]
    fn a_fixed_set_has_as_many_configurations_as_it_says_and_takes_turns() {
        let swarm = Swarm::new("set:7".parse().unwrap(), []);
        let drawn: Vec<Configuration> = (0..14).map(|case| swarm.configuration(case + 1, case)).collect();
        assert_eq!(drawn[..7], drawn[7..]);
        assert!((0..7).all(|i| (0..i).all(|j| drawn[i] != drawn[j])));
    }

    #[test]
    fn a_covering_scheme_takes_the_rows_in_turn() {
        let features: Vec<Feature> = ["a", "b", "c", "d"].map(Feature::named).to_vec();
        let swarm = Swarm::new(Scheme::Covering(Ways::Two, Free::Coin), features.clone());
        let rows = covering(&features, Ways::Two);
        for case in 0..3 * rows.len() as u64 {
            assert_eq!(swarm.configuration(5, case), rows[case as usize % rows.len()]);
        }
        let nothing = Swarm::new(Scheme::Covering(Ways::Two, Free::Coin), []);
        assert_eq!(nothing.configuration(5, 1), Configuration::ALL);
    }

    fn features(count: usize) -> Vec<Feature> {
        (0..count).map(|index| Feature::named(&format!("feature {index}"))).collect()
    }

    #[test]
    fn every_configuration_has_its_turn_in_complete() {
        let swarm = Swarm::new(Scheme::Complete, features(5));
        let mut seen: Vec<Vec<bool>> = (0..32).map(|case| swarm.on(&swarm.configuration(7, case))).collect();
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 32);
        assert_eq!(swarm.configuration(7, 3), swarm.configuration(7, 35));
        let many = Swarm::new(Scheme::Complete, features(70));
        assert_eq!(many.configuration(7, 3).part(), Part::Coin, "nobody can test all of these");
    }

    #[test]
    fn relations_hold_in_every_configuration_of_every_scheme() {
        let features = features(6);
        let [a, b, c, d, e, _] = features[..] else { unreachable!() };
        let relations = Relations::default().requires(a, b).requires(b, c).excludes(c, d).excludes(d, e);
        let texts =
            ["all", "coin", "uniform", "mix", "set:20", "covering:3", "covering:3:on", "covering:3:off"];
        for text in texts.into_iter().chain(["complete", "coin+all"]) {
            let swarm = Swarm::related(text.parse().unwrap(), features.clone(), &relations);
            let mut together = [0u32; 2];
            for case in 0..200 {
                let on = swarm.on(&swarm.configuration(mix(case + 1), case));
                assert!((!on[0] || on[1]) && (!on[1] || on[2]), "{text}: {on:?}");
                assert!(!on[3] || !(on[2] || on[4]), "{text}: {on:?}");
                together[0] += u32::from(on[0]);
                together[1] += u32::from(on[3]);
            }
            assert!(text == "all" || together.iter().all(|count| *count > 3), "{text}: {together:?}");
        }
    }

    #[test]
    fn a_covering_array_has_all_that_its_relations_allow() {
        let features = features(8);
        let relations =
            Relations::default().requires(features[0], features[1]).excludes(features[2], features[5]);
        for free in ["", ":on", ":off"] {
            let scheme = format!("covering:3{free}").parse().unwrap();
            let swarm = Swarm::related(scheme, features.clone(), &relations);
            let rows: Vec<Vec<bool>> = swarm.rows.iter().map(|row| swarm.on(row)).collect();
            let allowed = |on: &[bool]| (!on[0] || on[1]) && !(on[2] && on[5]);
            for (a, b, c) in (0..8).flat_map(|a| (0..a).flat_map(move |b| (0..b).map(move |c| (a, b, c)))) {
                for value in 0..8usize {
                    let has = |on: &[bool]| {
                        [a, b, c].iter().enumerate().all(|(bit, place)| on[*place] == (value >> bit & 1 == 1))
                    };
                    let all = (0..256usize).map(|bits| (0..8).map(|place| bits >> place & 1 == 1).collect());
                    let possible = all.into_iter().any(|on: Vec<bool>| allowed(&on) && has(&on));
                    assert_eq!(rows.iter().any(|on| has(on)), possible, "{a} {b} {c} {value:03b} {free}");
                }
            }
        }
    }

    #[test]
    fn all_features_have_a_turn_of_their_own_where_that_is_wanted() {
        let count = |text: &str, cases: u64| {
            let swarm = Swarm::new(text.parse().unwrap(), features(4));
            let all = (0..cases).filter(|case| swarm.configuration(mix(case + 1), *case).part() == Part::All);
            all.count()
        };
        assert_eq!((count("set:9", 20), count("set:9+all", 20)), (0, 2));
        assert!(count("covering:2+all", 20) >= 2);
        assert_eq!(count("coin", 1_000), 0);
        assert!(count("coin+all", 1_000).abs_diff(100) < 40);
    }
}
