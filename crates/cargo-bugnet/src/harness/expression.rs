//! Expressions: how an argument is written, from literals and from results of earlier calls.
//!
//! **Invariant:** a template and a body are made from the same expression, so that what is printed is
//! what was run.

use crate::api::{Kind, Lifetimes};

/// The way in which a leaf gets its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pass {
    /// A literal, by value.
    Value,
    /// A literal, by `&`.
    Borrowed,
    /// A literal, by `&mut`.
    Changed,
    /// A literal `&str`.
    Text,
    /// A literal `&[T]`; the kind is that of the list.
    Slice,
    /// An earlier result that is moved.
    Taken,
    /// An earlier result by `&`.
    Shared,
    /// An earlier result by `&mut`.
    Mutable,
}

impl Pass {
    /// Returns true if the value is drawn.
    pub(crate) fn is_literal(self) -> bool {
        !matches!(self, Pass::Taken | Pass::Shared | Pass::Mutable)
    }
}

/// A value within an expression: a parameter of the operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Leaf {
    pub(crate) name: String,
    /// The type, without the reference by which it is passed.
    pub(crate) kind: Kind,
    pub(crate) pass: Pass,
}

impl Leaf {
    /// The leaf as its parameter is written.
    pub(crate) fn parameter(&self, kind: &str) -> String {
        let (name, of) = (&self.name, self.kind.text(Lifetimes::Static));
        let short = self.kind.short();
        match self.pass {
            Pass::Value => format!("value::<{of}>({name:?}, {short:?})"),
            Pass::Borrowed => format!("borrowed::<{of}>({name:?}, {short:?})"),
            Pass::Changed => format!("changed::<{of}>({name:?}, {short:?})"),
            Pass::Text => format!("text({name:?})"),
            Pass::Slice => {
                let of =
                    self.kind.arguments().first().map(|of| of.text(Lifetimes::Static)).unwrap_or_default();
                format!("slice::<{of}>({name:?}, {short:?})")
            }
            Pass::Taken => format!("Parameter::earlier({name:?}, {kind}, Mode::Value)"),
            Pass::Shared => format!("Parameter::earlier({name:?}, {kind}, Mode::Shared)"),
            Pass::Mutable => format!("Parameter::earlier({name:?}, {kind}, Mode::Mutable)"),
        }
    }

    /// The statement that gets the value, in the body.
    pub(crate) fn binding(&self, number: usize, leased: bool) -> String {
        let of = self.kind.text(Lifetimes::Static);
        let name = format!("a{number}");
        match self.pass {
            pass if pass.is_literal() => format!("let mut {name}: {of} = draw(f);"),
            Pass::Taken => format!("let mut {name}: {of} = f.take({number});"),
            Pass::Shared if leased => format!("let mut {name}: &'static {of} = f.lend({number});"),
            Pass::Shared => format!("let mut {name}: &{of} = f.shared({number});"),
            _ if leased => format!("let mut {name}: &'static mut {of} = f.lend_mutably({number});"),
            _ => format!("let mut {name}: &mut {of} = f.mutable({number});"),
        }
    }

    fn body(&self, number: usize) -> String {
        match self.pass {
            Pass::Borrowed => format!("&a{number}"),
            Pass::Changed => format!("&mut a{number}"),
            Pass::Text | Pass::Slice => format!("&a{number}[..]"),
            _ => format!("a{number}"),
        }
    }
}

/// A part of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Leaf(Leaf),
}

/// An expression as it is written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Expression {
    parts: Vec<Part>,
    /// True if it contains a closure that is not deterministic.
    pub(crate) is_fickle: bool,
    /// The text that tells it apart from others that could stand in its place; empty for the usual one.
    pub(crate) label: String,
}

impl Expression {
    /// Plain text.
    pub(crate) fn text(text: impl Into<String>) -> Expression {
        Expression { parts: vec![Part::Text(text.into())], ..Expression::default() }
    }

    /// A value.
    pub(crate) fn leaf(name: &str, kind: &Kind, pass: Pass) -> Expression {
        let leaf = Leaf { name: name.to_string(), kind: kind.clone(), pass };
        Expression { parts: vec![Part::Leaf(leaf)], ..Expression::default() }
    }

    /// The same with text around it.
    pub(crate) fn within(mut self, before: &str, after: &str) -> Expression {
        self.parts.insert(0, Part::Text(before.to_string()));
        self.parts.push(Part::Text(after.to_string()));
        self
    }

    /// The same with a label.
    pub(crate) fn labelled(self, label: impl Into<String>) -> Expression {
        Expression { label: label.into(), ..self }
    }

    /// The same, known to hold a closure that is not deterministic.
    pub(crate) fn fickle(self) -> Expression {
        Expression { is_fickle: true, ..self }
    }

    /// Several with commas between.
    pub(crate) fn list(all: impl IntoIterator<Item = Expression>) -> Expression {
        let mut list = Expression::default();
        for (place, one) in all.into_iter().enumerate() {
            if place > 0 {
                list.parts.push(Part::Text(", ".to_string()));
            }
            list.push(one);
        }
        list
    }

    /// Adds another to the end.
    pub(crate) fn push(&mut self, other: Expression) {
        self.parts.extend(other.parts);
        self.is_fickle |= other.is_fickle;
        if self.label.is_empty() {
            self.label = other.label;
        }
    }

    /// Returns its values.
    pub(crate) fn leaves(&self) -> impl Iterator<Item = &Leaf> {
        self.parts.iter().filter_map(|part| match part {
            Part::Leaf(leaf) => Some(leaf),
            Part::Text(_) => None,
        })
    }

    /// The text for printing, with a hole for each value; the first has this number.
    pub(crate) fn template(&self, first: usize) -> String {
        self.written(first, |_, number| format!("{{{number}}}"))
    }

    /// The text for the body; the first value has this number.
    pub(crate) fn body(&self, first: usize) -> String {
        self.written(first, Leaf::body)
    }

    fn written(&self, first: usize, write: impl Fn(&Leaf, usize) -> String) -> String {
        let mut number = first;
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Text(part) => text.push_str(part),
                Part::Leaf(leaf) => {
                    text.push_str(&write(leaf, number));
                    number += 1;
                }
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn template_and_body_are_the_same_call() {
        let version = Kind::named("semver::Version");
        let mut call = Expression::leaf("req", &version, Pass::Shared).within("matches(", ", ");
        call.push(
            Expression::leaf("text", &Kind::named("std::string::String"), Pass::Text).within("Some(", "))"),
        );
        assert_eq!(call.template(0), "matches({0}, Some({1}))");
        assert_eq!(call.body(0), "matches(a0, Some(&a1[..]))");
        let bindings: Vec<String> =
            call.leaves().enumerate().map(|(number, leaf)| leaf.binding(number, true)).collect();
        assert_eq!(bindings[0], "let mut a0: &'static semver::Version = f.lend(0);");
        assert_eq!(bindings[1], "let mut a1: std::string::String = draw(f);");
    }
}
