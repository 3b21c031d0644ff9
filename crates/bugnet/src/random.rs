//! The random stream, and the seed that names it.
//!
//! The stream is wyrand (Wang Yi, 2019): a counter that grows by a constant, and one wide
//! multiplication to mix it. A case needs no set-up beyond writing the counter, and any earlier
//! word of the case can be computed again from its place, which is how values come to repeat
//! within a case without a list of what was drawn.
//!
//! **Invariant:** the stream depends on the seed and the case number only, never on the machine.

use std::fmt;
use std::str::FromStr;

/// The step of the counter from one word to the next.
const STEP: u64 = 0xa076_1d64_78bd_642f;
/// Mixed into the counter before it is multiplied with itself.
const MIX: u64 = 0xe703_7ed1_a0b4_28db;
/// The step from the first counter of one case to that of the next.
pub(crate) const CASE_STEP: u64 = 0x9e37_79b9_7f4a_7c15;
/// Turns a distance of first counters into a number of cases.
pub(crate) const CASE_STEP_INVERSE: u64 = inverse(CASE_STEP);

const fn inverse(odd: u64) -> u64 {
    let mut guess = odd;
    let mut round = 0;
    while round < 6 {
        guess = guess.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(guess)));
        round += 1;
    }
    guess
}

/// The word at a counter: its class and its bits.
///
/// The class is the upper half of the wide product, of which only the lowest bits are to be used:
/// they are in the middle of the product and depend on all of the counter, while the highest ones
/// are mostly zero. wyrand combines the halves as they are; the lowest bits of a word would
/// then be those of its class, because the lowest bits of a square are hardly random. Turned by
/// half its width, the lower half brings its best bits there.
#[inline(always)]
fn mix(counter: u64) -> (u64, u64) {
    let wide = (counter as u128).wrapping_mul((counter ^ MIX) as u128);
    let (upper, lower) = ((wide >> 64) as u64, wide as u64);
    (upper, upper ^ lower.rotate_left(32))
}

/// The state of a random stream. A copy goes on by itself, in registers if need be.
#[derive(Debug, Clone, Copy)]
#[doc(hidden)]
pub struct Stream {
    pub(crate) counter: u64,
}

impl Stream {
    /// A stream that begins somewhere.
    #[inline]
    pub(crate) fn at(counter: u64) -> Stream {
        Stream { counter }
    }

    /// The next random word: `(class, bits)`, two numbers of 64 bits each.
    ///
    /// The bits make the value; the lowest bits of the class, up to five, say how to read them.
    #[inline(always)]
    #[doc(hidden)]
    pub fn word(&mut self) -> (u64, u64) {
        self.counter = self.counter.wrapping_add(STEP);
        mix(self.counter)
    }

    /// One of the last eight words; the bits of the present one say which. Before the first word
    /// of a case there are others, which belong to it as well: to a case that asks for repeats
    /// early, they are values that come up again and again.
    #[inline]
    pub(crate) fn earlier_word(self, bits: u64) -> (u64, u64) {
        let back = 1 + (bits >> 61);
        mix(self.counter.wrapping_sub(STEP.wrapping_mul(back)))
    }
}

/// Maps 64 random bits to a number below `count` without a division.
#[inline(always)]
#[doc(hidden)]
pub fn scale(bits: u64, count: u64) -> u64 {
    ((bits as u128).wrapping_mul(count as u128) >> 64) as u64
}

/// The number that names a run: the same seed gives the same cases on any machine.
///
/// Prints and parses as a hexadecimal number; a decimal number is read too.
///
/// ```
/// use bugnet::choice::Seed;
///
/// let seed: Seed = "0x00000000000000ff".parse().unwrap();
/// assert_eq!(seed, Seed(255));
/// assert_eq!(seed.to_string(), "0x00000000000000ff");
/// assert_eq!("255".parse(), Ok(seed));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seed(pub u64);

impl fmt::Display for Seed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:#018x}", self.0)
    }
}

impl FromStr for Seed {
    type Err = String;

    fn from_str(text: &str) -> Result<Seed, String> {
        let number = match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => text.parse(),
        };
        number
            .map(Seed)
            .map_err(|_| format!("`{text}` is not a seed: write a number such as 7 or 0x00000000000000ff"))
    }
}

impl Seed {
    /// The seed of a run that was given none: a hash of the property's name, so that each
    /// property searches its own cases and every run of one property is the same.
    pub(crate) fn of_name(name: &str) -> Seed {
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        for byte in name.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Seed(mix(hash).1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_step_counts_cases() {
        assert_eq!(CASE_STEP.wrapping_mul(CASE_STEP_INVERSE), 1);
    }
}
