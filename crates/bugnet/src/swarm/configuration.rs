//! Configurations: the features left in for one test.
//!
//! A feature is on or off by a hash of the word of the configuration together with the
//! key of the feature, each time it is asked. So a configuration needs no list of features, and
//! one that first comes up deep inside a test is decided like any other. The values that a test draws
//! from follow from the word in the same way.
//!
//! **Invariant:** the same question has the same answer, on any machine; and word zero leaves
//! everything in, so that a test that shrinks shrinks towards all features.

use super::weight::{UNIT, exponential};
use super::{Domain, Feature, Part, Share, Values, code, mix};
use crate::random::scale;
use std::fmt;
use std::str::FromStr;

/// Told apart from the keys of features: the draw of a configuration's share.
const SHARE: u64 = 0x6a09_e667_f3bc_c908;
/// Told apart from the draw of on and off: the draw of a weight.
const WEIGHT: u64 = 0xbb67_ae85_84ca_a73b;
/// Told apart from both: the draw of the values of each sort.
const VALUES: u64 = 0x1f83_d9ab_fb41_bd6b;
/// Told apart from all of them: the draw of the law of lengths.
const LENGTH: u64 = 0x5be0_cd19_137e_2179;

/// The features left in for one test, and how often to use each.
///
/// ```
/// use bugnet::swarm::{Configuration, Feature};
///
/// let push = Feature::named("push");
/// assert!(Configuration::ALL.is_on(push));
/// assert_eq!(Configuration::ALL.weight(push), Configuration::UNIT);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Configuration {
    word: u64,
    share: Share,
    part: Part,
}

impl Configuration {
    /// Everything is on but what is [off by default](Feature::off_by_default), with equal weights.
    ///
    /// ```
    /// use bugnet::swarm::{Configuration, Feature};
    ///
    /// assert!(["push", "pop"].iter().all(|name| Configuration::ALL.is_on(Feature::named(name))));
    /// ```
    pub const ALL: Configuration = Configuration { word: 0, share: Share::ALL, part: Part::All };

    /// The weight of a feature where weights are equal, and their mean where they are not.
    ///
    /// ```
    /// use bugnet::swarm::{Configuration, Feature};
    ///
    /// assert_eq!(Configuration::ALL.weight(Feature::named("push")), Configuration::UNIT);
    /// ```
    pub const UNIT: u32 = UNIT;

    /// The configuration that a word gives if a fair or unfair coin is tossed for each feature.
    pub(super) fn coin(word: u64, share: Share) -> Configuration {
        Configuration { word, share, part: Part::Coin }
    }

    /// The configuration that a word gives if the share is drawn first.
    pub(crate) fn uniform(word: u64) -> Configuration {
        Configuration { word, share: Share::uniform(mix(word ^ SHARE)), part: Part::Uniform }
    }

    /// The same, with weights.
    pub(crate) fn weighted(word: u64) -> Configuration {
        Configuration { part: Part::Weighted, ..Configuration::uniform(word) }
    }

    /// The configuration of a word that was computed for the states that it gives.
    pub(super) fn row(word: u64) -> Configuration {
        Configuration { word, share: Share::HALF, part: Part::Covering }
    }

    /// The word that the configuration was made of; zero if everything is on.
    pub(crate) fn word(&self) -> u64 {
        self.word
    }

    #[inline(always)]
    fn hash(&self, feature: Feature) -> u64 {
        mix(self.word ^ feature.key())
    }

    #[inline(always)]
    fn holds(&self, feature: Feature, hash: u64) -> bool {
        match self.part {
            Part::All => feature.is_on_by_default(),
            Part::Covering => code::is_on(self.word, feature),
            Part::Coin | Part::Uniform | Part::Weighted => feature.share().unwrap_or(self.share).holds(hash),
        }
    }

    /// Returns true if a feature is left in.
    ///
    /// ```
    /// use bugnet::swarm::{Feature, Scheme, Swarm};
    ///
    /// let swarm = Swarm::new(Scheme::Uniform, []);
    /// let (push, configuration) = (Feature::named("push"), swarm.configuration(7, 0));
    /// assert_eq!(configuration.is_on(push), configuration.is_on(push));
    /// ```
    #[inline]
    pub fn is_on(&self, feature: Feature) -> bool {
        self.holds(feature, self.hash(feature))
    }

    /// Returns how often to use a feature, compared with others: zero if and only if it is off.
    ///
    /// The weights of a weighted configuration are exponentially distributed with mean
    /// [`UNIT`](Configuration::UNIT): most features are rare and a few take most of the test, for
    /// the bugs that need much of one thing. Add weights up in 64 bits.
    ///
    /// ```
    /// use bugnet::swarm::{Feature, Scheme, Swarm};
    ///
    /// let configuration = Swarm::new(Scheme::Weighted, []).configuration(7, 0);
    /// let push = Feature::named("push");
    /// assert_eq!(configuration.weight(push) > 0, configuration.is_on(push));
    /// ```
    #[inline]
    pub fn weight(&self, feature: Feature) -> u32 {
        let hash = self.hash(feature);
        if !self.holds(feature, hash) {
            return 0;
        }
        self.weight_if_on(hash)
    }

