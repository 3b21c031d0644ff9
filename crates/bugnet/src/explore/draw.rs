//! Literals of a harness: small numbers mostly, texts that the documentation of the crate has.
//!
//! A program gets far when its arguments fit what it has made so far, such as an index into a list of
//! three. So most numbers are small, and the extremes come seldom.

use crate::choice::{Kind, Source};
use crate::generate::{Generate, Literal};
use crate::program::{Frame, Kind as Type, Mode, Parameter, Shown};
use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};
use std::hash::Hash;
use std::num::{NonZero, Wrapping};
use std::ops::{Bound, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// A type whose values a harness draws.
pub trait Draw: Literal + Sized + 'static {
    /// Draws a value.
    fn draw(source: &mut Source) -> Self;
}

/// Draws the literal of the next parameter, in the body of an operation.
pub fn draw<T: Draw>(frame: &mut Frame<'_>) -> T {
    frame.literal(Some(T::draw)).expect("there is a generator")
}

fn shown<T: Draw>(source: &mut Source) -> Shown {
    Shown { text: T::draw(source).literal(), source: true }
}

/// A literal by value.
pub fn value<T: Draw>(name: &'static str, kind: &'static str) -> Parameter {
    Parameter::drawn(name, Type::of::<T>(kind), Mode::Value, shown::<T>)
}

/// A literal by `&`.
pub fn borrowed<T: Draw>(name: &'static str, kind: &'static str) -> Parameter {
    Parameter::drawn(name, Type::of::<T>(kind), Mode::Shared, shown::<T>)
}

/// A literal by `&mut`; what the call makes of it is lost.
pub fn changed<T: Draw>(name: &'static str, kind: &'static str) -> Parameter {
    Parameter::drawn(name, Type::of::<T>(kind), Mode::Mutable, shown::<T>)
}

/// A `&str`; the body draws a `String`.
pub fn text(name: &'static str) -> Parameter {
    let shown = |source: &mut Source| Shown { text: String::draw(source).as_str().literal(), source: true };
    Parameter::drawn(name, Type::of::<String>("str"), Mode::Value, shown)
}

/// A `&[T]`; the body draws a `Vec<T>`.
pub fn slice<T: Draw>(name: &'static str, kind: &'static str) -> Parameter {
    let shown = |source: &mut Source| {
        let items: Vec<String> = Vec::<T>::draw(source).iter().map(Literal::literal).collect();
        Shown { text: format!("&[{}]", items.join(", ")), source: true }
    };
    Parameter::drawn(name, Type::of::<Vec<T>>(kind), Mode::Value, shown)
}

static DICTIONARY: OnceLock<&'static [&'static str]> = OnceLock::new();

/// Says which texts the documentation of the crate has: what it parses is among them.
pub fn dictionary(texts: &'static [&'static str]) {
    DICTIONARY.get_or_init(|| texts);
}

/// The bounds of small numbers. Of so many draws, some repeat a number of this program, or nearly, and
/// the rest are drawn as properties draw them.
const SMALL: [u64; 26] =
    [2, 2, 3, 3, 3, 4, 4, 4, 6, 6, 6, 9, 9, 9, 9, 9, 9, 9, 17, 17, 17, 35, 35, 70, 70, 300];
const AGAIN: usize = 31;
const DRAWS: usize = 32;

/// The choices by which an integer of so many bits is small or extreme: 0, 1, 2, 3, 7, 10, 100, the
/// highest and those beside it; with a sign also -1, -2 and the lowest.
pub(crate) fn corners(bits: u32, is_signed: bool) -> Vec<[u64; 3]> {
    let small = [(0, 0), (0, 1), (2, 2), (5, 3), (11, 7), (18, 10), (25, 100)];
    let any = DRAWS as u64 - 1;
    let most = u64::MAX >> (64 - bits.min(64));
    let mut corners: Vec<[u64; 3]> = small.map(|(manner, number)| [manner, number, 0]).to_vec();
    match is_signed {
        // The order is 0, 1, -1, 2, …, and the lowest has no partner.
        true => corners.extend([[0, 1, 3], [2, 2, 3], [any, most, most], [any, most - 2, 0]]),
        false => corners.extend([[any, most, most], [any, most - 1, 0]]),
    }
    corners
}

thread_local! {
    /// The last small numbers of this program.
    static RECENT: Cell<[u64; 8]> = const { Cell::new([0; 8]) };
}

/// Forgets the numbers of the last program.
pub(crate) fn forget() {
    RECENT.set([0; 8]);
}

