//! The report for a terminal: at most twelve lines for each bug.
//!
//! **Invariant:** what was found stands on the standard output, and nothing else does.

use super::columns::{COLUMNS, filled, named, wrapped};
use super::{Report, chance, counted, message, reasons, shortened};
use crate::explore::budget::Ended;
use crate::explore::progress::{rate, share, short};
use crate::harness::name;
use crate::judge::bug::{Also, Bug, Group, Why};
use crate::status::{BOLD, DIM, RED};
use crate::store::reasons::Reasons;
use bugnet::campaign::known::FILE;
use std::fmt::Write;

/// The longest program that is shown whole.
const LINES: usize = 6;
/// The columns before what is said of a bug.
const INDENT: usize = 5;
/// The longest line of a program.
const WIDTH: usize = 160;

/// The bugs, then what was done.
pub(crate) fn report(report: &Report<'_>) -> String {
    let mut text = String::new();
    for (number, (bug, reasons)) in report.bugs.iter().zip(&report.reasons).enumerate() {
        write_bug(&mut text, number + 1, bug, reasons, &report.command);
    }
    let bugs = counted(report.bugs.len(), "bug");
    let _ = writeln!(text, "{BOLD}{bugs}{BOLD:#} {}", effort(report));
    text.push_str(&filled(&details(report)));
    text
}

fn write_bug(text: &mut String, number: usize, bug: &Bug, reasons: &Reasons, command: &str) {
    write_title(text, number, bug);
    for line in wrapped(&bug.judgement.reason, INDENT) {
        let _ = writeln!(text, "     {line}");
    }
    let place = bug.finding.place.as_ref().map(|place| place.short());
    match (message(bug), place) {
        (Some(message), Some(place)) => {
            let _ = writeln!(text, "     {message} {DIM}at {place}{DIM:#}");
        }
        (Some(said), None) | (None, Some(said)) => {
            let _ = writeln!(text, "     {said}");
        }
        (None, None) => {}
    }
    let lines = bug.program.lines();
    let lines: Vec<&str> = lines.iter().flat_map(|line| line.lines()).collect();
    // Of a long program the end says most.
    let hidden = lines.len().saturating_sub(LINES);
    if hidden > 0 {
        let _ = writeln!(text, "         {DIM}// … {} before{DIM:#}", counted(hidden, "line"));
    }
    for line in &lines[hidden..] {
        let _ = writeln!(text, "         {}", shortened(line, WIDTH));
    }
    let is_worth = |words: &str| words.len() <= WIDTH && says_more(words);
    if let Some(pattern) = bug.pattern.as_ref().filter(|pattern| is_worth(&pattern.words)) {
        write_dim(text, &format!("pattern: {}", pattern.words));
    }
    if let Some(words) = reasons::in_words(reasons, bug) {
        write_dim(text, &words);
    }
    if !bug.also.is_empty() {
        write_dim(text, &others(bug));
    }
    if let Some((known, members)) = &bug.news_of {
        let shown: Vec<String> =
            members.iter().take(MOST).map(|member| format!("`{}`", named(member))).collect();
        let rest = if members.len() > MOST { ", …" } else { "" };
        write_dim(text, &format!("new in the known bug {known}: {}{rest}", shown.join(", ")));
    }
    let untested = if bug.proven { "" } else { " (no test of it fails alike)" };
    let _ = writeln!(text, "     {DIM}replay: {command} --replay {}{untested}{DIM:#}\n", bug.name);
}

/// Writes what fails, and how sure that is.
fn write_title(text: &mut String, number: usize, bug: &Bug) {
    let operation = &bug.finding.operation;
    let title = bug.title().replace(operation, &named(operation));
    let sure = format!("({}% sure{})", bug.judgement.sureness, chance(bug));
    let lines = wrapped(&title, INDENT);
    let (last, before) = lines.split_last().expect("a title has words");
    let mut head = format!("{RED}{number:>3}.{RED:#}");
    for line in before {
        let _ = writeln!(text, "{head} {BOLD}{line}{BOLD:#}");
        head = " ".repeat(INDENT - 1);
    }
    let is_room = INDENT + last.chars().count() + 1 + sure.len() <= COLUMNS;
    let gap = if is_room { " ".to_string() } else { format!("\n{}", " ".repeat(INDENT)) };
    let _ = writeln!(text, "{head} {BOLD}{last}{BOLD:#}{gap}{DIM}{sure}{DIM:#}");
}

/// Writes a remark in lines that fit.
fn write_dim(text: &mut String, words: &str) {
    for line in wrapped(words, INDENT) {
        let _ = writeln!(text, "     {DIM}{line}{DIM:#}");
    }
}

