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
            let _ = (0..value).any(|lower| {
                shrinker.attempt_values(&[(place, lower)]) || lower_alone(shrinker, place, lower)
            });
        }
        Kind::Integer(order) => {
            // The sign and the size are two things: first the sign, then the size alone.
            let offset = order.offset(value);
            if offset < 0 && shrinker.attempt_values(&[(place, order.code(-offset))]) {
                return lower(shrinker, place);
            }
            let sign = offset.signum();
            shrinker.minimize(offset.unsigned_abs() as u64, &mut |shrinker, size| {
                shrinker.attempt_values(&[(place, order.code(sign * i128::from(size)))])
            });
        }
        _ => {
            shrinker.minimize(value, &mut |shrinker, lower| shrinker.attempt_values(&[(place, lower)]));
        }
    }
}

/// Lowers a choice and makes what follows in its span the simplest: another alternative mostly
/// has no use for the rest of the old one.
fn lower_alone(shrinker: &mut Shrinker<'_>, place: usize, lower: u64) -> bool {
    // Spans stand in the order in which they open, so the last around a place is the innermost.
    let mut spans = shrinker.best.spans.iter().rev();
    let inner = spans.find(|span| span.start <= place && place < span.end);
    let end = inner.map_or(place + 1, |span| span.end);
    let mut candidate = shrinker.best.clone();
    candidate.choices[place].value = lower;
    // Only numbers become zero: alternatives and lengths keep the shape as far as it fits.
    for choice in &mut candidate.choices[place + 1..end] {
        if !matches!(choice.kind, Kind::Index | Kind::Length) {
            choice.value = 0;
        }
    }
    shrinker.attempt(candidate)
}