/// A small number, or none if this draw is to have anything.
fn small(source: &mut Source) -> Option<u64> {
    let manner = source.index(DRAWS);
    let mut recent = RECENT.get();
    let number = match SMALL.get(manner) {
        Some(bound) => source.index(*bound as usize) as u64,
        None if manner < AGAIN => {
            let most = u64::from(u32::MAX);
            source.decide(Kind::Index, most, most, 0, |source| {
                let (class, bits) = source.word();
                let number = recent[(bits >> 61) as usize];
                [number, number, number.saturating_add(1), number.saturating_sub(1)][(class & 3) as usize]
            })
        }
        None => return None,
    };
    recent.rotate_right(1);
    recent[0] = number;
    RECENT.set(recent);
    Some(number)
}

macro_rules! unsigned {
    ($($type:ident),*) => {$(
        impl Draw for $type {
            fn draw(source: &mut Source) -> $type {
                match small(source) {
                    Some(number) => number as $type,
                    None => $type::generate(source),
                }
            }
        }
    )*};
}

macro_rules! signed {
    ($($type:ident),*) => {$(
        impl Draw for $type {
            fn draw(source: &mut Source) -> $type {
                match small(source) {
                    // One in four is negative.
                    Some(number) if source.index(4) == 3 => (number as $type).wrapping_neg(),
                    Some(number) => number as $type,
                    None => $type::generate(source),
                }
            }
        }
    )*};
}

unsigned!(u8, u16, u32, u64, u128, usize);
signed!(i8, i16, i32, i64, i128, isize);

macro_rules! as_generated {
    ($($type:ty),* $(,)?) => {$(
        impl Draw for $type {
            fn draw(source: &mut Source) -> $type {
                <$type>::generate(source)
            }
        }
    )*};
}

as_generated!(
    bool,
    char,
    (),
    f32,
    f64,
    Duration,
    Ordering,
    RangeFull,
    NonZero<u8>,
    NonZero<u16>,
    NonZero<u32>,
    NonZero<u64>,
    NonZero<u128>,
    NonZero<usize>,
    NonZero<i8>,
    NonZero<i16>,
    NonZero<i32>,
    NonZero<i64>,
    NonZero<i128>,
    NonZero<isize>,
    std::net::IpAddr,
    std::net::Ipv4Addr,
    std::net::Ipv6Addr,
    std::net::SocketAddr,
    std::net::SocketAddrV4,
    std::net::SocketAddrV6,
    std::path::PathBuf,
    std::ffi::OsString,
    std::ffi::CString,
    std::time::SystemTime,
);

impl Draw for String {
    fn draw(source: &mut Source) -> String {
        let texts = DICTIONARY.get().copied().unwrap_or_default();
        let manner = source.index(if texts.is_empty() { 2 } else { 6 });
        if manner < 2 {
            return if manner == 0 { few(source, 6) } else { String::generate(source) };
        }
        let text = texts[source.index(texts.len())];
        match source.index(4) {
            0 | 1 => text.to_string(),
            2 => cut(text, source),
            _ => {
                let start = cut(text, source);
                start + &cut(texts[source.index(texts.len())], source)
            }
        }
    }
}

/// A few characters, of those that mean something to programs.
fn few(source: &mut Source, most: usize) -> String {
    const LETTERS: &[char] =
        &['a', 'b', '0', '1', ' ', '.', '-', ':', '/', 'Z', 'é', '\n', '😀', '\u{301}', '\0'];
    let length = source.index(most);
    (0..length).map(|_| LETTERS[source.index(LETTERS.len())]).collect()
}

/// A part of a text.
fn cut(text: &str, source: &mut Source) -> String {
    let letters: Vec<char> = text.chars().collect();
    let start = source.index(letters.len() + 1);
    let length = source.index(letters.len() - start + 1);
    letters[start..start + length].iter().collect()
}

/// How many elements a collection has.
fn length(source: &mut Source) -> usize {
    match source.index(8) {
        7 => source.index(80),
        _ => source.index(6),
    }
}

fn many<T: Draw>(source: &mut Source) -> impl Iterator<Item = T> {
    let length = length(source);
    (0..length).map(move |_| T::draw(source))
}

macro_rules! collections {
    ($($type:ident [$($bound:ident),*]),* $(,)?) => {$(
        impl<T: Draw $(+ $bound)*> Draw for $type<T> {
            fn draw(source: &mut Source) -> $type<T> {
                many(source).collect()
            }
        }
    )*};
}

collections!(Vec [], VecDeque [], BinaryHeap [Ord], BTreeSet [Ord], HashSet [Hash, Eq]);