    #[inline(always)]
    fn weight_if_on(&self, hash: u64) -> u32 {
        if self.part == Part::Weighted { exponential(mix(hash ^ WEIGHT)) } else { Configuration::UNIT }
    }

    /// Replaces `weights` with the weights of a group of features of which a test needs at least
    /// one. If all of them would be off, the one that was nearest to being on is on.
    ///
    /// [`is_on`](Configuration::is_on) knows nothing of groups, so where there is one, the weights
    /// say what is on.
    ///
    /// ```
    /// use bugnet::swarm::{Feature, Scheme, Share, Swarm};
    ///
    /// let nothing = Swarm::new(Scheme::Coin(Share::millionths(0)), []).configuration(7, 0);
    /// let mut weights = Vec::new();
    /// nothing.weights(&[Feature::named("push"), Feature::named("pop")], &mut weights);
    /// assert_eq!(weights.iter().filter(|weight| **weight > 0).count(), 1);
    /// ```
    pub fn weights(&self, features: &[Feature], weights: &mut Vec<u32>) {
        weights.clear();
        weights.extend(features.iter().map(|feature| self.weight(*feature)));
        if !features.is_empty() && weights.iter().all(|weight| *weight == 0) {
            let (mut nearest, mut highest) = (0, 0);
            for (place, feature) in features.iter().enumerate() {
                if self.hash(*feature) >= highest {
                    (nearest, highest) = (place, self.hash(*feature));
                }
            }
            weights[nearest] = self.weight_if_on(highest);
        }
    }

    /// Returns the number of calls of a program, at most `most`; the class and the bits are random.
    ///
    /// Mostly all of them: a long program is checked at every length on its way, and what needs
    /// features to be left out mostly needs many calls too. What a short one shows is how programs
    /// end, and that needs nothing left out.
    #[inline]
    pub(crate) fn length(&self, most: usize, class: u64, bits: u64) -> usize {
        let less = |range: usize| scale(bits, range as u64) as usize;
        let law = match self.part {
            Part::All => class & 7,
            _ => 1 + (mix(self.word ^ LENGTH) & 7),
        };
        match law {
            0 => most - less(most),
            1 => most - less(most.div_ceil(2)),
            _ => most,
        }
    }

    /// The values of a sort that are left in.
    pub(crate) fn domain(&self, values: Values) -> Domain {
        if self.part == Part::All {
            return Domain::Whole;
        }
        match Domain::new(values, mix(self.word ^ VALUES.wrapping_add(values as u64))) {
            Domain::Whole if values == Values::Integers && !self.is_on(Feature::BOUNDARIES) => Domain::Inner,
            domain => domain,
        }
    }

    /// Returns the share with which features were left in.
    ///
    /// ```
    /// use bugnet::swarm::{Configuration, Share};
    ///
    /// assert_eq!(Configuration::ALL.share(), Share::ALL);
    /// ```
    pub fn share(&self) -> Share {
        self.share
    }

    /// Returns the part of the mix that drew the configuration.
    ///
    /// ```
    /// use bugnet::swarm::{Part, Scheme, Swarm};
    ///
    /// assert_eq!(Swarm::new(Scheme::Uniform, []).configuration(7, 0).part(), Part::Uniform);
    /// ```
    pub fn part(&self) -> Part {
        self.part
    }
}

/// `all`, or the part, the share and the word: enough to have the configuration again.
impl fmt::Display for Configuration {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.part {
            Part::All => out.write_str("all"),
            part => write!(out, "{part}:{}:{:#018x}", self.share, self.word),
        }
    }
}

impl FromStr for Configuration {
    type Err = String;

