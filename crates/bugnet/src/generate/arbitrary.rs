//! Values of types that implement the trait of the `arbitrary` crate.
//!
//! Such a type is made from bytes. Each byte is a choice, and they are drawn from the last to the
//! first: `arbitrary` reads integers with the lowest byte first, so the choices that matter most
//! come first, and lowering them in turn lowers the integer as a whole.
//!
//! **Invariant:** bytes that are missing read as zeros, so every tape has as many as it likes.

use super::collection::{SEQUENCE, elements};
use super::{Combine, Generator};
use crate::choice::{Kind, Source, Zigzag};
use crate::random::scale;
use arbitrary::{Arbitrary, Error, Unstructured};
use std::fmt;
use std::marker::PhantomData;

/// Draws of bytes that make no value before the case is discarded.
const TRIES: u32 = 100;
/// No case has more bytes than this.
const LONGEST: u64 = 1 << 16;
/// Zeros that are added to bytes that are too few, in turn.
const ZEROS: [usize; 3] = [0, 16, 256];

/// Any type with the trait of the `arbitrary` crate, usually derived.
///
/// Bytes are drawn in one of three flavours, because `arbitrary` ends a list at an even byte and
/// a text at the first byte that is not UTF-8: from plain random bytes both come out short.
///
/// Failing values shrink by taking out and lowering bytes, which is blind to what the bytes mean:
/// structure shrinks well, but a number may stay at the next multiple of 256 (or a higher power),
/// and a negative one goes down, not up. `#[derive(Generate)]` needs no bytes and has no such
/// limits.
///
/// Needs the feature `arbitrary`.
///
/// ```
/// use bugnet::prelude::*;
///
/// let failed = check(arbitrary::<(u8, Vec<u16>)>(), |(_, list)| list.len() < 3).unwrap_err();
/// assert_eq!(failed.arguments()[0].text, "(0, [0, 0, 0])");
/// ```
pub fn arbitrary<T: for<'a> Arbitrary<'a>>() -> FromArbitrary<T> {
    let (least, most) = T::try_size_hint(0).unwrap_or((0, None));
    let bound = |bytes: usize| (bytes as u64).min(LONGEST);
    FromArbitrary { least: bound(least), most: most.map_or(LONGEST, bound), made: PhantomData }
}

/// Made by [`arbitrary()`].
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::generate::FromArbitrary;
///
/// let made: FromArbitrary<(u8, bool)> = arbitrary();
/// assert_eq!(Source::replay(Tape::default()).draw(made), (0, false));
/// ```
pub struct FromArbitrary<T> {
    /// The number of bytes that a value takes, as far as its type can tell.
    least: u64,
    most: u64,
    made: PhantomData<fn() -> T>,
}

impl<T> fmt::Debug for FromArbitrary<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "FromArbitrary<{}>", std::any::type_name::<T>())
    }
}

impl<T: for<'a> Arbitrary<'a>> Combine for FromArbitrary<T> {}

impl<T: for<'a> Arbitrary<'a>> Generator for FromArbitrary<T> {
    type Value = T;

    fn generate(&self, source: &mut Source) -> T {
        source.samples();
        // In exhaustive search the next case is another value anyway.
        let tries = if source.is_exhaustive() { 1 } else { TRIES };
        for _ in 0..tries {
            let node = source.enter(SEQUENCE);
            let bytes = self.bytes(source);
            source.leave(node);
            if let Some(value) = made_of(bytes) {
                return value;
            }
        }
        source.discard()
    }
}

/// The value that bytes make; `None` if they make none.
fn made_of<T: for<'a> Arbitrary<'a>>(mut bytes: Vec<u8>) -> Option<T> {
    for zeros in ZEROS {
        bytes.resize(bytes.len() + zeros, 0);
        match T::arbitrary_take_rest(Unstructured::new(&bytes)) {
            Ok(value) => return Some(value),
            Err(Error::NotEnoughData) => {}
            Err(_) => return None,
        }
    }
    None
}

