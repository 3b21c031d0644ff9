//! Likeness: whether two forms are of one bug.
//!
//! **Invariant:** what two forms have in common matches whatever either of them matches.

use super::{Form, Numbers, is_plain};
use crate::list::Listed;

impl Form {
    /// Returns the form that fits whatever either of two forms fits, as far as it is simple.
    pub(crate) fn common(&self, other: &Form) -> Form {
        match (self, other) {
            (Form::Inside(one), two) | (two, Form::Inside(one)) => one.common(two),
            (Form::Same(one, form), Form::Same(two, other)) if one == two => {
                Form::Same(*one, Box::new(form.common(other)))
            }
            (Form::Node { label, parts }, Form::Node { label: other_label, parts: others })
                if label == other_label && chosen(parts) == chosen(others) && parts.len() == others.len() =>
            {
                Form::Node { label: label.clone(), parts: all_common(parts, others) }
            }
            (Form::List { elements, gaps }, Form::List { elements: others, gaps: other_gaps })
                if elements.len() == others.len() =>
            {
                let gaps = (0..gaps.len()).map(|place| gaps[place] || other_gaps[place]).listed();
                Form::List { elements: all_common(elements, others), gaps }
            }
            (one, two) if one == two => one.clone(),
            _ => Form::Any,
        }
    }

    /// Returns true if another form is as good as this one: both restrict the same parts, and differ only in numbers,
    /// in how many elements of a sort a list has, or in that one of them has, below the outermost value, a larger
    /// value without free parts in the place of a smaller one.
    pub(crate) fn is_like(&self, other: &Form) -> bool {
        match self.likeness(other, Place::Outside) {
            Likeness::Other => false,
            Likeness::Same => true,
            Likeness::Apart => self.is_free() && other.is_free(),
        }
    }

    fn likeness(&self, other: &Form, place: Place) -> Likeness {
        match (self, other) {
            (Form::Inside(one), two) | (two, Form::Inside(one)) => one.likeness(two, place),
            (Form::Any, _) | (_, Form::Any) => Likeness::Apart,
            (Form::Node { label, parts }, Form::Node { label: other_label, parts: others }) => {
                let (one, two) = (chosen(parts), chosen(others));
                if label == other_label && one != two && place == Place::Within {
                    let larger = if self.size() > other.size() { self } else { other };
                    return if larger.is_closed() { Likeness::Same } else { Likeness::Other };
                }
                if label != other_label || one != two || parts.len() != others.len() {
                    return Likeness::Other;
                }
                let place = if one.is_some() { Place::Within } else { place };
                let mut likeness = Likeness::Apart;
                for number in usize::from(one.is_some())..parts.len() {
                    likeness = likeness.and(parts[number].likeness(&others[number], place));
                }
                let is_free = |form: &Form| form.inner().0[1..].iter().all(Form::is_free);
                match likeness {
                    // They say nothing more than which sort of a value it is.
                    Likeness::Apart if one.is_some() && is_free(self) && is_free(other) => Likeness::Same,
                    likeness => likeness,
                }
            }
            (Form::List { elements, .. }, Form::List { elements: others, .. }) => {
                // Elements that may be anything say how many there are, and that is a number.
                let covered = |some: &[Form], others: &[Form]| {
                    let is_met =
                        |one: &Form| others.iter().any(|other| one.likeness(other, place) == Likeness::Same);
                    some.iter().all(|one| one.is_free() || is_met(one))
                };
                let is_like = covered(elements, others) && covered(others, elements);
                if is_like { Likeness::Same } else { Likeness::Other }
            }
            (Form::Node { .. } | Form::List { .. }, Form::Node { .. } | Form::List { .. }) => Likeness::Other,
            (Form::Number(Numbers::OneOf(some)), Form::Number(Numbers::OneOf(others))) if some != others => {
                Likeness::Other
            }
            _ => Likeness::Same,
        }
    }

    /// Returns the number of parts.
    fn size(&self) -> usize {
        let mut size = 1;
        for form in self.inner().0 {
            size += form.size();
        }
        size
    }

