//! Drafts: laws as they are written down, before they become operations.
//!
//! **Invariant:** every law says why it should hold, and how sure it is that what breaks it is a bug.

use super::super::candidate::{Candidate, Origin, Variant};
use super::super::expression::{Leaf, Pass};
use super::super::outcome::{Outcome, Wrap};
use super::super::standard;
use crate::api::{Facts, Kind, Law, Promise};

/// Percent of sureness that a broken law by names is a bug, by default.
const SURENESS: u8 = 80;
/// The same for a law that most types keep, though nobody promises it.
const MANNERS: u8 = 60;
/// The most items of a collection that a law looks at.
pub(super) const MOST: &str = "1_000";

/// A law about a value of a type and some others.
#[derive(Debug)]
pub(super) struct Draft {
    name: String,
    promise: Promise,
    value: Pass,
    /// The types of the other values: drawn if they can be, or else made by earlier calls.
    others: Vec<Kind>,
    /// Ways to write the condition, of which the compiler takes the first that fits the types: `{0}` is the
    /// value, `{&0}` a `&` to it, `{1}` the first of the others.
    conditions: Vec<String>,
    /// The condition under which the law means nothing. It is checked first, and is not printed.
    exception: Option<String>,
}

impl Draft {
    /// A law with ways to write its condition, about a value that is only looked at.
    pub(super) fn new(
        name: impl Into<String>,
        reason: impl Into<String>,
        conditions: impl IntoIterator<Item = String>,
    ) -> Draft {
        Draft {
            name: name.into(),
            promise: Promise { reason: reason.into(), sureness: SURENESS },
            value: Pass::Shared,
            others: Vec::new(),
            conditions: conditions.into_iter().collect(),
            exception: None,
        }
    }

    /// The same, but not where this holds.
    pub(super) fn unless(self, exception: String) -> Draft {
        Draft { exception: Some(exception), ..self }
    }

    /// The same, and the value is changed.
    pub(super) fn changing(self) -> Draft {
        Draft { value: Pass::Mutable, ..self }
    }

    /// The same, about a value that is drawn.
    pub(super) fn drawn(self) -> Draft {
        Draft { value: Pass::Value, ..self }
    }

    /// The same with other values.
    pub(super) fn given<'a>(self, others: impl IntoIterator<Item = &'a Kind>) -> Draft {
        Draft { others: others.into_iter().cloned().collect(), ..self }
    }

    /// The same as good manners, which nobody promises.
    pub(super) fn of_manners(mut self) -> Draft {
        self.promise.sureness = MANNERS;
        self
    }

    /// The same on a copy: who panics halfway leaves a value behind that no program should go on with.
    fn on_a_copy(self) -> Draft {
        let on_a_copy = |condition: &String| {
            let inner = condition.strip_prefix("{ ").and_then(|inner| inner.strip_suffix(" }"));
            let inner = inner.unwrap_or(condition).replace("{0}", "one");
            format!("{{ let mut one = {{0}}.clone(); {inner} }}")
        };
        let conditions = self.conditions.iter().map(on_a_copy).collect();
        Draft { value: Pass::Shared, conditions, ..self }
    }

    /// The law as an operation on values of a type; `of` is what the law is of.
    pub(super) fn written(self, kind: &Kind, of: &str) -> Candidate {
        let value = Leaf { name: "one".to_string(), kind: kind.clone(), pass: self.value };
        let others = self.others.iter().zip(["first", "second", "third", "fourth", "fifth"]);
        let others = others.map(|(kind, name)| {
            let pass = if standard::is_drawn(kind) { Pass::Value } else { Pass::Shared };
            Leaf { name: name.to_string(), kind: kind.clone(), pass }
        });
        let leaves: Vec<Leaf> = std::iter::once(value).chain(others).collect();
        let law = Law { name: self.name.clone(), of: of.to_string() };
        Candidate {
            name: law.operation(),
            origin: Origin::Law,
            variants: self.conditions.iter().map(|condition| self.variant(condition, &leaves)).collect(),
            facts: Facts { promise: Some(self.promise), law: Some(law), ..Facts::default() },
        }
    }

    /// A way to write the law.
    fn variant(&self, condition: &str, leaves: &[Leaf]) -> Variant {
        let mut call = match &self.exception {
            Some(exception) => format!("{exception} || {condition}"),
            None => condition.to_string(),
        };
        for (number, leaf) in leaves.iter().enumerate() {
            let reference = match leaf.pass {
                Pass::Shared => format!("a{number}"),
                Pass::Mutable => format!("&*a{number}"),
                _ => format!("&a{number}"),
            };
            call = call.replace(&format!("{{&{number}}}"), &reference);
            call = call.replace(&format!("{{{number}}}"), &format!("a{number}"));
        }
        let template = format!("assert!({condition})");
        Variant { template, call, leaves: leaves.to_vec(), outcome: Outcome::Judged, is_fickle: false }
    }
}

