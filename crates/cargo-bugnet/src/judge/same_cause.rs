//! Same cause: which findings, and which bugs, have one cause.
//!
//! Findings are put together by their place before they are reduced, bugs by the list [`CAUSES`] afterwards.
//!
//! **Invariant:** what is put together is named beside what is shown, so nothing is lost by it.

use super::bug::{self, Also, Bug, Group, Judged, Why};
use super::evidence::{
    are_apart, are_in_one_function, are_of_siblings, fail_alike, have_one_input, have_one_offender,
    is_excess, is_spoiled_as_made, law_family, overflows, panic_alike, recurse_alike, same_file,
};
use super::{Class, judge, law};
use crate::finding::family::{Family, without_values};
use crate::finding::panic_kind::PanicKind;
use crate::finding::{Cause, Finding, Key, Phase, Place};
use crate::harness::built::Built;
use crate::harness::name;
use bugnet::wire::{Argument, Call, Mode, Program, Role};
use std::collections::{BTreeMap, BTreeSet};

/// Judges the findings of a run and puts those together that have one place, the surest first.
pub(crate) fn groups(findings: &[Finding], harness: &Built) -> Vec<Group> {
    let mut lines: BTreeMap<&Place, Option<String>> = BTreeMap::new();
    let mut groups: BTreeMap<Key, Vec<Judged>> = BTreeMap::new();
    for finding in findings {
        let facts = harness.facts_of(&finding.operation);
        let place = finding.place.as_ref();
        let line = place.and_then(|place| {
            lines.entry(place).or_insert_with(|| place.source_line(&harness.source)).clone()
        });
        let judgement = judge(finding, facts, line.as_deref());
        let judged = Judged { finding: finding.clone(), judgement };
        groups.entry(key(finding)).or_default().push(judged);
    }
    let mut groups: Vec<Group> = groups.into_values().flat_map(by_changes).map(Group::sorted).collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.judgement().sureness));
    united(groups, harness)
}

/// Takes findings of one law apart if different changes break it, and programs without the one break it by the other. A
/// law that a value breaks as it was made is broken in one way, whatever can make such a value, and one that three
/// changes break is itself to blame.
fn by_changes(members: Vec<Judged>) -> Vec<Vec<Judged>> {
    let (mut known, unknown): (Vec<Judged>, Vec<Judged>) =
        members.into_iter().partition(|judged| judged.finding.after.is_some());
    known.sort_by_key(|judged| judged.finding.after.as_ref().map(|after| (after.len(), after.clone())));
    let mut ways: Vec<Vec<Judged>> = Vec::new();
    for judged in known {
        let is_same =
            |way: &&mut Vec<Judged>| way.iter().any(|other| !are_apart_by(&other.finding, &judged.finding));
        match ways.iter_mut().find(is_same) {
            Some(way) => way.push(judged),
            None => ways.push(vec![judged]),
        }
    }
    // What nobody has looked into tells nothing apart.
    let mut ways = if ways.len() > 2 { vec![ways.concat()] } else { ways };
    match ways.first_mut() {
        Some(first) => first.extend(unknown),
        None => ways.push(unknown),
    }
    ways
}

/// Returns true if each of two findings has changes that the other lacks.
fn are_apart_by(one: &Finding, other: &Finding) -> bool {
    let (Some(one), Some(other)) = (&one.after, &other.after) else { return false };
    let has_more = |one: &[String], other: &[String]| one.iter().any(|change| !other.contains(change));
    has_more(one, other) && has_more(other, one)
}

/// Puts groups of one family together, so that only one of them is reduced. Only what would be shown is looked at.
fn united(groups: Vec<Group>, harness: &Built) -> Vec<Group> {
    let mut first: BTreeMap<Family, usize> = BTreeMap::new();
    let mut united: Vec<Group> = Vec::new();
    for group in groups {
        let shown = group.judgement().is_shown();
        match shown.then(|| family_of(&group.first().finding, harness)).flatten() {
            Some(family) => match first.get(&family) {
                Some(place) => united[*place].0.extend(group.0),
                None => {
                    first.insert(family, united.len());
                    united.push(group);
                }
            },
            None => united.push(group),
        }
    }
    united.into_iter().map(|Group(members)| Group::sorted(members)).collect()
}

/// The family of a finding.
fn family_of(finding: &Finding, harness: &Built) -> Option<Family> {
    let declared = harness.facts_of(&finding.operation).place.as_deref();
    Family::of(finding, declared, &harness.source)
}

