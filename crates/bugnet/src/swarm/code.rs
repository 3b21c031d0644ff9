//! Words that stand for chosen states of features.
//!
//! In a row of a covering array a feature is on if the bits that its key picks from the word are even in
//! number. That is linear: a word that gives any wanted states is found by solving equations, so a row
//! that was put together feature by feature is still one word, and asks for no list of features.
//!
//! **Invariant:** where there is a [`Code`] of some features, each way to switch them on and off has a
//! word; word zero has everything on.

use super::constraint::ON;
use super::{Feature, mix};

/// Told apart from the draws of other configurations: the bits that a key picks.
const ROW: u64 = 0x510e_527f_ade6_82d1;

/// Returns true if a feature is on in the row of a word.
#[inline(always)]
pub(super) fn is_on(word: u64, feature: Feature) -> bool {
    picked(word, mix(feature.key() ^ ROW)) == 0
}

/// One if a mask picks an odd number of bits, else zero.
#[inline(always)]
fn picked(word: u64, mask: u64) -> u64 {
    u64::from((word & mask).count_ones() & 1)
}

/// The solved equations of some features.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Code {
    masks: Vec<u64>,
    /// For each feature a bit of the word, and the features on which that bit depends.
    solutions: Vec<(u32, u64)>,
}

impl Code {
    /// The code of some features; `None` if some states have no word, which more than 64 features
    /// always have, and fewer than 55 hardly ever.
    pub(super) fn of(features: &[Feature]) -> Option<Code> {
        let mut masks = Vec::new();
        for feature in features {
            masks.push(mix(feature.key() ^ ROW));
        }
        if masks.len() > 64 {
            return None;
        }
        // Gauss and Jordan: each equation is a mask and the set of the equations that were added up.
        let mut equations: Vec<(u64, u64)> = Vec::new();
        for (place, mask) in masks.iter().enumerate() {
            equations.push((*mask, 1 << place));
        }
        let mut bits = Vec::new();
        for place in 0..equations.len() {
            let (mask, parts) = equations[place];
            if mask == 0 {
                return None;
            }
            let bit = mask.trailing_zeros();
            for (other, equation) in equations.iter_mut().enumerate() {
                if other != place && equation.0 >> bit & 1 == 1 {
                    equation.0 ^= mask;
                    equation.1 ^= parts;
                }
            }
            bits.push(bit);
        }
        let mut solutions = Vec::new();
        for (place, (_, parts)) in equations.iter().enumerate() {
            solutions.push((bits[place], *parts));
        }
        Some(Code { masks, solutions })
    }

    /// A word that has the features in these states. What they leave open follows from random bits.
    pub(super) fn word(&self, states: &[u8], random: u64) -> u64 {
        let mut wrong = 0u64;
        for (place, mask) in self.masks.iter().enumerate() {
            let off = u64::from(states[place] != ON);
            wrong |= (picked(random, *mask) ^ off) << place;
        }
        let mut word = random;
        for (bit, parts) in &self.solutions {
            word ^= picked(wrong, *parts) << bit;
        }
        word
    }
}

#[cfg(test)]
mod tests {
    use super::super::constraint::OFF;
    use super::*;
    use crate::prelude::*;

    #[test]
    fn every_way_to_switch_features_on_and_off_has_a_word() {
        check((vec_of(any::<bool>()), any::<u64>()), |(wanted, random)| {
            let mut features = Vec::new();
            (0..wanted.len().min(40)).for_each(|place| features.push(Feature::named(&format!("{place}"))));
            let states: Vec<u8> = wanted.iter().map(|on| if *on { ON } else { OFF }).collect();
            let word = Code::of(&features).unwrap().word(&states, random);
            for (feature, wanted) in features.iter().zip(wanted) {
                assert_eq!(is_on(word, *feature), wanted);
            }
        })
        .unwrap();
    }

    #[test]
    fn features_that_depend_on_each_other_have_no_code() {
        let twice = [Feature::named("push"), Feature::named("push")];
        assert_eq!(Code::of(&twice), None);
        let many: Vec<Feature> = (0..65).map(|place| Feature::named(&format!("{place}"))).collect();
        assert_eq!(Code::of(&many), None);
        assert!(Code::of(&many[..40]).is_some());
    }
}
