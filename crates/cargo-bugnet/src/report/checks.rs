//! The lines on stated laws: how often each was checked, with what, and what came of it.
//!
//! **Invariant:** every law has its lines, also one that was not checked.

use super::Report;
use crate::explore::tally::Tally;
use crate::judge::bug::Bug;
use anstyle::{AnsiColor, Style};
use std::fmt::Write;

const RED: Style = AnsiColor::Red.on_default().bold();
const GREEN: Style = AnsiColor::Green.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();

/// The most labels that share the line of their law; more stand below as bars.
const MOST: usize = 1;
/// Letters of the longest bar.
const BAR: u64 = 40;
/// The most lines of bars.
const BARS: usize = 10;
/// The most operations that are named because they always refused.
const REFUSED: usize = 5;

/// The lines on all laws.
pub(crate) fn report(report: &Report<'_>) -> String {
    let laws = &report.harness.laws.names;
    let width = laws.iter().map(String::len).max().unwrap_or_default();
    let mut text = String::new();
    for law in laws {
        let _ = writeln!(text, "  {law:width$}  {}", result(report, law));
        if report.bugs.iter().any(|bug| is_of(bug, law) && is_denied(&bug.finding.message)) {
            let why = "it runs confined: no network, and no files but its own; `--unconfined` lifts that";
            let _ = writeln!(text, "      {YELLOW}denied{YELLOW:#}: {why}");
        }
        if let Some(tally) = report.run.checked.get(law) {
            write_labels(&mut text, tally);
            write_remarks(&mut text, report, tally);
        }
    }
    for (operation, message) in refused(report).take(REFUSED) {
        let _ = writeln!(text, "  `{operation}` was called and always refused: {message}");
    }
    if !laws.is_empty() {
        text.push('\n');
    }
    text
}

/// The result of a law, with the number of its checks.
fn result(report: &Report<'_>, law: &str) -> String {
    let none = Tally::default();
    let tally = report.run.checked.get(law).unwrap_or(&none);
    let checks = number(tally.checks());
    if report.bugs.iter().any(|bug| is_of(bug, law)) {
        return match tally.failed {
            0 => format!("{RED}FAILED{RED:#}: a check ended its process; {checks} others did not"),
            failed => format!("{RED}FAILED{RED:#} in {} of {checks} checks", number(failed)),
        };
    }
    if tally.failed > 0 {
        return format!("{YELLOW}known{YELLOW:#} to fail: in {} of {checks} checks", number(tally.failed));
    }
    match tally.checks() {
        0 => format!("{YELLOW}NOT CHECKED{YELLOW:#}: {}", unchecked(report, law)),
        _ => {
            let labels = tally.labels();
            let label = match &labels[..] {
                [(label, share)] if labels.len() <= MOST => format!(" ({share}% {label})"),
                _ => String::new(),
            };
            let different = number(tally.different());
            format!("{GREEN}passed{GREEN:#} {checks} checks of {different} different inputs{label}")
        }
    }
}

/// The reason for which a law was never checked.
pub(super) fn unchecked(report: &Report<'_>, law: &str) -> String {
    let laws = &report.harness.laws;
    let discarded = report.run.checked.get(law).map_or(0, |tally| tally.discarded);
    if discarded > 0 {
        return format!("its precondition held for none of {} inputs", number(discarded));
    }
    if let Some(missing) = laws.missing.iter().find(|missing| is_way(&missing.law, law)) {
        return format!("nothing makes a `{}`", missing.kind);
    }
    if laws.refused.iter().any(|(refused, _)| is_way(refused, law)) {
        return "the compiler refuses its call".to_string();
    }
    "no program has come to it; give it more `--time`".to_string()
}

/// Returns true if the message of a failure says that the system has denied something.
fn is_denied(message: &str) -> bool {
    ["PermissionDenied", "Permission denied", "Operation not permitted"]
        .iter()
        .any(|word| message.contains(word))
}

