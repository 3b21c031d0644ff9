//! Patterns of values: what the inputs of a property that fail for one reason have in common.
//!
//! They are found on tapes, so they are there for every type: a [`Form`] is a tree over the spans of an
//! input. How wide it may be is found out by [tests](widen), and how it is written for people by looking
//! at what changes in the [text](words) of an input when a part of it is changed.
//!
//! **Invariant:** nothing here runs a test itself; what has to be tried is a [trial](crate::trial).

mod likeness;
mod matching;
mod part;
mod printed;
mod sample;
mod text;
mod widen;
mod words;

pub(crate) use matching::{Anchor, without};
pub(crate) use part::Part;
pub(crate) use sample::{Outcome, Sampler};
pub(crate) use widen::{Share, Widened, is_confirmed, widened};
pub(crate) use words::in_words;

use crate::choice::{Choice, Kind};
use crate::list::Listed;

/// A condition on a part of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Form {
    /// Anything.
    Any,
    /// A number of a class.
    Number(Numbers),
    /// A value with these parts.
    Node { label: Box<str>, parts: Vec<Form> },
    /// A list with these elements in this order; where a gap is open, before each and after the last,
    /// it may have others.
    List { elements: Vec<Form>, gaps: Vec<bool> },
    /// A part of a form that is equal to the others with this number.
    Same(usize, Box<Form>),
    /// A part that has, somewhere inside or as a whole, a part of a form.
    Inside(Box<Form>),
}

/// A class of numbers. Integers are told by their distance from the origin of their range, all other
/// choices by their place in the order of simplicity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// One, as it is on the tape.
    Exactly(u64),
    /// One of a few, as they are on the tape: the alternatives of a type are told so.
    OneOf(Vec<u64>),
    /// From the first to the second.
    Between(i128, i128),
    /// All but one.
    Not(i128),
}

impl Numbers {
    /// Returns true if a choice is of the class.
    fn has(&self, choice: &Choice) -> bool {
        let number = number(choice);
        match self {
            Numbers::Exactly(value) => choice.value == *value,
            Numbers::OneOf(values) => values.contains(&choice.value),
            Numbers::Between(low, high) => (*low..=*high).contains(&number),
            Numbers::Not(other) => number != *other,
        }
    }
}

/// Choices among more alternatives than this are taken for numbers.
const ALTERNATIVES: u64 = 15;

/// Returns true if a choice is one among a few alternatives.
pub(crate) fn is_alternative(choice: &Choice) -> bool {
    choice.kind == Kind::Index && choice.limit <= ALTERNATIVES
}

/// The number that a choice stands for.
pub(crate) fn number(choice: &Choice) -> i128 {
    match choice.kind {
        Kind::Integer(order) => order.offset(choice.value),
        _ => i128::from(choice.value),
    }
}

/// The choice that stands for a number, if there is one.
pub(crate) fn choice_of(like: &Choice, number: i128) -> Option<Choice> {
    let (least, most) = bounds(like);
    if !(least..=most).contains(&number) {
        return None;
    }
    let value = match like.kind {
        Kind::Integer(order) => order.code(number),
        _ => number as u64,
    };
    Some(Choice { value, ..*like })
}

/// The least and the greatest number that a choice can stand for.
pub(crate) fn bounds(choice: &Choice) -> (i128, i128) {
    let limit = i128::from(choice.limit);
    match choice.kind {
        Kind::Integer(order) => {
            let near = i128::from(order.near);
            let (near, far) = (near.min(limit), limit - near.min(limit));
            if order.down { (-far, near) } else { (-near, far) }
        }
        _ => (0, limit),
    }
}

/// The label of a span, as it is stored: a single word.
fn word(label: &str) -> Box<str> {
    let mut word = String::new();
    for letter in label.chars() {
        word.push(if letter.is_alphanumeric() || letter == ':' { letter } else { '_' });
    }
    word.into()
}

/// Returns true if a stored label is that of a span.
fn is_label(stored: &str, label: &str) -> bool {
    stored == label || stored.len() == label.len() && *stored == *word(label)
}

