//! Replaces a value by a part of it of the same kind, or by the simplest value.

use super::Shrinker;
use crate::choice::{Span, Tape};

/// The most parts of one value that are tried in its place.
const PARTS: usize = 12;

pub(super) fn run(shrinker: &mut Shrinker<'_>) {
    let mut place = 0;
    while place < shrinker.best.spans.len() {
        let span = shrinker.best.spans[place];
        let zeros = shrinker.best.choices[span.start..span.end].iter().all(|choice| choice.value == 0);
        if !span.is_empty() && !zeros {
            let candidate = shrinker.best.emptied(place);
            if !shrinker.attempt(candidate) {
                hoist(shrinker, place);
            }
        }
        place += 1;
    }
}

/// Tries the parts of a value in its place, small ones first.
fn hoist(shrinker: &mut Shrinker<'_>, place: usize) {
    loop {
        let span = shrinker.best.spans[place];
        let parts = parts(&shrinker.best, &span);
        let hoisted = parts.iter().any(|part| {
            let part = shrinker.best.part(part);
            shrinker.attempt(shrinker.best.spliced(span.start, span.end, &part))
        });
        if !hoisted || shrinker.best.spans.get(place).is_none_or(|now| now.label != span.label) {
            return;
        }
    }
}

/// The smallest parts of a value that are of its kind, smallest first.
fn parts(tape: &Tape, span: &Span) -> Vec<Span> {
    let inside = |part: &&Span| part.label == span.label && !part.is_empty() && span.encloses(part);
    let mut parts: Vec<Span> = Vec::new();
    for part in tape.spans.iter().filter(inside) {
        parts.insert(parts.partition_point(|before| before.len() <= part.len()), *part);
        parts.truncate(PARTS);
    }
    parts
}
