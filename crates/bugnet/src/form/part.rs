//! Parts: the choices of an input as a tree, with its spans for branches.
//!
//! **Invariant:** a tape that is made of the parts of a tape has the same choices, and the same spans
//! but for empty ones, which say nothing.

use crate::choice::{Choice, Kind, Span, Tape};
use crate::generate::{ELEMENT, SEQUENCE};

/// Spans inside of more spans than this are not told apart from what is around them: whoever walks the
/// tree must not run out of stack.
const DEEPEST: usize = 200;

/// A choice, or what a span holds.
#[derive(Debug, Clone)]
pub(crate) enum Part {
    Choice(Choice),
    Span(Branch),
}

/// A span with its parts and its place.
#[derive(Debug, Clone)]
pub(crate) struct Branch {
    pub(crate) label: &'static str,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) parts: Vec<Part>,
}

impl Part {
    /// The whole of a tape, as a branch without a label.
    pub(crate) fn of(tape: &Tape) -> Part {
        let mut open = vec![Branch { label: "", start: 0, end: tape.choices.len(), parts: Vec::new() }];
        let spans = tape.spans_where(&|span| !span.is_empty());
        let mut next = 0;
        for (place, choice) in tape.choices.iter().enumerate() {
            close(&mut open, place);
            while next < spans.len() && spans[next].start <= place {
                let Span { label, start, end } = spans[next];
                if open.len() < DEEPEST {
                    open.push(Branch { label, start, end, parts: Vec::new() });
                }
                next += 1;
            }
            let inner = open.last_mut().expect("the whole stays open");
            inner.parts.push(Part::Choice(*choice));
        }
        close(&mut open, usize::MAX);
        Part::Span(open.swap_remove(0))
    }

    /// A branch that is filled when the input is made.
    pub(crate) fn hole(label: &'static str) -> Part {
        Part::Span(Branch { label, start: 0, end: 0, parts: Vec::new() })
    }

    /// The choices, with the spans around them.
    pub(crate) fn tape(&self) -> Tape {
        let mut tape = Tape::default();
        match self {
            Part::Span(whole) if whole.label.is_empty() => {
                whole.parts.iter().for_each(|part| part.write(&mut tape));
            }
            part => part.write(&mut tape),
        }
        tape
    }

    fn write(&self, tape: &mut Tape) {
        match self {
            Part::Choice(choice) => tape.choices.push(*choice),
            Part::Span(branch) => {
                let (place, start) = (tape.spans.len(), tape.choices.len());
                tape.spans.push(Span { label: branch.label, start, end: start });
                branch.parts.iter().for_each(|part| part.write(tape));
                tape.spans[place].end = tape.choices.len();
            }
        }
    }

    /// Returns the parts inside.
    pub(crate) fn parts(&self) -> &[Part] {
        match self {
            Part::Choice(_) => &[],
            Part::Span(branch) => &branch.parts,
        }
    }

    pub(crate) fn label(&self) -> Option<&'static str> {
        match self {
            Part::Choice(_) => None,
            Part::Span(branch) => Some(branch.label),
        }
    }

    /// The length and the elements, if this is a list of as many as it says.
    pub(crate) fn list(&self) -> Option<(&Choice, &[Part])> {
        let Part::Span(Branch { label: SEQUENCE, parts, .. }) = self else { return None };
        let (Part::Choice(length), elements) = parts.split_first()? else { return None };
        let is_list = length.kind == Kind::Length
            && elements.len() as u64 >= length.value
            && elements.iter().all(|element| element.label() == Some(ELEMENT));
        is_list.then_some((length, elements))
    }

    /// The part at a path, each step of which is a place among the parts of a branch.
    pub(crate) fn at(&self, path: &[usize]) -> Option<&Part> {
        path.iter().try_fold(self, |part, step| part.parts().get(*step))
    }

    /// The part at a path, to be changed.
    pub(crate) fn at_mut(&mut self, path: &[usize]) -> Option<&mut Part> {
        path.iter().try_fold(self, |part, step| match part {
            Part::Choice(_) => None,
            Part::Span(branch) => branch.parts.get_mut(*step),
        })
    }

    /// Returns true if another part stands for the same value.
    pub(crate) fn equals(&self, other: &Part) -> bool {
        match (self, other) {
            (Part::Choice(one), Part::Choice(two)) => one.kind == two.kind && one.value == two.value,
            (Part::Span(one), Part::Span(two)) => {
                one.label == two.label
                    && one.parts.len() == two.parts.len()
                    && one.parts.iter().zip(&two.parts).all(|(one, two)| one.equals(two))
            }
            _ => false,
        }
    }

    /// This branch and all branches inside it, outer ones first, each with its path.
    pub(crate) fn branches(&self) -> Vec<(Vec<usize>, &Branch)> {
        let mut found = Vec::new();
        self.add_branches(&mut Vec::new(), &mut found);
        found
    }

    fn add_branches<'a>(&'a self, path: &mut Vec<usize>, found: &mut Vec<(Vec<usize>, &'a Branch)>) {
        let Part::Span(branch) = self else { return };
        found.push((path.clone(), branch));
        for (step, part) in branch.parts.iter().enumerate() {
            path.push(step);
            part.add_branches(path, found);
            path.pop();
        }
    }
}

/// Closes the branches that end before a place; the whole stays.
fn close(open: &mut Vec<Branch>, place: usize) {
    while open.len() > 1 && open.last().is_some_and(|inner| inner.end <= place) {
        let inner = open.pop().expect("there are several");
        open.last_mut().expect("the whole stays open").parts.push(Part::Span(inner));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Source;
    use crate::random::Seed;

    #[test]
    fn a_tape_made_of_its_parts_makes_the_same_value() {
        type Input = (Vec<Option<u16>>, String, [f64; 2], ());
        for case in 0..200 {
            let mut source = Source::recording(Seed(5), case);
            let value: Input = source.any();
            let tape = Part::of(&source.into_tape()).tape();
            let again: Input = Source::replay(tape).any();
            assert_eq!(format!("{again:?}"), format!("{value:?}"));
        }
    }

    #[test]
    fn a_deep_value_has_a_tree_that_is_not() {
        let deep = format!("{}0{}", "(1".repeat(50_000), ")".repeat(50_000));
        let whole = Part::of(&deep.parse().unwrap());
        assert_eq!(whole.branches().len(), DEEPEST);
        assert_eq!(whole.tape().choices.len(), 50_000);
    }

    #[test]
    fn lists_are_told_from_other_sequences() {
        let mut source = Source::recording(Seed(5), 1);
        source.any::<(Vec<u8>, std::path::PathBuf)>();
        let whole = Part::of(&source.into_tape());
        assert!(whole.at(&[0, 0]).unwrap().list().is_some());
        assert!(whole.at(&[0, 1]).unwrap().list().is_none());
    }
}