/// The rules that say that functions are written alike.
pub(crate) const OF_FAMILIES: [&str; 4] = ["one family", "sibling types", "one argument", "one input"];

/// The reason why findings of one place are put together.
pub(crate) const ONE_PLACE: Why =
    Why { rule: "one place", words: "the same line of the crate fails, or the same law of one type" };

/// Says why two findings are in one group.
pub(crate) fn why_grouped(one: &Finding, other: &Finding, harness: &Built) -> Why {
    if key(one) == key(other) {
        return ONE_PLACE;
    }
    match family_of(one, harness) {
        Some(family) => Why { rule: "one family", words: family.reason() },
        None => ONE_PLACE,
    }
}

/// Returns what findings of one cause have in common, as far as can be told before they are reduced.
pub(super) fn key(finding: &Finding) -> Key {
    match &finding.place {
        // One line of code, whoever has called it.
        Some(place) if !place.is_in_harness() && !place.is_in_standard_library() => {
            // A function that only panics for others is told apart by what they have it say.
            let said = match PanicKind::of(&finding.message, None) {
                PanicKind::Explicit => without_values(&finding.message),
                _ => String::new(),
            };
            (said, Phase::Call, finding.cause, finding.place.clone())
        }
        _ => {
            let (_, phase, cause, place) = finding.key();
            (law_key(finding), phase, cause, place)
        }
    }
}

/// The law that a finding breaks: a type has one for all its type arguments, and iterators often wrap each other.
pub(crate) fn law_key(finding: &Finding) -> String {
    match finding.law() {
        Some((name, _)) if law::is_of_iterators(name) => name.to_string(),
        Some((name, kind)) => match law::format(name, kind) {
            Some(about) => format!("format of {about}"),
            None => format!("{} {}", law_family(name), kind.split('<').next().unwrap_or(kind)),
        },
        None => finding.operation.clone(),
    }
}

