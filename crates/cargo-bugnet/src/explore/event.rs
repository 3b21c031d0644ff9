//! Events: what a harness tells on its standard output, one line of JSON each.
//!
//! **Invariant:** a line that is no event is passed over, because the code under test prints there too.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a harness tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Event {
    Started {
        operations: u64,
        /// How it chooses programs.
        strategies: String,
    },
    Progress {
        calls: u64,
        failed: u64,
        broken: u64,
        reached: Vec<String>,
    },
    Failure(Failure),
    /// The traced program came to its end.
    Traced,
    /// A program was run again; it passed if there is no failure.
    Replayed(Option<Failure>),
    /// It was run again and again in one process.
    Repeated {
        failed: u32,
        runs: u32,
    },
    Reduced(Box<Reduced>),
    Generalized(Pattern),
    Operation {
        name: String,
        reachable: bool,
    },
    /// The calls of a program that was not run.
    Program(Program),
    Other,
}

/// A program that was not run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Program {
    /// What it calls.
    pub(crate) operations: Vec<String>,
    /// How it is written in Rust.
    pub(crate) lines: Vec<String>,
    /// Whether something repeats in one of its literals, so often that this may be why it dies.
    pub(crate) is_deep: bool,
}

/// How a call has failed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Failure {
    pub(crate) operation: String,
    /// `call`, `observe` or `drop`.
    pub(crate) phase: String,
    /// `panic`, `false`, `error`, `memory`, `hang` or `death`.
    pub(crate) cause: String,
    /// File, line and column of a panic.
    pub(crate) place: Option<String>,
    pub(crate) message: String,
    /// The program, if the harness lived to tell it.
    pub(crate) tape: Option<String>,
    /// Its number.
    pub(crate) program: u64,
    /// A journal from which it can be drawn again.
    pub(crate) journal: Option<String>,
}

/// A minimal program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Reduced {
    pub(crate) tape: String,
    /// The program as Rust.
    pub(crate) lines: Vec<String>,
    /// Functions that the lines call.
    pub(crate) helpers: Vec<String>,
    /// The names of its calls.
    pub(crate) operations: Vec<String>,
    pub(crate) tested: u64,
    #[serde(skip)]
    pub(crate) failure: Failure,
}

/// What all programs that fail in one way have in common.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pattern {
    /// As a harness reads it.
    #[serde(rename = "pattern")]
    pub(crate) stored: String,
    pub(crate) words: String,
    /// How many calls it has.
    pub(crate) calls: usize,
    /// Those of them that were given a certain literal, and may have made what the last call dies of.
    #[serde(default, skip_serializing)]
    pub(crate) suspects: Vec<String>,
}

impl Event {
    /// Reads a line; none if it is no event.
    pub(crate) fn read(line: &str) -> Option<Event> {
        // What the code under test prints may stand before it on the same line.
        let start = line.rfind("{\"event\":")?;
        let value: Value = serde_json::from_str(&line[start..]).ok()?;
        let event = match value["event"].as_str()? {
            "started" => Event::Started {
                operations: value["operations"].as_u64()?,
                strategies: value["strategies"].as_str()?.to_string(),
            },
            "progress" => Event::Progress {
                calls: value["calls"].as_u64()?,
                failed: value["failed"].as_u64().unwrap_or_default(),
                broken: value["broken"].as_u64().unwrap_or_default(),
                reached: texts(&value["reached"]),
            },
            "failure" => Event::Failure(failure(&value)?),
            "traced" => Event::Traced,
            "replayed" => Event::Replayed(match value["outcome"].as_str()? {
                "fail" => Some(failure(&value)?),
                _ => None,
            }),
            "passed" => Event::Replayed(None),
            "repeated" => {
                let number = |name: &str| u32::try_from(value[name].as_u64()?).ok();
                Event::Repeated { failed: number("failed")?, runs: number("runs")? }
            }
            "reduced" => {
                let reduced: Reduced = serde_json::from_value(value.clone()).ok()?;
                Event::Reduced(Box::new(Reduced { failure: failure(&value)?, ..reduced }))
            }
            "generalized" => Event::Generalized(serde_json::from_value(value).ok()?),
            "operation" => Event::Operation {
                name: value["name"].as_str()?.to_string(),
                reachable: value["reachable"].as_bool().unwrap_or(true),
            },
            "program" => Event::Program(Program {
                operations: texts(&value["operations"]),
                lines: texts(&value["lines"]),
                is_deep: value["deep"] == true,
            }),
            _ => Event::Other,
        };
        Some(event)
    }
}

/// The failure in an event: a member of its own, or its members.
fn failure(value: &Value) -> Option<Failure> {
    let value = value.get("failure").filter(|failure| failure.is_object()).unwrap_or(value);
    serde_json::from_value(value.clone()).ok()
}

fn texts(value: &Value) -> Vec<String> {
    let all = value.as_array().into_iter().flatten();
    all.filter_map(|text| text.as_str().map(str::to_string)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_found_behind_what_the_code_under_test_printed() {
        let line = r#"hello {"event":"started","operations":3,"strategies":"all"}"#;
        let strategies = "all".to_string();
        assert_eq!(Event::read(line), Some(Event::Started { operations: 3, strategies }));
        assert_eq!(Event::read("hello"), None);
        assert_eq!(Event::read(r#"{"event":"started""#), None);
    }

    #[test]
    fn a_pattern_is_read_in_both_forms() {
        let line = r#"{"event":"generalized","pattern":"f(=0.1)","words":"f(1)","calls":1}"#;
        let expected = Pattern {
            stored: "f(=0.1)".to_string(),
            words: "f(1)".to_string(),
            calls: 1,
            suspects: Vec::new(),
        };
        assert_eq!(Event::read(line), Some(Event::Generalized(expected)));
    }

    #[test]
    fn a_failure_is_read_with_its_place_whether_or_not_it_is_a_member_of_its_own() {
        let members = r#""operation":"f","phase":"call","cause":"panic","place":"a.rs:1:2","message":"no""#;
        let flat = format!(r#"{{"event":"replayed","outcome":"fail",{members}}}"#);
        let nested = format!(r#"{{"event":"replayed","outcome":"fail","failure":{{{members}}}}}"#);
        let Some(Event::Replayed(Some(failure))) = Event::read(&flat) else { panic!("not read") };
        assert_eq!(failure.place.as_deref(), Some("a.rs:1:2"));
        assert_eq!(Event::read(&nested), Some(Event::Replayed(Some(failure))));
    }
}
