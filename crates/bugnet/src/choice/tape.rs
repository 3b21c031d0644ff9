//! The tape: the choices of one test case with the spans that group them.
//!
//! **Invariant:** spans nest, stand in the order in which they open, and lie within the tape.

use super::{Choice, Kind};
use crate::list::mapped;
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A run of choices that belong together: one value, or one element of a sequence.
///
/// ```
/// use bugnet::choice::Span;
///
/// let span = Span { label: "element", start: 1, end: 3 };
/// assert_eq!(span.len(), 2);
/// assert!(!span.is_empty());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    /// The name of the thing that the run makes; empty when the tape was read from text.
    pub label: &'static str,
    /// Place of the first choice.
    pub start: usize,
    /// Place after the last choice.
    pub end: usize,
}

impl Span {
    /// Returns the number of choices in the span.
    ///
    /// ```
    /// use bugnet::choice::Tape;
    ///
    /// let tape: Tape = "2(1.ff)".parse().unwrap();
    /// assert_eq!(tape.spans[0].len(), 2);
    /// ```
    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// Returns true if the span holds no choice.
    ///
    /// ```
    /// use bugnet::choice::Span;
    ///
    /// assert!(Span { label: "list", start: 3, end: 3 }.is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// Returns true if `other` lies inside this span and is not the span itself.
    #[doc(hidden)]
    pub fn encloses(&self, other: &Span) -> bool {
        self.start <= other.start && other.end <= self.end && other.len() < self.len()
    }
}

/// The choices of one test case, replayable with nothing but the generator.
///
/// A tape prints as one short word and parses back: choices in hexadecimal with dots between
/// them, spans in parentheses.
///
/// ```
/// use bugnet::choice::Tape;
///
/// let tape: Tape = "2(1.ff)(0)".parse().unwrap();
/// assert_eq!(tape.values(), [2, 1, 255, 0]);
/// assert_eq!(tape.to_string(), "2(1.ff)(0)");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tape {
    /// Every choice, in the order in which it was made.
    pub choices: Vec<Choice>,
    /// The groups of choices, in the order in which they were opened.
    pub spans: Vec<Span>,
}

impl Tape {
    /// The bare numbers.
    ///
    /// ```
    /// use bugnet::choice::Tape;
    ///
    /// let tape: Tape = "2(1.ff)".parse().unwrap();
    /// assert_eq!(tape.values(), [2, 1, 255]);
    /// ```
    pub fn values(&self) -> Vec<u64> {
        mapped(&self.choices, |choice| choice.value)
    }

    /// The places of the choices that fit.
    #[doc(hidden)]
    pub fn places(&self, fits: fn(&Choice) -> bool) -> Vec<usize> {
        let mut places = Vec::new();
        for (place, choice) in self.choices.iter().enumerate() {
            if fits(choice) {
                places.push(place);
            }
        }
        places
    }

    /// The spans that fit.
    #[doc(hidden)]
    pub fn spans_where(&self, fits: &dyn Fn(&Span) -> bool) -> Vec<Span> {
        let mut spans = Vec::new();
        for span in &self.spans {
            if fits(span) {
                spans.push(*span);
            }
        }
        spans
    }

    /// Which of two test cases is simpler: the one and only definition.
    ///
    /// Fewer choices are simpler, because every choice is something a reader has to take in.
    /// Among equally long tapes the one that is smaller at the first difference is simpler,
    /// because earlier choices decide what the later ones mean.
    ///
    /// ```
    /// use bugnet::choice::Tape;
    /// use std::cmp::Ordering;
    ///
    /// let tape = |text: &str| text.parse::<Tape>().unwrap();
    /// assert_eq!(tape("ff").simplicity(&tape("0.0")), Ordering::Less);
    /// assert_eq!(tape("1.9").simplicity(&tape("2.0")), Ordering::Less);
    /// ```
    pub fn simplicity(&self, other: &Tape) -> Ordering {
        let mut order = self.choices.len().cmp(&other.choices.len());
        for (ours, theirs) in self.choices.iter().zip(&other.choices) {
            if order.is_ne() {
                break;
            }
            order = ours.value.cmp(&theirs.value);
        }
        order
    }

    /// This tape without the choices `start..end` and the spans inside them.
    #[doc(hidden)]
    pub fn without(&self, start: usize, end: usize) -> Tape {
        self.spliced(start, end, &Tape::default())
    }