/// Puts bugs of one cause together, ranks them and names them.
pub(crate) fn distinct(bugs: Vec<Bug>) -> Vec<Bug> {
    let mut distinct: Vec<Bug> = Vec::new();
    // For each, the bugs that were put together with it.
    let mut merged: Vec<Vec<Bug>> = Vec::new();
    let mut bugs = bugs;
    let order = |bug: &Bug| {
        let calls: Vec<String> = bug.program.called().map(|call| call.operation.clone()).collect();
        (std::cmp::Reverse(bug.judgement.sureness), bug.program.lines().len(), calls)
    };
    bugs.sort_by_cached_key(order);
    for bug in bugs {
        let mut all = distinct.iter().zip(&merged).enumerate();
        let same = all.find_map(|(place, (other, merged))| {
            Some((place, same_cause(other, &bug).or_else(|| same_function(merged, &bug))?))
        });
        match same {
            Some((place, cause)) => {
                merged[place].push(bug.clone());
                let at = bug.finding.place.as_ref().map(Place::short);
                let why = Why { rule: cause.name, words: cause.when };
                let after = distinct[place].other_way(&bug.finding);
                let Finding { operation, law, .. } = bug.finding;
                distinct[place].add([Also { operation, law, at, after, why }]);
                distinct[place].add(bug.also);
            }
            None => {
                distinct.push(bug);
                merged.push(Vec::new());
            }
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

/// A way in which two bugs can have one cause.
#[derive(Debug)]
#[cfg_attr(not(test), expect(dead_code, reason = "a test prints the tables of the book from all fields"))]
pub(super) struct SameCause {
    pub(super) name: &'static str,
    /// The property that both bugs have in common, for the book and for users who ask what was merged.
    pub(super) when: &'static str,
    /// The test whether two bugs, the surer first, have one cause. `None`: the rule says nothing about them,
    /// and the next one is asked.
    same: fn(&Bug, &Bug) -> Option<bool>,
    /// The crates whose bugs taught it, as far as that was written down.
    pub(super) taught_by: &'static [&'static str],
}

/// The cause that a bug shares also with what was put together with another one: a function fails whoever called it.
const ONE_FUNCTION: &str = "one innermost function";

/// The ways in which two bugs can have one cause; the first that says something decides.
pub(super) const CAUSES: &[SameCause] = &[
    SameCause {
        name: "another way",
        when: "not, if one law is broken after different changes, and programs without the one break it by the other",
        same: |one, other| are_two_ways(one, other).then_some(false),
        taught_by: &[],
    },
    SameCause {
        name: "two laws",
        when: "not, if two laws that somebody has stated end the process or do not end: each may do so by itself",
        same: |one, other| are_deaths_of_laws(one, other).then_some(false),
        taught_by: &[],
    },
    SameCause {
        name: ONE_FUNCTION,
        when: "the same function of the crate fails in the same way, whoever called it",
        same: |one, other| yes(fail_alike(one, other) && are_in_one_function(one, other)),
        taught_by: &["glam"],
    },
    SameCause {
        name: "one recursion",
        when: "the stack overflows with the same functions, which call each other without end",
        same: |one, other| yes(overflows(one) && overflows(other) && recurse_alike(one, other)),
        taught_by: &[],
    },
    SameCause {
        name: "sibling types",
        when: "types that differ in size only (`I16Vec2`, `U8Vec3`) fail in the same way after calls of the same \
               functions",
        same: |one, other| yes(fail_alike(one, other) && are_of_siblings(one, other)),
        taught_by: &["glam"],
    },
    SameCause {
        name: "one argument",
        when: "functions of one type, or of types that differ in size only, fail with the same words at the same \
               literal: one that is not a number, infinite, or zero as a divisor",
        same: |one, other| yes(fail_alike(one, other) && have_one_offender(one, other)),
        taught_by: &["glam"],
    },
    SameCause {
        name: "one input",
        when: "functions of one name, of types of one name in two modules, fail with the same words when they are given \
               the same",
        same: |one, other| yes(fail_alike(one, other) && have_one_input(one, other)),
        taught_by: &["memchr"],
    },
    SameCause {
        name: "one excess",
        when: "the same call with the same arguments takes for ever or all memory, by what it does first",
        same: |one, other| yes(is_excess(one, other) && one.program.lines() == other.program.lines()),
        taught_by: &[],
    },
    SameCause {
        name: "one function",
        when: "the same function panics, crashes or hangs at several places of a file; a function that is not used as \
               it wants to be used fails here and there",
        same: |one, other| yes(are_calls(one, other) && is_shared(one, other)),
        taught_by: &["multibase"],
    },
    SameCause {
        name: "one macro",
        when: "the functions differ in type arguments or in the dimension of their type only (`Vector2D`, `Vector3D`)",
        same: |one, other| yes(are_calls(one, other) && is_kin(one, other)),
        taught_by: &["euclid"],
    },
    SameCause {
        name: "shared operation",
        when: "some operation panics at both places of a file, in the same way",
        same: |one, other| {
            yes(are_panics_of_a_file(one, other) && panic_alike(one, other) && meet(one, other))
        },
        taught_by: &[],
    },
    SameCause {
        name: "behind all",
        when: "the same functions, several of them, panic at both places of a file, in whatever way",
        same: |one, other| yes(are_panics_of_a_file(one, other) && is_behind_all(one, other)),
        taught_by: &["petgraph"],
    },
    SameCause {
        name: "endless beginning",
        when: "a recursion or loop without end is run into after the same first call",
        same: |one, other| yes(are_endless(one, other) && begin_alike(one, other)),
        taught_by: &[],
    },
    SameCause {
        name: "endless after the same",
        when: "functions of one type do not end after the same call on what was made before it",
        same: |one, other| yes(are_endless(one, other) && are_spoiled_alike(one, other)),
        taught_by: &["csv"],
    },
    SameCause {
        name: "endless siblings",
        when: "functions that stand side by side and begin with the same word (`from_str`, `from_slice`) do not end, \
               each called by itself",
        same: |one, other| yes(are_endless(one, other) && are_siblings(one, other)),
        taught_by: &[],
    },
    SameCause {
        name: "spoiled as made",
        when: "a value breaks a law as it is made, with no call that changes it, and the other program makes it too: by the \
               same function, of the same list but for numbers and texts in it",
        same: |one, other| yes(is_spoiled_as_made(one, other) || is_spoiled_as_made(other, one)),
        taught_by: &["multimap"],
    },
    SameCause {
        name: "spoiled value",
        when: "a value was spoiled by the same calls, and breaks a law or contradicts the documentation, or panics",
        same: spoiled,
        taught_by: &[],
    },
    SameCause {
        name: "comparing",
        when: "laws about how values of one type compare are broken",
        same: |one, other| yes(compared(one).is_some() && compared(one) == compared(other)),
        taught_by: &[],
    },
    SameCause {
        name: "handed on",
        when: "a type breaks a law because a type that it is made of breaks it",
        same: |one, other| yes(is_handed_on(one, other) || is_handed_on(other, one)),
        taught_by: &["chrono"],
    },
    SameCause {
        name: "noticed twice",
        when: "laws, drops or `Debug` fail after the same calls, whatever their type arguments are, or one of them after \
               more",
        same: noticed,
        taught_by: &[],
    },
    SameCause {
        name: "spoiled twice",
        when: "functions of a file panic after the same two calls or more have changed a value",
        same: |one, other| {
            yes(are(one, other, Class::Panic) && same_file(one, other) && spoil_twice(one, other))
        },
        taught_by: &["url"],
    },
    SameCause {
        name: "same calls before",
        when: "the same two calls or more stand before the one that fails, and both panic alike or one is a law",
        same: |one, other| yes(are_alike(one, other) && follow_the_same(one, other)),
        taught_by: &[],
    },
];

/// Returns true if two laws that somebody has stated have ended processes or did not end.
fn are_deaths_of_laws(one: &Bug, other: &Bug) -> bool {
    let is_death = |bug: &Bug| {
        bug.finding.cause.is_deadly()
            && bug.program.called().last().is_some_and(|call| call.role == Role::Stated)
    };
    let law = |bug: &Bug| bug.finding.operation.split('(').next().map(str::to_string);
    is_death(one) && is_death(other) && law(one) != law(other)
}

/// Returns true if one law is broken in two ways, each of which is enough.
fn are_two_ways(one: &Bug, other: &Bug) -> bool {
    let is_one_law = law_key(&one.finding) == law_key(&other.finding);
    is_one_law && are_apart_by(&one.finding, &other.finding)
}

/// Returns the way in which two bugs have one cause, if they have; `one` is the surer.
fn same_cause(one: &Bug, other: &Bug) -> Option<&'static SameCause> {
    let decided = CAUSES.iter().find_map(|cause| Some((cause, (cause.same)(one, other)?)));
    decided.filter(|(_, is_same)| *is_same).map(|(cause, _)| cause)
}

/// Says that a bug fails in the function, and in the way, of one that was put together with another before.
fn same_function(merged: &[Bug], bug: &Bug) -> Option<&'static SameCause> {
    let is_same = merged.iter().any(|other| fail_alike(other, bug) && are_in_one_function(other, bug));
    CAUSES.iter().find(|cause| is_same && cause.name == ONE_FUNCTION)
}

