//! Roots: which findings, and which bugs, have one cause.
//!
//! **Invariant:** what is put together is named beside what is shown, so nothing is lost by it.

use super::bug::{self, Bug, Group, Judged};
use super::complaint::{self, Complaint};
use super::crew::Run;
use super::fact::Harness;
use super::finding::{Cause, Finding, Key, Phase, Place};
use super::triage::{Class, judge};
use super::{law, subject};
use std::collections::{BTreeMap, BTreeSet};

/// Judges the findings of a run and puts those together that have one place, the surest first.
pub(crate) fn groups(run: &Run, harness: &Harness) -> Vec<Group> {
    let mut lines: BTreeMap<&Place, Option<String>> = BTreeMap::new();
    let mut groups: BTreeMap<Key, Vec<Judged>> = BTreeMap::new();
    for finding in &run.findings {
        let facts = harness.facts_of(&finding.operation);
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
                Some((name, kind)) => match law::format(name, kind) {
                    Some(about) => format!("format of {about}"),
                    None => format!("{} {}", family(name), kind.split('<').next().unwrap_or(kind)),
                },
                None => operation,
            };
            (operation, phase, cause, place)
        }
    }
}

/// The name of a law without types of numbers: `from_u8_is_undone` and `from_i64_is_undone` are written by one
/// macro, and so are `div_assign_is_div(u8)` and its kin. What `try_from_x` does not give back, `from_x` does not.
fn family(law: &str) -> String {
    let law = law.strip_prefix("try_").unwrap_or(law);
    let numbers = "u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64";
    let is_number = |word: &str| numbers.split(' ').any(|number| number == word);
    let words = law.split_inclusive(['_', '(', ')', ' ']);
    let plain = words.map(|word| {
        let end = word.find(['_', '(', ')', ' ']).unwrap_or(word.len());
        if is_number(&word[..end]) { format!("N{}", &word[end..]) } else { word.to_string() }
    });
    plain.collect()
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
                // What fails when values are dropped is called by nobody.
                if !bug.finding.operation.is_empty() {
                    other.also.push(format!("{}{}", bug.finding.operation, place.unwrap_or_default()));
                }
                other.also.extend(bug.also);
                other.also.sort();
                other.also.dedup();
            }
            None => distinct.push(bug),
        }
    }
    let mut names: BTreeMap<String, u32> = BTreeMap::new();
    for bug in &mut distinct {
        let name = bug::name(&bug.finding);
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
    let is_call = one.finding.law().is_none()
        && [Class::Panic, Class::Contradiction, Class::Crash, Class::Hang].into_iter().any(is);
    let (one_function, other_function) = (&one.finding.operation, &other.finding.operation);
    let last = |operation: &str| subject::split(operation).map(|(_, last)| last.to_string());
    let file = |bug: &Bug| bug.finding.place.as_ref().map(|place| place.file.clone());
    // One function of a trait may have many types.
    let is_shared = last(one_function).is_some()
        && last(one_function) == last(other_function)
        && file(one) == file(other);
    let is_kin = without_dimension(one_function) == without_dimension(other_function);
    if is_call && (is_shared || is_kin) {
        // A function that is not used as it wants to be used panics here and there.
        return true;
    }
    let complaint = |bug: &Bug| Complaint::of(&bug.finding.message, None);
    let is_panic = one.finding.cause == Cause::Panic && other.finding.cause == Cause::Panic;
    let is_met = complaint(one) == complaint(other) && meets(one, other);
    if is_panic && file(one) == file(other) && (is_met || is_behind_all(one, other)) {
        return true;
    }
    let is_overflow = |bug: &Bug| bug.finding.message.contains("stack overflow");
    let is_endless = is(Class::Hang) || is(Class::Crash) && is_overflow(one) && is_overflow(other);
    let is_alike = begins_alike(one, other) || is_spoiled_alike(one, other) || are_siblings(one, other);
    if is_endless && one.finding.message == other.finding.message && is_alike {
        // What has no end is noticed by everything that goes through it.
        return true;
    }
    let (spoiled, spoiled_too) = (spoiling(one), spoiling(other));
    let is_spoiled = matches!(one.judgement.class, Class::Contradiction | Class::Law);
    let is_panic = matches!(other.judgement.class, Class::Contradiction | Class::Panic);
    if is_spoiled && is_panic && !spoiled.is_empty() && !spoiled_too.is_empty() {
        // A value that is spoiled is noticed by everything that takes it for granted.
        return spoiled.is_subset(&spoiled_too) || spoiled_too.is_subset(&spoiled);
    }
    let compared = |bug: &Bug| -> Option<String> {
        let (name, kind) = bug.finding.law()?;
        law::is_of_comparing(name).then(|| kind.split('<').next().unwrap_or(kind).to_string())
    };
    if compared(one).is_some() && compared(one) == compared(other) {
        return true;
    }
    if is_handed_on(one, other) || is_handed_on(other, one) {
        return true;
    }
    if notices(one) && notices(other) {
        let (few, many) = (changed(one), changed(other));
        // A law about literals needs no call before it, and so has nothing in common with another.
        let is_same = before(one) == before(other) && !before(one).is_empty();
        return is_same || (!few.is_empty() && few.is_subset(&many));
    }
    // What two calls have changed is spoiled by them, whoever panics at it after others.
    let is_contained = spoiled.is_subset(&spoiled_too) || spoiled_too.is_subset(&spoiled);
    if is(Class::Panic)
        && file(one) == file(other)
        && is_contained
        && spoiled.len().min(spoiled_too.len()) >= 2
    {
        return true;
    }
    let is_alike = notices(one) || notices(other) || complaint(one) == complaint(other);
    // A lone constructor is where all programs begin.
    is_alike && before(one) == before(other) && before(one).len() >= 2
}

