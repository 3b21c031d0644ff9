//! Meetings: how likely some features were on together in one test at least.
//!
//! Where features are left out, a bug that needs several of them together may never get its test (the
//! swarm paper, section 2.2).
//!
//! **Invariant:** only additions, multiplications and divisions, which give the same bits on any machine.

use super::{Feature, Scheme, Share, Swarm, mix};

/// Combinations of features that are looked at; more would change the result in the third digit.
const COMBINATIONS: u64 = 1_000;

impl Swarm {
    /// Returns the probability that `together` features, drawn from those of the swarm, were all on in at least one
    /// of `tests` tests. Relations between features are not counted in.
    ///
    /// ```
    /// use bugnet::swarm::{Feature, Scheme, Swarm};
    ///
    /// let features: Vec<Feature> = (0..20).map(|number| Feature::named(&number.to_string())).collect();
    /// // "Even a very small swarm set of 100 configurations is 95% likely to contain [...] five features."
    /// let swarm = Swarm::new("coin".parse().unwrap(), features);
    /// assert_eq!((swarm.meeting(5, 100) * 100.0).round(), 96.0);
    /// assert_eq!((swarm.meeting(8, 1_000) * 100.0).round(), 98.0);
    /// ```
    #[inline]
    pub fn meeting(&self, together: usize, tests: u64) -> f64 {
        let features = self.features();
        let together = together.min(features.len());
        if tests == 0 || together == 0 {
            return if tests == 0 { 0.0 } else { 1.0 };
        }
        let mut sum = 0.0;
        for number in 0..COMBINATIONS {
            sum += self.likely(&combination(features, together, number), tests);
        }
        sum / COMBINATIONS as f64
    }

    /// Returns the probability that these features were on together in one of the tests.
    #[inline]
    fn likely(&self, features: &[Feature], tests: u64) -> f64 {
        let (scheme, with_all) = match self.scheme() {
            Scheme::WithAll(scheme) => (*scheme, true),
            scheme => (scheme, false),
        };
        let all = if features.iter().all(|feature| feature.is_on_by_default()) { 1.0 } else { 0.0 };
        let (fresh, turns) = match scheme {
            Scheme::All => (all, 1),
            Scheme::Mix => (all / 2.0 + drawn(features) / 2.0, tests),
            Scheme::Coin(share) => (tossed(features, share), tests),
            Scheme::Uniform | Scheme::Weighted | Scheme::WithAll(_) => (drawn(features), tests),
            Scheme::Set(count) => (tossed(features, Share::HALF), tests.min(u64::from(count.get()))),
            Scheme::Covering(..) | Scheme::Complete => return self.in_turn(features, tests, with_all, all),
        };
        match (with_all, scheme) {
            (true, Scheme::Set(count)) if tests > u64::from(count.get()) && all == 1.0 => 1.0,
            (true, Scheme::Set(_)) | (false, _) => once(fresh, turns),
            (true, _) => once(all / 10.0 + fresh * 9.0 / 10.0, turns),
        }
    }

    /// Returns true if the features were on together in a turn.
    #[inline]
    fn in_turn(&self, features: &[Feature], tests: u64, with_all: bool, all: f64) -> f64 {
        let turns = self.turns();
        if with_all && all == 1.0 && tests > turns {
            return 1.0;
        }
        for case in 0..tests.min(turns) {
            let configuration = self.configuration(mix(case + 1) | 1, case);
            if features.iter().all(|feature| configuration.is_on(*feature)) {
                return 1.0;
            }
        }
        0.0
    }
}

/// Different features that a number stands for.
#[inline]
fn combination(features: &[Feature], together: usize, number: u64) -> Vec<Feature> {
    let mut left = features.to_vec();
    let mut drawn = Vec::new();
    for place in 0..together {
        let random = mix(mix(number) ^ place as u64);
        drawn.push(left.swap_remove((random % left.len() as u64) as usize));
    }
    drawn
}

/// Returns the probability that all of them are on if a coin is tossed for each.
#[inline]
fn tossed(features: &[Feature], share: Share) -> f64 {
    let mut likely = 1.0;
    for feature in features {
        likely *= feature.share().unwrap_or(share).to_f64();
    }
    likely
}

/// The same where the share is drawn first: the mean of `share` to the power of those that have none of
/// their own.
#[inline]
fn drawn(features: &[Feature]) -> f64 {
    let (mut likely, mut plain) = (1.0, 0u32);
    for feature in features {
        match feature.share() {
            Some(share) => likely *= share.to_f64(),
            None => plain += 1,
        }
    }
    likely / f64::from(plain + 1)
}

/// Returns the probability that something happens at least once in `tries` tries.
#[inline]
fn once(likely: f64, tries: u64) -> f64 {
    let (mut never, mut square, mut left) = (1.0, 1.0 - likely, tries);
    while left > 0 {
        if left & 1 == 1 {
            never *= square;
        }
        square *= square;
        left >>= 1;
    }
    1.0 - never
}

#[cfg(test)]
mod tests {
    use super::*;

    fn swarm(text: &str) -> Swarm {
        let features: Vec<Feature> = (0..12).map(|number| Feature::named(&number.to_string())).collect();
        Swarm::new(text.parse().unwrap(), features)
    }

    /// Draws configurations and looks whether features are on together.
    fn simulated(swarm: &Swarm, together: usize, tests: u64) -> f64 {
        let met = (0..1_000u64).filter(|run| {
            let features = combination(swarm.features(), together, mix(!run));
            (0..tests).any(|case| {
                let configuration = swarm.configuration(mix(mix(run + 1) ^ case) | 1, case);
                features.iter().all(|feature| configuration.is_on(*feature))
            })
        });
        met.count() as f64 / 1_000.0
    }

    #[test]
    fn what_is_computed_is_what_happens() {
        for text in ["all", "coin", "coin:0.3", "uniform", "weighted", "mix", "coin+all", "complete"] {
            let swarm = swarm(text);
            for (together, tests) in [(3, 5), (5, 20)] {
                let (computed, seen) = (swarm.meeting(together, tests), simulated(&swarm, together, tests));
                // Four standard deviations of what 1,000 runs see.
                assert!((computed - seen).abs() < 0.064, "{text}: {together} in {tests}: {computed} {seen}");
            }
        }
    }

    #[test]
    fn a_covering_array_has_all_features_meet_that_it_covers() {
        let swarm = swarm("covering:3");
        let rows = swarm.turns();
        assert_eq!(swarm.meeting(3, rows), 1.0);
        assert!(swarm.meeting(3, rows / 2) < 1.0 && swarm.meeting(6, rows) < 1.0);
        assert_eq!((swarm.meeting(3, 0), swarm.meeting(0, 1)), (0.0, 1.0));
    }

    #[test]
    fn features_of_a_share_of_their_own_meet_as_often_as_it_says() {
        let sure = Feature::named("a").with_share(Share::ALL);
        let swarm =
            Swarm::new("coin:0.1".parse().unwrap(), [sure, Feature::named("b").with_share(Share::ALL)]);
        assert_eq!(swarm.meeting(2, 1), 1.0);
    }
}