    /// This tape with the choices `start..end` and the spans inside them replaced by `part`.
    #[doc(hidden)]
    pub fn spliced(&self, start: usize, end: usize, part: &Tape) -> Tape {
        let mut choices = Vec::with_capacity(self.choices.len() + part.choices.len());
        choices.extend_from_slice(&self.choices[..start]);
        choices.extend_from_slice(&part.choices);
        choices.extend_from_slice(&self.choices[end..]);
        let (removed, added) = (end - start, part.choices.len());
        let moved = |place: usize| if place >= end { place - removed + added } else { place };
        let mut spans = Vec::with_capacity(self.spans.len() + part.spans.len());
        let mut is_filled = false;
        for span in &self.spans {
            let inside = start <= span.start && span.end <= end && start < end && !span.is_empty();
            if !is_filled && (span.start >= end || inside) {
                add_shifted(&mut spans, &part.spans, start);
                is_filled = true;
            }
            if !inside {
                let begin = if span.start >= end { moved(span.start) } else { span.start };
                spans.push(Span { start: begin, end: moved(span.end).max(begin), ..*span });
            }
        }
        if !is_filled {
            add_shifted(&mut spans, &part.spans, start);
        }
        Tape { choices, spans }
    }

    /// This tape with a span that is there but holds nothing, which reads as zeros.
    pub(crate) fn emptied(&self, span: usize) -> Tape {
        let Span { start, end, label } = self.spans[span];
        self.spliced(start, end, &Tape { choices: vec![], spans: vec![Span { label, start: 0, end: 0 }] })
    }

    /// The next span with the label of this one that is inside the same span but not inside it.
    pub(crate) fn next_sibling(&self, place: usize) -> Option<Span> {
        let span = self.spans[place];
        if span.is_empty() {
            return None;
        }
        let parent = self.spans[..place].iter().rev().find(|outer| outer.encloses(&span));
        let end = parent.map_or(self.choices.len(), |parent| parent.end);
        for other in &self.spans[place + 1..] {
            if other.start >= end {
                break;
            }
            if other.start >= span.end && other.label == span.label && !other.is_empty() {
                return Some(*other);
            }
        }
        None
    }

    /// The last span of the tape, by its place, with its choices and the spans inside it, as a tape
    /// of its own.
    pub(crate) fn part_from(&self, place: usize) -> Tape {
        let start = self.spans[place].start;
        let (choices, mut spans) = (self.choices[start..].to_vec(), self.spans[place..].to_vec());
        for span in &mut spans {
            (span.start, span.end) = (span.start - start, span.end - start);
        }
        Tape { choices, spans }
    }

    /// This tape as it is when it was printed and read back.
    #[doc(hidden)]
    pub fn bare(&self) -> Tape {
        let mut bare = Tape::default();
        for choice in &self.choices {
            bare.choices.push(Choice { kind: Kind::Unknown, value: choice.value, limit: u64::MAX });
        }
        for span in &self.spans {
            if !span.is_empty() {
                bare.spans.push(Span { label: "", ..*span });
            }
        }
        bare
    }

    /// Adds another tape behind this one.
    #[doc(hidden)]
    pub fn append(&mut self, other: &Tape) {
        add_shifted(&mut self.spans, &other.spans, self.choices.len());
        self.choices.extend_from_slice(&other.choices);
    }

    /// The choices of a span, with the spans inside it, as a tape of their own.
    #[doc(hidden)]
    pub fn part(&self, span: &Span) -> Tape {
        let mut spans = Vec::new();
        for inner in &self.spans {
            if span.start <= inner.start && inner.end <= span.end {
                spans.push(Span { start: inner.start - span.start, end: inner.end - span.start, ..*inner });
            }
        }
        Tape { choices: self.choices[span.start..span.end].to_vec(), spans }
    }
}

/// Adds spans of a tape that begins at a place of another.
fn add_shifted(spans: &mut Vec<Span>, added: &[Span], by: usize) {
    for span in added {
        spans.push(Span { start: span.start + by, end: span.end + by, ..*span });
    }
}

