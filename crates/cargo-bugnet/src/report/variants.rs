//! Variants as people and programs read them: the mutants that no test notices, and everything as JSON.
//!
//! **Invariant:** the same session gives the same text, in the order of the source.

use crate::variants::mutation::{Mutant, Mutations};
use crate::variants::neutral::Class;
use crate::variants::question::Question;
use anyhow::Result;
use serde_json::{Value, json};
use std::fmt::Write;
use std::time::Duration;

/// Returns the mutants that live, one a line, as cargo-mutants prints them.
pub(crate) fn missed(mutations: &Mutations, mutants: &[(Mutant, Class)]) -> String {
    let mut text = String::new();
    for (mutant, class) in mutants {
        let word = match class {
            Class::Live => "MISSED",
            Class::Unreached => "UNREACHED",
            Class::Untested => "UNTESTED",
            Class::Killed(_) | Class::Endless => continue,
        };
        let _ = writeln!(text, "{word:<9} {}", mutations.name(*mutant));
    }
    text
}

/// The facts that a library and a C program both have to report.
pub(crate) struct Told<'a> {
    /// The name of the package, or of the program.
    pub(crate) name: &'a str,
    pub(crate) tests: usize,
    pub(crate) proposed: usize,
    pub(crate) rounds: usize,
    pub(crate) mutations: &'a Mutations,
    pub(crate) mutants: &'a [(Mutant, Class)],
    /// The processor time that testing them took.
    pub(crate) spent: Duration,
    /// The number of programs or inputs that were run on variants.
    pub(crate) programs: u64,
    pub(crate) variants: usize,
    pub(crate) noticed: usize,
    /// The command lines that notice mutants which no test does.
    pub(crate) inputs: Vec<Noticing>,
    pub(crate) questions: &'a [Question],
}

/// An input of a program, with the number of mutants that it notices and no test does.
pub(crate) struct Noticing {
    /// The command line.
    pub(crate) line: String,
    pub(crate) mutants: usize,
    /// Those of them that some test reaches.
    pub(crate) live: usize,
}

impl Noticing {
    fn json(&self) -> Value {
        json!({ "line": self.line, "mutants": self.mutants, "live": self.live })
    }
}

/// Returns everything that is known of a session, as JSON.
pub(crate) fn json(told: &Told<'_>) -> Result<String> {
    let names = |is_wanted: &dyn Fn(&Class) -> bool| {
        let found = told.mutants.iter().filter(|(_, class)| is_wanted(class));
        found.map(|(mutant, class)| mutation(told.mutations, *mutant, class)).collect::<Vec<Value>>()
    };
    let value = json!({
        "version": 1,
        "package": told.name,
        "tests": told.tests,
        "proposed": told.proposed,
        "rounds": told.rounds,
        "mutants": told.mutants.len(),
        "left_out": told.mutations.left_out.iter().map(|(reason, count)| {
            json!({ "reason": reason, "count": count })
        }).collect::<Vec<Value>>(),
        "killed": names(&Class::is_killed),
        "unreached": names(&|class| *class == Class::Unreached),
        "neutral": names(&|class| *class == Class::Live),
        "untested": names(&|class| *class == Class::Untested),
        "programs": told.programs,
        "variants": told.variants,
        "noticed": told.noticed,
        "inputs": told.inputs.iter().map(Noticing::json).collect::<Vec<Value>>(),
        "alarms": told.questions.iter().map(alarm).collect::<Vec<Value>>(),
    });
    Ok(serde_json::to_string_pretty(&value)? + "\n")
}

/// Returns a question: its program, what it does, and the mutants that it notices.
fn alarm(question: &Question) -> Value {
    json!({
        "test": question.name,
        "program": question.lines,
        "original": question.original,
        "variant": question.variant,
        "panics": question.panics,
        "line": question.given.as_ref().map(|given| given.case.line()),
        "mutations": question.mutants.iter().map(|noticed| &noticed.name).collect::<Vec<_>>(),
    })
}

/// Returns a mutant with its place and its change.
fn mutation(mutations: &Mutations, mutant: Mutant, class: &Class) -> Value {
    let (line, column) = mutations.place(mutant);
    let killer = match class {
        Class::Killed(Some(test)) => Value::String(test.clone()),
        Class::Endless => Value::String("did not end".to_string()),
        _ => Value::Null,
    };
    json!({
        "name": mutations.name(mutant),
        "file": mutations.path(mutant).display().to_string(),
        "line": line,
        "column": column,
        "operator": mutations.alternative(mutant).operator.name(),
        "killed_by": killer,
        "diff": mutations.diff(mutant).lines(),
    })
}
