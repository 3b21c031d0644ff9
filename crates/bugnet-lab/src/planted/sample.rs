//! Samples: random tests of a scheme, counted by the bugs they show.

use bugnet::swarm::{Configuration, Feature, Scheme, Swarm};

use super::bug::{BUGS, Watch};
use super::call::{CALLS, Size};
use crate::random::SplitMix64;

/// The way in which a row of the table draws its configurations.
#[derive(Debug, Clone, Copy)]
pub enum Row {
    Scheme(Scheme),
    /// As the paper proposes in section 2.2: coins, and all features in every tenth test.
    CoinsAndAll,
}

impl Row {
    /// The rows of the table.
    pub fn all() -> Vec<Row> {
        let scheme = |text: &str| Row::Scheme(text.parse().expect("the schemes are written correctly"));
        let mut rows: Vec<Row> =
            ["all", "coin", "uniform", "weighted", "set:10", "set:100", "covering:2", "covering:3", "mix"]
                .map(scheme)
                .to_vec();
        rows.insert(2, Row::CoinsAndAll);
        rows
    }

    pub fn name(self) -> String {
        match self {
            Row::Scheme(scheme) => scheme.to_string(),
            Row::CoinsAndAll => "coin, 10% all".to_owned(),
        }
    }

    fn swarm(self, features: &[Feature]) -> Swarm {
        let scheme = match self {
            Row::Scheme(scheme) => scheme,
            Row::CoinsAndAll => Scheme::Coin(bugnet::swarm::Share::HALF),
        };
        Swarm::new(scheme, features)
    }

    /// Draws this many tests and counts those that show each bug.
    pub fn count(self, size: Size, tests: u64) -> [u64; BUGS.len()] {
        let features: Vec<Feature> = CALLS[..size.calls].iter().map(|call| Feature::named(call)).collect();
        let (swarm, mut random) = (self.swarm(&features), SplitMix64(0x5EED));
        let (mut weights, mut hits) = (Vec::new(), [0; BUGS.len()]);
        for test in 0..tests {
            let all = matches!(self, Row::CoinsAndAll) && random.below(10) == 0;
            let configuration = match all {
                true => Configuration::ALL,
                false => swarm.configuration(random.next() | 1, test),
            };
            configuration.weights(&features, &mut weights);
            let bugs = shown(&weights, size.length, &mut random);
            for (bug, hits) in hits.iter_mut().enumerate() {
                *hits += u64::from(bugs >> bug & 1);
            }
        }
        hits
    }
}

/// The bugs that one random test shows.
fn shown(weights: &[u32], length: usize, random: &mut SplitMix64) -> u16 {
    let total = weights.iter().map(|weight| u64::from(*weight)).sum();
    let (mut watch, mut bugs) = (Watch::default(), 0);
    for _ in 0..length {
        let mut number = random.below(total);
        let mut call = 0;
        while number >= u64::from(weights[call]) {
            number -= u64::from(weights[call]);
            call += 1;
        }
        bugs |= watch.note(call);
    }
    bugs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_are_left_out_are_not_made() {
        let mut weights = vec![0; 10];
        weights[0] = 5;
        assert_eq!(shown(&weights, 33, &mut SplitMix64(1)), 1, "33 times push and nothing else");
        assert_eq!(shown(&weights, 32, &mut SplitMix64(1)), 0);
    }

    #[test]
    fn all_features_together_show_the_bugs_that_need_them_together_and_coins_the_others() {
        let count = |text: &str| Row::Scheme(text.parse().unwrap()).count(Size::ALL[0], 2_000);
        let (all, coin) = (count("all"), count("coin"));
        assert!(all[3] > 1_900 && coin[3] < 100, "nine together: {all:?} {coin:?}");
        assert!(all[1] == 0 && coin[1] > 20, "handle leak: {all:?} {coin:?}");
    }
}
