//! Changes several numbers at once, where no single change is enough.

use super::Shrinker;
use crate::choice::{Choice, Kind, Tape, Zigzag};
use crate::list::{mapped, sort};

/// Among this many numbers every pair is tried; among more, only near ones.
const ALL_PAIRS: usize = 12;
/// The greatest distance of a pair where there are many.
const NEAR: usize = 4;

pub(super) fn run(shrinker: &mut Shrinker<'_>) {
    let before = shrinker.steps;
    equal_values(shrinker);
    if shrinker.steps == before {
        other_sign(shrinker);
        pairs(shrinker);
    }
}

/// Lowers all choices that have the same value together.
fn equal_values(shrinker: &mut Shrinker<'_>) {
    let choices = shrinker.best.choices.clone();
    let value = |place: usize| choices[place].value;
    let mut places =
        shrinker.best.places(|choice| choice.value > 0 && !matches!(choice.kind, Kind::Index | Kind::Length));
    sort(&mut places, &|one, other| value(*one).cmp(&value(*other)));
    while let Some(first) = places.first().copied() {
        let others = places.iter().position(|place| value(*place) != value(first));
        let rest = places.split_off(others.unwrap_or(places.len()));
        if places.len() > 1 {
            shrinker.minimize(value(first), &mut |shrinker, lower| {
                let changes = mapped(&places, |place| (*place, lower));
                shrinker.attempt_values(&changes)
            });
        }
        places = rest;
    }
}

/// Tries the simplest number of the other sign that is simpler: -2 for 3.
fn other_sign(shrinker: &mut Shrinker<'_>) {
    for place in 0..shrinker.best.choices.len() {
        let Some(choice) = shrinker.best.choices.get(place) else { return };
        let Some((offset, order)) = number(choice) else { continue };
        if offset > 1 && offset <= i128::from(order.near) {
            shrinker.attempt_values(&[(place, order.code(1 - offset))]);
        }
    }
}

/// Moves two numbers together: down by the same amount, or one down and the other up.
fn pairs(shrinker: &mut Shrinker<'_>) {
    let numbers = |tape: &Tape| tape.places(|choice| matches!(choice.kind, Kind::Integer(_)));
    let all = numbers(&shrinker.best);
    let reach = if all.len() <= ALL_PAIRS { all.len() } else { NEAR };
    for first in 0..all.len() {
        for second in first + 1..(first + 1 + reach).min(all.len()) {
            for kind in [Move::Both, Move::Over] {
                if numbers(&shrinker.best) != all {
                    return;
                }
                move_pair(shrinker, all[first], all[second], kind);
            }
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Move {
    /// Both towards the simplest, keeping their difference.
    Both,
    /// The first towards the simplest and the second as far away, keeping their sum.
    Over,
}

fn move_pair(shrinker: &mut Shrinker<'_>, first: usize, second: usize, kind: Move) {
    let (left, right) = (shrinker.best.choices[first], shrinker.best.choices[second]);
    let (Some((a, left_order)), Some((b, right_order))) = (number(&left), number(&right)) else { return };
    let most = match kind {
        Move::Both if a.signum() == b.signum() => a.unsigned_abs().min(b.unsigned_abs()),
        Move::Both => 0,
        Move::Over => a.unsigned_abs(),
    };
    let Ok(most) = u64::try_from(most) else { return };
    if most == 0 {
        return;
    }
    let mut attempt = |shrinker: &mut Shrinker<'_>, stays: u64| {
        let by = i128::from(most - stays) * a.signum();
        let other = match kind {
            Move::Both => b - by,
            Move::Over => b + by,
        };
        let codes = (left_order.code(a - by), right_order.code(other));
        shrinker.attempt_values(&[(first, codes.0), (second, codes.1)])
    };
    // All the way first: the number on the way may be one that cannot be. Else a pair that cannot move
    // by one will not move by more.
    if !attempt(shrinker, 0) && attempt(shrinker, most - 1) {
        shrinker.minimize(most - 1, &mut attempt);
    }
}

fn number(choice: &Choice) -> Option<(i128, Zigzag)> {
    match choice.kind {
        Kind::Integer(order) => Some((order.offset(choice.value), order)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::choice::Source;
    use crate::oracle::{Failure, Signature, Verdict};
    use crate::shrink::{Terms, shrink};
    use crate::trial::{Ran, Trial, Worth};

    /// Lists of numbers that add up to 300 or more; no list has an unlucky number.
    struct Sums {
        unlucky: u8,
    }

    impl Trial for Sums {
        fn run(&mut self, source: &mut Source, worth: Worth<'_>) -> Option<Ran> {
            let list: Vec<u8> = source.any();
            let total: u32 = list.iter().map(|number| u32::from(*number)).sum();
            let fails = !list.contains(&self.unlucky) && worth(source) && total >= 300;
            fails.then(|| Ran::from(Verdict::Fail(Box::new(Failure::new(Signature::Hung, "too much")))))
        }

        fn is_over(&self) -> bool {
            false
        }
    }

    #[test]
    fn what_cannot_be_on_the_way_does_not_keep_numbers_from_moving_together() {
        let recorded = |numbers: &str| {
            let mut source = Source::replay(numbers.parse().unwrap());
            let list: Vec<u8> = source.any();
            (list, source.into_tape())
        };
        let (list, tape) = recorded("3.e.1f.ff");
        assert_eq!(list, [14, 31, 255]);
        // Fourteen can become zero, but not thirteen.
        for unlucky in [13, 0xaa] {
            let failure = Failure::new(Signature::Hung, "too much");
            let terms = Terms { signature: None, is_known: &mut |_| false, limit: 1_000 };
            let shrunk = shrink(&mut Sums { unlucky }, tape.clone(), failure, terms);
            assert_eq!(Source::replay(shrunk.tape).any::<Vec<u8>>(), [45, 255], "without {unlucky}");
        }
    }
}