impl<T> FromArbitrary<T> {
    fn bytes(&self, source: &mut Source) -> Vec<u8> {
        let mut flavour = Flavour::Plain;
        let mut random = |source: &mut Source| {
            flavour = Flavour::random(source);
            self.random_count(source)
        };
        let count = if source.is_fast() {
            random(source)
        } else {
            let depth = u64::from(source.depth());
            source.decide(Kind::Length, LONGEST, depth.min(LONGEST), source.least_new(), random)
        };
        let mut bytes = elements(source, count as usize, |source| flavour.draw(source));
        bytes.reverse();
        bytes
    }

    /// As many bytes as a value needs, and for lists and texts some more: few or many, whatever
    /// the order of magnitude.
    fn random_count(&self, source: &mut Source) -> u64 {
        let magnitude = 1 + source.random_below(8);
        let more = source.random_below(2 << magnitude);
        (self.least + more).min(self.most)
    }
}

/// The use of random bytes.
#[derive(Debug, Clone, Copy)]
enum Flavour {
    /// Numbers.
    Plain,
    /// Long lists: most bytes are odd, and an odd byte says that the list goes on.
    Odd,
    /// Long texts: the bytes are printable ASCII.
    Text,
}

impl Flavour {
    fn random(source: &mut Source) -> Flavour {
        match source.random_below(8) {
            0..3 => Flavour::Odd,
            3..6 => Flavour::Text,
            _ => Flavour::Plain,
        }
    }

    fn draw(self, source: &mut Source) -> u8 {
        if source.is_fast() {
            return self.random_byte(source);
        }
        let depth = u64::from(source.depth()).min(255);
        let kind = Kind::Integer(Zigzag::UP);
        if source.is_exhaustive() {
            let new = source.least_new();
            return source.enumerate(kind, 255, depth, new, |digit| spread(digit as u8).into()) as u8;
        }
        source.decide(kind, 255, 255, 0, |source| self.random_byte(source).into()) as u8
    }

    fn random_byte(self, source: &mut Source) -> u8 {
        const EDGES: [u8; 8] = [0, 1, 2, 0x7f, 0x80, 0x81, 0xfe, 0xff];
        let (class, bits) = source.word();
        let byte = match class % 16 {
            0 => EDGES[(bits >> 61) as usize],
            1..=4 => (bits >> 60) as u8,
            _ => (bits >> 56) as u8,
        };
        match self {
            Flavour::Plain => byte,
            Flavour::Odd => byte | u8::from(bits & 15 != 0),
            Flavour::Text => b' ' + scale(bits, 95) as u8,
        }
    }
}

/// The order in which exhaustive search takes bytes: 0, 1, then coarse steps before fine ones. The
/// variant of an enum depends on the highest bits, so counting up would stay with the first one.
fn spread(digit: u8) -> u8 {
    match digit {
        1 => 1,
        2..=128 => (digit - 1).reverse_bits(),
        _ => digit.reverse_bits(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Tape;
    use crate::random::Seed;

    #[test]
    fn exhaustive_search_takes_every_byte_once() {
        let mut bytes: Vec<u8> = (0..=255).map(spread).collect();
        assert_eq!(bytes[..5], [0, 1, 128, 64, 192]);
        bytes.sort_unstable();
        assert!(bytes.into_iter().eq(0..=255));
    }

    #[test]
    fn no_bytes_make_the_simplest_value() {
        let simplest: (u64, Vec<u8>, String, Option<bool>) =
            arbitrary().generate(&mut Source::replay(Tape::default()));
        assert_eq!(simplest, (0, vec![], String::new(), None));
    }

    #[test]
    fn lists_and_texts_are_often_long() {
        let long = |case| {
            let mut source = Source::random(Seed(3), case);
            let (text, list): (Vec<u16>, String) = arbitrary().generate(&mut source);
            (text.len() >= 5, list.len() >= 5)
        };
        let long: Vec<(bool, bool)> = (0..1_000).map(long).collect();
        let lists = long.iter().filter(|(list, _)| *list).count();
        let texts = long.iter().filter(|(_, text)| *text).count();
        assert!(lists > 100 && texts > 200, "{lists} lists and {texts} texts of 1000 are long");
    }
}