impl fmt::Display for Tape {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Vec::with_capacity(4 * self.choices.len());
        let mut open: Vec<usize> = Vec::new();
        let mut spans = self.spans.iter().peekable();
        let mut after_number = false;
        for (place, choice) in self.choices.iter().enumerate() {
            while open.last().is_some_and(|end| *end <= place) {
                open.pop();
                text.push(b')');
                after_number = false;
            }
            while let Some(span) = spans.next_if(|span| span.start <= place) {
                if span.end > place {
                    open.push(span.end);
                    text.push(b'(');
                    after_number = false;
                }
            }
            if after_number {
                text.push(b'.');
            }
            push_hexadecimal(&mut text, choice.value);
            after_number = true;
        }
        text.resize(text.len() + open.len(), b')');
        out.write_str(std::str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

/// Writes a number as `{:x}` does. Exploring writes every program down before it is run, so this is hot.
fn push_hexadecimal(text: &mut Vec<u8>, value: u64) {
    let digit = |place: u32| b"0123456789abcdef"[(value >> (4 * place)) as usize & 15];
    if value < 16 {
        return text.push(digit(0));
    }
    let digits = (u64::BITS - value.leading_zeros()).div_ceil(4);
    text.extend((0..digits).rev().map(digit));
}

/// The reason why a text is not a tape.
///
/// ```
/// use bugnet::choice::Tape;
///
/// let error = "1.x".parse::<Tape>().unwrap_err();
/// assert!(error.to_string().contains("`x`"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseTapeError(String);

impl fmt::Display for ParseTapeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for ParseTapeError {}

impl FromStr for Tape {
    type Err = ParseTapeError;

    fn from_str(text: &str) -> Result<Tape, ParseTapeError> {
        let mut tape = Tape::default();
        let mut open = Vec::new();
        let mut rest = text.trim();
        while let Some(first) = rest.chars().next() {
            match first {
                '(' => {
                    open.push(tape.spans.len());
                    let start = tape.choices.len();
                    tape.spans.push(Span { label: "", start, end: start });
                    rest = &rest[1..];
                }
                ')' => {
                    let span = open
                        .pop()
                        .ok_or_else(|| ParseTapeError("a `)` without a `(` before it".to_string()))?;
                    tape.spans[span].end = tape.choices.len();
                    // An empty span says nothing and is not printed; those in it are gone already, so it is the last.
                    if tape.spans[span].is_empty() {
                        tape.spans.pop();
                    }
                    rest = &rest[1..];
                }
                '.' => rest = &rest[1..],
                _ => {
                    let end = rest.find(['.', '(', ')']).unwrap_or(rest.len());
                    let value = u64::from_str_radix(&rest[..end], 16).map_err(|_| {
                        ParseTapeError(format!("`{}` is not a hexadecimal number", &rest[..end]))
                    })?;
                    tape.choices.push(Choice { kind: Kind::Unknown, value, limit: u64::MAX });
                    rest = &rest[end..];
                }
            }
        }
        if open.is_empty() {
            Ok(tape)
        } else {
            Err(ParseTapeError("a `(` without a `)` after it".to_string()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tape(text: &str) -> Tape {
        text.parse().unwrap()
    }

    #[test]
    fn numbers_are_written_in_hexadecimal() {
        for value in [0, 1, 15, 16, 0xabc, 1 << 60, u64::MAX] {
            let mut text = Vec::new();
            push_hexadecimal(&mut text, value);
            assert_eq!(text, format!("{value:x}").into_bytes());
        }
    }

    #[test]
    fn shorter_is_simpler_and_then_the_first_difference_decides() {
        assert_eq!(tape("ff").simplicity(&tape("0.0")), Ordering::Less);
        assert_eq!(tape("1.ff").simplicity(&tape("2.0")), Ordering::Less);
        assert_eq!(tape("1.2").simplicity(&tape("(1.2)")), Ordering::Equal);
    }

    #[test]
    fn what_prints_parses_back_to_the_same_tape() {
        for text in ["", "0", "3(1)(2)(3)", "1((2.3)4)5", "(0.1)ffffffffffffffff"] {
            assert_eq!(tape(text).to_string(), text);
        }
    }

    #[test]
    fn spans_without_a_choice_are_read_as_none() {
        for (text, printed) in [("1()2", "1.2"), ("()", ""), ("(())(3)", "(3)"), ("(1()(()))4", "(1)4")] {
            assert_eq!(tape(text), tape(printed), "{text}");
        }
    }

    #[test]
    fn a_bare_tape_is_the_one_that_is_read_back() {
        let mut source = crate::choice::Source::recording(crate::random::Seed(3), 1);
        let _list: Vec<Vec<(u8, String)>> = source.any();
        let tape = source.into_tape();
        assert!(tape.choices.len() > 3, "{tape}");
        assert_eq!(tape.bare(), tape.to_string().parse().unwrap());
    }

    #[test]
    fn unbalanced_text_is_refused() {
        assert!("(1".parse::<Tape>().is_err());
        assert!("1)".parse::<Tape>().is_err());
        assert!("10000000000000000".parse::<Tape>().is_err());
    }

    #[test]
    fn deleting_an_element_keeps_the_other_spans_in_place() {
        let three = tape("3(1)(2)(3)");
        assert_eq!(three.without(2, 3).to_string(), "3(1)(3)");
        assert_eq!(three.without(1, 4).to_string(), "3");
    }

    #[test]
    fn replacing_a_span_by_a_part_brings_the_spans_of_the_part() {
        let tree = tape("(1(0.5)(2(0.7)))9");
        let inner = tree.spans[3];
        let part = tree.part(&inner);
        let whole = tree.spans[0];
        assert_eq!(tree.spliced(whole.start, whole.end, &part).to_string(), "(0.7)9");
    }
}