/// Whether a law that a type breaks is broken by another because of it: both are iterators that are
/// broken in the same way elsewhere, or the other is made of it.
fn is_handed_on(one: &Bug, other: &Bug) -> bool {
    let (Some((name, kind)), Some((other_name, other_kind))) = (one.finding.law(), other.finding.law())
    else {
        return false;
    };
    if law::is_of_iterators(name) && law::is_of_iterators(other_name) {
        let kinds = |bug: &Bug| -> BTreeSet<String> {
            let all = std::iter::once(&bug.finding.operation).chain(&bug.also);
            all.filter_map(|operation| {
                Some(operation.strip_prefix("law ")?.split_once(" of ")?.1.to_string())
            })
            .collect()
        };
        return !kinds(one).is_disjoint(&kinds(other));
    }
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let base = kind.split('<').next().unwrap_or(kind);
    let has = |text: &str| text.split(|letter| !is_word(letter)).any(|word| word == base);
    let before = other.program.split_last().map(|(_, before)| before).unwrap_or_default();
    name == other_name && kind != other_kind && (has(other_kind) || before.iter().any(|line| has(line)))
}

/// Whether functions of one type fail after a call that both programs make with what they made before.
fn is_spoiled_alike(one: &Bug, other: &Bug) -> bool {
    let owner = |bug: &Bug| subject::split(&bug.finding.operation).map(|(owner, _)| function(owner));
    owner(one).is_some() && owner(one) == owner(other) && !spoiling(one).is_disjoint(&spoiling(other))
}

/// The operations that fail at the place of a bug, or at one that was put together with it.
fn operations(bug: &Bug) -> BTreeSet<&str> {
    let all = std::iter::once(&bug.finding.operation).chain(&bug.also);
    all.map(|operation| operation.split(" at ").next().unwrap_or(operation)).collect()
}

/// Whether some operation fails at both places.
fn meets(one: &Bug, other: &Bug) -> bool {
    !operations(one).is_disjoint(&operations(other))
}

/// Whether the same functions, several of them, fail at both places: something behind all of them panics here and
/// there, and which of them is shown says nothing.
fn is_behind_all(one: &Bug, other: &Bug) -> bool {
    let functions = |bug: &Bug| -> BTreeSet<String> { operations(bug).into_iter().map(function).collect() };
    functions(one).len() > 1 && functions(one) == functions(other)
}

/// Whether two programs begin with the same function, and do something with what it makes.
fn begins_alike(one: &Bug, other: &Bug) -> bool {
    let begins = |bug: &Bug| match &bug.calls[..] {
        [first, _, ..] => Some(function(first)),
        _ => None,
    };
    begins(one).is_some() && begins(one) == begins(other)
}

/// Whether two functions stand side by side and begin with the same word, as `from_str` and `from_slice` do, and each is
/// called by itself: what they recurse in is most often the same.
fn are_siblings(one: &Bug, other: &Bug) -> bool {
    let parts = |bug: &Bug| -> Option<(String, String)> {
        let [call] = &bug.calls[..] else { return None };
        let name = function(call);
        let (owner, name) = name.rsplit_once("::").unwrap_or(("", &name));
        let (first, _) = name.split_once('_')?;
        Some((owner.to_string(), first.to_string()))
    };
    parts(one).is_some() && parts(one) == parts(other)
}

/// An operation without type arguments, whatever is done with its result.
fn function(operation: &str) -> String {
    let operation = operation.strip_suffix("(error)").unwrap_or(operation);
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

/// An operation without type arguments and dimensions: `Vector2D::dot` and `Vector3D::dot` are written alike.
fn without_dimension(operation: &str) -> String {
    let mut name = function(operation);
    for dimension in ["1D", "2D", "3D", "4D", "1d", "2d", "3d", "4d"] {
        name = name.replace(dimension, "");
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

#[cfg(test)]
mod tests;
