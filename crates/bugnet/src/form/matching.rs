//! Matching: whether an input has a form, and by which of its parts.
//!
//! **Invariant:** matching ends: what takes too long does not match.

use super::part::{Branch, Part};
use super::{Form, is_label};
use crate::choice::Tape;

/// Steps before a match is given up. Patterns are small; only lists with several gaps and variables can come near.
const FUEL: u32 = 20_000;

/// Choices that may be open at a time, so that the stack does not overflow.
const DEEPEST: usize = 200;

/// A part of an input by which it matches, and without which it would not by the same parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// A value inside of another or the whole, by its choices.
    Value { start: usize, end: usize },
    /// An element of a list: the place of the length of the list, and the choices of the element.
    Element { length: usize, start: usize, end: usize },
}

/// A part that is still to be matched.
#[derive(Debug, Clone, Copy)]
enum Task<'a> {
    Part(&'a Form, &'a Part),
    /// The rest of a list, and the place of its length.
    Elements(&'a [Form], &'a [bool], &'a [Part], usize),
}

#[derive(Debug, Clone)]
struct State<'a> {
    tasks: Vec<Task<'a>>,
    bound: Vec<Option<&'a Part>>,
    anchors: Vec<Anchor>,
}

impl Form {
    /// Returns true if an input has this form.
    pub(crate) fn matches(&self, whole: &Part) -> bool {
        self.anchors(whole).is_some()
    }

    /// The parts by which an input has this form, if it does.
    pub(crate) fn anchors(&self, whole: &Part) -> Option<Vec<Anchor>> {
        let state = State {
            tasks: vec![Task::Part(self, whole)],
            bound: vec![None; self.variables()],
            anchors: Vec::new(),
        };
        solved(state, &mut FUEL.clone(), 0)
    }
}

fn solved<'a>(mut state: State<'a>, fuel: &mut u32, depth: usize) -> Option<Vec<Anchor>> {
    if depth > DEEPEST {
        return None;
    }
    while let Some(task) = state.tasks.pop() {
        *fuel = fuel.checked_sub(1)?;
        match task {
            Task::Part(Form::Any, _) => {}
            Task::Part(Form::Number(numbers), Part::Choice(choice)) if numbers.has(choice) => {}
            Task::Part(Form::Node { label, parts }, Part::Span(branch))
                if parts.len() == branch.parts.len() && is_label(label, branch.label) =>
            {
                for place in (0..parts.len()).rev() {
                    state.tasks.push(Task::Part(&parts[place], &branch.parts[place]));
                }
            }
            Task::Part(Form::Same(variable, form), part) => {
                match state.bound[*variable] {
                    Some(other) if !other.equals(part) => return None,
                    _ => state.bound[*variable] = Some(part),
                }
                state.tasks.push(Task::Part(form, part));
            }
            Task::Part(Form::Inside(form), part) => {
                for (path, branch) in part.branches() {
                    let Branch { start, end, .. } = *branch;
                    let mut next = state.clone();
                    next.tasks.push(Task::Part(form, part.at(&path)?));
                    next.anchors.push(Anchor::Value { start, end });
                    let anchors = solved(next, fuel, depth + 1);
                    if anchors.is_some() {
                        return anchors;
                    }
                }
                return None;
            }
            Task::Part(Form::List { elements, gaps }, part @ Part::Span(list)) => {
                let (_, rest) = part.list()?;
                state.tasks.push(Task::Elements(elements, gaps, rest, list.start));
            }
            Task::Elements([], gaps, rest, _) => {
                if !rest.is_empty() && !*gaps.first()? {
                    return None;
                }
            }
            Task::Elements([form, forms @ ..], gaps, rest, length) => {
                let (open, gaps) = gaps.split_first()?;
                let skips = if *open { rest.len() } else { 1.min(rest.len()) };
                let is_simple = form.variables() == 0;
                // Without variables, and with gaps, the first element that fits is as good as any.
                let tried = if is_simple && !gaps.contains(&false) { 1 } else { skips };
                let mut fitting = Vec::new();
                for (skip, part) in rest[..skips].iter().enumerate() {
                    if fitting.len() < tried && (!is_simple || form.matches(part)) {
                        fitting.push(skip);
                    }
                }
                let followed = |mut state: State<'a>, skip: usize| {
                    let Part::Span(Branch { start, end, .. }) = rest[skip] else { return None };
                    state.tasks.push(Task::Elements(forms, gaps, &rest[skip + 1..], length));
                    if !is_simple {
                        state.tasks.push(Task::Part(form, &rest[skip]));
                    }
                    state.anchors.push(Anchor::Element { length, start, end });
                    Some(state)
                };
                if let [only] = fitting[..] {
                    // No choice, no recursion: lists may be long.
                    state = followed(state, only)?;
                    continue;
                }
                for skip in fitting {
                    let next = followed(state.clone(), skip);
                    let anchors = next.and_then(|next| solved(next, fuel, depth + 1));
                    if anchors.is_some() {
                        return anchors;
                    }
                }
                return None;
            }
            Task::Part(..) => return None,
        }
    }
    Some(state.anchors)
}

/// An input without one of the parts by which it matches: an element is taken out, a value becomes the
/// simplest.
pub(crate) fn without(tape: &Tape, anchor: Anchor) -> Tape {
    match anchor {
        Anchor::Value { start, end } => {
            let span = tape.spans.iter().position(|span| (span.start, span.end) == (start, end));
            span.map_or_else(|| tape.clone(), |span| tape.emptied(span))
        }
        Anchor::Element { length, start, end } => {
            let mut shorter = tape.clone();
            let choice = &mut shorter.choices[length];
            choice.value = choice.value.saturating_sub(1);
            shorter.without(start, end)
        }
    }
}