    fn from_str(text: &str) -> Result<Configuration, String> {
        if text == "all" {
            return Ok(Configuration::ALL);
        }
        let read = || {
            let (part, rest) = text.split_once(':')?;
            let (share, word) = rest.split_once(":0x")?;
            let part = Part::from_name(part).filter(|part| *part != Part::All)?;
            let word = u64::from_str_radix(word, 16).ok()?;
            Some(Configuration { word, share: share.parse().ok()?, part })
        };
        read().ok_or_else(|| {
            format!(
                "`{text}` is not a configuration: write it as it was printed, `all` or such as \
                 `uniform:0.25:0x00000000000000ff`"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Free, Scheme, Swarm, Ways};
    use super::*;
    use crate::prelude::*;

    fn features(count: usize) -> Vec<Feature> {
        (0..count).map(|index| Feature::named(&format!("operation {index}"))).collect()
    }

    #[test]
    fn everything_is_on_in_all() {
        check(any::<String>(), |name| {
            let feature = Feature::named(&name).with_share(Share::millionths(0));
            assert!(Configuration::ALL.is_on(feature));
            assert_eq!(Configuration::ALL.weight(feature), Configuration::UNIT);
        })
        .unwrap();
    }

    #[test]
    fn what_is_off_by_default_has_no_weight_where_everything_is_on() {
        let float = Feature::named("float").off_by_default();
        let mut weights = Vec::new();
        Configuration::ALL.weights(&[Feature::named("push"), float], &mut weights);
        assert_eq!(weights, [Configuration::UNIT, 0]);
    }

    #[test]
    fn a_test_never_has_nothing_left() {
        check((any::<u64>(), 0..=1_000_000u32, 1..20usize, any::<bool>()), |(word, share, count, heavy)| {
            let scheme = if heavy { Scheme::Weighted } else { Scheme::Coin(Share::millionths(share)) };
            let configuration = Swarm::new(scheme, []).configuration(word, 0);
            let mut weights = vec![7];
            configuration.weights(&features(count), &mut weights);
            assert_eq!(weights.len(), count);
            assert!(weights.iter().any(|weight| *weight > 0));
        })
        .unwrap();
        let mut weights = vec![7];
        Configuration::ALL.weights(&[], &mut weights);
        assert!(weights.is_empty());
    }

    #[test]
    fn a_configuration_reads_back_as_it_prints() {
        let schemes = [Scheme::All, Scheme::Mix, Scheme::Uniform, Scheme::Covering(Ways::Two, Free::On)];
        check((any::<u64>(), 0..schemes.len()), |(word, which)| {
            let configuration = Swarm::new(schemes[which], features(3)).configuration(word, 1);
            assert_eq!(configuration.to_string().parse(), Ok(configuration));
        })
        .unwrap();
        for text in ["", "al", "all:1:0x1", "coin", "coin:2:0x1", "coin:0.5:1", "coin:0.5:0xg"] {
            assert!(text.parse::<Configuration>().unwrap_err().contains("uniform:0.25:0x0"), "{text}");
        }
    }

    #[test]
    fn a_coin_falls_as_often_as_its_share_and_features_do_not_tell_on_each_other() {
        let (a, b) = (Feature::named("a"), Feature::named("b"));
        let rare = Feature::named("c").with_share(Share::millionths(100_000));
        let mut counts = [0u32; 4];
        let mut rarely = 0;
        for word in 1..=100_000 {
            let configuration = Configuration::coin(word, Share::millionths(300_000));
            counts[usize::from(configuration.is_on(a)) * 2 + usize::from(configuration.is_on(b))] += 1;
            rarely += u32::from(configuration.is_on(rare));
        }
        // 49%, 21%, 21% and 9% expected; five standard deviations are 800.
        for (count, expected) in counts.into_iter().zip([49_000, 21_000, 21_000, 9_000u32]) {
            assert!(count.abs_diff(expected) < 800, "{counts:?}");
        }
        assert!(rarely.abs_diff(10_000) < 500, "{rarely}");
    }

    #[test]
    fn lengths_are_mostly_whole_and_never_too_long() {
        for configuration in [Configuration::ALL, Configuration::uniform(5)] {
            check((1..100usize, any::<u64>(), any::<u64>()), |(most, class, bits)| {
                assert!((1..=most).contains(&configuration.length(most, class, bits)));
            })
            .unwrap();
        }
        let mut shorter = [[0u32; 2]; 2];
        for word in 1..=8_000u64 {
            let bits = mix(word);
            let all = Configuration::ALL.length(100, word, bits);
            let some = Configuration::uniform(word).length(100, word, bits);
            for (counts, length) in shorter.iter_mut().zip([all, some]) {
                counts[0] += u32::from(length < 100);
                counts[1] += u32::from(length <= 50);
            }
        }
        // A quarter and an eighth, but for those that happen to be whole; and a sixteenth of the first.
        let [[all, short], [some, none]] = shorter;
        assert!(all.abs_diff(1_975) < 60 && short.abs_diff(500) < 60, "{shorter:?}");
        assert!(some.abs_diff(985) < 150 && none == 0, "{shorter:?}");
    }

    #[test]
    fn shares_of_uniform_configurations_are_uniform() {
        let mut tenths = [0u32; 10];
        for word in 1..=100_000 {
            tenths[((Configuration::uniform(word).share().to_f64() * 10.0) as usize).min(9)] += 1;
        }
        assert!(tenths.iter().all(|count| count.abs_diff(10_000) < 500), "{tenths:?}");
    }
}
