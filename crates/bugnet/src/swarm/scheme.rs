//! Schemes: how configurations are drawn.
//!
//! **Invariant:** word zero gives [`Configuration::ALL`] whatever the scheme, so a recorded test
//! whose word shrinks to zero has all features again.

use super::{Configuration, Feature, Share, Ways, covering, mix};
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

/// Told apart from the words of cases: the words of a fixed set.
const SET: u64 = 0x3c6e_f372_fe94_f82b;

/// How the configurations of tests are drawn.
///
/// Each is written as on the command line:
///
/// ```
/// use bugnet::swarm::Scheme;
///
/// for text in ["all", "coin", "coin:0.3", "uniform", "weighted", "set:10", "covering:3", "mix"] {
///     assert_eq!(text.parse::<Scheme>().unwrap().to_string(), text);
/// }
/// assert!("swarm".parse::<Scheme>().unwrap_err().contains("write mix"));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// Every test has all features.
    All,
    /// Per test, a coin is tossed for each feature: what the swarm paper does, with a fair one.
    Coin(Share),
    /// Per test, a share is drawn between none and all, then a coin of that share is tossed for
    /// each feature. Unlike a fair coin it also leaves nearly all in, or nearly nothing, which
    /// matters the more features there are.
    Uniform,
    /// As `Uniform`, and what is left in has exponential weights.
    Weighted,
    /// So many configurations by fair coins, the same in every run, each test taking the next one.
    Set(NonZeroU32),
    /// The rows of a [covering array](covering), each test taking the next one. It is the same in
    /// every run, and sees every combination of so many features; but fresh configurations find
    /// bugs sooner.
    Covering(Ways),
    /// Per test, one of three: half of the tests have all features, a quarter are `Uniform`, a
    /// quarter are `Weighted`. It is close to the best scheme both for bugs that need features to
    /// be left out and for bugs that need them together; each other scheme is bad at one of these.
    #[default]
    Mix,
}

impl fmt::Display for Scheme {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scheme::All => out.write_str("all"),
            Scheme::Coin(Share::HALF) => out.write_str("coin"),
            Scheme::Coin(share) => write!(out, "coin:{share}"),
            Scheme::Uniform => out.write_str("uniform"),
            Scheme::Weighted => out.write_str("weighted"),
            Scheme::Set(count) => write!(out, "set:{count}"),
            Scheme::Covering(ways) => write!(out, "covering:{ways}"),
            Scheme::Mix => out.write_str("mix"),
        }
    }
}

impl FromStr for Scheme {
    type Err = String;

    fn from_str(text: &str) -> Result<Scheme, String> {
        let (name, detail) = match text.split_once(':') {
            Some((name, detail)) => (name, Some(detail)),
            None => (text, None),
        };
        match (name, detail) {
            ("all", None) => Ok(Scheme::All),
            ("coin", None) => Ok(Scheme::Coin(Share::HALF)),
            ("coin", Some(share)) => Ok(Scheme::Coin(share.parse()?)),
            ("uniform", None) => Ok(Scheme::Uniform),
            ("weighted", None) => Ok(Scheme::Weighted),
            ("set", count) => count
                .and_then(|count| count.parse().ok())
                .map(Scheme::Set)
                .ok_or_else(|| "a set needs a number of configurations: write set:10".to_string()),
            ("covering", Some(ways)) => Ok(Scheme::Covering(ways.parse()?)),
            ("covering", None) => {
                Err("covering needs to know how many features at a time: write covering:3".to_string())
            }
            ("mix", None) => Ok(Scheme::Mix),
            _ => Err(format!(
                "`{text}` is not a swarm scheme: write mix, all, coin, coin:0.3, uniform, weighted, \
                 set:10 or covering:3"
            )),
        }
    }
}

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
    rows: Vec<Configuration>,
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
        let features = features.into();
        let rows = match scheme {
            Scheme::Covering(ways) => covering(&features, ways),
            _ => Vec::new(),
        };
        Swarm { scheme, features, rows }
    }

    /// How the configurations are drawn.
    ///
    /// ```
    /// use bugnet::swarm::{Scheme, Swarm};
    ///
    /// assert_eq!(Swarm::new(Scheme::Uniform, []).scheme(), Scheme::Uniform);
    /// ```
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
            Scheme::All => Configuration::ALL,
            Scheme::Coin(share) => Configuration::coin(word, share),
            Scheme::Uniform => Configuration::uniform(word),
            Scheme::Weighted => Configuration::weighted(word),
            Scheme::Set(count) => {
                Configuration::coin(mix(SET ^ (case % u64::from(count.get()))), Share::HALF)
            }
            Scheme::Covering(_) if self.rows.is_empty() => Configuration::ALL,
            Scheme::Covering(_) => self.rows[(case % self.rows.len() as u64) as usize],
            Scheme::Mix => match word >> 62 {
                0 | 1 => Configuration::ALL,
                2 => Configuration::uniform(word),
                _ => Configuration::weighted(word),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Part;
    use super::*;
    use crate::prelude::*;

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
        let swarm = Swarm::new(Scheme::Covering(Ways::Two), features.clone());
        let rows = covering(&features, Ways::Two);
        for case in 0..3 * rows.len() as u64 {
            assert_eq!(swarm.configuration(5, case), rows[case as usize % rows.len()]);
        }
        let nothing = Swarm::new(Scheme::Covering(Ways::Two), []);
        assert_eq!(nothing.configuration(5, 1), Configuration::ALL);
    }

    #[test]
    fn an_error_says_what_to_write() {
        let says = |text: &str| text.parse::<Scheme>().unwrap_err();
        assert!(says("set").contains("write set:10"));
        assert!(says("set:0").contains("write set:10"));
        assert!(says("covering").contains("write covering:3"));
        assert!(says("covering:6").contains("write covering:3"));
        assert!(says("coin:2").contains("from 0 to 1"));
        assert!(says("mix:2").contains("write mix, all, coin"));
        assert!(says("").contains("write mix, all, coin"));
    }

    #[test]
    fn a_coin_of_any_share_reads_back_as_it_prints() {
        check(0..=1_000_000u32, |count| {
            let scheme = Scheme::Coin(Share::millionths(count));
            assert_eq!(scheme.to_string().parse(), Ok(scheme));
        })
        .unwrap();
    }
}
