//! Variants as people and programs read them: the mutants that no test notices, and everything as JSON.
//!
//! **Invariant:** the same session gives the same text, in the order of the source.

use crate::variants::mutation::Mutant;
use crate::variants::neutral::Class;
use crate::variants::question::Question;
use crate::variants::session::{Exploration, Session};
use anyhow::Result;
use serde_json::{Value, json};
use std::fmt::Write;

/// Returns the mutants that live, one a line, as cargo-mutants prints them.
pub(crate) fn missed(session: &Session) -> String {
    let mut text = String::new();
    for (mutant, class) in &session.mutants {
        let word = match class {
            Class::Live => "MISSED",
            Class::Unreached => "UNREACHED",
            Class::Untested => "UNTESTED",
            Class::Killed(_) | Class::Endless => continue,
        };
        let _ = writeln!(text, "{word:<9} {}", session.schema.mutations.name(*mutant));
    }
    text
}

/// Returns everything that is known of a session.
pub(crate) fn json(session: &Session, explored: &Exploration) -> Result<String> {
    let names = |is_wanted: &dyn Fn(&Class) -> bool| {
        let found = session.of(is_wanted).into_iter();
        found.map(|mutant| mutation(session, mutant)).collect::<Vec<Value>>()
    };
    let value = json!({
        "version": 1,
        "package": session.subject.package.name.as_str(),
        "tests": session.suite.tests.len(),
        "proposed": session.proposed,
        "rounds": session.rounds,
        "mutants": session.mutants.len(),
        "left_out": session.schema.mutations.left_out.iter().map(|(reason, count)| {
            json!({ "reason": reason, "count": count })
        }).collect::<Vec<Value>>(),
        "killed": names(&Class::is_killed),
        "unreached": names(&|class| *class == Class::Unreached),
        "neutral": names(&|class| *class == Class::Live),
        "untested": names(&|class| *class == Class::Untested),
        "programs": explored.programs,
        "variants": explored.variants,
        "noticed": explored.noticed,
        "alarms": explored.questions.iter().map(alarm).collect::<Vec<Value>>(),
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
        "mutations": question.mutants.iter().map(|noticed| &noticed.name).collect::<Vec<_>>(),
    })
}

/// Returns a mutant with its place and its change.
fn mutation(session: &Session, mutant: Mutant) -> Value {
    let mutations = &session.schema.mutations;
    let (line, column) = mutations.place(mutant);
    let class = session.mutants.iter().find(|(other, _)| *other == mutant).map(|(_, class)| class);
    let killer = match class {
        Some(Class::Killed(Some(test))) => Value::String(test.clone()),
        Some(Class::Endless) => Value::String("did not end".to_string()),
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
