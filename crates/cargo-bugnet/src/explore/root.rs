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
mod tests {
    use super::*;
    use crate::explore::replay::Rate;
    use crate::explore::triage::Judgement;

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
            pattern: None,
            also: Vec::new(),
            rate: Rate { failed: 3, runs: 3 },
            proven: false,
        }
    }

    #[test]
    fn laws_that_the_same_calls_break_are_one_bug() {
        let one = bug("law hash of B", Cause::Law, &["B::new", "B::split", "law hash of B"]);
        let two = bug("law eq of B", Cause::Law, &["B::new", "B::split", "law eq of B"]);
        let three = bug("law eq of B", Cause::Law, &["B::new", "B::grow", "law eq of B"]);
        let hash = bug("law equal_hashes of B<u8>", Cause::Law, &["B::new", "law equal_hashes of B<u8>"]);
        let order = bug("law cmp_is_dual of B<i8>", Cause::Law, &["B::from", "law cmp_is_dual of B<i8>"]);
        assert_eq!(distinct(vec![hash, order]).len(), 1);
        let distinct = distinct(vec![one, two, three]);
        assert_eq!(distinct.len(), 2);
        assert_eq!(distinct.iter().map(|bug| bug.also.len()).max(), Some(1));
    }

    #[test]
    fn functions_that_differ_in_the_dimension_of_their_type_are_written_alike() {
        assert_eq!(without_dimension("Vector2D<i32>::dot"), without_dimension("Vector3D<f64>::dot"));
        assert_ne!(without_dimension("Vector2D::dot"), without_dimension("Vector2D::cross"));
    }

    #[test]
    fn one_recursion_behind_functions_that_stand_side_by_side_is_one_bug() {
        let overflow = |call: &str| {
            let mut bug = bug(call, Cause::Death, &[call]);
            bug.judgement.class = Class::Crash;
            bug.finding.message = "stack overflow".to_string();
            bug
        };
        let both = |one: &str, other: &str| distinct(vec![overflow(one), overflow(other)]).len();
        assert_eq!(both("from_slice", "from_str(error)"), 1);
        assert_eq!(both("read::from_slice", "write::from_str"), 2);
        assert_eq!((both("parse", "format"), both("to_string", "from_str")), (2, 2));
    }

    #[test]
    fn laws_that_differ_in_types_of_numbers_are_of_one_family() {
        assert_eq!(family("from_u8_is_undone"), family("from_i128_is_undone"));
        assert_eq!(family("into_i32_i32_settles"), family("into_u8_f64_settles"));
        assert_eq!(family("div_assign_is_div(u64)"), family("div_assign_is_div(f32)"));
        assert_eq!(family("try_from_x_of_to_x"), family("from_x_of_to_x"));
        assert_ne!(family("set_is_got(gid)"), family("set_is_got(uid)"));
        assert_ne!(family("add_assign_is_add(u8)"), family("div_assign_is_div(u8)"));
    }

    #[test]
    fn laws_about_literals_are_different_bugs() {
        let one = bug("law decode_undoes of encode", Cause::Law, &["law decode_undoes of encode"]);
        let two = bug("law from_u8_is_undone of B", Cause::Law, &["law from_u8_is_undone of B"]);
        assert_eq!(distinct(vec![one, two]).len(), 2);
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
        let mut two = bug("B::b", Cause::Panic, &["B::new", "B::bad", "B::b"]);
        assert_eq!(distinct(vec![one.clone(), two.clone()]).len(), 1);
        two.finding.message = "attempt to add with overflow".to_string();
        assert_eq!(distinct(vec![one, two]).len(), 2);
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
        let mut other = panic(&["<C as T>::f"]);
        other.finding.operation = "<C as T>::f".to_string();
        assert_eq!(self::distinct(vec![panic(&["B::f"]), other.clone()]).len(), 1);
        other.finding.place = Place::read("/x/src/other.rs:1:2");
        assert_eq!(self::distinct(vec![panic(&["B::f"]), other]).len(), 2);
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
    fn panics_at_two_places_of_a_file_are_one_bug_if_one_operation_fails_at_both() {
        let panic = |operation: &str, also: &str, place: &str| {
            let mut bug = bug(operation, Cause::Panic, &["D::new", operation]);
            bug.also = vec![also.to_string()];
            bug.finding.place = Place::read(place);
            bug
        };
        let print = panic("D::print", "D::text", "/x/src/text.rs:1:2");
        let show = panic("D::show", "D::text at x/src/text.rs:9", "/x/src/text.rs:9:2");
        assert_eq!(distinct(vec![print.clone(), show.clone()]).len(), 1);
        let elsewhere = panic("D::show", "D::text", "/x/src/other.rs:9:2");
        assert_eq!(distinct(vec![print.clone(), elsewhere]).len(), 2);
        let mut overflow = show;
        overflow.finding.message = "attempt to add with overflow".to_string();
        assert_eq!(distinct(vec![print, overflow]).len(), 2);
    }

    #[test]
    fn places_of_a_file_at_which_the_same_functions_fail_are_one_bug_however_they_fail() {
        let panic = |operations: &[&str], place: &str, message: &str| {
            let mut bug = bug(operations[0], Cause::Panic, &[operations[0]]);
            bug.judgement.class = Class::Panic;
            bug.also = operations[1..].iter().map(|operation| operation.to_string()).collect();
            bug.finding.place = Place::read(place);
            bug.finding.message = message.to_string();
            bug
        };
        let (nothing, overflow) =
            ("called `Option::unwrap()` on a `None` value", "attempt to add with overflow");
        let one = panic(&["<A<u8> as Read>::read", "decode"], "/x/src/decode.rs:1:2", nothing);
        let all = ["decode", "<A<i8> as Read>::read"];
        assert_eq!(distinct(vec![one.clone(), panic(&all, "/x/src/decode.rs:9:2", overflow)]).len(), 1);
        assert_eq!(distinct(vec![one.clone(), panic(&all, "/x/src/other.rs:9:2", overflow)]).len(), 2);
        // What one of them does on its own is its own.
        assert_eq!(distinct(vec![one, panic(&all[..1], "/x/src/decode.rs:9:2", overflow)]).len(), 2);
    }

    #[test]
    fn one_recursion_without_end_is_one_bug_wherever_it_is_noticed() {
        let crash = |operation: &str, calls: &[&str]| {
            let mut bug = bug(operation, Cause::Death, calls);
            bug.judgement.class = Class::Crash;
            bug.finding.message = "stack overflow".to_string();
            bug
        };
        let read = crash("read", &["read"]);
        assert_eq!(distinct(vec![read.clone(), crash("read(error)", &["read(error)"])]).len(), 1);
        assert_eq!(distinct(vec![read, crash("read_ref", &["read_ref"])]).len(), 2);
        let insert = crash("Map<u8>::insert", &["Map<u8>::with_degree", "Map<u8>::insert"]);
        let put = crash("Map<i8>::put", &["Map<i8>::with_degree", "Map<i8>::add", "Map<i8>::put"]);
        let other = crash("Map<u8>::get", &["Map<u8>::new", "Map<u8>::get"]);
        assert_eq!(distinct(vec![insert, put, other]).len(), 2);
        // There are many ways to abort.
        let abort = |operation: &str| {
            let mut bug = crash(operation, &["Map<u8>::new", operation]);
            bug.finding.message = "abort".to_string();
            bug
        };
        assert_eq!(distinct(vec![abort("Map<u8>::end"), abort("Map<u8>::stop")]).len(), 2);
    }

    #[test]
    fn calls_of_one_type_that_do_not_end_after_the_same_are_one_bug() {
        let hang = |operation: &str, calls: &[&str], program: &[&str]| {
            let mut bug = bug(operation, Cause::Hang, calls);
            bug.judgement.class = Class::Hang;
            bug.program = program.iter().map(|line| line.to_string()).collect();
            bug
        };
        let put = ["let b = Builder::new();", "b.capacity(0);", "let w = b.build();", "w.put(1);"];
        let write = ["let b = Builder::default();", "b.capacity(0);", "let w = b.open();", "w.write(1);"];
        let one =
            hang("Writer<u8>::put", &["Builder::new", "Builder::capacity", "Builder::build", "W::p"], &put);
        let names = ["Builder::default", "Builder::capacity", "Builder::open", "W::w"];
        let other = hang("Writer<i8>::write", &names, &write);
        assert_eq!(distinct(vec![one.clone(), other.clone()]).len(), 1);
        let elsewhere = hang("Reader::read", &names, &write);
        assert_eq!(distinct(vec![one, elsewhere]).len(), 2);
    }

    #[test]
    fn a_law_is_one_for_all_type_arguments_and_for_all_iterators() {
        let root = |operation: &str| root(&bug(operation, Cause::Law, &[]).finding);
        assert_eq!(root("law equal_hashes of Map<u8>"), root("law equal_hashes of Map<String>"));
        assert_ne!(root("law equal_hashes of Map<u8>"), root("law equal_hashes of Set<u8>"));
        assert_eq!(root("law size_hint_holds of Iter<u8>"), root("law size_hint_holds of Keys<u8>"));
    }

    #[test]
    fn a_law_that_is_broken_because_of_another_type_is_no_second_bug() {
        let back = bug("law rev_is_reverse of Days", Cause::Law, &["d::days", "law rev_is_reverse of Days"]);
        let ends = bug("law both_ends_meet of Days", Cause::Law, &["d::all", "law both_ends_meet of Days"]);
        let weeks =
            bug("law both_ends_meet of Weeks", Cause::Law, &["d::weeks", "law both_ends_meet of Weeks"]);
        assert_eq!(distinct(vec![back.clone(), ends]).len(), 1);
        assert_eq!(distinct(vec![back, weeks]).len(), 2);
        let shown = |kind: &str, made: &str| {
            let law = format!("law display_is_parsed of {kind}");
            bug(&law, Cause::Law, &[made, &law])
        };
        let zone = shown("Zone", "Zone::east");
        assert_eq!(distinct(vec![zone.clone(), shown("Time<Zone>", "Time::new")]).len(), 1);
        assert_eq!(distinct(vec![zone.clone(), shown("Time", "Zone::time")]).len(), 1);
        assert_eq!(distinct(vec![zone, shown("Time", "Time::new")]).len(), 2);
    }

    #[test]
    fn names_are_those_of_functions_and_no_two_are_the_same() {
        let bugs = ["/x/src/lib.rs:1:2", "/x/src/bits.rs:1:2"].map(|place| {
            let mut bug = bug("BitVec<u32>::split_off", Cause::Panic, &[place]);
            bug.finding.place = Place::read(place);
            bug
        });
        let names: Vec<String> = distinct(bugs.to_vec()).into_iter().map(|bug| bug.name).collect();
        assert_eq!(names, ["bit_vec_u32_split_off_panics", "bit_vec_u32_split_off_panics_2"]);
    }
}
