//! The rate at which a feature is called a trigger or a suppressor, rightly and wrongly, in simulated campaigns.
//!
//! ```console
//! $ cargo run --release -p bugnet-lab -- influences
//! ```
//!
//! Each campaign has its own seed. A test fails as the row says, and chance is a hash of the campaign and
//! the number of the test.

use bugnet::swarm::{Effect, Feature, Scheme, Swarm, Tally};
use clap::Args;

use crate::rate::Rate;

#[derive(Debug, Args)]
pub struct Arguments {
    /// Campaigns in each row
    #[arg(long, default_value_t = 2_000)]
    campaigns: u64,
    /// Tests in each campaign; half of those of the mix have everything, and are not compared
    #[arg(long, default_value_t = 1_200)]
    tests: u64,
    /// Features of each campaign
    #[arg(long, default_value_t = 23)]
    features: usize,
}

/// The planted cause of failing tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Planted {
    /// A hash of the input, whatever its features.
    Hash,
    /// The first feature, with chance.
    Trigger,
    /// The absence of the first feature, with chance.
    Suppressor,
    /// Chance; but the first feature has half of its tests die of another failure before.
    MaskBefore,
    /// The same, after: the failure of chance comes first.
    MaskAfter,
}

/// The names that one campaign gave.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Named {
    /// Tests that failed with the failure that is looked at.
    pub failures: u64,
    /// True if the first feature was called a trigger.
    pub trigger: bool,
    pub suppressor: bool,
    /// True if any other feature was called either.
    pub other: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    println!(
        "{} campaigns of {} tests with {} features in each row",
        arguments.campaigns, arguments.tests, arguments.features
    );
    println!();
    println!("| what makes a test fail | scheme | named | of the campaigns | wanted |");
    println!("|---|---|---|---|---|");
    let rows = [
        (Planted::Hash, "a hash of the input", "anything", "at most 6%"),
        (Planted::Trigger, "a trigger, at least 30 failures", "the trigger", "at least 95%"),
        (Planted::Trigger, "the same", "another feature", "at most 5%"),
        (
            Planted::Suppressor,
            "the lack of a suppressor, at least 30 failures",
            "the suppressor",
            "at least 95%",
        ),
        (Planted::Suppressor, "the same", "another feature", "at most 5%"),
        (Planted::MaskBefore, "chance, behind a mask", "the mask, as a suppressor", "at most 5%"),
        (
            Planted::MaskAfter,
            "chance, before another failure",
            "what triggers the other, as a trigger",
            "at most 5%",
        ),
    ];
    for scheme in ["mix", "coin", "uniform"] {
        for (planted, fails, named, wanted) in rows {
            let mut rate = Rate::default();
            for seed in 0..arguments.campaigns {
                let found = campaign(
                    planted,
                    scheme.parse().expect("a scheme"),
                    seed,
                    arguments.tests,
                    arguments.features,
                );
                let hit = match (planted, named) {
                    (Planted::Hash, _) => found.trigger || found.suppressor || found.other,
                    (_, "another feature") => found.other,
                    (Planted::Trigger | Planted::MaskAfter, _) => found.trigger,
                    (Planted::Suppressor | Planted::MaskBefore, _) => found.suppressor,
                };
                if found.failures >= 30 || !matches!(planted, Planted::Trigger | Planted::Suppressor) {
                    rate.count(hit);
                }
            }
            println!("| {fails} | {scheme} | {named} | {} | {wanted} |", rate.percent());
        }
    }
    Ok(())
}

/// One campaign, and what its tally names.
pub fn campaign(planted: Planted, scheme: Scheme, seed: u64, tests: u64, count: usize) -> Named {
    let names: Vec<String> = (0..count).map(|number| format!("feature {number}")).collect();
    let swarm = Swarm::new(scheme, []);
    let mut tally = Tally::default();
    for case in 0..tests {
        let word = spread(spread(seed + 1) ^ case);
        let configuration = swarm.configuration(word, case);
        let on = |name: &String| configuration.is_on(Feature::named(name));
        let outcome = fails(planted, on(&names[0]), spread(!word));
        let features = names.iter().map(|name| (name.as_str(), on(name)));
        tally.count(&configuration, features, [], outcome);
    }
    let failures = tally.failures().find(|(signature, _)| *signature == "seen");
    let mut named = Named { failures: failures.map_or(0, |(_, tests)| tests), ..Named::default() };
    for influence in tally.influences().iter().filter(|influence| influence.signature == "seen") {
        let is_named = matches!(influence.effect, Effect::Trigger | Effect::Suppressor);
        if influence.feature == names[0] {
            named.trigger |= influence.effect == Effect::Trigger;
            named.suppressor |= influence.effect == Effect::Suppressor;
        } else {
            named.other |= is_named;
        }
    }
    named
}

/// The signature that a test fails with.
fn fails(planted: Planted, has: bool, chance: u64) -> Option<&'static str> {
    let seen = |one_in: u64| spread(chance).is_multiple_of(one_in).then_some("seen");
    let other = || (has && chance.is_multiple_of(2)).then_some("other");
    match planted {
        Planted::Hash => seen(8),
        Planted::Trigger if has => seen(8),
        Planted::Suppressor if !has => seen(4),
        Planted::Trigger | Planted::Suppressor => None,
        Planted::MaskBefore => other().or_else(|| seen(6)),
        Planted::MaskAfter => seen(6).or_else(other),
    }
}

/// Spreads the bits of a number over a word: the finalizer of `SplitMix64`.
fn spread(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(planted: Planted, hit: impl Fn(&Named) -> bool) -> f64 {
        let found = (0..100).map(|seed| campaign(planted, Scheme::Mix, seed, 1_200, 12));
        let found: Vec<Named> = found.filter(|named| named.failures >= 30).collect();
        assert!(found.len() > 50, "{planted:?}: {} campaigns have enough failures", found.len());
        found.iter().filter(|named| hit(named)).count() as f64 / found.len() as f64
    }

    #[test]
    fn what_is_planted_is_named_and_chance_is_not() {
        assert!(rate(Planted::Hash, |named| named.trigger || named.suppressor || named.other) <= 0.06);
        assert!(rate(Planted::Trigger, |named| named.trigger) >= 0.95);
        assert!(rate(Planted::Trigger, |named| named.other) <= 0.05);
        assert!(rate(Planted::Suppressor, |named| named.suppressor) >= 0.95);
        assert!(rate(Planted::MaskBefore, |named| named.suppressor) <= 0.05);
        assert!(rate(Planted::MaskAfter, |named| named.trigger) <= 0.05);
    }
}
