//! Makes single choices smaller.

use super::Shrinker;
use crate::choice::{Choice, Kind};

/// Up to this many alternatives are tried one by one.
const FEW: u64 = 16;

pub(super) fn run(shrinker: &mut Shrinker<'_>) {
    let mut place = 0;
    while place < shrinker.best.choices.len() {
        lower(shrinker, place);
        place += 1;
    }
}

fn lower(shrinker: &mut Shrinker<'_>, place: usize) {
    let Choice { kind, value, .. } = shrinker.best.choices[place];
    match kind {
        _ if value == 0 => {}
        Kind::Index if value <= FEW => {
            let _ = (0..value).any(|lower| shrinker.attempt_values(&[(place, lower)]));
        }
        Kind::Integer(order) => {
            // The sign and the size are two things: first the sign, then the size alone.
            let offset = order.offset(value);
            if offset < 0 && shrinker.attempt_values(&[(place, order.code(-offset))]) {
                return lower(shrinker, place);
            }
            let sign = offset.signum();
            shrinker.minimize(offset.unsigned_abs() as u64, |shrinker, size| {
                shrinker.attempt_values(&[(place, order.code(sign * i128::from(size)))])
            });
        }
        _ => {
            shrinker.minimize(value, |shrinker, lower| shrinker.attempt_values(&[(place, lower)]));
        }
    }
}
