//! The report as JSON: one object, with a version that changes whenever a member changes its meaning.

use super::{Report, title};
use crate::explore::bug::{Bug, Group};
use crate::explore::fact::Unreached;
use crate::explore::triage::Class;
use serde::Serialize;

/// The version of the format.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    package: &'a str,
    package_version: &'a str,
    seed: u64,
    strategies: &'a str,
    seconds: f64,
    calls: u64,
    failed_calls: u64,
    /// How many of them were laws.
    failed_laws: u64,
    deaths: u64,
    operations: u64,
    operations_reached: usize,
    functions: usize,
    functions_callable: usize,
    trait_functions: usize,
    trait_functions_callable: usize,
    /// How many bugs are known and not shown.
    known: usize,
    bugs: Vec<Shown<'a>>,
    suspects: Vec<Suspect<'a>>,
    banned: Vec<&'a str>,
    unreached: &'a [Unreached],
    left_out: &'a [Unreached],
    not_denied: &'a [String],
}

#[derive(Serialize)]
struct Shown<'a> {
    name: &'a str,
    title: String,
    class: Class,
    sureness: u8,
    reason: &'a str,
    operation: &'a str,
    phase: crate::explore::finding::Phase,
    cause: crate::explore::finding::Cause,
    place: Option<String>,
    message: &'a str,
    program: &'a [String],
    calls: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern: Option<&'a str>,
    also: &'a [String],
    failed_runs: u32,
    runs: u32,
    test_fails_alike: bool,
    tape: Option<&'a str>,
    replay: String,
}

#[derive(Serialize)]
struct Suspect<'a> {
    operations: Vec<&'a str>,
    reason: &'a str,
    place: Option<String>,
    message: &'a str,
    tape: Option<&'a str>,
}

/// The report as text.
pub(crate) fn report(report: &Report<'_>) -> serde_json::Result<String> {
    let Report { harness, run, .. } = report;
    let document = Document {
        version: VERSION,
        package: &harness.package,
        package_version: &harness.version,
        seed: report.seed,
        strategies: &run.strategies,
        seconds: run.elapsed.as_secs_f64(),
        calls: run.calls,
        failed_calls: run.failed,
        failed_laws: run.broken,
        known: report.known,
        deaths: run.deaths,
        operations: run.operations,
        operations_reached: run.reached.len(),
        functions: harness.functions,
        functions_callable: harness.callable,
        trait_functions: harness.trait_functions,
        trait_functions_callable: harness.trait_callable,
        bugs: report.bugs.iter().map(|bug| shown(bug, &report.command)).collect(),
        suspects: report.suspects.iter().filter_map(suspect).collect(),
        banned: run.banned.iter().map(String::as_str).collect(),
        unreached: &harness.unreached,
        left_out: &harness.left_out,
        not_denied: report.gaps,
    };
    serde_json::to_string_pretty(&document)
}

fn shown<'a>(bug: &'a Bug, command: &str) -> Shown<'a> {
    Shown {
        name: &bug.name,
        title: title(bug),
        class: bug.judgement.class,
        sureness: bug.judgement.sureness,
        reason: &bug.judgement.reason,
        operation: &bug.finding.operation,
        phase: bug.finding.phase,
        cause: bug.finding.cause,
        place: bug.finding.place.as_ref().map(ToString::to_string),
        message: &bug.finding.message,
        program: &bug.program,
        calls: &bug.calls,
        pattern: bug.pattern.as_ref().map(|pattern| pattern.words.as_str()),
        also: &bug.also,
        failed_runs: bug.rate.failed,
        runs: bug.rate.runs,
        test_fails_alike: bug.proven,
        tape: bug.finding.tape.as_deref(),
        replay: format!("{command} --replay {}", bug.name),
    }
}

fn suspect(group: &Group) -> Option<Suspect<'_>> {
    let first = group.0.first()?;
    Some(Suspect {
        operations: group.0.iter().map(|judged| judged.finding.operation.as_str()).collect(),
        reason: &first.judgement.reason,
        place: first.finding.place.as_ref().map(ToString::to_string),
        message: &first.finding.message,
        tape: first.finding.tape.as_deref(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::example;

    #[test]
    fn json_has_everything_that_is_needed_to_see_a_bug_again() {
        let (harness, run, bugs) = (example::harness(), example::run(), [example::bug()]);
        let text = super::report(&example::report(&harness, &run, &bugs)).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["version"], 1);
        let bug = &value["bugs"][0];
        assert_eq!(bug["class"], "panic");
        assert_eq!(bug["place"], "/r/bit-vec-0.10.1/src/lib.rs:12:5");
        assert_eq!(bug["tape"], "1.2");
        assert_eq!(bug["program"].as_array().unwrap().len(), 2);
    }
}
