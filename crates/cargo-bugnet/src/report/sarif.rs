//! The report as SARIF 2.1.0, which code hosts show beside the code.

use super::{Report, chance};
use crate::finding::Place;
use crate::judge::Class;
use crate::judge::bug::Bug;
use serde::Serialize;
use std::path::Path;

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
struct Run<'a> {
    tool: Tool,
    results: Vec<Finding<'a>>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: Class,
    short_description: Text,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding<'a> {
    rule_id: Class,
    level: &'static str,
    rank: f64,
    message: Text,
    locations: Vec<Location>,
    partial_fingerprints: Fingerprint<'a>,
}

#[derive(Serialize)]
struct Fingerprint<'a> {
    #[serde(rename = "bugnet/v1")]
    name: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: Physical,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_column: Option<u32>,
}

/// The rules, each with its description.
const RULES: [(Class, &str); 8] = [
    (Class::Crash, "A call ends the process"),
    (Class::Law, "A law of a type does not hold"),
    (Class::Contradiction, "A function panics that must not"),
    (Class::Panic, "A function panics, and nobody meant it to"),
    (Class::Hang, "A call does not end"),
    (Class::Memory, "A call asks for more memory than there is"),
    (Class::Convention, "A type does not do what most types do"),
    (Class::WrongUse, "A function is probably used wrongly"),
];

/// The report as text.
pub(crate) fn report(report: &Report<'_>) -> serde_json::Result<String> {
    let rules = RULES.map(|(id, text)| Rule { id, short_description: Text { text: text.to_string() } });
    let driver = Driver { name: "bugnet", version: env!("CARGO_PKG_VERSION"), rules: rules.into() };
    let results = report.bugs.iter().map(|bug| finding(bug, report)).collect();
    let log = Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run { tool: Tool { driver }, results }],
    };
    serde_json::to_string_pretty(&log)
}

fn finding<'a>(bug: &'a Bug, report: &Report<'_>) -> Finding<'a> {
    let text = format!(
        "{}: {}{}\n\n{}\n\nreplay: {} --replay {}",
        bug.title(),
        bug.judgement.reason,
        chance(bug),
        bug.program.lines().join("\n"),
        report.command,
        bug.name
    );
    Finding {
        rule_id: bug.judgement.class,
        level: if bug.judgement.class == Class::Convention { "warning" } else { "error" },
        rank: f64::from(bug.judgement.sureness),
        message: Text { text },
        locations: location(bug, report).into_iter().collect(),
        partial_fingerprints: Fingerprint { name: &bug.name },
    }
}

/// Returns the place of the panic, or else that of the definition of the function.
fn location(bug: &Bug, report: &Report<'_>) -> Option<Location> {
    let harness = report.harness;
    let own = bug.finding.place.as_ref().filter(|place| !place.is_in_harness());
    let defined = || {
        let calls = bug.calls();
        let calls = std::iter::once(bug.finding.operation.as_str()).chain(calls.into_iter().rev());
        let mut places = calls.filter_map(|call| harness.facts.get(call)?.place.as_deref());
        Place::read(&format!("{}:0", places.next()?))
    };
    let place = own.cloned().or_else(defined)?;
    let path = Path::new(&place.file);
    let folder = Path::new(harness.source.file_name().unwrap_or_default());
    let path = path.strip_prefix(&harness.source).or_else(|_| path.strip_prefix(folder)).unwrap_or(path);
    Some(Location {
        physical_location: Physical {
            artifact_location: Artifact { uri: path.to_string_lossy().replace('\\', "/") },
            region: Region {
                start_line: place.line.max(1),
                start_column: Some(place.column).filter(|column| *column > 0),
            },
        },
    })
}

#[cfg(test)]
mod tests {
    use super::super::example;

    #[test]
    fn a_bug_is_a_result_at_its_place_in_the_package() {
        let (mut harness, run, bugs) = (example::harness(), example::run(), [example::bug()]);
        harness.source = "/r/bit-vec-0.10.1".into();
        let text = super::report(&example::report(&harness, &run, &bugs)).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let result = &value["runs"][0]["results"][0];
        assert_eq!((&result["ruleId"], &result["level"]), (&"panic".into(), &"error".into()));
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "src/lib.rs");
        assert_eq!(place["region"]["startLine"], 12);
    }

    #[test]
    fn a_law_is_shown_where_the_last_function_before_it_is_defined() {
        let (mut harness, run, mut bug) = (example::harness(), example::run(), example::bug());
        let facts = crate::api::Facts { place: Some("src/a.rs:9".to_string()), ..Default::default() };
        harness.facts.insert("BitVec::split_off".to_string(), facts);
        bug.finding.place = None;
        bug.finding.operation = "law hash of BitVec".to_string();
        bug.rate.runs = bug.rate.failed + 1;
        let bugs = [bug];
        let text = super::report(&example::report(&harness, &run, &bugs)).unwrap();
        assert!(text.contains("\"uri\": \"src/a.rs\"") && text.contains("\"startLine\": 9"), "{text}");
        assert!(text.contains("is not there, fails in "), "{text}");
    }
}
