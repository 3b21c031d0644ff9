//! The report of `cargo bugnet swarm` on a campaign, on the terminal.
//!
//! **Invariant:** the same campaign gives the same text.

use crate::report::counted;
use crate::status::{BOLD, DIM, RED};
use crate::store::campaign::{Campaign, Failure, Influence};
use crate::swarm::compare::Comparison;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Lines of an input that are shown.
const LINES: usize = 12;

/// The failures that are not known, one after another.
pub(crate) fn failures(campaign: &Campaign) -> String {
    let mut text = String::new();
    for failure in campaign.failures.iter().filter(|failure| !failure.is_known) {
        let _ = write!(text, "\n{}", one(failure));
    }
    text
}

/// One failure: where, how often, why, the input, how to see it again.
pub(crate) fn one(failure: &Failure) -> String {
    let mut text = String::new();
    let Failure { number, targets, signature, .. } = failure;
    let targets = targets.join(", ");
    let _ = writeln!(text, "{RED}{number:>3}.{RED:#} {BOLD}{targets}: {signature}{BOLD:#}");
    let tests = counted(failure.hits as usize, "test");
    let first = failure.first_test.map(|test| format!(", first in test {test}")).unwrap_or_default();
    let _ = writeln!(text, "     in {tests}{first}; {}", sizes(failure));
    for influence in &failure.triggers {
        let _ = writeln!(text, "     {} {}", trigger_word(influence), in_words(influence));
    }
    for influence in &failure.suppressors {
        let _ = writeln!(text, "     is suppressed by {}", in_words(influence));
    }
    let lines: Vec<&str> = failure.input.text.lines().collect();
    for line in lines.iter().take(LINES) {
        let _ = writeln!(text, "         {line}");
    }
    if lines.len() > LINES {
        let more = counted(lines.len() - LINES, "line");
        let _ = writeln!(text, "         {DIM}… {more} more in .bugnet/{}{DIM:#}", failure.input.file);
    }
    let _ = writeln!(text, "     {DIM}replay: {}{DIM:#}", failure.replay);
    let _ = writeln!(text, "     {DIM}accept: cargo bugnet accept {}{DIM:#}", failure.name);
    text
}

fn sizes(failure: &Failure) -> String {
    match &failure.input.reduced_by {
        Some(by) if by != "nothing" => {
            format!("{} -> {} bytes ({by})", failure.first_bytes, failure.input.bytes)
        }
        _ => counted(failure.input.bytes as usize, "byte"),
    }
}

/// The word for a trigger: what all failing tests have is needed.
pub(crate) fn trigger_word(influence: &Influence) -> &'static str {
    if influence.failing_with == influence.failing { "needs" } else { "is triggered by" }
}

/// A trigger or a suppressor with its figures.
pub(crate) fn in_words(influence: &Influence) -> String {
    format!(
        "`{}` ({} of {} failing tests, expected {:.0} %; q {})",
        influence.feature,
        influence.failing_with,
        influence.failing,
        100.0 * influence.expected,
        probability(influence.q)
    )
}

fn probability(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_string() } else { format!("{p:.4}") }
}

/// The line that sums a campaign up.
pub(crate) fn summed_up(campaign: &Campaign) -> String {
    let known = campaign.failures.iter().filter(|failure| failure.is_known).count();
    let new = campaign.failures.len() - known;
    let tests = counted(campaign.tests as usize, "test");
    format!("{tests}, {}, {known} known", counted(new, "failure"))
}

/// Tables of a comparison: schemes, then targets, then differences.
pub(crate) fn comparison(comparison: &Comparison) -> String {
    let mut text = String::new();
    let blocks = comparison.arms.first().map_or(0, |arm| arm.blocks.len());
    let _ = writeln!(text, "scheme       tests  failing tests  distinct  a block  processor");
    for arm in &comparison.arms {
        let found: usize = arm.blocks.iter().map(BTreeSet::len).sum();
        let _ = writeln!(
            text,
            "{:10} {:>7}  {:>13}  {:>8}  {:>7.1}  {:>7.0} s",
            arm.scheme,
            arm.tests,
            arm.failing_tests,
            arm.failures.len(),
            found as f64 / blocks.max(1) as f64,
            arm.processor_seconds
        );
    }
    text.push_str(&by_target(comparison));
    for difference in &comparison.differences {
        let verdict = match difference.p <= 0.05 {
            true if difference.mean > 0.0 => "finds more",
            true => "finds fewer",
            false => "no difference is shown",
        };
        let blocks = counted(blocks, "block");
        let _ = writeln!(
            text,
            "{} against {}: {:+.2} a block, p = {:.3} (exact, {blocks}): {verdict}",
            difference.scheme, difference.against, difference.mean, difference.p
        );
    }
    text
}

