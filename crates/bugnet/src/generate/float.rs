//! Floats: whole numbers first, then fractions, then the special ones.
//!
//! A float is two choices: its magnitude, as a place in the order of simplicity, and its sign.
//! Whole numbers come first, by size; then everything else, exponents near zero first and few
//! significant bits before many; then infinity; NaN is last. Up to a depth d, exhaustive search
//! meets every x·2^y with x and y up to d, as in Venema's thesis (2012), section 2.4.3, and from
//! depth two on also -0.0, the infinities and NaN.
//!
//! **Invariant:** a place and a magnitude are one to one, but for the payload of NaN.

use super::Generate;
use super::range::Ranged;
use crate::choice::{Kind, Source};
use crate::swarm::Values;
use std::cell::RefCell;
use std::rc::Rc;

/// Whole numbers below this have the first places; all of them are exact.
const WHOLE: u64 = 1 << 53;
/// The place of NaN, the last.
const NAN: u64 = WHOLE + (1 << 63) + 1;
const FRACTION: u64 = (1 << 52) - 1;

/// Values on which arithmetic has been seen to stumble.
const TROUBLE: [f64; 20] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    0.1,
    1.5,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    f64::EPSILON,
    5e-324,
    f32::MAX as f64,
    f32::MIN_POSITIVE as f64,
    9_007_199_254_740_993.0,
    18_446_744_073_709_551_616.0,
    -9_223_372_036_854_775_808.0,
];

/// The place of a magnitude in the order of simplicity.
#[inline]
fn code(magnitude: f64) -> u64 {
    if magnitude.is_nan() {
        return NAN;
    }
    if magnitude < WHOLE as f64 && magnitude.fract() == 0.0 {
        return magnitude as u64;
    }
    let bits = magnitude.to_bits();
    let exponent = (bits >> 52) as i64 - 1023;
    let rank = if exponent >= 0 { 2 * exponent as u64 } else { 2 * exponent.unsigned_abs() - 1 };
    WHOLE + ((rank << 52) | ((bits & FRACTION).reverse_bits() >> 12))
}

/// The magnitude at a place.
#[inline]
fn decode(code: u64) -> f64 {
    if code < WHOLE {
        return code as f64;
    }
    if code >= NAN {
        return f64::NAN;
    }
    let rank = (code - WHOLE) >> 52;
    let exponent = if rank % 2 == 0 { (rank / 2) as i64 } else { -(rank.div_ceil(2) as i64) };
    let fraction = ((code - WHOLE) & FRACTION).reverse_bits() >> 12;
    f64::from_bits((((exponent + 1023) as u64) << 52) | fraction)
}

/// A random float: whole and small, in the unit interval, any bits at all, or a known trouble.
#[inline]
fn random_float(source: &mut Source) -> f64 {
    let (class, bits) = source.word();
    match class % 16 {
        0 | 1 => TROUBLE[(crate::random::scale(bits, TROUBLE.len() as u64)) as usize],
        2 => f64::from_bits(bits),
        3 => source.earlier_word(bits).1 as i64 as f64 / 1024.0,
        4..=7 => (bits as i64 >> 58) as f64,
        8 | 9 => (bits as i64 >> 40) as f64,
        10 | 11 => (bits as i64 >> 54) as f64 / 8.0,
        12 | 13 => (bits >> 11) as f64 / WHOLE as f64,
        _ => (bits as i64 >> 11) as f64 / 1024.0,
    }
}

/// Magnitudes, each with its depth.
type Magnitudes = Rc<Vec<(f64, u32)>>;

/// The magnitudes up to a depth with the depth of each, in order of depth.
#[inline]
fn magnitudes(depth: u32) -> Magnitudes {
    thread_local! {
        static KNOWN: RefCell<Vec<Magnitudes>> = const { RefCell::new(Vec::new()) };
    }
    // Beyond this depth the pairs would be too many to list; the search never comes so far.
    let depth = depth.min(64);
    let known = KNOWN.with_borrow(|known| known.get(depth as usize).cloned());
    known.unwrap_or_else(|| {
        let mut all = match depth {
            0 => Vec::new(),
            _ => magnitudes(depth - 1).as_ref().clone(),
        };
        let reach = depth as i32;
        for x in 0..reach + 1 {
            for y in -reach..reach + 1 {
                let value = f64::from(x) * 2f64.powi(y);
                if !all.iter().any(|(known, _)| *known == value) {
                    all.push((value, depth));
                }
            }
        }
        if depth == 2 {
            all.push((f64::INFINITY, 2));
            all.push((f64::NAN, 2));
        }
        let all = Rc::new(all);
        KNOWN.with_borrow_mut(|known| known.push(all.clone()));
        all
    })
}