/// Returns true if an operation is a law, or one of the ways to call it.
fn is_way(operation: &str, law: &str) -> bool {
    operation.split('(').next() == Some(law)
}

/// Returns true if a bug is a failure of a law.
pub(crate) fn is_of(bug: &Bug, law: &str) -> bool {
    is_way(&bug.finding.operation, law) || bug.also.iter().any(|also| is_way(&also.operation, law))
}

/// Returns true if a law was checked, or is known to fail.
pub(crate) fn is_checked(report: &Report<'_>, law: &str) -> bool {
    report.run.checked.get(law).is_some_and(|tally| tally.checks() > 0)
        || report.bugs.iter().any(|bug| is_of(bug, law))
}

/// Writes how the labels of a law are distributed, if there are several.
fn write_labels(text: &mut String, tally: &Tally) {
    let labels = tally.labels();
    if labels.len() <= MOST {
        return;
    }
    let shown = labels.iter().filter(|(label, share)| *share > 0 || tally.is_absent(label)).take(BARS);
    for (label, share) in shown.clone() {
        let bar = "█".repeat((share * BAR / 100) as usize);
        let line = format!("      {share:>3}% {label} {bar}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    if labels.len() > shown.clone().count() {
        let _ = writeln!(text, "           and {} more", labels.len() - shown.count());
    }
}

/// Writes what is odd about the inputs of a law.
fn write_remarks(text: &mut String, report: &Report<'_>, tally: &Tally) {
    for (label, seen, demanded) in tally.uncovered() {
        let _ =
            writeln!(text, "      {YELLOW}only {seen}%{YELLOW:#} {label}, and `cover!` demands {demanded}%");
    }
    if let Some((input, share)) = tally.alike() {
        let never = never(report);
        let never = if never.is_empty() { String::new() } else { format!("; never called well: {never}") };
        let _ = writeln!(text, "      {YELLOW}{share}% of the inputs are alike{YELLOW:#}: {input}{never}");
    }
}

/// The operations that have refused every call, each with the first line of a message.
fn refused<'a>(report: &'a Report<'_>) -> impl Iterator<Item = (&'a str, String)> {
    // What fails beside any call has no name.
    let refusals = report.run.refusals.iter().filter(|(name, _)| !name.is_empty());
    let refusals = refusals.filter(|(name, _)| !report.run.reached.contains(*name));
    refusals.map(|(name, message)| {
        (name.as_str(), super::shortened(message.lines().next().unwrap_or_default(), 80))
    })
}