    /// Returns true if the form allows any value, or is an element of a list that does.
    pub(crate) fn is_free(&self) -> bool {
        match self {
            Form::Any => true,
            Form::Node { label, parts } if label.is_empty() || is_plain(label) => {
                parts.iter().all(Form::is_free)
            }
            _ => false,
        }
    }

    /// Returns true if no part of the form is free: its values are determined.
    fn is_closed(&self) -> bool {
        match self {
            Form::Any | Form::Inside(_) => false,
            Form::Number(_) | Form::Same(..) => true,
            Form::Node { parts, .. } => parts.iter().all(Form::is_closed),
            Form::List { elements, gaps } => !gaps.contains(&true) && elements.iter().all(Form::is_closed),
        }
    }
}

/// Returns the common form of each pair of forms.
fn all_common(forms: &[Form], others: &[Form]) -> Vec<Form> {
    (0..forms.len()).map(|place| forms[place].common(&others[place])).listed()
}

/// The place of a form: outside or within a value that is one of several sorts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Outside,
    Within,
}

/// The relation between two forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Likeness {
    /// They cannot be of one bug.
    Other,
    /// They say something of different parts.
    Apart,
    /// They say the same, but for numbers.
    Same,
}

impl Likeness {
    fn and(self, other: Likeness) -> Likeness {
        match (self, other) {
            (Likeness::Other, _) | (_, Likeness::Other) => Likeness::Other,
            (Likeness::Same, _) | (_, Likeness::Same) => Likeness::Same,
            (Likeness::Apart, Likeness::Apart) => Likeness::Apart,
        }
    }
}

/// The sort of a value, if there are several.
fn chosen(parts: &[Form]) -> Option<&[u64]> {
    match parts.first() {
        Some(Form::Number(Numbers::OneOf(values))) => Some(values),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(text: &str) -> Form {
        Form::read(text).unwrap()
    }

    #[test]
    fn forms_that_differ_in_numbers_or_counts_only_are_alike() {
        for (one, two) in [
            ("(5)", "(<9..>)"),
            ("([.. element(1) ..])", "([element(2) element(3)])"),
            ("(tuple([] _))", "(tuple([_] <1..>))"),
            ("(Exp({3} _ Exp({0} 0)))", "(*Exp({3} Exp({1}) Exp({0} 5)))"),
            ("(Exp({3} _ Exp({0} 0)))", "(Exp({3} _ Exp({2} Exp({0} 0) Exp({0} <1..>))))"),
            ("(Exp({3} _ Exp({0} 0)))", "(Exp({3} _ Exp({4} ?0:_ ?0:_)))"),
            ("(Exp({2} _))", "(Exp({2} _))"),
            ("(_)", "(_)"),
        ] {
            assert!(form(one).is_like(&form(two)) && form(two).is_like(&form(one)), "{one} {two}");
        }
    }

    #[test]
    fn forms_that_need_other_sorts_or_say_something_of_other_parts_are_not_alike() {
        for (one, two) in [
            ("(Exp({3} _ Exp({0} 0)))", "(Exp({2} _ Exp({0} 0)))"),
            ("(Exp({3} _ Exp({0} 0)))", "(Exp({3} _ Exp({2} _ _)))"),
            ("(Exp({3} _ Exp({0} 0)))", "(Exp({3} Exp({0} 0) _))"),
            ("(tuple(<1000..> _))", "(tuple(_ <7..>))"),
            ("([])", "([.. element([.. element(24) ..]) ..])"),
            ("({0})", "({1})"),
        ] {
            assert!(!form(one).is_like(&form(two)) && !form(two).is_like(&form(one)), "{one} {two}");
        }
    }

    #[test]
    fn what_forms_have_in_common_has_a_gap_where_they_differ() {
        let common = |one, two| form(one).common(&form(two)).to_string();
        assert_eq!(common("(Exp({3} Exp({0} 1) 5))", "(*Exp({3} Exp({1} _ _) 5))"), "(Exp({3} _ 5))");
        assert_eq!(common("([.. 1 2] ?0:_ ?0:_)", "([1 .. 3] ?0:<1..> ?0:_)"), "([.. 1 .. _] ?0:_ ?0:_)");
    }
}
