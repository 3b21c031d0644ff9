//! Changes: what callers do with a part of a value that they are lent by `&mut`, where it is of a type that is drawn.
//!
//! A lent value of a type of the crate is kept, and later calls change it. A list or a number is not: it is changed in the same
//! expression, as in `stack.data_mut().clear()`.
//!
//! **Invariant:** the change is part of the call that is printed.

use super::argument::Arguments;
use super::call::Form;
use super::candidate::Variant;
use super::expression::{Expression, Pass};
use super::generator::{Generator, clean};
use super::outcome::{self, Outcome, Wrap};
use super::standard;
use crate::api::{Assignment, Function, Generics, Kind};

/// A change: its label, its expression with `{}` for what is changed, and the type of the value that it needs.
type Change = (&'static str, String, Option<Kind>);

impl Generator<'_> {
    /// Ways to call a function and to change at once what it lends.
    pub(super) fn changes(
        &self,
        function: &Function,
        given: &Assignment,
        open: &Generics,
        output: &Kind,
        form: &Form,
    ) -> Vec<(String, Vec<Variant>)> {
        let (wrap, lent) = outcome::unwrapped(output);
        let Kind::Reference { mutable: true, is_static: false, to } = lent else { return Vec::new() };
        if !standard::is_drawn(to) {
            return Vec::new();
        }
        let arguments = Arguments { solver: self.solver, generics: open, leased: false };
        let inputs = function.inputs.iter().map(|(name, kind)| {
            let kind = self.solver.normal(&kind.assigned(given));
            arguments.of(clean(name), &kind).into_iter().next()
        });
        let Some(inputs) = inputs.collect::<Option<Vec<Expression>>>() else { return Vec::new() };
        let variant = |(label, change, value): Change| {
            let mut all = inputs.clone();
            all.extend(value.map(|kind| Expression::leaf("value", &kind, Pass::Value)));
            let change = if wrap == Wrap::Bare { change } else { inside(&change) };
            let form = Form::Change { call: Box::new(form.clone()), change };
            (label.to_string(), vec![Variant::new(&form, &all, Outcome::Dropped)])
        };
        of(to).into_iter().map(variant).collect()
    }
}

/// The same change of what is within an `Option` or a `Result`.
fn inside(change: &str) -> String {
    format!("{{}}.map(|lent| {})", change.replace("{}", "lent"))
}

/// The changes of a value of a type.
fn of(kind: &Kind) -> Vec<Change> {
    let mut all: Vec<Change> = vec![("set", "*{} = §".to_string(), Some(kind.clone()))];
    let item = kind.arguments().first().map(|item| (*item).clone());
    let (is_collection, add) = match kind.path() {
        Some("std::vec::Vec") => (true, Some(("push", item))),
        Some("std::string::String") => (true, Some(("push", Some(Kind::named("char"))))),
        Some("std::collections::VecDeque") => (true, Some(("push_back", item))),
        Some("std::collections::BTreeSet" | "std::collections::HashSet") => (true, Some(("insert", item))),
        Some("std::collections::BTreeMap" | "std::collections::HashMap") => (true, None),
        _ => (false, None),
    };
    if is_collection {
        all.insert(0, ("clear", "{}.clear()".to_string(), None));
    }
    if let Some((name, Some(item))) = add {
        all.push((name, format!("{{}}.{name}(§)"), Some(item)));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_cleared_replaced_and_added_to_and_a_number_replaced() {
        let names = |kind: &Kind| of(kind).into_iter().map(|(label, ..)| label).collect::<Vec<_>>();
        assert_eq!(names(&Kind::generic("std::vec::Vec", [Kind::named("u8")])), ["clear", "set", "push"]);
        assert_eq!(names(&Kind::named("u8")), ["set"]);
        assert_eq!(inside("*{} = §"), "{}.map(|lent| *lent = §)");
    }
}
