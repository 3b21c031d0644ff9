//! Takes elements out of sequences: most of them if possible, then chunks, then single ones.

use super::Shrinker;
use super::sequence::Sequence;
use crate::choice::{Kind, Tape};

/// Choices before a sequence that are looked at as its possible length.
const LENGTHS: usize = 4;

pub(super) fn run(shrinker: &mut Shrinker<'_>) {
    let mut place = 0;
    while place < Sequence::all(&shrinker.best).len() {
        keep_few(shrinker, place);
        let mut size = count(shrinker, place) / 2;
        while size > 0 {
            delete_chunks(shrinker, place, size);
            size = size.min(count(shrinker, place)) / 2;
        }
        if count(shrinker, place) == 1 {
            delete_chunks(shrinker, place, 1);
        }
        place += 1;
    }
}

fn count(shrinker: &Shrinker<'_>, place: usize) -> usize {
    Sequence::all(&shrinker.best).get(place).map_or(0, |sequence| sequence.elements.len())
}

/// Tries to keep only the first 0, 1, 2, 4, … elements: what fails mostly fails with few.
fn keep_few(shrinker: &mut Shrinker<'_>, place: usize) {
    let mut few = 0;
    loop {
        let sequences = Sequence::all(&shrinker.best);
        let Some(sequence) = sequences.get(place) else { return };
        let all = sequence.elements.len();
        // Beyond a half it is the same as taking out a chunk.
        if few * 2 > all || all < 2 || delete_range(shrinker, sequence, few, all) {
            return;
        }
        few = if few == 0 { 1 } else { few * 2 };
    }
}

/// Tries to take out `size` neighbours at every place, from the back.
fn delete_chunks(shrinker: &mut Shrinker<'_>, place: usize, size: usize) {
    let mut to = count(shrinker, place);
    while to >= size && size > 0 {
        let sequences = Sequence::all(&shrinker.best);
        let Some(sequence) = sequences.get(place) else { return };
        if to > sequence.elements.len() {
            to = sequence.elements.len();
            continue;
        }
        delete_range(shrinker, sequence, to - size, to);
        to -= size;
    }
}

fn delete_range(shrinker: &mut Shrinker<'_>, sequence: &Sequence, from: usize, to: usize) -> bool {
    if let Some(candidate) = sequence.without(&shrinker.best, from, to) {
        return shrinker.attempt(candidate);
    }
    if sequence.length.is_some() {
        return false;
    }
    // The length was decided elsewhere: perhaps by one of the last numbers before the sequence.
    let mut tried = 0;
    for at in (0..sequence.start).rev() {
        if tried == LENGTHS {
            break;
        }
        if !matches!(shrinker.best.choices[at].kind, Kind::Integer(_) | Kind::Index) {
            continue;
        }
        tried += 1;
        if let Some(candidate) = lowered(&shrinker.best, at, (to - from) as u64) {
            let (start, end) = (sequence.elements[from].start, sequence.elements[to - 1].end);
            if shrinker.attempt(candidate.without(start, end)) {
                return true;
            }
        }
    }
    false
}

/// The tape with one choice lowered.
pub(super) fn lowered(tape: &Tape, at: usize, by: u64) -> Option<Tape> {
    let mut lower = tape.clone();
    lower.choices[at].value = lower.choices[at].value.checked_sub(by)?;
    Some(lower)
}
