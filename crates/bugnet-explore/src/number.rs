//! Numbers of a harness: small ones mostly, some of this program and of the dictionary, extremes seldom.
//!
//! A program gets far when its arguments fit what it has made so far, such as an index into a list of
//! three.

use super::describe::Numbers;
use super::dictionary::{Dictionary, one};
use super::draw::Draw;
use bugnet::choice::{Kind, Source};
use bugnet::generate::Generate;
use std::cell::Cell;

/// The bounds of small numbers, one for each of the first ways to draw.
const SMALL: [u64; 26] =
    [2, 2, 3, 3, 3, 4, 4, 4, 6, 6, 6, 9, 9, 9, 9, 9, 9, 9, 17, 17, 17, 35, 35, 70, 70, 300];
/// The end of the ways that repeat a recent number, or one beside it.
const AGAIN: usize = 30;
/// The end of the ways that take a number of the dictionary. The last way draws as properties do.
const KNOWN: usize = 31;
/// The number of ways to draw a number.
const DRAWS: usize = 32;

/// Returns the choices that make an integer of this width small or extreme: 0, 1, 2, 3, 7, 10, 100, the
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

/// The length from which a list of bytes is data; fewer bytes are mostly numbers.
const BYTES: usize = 4;

thread_local! {
    /// The last small numbers of this program.
    static RECENT: Cell<[u64; 8]> = const { Cell::new([0; 8]) };
    /// True if half of the numbers of this program may be anything.
    static IS_WIDE: Cell<bool> = const { Cell::new(false) };
}

/// Has half of the numbers of a program be anything, or as few as usual.
pub(crate) fn widen(is_wide: bool) {
    IS_WIDE.set(is_wide);
}

/// Forgets the numbers of the last program.
pub(crate) fn forget() {
    RECENT.set([0; 8]);
}

/// The way in which a number is drawn.
enum Manner {
    Small(u64),
    /// One of the dictionary, or beside it.
    Known(i128),
    Any,
}

fn manner(source: &mut Source) -> Manner {
    let last = DRAWS as u64 - 1;
    let manner =
        source.decide(Kind::Index, last, last, 0, |source| match IS_WIDE.get() && source.one_in_power(1) {
            true => last,
            false => source.random_below(DRAWS as u64),
        }) as usize;
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
        None if manner < KNOWN => return known(source),
        None => return Manner::Any,
    };
    recent.rotate_right(1);
    recent[0] = number;
    RECENT.set(recent);
    Manner::Small(number)
}

fn known(source: &mut Source) -> Manner {
    let Some(number) = one(Dictionary::given().integers, source) else { return Manner::Any };
    // Code that compares with a number goes wrong beside it.
    let beside = [0, 0, 1, -1][source.index(4)];
    Manner::Known(number.saturating_add(beside))
}

macro_rules! unsigned {
    ($($type:ident),*) => {$(
        impl Draw for $type {
            fn draw(source: &mut Source) -> $type {
                match manner(source) {
                    Manner::Small(number) => number as $type,
                    Manner::Known(number) => $type::try_from(number).unwrap_or($type::MAX),
                    Manner::Any => $type::generate(source),
                }
            }

            fn numbers(&self, told: &mut Numbers) {
                told.whole(*self as u128, *self == $type::MAX);
            }
        }
    )*};
}

macro_rules! signed {
    ($($type:ident),*) => {$(
        impl Draw for $type {
            fn draw(source: &mut Source) -> $type {
                match manner(source) {
                    // One in four is negative.
                    Manner::Small(number) if source.index(4) == 3 => (number as $type).wrapping_neg(),
                    Manner::Small(number) => number as $type,
                    Manner::Known(number) => {
                        let number = $type::try_from(number).unwrap_or($type::MAX);
                        if source.index(4) == 3 { number.wrapping_neg() } else { number }
                    }
                    Manner::Any => $type::generate(source),
                }
            }

            fn numbers(&self, told: &mut Numbers) {
                told.whole(self.unsigned_abs() as u128, [$type::MIN, $type::MAX].contains(self));
            }
        }
    )*};
}

unsigned!(u16, u32, u64, u128, usize);
signed!(i8, i16, i32, i64, i128, isize);

