//! Bugs: findings that were run again, reduced, and are each shown once.
//!
//! **Invariant:** whatever is shown has failed in three fresh processes, or says how often it did not.

use super::complaint::{self, Complaint};
use super::crew::Run;
use super::event::{Event, Failure, Reduced};
use super::fact::{Facts, Harness};
use super::finding::{Cause, Finding, Key, Phase, Place};
use super::process::Process;
use super::triage::{Class, Judgement, judge, judge_reduced};
use super::{law, worker};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// In how many fresh processes a minimal program is run.
const RUNS: u32 = 3;
/// How long one program is reduced, and how long if each step takes a process.
const TIME: Duration = Duration::from_secs(6);
const TIME_APART: Duration = Duration::from_secs(12);
/// So many ways to one place are tried, if the first turn out to be misuse.
const WAYS: usize = 3;

/// How much less sure a bug is that fails only sometimes, and one that never failed again.
const FLAKY: u8 = 15;
const LOST: u8 = 60;

/// A finding with what it is taken for.
#[derive(Debug, Clone)]
pub(crate) struct Judged {
    pub(crate) finding: Finding,
    pub(crate) judgement: Judgement,
}

/// Findings with one place, the surest first.
#[derive(Debug, Clone)]
pub(crate) struct Group(pub(crate) Vec<Judged>);

/// What is shown.
#[derive(Debug, Clone)]
pub(crate) struct Bug {
    /// The name of its test, by which it can be replayed.
    pub(crate) name: String,
    pub(crate) judgement: Judgement,
    /// How the minimal program fails, and its tape.
    pub(crate) finding: Finding,
    /// The minimal program, as Rust.
    pub(crate) program: Vec<String>,
    /// The names of its calls.
    pub(crate) calls: Vec<String>,
    /// Functions that the program calls.
    pub(crate) helpers: Vec<String>,
    /// What all programs that fail so have in common.
    pub(crate) pattern: String,
    /// Other operations that fail at the same place, or other laws that the same calls break.
    pub(crate) also: Vec<String>,
    /// In how many runs of how many it failed.
    pub(crate) failed: u32,
    pub(crate) runs: u32,
    /// Whether its test was compiled and failed in the same way at the same place.
    pub(crate) proven: bool,
}

impl Bug {
    /// Whether it fails only sometimes.
    pub(crate) fn is_flaky(&self) -> bool {
        self.failed < self.runs
    }
}

/// What has to be known of a bug to run it again.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Kept {
    pub(crate) name: String,
    pub(crate) tape: String,
}

impl Kept {
    /// A bug whose program is known.
    pub(crate) fn of(bug: &Bug) -> Option<Kept> {
        Some(Kept { name: bug.name.clone(), tape: bug.finding.tape.clone()? })
    }
}

/// Judges the findings of a run and puts those together that have one place, the surest first.
pub(crate) fn groups(run: &Run, harness: &Harness) -> Vec<Group> {
    let unknown = Facts::default();
    let mut lines: BTreeMap<&Place, Option<String>> = BTreeMap::new();
    let mut groups: BTreeMap<Key, Vec<Judged>> = BTreeMap::new();
    for finding in &run.findings {
        let facts = harness.facts.get(&finding.operation).unwrap_or(&unknown);
        let place = finding.place.as_ref();
        let line = place.and_then(|place| {
            lines.entry(place).or_insert_with(|| complaint::source_line(place, &harness.source)).clone()
        });
        let judgement = judge(finding, facts, line.as_deref());
        let judged = Judged { finding: finding.clone(), judgement };
        groups.entry(root(finding)).or_default().push(judged);
    }
    let mut groups: Vec<Group> = groups.into_values().map(Group::sorted).collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.judgement().sureness));
    groups
}