/// One line on a bug that was just seen to fail as a test.
pub(crate) fn proven(bug: &Bug) -> String {
    let place = bug.finding.place.as_ref().map(|place| format!(" at {}", place.short())).unwrap_or_default();
    format!("{}{place} ({})", bug.title(), bug.name)
}

/// Returns true if a pattern leaves something open that its program has fixed: a literal, or the order of
/// calls.
fn says_more(words: &str) -> bool {
    let name = |rest: &str| rest.split(|letter: char| !letter.is_alphanumeric()).next().map(str::to_string);
    // The result of a call has a name as well.
    let is_open = |rest: &str| name(rest).is_some_and(|name| !words.contains(&format!("?{name} = ")));
    words.contains(" or more") || words.contains(" | ") || words.split('?').skip(1).any(is_open)
}

/// Names that are shown beside a bug; the others are only counted or marked by `…`.
const MOST: usize = 3;

/// Describes the other failures of the same cause; for a family, its types.
fn others(bug: &Bug) -> String {
    let types: Option<Vec<&str>> =
        bug.also.iter().map(|also| same_function(&bug.finding.operation, also)).collect();
    match types {
        Some(mut types) => {
            types.dedup();
            let function = name::split(&bug.finding.operation).map_or("", |(_, function)| function);
            let shown: Vec<String> =
                types.iter().take(MOST).map(|kind| format!("`{}`", named(kind))).collect();
            let rest = if types.len() > MOST { ", …" } else { "" };
            format!("and {} more: `{function}` of {}{rest}", types.len(), shown.join(", "))
        }
        None => format!("also: {}", some(&bug.also)),
    }
}

/// The type of an operation that is the same function of another type.
fn same_function<'a>(operation: &str, also: &'a Also) -> Option<&'a str> {
    let (own, function) = name::split(operation)?;
    let (kind, other) = name::split(&also.operation)?;
    (function == other && own != kind).then_some(kind)
}