/// The answer of a cause that decides only if it holds.
fn yes(is_same: bool) -> Option<bool> {
    is_same.then_some(true)
}

/// Returns true if both bugs are of this class.
fn are(one: &Bug, other: &Bug, class: Class) -> bool {
    one.judgement.class == class && other.judgement.class == class
}

/// Returns true if both are failures of calls and of one class.
fn are_calls(one: &Bug, other: &Bug) -> bool {
    let classes = [Class::Panic, Class::Contradiction, Class::Crash, Class::Hang];
    one.finding.law().is_none()
        && classes.into_iter().any(|class| are(one, other, class))
        && !are_apart(one, other)
}

/// Returns true if both are calls of one function in one file; a function of a trait may have many types, and one at the
/// root of a crate mostly calls that of a type.
fn is_shared(one: &Bug, other: &Bug) -> bool {
    let last = |bug: &Bug| match name::split(&bug.finding.operation) {
        Some((_, last)) => last.to_string(),
        None => function(&bug.finding.operation),
    };
    last(one) == last(other) && same_file(one, other)
}

fn is_kin(one: &Bug, other: &Bug) -> bool {
    without_dimension(&one.finding.operation) == without_dimension(&other.finding.operation)
}

fn are_panics_of_a_file(one: &Bug, other: &Bug) -> bool {
    let are_panics = one.finding.cause == Cause::Panic && other.finding.cause == Cause::Panic;
    are_panics && same_file(one, other) && !are_apart(one, other)
}

/// Returns true if some operation fails at both places.
fn meet(one: &Bug, other: &Bug) -> bool {
    !one.operations().is_disjoint(&other.operations())
}

/// Returns true if the same functions, several of them, fail at both places. Some code behind all of them
/// then panics here and there, and it does not matter which of them is shown.
fn is_behind_all(one: &Bug, other: &Bug) -> bool {
    let functions = |bug: &Bug| -> BTreeSet<String> { bug.operations().into_iter().map(function).collect() };
    functions(one).len() > 1 && functions(one) == functions(other)
}