/// What findings of one cause have in common.
fn root(finding: &Finding) -> Key {
    match &finding.place {
        // One line of code, whoever has called it.
        Some(place) if !place.is_in_harness() && !place.is_in_standard_library() => {
            // A function that only panics for others is told apart by what they have it say.
            let said = match Complaint::of(&finding.message, None) {
                Complaint::Explicit => without_values(&finding.message),
                _ => String::new(),
            };
            (said, Phase::Call, finding.cause, finding.place.clone())
        }
        _ => {
            let (operation, phase, cause, place) = finding.key();
            // A type has one law for all its type arguments, and iterators often wrap each other.
            let operation = match finding.law() {
                Some((name, _)) if law::is_of_iterators(name) => name.to_string(),
                Some((name, kind)) => format!("{name} {}", kind.split('<').next().unwrap_or(kind)),
                None => operation,
            };
            (operation, phase, cause, place)
        }
    }
}

/// A message without the values in it: numbers, and what is quoted.
fn without_values(message: &str) -> String {
    let mut kept = String::new();
    let mut quote = None;
    for letter in message.lines().next().unwrap_or_default().chars().take(80) {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '`' | '\'') => quote = Some(letter),
            (None, _) if letter.is_numeric() => {}
            (None, _) => kept.push(letter),
        }
    }
    kept
}

impl Group {
    fn sorted(mut members: Vec<Judged>) -> Group {
        let length = |judged: &Judged| judged.finding.tape.as_ref().map_or(usize::MAX, String::len);
        members.sort_by_key(|judged| (std::cmp::Reverse(judged.judgement.sureness), length(judged)));
        Group(members)
    }

    /// What was to be a bug, and is not.
    pub(crate) fn of(bug: Bug) -> Group {
        Group(vec![Judged { finding: bug.finding, judgement: bug.judgement }])
    }

    pub(crate) fn judgement(&self) -> &Judgement {
        &self.0.first().expect("a group has members").judgement
    }
}

/// Reduces one group to a bug.
pub(crate) fn reduce(group: &Group, harness: &Harness, scratch: &Path) -> Result<Bug> {
    let mut first = None;
    for judged in group.0.iter().take(WAYS) {
        let bug = reduce_one(judged, harness, scratch)?;
        let is_shown = bug.judgement.is_shown();
        if is_shown || !judged.judgement.is_shown() {
            return Ok(with_others(bug, group));
        }
        first.get_or_insert(bug);
    }
    Ok(with_others(first.expect("a group has members"), group))
}

fn with_others(mut bug: Bug, group: &Group) -> Bug {
    // What is used wrongly at the same place says nothing about the bug.
    let others = group.0.iter().filter(|judged| judged.judgement.is_shown());
    bug.also = others
        .map(|judged| judged.finding.operation.clone())
        .filter(|operation| *operation != bug.finding.operation)
        .collect();
    bug.also.sort();
    bug.also.dedup();
    bug
}

fn reduce_one(judged: &Judged, harness: &Harness, scratch: &Path) -> Result<Bug> {
    let Judged { finding, judgement } = judged;
    let mut bug = Bug {
        name: String::new(),
        judgement: judgement.clone(),
        finding: finding.clone(),
        program: Vec::new(),
        calls: Vec::new(),
        helpers: Vec::new(),
        pattern: String::new(),
        also: Vec::new(),
        failed: 0,
        runs: RUNS,
        proven: false,
    };
    let Some(tape) = &finding.tape else {
        // It has happened once, and nobody can say in which program.
        bug.judgement.sureness = bug.judgement.sureness.saturating_sub(LOST);
        return Ok(bug);
    };
    if matches!(finding.cause, Cause::Hang | Cause::Memory) {
        // To ask for much takes long to reduce, and is no bug.
        let last = worker::lines(&harness.binary, scratch, tape)?.pop();
        let judged = judge_reduced(judgement.clone(), finding, last.as_slice());
        if !judged.is_shown() {
            return Ok(Bug { judgement: judged, ..bug });
        }
    }
    let apart = matches!(finding.cause, Cause::Death | Cause::Hang);
    let mut reduced = reduced(tape, apart, harness, scratch)?;
    if reduced.is_none() && !apart {
        // Programs near it may be deadly.
        reduced = self::reduced(tape, true, harness, scratch)?;
    }
    if let Some(reduced) = reduced {
        take(&mut bug, reduced, finding);
    } else {
        bug.program = vec!["// could not be reduced".to_string()];
        bug.calls = worker::called(&harness.binary, scratch, tape)?;
    }
    let tape = bug.finding.tape.clone().unwrap_or_default();
    for _ in 0..RUNS {
        let again = replay(&tape, harness, scratch)?;
        bug.failed += u32::from(again.is_some_and(|again| bug.finding.is_like(&again)));
    }
    bug.judgement = judge_reduced(bug.judgement.clone(), &bug.finding, &bug.program);
    if bug.is_flaky() {
        let less = if bug.failed == 0 { LOST } else { FLAKY };
        bug.judgement.sureness = bug.judgement.sureness.saturating_sub(less);
    }
    Ok(bug)
}

