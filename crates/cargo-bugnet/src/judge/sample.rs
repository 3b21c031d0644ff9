//! Findings of published crates and of the fixtures, with the judgements that they had before rules were lists.
//!
//! Each line of `tests/judged.jsonl` is a finding as it came, a finding with its minimal program, or the bugs of one run.
//! Only what is not false or empty is in a line, and tapes are left out. Programs are data, as a harness tells them.
//!
//! **Invariant:** a line is changed only with a rule that is meant to judge it otherwise.

use super::bug::{Also, Bug, Judged, example};
use super::same_cause::{ONE_PLACE, distinct, key};
use super::{Asked, Class, Judgement, Step, judge, judge_reduced};
use crate::api::{Facts, Law};
use crate::finding::Finding;
use crate::harness::StandIn;
use bugnet::wire::{Call, Number, Program, Role};
use serde::Deserialize;
use serde_json::Value;
use std::path::Path;

/// A finding as it came from a worker.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Came {
    #[serde(rename = "crate")]
    _crate: String,
    finding: Finding,
    facts: Facts,
    line: Option<String>,
    /// The key that findings of one place share.
    key: Value,
    judgement: Told,
}

/// A finding with its minimal program.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Minimal {
    #[serde(rename = "crate")]
    _crate: String,
    finding: Finding,
    facts: Facts,
    program: Vec<Called>,
    #[serde(default)]
    insists: Vec<String>,
    before: Told,
    judgement: Told,
}

/// The bugs of one run, before and after those of one cause were put together.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bugs {
    #[serde(rename = "crate")]
    _crate: String,
    bugs: Vec<Listed>,
    /// Operations, and what is named beside them.
    distinct: Vec<(String, Vec<Named>)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    judgement: Told,
    finding: Finding,
    program: Vec<Called>,
    also: Vec<Named>,
}

/// A call of a minimal program.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Called {
    operation: String,
    law: Option<Law>,
    /// True if it only keeps a literal.
    #[serde(default)]
    literal: bool,
    /// The places of the calls whose results it is given.
    #[serde(default)]
    uses: Vec<u32>,
    /// The numbers in its literals: `7`, `0.5`, or `limit 255` if its type has none beyond it.
    #[serde(default)]
    numbers: Vec<String>,
    /// The variable that holds its result.
    name: Option<String>,
    #[serde(default)]
    mutable: bool,
    /// The call as it is written in a test.
    text: String,
    /// The facts about the operation; for the last call, the member beside the program has them.
    #[serde(default)]
    facts: Facts,
}

impl Called {
    fn call(&self) -> Call {
        let numbers: Vec<Number> = self.numbers.iter().map(|text| number(text)).collect();
        let made = match &self.law {
            Some(law) => example::asked(law),
            None => example::call(&self.operation),
        };
        assert_eq!(made.0.operation, self.operation);
        let made = made.using(&self.uses).given(&numbers).written(&self.text);
        let mut call = match &self.name {
            Some(name) => made.bound(name, self.mutable).0,
            None => made.0,
        };
        if self.literal {
            call.role = Role::Literal;
        }
        call
    }
}

fn number(text: &str) -> Number {
    let (digits, is_limit) = text.strip_prefix("limit ").map_or((text, false), |limit| (limit, true));
    match digits.parse() {
        Ok(magnitude) => Number::Whole { magnitude, is_limit },
        Err(_) => Number::Fraction(digits.parse().expect("a number")),
    }
}

/// An operation, its place if that is another one, and the law that it asks.
type Named = (String, Option<String>, Option<Law>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    class: String,
    sureness: u8,
    reason: String,
}

impl Told {
    fn judgement(&self) -> Judgement {
        let all = [
            Class::Crash,
            Class::Law,
            Class::Contradiction,
            Class::Panic,
            Class::Hang,
            Class::Memory,
            Class::Convention,
            Class::WrongUse,
        ];
        let class = all.into_iter().find(|class| serde_json::to_value(class).unwrap() == self.class.as_str());
        let class = class.unwrap_or_else(|| panic!("{} is no class", self.class));
        Judgement { class, sureness: self.sureness, reason: self.reason.clone() }
    }
}

/// Reads the lines that have some member.
fn lines<T: for<'a> Deserialize<'a>>(member: &str) -> Vec<T> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/judged.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let values = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    values
        .filter(|value| value.get(member).is_some())
        .map(|value| serde_json::from_value(value).unwrap())
        .collect()
}

#[test]
fn findings_are_judged_and_grouped_as_before() {
    let all: Vec<Came> = lines("key");
    assert!(all.len() > 30, "{} findings", all.len());
    for came in all {
        let judgement = judge(&came.finding, &came.facts, came.line.as_deref());
        assert_eq!(judgement, came.judgement.judgement(), "{:?}", came.finding);
        assert_eq!(serde_json::to_value(key(&came.finding)).unwrap(), came.key, "{:?}", came.finding);
    }
}

#[test]
fn reduced_findings_are_judged_as_before() {
    let all: Vec<Minimal> = lines("program");
    assert!(all.len() > 15, "{} findings", all.len());
    for minimal in all {
        let program = program(&minimal.program);
        let (_, earlier) = minimal.program.split_last().expect("a program has calls");
        let facts = earlier.iter().map(|called| &called.facts).chain([&minimal.facts]);
        let steps: Vec<Step<'_>> =
            program.calls.iter().zip(facts).map(|(call, facts)| Step { call, facts }).collect();
        let stand_ins: Vec<StandIn> = minimal.insists.iter().map(|path| insisting(path)).collect();
        let stand_ins: Vec<&StandIn> = stand_ins.iter().collect();
        let (program, stand_ins) = (&steps[..], &stand_ins[..]);
        let asked = Asked { program, stand_ins, ..Asked::of(&minimal.finding, &minimal.facts) };
        let judgement = judge_reduced(minimal.before.judgement(), &asked);
        assert_eq!(judgement, minimal.judgement.judgement(), "{:?}", minimal.program);
    }
}

/// A type of our own for a trait that insists on something.
fn insisting(path: &str) -> StandIn {
    StandIn { name: String::new(), text: String::new(), insists: Some(path.to_string()) }
}

#[test]
fn bugs_of_one_cause_are_put_together_as_before() {
    let all: Vec<Bugs> = lines("bugs");
    assert!(all.len() > 5, "{} runs", all.len());
    for run in all {
        let actual = distinct(run.bugs.into_iter().map(bug).collect()).into_iter();
        let named = |also: Also| Also { why: ONE_PLACE, ..also };
        let actual = actual.map(|bug| (bug.finding.operation, bug.also.into_iter().map(named).collect()));
        let named =
            |(operation, also): (String, Vec<Named>)| (operation, also.into_iter().map(also_of).collect());
        let expected: Vec<(String, Vec<Also>)> = run.distinct.into_iter().map(named).collect();
        assert_eq!(actual.collect::<Vec<_>>(), expected);
    }
}

fn also_of((operation, at, law): Named) -> Also {
    Also { operation, law, at, after: Vec::new(), why: ONE_PLACE }
}

fn program(calls: &[Called]) -> Program {
    Program { calls: calls.iter().map(Called::call).collect(), ..Program::default() }
}

fn bug(listed: Listed) -> Bug {
    let judged = Judged { finding: listed.finding, judgement: listed.judgement.judgement() };
    let also = listed.also.into_iter().map(also_of).collect();
    Bug { program: program(&listed.program), also, ..Bug::unreduced(&judged) }
}
