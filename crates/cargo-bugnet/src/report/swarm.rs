//! The report of `cargo bugnet swarm` on a campaign, on the terminal.
//!
//! **Invariant:** the same campaign gives the same text.

use crate::report::counted;
use crate::store::campaign::{Campaign, Failure, Influence};
use crate::swarm::compare::Comparison;
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
    let _ = writeln!(text, "#{} {}: {}", failure.number, failure.targets.join(", "), failure.signature);
    let tests = counted(failure.hits as usize, "test");
    let _ = writeln!(text, "   in {tests}, first in test {}; {}", failure.first_test, sizes(failure));
    for influence in &failure.triggers {
        let word = if influence.failing_with == influence.failing { "needs" } else { "is triggered by" };
        let _ = writeln!(text, "   {word} {}", in_words(influence));
    }
    for influence in &failure.suppressors {
        let _ = writeln!(text, "   is suppressed by {}", in_words(influence));
    }
    let lines: Vec<&str> = failure.input.text.lines().collect();
    for line in lines.iter().take(LINES) {
        let _ = writeln!(text, "       {line}");
    }
    if lines.len() > LINES {
        let more = lines.len() - LINES;
        let _ = writeln!(text, "       … {} more in .bugnet/{}", counted(more, "line"), failure.input.file);
    }
    let _ = writeln!(text, "   replay: {}", failure.replay);
    let _ = writeln!(text, "   accept: cargo bugnet accept {}", failure.name);
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

/// A trigger or a suppressor with its figures.
fn in_words(influence: &Influence) -> String {
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
        let found: usize = arm.blocks.iter().map(std::collections::BTreeSet::len).sum();
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
    let _ = writeln!(
        text,
        "distinct failures of all schemes: {}; of any: {}",
        comparison.in_all, comparison.in_any
    );
    let targets = comparison.arms.iter().flat_map(|arm| arm.by_target.keys());
    for target in std::collections::BTreeSet::from_iter(targets) {
        let counts = comparison.arms.iter().map(|arm| {
            format!("{} {}", arm.scheme, arm.by_target.get(target).map_or(0, std::collections::BTreeSet::len))
        });
        let _ = writeln!(text, "  {target}: {}", counts.collect::<Vec<_>>().join(", "));
    }
    for difference in &comparison.differences {
        let verdict = match difference.p <= 0.05 {
            true if difference.mean > 0.0 => "finds more",
            true => "finds fewer",
            false => "no difference is shown",
        };
        let _ = writeln!(
            text,
            "{} against {}: {:+.2} a block, p = {:.3} (exact, {blocks} blocks): {verdict}",
            difference.scheme, difference.against, difference.mean, difference.p
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::campaign::Input;

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
            replay: "cargo bugnet swarm c.toml --replay 2".to_string(),
            triggers: vec![trigger],
            ..Failure::default()
        };
        assert_eq!(
            one(&failure),
            "#2 z80, stm8: ICE gen.c:7\n   in 130 tests, first in test 0; 4254 -> 6 bytes (lines)\n   \
             needs `div` (122 of 122 failing tests, expected 51 %; q < 0.0001)\n       a / 0\n   \
             replay: cargo bugnet swarm c.toml --replay 2\n   accept: cargo bugnet accept gen-c-7\n"
        );
    }
}