/// The laws of a type, as they are found.
#[derive(Debug)]
pub(super) struct Writer<'a> {
    pub(super) kind: &'a Kind,
    /// The name of the type where its laws are named.
    pub(super) name: &'a str,
    /// True if it can be copied.
    pub(super) is_cloned: bool,
    pub(super) laws: Vec<Candidate>,
}

impl Writer<'_> {
    /// Adds a law, unless there is one of its name.
    pub(super) fn add(&mut self, draft: Draft) {
        let law = self.written(draft);
        if self.laws.iter().all(|known| known.name != law.name) {
            self.laws.push(law);
        }
    }

    /// Adds a law, or other ways to write it.
    pub(super) fn add_way(&mut self, draft: Draft) {
        let law = self.written(draft);
        match self.laws.iter_mut().find(|known| known.name == law.name) {
            Some(known) => known.variants.extend(law.variants),
            None => self.laws.push(law),
        }
    }

    fn written(&self, draft: Draft) -> Candidate {
        let is_changed = draft.value == Pass::Mutable;
        let draft = if is_changed && self.is_cloned { draft.on_a_copy() } else { draft };
        draft.written(self.kind, self.name)
    }
}

/// Laws of one name as one law, of whose ways the compiler takes the first that fits the types.
pub(super) fn joined(laws: Vec<Candidate>) -> Vec<Candidate> {
    laws.into_iter().fold(Vec::new(), |mut laws: Vec<Candidate>, law| {
        match laws.iter_mut().find(|known| known.name == law.name) {
            Some(known) => known.variants.extend(law.variants),
            None => laws.push(law),
        }
        laws
    })
}

/// A value that is used more than once: numbers are copied as they are.
pub(super) fn again(number: usize, kind: &Kind) -> String {
    match standard::is_scalar(kind) {
        true => format!("{{{number}}}"),
        false => format!("{{{number}}}.clone()"),
    }
}

/// Asserts a condition of the value inside a call's result, named `new`. A refusal by the call is no concern of the
/// law.
pub(super) fn if_any(wrap: Wrap, call: &str, condition: &str) -> String {
    match wrap {
        Wrap::Bare => format!("{{ let new = {call}; {condition} }}"),
        Wrap::Option => format!("{call}.is_none_or(|new| {condition})"),
        _ => format!("{call}.ok().is_none_or(|new| {condition})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_law_is_printed_as_it_runs() {
        let set = Kind::named("set::Set");
        let others = [Kind::named("u8"), set.clone()];
        let draft = Draft::new("beauty", "they are nice", ["{&0} != {&2} || {0}.has({1})".to_string()]);
        let law = draft.given(&others).written(&set, "Set");
        assert_eq!(law.name, "law beauty of Set");
        assert_eq!(law.variants[0].template, "assert!({&0} != {&2} || {0}.has({1}))");
        assert_eq!(law.variants[0].call, "a0 != a2 || a0.has(a1)");
        let passes: Vec<Pass> = law.variants[0].leaves.iter().map(|leaf| leaf.pass).collect();
        assert_eq!(passes, [Pass::Shared, Pass::Value, Pass::Shared]);
        assert_eq!(law.facts.promise.unwrap().reason, "they are nice");
    }

    #[test]
    fn where_a_law_means_nothing_is_asked_before_and_not_printed() {
        let draft = Draft::new("a", "b", ["{0}.is_nice()".to_string()]).unless("false".to_string());
        let law = draft.written(&Kind::named("set::Set"), "Set");
        assert_eq!(law.variants[0].call, "false || a0.is_nice()");
        assert_eq!(law.variants[0].template, "assert!({0}.is_nice())");
    }

    #[test]
    fn what_can_be_copied_is_changed_as_a_copy() {
        let set = Kind::named("set::Set");
        let draft = || Draft::new("a", "b", ["{ {0}.put(1); {0}.has(1) }".to_string()]).changing();
        let written = |is_cloned: bool| {
            let mut writer = Writer { kind: &set, name: "Set", is_cloned, laws: Vec::new() };
            writer.add(draft());
            let variant = &writer.laws[0].variants[0];
            (variant.call.clone(), variant.leaves[0].pass)
        };
        assert_eq!(written(false), ("{ a0.put(1); a0.has(1) }".to_string(), Pass::Mutable));
        let copied = "{ let mut one = a0.clone(); one.put(1); one.has(1) }";
        assert_eq!(written(true), (copied.to_string(), Pass::Shared));
    }

    #[test]
    fn what_a_call_refuses_is_no_concern_of_a_law() {
        assert_eq!(if_any(Wrap::Bare, "f()", "new == 1"), "{ let new = f(); new == 1 }");
        assert_eq!(if_any(Wrap::Result, "f()", "new == 1"), "f().ok().is_none_or(|new| new == 1)");
    }
}