/// Takes what reducing has come to.
fn take(bug: &mut Bug, reduced: Reduced, finding: &Finding) {
    let Reduced { tape, lines, pattern, helpers, operations, failure, .. } = reduced;
    let mut minimal = Finding::of(Failure { tape: Some(tape), ..failure });
    // A process that dies does not say how; the call is the last of the minimal program.
    minimal.cause = finding.cause;
    if finding.cause.is_deadly() {
        minimal.message = finding.message.clone();
    }
    if minimal.operation.is_empty() || finding.cause.is_deadly() {
        minimal.operation = operations.last().cloned().unwrap_or_else(|| finding.operation.clone());
    }
    bug.finding = minimal;
    (bug.program, bug.pattern, bug.helpers, bug.calls) = (lines, pattern, helpers, operations);
}

/// The minimal program, if the program fails again.
fn reduced(tape: &str, apart: bool, harness: &Harness, scratch: &Path) -> Result<Option<Reduced>> {
    let time = if apart { TIME_APART } else { TIME };
    let seconds = time.as_secs().to_string();
    let mut arguments = vec!["reduce", "--tape", tape, "--seconds", &seconds];
    if apart {
        arguments.push("--children");
    }
    let process = Process::start(&harness.binary, scratch, &arguments, time * 4)?;
    let (events, _) = process.finish(time + Duration::from_secs(10))?;
    Ok(events.into_iter().find_map(|event| match event {
        Event::Reduced(reduced) => Some(*reduced),
        _ => None,
    }))
}

/// Runs a program in a fresh process; says how it fails, if it does.
pub(crate) fn replay(tape: &str, harness: &Harness, scratch: &Path) -> Result<Option<Finding>> {
    let arguments = ["replay", "--tape", tape];
    let process = Process::start(&harness.binary, scratch, &arguments, worker::PATIENCE)?;
    let (events, end) = process.finish(worker::PATIENCE)?;
    let told = events.into_iter().find_map(|event| match event {
        Event::Replayed(failure) => Some(failure),
        _ => None,
    });
    if let Some(told) = told {
        return Ok(told.map(Finding::of));
    }
    let (cause, message) = match end {
        None => (Cause::Hang, "the call does not end".to_string()),
        Some(end) if end.is_of_memory() => (Cause::Memory, end.reason()),
        Some(end) => (Cause::Death, end.reason()),
    };
    let operation = worker::called(&harness.binary, scratch, tape)?.pop().unwrap_or_default();
    let phase = Phase::Call;
    Ok(Some(Finding { operation, phase, cause, place: None, message, tape: Some(tape.to_string()) }))
}

