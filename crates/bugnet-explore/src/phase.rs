//! Phases: a program about stated laws makes and changes values for a while, and then asks laws of them, and so on.
//!
//! Were every second call a law wherever it falls, a law that takes its values would mostly be given new ones: what is
//! taken is gone, and nothing gets old. So the calls come in turns, and half of them still ask laws.
//!
//! **Invariant:** the phases of a program follow from its number and the seed.

use bugnet::choice::{Seed, Source};

/// Doublings of the longest turn: it has up to 8 calls.
const DOUBLINGS: u64 = 4;
/// The calls that look for new values while laws are asked, of as many.
const BESIDE: u64 = 8;

/// Programs per program with numbers that can be anything, and the number of programs before which there are half as many:
/// first what is small is gone through.
const WIDE: (u64, u64) = (2, 1_024);

/// Returns true if the numbers of a program may be anything: what is small is soon gone through.
pub(crate) fn is_wide(seed: Seed, number: u64) -> bool {
    let (share, soon) = WIDE;
    let share = if number < soon { 2 * share } else { share };
    Source::random(Seed(seed.0 ^ 0xbb67_ae85_84ca_a73b), number).random_below(share) == 0
}

/// The turns of a program.
#[derive(Debug)]
pub(crate) struct Phases {
    /// The weights of the operations while values are made, and while laws are asked.
    pub(crate) weights: [Vec<u32>; 2],
    asks: bool,
    /// Calls that are left of this turn, and those of all of it.
    left: usize,
    whole: usize,
    pub(crate) dice: Source,
}

impl Phases {
    /// The phases of a program by its number. `weights` has each operation, and `is_law` says which ask laws.
    pub(crate) fn new(weights: &[u32], is_law: &dyn Fn(usize) -> bool, seed: Seed, number: u64) -> Phases {
        let sum = |wanted: bool| -> u64 {
            let places = (0..weights.len()).filter(|place| is_law(*place) == wanted);
            places.map(|place| u64::from(weights[place])).sum::<u64>().max(1)
        };
        let (laws, others) = (sum(true), sum(false));
        let made: Vec<u32> = weights
            .iter()
            .enumerate()
            .map(|(place, weight)| if is_law(place) { 0 } else { *weight })
            .collect();
        // Together the laws weigh so much more than the others, of which each keeps its share.
        let asked = weights.iter().enumerate().map(|(place, weight)| match is_law(place) {
            true if *weight > 0 => {
                (u64::from(*weight) * others * (BESIDE - 1) / laws).clamp(1, 1 << 24) as u32
            }
            _ => *weight,
        });
        let asked = asked.collect();
        let dice = Source::random(Seed(seed.0 ^ 0x3c6e_f372_fe94_f82b), number);
        Phases { weights: [made, asked], asks: true, left: 0, whole: 0, dice }
    }

    /// Returns the weights of the next call, if they are others than before.
    pub(crate) fn next(&mut self) -> Option<&[u32]> {
        let turns = self.left == 0;
        if turns {
            self.asks = !self.asks;
            if !self.asks {
                let most = 1 << self.dice.random_below(DOUBLINGS);
                self.whole = 1 + self.dice.random_below(most) as usize;
            }
            self.left = self.whole;
        }
        self.left -= 1;
        turns.then(|| &self.weights[usize::from(self.asks)][..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_calls_ask_laws_in_turns_as_long_as_those_before_them() {
        let mut phases = Phases::new(&[3, 5, 2], &|place| place == 1, Seed(1), 7);
        assert_eq!(phases.weights, [vec![3, 0, 2], vec![3, 35, 2]]);
        let mut turns = Vec::new();
        for _ in 0..2_000 {
            if let Some(weights) = phases.next() {
                turns.push((weights[1] > 0, 0));
            }
            turns.last_mut().unwrap().1 += 1;
        }
        turns.pop();
        assert!(turns.chunks_exact(2).all(|pair| !pair[0].0 && pair[1].0 && pair[0].1 == pair[1].1));
        assert!(turns.iter().any(|(_, calls)| *calls == 1) && turns.iter().any(|(_, calls)| *calls > 4));
    }
}