/// Table 4 of the swarm paper: the distinct failures of each target, by each scheme, by all of them, and by any.
fn by_target(comparison: &Comparison) -> String {
    let arms = &comparison.arms;
    let targets: BTreeSet<&String> = arms.iter().flat_map(|arm| arm.by_target.keys()).collect();
    let none = BTreeSet::new();
    let mut rows = vec![row("distinct failures", arms.iter().map(|arm| arm.scheme.clone()), ["each", "any"])];
    for target in targets {
        let found: Vec<_> = arms.iter().map(|arm| arm.by_target.get(target).unwrap_or(&none)).collect();
        let any: BTreeSet<&String> = found.iter().copied().flatten().collect();
        let each = any.iter().filter(|name| found.iter().all(|found| found.contains(**name))).count();
        rows.push(row(target, found.iter().map(|found| found.len()), [each, any.len()]));
    }
    let all = arms.iter().map(|arm| arm.failures.len());
    rows.push(row("all targets, merged", all, [comparison.in_all, comparison.in_any]));
    let column = |at: usize| rows.iter().map(|row| row[at].len()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..rows[0].len()).map(column).collect();
    let mut text = String::new();
    for row in &rows {
        let _ = write!(text, "{:<1$}", row[0], widths[0]);
        for (cell, width) in row.iter().zip(&widths).skip(1) {
            let _ = write!(text, "  {cell:>width$}");
        }
        text.push('\n');
    }
    text
}

/// A row of a table: its head, a cell for each scheme, and the last two.
fn row<T: ToString>(head: &str, schemes: impl Iterator<Item = T>, last: [impl ToString; 2]) -> Vec<String> {
    let cells = schemes.map(|cell| cell.to_string()).chain(last.map(|cell| cell.to_string()));
    std::iter::once(head.to_string()).chain(cells).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::campaign::Input;
    use crate::swarm::compare::Arm;

    #[test]
    fn a_comparison_has_a_row_for_each_target_and_one_for_all() {
        let set =
            |names: &[&str]| -> BTreeSet<String> { names.iter().map(|name| name.to_string()).collect() };
        let arm = |scheme: &str, opt: &[&str], interp: &[&str]| Arm {
            scheme: scheme.to_string(),
            tests: 10,
            failures: set(&[opt, interp].concat()),
            by_target: [("opt", opt), ("interp", interp)]
                .map(|(name, all)| (name.to_string(), set(all)))
                .into(),
            blocks: vec![set(opt)],
            ..Arm::default()
        };
        let arms = vec![arm("all", &["a"], &["c"]), arm("coin", &["a", "b"], &["a"])];
        let text = comparison(&Comparison::of(arms));
        let table = "distinct failures    all  coin  each  any\n\
                     interp                 1     1     0    2\n\
                     opt                    1     2     1    2\n\
                     all targets, merged    2     2     1    3\n\
                     coin against all: +1.00 a block, p = 1.000 (exact, 1 block): no difference is shown\n";
        assert!(text.ends_with(table), "{text}");
    }

    #[test]
    fn a_failure_says_where_why_and_how_to_see_it_again() {
        let trigger = Influence {
            feature: "div".to_string(),
            failing_with: 122,
            failing: 122,
            expected: 0.51,
            q: 1e-9,
            ..Influence::default()
        };
        let failure = Failure {
            number: 2,
            name: "gen-c-7".to_string(),
            signature: "ICE gen.c:7".to_string(),
            targets: vec!["z80".to_string(), "stm8".to_string()],
            input: Input {
                bytes: 6,
                text: "a / 0\n".to_string(),
                reduced_by: Some("lines".to_string()),
                ..Input::default()
            },
            first_bytes: 4254,
            hits: 130,
            first_test: Some(0),
            replay: "cargo bugnet swarm c.toml --replay 2".to_string(),
            triggers: vec![trigger],
            ..Failure::default()
        };
        let text = one(&failure);
        assert_eq!(
            anstream::adapter::strip_str(&text).to_string(),
            "  2. z80, stm8: ICE gen.c:7\n     in 130 tests, first in test 0; 4254 -> 6 bytes (lines)\n     \
             needs `div` (122 of 122 failing tests, expected 51 %; q < 0.0001)\n         a / 0\n     \
             replay: cargo bugnet swarm c.toml --replay 2\n     accept: cargo bugnet accept gen-c-7\n"
        );
    }
}
