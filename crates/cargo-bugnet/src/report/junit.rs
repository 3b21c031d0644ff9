//! The report as JUnit: a test case for each bug, which failed, or a single one that passed.

use super::{Report, chance};
use std::fmt::Write;

/// The report as text.
pub(crate) fn report(report: &Report<'_>) -> String {
    let name = escaped(&format!("cargo bugnet explore {}", report.harness.package));
    let seconds = report.run.elapsed.as_secs_f64();
    let (failures, tests) = (report.bugs.len(), report.bugs.len().max(1));
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" time=\"{seconds:.3}\"");
    let _ = writeln!(text, "<testsuites name=\"{name}\" {counts}>");
    let _ = writeln!(text, "  <testsuite name=\"{name}\" skipped=\"0\" {counts}>");
    let class = escaped(&report.harness.crate_name);
    if report.bugs.is_empty() {
        let _ =
            writeln!(text, "    <testcase classname=\"{class}\" name=\"explore\" time=\"{seconds:.3}\"/>");
    }
    for bug in report.bugs {
        let kind = format!("{:?}", bug.judgement.class).to_lowercase();
        let place = bug.finding.place.as_ref().map(|place| format!("\nat {place}")).unwrap_or_default();
        let body = format!(
            "{}{}\n{}{place}\n\n{}\n\nreplay: {} --replay {}",
            bug.judgement.reason,
            chance(bug),
            bug.finding.message,
            bug.program.lines().join("\n"),
            report.command,
            bug.name
        );
        let _ = writeln!(
            text,
            "    <testcase classname=\"{class}\" name=\"{}\" time=\"0.000\">\n      \
             <failure type=\"{kind}\" message=\"{}\">{}</failure>\n    </testcase>",
            escaped(&bug.name),
            escaped(&bug.title()),
            escaped(&body)
        );
    }
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

/// A text as XML has it. Letters that XML cannot have at all are left out.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(letter),
            control if control < ' ' || matches!(control, '\u{fffe}' | '\u{ffff}') => {}
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::super::example;
    use super::*;
    use crate::finding::Rate;
    use crate::judge::bug::Bug;

    #[test]
    fn a_bug_is_a_failed_test_case() {
        let (harness, run, bugs) = (example::harness(), example::run(), [example::bug()]);
        let text = report(&example::report(&harness, &run, &bugs));
        assert!(text.contains("tests=\"1\" failures=\"1\""), "{text}");
        assert!(text.contains("name=\"bit_vec_split_off_panics\""), "{text}");
        assert!(text.contains("`None` value &lt;&amp;&gt;"), "{text}");
        let by_chance = Bug { rate: Rate { failed: 31, runs: 60 }, ..example::bug() };
        let text = report(&example::report(&harness, &run, &[by_chance]));
        assert!(text.contains("is not there, fails in 31 of 60 runs\n"), "{text}");
        let none = report(&example::report(&harness, &run, &[]));
        assert!(none.contains("tests=\"1\" failures=\"0\""), "{none}");
    }

    #[test]
    fn what_xml_cannot_have_is_left_out() {
        assert_eq!(escaped("a\u{0}\u{1b}b\n<"), "ab\n&lt;");
    }
}
