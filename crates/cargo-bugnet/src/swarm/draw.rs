//! Random draws: everything random about test `i` of a campaign is a function of the seed and `i`.
//!
//! Each purpose has a stream of its own, so that a feature that is added to the file leaves the seeds and the
//! other features of all tests as they were.
//!
//! **Invariant:** the same seed, test and purpose give the same bytes on any machine and in any order.

/// The random bytes of one test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Draw {
    seed: u64,
    test: u64,
}

impl Draw {
    pub(crate) fn of(seed: u64, test: u64) -> Draw {
        Draw { seed, test }
    }

    /// Returns `count` bytes for a purpose.
    pub(crate) fn bytes(self, purpose: &str, count: usize) -> Vec<u8> {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.seed.to_le_bytes()).update(&self.test.to_le_bytes()).update(purpose.as_bytes());
        let mut bytes = vec![0; count];
        hasher.finalize_xof().fill(&mut bytes);
        bytes
    }

    /// Returns a word for a purpose; never zero, which means "everything on" to the library.
    pub(crate) fn word(self, purpose: &str) -> u64 {
        let bytes = self.bytes(purpose, 8);
        u64::from_le_bytes(bytes.try_into().expect("there are eight")).max(1)
    }

    /// Returns a number from `low` to `high`, both included.
    pub(crate) fn number(self, purpose: &str, low: i64, high: i64) -> i64 {
        let count = high.abs_diff(low) as u128 + 1;
        let above = (u128::from(self.word(purpose)) * count) >> 64;
        low.wrapping_add(above as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_fixed_for_all_time() {
        assert_eq!(Draw::of(7, 3).word("seed"), Draw::of(7, 3).word("seed"));
        let words = [Draw::of(7, 3), Draw::of(7, 4), Draw::of(8, 3)].map(|draw| draw.word("seed"));
        assert!(words[0] != words[1] && words[0] != words[2]);
        assert_ne!(Draw::of(7, 3).word("seed"), Draw::of(7, 3).word("stdin"));
    }

    #[test]
    fn numbers_keep_to_their_range_and_reach_both_ends() {
        let drawn: Vec<i64> = (0..1_000).map(|test| Draw::of(1, test).number("n", -2, 2)).collect();
        assert_eq!((drawn.iter().min(), drawn.iter().max()), (Some(&-2), Some(&2)));
        let whole = Draw::of(1, 1).number("n", i64::MIN, i64::MAX);
        assert_ne!(whole, Draw::of(1, 2).number("n", i64::MIN, i64::MAX));
    }
}