/// Reduces groups, several at a time; what is left when `interrupted` is not reduced.
pub(crate) fn reduce_all(
    groups: &[Group],
    harness: &Harness,
    folder: &Path,
    jobs: usize,
    interrupted: &(dyn Fn() -> bool + Sync),
    tell: &(dyn Fn() + Sync),
) -> Result<Vec<Bug>> {
    let queue = Mutex::new(groups.iter().enumerate());
    let done = Mutex::new(Vec::new());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = |number: usize| -> Result<()> {
        let scratch = folder.join(format!("reducer-{number}"));
        std::fs::create_dir_all(&scratch)?;
        while let Some((place, group)) = next().filter(|_| !interrupted()) {
            let bug = reduce(group, harness, &scratch)?;
            done.lock().unwrap_or_else(PoisonError::into_inner).push((place, bug));
            tell();
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|number| scope.spawn(move || work(number))).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("reducing does not panic"))
    })?;
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(place, _)| *place);
    Ok(done.into_iter().map(|(_, bug)| bug).collect())
}

/// Puts bugs together that need the same calls before the one that fails, ranks them and names them.
pub(crate) fn distinct(bugs: Vec<Bug>) -> Vec<Bug> {
    let mut distinct: Vec<Bug> = Vec::new();
    let mut bugs = bugs;
    let order = |bug: &Bug| (std::cmp::Reverse(bug.judgement.sureness), bug.program.len(), bug.calls.clone());
    bugs.sort_by_key(order);
    for bug in bugs {
        let same = distinct.iter_mut().find(|other| is_one_root(other, &bug));
        match same {
            Some(other) => {
                let place = bug.finding.place.as_ref().map(|place| format!(" at {}", place.short()));
                other.also.push(format!("{}{}", bug.finding.operation, place.unwrap_or_default()));
                other.also.extend(bug.also);
                other.also.sort();
                other.also.dedup();
            }
            None => distinct.push(bug),
        }
    }
    let mut names: BTreeMap<String, u32> = BTreeMap::new();
    for bug in &mut distinct {
        let name = name(&bug.finding);
        let count = names.entry(name.clone()).or_default();
        *count += 1;
        bug.name = if *count == 1 { name } else { format!("{name}_{count}") };
    }
    distinct
}

/// Whether two bugs come from the same calls, and differ only in what notices it: `one` is the surer.
fn is_one_root(one: &Bug, other: &Bug) -> bool {
    let notices = |bug: &Bug| bug.finding.law().is_some() || bug.finding.phase != Phase::Call;
    let before = |bug: &Bug| -> BTreeSet<String> {
        let mut calls: Vec<&String> = bug.calls.iter().filter(|call| !call.starts_with("law ")).collect();
        if !notices(bug) {
            calls.pop();
        }
        calls.into_iter().cloned().collect()
    };
    let changed = |bug: &Bug| -> BTreeSet<String> {
        let calls = bug.calls.iter().skip(1).filter(|call| !call.starts_with("law "));
        calls.cloned().collect()
    };
    let is = |class: Class| one.judgement.class == class && other.judgement.class == class;
    let is_call = one.finding.law().is_none() && (is(Class::Panic) || is(Class::Contradiction));
    if is_call && function(&one.finding.operation) == function(&other.finding.operation) {
        // A function that is not used as it wants to be used panics here and there.
        return true;
    }
    let (spoiled, spoiled_too) = (spoiling(one), spoiling(other));
    if is(Class::Contradiction) && !spoiled.is_empty() && !spoiled_too.is_empty() {
        // A value that is spoiled is noticed by everything that takes it for granted.
        return spoiled.is_subset(&spoiled_too) || spoiled_too.is_subset(&spoiled);
    }
    if notices(one) && notices(other) {
        let (few, many) = (changed(one), changed(other));
        return before(one) == before(other) || (!few.is_empty() && few.is_subset(&many));
    }
    // A lone constructor is where all programs begin.
    before(one) == before(other) && before(one).len() >= 2
}

/// An operation without type arguments.
fn function(operation: &str) -> String {
    let mut depth = 0;
    let mut name = String::new();
    // The type of `<Type as Trait>::function` is no argument.
    for (place, letter) in operation.char_indices() {
        match letter {
            '<' if place > 0 => depth += 1,
            '>' if depth > 0 => depth -= 1,
            _ if depth == 0 => name.push(letter),
            _ => {}
        }
    }
    name
}