/// Returns true if both hang, or both overflow the stack: every function that goes through an endless value
/// notices it.
fn are_endless(one: &Bug, other: &Bug) -> bool {
    let overflow = are(one, other, Class::Crash) && overflows(one) && overflows(other);
    (are(one, other, Class::Hang) || overflow)
        && one.finding.message == other.finding.message
        && !are_apart(one, other)
}

/// Returns true if two programs begin with the same function, and use the value that it makes.
fn begin_alike(one: &Bug, other: &Bug) -> bool {
    let begins = |bug: &Bug| match &bug.calls()[..] {
        [first, _, ..] => Some(function(first)),
        _ => None,
    };
    begins(one).is_some() && begins(one) == begins(other)
}

/// Returns true if functions of one type fail after a call that both programs make with an earlier value.
fn are_spoiled_alike(one: &Bug, other: &Bug) -> bool {
    let owner = |bug: &Bug| name::split(&bug.finding.operation).map(|(owner, _)| function(owner));
    owner(one).is_some()
        && owner(one) == owner(other)
        && !spoiling(&one.program).is_disjoint(&spoiling(&other.program))
}

/// Returns true if two functions stand side by side, begin with the same word, as `from_str` and `from_slice`
/// do, and each is called alone: they mostly recurse in the same function.
fn are_siblings(one: &Bug, other: &Bug) -> bool {
    let parts = |bug: &Bug| -> Option<(String, String)> {
        let [call] = bug.calls()[..] else { return None };
        let name = function(call);
        let (owner, name) = name.rsplit_once("::").unwrap_or(("", &name));
        let (first, _) = name.split_once('_')?;
        Some((owner.to_string(), first.to_string()))
    };
    parts(one).is_some() && parts(one) == parts(other)
}

/// The functions of a program, but the last, that were called with what an earlier call had made. Which types a generic
/// function was called with does not matter.
pub(crate) fn spoiling(program: &Program) -> BTreeSet<String> {
    let mut calls: Vec<&Call> = program.called().collect();
    calls.pop();
    let is_spoiling = |call: &&Call| call.uses().next().is_some();
    calls.into_iter().filter(is_spoiling).map(|call| function(&call.operation)).collect()
}

/// Returns true if the calls that spoiled one value are among those that spoiled the other.
fn is_contained(one: &Bug, other: &Bug) -> bool {
    let (few, many) = (spoiling(&one.program), spoiling(&other.program));
    few.is_subset(&many) || many.is_subset(&few)
}

/// A value that is spoiled is noticed by everything that takes it for granted. If both values were spoiled, that alone
/// decides.
fn spoiled(one: &Bug, other: &Bug) -> Option<bool> {
    let is_noticed = matches!(one.judgement.class, Class::Contradiction | Class::Law);
    let is_panic = matches!(other.judgement.class, Class::Contradiction | Class::Panic);
    let are_spoiled = !spoiling(&one.program).is_empty() && !spoiling(&other.program).is_empty();
    (is_noticed && is_panic && are_spoiled).then(|| is_contained(one, other))
}

/// Returns true if at least two calls have spoiled the values of both: these calls are to blame, whichever
/// later call panics.
fn spoil_twice(one: &Bug, other: &Bug) -> bool {
    is_contained(one, other) && spoiling(&one.program).len().min(spoiling(&other.program).len()) >= 2
}

/// The type whose values compare wrongly, if a bug is about that.
fn compared(bug: &Bug) -> Option<&str> {
    let (name, kind) = bug.finding.law()?;
    law::is_of_comparing(name).then(|| kind.split('<').next().unwrap_or(kind))
}

/// Returns true if the second bug breaks a law because the first one does: both are laws of iterators over some
/// common type, or the type of the second is made of that of the first.
fn is_handed_on(one: &Bug, other: &Bug) -> bool {
    let (Some((name, kind)), Some((other_name, other_kind))) = (one.finding.law(), other.finding.law())
    else {
        return false;
    };
    if law::is_of_iterators(name) && law::is_of_iterators(other_name) {
        return !kinds(one).is_disjoint(&kinds(other));
    }
    let base = kind.split('<').next().unwrap_or(kind);
    let mut before: Vec<&str> = other.calls();
    before.pop();
    // A value of the first type that was spoiled by a change explains nothing where the change is missing.
    let called: BTreeSet<String> = before.iter().map(|call| function(call)).collect();
    let is_made_by =
        spoiling(&one.program).is_subset(&called) && before.iter().any(|call| has_word(call, base));
    name == other_name && kind != other_kind && (has_word(other_kind, base) || is_made_by)
}

