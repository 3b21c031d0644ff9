//! Covering arrays: few configurations that have every combination of a few features.
//!
//! A row is a word that stands for the states of all features, so it is a configuration like any other
//! and needs no table.
//!
//! **Invariant:** for any `ways` of the features, each way of switching these on and off is in
//! some row. The array depends on the set of features and the ways only.

use super::array::{self, Row};
use super::code::Code;
use super::constraint::{Constraints, FREE, OFF, ON};
use super::{Configuration, Feature, mix};
use crate::list::{place_of, sort};
use std::fmt;
use std::str::FromStr;

/// Words that are looked at for each row where words cannot be computed.
const CANDIDATES: usize = 30;
/// Told apart from the words of cases: where the words of rows begin.
const BEGIN: u64 = 0xa54f_f53a_5f1d_36f1;

/// The number of features that a covering array combines at a time.
///
/// ```
/// use bugnet::swarm::Ways;
///
/// assert_eq!("3".parse(), Ok(Ways::Three));
/// assert!("9".parse::<Ways>().unwrap_err().contains("2 to 5"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ways {
    /// All pairs.
    Two = 2,
    /// All triples.
    Three = 3,
    /// All sets of four.
    Four = 4,
    /// All sets of five.
    Five = 5,
}

impl fmt::Display for Ways {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", *self as u32)
    }
}

impl FromStr for Ways {
    type Err = String;

    fn from_str(text: &str) -> Result<Ways, String> {
        match text {
            "2" => Ok(Ways::Two),
            "3" => Ok(Ways::Three),
            "4" => Ok(Ways::Four),
            "5" => Ok(Ways::Five),
            _ => Err(format!("`{text}` features at a time cannot be covered, only 2 to 5: write covering:3")),
        }
    }
}

/// The state of features that none of a row's combinations needs (the swarm paper, section 3.1.3).
///
/// ```
/// use bugnet::swarm::{Free, Scheme, Ways};
///
/// assert_eq!("covering:5:on".parse(), Ok(Scheme::Covering(Ways::Five, Free::On)));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Free {
    /// They are left in.
    On,
    /// They are left out.
    Off,
    /// A fair coin decides.
    #[default]
    Coin,
}

impl fmt::Display for Free {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Free::On => "on",
            Free::Off => "off",
            Free::Coin => "coin",
        })
    }
}

impl FromStr for Free {
    type Err = String;

    fn from_str(text: &str) -> Result<Free, String> {
        match text {
            "on" => Ok(Free::On),
            "off" => Ok(Free::Off),
            "coin" => Ok(Free::Coin),
            _ => Err(format!(
                "free features of a covering array are on, off or decided by a coin, not `{text}`: write \
                 covering:3:on"
            )),
        }
    }
}

/// Configurations that together switch each `ways` of the features on and off in every way.
///
/// ```
/// use bugnet::swarm::{Feature, Ways, covering};
///
/// let features: Vec<Feature> = ["a", "b", "c", "d", "e"].map(Feature::named).to_vec();
/// let rows = covering(&features, Ways::Two);
/// assert!(rows.iter().any(|row| row.is_on(features[1]) && !row.is_on(features[4])));
/// assert!(rows.len() < 10);
/// ```
#[inline]
pub fn covering(features: &[Feature], ways: Ways) -> Vec<Configuration> {
    rows(features, &Constraints::default(), ways, Free::Coin)
}

/// The same with constraints on the features, whose places are those in `features`: what they forbid is
/// in no row, and all else is.
pub(super) fn rows(
    features: &[Feature],
    constraints: &Constraints,
    ways: Ways,
    free: Free,
) -> Vec<Configuration> {
    let mut sorted = features.to_vec();
    sort(&mut sorted, &Feature::cmp);
    sorted.dedup_by_key(|feature| feature.key());
    let mut places = Vec::new();
    for feature in features {
        places.push(place_of(&sorted, feature).expect("it was sorted with the others"));
    }
    let constraints = constraints.moved(&places);
    let Some(code) = Code::of(&sorted) else { return words(&sorted, ways) };
    let mut table = array::array(sorted.len(), ways as usize, &constraints);
    if free != Free::Coin {
        array::loosen(&mut table, ways as usize, &constraints);
    }
    let mut rows = Vec::new();
    for (number, row) in table.iter_mut().enumerate() {
        let random = mix(BEGIN ^ number as u64);
        fill(row, &constraints, free, random);
        rows.push(Configuration::row(code.word(row, mix(random))));
    }
    rows
}

