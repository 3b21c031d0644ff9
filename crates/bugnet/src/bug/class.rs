//! Classes: literals that a user says are alike.
//!
//! **Invariant:** classes are the same if they are called the same.

use super::pattern::{Pattern, Term, Value, literal_value};
use crate::choice::{Seed, Source, Tape};
use crate::program::{Argument, Program, Suite};

/// So many literals are drawn to find out which classes there are.
const DRAWS: u64 = 1000;
/// So many classes are told.
const TOLD: usize = 8;

/// A class of literals, as the user's function calls it.
///
/// ```
/// use bugnet::bug::Class;
///
/// assert_eq!(Class::named("leap year").text, "leap year");
/// assert_ne!(Class::named("leap year").value, Class::named("common year").value);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// What stands for it in programs.
    pub value: Value,
    /// What it is called.
    pub text: String,
}

impl Class {
    /// The class that is called so.
    pub fn named(text: impl Into<String>) -> Class {
        let text = text.into();
        Class { value: literal_value(&text, &[]), text }
    }

    /// The class of a literal, if its parameter has classes.
    pub(crate) fn of(suite: &Suite, operation: usize, parameter: usize, tape: Tape) -> Option<Class> {
        suite.class_of(operation, parameter, tape).map(Class::named)
    }
}

impl Pattern {
    /// What to say of a class in the pattern that no literal has: neither those of a program that shows the
    /// bug nor any of many others.
    pub(crate) fn unknown_class(&self, suite: &Suite, program: &Program) -> Option<String> {
        let guards = self.guards.iter().flat_map(|guard| &guard.extras).map(|extra| &extra.element);
        for element in self.elements.iter().chain(guards) {
            for (parameter, term) in element.arguments.iter().enumerate() {
                if let Term::Class(_, class) = term
                    && !has_class(suite, program, element.operation, parameter, class)
                    && let Some(problem) = refusal(suite, element.operation, parameter, class)
                {
                    return Some(problem);
                }
            }
        }
        None
    }
}

/// Whether a program has a literal of a class.
fn has_class(suite: &Suite, program: &Program, operation: usize, parameter: usize, class: &Class) -> bool {
    program.calls.iter().filter(|call| call.operation == operation).any(|call| {
        let Argument::Literal(tape) = &call.arguments[parameter] else { return false };
        Class::of(suite, operation, parameter, tape.clone()).as_ref() == Some(class)
    })
}

/// What to say of a class that is not drawn, with those that are.
fn refusal(suite: &Suite, operation: usize, parameter: usize, class: &Class) -> Option<String> {
    let mut known: Vec<String> = Vec::new();
    for case in 0..DRAWS {
        let mut source = Source::recording(Seed::of_name("classes"), case);
        suite.draw_literal(operation, parameter, &mut source);
        let text = suite.class_of(operation, parameter, source.into_tape())?;
        if text == class.text {
            return None;
        }
        if !known.contains(&text) {
            known.push(text);
        }
    }
    let more = if known.len() > TOLD { ", …" } else { "" };
    known.truncate(TOLD);
    let described = &suite.operations[operation];
    Some(format!(
        "`{}` is no class of `{}` of `{}`, whose classes are `{}`{more}; write one of these if it was renamed",
        class.text,
        described.parameters[parameter].name,
        described.name,
        known.join("`, `"),
    ))
}