impl<K: Draw + Ord, V: Draw> Draw for BTreeMap<K, V> {
    fn draw(source: &mut Source) -> BTreeMap<K, V> {
        many(source).collect()
    }
}

impl<K: Draw + Hash + Eq, V: Draw> Draw for HashMap<K, V> {
    fn draw(source: &mut Source) -> HashMap<K, V> {
        many(source).collect()
    }
}

impl<T: Draw, const N: usize> Draw for [T; N] {
    fn draw(source: &mut Source) -> [T; N] {
        std::array::from_fn(|_| T::draw(source))
    }
}

impl<T: Draw> Draw for Option<T> {
    fn draw(source: &mut Source) -> Option<T> {
        (source.index(4) > 0).then(|| T::draw(source))
    }
}

impl<T: Draw, E: Draw> Draw for Result<T, E> {
    fn draw(source: &mut Source) -> Result<T, E> {
        if source.index(3) < 2 { Ok(T::draw(source)) } else { Err(E::draw(source)) }
    }
}

macro_rules! wrappers {
    ($($type:ident => $new:expr),* $(,)?) => {$(
        impl<T: Draw> Draw for $type<T> {
            fn draw(source: &mut Source) -> $type<T> {
                $new(T::draw(source))
            }
        }
    )*};
}

wrappers!(Box => Box::new, Rc => Rc::new, Arc => Arc::new, Wrapping => Wrapping, RangeFrom => |start| start.., RangeTo => |end| ..end, RangeToInclusive => |end| ..=end);

impl<T: Draw> Draw for Range<T> {
    fn draw(source: &mut Source) -> Range<T> {
        T::draw(source)..T::draw(source)
    }
}

impl<T: Draw> Draw for RangeInclusive<T> {
    fn draw(source: &mut Source) -> RangeInclusive<T> {
        T::draw(source)..=T::draw(source)
    }
}

impl<T: Draw> Draw for Bound<T> {
    fn draw(source: &mut Source) -> Bound<T> {
        match source.index(3) {
            0 => Bound::Unbounded,
            1 => Bound::Included(T::draw(source)),
            _ => Bound::Excluded(T::draw(source)),
        }
    }
}

macro_rules! tuples {
    ($(($($name:ident),*)),*) => {$(
        impl<$($name: Draw),*> Draw for ($($name,)*) {
            fn draw(source: &mut Source) -> ($($name,)*) {
                ($($name::draw(source),)*)
            }
        }
    )*};
}

tuples!((A), (A, B), (A, B, C), (A, B, C, D), (A, B, C, D, E), (A, B, C, D, E, F));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::{Choice, Seed, Tape};

    #[test]
    fn most_numbers_are_small_and_some_are_extreme() {
        let drawn: Vec<usize> =
            (0..1_000).map(|case| usize::draw(&mut Source::random(Seed(7), case))).collect();
        let below = |bound: usize| drawn.iter().filter(|number| **number < bound).count();
        assert!(below(9) > 600, "{} are below 9", below(9));
        let extreme = 1_000 - below(1 << 32);
        assert!((5..60).contains(&extreme), "{extreme} are above 2^32");
    }

    #[test]
    fn corners_are_small_and_extreme() {
        fn drawn<T: Draw>(bits: u32, is_signed: bool) -> Vec<T> {
            let choice = |value: &u64| Choice { kind: Kind::Unknown, value: *value, limit: u64::MAX };
            let tape =
                |corner: [u64; 3]| Tape { choices: corner.iter().map(choice).collect(), spans: vec![] };
            let corners = corners(bits, is_signed).into_iter();
            corners.map(|corner| T::draw(&mut Source::replay(tape(corner)))).collect()
        }
        assert_eq!(drawn::<u8>(8, false), [0, 1, 2, 3, 7, 10, 100, u8::MAX, u8::MAX - 1]);
        assert_eq!(drawn::<i32>(32, true), [0, 1, 2, 3, 7, 10, 100, -1, -2, i32::MIN, i32::MAX]);
        assert_eq!(drawn::<i64>(64, true)[9..], [i64::MIN, i64::MAX]);
        assert_eq!(drawn::<usize>(usize::BITS, false)[7], usize::MAX);
        assert!(drawn::<u128>(128, false)[7] > u128::from(u64::MAX));
    }

    #[test]
    fn the_simplest_tape_draws_the_simplest_value() {
        let mut source = Source::replay(crate::choice::Tape::default());
        assert_eq!((i32::draw(&mut source), String::draw(&mut source)), (0, String::new()));
        assert_eq!(Vec::<u8>::draw(&mut source), []);
    }
}
