//! Changes sequences as a whole, where no single element can go.

use super::Shrinker;
use super::sequence::Sequence;
use crate::choice::{Kind, Span, Tape};
use crate::generate::ELEMENT;

/// Among this many elements every pair is tried.
const FEW: usize = 12;

pub(super) fn run(shrinker: &mut Shrinker<'_>) {
    let before = shrinker.steps;
    for pass in [join, sort_elements, swap_siblings, delete_referred, delete_pairs] {
        if shrinker.steps == before {
            pass(shrinker);
        }
    }
}

/// Moves the elements of a sequence into the one before it: `[[0], [1]]` to `[[0, 1]]`.
fn join(shrinker: &mut Shrinker<'_>) {
    for place in 0..Sequence::all(&shrinker.best).len() {
        let mut element = 1;
        while let Some(candidate) = joined(&shrinker.best, place, element) {
            if !shrinker.attempt(candidate) {
                element += 1;
            }
        }
    }
}

/// The tape with the sequence in an element joined to the one in the element before; `None` where
/// there are no two such elements.
fn joined(tape: &Tape, place: usize, element: usize) -> Option<Tape> {
    let sequences = Sequence::all(tape);
    let outer = sequences.get(place)?;
    let (left, right) = (outer.elements.get(element - 1)?, outer.elements.get(element)?);
    let inside = |element: &Span| {
        sequences.iter().find(|inner| element.start <= inner.start && inner.start < element.end)
    };
    let (first, second) = (inside(left)?, inside(right)?);
    let (outer_length, length) = (outer.length?, first.length?);
    let mut both = Tape {
        choices: tape.choices[left.start..=length].to_vec(),
        // The spans around the first sequence, to be closed behind the second.
        spans: tape.spans_where(&|span| left.start <= span.start && span.start <= length),
    };
    both.choices[length - left.start].value += second.elements.len() as u64;
    let around = both.spans.len();
    for span in &first.elements {
        both.append(&tape.part(span));
    }
    for span in &second.elements {
        both.append(&tape.part(span));
    }
    let end = both.choices.len();
    for span in &mut both.spans[..around] {
        *span = Span { start: span.start - left.start, end, ..*span };
    }
    let mut result = tape.spliced(left.start, right.end, &both);
    let value = &mut result.choices[outer_length].value;
    *value = value.checked_sub(1)?;
    Some(result)
}

/// Puts the simpler elements of a sequence first: all at once, else by neighbours.
fn sort_elements(shrinker: &mut Shrinker<'_>) {
    for place in 0..Sequence::all(&shrinker.best).len() {
        let Some(sequence) = Sequence::all(&shrinker.best).into_iter().nth(place) else { return };
        let parts = sequence.parts(&shrinker.best);
        let mut sorted: Vec<Tape> = Vec::new();
        for part in &parts {
            sorted.insert(sorted.partition_point(|before| before.simplicity(part).is_le()), part.clone());
        }
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
    let mut parts = sequence.parts(&shrinker.best);
    if first + 1 < parts.len() && parts[first].simplicity(&parts[first + 1]).is_gt() {
        parts.swap(first, first + 1);
        shrinker.attempt(reordered(&shrinker.best, &sequence, &parts));
    }
}

/// Swaps two parts of the same kind of one value, such as the branches of a tree.
fn swap_siblings(shrinker: &mut Shrinker<'_>) {
    let mut left = 0;
    while let Some(first) = shrinker.best.spans.get(left).copied() {
        let sibling = shrinker.best.next_sibling(left).filter(|_| first.label != ELEMENT);
        if let Some(second) = sibling {
            let (one, other) = (shrinker.best.part(&first), shrinker.best.part(&second));
            // The later one first, so that the place of the earlier one stays.
            let tape = shrinker.best.spliced(second.start, second.end, &one);
            shrinker.attempt(tape.spliced(first.start, first.end, &other));
        }
        left += 1;
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

/// Takes out two elements at once, of one sequence or of two.
fn delete_pairs(shrinker: &mut Shrinker<'_>) {
    let sequences = Sequence::all(&shrinker.best);
    let mut elements: Vec<(usize, usize)> = Vec::new();
    for (place, sequence) in sequences.iter().enumerate() {
        (0..sequence.elements.len()).for_each(|element| elements.push((place, element)));
    }
    if elements.len() > FEW {
        return;
    }
    for (at, second) in elements.iter().enumerate().rev() {
        for first in &elements[..at] {
            // The later one goes first, so that the place of the earlier one stays.
            let candidate = sequences[second.0]
                .without(&shrinker.best, second.1, second.1 + 1)
                .and_then(|tape| Sequence::all(&tape).get(first.0)?.without_one(&tape, first.1));
            if candidate.is_some_and(|candidate| shrinker.attempt(candidate)) {
                return;
            }
        }
    }
}
