//! Integers: small ones, uniform ones, boundary values, and values met before in the same case.
//!
//! A random word is split in two: its class says how to read its bits. Most classes only shift
//! the bits; the first three are rare and go another way (see [`class`]).
//!
//! **Invariant:** every integer of the type or range has a positive probability.

use super::Generate;
use super::range::Ranged;
use crate::choice::{Kind, Source, Zigzag};
use crate::random::{Stream, scale};
use crate::swarm::{Drawn, Values};
use std::num::{NonZero, Saturating, Wrapping};

/// The division of random integers into sixteen classes.
mod class {
    /// A boundary value.
    pub(super) const BOUNDARY: u64 = 0;
    /// A neighbour of the value of an earlier word of the case.
    pub(super) const NEIGHBOUR: u64 = 1;
    /// Up to this class, the value of an earlier word of the case.
    pub(super) const REPEAT: u64 = 3;
    /// The most bits that each class keeps.
    pub(super) const WIDTH: [u32; 16] = [64, 64, 64, 64, 1, 2, 2, 3, 3, 3, 4, 4, 6, 8, 16, 64];
    /// Returns the number of bits to shift away, per class, for a type with this number of bits.
    pub(super) const fn shifts(bits: u32) -> [u32; 16] {
        let mut shifts = [0; 16];
        let mut place = 0;
        while place < 16 {
            let width = if WIDTH[place] < bits { WIDTH[place] } else { bits };
            shifts[place] = 64 - width;
            place += 1;
        }
        shifts
    }
}

/// The distances of neighbours; each is as likely as it is frequent here.
const NEIGHBOURS: [i8; 8] = [1, 1, 1, -1, -1, -1, 2, -2];

/// The neighbour that some bits stand for; they are not the highest, which are used otherwise.
fn neighbour(bits: u64) -> i64 {
    i64::from(NEIGHBOURS[(bits >> 40) as usize % 8])
}

