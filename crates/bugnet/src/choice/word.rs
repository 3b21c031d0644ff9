//! Random words: what a source draws from its stream.
//!
//! **Invariant:** the words of a case depend on its seed and number only.

use super::Source;
use crate::random::scale;

impl Source {
    /// The next random word of the stream.
    #[inline(always)]
    #[doc(hidden)]
    pub fn word(&mut self) -> (u64, u64) {
        self.stream_mut().word()
    }

    /// One of the last eight words of the stream.
    #[inline]
    pub(crate) fn earlier_word(&self, bits: u64) -> (u64, u64) {
        self.stream().earlier_word(bits)
    }

    /// A random number below `count`, which must not be zero.
    #[inline(always)]
    #[doc(hidden)]
    pub fn random_below(&mut self, count: u64) -> u64 {
        let (_, bits) = self.word();
        scale(bits, count)
    }

    /// True once in `2^power` times.
    #[inline(always)]
    #[doc(hidden)]
    pub fn one_in_power(&mut self, power: u32) -> bool {
        let (_, bits) = self.word();
        bits >> (64 - power) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;

    #[test]
    fn the_stream_is_fixed_for_all_time() {
        let mut source = Source::random(Seed(1), 0);
        let words: Vec<u64> = (0..3).map(|_| source.word().1).collect();
        assert_eq!(words, [0x39836eb115949508, 0x1482b8d569cec7de, 0x8a9cd581288faf9c]);
    }

    #[test]
    fn classes_are_uniform_and_do_not_tell_the_bits() {
        for shift in (0..64).step_by(4) {
            let mut source = Source::random(Seed(3), 0);
            let mut counts = [[0u32; 16]; 16];
            for _ in 0..256_000 {
                let (class, bits) = source.word();
                counts[class as usize % 16][(bits >> shift) as usize % 16] += 1;
            }
            let cells = counts.iter().flatten();
            // A thousand expected in each; six standard deviations are 190.
            assert!(cells.clone().all(|count| (810..1190).contains(count)), "{shift}: {counts:?}");
        }
    }

    #[test]
    fn an_earlier_word_is_one_that_was_drawn() {
        let mut source = Source::random(Seed(5), 3);
        let drawn: Vec<(u64, u64)> = (0..9).map(|_| source.word()).collect();
        for which in 0..8u64 {
            assert_eq!(source.earlier_word(which << 61), drawn[7 - which as usize]);
        }
    }
}
