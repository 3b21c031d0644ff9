//! The report for a terminal: at most twelve lines for each bug.
//!
//! **Invariant:** what was found stands on the standard output, and nothing else does.

use super::{Report, chance, counted, message, shortened, title};
use crate::explore::bug::{Bug, Group};
use crate::explore::known;
use crate::explore::progress::{rate, share, short};
use anstyle::{AnsiColor, Style};
use std::fmt::Write;

const RED: Style = AnsiColor::Red.on_default().bold();
const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// The longest program that is shown whole.
const LINES: usize = 6;
/// The longest line of a program.
const WIDTH: usize = 160;

/// The bugs, then one line on what was done.
pub(crate) fn report(report: &Report<'_>) -> String {
    let mut text = String::new();
    for (number, bug) in report.bugs.iter().enumerate() {
        write_bug(&mut text, number + 1, bug, &report.command);
    }
    let _ = writeln!(text, "{BOLD}{}{BOLD:#} {}", counted(report.bugs.len(), "bug"), effort(report));
    text
}

fn write_bug(text: &mut String, number: usize, bug: &Bug, command: &str) {
    let chance = chance(bug);
    let sureness = bug.judgement.sureness;
    let _ = writeln!(
        text,
        "{RED}{number:>3}.{RED:#} {BOLD}{}{BOLD:#} {DIM}({sureness}% sure{chance}){DIM:#}",
        title(bug)
    );
    let _ = writeln!(text, "     {}", bug.judgement.reason);
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
    let lines: Vec<&str> = bug.program.iter().flat_map(|line| line.lines()).collect();
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
        let _ = writeln!(text, "     {DIM}pattern: {}{DIM:#}", pattern.words);
    }
    if !bug.also.is_empty() {
        let _ = writeln!(text, "     {DIM}also: {}{DIM:#}", some(&bug.also));
    }
    let untested = if bug.proven { "" } else { " (no test of it fails alike)" };
    let _ = writeln!(text, "     {DIM}replay: {command} --replay {}{untested}{DIM:#}\n", bug.name);
}

/// Whether a pattern leaves anything open that its program has fixed: a literal, or the order of calls.
fn says_more(words: &str) -> bool {
    let name = |rest: &str| rest.split(|letter: char| !letter.is_alphanumeric()).next().map(str::to_string);
    // What a call has made has a name as well.
    let is_open = |rest: &str| name(rest).is_some_and(|name| !words.contains(&format!("?{name} = ")));
    words.contains(" or more") || words.contains(" | ") || words.split('?').skip(1).any(is_open)
}

/// The first few of names.
fn some(names: &[String]) -> String {
    const MOST: usize = 3;
    let shown = names.iter().take(MOST).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// What was done to find them.
fn effort(report: &Report<'_>) -> String {
    let run = report.run;
    let mut parts = vec![format!(
        "in {} calls of {} ({} a second, {} reached) of {} {}",
        short(run.calls),
        counted(run.operations as usize, "operation"),
        short(rate(run)),
        share(run.reached.len() as u64, run.operations),
        report.harness.package,
        report.harness.version,
    )];
    if report.known > 0 {
        parts.push(format!("{} not shown ({})", counted(report.known, "known bug"), known::FILE));
    }
    if !report.suspects.is_empty() {
        let suspects = counted(report.suspects.len(), "misuse suspect");
        parts.push(format!("{suspects} hidden (--show-suspects)"));
    }
    if run.deaths > 0 {
        parts.push(format!("{} of processes survived", counted(run.deaths as usize, "death")));
    }
    parts.join("; ")
}

/// What is probably a wrong use, one line each.
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

/// What cannot be called, and why.
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
        bug.program = (0..40).map(|line| format!("let a{line} = {line};")).collect();
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
            lines[end + 1],
            "1 bug in 2000 thousand calls of 50 operations (200 thousand a second, 4% reached) of bit-vec 0.10.1"
        );
    }
}