#[cold]
#[inline]
fn decide_float(source: &mut Source, random: fn(&mut Source) -> f64) -> f64 {
    let node = source.enter("float");
    let mut drawn = None;
    let magnitude = if source.is_exhaustive() {
        let all = magnitudes(source.depth());
        let new = all.partition_point(|(_, depth)| u64::from(*depth) < source.least_new()) as u64;
        let digit = source
            .enumerate(Kind::Float, NAN, all.len() as u64 - 1, new, |digit| code(all[digit as usize].0));
        decode(digit)
    } else {
        decode(source.decide(Kind::Float, NAN, NAN, 0, |source| {
            source.drawn_place(Values::Floats, NAN, |source| {
                let value = random(source);
                drawn = Some(value.is_sign_negative());
                code(value.abs())
            })
        }))
    };
    // Zero has a sign only where the depth allows for special values.
    let signed = !source.is_exhaustive() || (magnitude != 0.0 || source.depth() >= 2) && !magnitude.is_nan();
    let highest = u64::from(signed);
    let negative = source.decide(Kind::Index, 1, highest, 0, |source| match drawn {
        Some(negative) => u64::from(negative),
        None => source.random_below(2),
    });
    source.leave(node);
    if negative == 1 { -magnitude } else { magnitude }
}

impl Generate for f64 {
    #[inline]
    fn generate(source: &mut Source) -> f64 {
        if source.is_fast() { random_float(source) } else { decide_float(source, random_float) }
    }
}

impl Generate for f32 {
    #[inline]
    fn generate(source: &mut Source) -> f32 {
        let random = |source: &mut Source| {
            let wide = random_float(source);
            let narrow = wide as f32;
            // Any bits at all means any bits of this width.
            if narrow.is_infinite() && wide.is_finite() {
                f64::from(f32::from_bits(wide.to_bits() as u32))
            } else {
                f64::from(narrow)
            }
        };
        if source.is_fast() { random(source) as f32 } else { decide_float(source, random) as f32 }
    }
}

macro_rules! float_range {
    ($($type:ident),*) => {$(
        impl Ranged for $type {
            const MOST: $type = $type::MAX;

            /// Shrinks towards the number of the range that is nearest to zero.
            #[inline]
            fn between(source: &mut Source, low: $type, high: $type) -> $type {
                if !(low.is_finite() && high.is_finite()) {
                    crate::oracle::usage_error(format!(
                        "{low}..={high} has an end that is not finite; write finite bounds, or `any::<{}>()`",
                        stringify!($type),
                    ));
                }
                let origin = (0.0 as $type).clamp(low, high);
                let up = high - origin >= origin - low;
                let (far, near) = if up { (high, low) } else { (low, high) };
                let node = source.enter("float");
                let side = if near == origin || source.index(2) == 0 { far } else { near };
                // 2^32 steps are fine enough, and exact at both ends.
                let steps = 1u64 << 32;
                let part = u64::between(source, 0, steps) as $type / steps as $type;
                source.leave(node);
                (origin * (1.0 - part) + side * part).clamp(low, high)
            }

            #[inline]
            fn before(self) -> Option<$type> {
                // `next_down` needs Rust 1.86.
                Some(match self {
                    _ if self.is_nan() || self == <$type>::NEG_INFINITY => self,
                    _ if self == 0.0 => -<$type>::from_bits(1),
                    _ if self > 0.0 => <$type>::from_bits(self.to_bits() - 1),
                    _ => <$type>::from_bits(self.to_bits() + 1),
                })
            }
        }
    )*};
}

float_range!(f32, f64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_before_one_is_the_next_below() {
        let numbers = TROUBLE.iter().flat_map(|value| [*value, -value]).chain([1.0, -0.75, f64::MAX]);
        for value in numbers.chain([f64::INFINITY, f64::NEG_INFINITY, f64::NAN]) {
            assert_eq!(value.before().map(f64::to_bits), Some(value.next_down().to_bits()), "{value}");
        }
    }

    #[test]
    fn every_magnitude_comes_back_from_its_place() {
        for value in TROUBLE.map(f64::abs).into_iter().chain([0.75, 1e300, 3e-310, 12345.678]) {
            assert!(decode(code(value)) == value || value.is_nan(), "{value}");
        }
        assert!(decode(code(f64::NAN)).is_nan());
    }

    #[test]
    fn whole_numbers_are_simpler_than_fractions_and_those_than_infinity() {
        let order = [0.0, 1.0, 1000.0, 1.5, 0.5, 1e300, f64::INFINITY, f64::NAN];
        assert!(order.is_sorted_by(|left, right| code(*left) < code(*right)));
    }

    #[test]
    fn depth_three_holds_the_floats_of_the_thesis() {
        let all = magnitudes(3);
        for value in [0.75, 12.0, 1.5, 0.0] {
            assert!(all.iter().any(|(known, _)| *known == value), "{value}");
        }
    }
}