/// The calls of a program, but the last, that were made with what an earlier call had made.
fn spoiling(bug: &Bug) -> BTreeSet<&str> {
    let lines: Vec<&String> = bug.program.iter().filter(|line| !line.starts_with("drop(")).collect();
    if lines.len() != bug.calls.len() {
        return BTreeSet::new();
    }
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let (mut made, mut spoiling) = (BTreeSet::new(), BTreeSet::new());
    for (line, call) in lines.iter().zip(&bug.calls).take(lines.len().saturating_sub(1)) {
        let (left, right) = line.split_once(" = ").unwrap_or(("", line));
        if right.split(|letter: char| !is_word(letter)).any(|word| made.contains(word)) {
            spoiling.insert(call.as_str());
        }
        if let Some(name) = left.strip_prefix("let ") {
            made.insert(name.trim_start_matches("mut "));
        }
    }
    spoiling
}

/// A name that is made of what fails and how.
fn name(finding: &Finding) -> String {
    let how = match finding.cause {
        Cause::Death => "ends_the_process",
        Cause::Hang => "hangs",
        Cause::Memory => "exhausts_memory",
        Cause::Panic => "panics",
        Cause::Law => "",
    };
    let mut name = String::new();
    let mut was_small = false;
    for letter in format!("{} {how}", finding.operation).chars() {
        if letter.is_ascii_alphanumeric() {
            if letter.is_ascii_uppercase() && was_small {
                name.push('_');
            }
            was_small = letter.is_ascii_lowercase() || letter.is_ascii_digit();
            name.push(letter.to_ascii_lowercase());
        } else {
            was_small = false;
            if !name.is_empty() && !name.ends_with('_') {
                name.push('_');
            }
        }
    }
    let name = name.trim_matches('_');
    if name.starts_with(|letter: char| letter.is_ascii_digit()) {
        format!("bug_{name}")
    } else {
        name.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bug(operation: &str, cause: Cause, calls: &[&str]) -> Bug {
        let place = Place::read("/x/src/lib.rs:1:2").filter(|_| cause == Cause::Panic);
        Bug {
            name: String::new(),
            judgement: Judgement { class: Class::Law, sureness: 90, reason: String::new() },
            finding: Finding {
                operation: operation.to_string(),
                phase: Phase::Call,
                cause,
                place,
                message: String::new(),
                tape: None,
            },
            program: calls.iter().map(|call| format!("{call}();")).collect(),
            calls: calls.iter().map(|call| call.to_string()).collect(),
            helpers: Vec::new(),
            pattern: String::new(),
            also: Vec::new(),
            failed: 3,
            runs: 3,
            proven: false,
        }
    }

    #[test]
    fn laws_that_the_same_calls_break_are_one_bug() {
        let one = bug("law hash of B", Cause::Law, &["B::new", "B::split", "law hash of B"]);
        let two = bug("law eq of B", Cause::Law, &["B::new", "B::split", "law eq of B"]);
        let three = bug("law eq of B", Cause::Law, &["B::new", "B::grow", "law eq of B"]);
        let distinct = distinct(vec![one, two, three]);
        assert_eq!(distinct.len(), 2);
        assert_eq!(distinct.iter().map(|bug| bug.also.len()).max(), Some(1));
    }

    #[test]
    fn a_law_that_needs_more_calls_than_a_broken_one_is_not_news() {
        let one = bug("law hash of B", Cause::Law, &["B::new", "B::split", "law hash of B"]);
        let two = bug("law eq of B", Cause::Law, &["B::default", "B::split", "B::negate", "law eq of B"]);
        let distinct = distinct(vec![two, one]);
        assert_eq!(distinct.len(), 1);
        assert_eq!(distinct[0].also, ["law eq of B"]);
    }

    #[test]
    fn panics_after_a_lone_constructor_are_different_bugs() {
        let one = bug("B::a", Cause::Panic, &["B::new", "B::a"]);
        let two = bug("B::b", Cause::Panic, &["B::new", "B::b"]);
        assert_eq!(distinct(vec![one, two]).len(), 2);
        let one = bug("B::a", Cause::Panic, &["B::new", "B::bad", "B::a"]);
        let two = bug("B::b", Cause::Panic, &["B::new", "B::bad", "B::b"]);
        assert_eq!(distinct(vec![one, two]).len(), 1);
    }

    #[test]
    fn a_function_that_panics_at_several_places_is_one_bug() {
        let panic = |calls: &[&str]| {
            let mut bug = bug("B::f", Cause::Panic, calls);
            bug.judgement.class = Class::Panic;
            bug
        };
        let distinct = distinct(vec![panic(&["B::new", "B::f"]), panic(&["B::old", "B::f"])]);
        assert_eq!(distinct.len(), 1);
        assert_eq!(distinct[0].also, ["B::f at x/src/lib.rs:1"]);
    }

    #[test]
    fn one_line_that_panics_for_others_is_told_apart_by_what_it_says() {
        let root = |message: &str| {
            let mut finding = bug("f", Cause::Panic, &[]).finding;
            finding.message = message.to_string();
            root(&finding)
        };
        assert_ne!(root("no such week"), root("no such day"));
        assert_eq!(root("no such day: 7 of \"May\""), root("no such day: 19 of \"June\""));
        assert_eq!(root("attempt to add with overflow"), root("attempt to subtract with overflow"));
    }

    #[test]
    fn contradictions_that_come_from_one_spoiled_value_are_one_bug() {
        let contradiction = |operation: &str, calls: &[&str], program: &[&str]| {
            let mut bug = bug(operation, Cause::Panic, calls);
            bug.judgement.class = Class::Contradiction;
            bug.program = program.iter().map(|line| line.to_string()).collect();
            bug
        };
        let one = contradiction(
            "D::checked_sub",
            &["D::new", "D::round", "D::MIN", "D::checked_sub"],
            &["let d = D::new(1);", "let d_2 = d.round(29);", "let d_3 = D::MIN;", "d_2.checked_sub(d_3);"],
        );
        let two = contradiction(
            "D::checked_div",
            &["D::from", "D::round", "D::checked_div"],
            &["let d = D::from(0.5);", "let d_2 = d.round(29);", "d_2.checked_div(d);"],
        );
        let three = contradiction(
            "D::checked_mul",
            &["D::new", "D::checked_mul"],
            &["let d = D::new();", "d.checked_mul(d);"],
        );
        assert_eq!(distinct(vec![one, two, three]).len(), 2);
        assert_eq!(function("<D as From<i128>>::from"), function("<D as From<u128>>::from"));
    }

    #[test]
    fn a_law_is_one_for_all_type_arguments_and_for_all_iterators() {
        let root = |operation: &str| root(&bug(operation, Cause::Law, &[]).finding);
        assert_eq!(root("law equal_hashes of Map<u8>"), root("law equal_hashes of Map<String>"));
        assert_ne!(root("law equal_hashes of Map<u8>"), root("law equal_hashes of Set<u8>"));
        assert_eq!(root("law size_hint_holds of Iter<u8>"), root("law size_hint_holds of Keys<u8>"));
    }

    #[test]
    fn names_are_those_of_functions_and_no_two_are_the_same() {
        let bugs = vec![
            bug("BitVec<u32>::split_off", Cause::Panic, &["a"]),
            bug("BitVec<u32>::split_off", Cause::Panic, &["b"]),
        ];
        let names: Vec<String> = distinct(bugs).into_iter().map(|bug| bug.name).collect();
        assert_eq!(names, ["bit_vec_u32_split_off_panics", "bit_vec_u32_split_off_panics_2"]);
    }
}