impl Draw for u8 {
    fn draw(source: &mut Source) -> u8 {
        match manner(source) {
            Manner::Small(number) => number as u8,
            Manner::Known(number) => u8::try_from(number).unwrap_or(u8::MAX),
            Manner::Any => u8::generate(source),
        }
    }

    fn draw_list(source: &mut Source) -> Vec<u8> {
        super::bytes::draw(source)
    }

    fn draw_array<const N: usize>(source: &mut Source) -> [u8; N] {
        if source.index(4) < 2 {
            return std::array::from_fn(|_| u8::draw(source));
        }
        let bytes = super::bytes::short(source);
        std::array::from_fn(|place| bytes.get(place).copied().unwrap_or(0))
    }

    fn numbers(&self, told: &mut Numbers) {
        told.whole(u128::from(*self), *self == u8::MAX);
    }

    fn numbers_of(list: &[u8], told: &mut Numbers) {
        if list.len() < BYTES {
            list.iter().for_each(|byte| byte.numbers(told));
        }
    }
}

/// Numbers on which code with fractions stumbles, the plain ones first.
const NOTABLE: [f64; 28] = [
    -0.0,
    90.0,
    180.0,
    360.0,
    100.0,
    1e3,
    1e6,
    1e9,
    std::f64::consts::PI,
    0.1,
    1.0 - f64::EPSILON / 2.0,
    1.0 + f64::EPSILON,
    0.999_999,
    f32::EPSILON as f64,
    1e-9,
    4_294_967_296.0,
    9_007_199_254_740_993.0,
    9_223_372_036_854_775_808.0,
    1e20,
    1e100,
    f32::MAX as f64,
    f32::MIN_POSITIVE as f64,
    f64::MAX,
    f64::MIN_POSITIVE,
    5e-324,
    1e-310,
    f64::INFINITY,
    f64::NAN,
];

/// Weights of the ways to draw a fraction: whole, halves and quarters, notable, from the dictionary, and any.
const FRACTIONS: [u32; 5] = [14, 6, 4, 2, 6];
/// The same in a program whose numbers may be anything.
const WIDE: [u32; 5] = [7, 3, 2, 1, 19];

/// A number with a fraction; none if this draw is to have anything.
fn fraction(source: &mut Source) -> Option<f64> {
    let shares = if IS_WIDE.get() { WIDE } else { FRACTIONS };
    let number = match source.weighted_index(&shares) {
        0 => source.index(12) as f64,
        1 => source.index(64) as f64 / [2.0, 4.0, 8.0, 10.0][source.index(4)],
        2 => NOTABLE[source.index(NOTABLE.len())],
        3 => one(Dictionary::given().floats, source).copied().unwrap_or(0.5),
        _ => return None,
    };
    let is_negative = number != 0.0 && source.index(4) == 3;
    Some(if is_negative { -number } else { number })
}

macro_rules! floats {
    ($($type:ident),*) => {$(
        impl Draw for $type {
            fn draw(source: &mut Source) -> $type {
                match fraction(source) {
                    Some(number) => number as $type,
                    None => $type::generate(source),
                }
            }

            fn numbers(&self, told: &mut Numbers) {
                told.fraction(f64::from(*self));
            }
        }
    )*};
}

floats!(f32, f64);

#[cfg(test)]
mod tests {
    use super::*;
    use bugnet::choice::Seed;
    use bugnet::choice::{Choice, Tape};

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
    fn most_numbers_are_small_and_some_are_extreme() {
        let drawn: Vec<usize> =
            (0..1_000).map(|case| usize::draw(&mut Source::random(Seed(7), case))).collect();
        let below = |bound: usize| drawn.iter().filter(|number| **number < bound).count();
        assert!(below(9) > 600, "{} are below 9", below(9));
        let extreme = 1_000 - below(1 << 32);
        assert!((5..60).contains(&extreme), "{extreme} are above 2^32");
    }

    #[test]
    fn most_fractions_are_small_and_all_notable_ones_are_drawn() {
        let drawn: Vec<f64> = (0..4_000).map(|case| f64::draw(&mut Source::random(Seed(7), case))).collect();
        let small = drawn.iter().filter(|number| number.abs() <= 64.0).count();
        assert!(small > 2_600, "{small} are small");
        for notable in NOTABLE {
            assert!(drawn.iter().any(|drawn| drawn.to_bits() == notable.to_bits()), "{notable} is not drawn");
        }
    }
}
