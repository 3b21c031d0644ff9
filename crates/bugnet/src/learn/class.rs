//! Classes that nobody has: a stored pattern may name one that was renamed since.
//!
//! **Invariant:** a class that some literal of the suite has is never refused.

use crate::choice::Source;
use crate::pattern::{Class, Pattern, Term};
use crate::program::{Argument, Program, Suite};
use crate::random::Seed;

/// Literals that are drawn to find out which classes there are.
const DRAWS: u64 = 1000;
/// Classes that are told, at most.
const TOLD: usize = 8;

impl Pattern {
    /// Returns the complaint about a class in the pattern that no literal has: neither those of a program that shows
    /// the bug nor any of many others.
    pub(crate) fn unknown_class(&self, suite: &Suite, program: &Program) -> Option<String> {
        let guards = self.guards.iter().flat_map(|guard| &guard.extras).map(|extra| &extra.element);
        for element in self.elements.iter().chain(guards) {
            for (parameter, term) in element.arguments.iter().enumerate() {
                let Term::Class(_, class) = term else { continue };
                let is_met = has_class(suite, program, element.operation, parameter, class);
                let problem = || refusal(suite, element.operation, parameter, class);
                if let Some(problem) = (!is_met).then(problem).flatten() {
                    return Some(problem);
                }
            }
        }
        None
    }
}

/// Returns true if a program has a literal of a class.
fn has_class(suite: &Suite, program: &Program, operation: usize, parameter: usize, class: &Class) -> bool {
    program.calls.iter().filter(|call| call.operation == operation).any(|call| {
        let Argument::Literal(tape) = &call.arguments[parameter] else { return false };
        suite.class_of(operation, parameter, tape.clone()).as_ref() == Some(class)
    })
}

/// Returns the complaint about a class that is not drawn, with the classes that are.
fn refusal(suite: &Suite, operation: usize, parameter: usize, class: &Class) -> Option<String> {
    let mut known: Vec<String> = Vec::new();
    for case in 0..DRAWS {
        let mut source = Source::recording(Seed::of_name("classes"), case);
        suite.draw_literal(operation, parameter, &mut source);
        let text = suite.class_of(operation, parameter, source.into_tape())?.text;
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