macro_rules! integer {
    ($($type:ident $wide:ident),*) => {$(
        impl Generate for $type {
            #[inline]
            fn generate(source: &mut Source) -> $type {
                if source.is_fast() { $type::random_integer(source.stream_mut()) } else { $type::unusual_integer(source) }
            }

            #[inline]
            fn generate_many(source: &mut Source, count: usize) -> Vec<$type> {
                if !source.is_fast() {
                    return super::collection::one_by_one(source, count);
                }
                let mut stream = source.stream();
                if !cfg!(debug_assertions) {
                    let values = (0..count).map(|_| $type::random_integer(&mut stream)).collect();
                    source.resume(stream);
                    return values;
                }
                // In a debug build, closures cost more than writing every place twice.
                let mut values = vec![0; count];
                let slots: &mut [$type] = &mut values;
                let mut place = 0;
                while place < slots.len() {
                    slots[place] = $type::random_integer(&mut stream);
                    place += 1;
                }
                source.resume(stream);
                values
            }
        }

        impl RandomInteger for $type {
            #[inline(always)]
            fn random_integer(stream: &mut Stream) -> $type {
                let (class, bits) = stream.word();
                let class = class % 16;
                if class > class::REPEAT {
                    $type::usual_integer(class, bits)
                } else if class > class::NEIGHBOUR {
                    let (class, bits) = stream.earlier_word(bits);
                    $type::usual_integer(class, bits)
                } else {
                    $type::special_integer(*stream, class, bits)
                }
            }

            #[inline(always)]
            fn usual_integer(class: u64, bits: u64) -> $type {
                const SHIFTS: [u32; 16] = class::shifts($type::BITS);
                ((bits as $wide) >> (SHIFTS[class as usize % 16] & 63)) as $type
            }

            #[cold]
            #[inline(never)]
            fn special_integer(stream: Stream, class: u64, bits: u64) -> $type {
                if class == class::BOUNDARY {
                    const EDGES: [$type; 8] =
                        [0, 1, $type::MAX, $type::MIN, $type::MAX - 1, $type::MIN + 1, (0 as $type).wrapping_sub(1), 2];
                    if bits >> 63 == 0 {
                        return EDGES[(bits >> 60) as usize % 8];
                    }
                    // A power of two, the number before it, or one of the two after it, of either sign.
                    let power = (1 as $type) << (bits as u32 % $type::BITS);
                    let near = power.wrapping_add((bits >> 61 & 3) as $type).wrapping_sub(1);
                    return if bits >> 60 & 1 == 0 { near } else { (0 as $type).wrapping_sub(near) };
                }
                let (earlier_class, earlier) = stream.earlier_word(bits);
                $type::usual_integer(earlier_class, earlier).wrapping_add(neighbour(bits) as $type)
            }

            #[cold]
            #[inline(never)]
            fn unusual_integer(source: &mut Source) -> $type {
                match source.is_silent() {
                    true => $type::shaped_integer(source),
                    false => $type::recorded_integer(source),
                }
            }

            #[inline(never)]
            fn recorded_integer(source: &mut Source) -> $type {
                let random = |source: &mut Source| $type::shaped_integer(source) as i128;
                recorded_integer(source, $type::MIN as i128, $type::MAX as i128, random) as $type
            }

            #[inline(never)]
            fn shaped_integer(source: &mut Source) -> $type {
                let mut other;
                let stream = match source.drawn(Values::Integers) {
                    Drawn::Next => source.stream_mut(),
                    Drawn::Inner => {
                        skip_boundaries(source.stream_mut());
                        source.stream_mut()
                    }
                    Drawn::From(stream) => {
                        other = stream;
                        &mut other
                    }
                    // In the order of `Zigzag`, for places that are small.
                    Drawn::Place(place) if $type::MIN == 0 => return place as $type,
                    Drawn::Place(place) if place % 2 == 1 => return place.div_ceil(2) as $type,
                    Drawn::Place(place) => return (0 as $type).wrapping_sub((place / 2) as $type),
                    Drawn::Edge(bits) => {
                        return $type::special_integer(source.stream(), class::BOUNDARY, bits);
                    }
                };
                $type::random_integer(stream)
            }
        }

        impl Ranged for $type {
            const MOST: $type = $type::MAX;

            #[inline]
            fn between(source: &mut Source, low: $type, high: $type) -> $type {
                if source.is_fast() {
                    let offset = random_offset(source, high.wrapping_sub(low) as u64 & ($type::MAX.abs_diff($type::MIN) as u64), 0i128.clamp(low as i128, high as i128).abs_diff(low as i128) as u64);
                    return low.wrapping_add(offset as $type);
                }
                let (origin, order) = Zigzag::of_range(low as i128, high as i128);
                let span = high.abs_diff(low) as u64;
                let code = decide_integer(source, order, span, |source| {
                    source.drawn_place(Values::Integers, span, |source| {
                        let offset = random_offset(source, span, (origin - low as i128) as u64);
                        order.code(low as i128 + offset as i128 - origin)
                    })
                });
                (origin + order.offset(code)) as $type
            }

            #[inline]
            fn before(self) -> Option<$type> {
                self.checked_sub(1)
            }
        }
    )*};
}

integer!(u8 u64, u16 u64, u32 u64, u64 u64, usize u64, i8 i64, i16 i64, i32 i64, i64 i64, isize i64);

/// An integer that can be drawn at random from its whole type.
trait RandomInteger: Sized {
    fn random_integer(stream: &mut Stream) -> Self;
    fn usual_integer(class: u64, bits: u64) -> Self;
    fn special_integer(stream: Stream, class: u64, bits: u64) -> Self;
    fn unusual_integer(source: &mut Source) -> Self;
    fn recorded_integer(source: &mut Source) -> Self;
    fn shaped_integer(source: &mut Source) -> Self;
}

/// An integer of a whole type.
fn recorded_integer(source: &mut Source, low: i128, high: i128, random: fn(&mut Source) -> i128) -> i128 {
    let (origin, order) = Zigzag::of_range(low, high);
    let limit = low.abs_diff(high) as u64;
    let code = decide_integer(source, order, limit, |source| order.code(random(source) - origin));
    origin + order.offset(code)
}

/// Goes on to a word that makes no boundary value.
fn skip_boundaries(stream: &mut Stream) {
    loop {
        let mut next = *stream;
        if next.word().0 % 16 != class::BOUNDARY {
            return;
        }
        *stream = next;
    }
}

