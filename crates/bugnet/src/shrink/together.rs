//! Changes several choices at once, where no single change is enough.

use super::Shrinker;
use super::sequence::Sequence;
use crate::choice::{Choice, Kind, Tape, Zigzag};
use std::collections::BTreeMap;

/// Among this many numbers every pair is tried; among more, only near ones.
const ALL_PAIRS: usize = 12;
/// How near a pair must be where there are many.
const NEAR: usize = 4;

pub(super) fn run(shrinker: &mut Shrinker<'_>) {
    let before = shrinker.steps;
    equal_values(shrinker);
    sort_elements(shrinker);
    if shrinker.steps == before {
        delete_referred(shrinker);
    }
    if shrinker.steps == before {
        pairs(shrinker);
    }
}

/// Lowers all choices that have the same value together.
fn equal_values(shrinker: &mut Shrinker<'_>) {
    let mut groups: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (place, choice) in shrinker.best.choices.iter().enumerate() {
        if choice.value > 0 && !matches!(choice.kind, Kind::Index | Kind::Length) {
            groups.entry(choice.value).or_default().push(place);
        }
    }
    for (value, places) in groups.into_iter().filter(|(_, places)| places.len() > 1) {
        shrinker.minimize(value, |shrinker, lower| {
            let changes: Vec<(usize, u64)> = places.iter().map(|place| (*place, lower)).collect();
            shrinker.attempt_values(&changes)
        });
    }
}

/// Puts the simpler elements of a sequence first: all at once, else by neighbours.
fn sort_elements(shrinker: &mut Shrinker<'_>) {
    for place in 0..Sequence::all(&shrinker.best).len() {
        let Some(sequence) = Sequence::all(&shrinker.best).into_iter().nth(place) else { return };
        let parts: Vec<Tape> = sequence.elements.iter().map(|span| shrinker.best.part(span)).collect();
        let mut sorted = parts.clone();
        sorted.sort_by(Tape::simplicity);
        if sorted == parts || shrinker.attempt(reordered(&shrinker.best, &sequence, &sorted)) {
            continue;
        }
        for first in 0..parts.len().saturating_sub(1) {
            swap_neighbours(shrinker, place, first);
        }
    }
}

fn swap_neighbours(shrinker: &mut Shrinker<'_>, place: usize, first: usize) {
    let Some(sequence) = Sequence::all(&shrinker.best).into_iter().nth(place) else { return };
    let mut parts: Vec<Tape> = sequence.elements.iter().map(|span| shrinker.best.part(span)).collect();
    if first + 1 < parts.len() && parts[first].simplicity(&parts[first + 1]).is_gt() {
        parts.swap(first, first + 1);
        shrinker.attempt(reordered(&shrinker.best, &sequence, &parts));
    }
}

/// The tape with other elements in a sequence.
fn reordered(tape: &Tape, sequence: &Sequence, parts: &[Tape]) -> Tape {
    let mut result = tape.clone();
    // From the back, so that the places of the elements before stay as they are.
    for (element, part) in sequence.elements.iter().zip(parts).rev() {
        result = result.spliced(element.start, element.end, part);
    }
    result
}

/// Takes an element out and lowers every number that may refer to a place behind it.
fn delete_referred(shrinker: &mut Shrinker<'_>) {
    for place in 0..Sequence::all(&shrinker.best).len() {
        let mut element = 0;
        while let Some(sequence) = Sequence::all(&shrinker.best).into_iter().nth(place) {
            if element >= sequence.elements.len() {
                break;
            }
            let candidate = without_referred(&shrinker.best, &sequence, element);
            if !candidate.is_some_and(|candidate| shrinker.attempt(candidate)) {
                element += 1;
            }
        }
    }
}

fn without_referred(tape: &Tape, sequence: &Sequence, element: usize) -> Option<Tape> {
    let span = sequence.elements[element];
    let mut renumbered = tape.clone();
    let mut changed = false;
    for (place, choice) in renumbered.choices.iter_mut().enumerate() {
        let Kind::Integer(order) = choice.kind else { continue };
        let offset = order.offset(choice.value);
        if offset > element as i128 && !(span.start..span.end).contains(&place) {
            choice.value = order.code(offset - 1);
            changed = true;
        }
    }
    // Without a reference to lower this is a plain deletion, which has been tried.
    if changed { sequence.without(&renumbered, element, element + 1) } else { None }
}

/// Moves two numbers together: down by the same amount, or one down and the other up.
fn pairs(shrinker: &mut Shrinker<'_>) {
    let numbers = |shrinker: &Shrinker<'_>| -> Vec<usize> {
        let choices = shrinker.best.choices.iter().enumerate();
        choices
            .filter(|(_, choice)| matches!(choice.kind, Kind::Integer(_)))
            .map(|(place, _)| place)
            .collect()
    };
    let all = numbers(shrinker);
    let reach = if all.len() <= ALL_PAIRS { all.len() } else { NEAR };
    for first in 0..all.len() {
        for second in first + 1..(first + 1 + reach).min(all.len()) {
            for kind in [Move::Both, Move::Over] {
                if numbers(shrinker) != all {
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
    let attempt = |shrinker: &mut Shrinker<'_>, stays: u64| {
        let by = i128::from(most - stays) * a.signum();
        let other = match kind {
            Move::Both => b - by,
            Move::Over => b + by,
        };
        let codes = (left_order.code(a - by), right_order.code(other));
        shrinker.attempt_values(&[(first, codes.0), (second, codes.1)])
    };
    // A pair that cannot move by one will not move by more.
    if attempt(shrinker, most - 1) {
        shrinker.minimize(most - 1, attempt);
    }
}

fn number(choice: &Choice) -> Option<(i128, Zigzag)> {
    match choice.kind {
        Kind::Integer(order) => Some((order.offset(choice.value), order)),
        _ => None,
    }
}
