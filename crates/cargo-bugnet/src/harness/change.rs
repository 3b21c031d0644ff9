//! Changes: what callers do with a part of a value that a function hands out to be changed.
//!
//! A part that is lent by `&mut` and is of a type of the crate is kept, and later calls change it. A list or a number is
//! changed in the same expression, as in `stack.data_mut().clear()`. So is whatever is shared, behind `Rc<RefCell<T>>`,
//! `Arc<Mutex<T>>` or a guard, by the functions of `T` too: `desk.drawer().borrow_mut().empty()`. A guard that is kept
//! would have every other call fail.
//!
//! **Invariant:** the change is part of the call that is printed.

use super::argument::Arguments;
use super::call::Form;
use super::candidate::Variant;
use super::expression::{Expression, Pass};
use super::generator::{Generator, clean};
use super::outcome::{self, Outcome, Wrap};
use super::standard;
use crate::api::{Assignment, Block, Function, Generics, Kind};

/// The most functions of a type by which a shared part is changed.
const MOST: usize = 16;

/// A change of something.
struct Change {
    label: String,
    /// The expression, with `{}` for what is changed and `§` for each value that it needs.
    text: String,
    values: Vec<Expression>,
}

impl Change {
    fn new(label: &str, text: &str, value: Option<&Kind>) -> Change {
        let values = value.map(|kind| Expression::leaf("value", kind, Pass::Value)).into_iter().collect();
        Change { label: label.to_string(), text: text.to_string(), values }
    }
}

impl Generator<'_> {
    /// Ways to call a function and to change at once what it hands out.
    pub(super) fn changes(
        &self,
        function: &Function,
        given: &Assignment,
        open: &Generics,
        output: &Kind,
        form: &Form,
    ) -> Vec<(String, Vec<Variant>)> {
        let (wrap, lent) = outcome::unwrapped(output);
        let changes: Vec<Change> = match lent {
            Kind::Reference { mutable: true, is_static: false, to } if standard::is_drawn(to) => of(to),
            _ => match shared(lent) {
                Some((access, part)) => self.within(access, part),
                None => return Vec::new(),
            },
        };
        let arguments = Arguments { solver: self.solver, generics: open, leased: false };
        let inputs = function.inputs.iter().map(|(name, kind)| {
            let kind = self.solver.normal(&kind.assigned(given));
            arguments.of(clean(name), &kind).into_iter().next()
        });
        let Some(inputs) = inputs.collect::<Option<Vec<Expression>>>() else { return Vec::new() };
        let variant = |Change { label, text, values }: Change| {
            let all = [inputs.clone(), values].concat();
            let change = if wrap == Wrap::Bare { text } else { inside(&text) };
            let form = Form::Change { call: Box::new(form.clone()), change };
            (label, vec![Variant::new(&form, &all, Outcome::Changed)])
        };
        changes.into_iter().map(variant).collect()
    }

    /// The changes of a part that is reached by an expression: those of a list or a number, or the functions of its type.
    fn within(&self, access: &str, part: &Kind) -> Vec<Change> {
        let reached =
            |change: Change| Change { text: change.text.replace("{}", &format!("{{}}{access}")), ..change };
        if standard::is_drawn(part) {
            return of(part).into_iter().map(reached).collect();
        }
        let own = self.api.blocks.iter().filter(|block| block.of.is_none());
        let functions = own.flat_map(|block| block.functions.iter().map(move |function| (block, function)));
        functions
            .filter_map(|(block, function)| self.method(block, function, part))
            .map(reached)
            .take(MOST)
            .collect()
    }

    /// The change that a method makes, if it is one of a type, takes that by `&mut`, and nothing is needed that only other
    /// calls make.
    fn method(&self, block: &Block, function: &Function, of: &Kind) -> Option<Change> {
        let mut given = Assignment::new();
        let is_plain = function.is_callable() && function.generics.variables.is_empty();
        if !is_plain || !block.subject.unify(of, &mut given) {
            return None;
        }
        let (receiver, rest) = function.inputs.split_first()?;
        if receiver.0 != "self" || !matches!(receiver.1, Kind::Reference { mutable: true, .. }) {
            return None;
        }
        let none = Generics::default();
        let arguments = Arguments { solver: self.solver, generics: &none, leased: false };
        given.insert("Self".to_string(), of.clone());
        let values = rest.iter().map(|(name, kind)| {
            let kind = self.solver.normal(&kind.assigned(&given));
            let value = arguments.of(clean(name), &kind).into_iter().next()?;
            let is_drawn = value.leaves().all(|leaf| leaf.pass.is_literal());
            is_drawn.then_some(value)
        });
        let values = values.collect::<Option<Vec<Expression>>>()?;
        let holes = vec!["§"; values.len()].join(", ");
        let (label, name) = (function.name.clone(), &function.name);
        Some(Change { label, text: format!("{{}}.{name}({holes})"), values })
    }
}