fn decide_integer(
    source: &mut Source,
    order: Zigzag,
    limit: u64,
    random: impl FnOnce(&mut Source) -> u64,
) -> u64 {
    let (highest, new) = codes_within(source, order);
    source.decide(Kind::Integer(order), limit, highest.min(limit), new, random)
}

/// The highest code within the depth that is left, and the first that is deeper than what was
/// enumerated before.
fn codes_within(source: &Source, order: Zigzag) -> (u64, u64) {
    let highest = match u64::from(source.depth()) {
        depth if depth <= order.near => 2 * depth,
        depth => order.near.saturating_add(depth),
    };
    let new = match source.least_new() {
        0 => 0,
        depth if depth <= order.near => 2 * depth - 1,
        depth => order.near.saturating_add(depth),
    };
    (highest, new)
}

/// A random distance from the low end of a range that is `span` wide, the simplest one being
/// `origin`.
#[inline]
fn random_offset(source: &mut Source, span: u64, origin: u64) -> u64 {
    let (class, bits) = source.word();
    let uniform = |bits| match span.checked_add(1) {
        Some(count) => scale(bits, count),
        None => bits,
    };
    match class % 16 {
        class::BOUNDARY => {
            let edges = [0, span, origin, 1.min(span), span.saturating_sub(1)];
            edges[scale(bits, edges.len() as u64) as usize]
        }
        class::NEIGHBOUR => {
            let (_, earlier) = source.earlier_word(bits);
            uniform(earlier).saturating_add_signed(neighbour(bits)).min(span)
        }
        2 => uniform(source.earlier_word(bits).1),
        // In wide ranges the numbers near the origin deserve more than their share.
        3..=6 if span > 64 => origin.saturating_add(bits >> 60).min(span),
        _ => uniform(bits),
    }
}

macro_rules! wide_integer {
    ($($type:ident $half:ident),*) => {$(
        impl Generate for $type {
            #[inline]
            fn generate(source: &mut Source) -> $type {
                let node = source.enter(stringify!($type));
                let value = if source.index(2) == 0 {
                    source.any::<$half>() as $type
                } else {
                    let high = source.any::<$half>() as $type;
                    (high << 64) | source.any::<u64>() as $type
                };
                source.leave(node);
                value
            }
        }

        impl Ranged for $type {
            const MOST: $type = $type::MAX;

            #[inline]
            fn between(source: &mut Source, low: $type, high: $type) -> $type {
                let span = high.abs_diff(low);
                let node = source.enter(stringify!($type));
                let offset = match u64::try_from(span) {
                    Ok(span) => u128::from(u64::between(source, 0, span)),
                    Err(_) => {
                        let top = u64::between(source, 0, (span >> 64) as u64);
                        ((u128::from(top) << 64) | u128::from(source.any::<u64>())).min(span)
                    }
                };
                source.leave(node);
                let origin = (0 as $type).clamp(low, high);
                // Count up from the origin and wrap around at the high end.
                let room = high.abs_diff(origin);
                if offset <= room {
                    origin.wrapping_add(offset as $type)
                } else {
                    origin.wrapping_sub((offset - room) as $type)
                }
            }

            #[inline]
            fn before(self) -> Option<$type> {
                self.checked_sub(1)
            }
        }
    )*};
}

wide_integer!(u128 u64, i128 i64);

macro_rules! non_zero {
    ($($type:ident),*) => {$(
        impl Generate for NonZero<$type> {
            #[inline]
            fn generate(source: &mut Source) -> NonZero<$type> {
                let value: $type = source.any();
                NonZero::new(value).unwrap_or(NonZero::new(1).expect("one is not zero"))
            }
        }
    )*};
}

non_zero!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);

impl<T: Generate> Generate for Wrapping<T> {
    #[inline]
    fn generate(source: &mut Source) -> Wrapping<T> {
        Wrapping(source.any())
    }
}

impl<T: Generate> Generate for Saturating<T> {
    #[inline]
    fn generate(source: &mut Source) -> Saturating<T> {
        Saturating(source.any())
    }
}