/// The types that break laws of a bug.
fn kinds(bug: &Bug) -> BTreeSet<&str> {
    bug.laws().map(|law| law.of.as_str()).collect()
}

/// Returns true if a bug only shows what the calls before it did.
fn notices(bug: &Bug) -> bool {
    bug.finding.law().is_some() || bug.finding.phase != Phase::Call
}

/// The calls of a bug that ask no law.
fn functions(bug: &Bug) -> impl Iterator<Item = &Call> {
    bug.program.called().filter(|call| !matches!(call.role, Role::Law { .. } | Role::Stated))
}

/// The functions that are called before the one that fails.
fn before(bug: &Bug) -> BTreeSet<String> {
    let mut calls: Vec<String> = functions(bug).map(|call| function(&call.operation)).collect();
    if !notices(bug) {
        calls.pop();
    }
    calls.into_iter().collect()
}

/// The functions of a program that change what an earlier call has made, in order, each once. A view of a value, such as an
/// iterator over it, changes nothing.
pub(crate) fn changes(program: &Program) -> Vec<String> {
    // A law that somebody has stated may fill a value as any function does, and is not to blame for it.
    let laws = program.called().filter(|call| call.role == Role::Stated);
    let laws: BTreeSet<String> = laws.map(|call| function(&call.operation)).collect();
    let views = program.called().filter(|call| is_view(call));
    let views: BTreeSet<String> = views.map(|call| function(&call.operation)).collect();
    let is_change = |change: &String| !laws.contains(change) && !views.contains(change);
    let changes: BTreeSet<String> =
        spoiling(program).into_iter().filter(is_change).map(|change| unlabelled(&change)).collect();
    changes.into_iter().collect()
}

/// Returns true if a call only looks at what earlier calls have made.
pub(super) fn is_view(call: &Call) -> bool {
    let mut modes = call.arguments.iter().filter_map(|argument| match argument {
        Argument::Earlier { mode, .. } => Some(*mode),
        Argument::Literal(_) => None,
    });
    call.uses().next().is_some() && modes.all(|mode| mode == Mode::Shared)
}

/// A function without the label of the operation that calls it: `data_mut(push)` and `data_mut(clear)` are one function.
fn unlabelled(function: &str) -> String {
    match function.find('(').filter(|place| *place > 0 && function.ends_with(')')) {
        Some(place) => function[..place].to_string(),
        None => function.to_string(),
    }
}

/// The functions that are called after the first call, which only makes a value.
fn changed(bug: &Bug) -> BTreeSet<String> {
    let first = bug.program.called().next();
    let later = functions(bug).filter(|call| first.is_none_or(|first| !std::ptr::eq(first, *call)));
    later.map(|call| function(&call.operation)).collect()
}

/// If both only notice, the calls before decide. A law about literals needs no call before it, and so has nothing in
/// common with another.
fn noticed(one: &Bug, other: &Bug) -> Option<bool> {
    let (few, many) = (changed(one), changed(other));
    let is_same = before(one) == before(other) && !before(one).is_empty();
    let is_more = !few.is_empty() && few.is_subset(&many);
    (notices(one) && notices(other)).then_some(is_same || is_more)
}

fn are_alike(one: &Bug, other: &Bug) -> bool {
    notices(one) || notices(other) || panic_alike(one, other)
}

/// Returns true if the same calls stand before both. One constructor alone does not count, because all
/// programs begin with it.
fn follow_the_same(one: &Bug, other: &Bug) -> bool {
    before(one) == before(other) && before(one).len() >= 2
}

/// Returns true if a name contains a word as a whole.
fn has_word(name: &str, word: &str) -> bool {
    name.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|other| other == word)
}

/// An operation without type arguments, whatever is done with its result.
pub(crate) fn function(operation: &str) -> String {
    name::without_types(operation.strip_suffix("(error)").unwrap_or(operation))
}

/// An operation without type arguments and dimensions: `Vector2D::dot` and `Vector3D::dot` are written alike.
fn without_dimension(operation: &str) -> String {
    let mut name = function(operation);
    for dimension in ["1D", "2D", "3D", "4D", "1d", "2d", "3d", "4d"] {
        name = name.replace(dimension, "");
    }
    name
}

#[cfg(test)]
mod tests;