/// The first few of names, each once: several may look the same without their type arguments.
fn some(names: &[Also]) -> String {
    let mut shown: Vec<String> = names.iter().map(|also| also.with_name(&named(&also.operation))).collect();
    shown.dedup();
    let more = shown.len().saturating_sub(MOST);
    shown.truncate(MOST);
    match more {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Everything that was taken for another bug, with the reason, one line each.
pub(crate) fn merged(bugs: &[Bug]) -> String {
    let mut text = String::new();
    for bug in bugs.iter().filter(|bug| !bug.also.is_empty()) {
        let _ = writeln!(text, "     {BOLD}{}{BOLD:#}", bug.name);
        for also in &bug.also {
            let Why { rule, words } = also.why;
            let _ = writeln!(text, "         {also} {DIM}({rule}: {words}){DIM:#}");
        }
    }
    text
}

/// Describes the effort: calls and operations.
fn effort(report: &Report<'_>) -> String {
    let run = report.run;
    format!(
        "in {} calls of {} of {} {}",
        short(run.calls),
        counted(run.operations as usize, "operation"),
        report.harness.package,
        report.harness.version,
    )
}

/// Describes the run: its speed and reach, its end, and what is not shown.
fn details(report: &Report<'_>) -> Vec<String> {
    let run = report.run;
    let reached = share(run.reached.len() as u64, run.operations);
    let mut parts =
        vec![format!("{} calls a second", short(rate(run))), format!("{reached} of the operations reached")];
    parts.extend(ended(report));
    if report.known > 0 {
        parts.push(format!("{} not shown ({})", counted(report.known, "known bug"), FILE));
    }
    if !report.suspects.is_empty() {
        let suspects = counted(report.suspects.len(), "misuse suspect");
        parts.push(format!("{suspects} hidden (--show-suspects)"));
    }
    if run.deaths > 0 {
        parts.push(format!("{} of processes survived", counted(run.deaths as usize, "death")));
    }
    parts
}

/// Says why the run ended, unless its time was over and there was no other limit.
fn ended(report: &Report<'_>) -> Option<String> {
    let ran = match report.budget.programs() {
        Some(all) => format!(" after {} of {}", report.run.programs, counted(all as usize, "program")),
        None => String::new(),
    };
    match report.run.ended {
        Ended::Programs => Some(format!("all {} run", counted(report.run.programs as usize, "program"))),
        Ended::Enough => None,
        Ended::Time if ran.is_empty() => None,
        Ended::Time => Some(format!("its time was over{ran}")),
        Ended::Interrupt => Some(format!("ended by Ctrl-C{ran}")),
        Ended::NothingLeft => Some(format!("nothing was left to call{ran}")),
    }
}

/// Lists the findings that are probably wrong uses, one line each.
pub(crate) fn suspects(groups: &[Group]) -> String {
    let mut text = String::new();
    for Group(members) in groups {
        let Some(first) = members.first() else { continue };
        let place = first.finding.place.as_ref().map(|place| format!(" at {}", place.short()));
        let said = first.finding.message.lines().next().unwrap_or_default();
        let more = match members.len() - 1 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let _ = writeln!(
            text,
            "     {}{more}: {}{DIM}{}: {}{DIM:#}",
            first.finding.operation,
            first.judgement.reason,
            place.unwrap_or_default(),
            shortened(said, 80),
        );
    }
    text
}

/// Lists the functions that cannot be called, with the reasons.
pub(crate) fn unreached(report: &Report<'_>, called: &[String]) -> String {
    let mut text = String::new();
    let harness = report.harness;
    let _ = writeln!(
        text,
        "{} of {} functions and {} of {} functions of traits can be called",
        harness.callable, harness.functions, harness.trait_callable, harness.trait_functions
    );
    for (what, all) in [("cannot be called", &harness.unreached), ("left out", &harness.left_out)] {
        for unreached in all {
            let _ = writeln!(text, "     {}: {what}: {}", unreached.path, unreached.reason);
        }
    }
    for operation in called {
        let reason = match report.run.banned.contains(operation) {
            true => "called no more, because it kills its process",
            false => "no call of it has ended well in this run",
        };
        let _ = writeln!(text, "     {operation}: {reason}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::example;
    use super::*;
    use crate::explore::budget::Budget;

    #[test]
    fn a_pattern_is_shown_if_it_says_more_than_the_program() {
        assert!(!says_more("?f = Set::new(); Set::grow(?f, usize::MAX)"));
        assert!(says_more("?f = Set::new(); Set::put(?f, ?a)"));
        assert!(says_more("?f = Set::new(8 or more)"));
        assert!(says_more("?f = Set::new() | ?g = Set::new(); Set::join(?f, ?g)"));
    }

    #[test]
    fn a_bug_takes_at_most_twelve_lines_and_says_what_where_why_and_how_to_see_it_again() {
        let mut bug = example::bug();
        let line =
            |line: u32| example::call("a").bound(&format!("a{line}"), false).written(&line.to_string());
        bug.program = example::program((0..40).map(line));
        assert_eq!(
            proven(&bug),
            "`BitVec::split_off` unwraps what is not there at bit-vec-0.10.1/src/lib.rs:12 (bit_vec_split_off_panics)"
        );
        let (harness, run, bugs) = (example::harness(), example::run(), [bug]);
        let text = report(&example::report(&harness, &run, &bugs));
        let text = anstream::adapter::strip_str(&text).to_string();
        let lines: Vec<&str> = text.lines().collect();
        let end = lines.iter().position(|line| line.is_empty()).unwrap();
        assert!(end <= 12, "{end} lines:\n{text}");
        assert_eq!(lines[0], "  1. `BitVec::split_off` unwraps what is not there (80% sure)");
        assert_eq!(lines[3], "         // … 34 lines before");
        assert_eq!(lines[end - 2], "     also: BitVec::truncate");
        let replay =
            "     replay: cargo bugnet explore --crate bit-vec@0.10.1 --replay bit_vec_split_off_panics";
        assert_eq!(lines[end - 1], replay);
        assert_eq!(
            lines[end + 1..],
            [
                "1 bug in 2.0 million calls of 50 operations of bit-vec 0.10.1",
                "  200 thousand calls a second; 4% of the operations reached"
            ]
        );
    }

    #[test]
    fn what_ended_a_run_of_a_number_of_programs_is_said() {
        let (harness, mut run) = (example::harness(), example::run());
        run.programs = 300;
        let mut said = |ended, programs| {
            run.ended = ended;
            let budget = Budget::new(None, programs);
            super::ended(&Report { budget, ..example::report(&harness, &run, &[]) })
        };
        assert_eq!(said(Ended::Time, None), None);
        assert_eq!(said(Ended::Programs, Some(300)).unwrap(), "all 300 programs run");
        assert_eq!(said(Ended::Time, Some(700)).unwrap(), "its time was over after 300 of 700 programs");
        assert_eq!(said(Ended::Interrupt, None).unwrap(), "ended by Ctrl-C");
        let left = said(Ended::NothingLeft, Some(700)).unwrap();
        assert_eq!(left, "nothing was left to call after 300 of 700 programs");
    }
}
