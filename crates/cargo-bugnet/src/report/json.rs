//! The report as JSON: one object, with a version that changes whenever a member changes its meaning.

use super::Report;
use crate::api::Law;
use crate::explore::budget::Ended;
use crate::explore::pool::Run;
use crate::explore::tally::Tally;
use crate::finding::Finding;
use crate::harness::Missed;
use crate::judge::Class;
use crate::judge::bug::{Also, Bug, Group, Why};
use crate::store::campaign::Influence;
use crate::store::reasons::Reasons;
use serde::Serialize;
use std::sync::LazyLock;

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
    /// The reason why the run ended: `programs`, `time`, `interrupt`, or `nothing_left` to call.
    ended_by: Ended,
    programs: u64,
    calls: u64,
    failed_calls: u64,
    /// The number of failed calls that were laws.
    failed_laws: u64,
    deaths: u64,
    operations: u64,
    operations_reached: usize,
    functions: usize,
    functions_callable: usize,
    trait_functions: usize,
    trait_functions_callable: usize,
    /// The number of known bugs, which are not shown.
    known: usize,
    bugs: Vec<Shown<'a>>,
    suspects: Vec<Suspect<'a>>,
    /// Every way to fail, whatever it was taken for.
    findings: Vec<Found<'a>>,
    banned: Vec<&'a str>,
    unreached: &'a [Missed],
    left_out: &'a [Missed],
    not_denied: &'a [String],
    /// The laws that somebody has stated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    laws: Vec<Checked<'a>>,
}

#[derive(Serialize)]
struct Checked<'a> {
    name: &'a str,
    passed: u64,
    failed: u64,
    discarded: u64,
    different_inputs: u64,
    /// The share of inputs, in percent, that at least two calls have changed.
    changed_twice: Option<u64>,
    /// Labels with their shares of the checks in percent.
    labels: Vec<(&'a str, u64)>,
    /// The input that nearly all checks had, with its share in percent.
    alike: Option<(&'a str, u64)>,
}

#[derive(Serialize)]
struct Shown<'a> {
    name: &'a str,
    title: String,
    class: Class,
    sureness: u8,
    reason: &'a str,
    operation: &'a str,
    /// The law that it asks, if it asks one.
    #[serde(skip_serializing_if = "Option::is_none")]
    law: Option<&'a Law>,
    phase: crate::finding::Phase,
    cause: crate::finding::Cause,
    place: Option<String>,
    message: &'a str,
    program: Vec<String>,
    calls: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern: Option<&'a str>,
    also: Vec<String>,
    /// The innermost function of the crate that fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<&'a str>,
    /// Findings that were merged into this bug, each with the reason.
    merged: Vec<Merged<'a>>,
    /// Operations that programs with this bug have more often than others, among those that leave operations out.
    triggers: &'a [Influence],
    /// Operations that they have less often.
    suppressors: &'a [Influence],
    failed_runs: u32,
    runs: u32,
    test_fails_alike: bool,
    tape: Option<&'a str>,
    replay: String,
}

#[derive(Serialize)]
struct Merged<'a> {
    operation: &'a str,
    place: Option<&'a str>,
    rule: &'static str,
    because: &'static str,
}

#[derive(Serialize)]
struct Suspect<'a> {
    operations: Vec<&'a str>,
    reason: &'a str,
    place: Option<String>,
    message: &'a str,
    tape: Option<&'a str>,
}

/// The properties that tell a way to fail apart.
#[derive(Serialize)]
struct Found<'a> {
    operation: &'a str,
    /// The law that it asks, if it asks one.
    #[serde(skip_serializing_if = "Option::is_none")]
    law: Option<&'a Law>,
    phase: crate::finding::Phase,
    cause: crate::finding::Cause,
    place: Option<String>,
}

/// The report as text.
pub(crate) fn report(report: &Report<'_>) -> serde_json::Result<String> {
    let Report { harness, run, .. } = report;
    let bugs = report.bugs.iter().zip(&report.reasons);
    let document = Document {
        version: VERSION,
        package: &harness.package,
        package_version: &harness.version,
        seed: report.seed,
        strategies: &run.strategies,
        seconds: run.elapsed.as_secs_f64(),
        ended_by: run.ended,
        programs: run.programs,
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
        bugs: bugs.map(|(bug, reasons)| shown(bug, reasons, &report.command)).collect(),
        suspects: report.suspects.iter().filter_map(suspect).collect(),
        findings: run.findings.iter().map(found).collect(),
        banned: run.banned.iter().map(String::as_str).collect(),
        unreached: &harness.unreached,
        left_out: &harness.left_out,
        not_denied: report.gaps,
        laws: harness.laws.names.iter().map(|law| checked(law, run)).collect(),
    };
    serde_json::to_string_pretty(&document)
}

fn checked<'a>(name: &'a str, run: &'a Run) -> Checked<'a> {
    static NONE: LazyLock<Tally> = LazyLock::new(Tally::default);
    let tally = run.checked.get(name).unwrap_or(&NONE);
    let Tally { passed, failed, discarded, .. } = *tally;
    let (different_inputs, labels, alike) = (tally.different(), tally.labels(), tally.alike());
    let changed_twice = tally.changed_twice();
    Checked { name, passed, failed, discarded, different_inputs, changed_twice, labels, alike }
}

fn merged(also: &Also) -> Merged<'_> {
    let Why { rule, words } = also.why;
    Merged { operation: &also.operation, place: also.at.as_deref(), rule, because: words }
}

fn shown<'a>(bug: &'a Bug, reasons: &'a Reasons, command: &str) -> Shown<'a> {
    Shown {
        name: &bug.name,
        title: bug.title(),
        class: bug.judgement.class,
        sureness: bug.judgement.sureness,
        reason: &bug.judgement.reason,
        operation: &bug.finding.operation,
        law: bug.finding.law.as_ref(),
        phase: bug.finding.phase,
        cause: bug.finding.cause,
        place: bug.finding.place.as_ref().map(ToString::to_string),
        message: &bug.finding.message,
        program: bug.program.lines(),
        calls: bug.calls(),
        pattern: bug.pattern.as_ref().map(|pattern| pattern.words.as_str()),
        also: bug.also.iter().map(Also::to_string).collect(),
        function: bug.inner.as_deref(),
        merged: bug.also.iter().map(merged).collect(),
        triggers: &reasons.triggers,
        suppressors: &reasons.suppressors,
        failed_runs: bug.rate.failed,
        runs: bug.rate.runs,
        test_fails_alike: bug.proven,
        tape: bug.finding.tape.as_deref(),
        replay: format!("{command} --replay {}", bug.name),
    }
}

fn found(finding: &Finding) -> Found<'_> {
    Found {
        operation: &finding.operation,
        law: finding.law.as_ref(),
        phase: finding.phase,
        cause: finding.cause,
        place: finding.place.as_ref().map(ToString::to_string),
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
