//! The probability that a feature is left in.
//!
//! **Invariant:** a share is exact: what was written is what is printed, and the same features
//! are on on any machine.

use crate::random::scale;
use std::fmt;
use std::str::FromStr;

/// The parts of the whole that a share is counted in.
const WHOLE: u32 = 1_000_000;

/// A probability in millionths, from zero to one.
///
/// ```
/// use bugnet::swarm::Share;
///
/// let share: Share = "0.3".parse().unwrap();
/// assert_eq!(share.to_f64(), 0.3);
/// assert_eq!(share.to_string(), "0.3");
/// assert!("30%".parse::<Share>().unwrap_err().contains("such as 0.3"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Share(u32);

impl Share {
    /// Never left out.
    ///
    /// ```
    /// use bugnet::swarm::Share;
    ///
    /// assert_eq!(Share::ALL.to_f64(), 1.0);
    /// ```
    pub const ALL: Share = Share(WHOLE);
    /// A fair coin.
    ///
    /// ```
    /// use bugnet::swarm::Share;
    ///
    /// assert_eq!("0.5".parse(), Ok(Share::HALF));
    /// ```
    pub const HALF: Share = Share(WHOLE / 2);

    /// A share in millionths; more than a million are all.
    ///
    /// ```
    /// use bugnet::swarm::Share;
    ///
    /// assert_eq!(Share::millionths(500_000), Share::HALF);
    /// ```
    pub const fn millionths(count: u32) -> Share {
        Share(if count > WHOLE { WHOLE } else { count })
    }

    /// The share as a number from zero to one.
    ///
    /// ```
    /// use bugnet::swarm::Share;
    ///
    /// assert_eq!(Share::HALF.to_f64(), 0.5);
    /// ```
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / f64::from(WHOLE)
    }

    /// A share between nothing and all, all of them equally likely.
    #[inline]
    pub(super) fn uniform(bits: u64) -> Share {
        Share(1 + scale(bits, u64::from(WHOLE)) as u32)
    }

    /// Returns true if random bits fall into the share. The greatest bits do first, so a greater share keeps all that
    /// a smaller one has.
    #[inline(always)]
    pub(super) fn holds(self, bits: u64) -> bool {
        scale(bits, u64::from(WHOLE)) >= u64::from(WHOLE - self.0)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The nearest float of a number of millionths prints as just these digits.
        write!(out, "{}", self.to_f64())
    }
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Share, String> {
        match text.parse::<f64>() {
            Ok(number) if (0.0..=1.0).contains(&number) => {
                Ok(Share((number * f64::from(WHOLE)).round() as u32))
            }
            _ => Err(format!("`{text}` is not a share: write a number from 0 to 1, such as 0.3")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn a_share_reads_back_as_it_prints() {
        check(0..=WHOLE, |count| {
            let share = Share::millionths(count);
            assert_eq!(share.to_string().parse(), Ok(share));
        })
        .unwrap();
    }

    #[test]
    fn all_holds_everything_and_nothing_holds_nothing() {
        check(any::<u64>(), |bits| {
            assert!(Share::ALL.holds(bits));
            assert!(!Share::millionths(0).holds(bits));
        })
        .unwrap();
    }

    #[test]
    fn a_greater_share_keeps_what_a_smaller_one_has() {
        check((any::<u64>(), 0..=WHOLE, 0..=WHOLE), |(bits, a, b)| {
            let (small, great) = (Share(a.min(b)), Share(a.max(b)));
            assert!(!small.holds(bits) || great.holds(bits));
        })
        .unwrap();
    }

    #[test]
    fn what_is_no_probability_is_refused() {
        for text in ["", "1.1", "-0.1", "NaN", "inf", "half"] {
            assert!(text.parse::<Share>().unwrap_err().contains("write a number from 0 to 1"), "{text}");
        }
    }
}