/// Decides the free features of a row.
fn fill(row: &mut Row, constraints: &Constraints, free: Free, random: u64) {
    for feature in 0..row.len() {
        let state = match free {
            Free::On => ON,
            Free::Off => OFF,
            Free::Coin => (mix(random ^ feature as u64) & 1) as u8,
        };
        if row[feature] == FREE && !constraints.decide(row, feature, state) {
            constraints.decide(row, feature, OFF);
        }
    }
}

/// Rows for features that have no [`Code`]: for each the best of some random words, one of whose
/// combinations was missing.
fn words(features: &[Feature], ways: Ways) -> Vec<Configuration> {
    let size = features.len().min(ways as usize);
    let mut missing = combinations(features.len(), size);
    let (mut word, mut rows) = (BEGIN, Vec::new());
    while let Some(first) = missing.first() {
        // Each candidate completes one combination, so each row makes progress.
        let value = first.missing.trailing_zeros();
        let mut candidates = Vec::new();
        while candidates.len() < CANDIDATES {
            let row = Configuration::row(mix(word));
            word += 1;
            if first.value(row, features, size) == value {
                candidates.push(row);
            }
        }
        let row = most_covering(&candidates, features, &missing, size);
        for combination in &mut missing {
            combination.missing &= !(1 << combination.value(row, features, size));
        }
        missing.retain(|combination| combination.missing != 0);
        rows.push(row);
    }
    rows
}

/// Some of the features, and how they have not been seen together yet.
struct Combination {
    members: [u16; 5],
    /// Bit `v` is set until a row has switched on just the members that are set in `v`.
    missing: u32,
}

impl Combination {
    /// Which of the members a row has switched on, as bits.
    fn value(&self, row: Configuration, features: &[Feature], size: usize) -> u32 {
        let mut value = 0;
        for (bit, member) in self.members[..size].iter().enumerate() {
            value |= u32::from(row.is_on(features[usize::from(*member)])) << bit;
        }
        value
    }
}

/// All combinations of `size` of the first `count` numbers, with everything missing.
fn combinations(count: usize, size: usize) -> Vec<Combination> {
    fn extend(
        from: u16,
        count: u16,
        left: usize,
        members: [u16; 5],
        size: usize,
        all: &mut Vec<Combination>,
    ) {
        if left == 0 {
            all.push(Combination { members, missing: ((1u64 << (1 << size)) - 1) as u32 });
            return;
        }
        for member in from..count {
            let mut members = members;
            members[size - left] = member;
            extend(member + 1, count, left - 1, members, size, all);
        }
    }
    let count = u16::try_from(count).expect("a covering array has at most 65535 features");
    let mut all = Vec::new();
    if size > 0 {
        extend(0, count, size, [0; 5], size, &mut all);
    }
    all
}