/// Returns what a value shares with whoever it is handed to, and the expression that reaches it.
fn shared(handed: &Kind) -> Option<(&'static str, &Kind)> {
    let handed = match handed {
        Kind::Reference { to, .. } => to,
        _ => handed,
    };
    let part = *handed.arguments().first()?;
    match handed.path()? {
        "std::rc::Rc" | "std::sync::Arc" => {
            shared(part).filter(|_| part.path().is_some_and(|path| !is_guard(path)))
        }
        "std::cell::RefCell" => Some((".borrow_mut()", part)),
        "std::sync::Mutex" => Some((".lock().unwrap()", part)),
        "std::sync::RwLock" => Some((".write().unwrap()", part)),
        path if is_guard(path) => Some(("", part)),
        _ => None,
    }
}

/// Returns true if a type is a guard through which a value is changed.
fn is_guard(path: &str) -> bool {
    ["std::cell::RefMut", "std::sync::MutexGuard", "std::sync::RwLockWriteGuard"].contains(&path)
}

/// The same change of what is within an `Option` or a `Result`.
fn inside(change: &str) -> String {
    format!("{{}}.map(|lent| {})", change.replace("{}", "lent"))
}

/// The changes of a value of a type that is drawn. Behind a guard, a number is set as well: `*guard = 1`.
fn of(kind: &Kind) -> Vec<Change> {
    let mut all = vec![Change::new("set", "*{} = §", Some(kind))];
    let item = kind.arguments().first().copied();
    let letter = Kind::named("char");
    let (is_collection, add) = match kind.path() {
        Some("std::vec::Vec") => (true, Some(("push", item))),
        Some("std::string::String") => (true, Some(("push", Some(&letter)))),
        Some("std::collections::VecDeque") => (true, Some(("push_back", item))),
        Some("std::collections::BTreeSet" | "std::collections::HashSet") => (true, Some(("insert", item))),
        Some("std::collections::BTreeMap" | "std::collections::HashMap") => (true, None),
        _ => (false, None),
    };
    if is_collection {
        all.insert(0, Change::new("clear", "{}.clear()", None));
    }
    if let Some((name, Some(item))) = add {
        all.push(Change::new(name, &format!("{{}}.{name}(§)"), Some(item)));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_cleared_replaced_and_added_to_and_a_number_replaced() {
        let names = |kind: &Kind| of(kind).into_iter().map(|change| change.label).collect::<Vec<_>>();
        assert_eq!(names(&Kind::generic("std::vec::Vec", [Kind::named("u8")])), ["clear", "set", "push"]);
        assert_eq!(names(&Kind::named("u8")), ["set"]);
        assert_eq!(inside("*{} = §"), "{}.map(|lent| *lent = §)");
    }

    #[test]
    fn what_is_shared_is_reached_through_its_cell_or_its_guard() {
        let inner = Kind::named("a::Inner");
        let around = |path: &str, part: &Kind| Kind::generic(path, [part.clone()]);
        let access = |kind: &Kind| shared(kind).map(|(access, part)| (access, part.short()));
        let cell = around("std::cell::RefCell", &inner);
        let reached = |text: &'static str| Some((text, inner.short()));
        assert_eq!(access(&around("std::rc::Rc", &cell)), reached(".borrow_mut()"));
        assert_eq!(access(&Kind::shared(cell)), reached(".borrow_mut()"));
        let mutex = around("std::sync::Mutex", &inner);
        assert_eq!(access(&around("std::sync::Arc", &mutex)), reached(".lock().unwrap()"));
        assert_eq!(access(&around("std::sync::MutexGuard", &inner)), reached(""));
        // Whoever has an `Rc` alone changes nothing.
        assert_eq!(access(&around("std::rc::Rc", &inner)), None);
    }
}
