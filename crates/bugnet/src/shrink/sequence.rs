//! A sequence on a tape: its length and its elements.

use crate::choice::{Kind, Span, Tape};
use crate::generate::{ELEMENT, SEQUENCE};
use crate::list::mapped;

/// The place of a sequence on a tape.
#[derive(Debug, Clone)]
pub(super) struct Sequence {
    /// The choice of the length, if it was chosen.
    pub(super) length: Option<usize>,
    /// The start of the sequence.
    pub(super) start: usize,
    /// The elements, in order.
    pub(super) elements: Vec<Span>,
}

impl Sequence {
    /// The sequences of a tape, outer ones first.
    pub(super) fn all(tape: &Tape) -> Vec<Sequence> {
        let mut sequences = Vec::new();
        for (place, span) in tape.spans.iter().enumerate() {
            if span.label == SEQUENCE && !span.is_empty() {
                sequences.push(Sequence::at(tape, place, span));
            }
        }
        sequences
    }

    fn at(tape: &Tape, place: usize, whole: &Span) -> Sequence {
        let mut elements = Vec::new();
        let mut end = whole.start;
        // Spans stand in the order in which they open, so what starts before the end of the last
        // element lies inside it.
        for span in tape.spans[place + 1..].iter().take_while(|span| span.start < whole.end) {
            if span.label == ELEMENT && span.start >= end && !span.is_empty() {
                elements.push(*span);
                end = span.end;
            }
        }
        let first = elements.first().map_or(whole.end, |element| element.start);
        let length = (whole.start..first).find(|at| tape.choices[*at].kind == Kind::Length);
        Sequence { length, start: whole.start, elements }
    }

    /// The elements, each as a tape of its own.
    pub(super) fn parts(&self, tape: &Tape) -> Vec<Tape> {
        mapped(&self.elements, |span| tape.part(span))
    }

    /// The tape without the elements `from..to`; `None` if its length cannot be less.
    pub(super) fn without(&self, tape: &Tape, from: usize, to: usize) -> Option<Tape> {
        let length = self.length?;
        let mut shorter = tape.without(self.elements[from].start, self.elements[to - 1].end);
        let value = &mut shorter.choices[length].value;
        *value = value.checked_sub((to - from) as u64)?;
        Some(shorter)
    }

    /// The tape without one element, if there is such an element.
    pub(super) fn without_one(&self, tape: &Tape, element: usize) -> Option<Tape> {
        (element < self.elements.len()).then(|| self.without(tape, element, element + 1)).flatten()
    }
}