/// The candidate that covers most of what is missing; the first one of several.
///
/// All candidates are counted at once: a bit per candidate says whether it has a feature on, so
/// the candidates that cover a value are the conjunction of its members' bits, and the time goes
/// with what is still missing.
fn most_covering(
    candidates: &[Configuration],
    features: &[Feature],
    missing: &[Combination],
    size: usize,
) -> Configuration {
    let mut on = vec![0u32; features.len()];
    for (on, feature) in on.iter_mut().zip(features) {
        for (index, row) in candidates.iter().enumerate() {
            *on |= u32::from(row.is_on(*feature)) << index;
        }
    }
    let mut covered = [0u64; CANDIDATES];
    for combination in missing {
        let mut values = combination.missing;
        while values != 0 {
            let value = values.trailing_zeros();
            values &= values - 1;
            let mut covering = (1u32 << CANDIDATES) - 1;
            for (bit, member) in combination.members[..size].iter().enumerate() {
                let on = on[usize::from(*member)];
                covering &= if value >> bit & 1 == 1 { on } else { !on };
            }
            while covering != 0 {
                covered[covering.trailing_zeros() as usize] += 1;
                covering &= covering - 1;
            }
        }
    }
    let mut best = 0;
    for (index, count) in covered.iter().enumerate() {
        if *count > covered[best] {
            best = index;
        }
    }
    candidates[best]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn features(count: usize) -> Vec<Feature> {
        (0..count).map(|index| Feature::named(&format!("feature {index}"))).collect()
    }

    /// Counts the values of every combination seen in the rows, by another way than the greedy one.
    fn assert_covers(rows: &[Configuration], features: &[Feature], ways: usize) {
        let size = ways.min(features.len());
        let table: Vec<Vec<bool>> =
            rows.iter().map(|row| features.iter().map(|feature| row.is_on(*feature)).collect()).collect();
        let mut members: Vec<usize> = (0..size).collect();
        loop {
            let seen: BTreeSet<Vec<bool>> =
                table.iter().map(|row| members.iter().map(|member| row[*member]).collect()).collect();
            assert_eq!(seen.len(), 1 << size, "{members:?}");
            let Some(place) = (0..size).rev().find(|place| members[*place] < features.len() - size + place)
            else {
                break;
            };
            members[place] += 1;
            for next in place + 1..size {
                members[next] = members[next - 1] + 1;
            }
        }
    }

    #[test]
    fn every_combination_is_in_some_row_and_the_rows_are_few() {
        use Ways::{Five, Four, Three, Two};
        let small = [(10, Two, 9), (40, Two, 15), (10, Three, 19), (25, Three, 35)];
        for (count, ways, most) in
            small.into_iter().chain([(10, Four, 44), (10, Five, 90), (14, Five, 130), (23, Five, 180)])
        {
            let features = features(count);
            let rows = covering(&features, ways);
            assert_covers(&rows, &features, ways as usize);
            assert!(rows.len() <= most, "{} rows for {count} features, {ways} at a time", rows.len());
        }
    }

    #[test]
    fn free_features_are_on_or_off_as_wanted_and_nothing_is_lost() {
        let features = features(12);
        let share = |free| {
            let rows = rows(&features, &Constraints::default(), Ways::Three, free);
            assert_covers(&rows, &features, 3);
            let on = rows.iter().flat_map(|row| features.iter().filter(|feature| row.is_on(**feature)));
            on.count() as f64 / (rows.len() * features.len()) as f64
        };
        let (on, coin, off) = (share(Free::On), share(Free::Coin), share(Free::Off));
        assert!(on > coin + 0.04 && off < coin - 0.04, "{on} {coin} {off}");
    }

    #[test]
    fn more_features_than_a_word_has_bits_are_covered_too() {
        let features = features(70);
        let rows = covering(&features, Ways::Two);
        assert_covers(&rows, &features, 2);
        assert!(rows.len() <= 18, "{}", rows.len());
    }

    #[test]
    fn fewer_features_than_ways_are_switched_in_every_way() {
        assert!(covering(&[], Ways::Five).is_empty());
        for count in 1..5 {
            let features = features(count);
            let rows = covering(&features, Ways::Five);
            assert_eq!(rows.len(), 1 << count);
            assert_covers(&rows, &features, 5);
        }
    }

    #[test]
    fn the_array_depends_on_the_set_of_features_only() {
        let features = features(8);
        let mut others = features.clone();
        others.reverse();
        others.push(features[3]);
        assert_eq!(covering(&features, Ways::Three), covering(&others, Ways::Three));
    }

    #[test]
    fn a_feature_with_a_share_of_its_own_is_covered_too() {
        let mut features = features(6);
        features[2] = features[2].with_share(super::super::Share::ALL);
        assert_covers(&covering(&features, Ways::Three), &features, 3);
    }
}