/// The operations of which no call has come to its end.
fn never(report: &Report<'_>) -> String {
    let operations = report.harness.facts.iter().filter(|(_, facts)| !facts.stated);
    let never = operations.map(|(name, _)| name).filter(|name| !report.run.reached.contains(*name));
    never.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// A number with a comma before each three digits.
fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::example;
    use super::*;
    use crate::harness::{Laws, Missing};
    use bugnet::wire::explore::Checked;

    fn lines(names: &[&str], checked: Vec<Checked>, bugs: &[Bug]) -> Vec<String> {
        let (mut harness, mut run) = (example::harness(), example::run());
        let missing = vec![Missing { law: "unmade".to_string(), kind: "a::Token".to_string() }];
        harness.laws =
            Laws { names: names.iter().map(ToString::to_string).collect(), missing, ..Laws::default() };
        for checked in checked {
            run.checked.entry(checked.law.clone()).or_default().add(checked);
        }
        let text = report(&example::report(&harness, &run, bugs));
        anstream::adapter::strip_str(&text).to_string().lines().map(str::to_string).collect()
    }

    fn checked(law: &str, passed: u64, discarded: u64) -> Checked {
        let (law, inputs) = (law.to_string(), (0..passed / 4).collect());
        Checked { law, passed, discarded, inputs, ..Checked::default() }
    }

    #[test]
    fn a_law_that_holds_is_told_with_its_checks_inputs_and_one_label() {
        let labels = vec![("isolated".to_string(), 410)];
        let lines = lines(&["holds"], vec![Checked { labels, ..checked("holds", 1000, 9) }], &[]);
        assert_eq!(lines, ["  holds  passed 1,000 checks of 250 different inputs (41% isolated)", ""]);
    }

    #[test]
    fn several_labels_are_bars() {
        let labels = vec![("0".to_string(), 25), ("1".to_string(), 75)];
        let lines = lines(&["holds"], vec![Checked { labels, ..checked("holds", 100, 0) }], &[]);
        assert_eq!(lines[1], format!("       75% 1 {}", "█".repeat(30)));
        assert_eq!(lines[2], format!("       25% 0 {}", "█".repeat(10)));
        let labels = vec![("empty".to_string(), 0), ("long".to_string(), 100)];
        let lines = self::lines(&["holds"], vec![Checked { labels, ..checked("holds", 100, 0) }], &[]);
        assert_eq!(lines[2], "        0% empty");
    }

    #[test]
    fn a_law_that_was_not_checked_says_why() {
        let lines = lines(&["picky", "unmade", "late"], vec![checked("picky", 0, 5000)], &[]);
        assert_eq!(lines[0], "  picky   NOT CHECKED: its precondition held for none of 5,000 inputs");
        assert_eq!(lines[1], "  unmade  NOT CHECKED: nothing makes a `a::Token`");
        assert!(lines[2].starts_with("  late    NOT CHECKED: no program"), "{}", lines[2]);
    }

    #[test]
    fn a_law_that_fails_says_in_how_many_checks() {
        let mut bug = example::bug();
        bug.finding.operation = "breaks(None)".to_string();
        let lines = lines(&["breaks"], vec![Checked { failed: 3, ..checked("breaks", 97, 0) }], &[bug]);
        assert_eq!(lines[0], "  breaks  FAILED in 3 of 100 checks");
    }

    #[test]
    fn a_law_that_hangs_is_told_with_the_checks_that_came_back() {
        let mut bug = example::bug();
        bug.finding.operation = "hangs".to_string();
        let lines = lines(&["hangs"], vec![checked("hangs", 1316, 0)], &[bug]);
        assert_eq!(lines[0], "  hangs  FAILED: a check ended its process; 1,316 others did not");
    }

    #[test]
    fn a_law_that_was_denied_something_says_how_to_allow_it() {
        let mut bug = example::bug();
        bug.finding.operation = "asks".to_string();
        bug.finding.message = "Os { code: 13, kind: PermissionDenied }".to_string();
        let denied = lines(&["asks"], vec![Checked { failed: 3, ..checked("asks", 0, 0) }], &[bug.clone()]);
        assert!(
            denied[1].contains("denied: it runs confined") && denied[1].contains("`--unconfined`"),
            "{denied:?}"
        );
        bug.finding.message = "no".to_string();
        let other = lines(&["asks"], vec![Checked { failed: 3, ..checked("asks", 0, 0) }], &[bug]);
        assert_eq!(other[1], "");
    }

    #[test]
    fn an_operation_that_always_refused_is_named_with_its_message() {
        let (mut harness, mut run) = (example::harness(), example::run());
        harness.laws.names = vec!["late".to_string()];
        run.refusals =
            ["", "a", "push"].map(|name| (name.to_string(), "too long\nby one".to_string())).into();
        let text = report(&example::report(&harness, &run, &[]));
        assert_eq!(text.lines().nth(1), Some("  `push` was called and always refused: too long"), "{text}");
    }

    #[test]
    fn inputs_that_are_alike_are_shown() {
        let commonest = Some(("Graph {}".to_string(), 96));
        let lines = lines(&["holds"], vec![Checked { commonest, ..checked("holds", 100, 0) }], &[]);
        assert_eq!(lines[1], "      96% of the inputs are alike: Graph {}");
    }
}
