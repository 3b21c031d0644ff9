//! Choices: the single currency of the engine.
//!
//! A *choice* is one decision of a generator, a number from zero to a limit, zero being the
//! simplest. A [`Tape`] is the list of choices behind one test case, and a [`Source`] is where
//! choices come from. Everything the engine does to a test case (repeat, shrink, mutate, store,
//! enumerate) it does to the tape, so a generator written once serves every kind of search.
//!
//! ```
//! use bugnet::choice::{Seed, Source};
//!
//! let mut source = Source::recording(Seed(7), 0);
//! let pair: (u8, String) = source.any();
//! let tape = source.into_tape();
//! assert_eq!(Source::replay(tape).any::<(u8, String)>(), pair);
//! ```
//!
//! **Invariant:** a tape replayed through the same generator gives the same value, and any list
//! of numbers at all gives *some* value.

mod alternative;
mod odometer;
mod recorder;
mod shape;
mod size;
mod source;
mod swarming;
mod tape;
mod word;

pub use crate::random::Seed;
#[doc(hidden)]
pub use shape::{KnownShape, Shape};
#[doc(hidden)]
pub use source::Node;
pub use source::Source;
#[doc(hidden)]
pub use tape::Span;
pub use tape::{ParseTapeError, Tape};

pub(crate) use odometer::Odometer;
#[doc(hidden)]
pub use recorder::Watcher;
pub(crate) use recorder::{AllSpares, Mark};
pub(crate) use shape::{Alternative, Law};

/// One decision: a number between zero and `limit`, zero being the simplest.
///
/// ```
/// use bugnet::choice::{Choice, Kind};
///
/// let choice = Choice { kind: Kind::Index, value: 1, limit: 3 };
/// assert!(choice.value <= choice.limit);
/// ```
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Choice {
    /// The meaning of the number; shrinking moves differ by kind.
    pub kind: Kind,
    /// The number chosen.
    pub value: u64,
    /// The largest number that could have been chosen.
    pub limit: u64,
}

/// The meaning of a choice.
///
/// ```
/// use bugnet::choice::{Kind, Zigzag};
///
/// assert_ne!(Kind::Index, Kind::Integer(Zigzag::UP));
/// ```
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// One of several alternatives, simplest first.
    Index,
    /// The length of the sequence whose elements follow.
    Length,
    /// An integer, as its place in the order of [`Zigzag`].
    Integer(Zigzag),
    /// A float, as its place in the order of simplicity of floats.
    Float,
    /// A character, as its place in the order of simplicity of characters.
    Char,
    /// Not known, because the tape was read from text.
    Unknown,
}

/// The order of simplicity of the integers in a range: nearest to the origin first, and above the
/// origin before below it (0, 1, -1, 2, -2, …) as long as both sides last.
///
/// ```
/// use bugnet::choice::Zigzag;
///
/// let (origin, order) = Zigzag::of_range(-2, 100);
/// let first: Vec<i128> = (0..7).map(|code| origin + order.offset(code)).collect();
/// assert_eq!(first, [0, 1, -1, 2, -2, 3, 4]);
/// assert_eq!(order.code(-2), 4);
/// ```
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Zigzag {
    /// The reach of the shorter side; beyond it only the longer side goes on.
    pub near: u64,
    /// True if the longer side is the one below the origin.
    pub down: bool,
}

impl Zigzag {
    /// The order of an unsigned integer: 0, 1, 2, …
    ///
    /// ```
    /// use bugnet::choice::Zigzag;
    ///
    /// assert_eq!(Zigzag::of_range(0, 255), (0, Zigzag::UP));
    /// ```
    pub const UP: Zigzag = Zigzag { near: 0, down: false };

    /// The origin of a range (the integer nearest to zero) and the order of its members.
    ///
    /// ```
    /// use bugnet::choice::Zigzag;
    ///
    /// assert_eq!(Zigzag::of_range(-5, 5).0, 0);
    /// assert_eq!(Zigzag::of_range(10, 20).0, 10);
    /// assert_eq!(Zigzag::of_range(-20, -10).0, -10);
    /// ```
    pub fn of_range(low: i128, high: i128) -> (i128, Zigzag) {
        let origin = 0i128.clamp(low, high);
        let (below, above) = (origin - low, high - origin);
        (origin, Zigzag { near: below.min(above) as u64, down: below > above })
    }

    /// The distance from the origin of the integer at place `code`.
    ///
    /// ```
    /// use bugnet::choice::Zigzag;
    ///
    /// let (_, order) = Zigzag::of_range(-9, 9);
    /// assert_eq!([0, 1, 2, 3].map(|code| order.offset(code)), [0, 1, -1, 2]);
    /// ```
    pub fn offset(self, code: u64) -> i128 {
        let (code, near) = (code as i128, self.near as i128);
        if code > 2 * near {
            let far = code - near;
            return if self.down { -far } else { far };
        }
        let magnitude = (code + 1) / 2;
        if code % 2 == 1 { magnitude } else { -magnitude }
    }

    /// The place of the integer at this distance from the origin.
    ///
    /// ```
    /// use bugnet::choice::Zigzag;
    ///
    /// let (_, order) = Zigzag::of_range(-9, 9);
    /// assert_eq!([0, 1, -1, 2].map(|offset| order.code(offset)), [0, 1, 2, 3]);
    /// ```
    pub fn code(self, offset: i128) -> u64 {
        let (magnitude, near) = (offset.unsigned_abs(), self.near as u128);
        if magnitude > near {
            return (magnitude + near) as u64;
        }
        (2 * magnitude - u128::from(offset > 0)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_and_offset_are_inverse_over_every_small_range() {
        for low in -6..=6i128 {
            for high in low..=6 {
                let (origin, order) = Zigzag::of_range(low, high);
                for code in 0..=(high - low) as u64 {
                    let value = origin + order.offset(code);
                    assert!((low..=high).contains(&value), "{value} outside {low}..={high}");
                    assert_eq!(order.code(value - origin), code);
                }
            }
        }
    }

    #[test]
    fn the_whole_of_i64_and_u64_has_a_code() {
        for (low, high) in [(i64::MIN as i128, i64::MAX as i128), (0, u64::MAX as i128)] {
            let (origin, order) = Zigzag::of_range(low, high);
            for value in [low, high, origin] {
                assert_eq!(origin + order.offset(order.code(value - origin)), value);
            }
            assert_eq!(order.code(low - origin).max(order.code(high - origin)), u64::MAX);
        }
    }
}
