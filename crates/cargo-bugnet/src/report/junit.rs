//! The report as JUnit: a test case for each bug, which failed, and for each stated law that holds or was not checked; or a
//! single one that passed.

use super::{Report, chance, checks};
use std::fmt::Write;

/// The report as text.
pub(crate) fn report(report: &Report<'_>) -> String {
    let name = escaped(&format!("cargo bugnet explore {}", report.harness.package));
    let seconds = report.run.elapsed.as_secs_f64();
    let failures = report.bugs.len();
    let laws = laws(report);
    let skipped = laws.iter().filter(|law| !checks::is_checked(report, law)).count();
    let tests = (failures + laws.len()).max(1);
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" time=\"{seconds:.3}\"");
    let _ = writeln!(text, "<testsuites name=\"{name}\" {counts}>");
    let _ = writeln!(text, "  <testsuite name=\"{name}\" skipped=\"{skipped}\" {counts}>");
    let class = escaped(&report.harness.crate_name);
    if report.bugs.is_empty() && laws.is_empty() {
        let _ =
            writeln!(text, "    <testcase classname=\"{class}\" name=\"explore\" time=\"{seconds:.3}\"/>");
    }
    for law in laws {
        let _ = write!(text, "    <testcase classname=\"{class}\" name=\"{}\" time=\"0.000\"", escaped(law));
        match checks::is_checked(report, law) {
            true => text.push_str("/>\n"),
            false => {
                let reason = escaped(&checks::unchecked(report, law));
                let _ = writeln!(text, ">\n      <skipped message=\"{reason}\"/>\n    </testcase>");
            }
        }
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

/// The stated laws that no bug has refuted. Whoever watches a law by its name sees it pass again.
fn laws<'a>(report: &'a Report<'_>) -> Vec<&'a str> {
    let names = report.harness.laws.names.iter().map(String::as_str);
    names.filter(|law| !report.bugs.iter().any(|bug| checks::is_of(bug, law))).collect()
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
    fn a_law_that_holds_is_a_test_case_that_passed_and_one_that_was_not_checked_is_skipped() {
        let (mut harness, mut run, mut bug) = (example::harness(), example::run(), example::bug());
        harness.laws.names = ["holds", "late", "breaks"].map(str::to_string).to_vec();
        let checked = bugnet::wire::explore::Checked { passed: 9, ..Default::default() };
        run.checked.entry("holds".to_string()).or_default().add(checked);
        bug.finding.operation = "breaks".to_string();
        let text = report(&example::report(&harness, &run, &[bug]));
        assert!(text.contains("tests=\"3\" failures=\"1\"") && text.contains("skipped=\"1\""), "{text}");
        assert!(text.contains("name=\"holds\" time=\"0.000\"/>"), "{text}");
        let skipped = "name=\"late\" time=\"0.000\">\n      <skipped message=\"no program has come to it";
        assert!(text.contains(skipped) && !text.contains("name=\"breaks\""), "{text}");
    }

    #[test]
    fn what_xml_cannot_have_is_left_out() {
        assert_eq!(escaped("a\u{0}\u{1b}b\n<"), "ab\n&lt;");
    }
}
