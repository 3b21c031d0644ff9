//! Ranges as generators: `0..10`, `'a'..='z'`, `1..`.
//!
//! **Invariant:** a range draws nothing outside it, and an empty one says so.

use super::Generator;
use crate::choice::Source;
use std::fmt::Debug;
use std::ops::{Range, RangeFrom, RangeInclusive};

/// Types that can be drawn between two bounds: integers, characters and floats.
///
/// ```
/// use bugnet::prelude::*;
///
/// check((0..10u8, 'a'..='f', -1.0..=1.0f64), |(number, letter, share)| {
///     number < 10 && letter.is_ascii_hexdigit() && share.abs() <= 1.0
/// })
/// .unwrap();
/// ```
pub trait Ranged: Copy + PartialOrd + Debug {
    /// The last value of the type.
    #[doc(hidden)]
    const MOST: Self;

    /// A value between two others, both included.
    #[doc(hidden)]
    fn between(source: &mut Source, low: Self, high: Self) -> Self;

    /// The value before this one.
    #[doc(hidden)]
    fn before(self) -> Option<Self>;
}

impl<T: Ranged> Generator for Range<T> {
    type Value = T;

    #[inline]
    fn generate(&self, source: &mut Source) -> T {
        match self.end.before() {
            Some(last) if self.start <= last => T::between(source, self.start, last),
            _ => empty(self),
        }
    }
}

impl<T: Ranged> Generator for RangeInclusive<T> {
    type Value = T;

    #[inline]
    fn generate(&self, source: &mut Source) -> T {
        if self.is_empty() {
            empty(self);
        }
        T::between(source, *self.start(), *self.end())
    }
}

impl<T: Ranged> Generator for RangeFrom<T> {
    type Value = T;

    #[inline]
    fn generate(&self, source: &mut Source) -> T {
        T::between(source, self.start, T::MOST)
    }
}

#[cold]
fn empty(range: &dyn Debug) -> ! {
    crate::oracle::usage_error(format!(
        "the range {range:?} is empty, so there is nothing to draw from it; write a range whose start lies below its end"
    ))
}

#[cfg(test)]
mod tests {
    use crate::campaign::{Property, Reason};

    #[test]
    fn an_empty_range_is_a_mistake_of_the_test_and_says_so() {
        let failed = Property::new("empty").check(5..5, |_| true).unwrap_err();
        assert!(matches!(&failed.reason, Reason::Misused(text) if text.contains("5..5")), "{failed}");
    }
}