impl Form {
    /// The form of nothing but this.
    pub(crate) fn exactly(part: &Part) -> Form {
        if let Some((_, elements)) = part.list() {
            let gaps = vec![false; elements.len() + 1];
            return Form::List { elements: elements.iter().map(Form::exactly).listed(), gaps };
        }
        match part {
            Part::Choice(choice) if is_alternative(choice) => {
                Form::Number(Numbers::OneOf(vec![choice.value]))
            }
            Part::Choice(choice) => Form::Number(Numbers::Exactly(choice.value)),
            Part::Span(branch) => Form::Node {
                label: word(branch.label),
                parts: branch.parts.iter().map(Form::exactly).listed(),
            },
        }
    }

    /// The forms of the parts, and how many steps of a path to skip: the length of a list is a part of
    /// the input, but not of its form.
    fn inner(&self) -> (&[Form], usize) {
        match self {
            Form::Node { parts, .. } => (parts, 0),
            Form::List { elements, .. } => (elements, 1),
            Form::Same(_, form) | Form::Inside(form) => form.inner(),
            Form::Any | Form::Number(_) => (&[], 0),
        }
    }

    /// The form of the part at a path.
    pub(crate) fn at(&self, path: &[usize]) -> Option<&Form> {
        let Some((step, rest)) = path.split_first() else { return Some(self) };
        let (inner, skipped) = self.inner();
        inner.get(step.checked_sub(skipped)?)?.at(rest)
    }

    /// This form with another one for the part at a path.
    pub(crate) fn with(&self, path: &[usize], form: Form) -> Form {
        let mut whole = self.clone();
        if let Some(place) = whole.at_mut(path) {
            *place = form;
        }
        whole
    }

    pub(crate) fn at_mut(&mut self, path: &[usize]) -> Option<&mut Form> {
        let Some((step, rest)) = path.split_first() else { return Some(self) };
        match self {
            Form::Node { parts, .. } => parts.get_mut(*step)?.at_mut(rest),
            Form::List { elements, .. } => elements.get_mut(step.checked_sub(1)?)?.at_mut(rest),
            Form::Same(_, form) | Form::Inside(form) => form.at_mut(path),
            Form::Any | Form::Number(_) => None,
        }
    }

    /// Returns the number of variables.
    pub(crate) fn variables(&self) -> usize {
        let mut count = if let Form::Same(variable, _) = self { variable + 1 } else { 0 };
        for form in self.inner().0 {
            count = count.max(form.variables());
        }
        count
    }

    /// Any number in place of each number that does not choose among alternatives, and any number of
    /// elements of each sort in a list.
    pub(crate) fn with_any_numbers(&self) -> Form {
        let all = |forms: &[Form]| -> Vec<Form> { forms.iter().map(Form::with_any_numbers).listed() };
        match self {
            Form::Number(Numbers::OneOf(_)) => self.clone(),
            Form::Any | Form::Number(_) => Form::Any,
            Form::Node { label, parts } => Form::Node { label: label.clone(), parts: all(parts) },
            Form::List { elements, .. } => {
                let mut sorts: Vec<Form> = Vec::new();
                for element in all(elements) {
                    if !sorts.contains(&element) {
                        sorts.push(element);
                    }
                }
                Form::List { gaps: vec![true; sorts.len() + 1], elements: sorts }
            }
            Form::Same(_, form) => form.with_any_numbers(),
            Form::Inside(form) => Form::Inside(Box::new(form.with_any_numbers())),
        }
    }

    /// The form without its surroundings: the value that matters may be inside another, and the
    /// elements that matter among others.
    pub(crate) fn anywhere(&self) -> Form {
        match self {
            Form::Node { label, parts } if label.is_empty() || is_plain(label) => {
                Form::Node { label: label.clone(), parts: parts.iter().map(Form::anywhere).listed() }
            }
            Form::Node { .. } => Form::Inside(Box::new(self.clone())),
            Form::List { elements, gaps } if !elements.is_empty() => {
                Form::List { elements: elements.clone(), gaps: vec![true; gaps.len()] }
            }
            other => other.clone(),
        }
    }
}

/// Returns true if values of a label cannot be nested in a way that matters.
fn is_plain(label: &str) -> bool {
    ["tuple", "array", "element", "float", "duration"].contains(&label)
}

#[cfg(test)]
mod tests;
