//! Outcomes: what came of one test, read from what its process printed.
//!
//! **Invariant:** whether a test passed is for the test harness to say; the report of the library only
//! says why, and whether it was a property at all.

use crate::status::Tone;

/// What came of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// A property that passed, and what was tested.
    Passed(String),
    /// A property that did not pass, and its report.
    Failed(Kind, String),
    /// A test that is no property passed.
    OtherPassed,
    /// A test that is no property failed, and what it printed.
    OtherFailed(String),
    /// The process ended before the test did.
    Died {
        /// Whether the test is a property.
        is_property: bool,
        /// What the process printed.
        printed: String,
    },
}

/// Why a property did not pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Refuted,
    Flaky,
    GaveUp,
    NotCovered,
    NotTested,
    /// Bugs in `bugnet-known.toml` are there no more.
    Mended,
    /// It was to fail, by `#[should_panic]`, and did not.
    Unexpected,
}

/// How the library begins the reports of properties that failed.
const REPORTS: [(&str, Kind); 7] = [
    ("FAILED", Kind::Refuted),
    ("BUG 1 ", Kind::Refuted),
    ("FIXED", Kind::Mended),
    ("FLAKY", Kind::Flaky),
    ("GAVE UP", Kind::GaveUp),
    ("NOT COVERED", Kind::NotCovered),
    ("NOT TESTED", Kind::NotTested),
];

impl Kind {
    /// A status word.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Kind::Refuted => "Refuted",
            Kind::Flaky => "Flaky",
            Kind::GaveUp => "Gave up",
            Kind::NotCovered => "Not covered",
            Kind::NotTested => "Not tested",
            Kind::Mended => "Fixed",
            Kind::Unexpected => "Failed",
        }
    }
}

impl Outcome {
    /// The status word of the outcome.
    pub(crate) fn word(&self) -> (Tone, &'static str) {
        match self {
            Outcome::Passed(_) | Outcome::OtherPassed => (Tone::Good, "Passed"),
            Outcome::Failed(kind, _) => (Tone::Bad, kind.word()),
            Outcome::OtherFailed(_) => (Tone::Bad, "Failed"),
            Outcome::Died { .. } => (Tone::Bad, "Died"),
        }
    }

    /// What is to be shown at the end, if the test did not pass.
    pub(crate) fn report(&self) -> Option<&str> {
        match self {
            Outcome::Passed(_) | Outcome::OtherPassed => None,
            Outcome::Failed(_, text) | Outcome::OtherFailed(text) => Some(text),
            Outcome::Died { printed, .. } => Some(printed),
        }
    }

    /// Whether the test is a property.
    pub(crate) fn is_property(&self) -> bool {
        match self {
            Outcome::Passed(_) | Outcome::Failed(..) => true,
            Outcome::OtherPassed | Outcome::OtherFailed(_) => false,
            Outcome::Died { is_property, .. } => *is_property,
        }
    }
}

/// What one test process did.
#[derive(Debug)]
pub(crate) struct Ended<'a> {
    /// The name by which the binary knows the test.
    pub(crate) name: &'a str,
    /// Whether the test looked like a property before it ran.
    pub(crate) is_property: bool,
    /// How the process ended, in words, unless it ended well.
    pub(crate) failure: Option<String>,
    pub(crate) output: &'a str,
    pub(crate) errors: &'a str,
}

impl Ended<'_> {
    /// What came of the test.
    pub(crate) fn outcome(&self) -> Outcome {
        if !self.output.contains("\ntest result: ") {
            return self.died();
        }
        let printed = printed(self.output, self.name);
        match (report(printed, short(self.name)), &self.failure) {
            (Some((None, text)), None) => Outcome::Passed(text),
            (Some((Some(_), _)), None) => Outcome::Passed("failed, as it should".to_string()),
            (Some((Some(kind), text)), Some(_)) => Outcome::Failed(kind, text),
            (Some((None, text)), Some(_)) => Outcome::Failed(Kind::Unexpected, text),
            (None, None) => Outcome::OtherPassed,
            (None, Some(_)) => {
                let header = format!("{}: FAILED, and is not a property", short(self.name));
                Outcome::OtherFailed(
                    format!("{header}\n\n{}", indented(printed.trim())).trim_end().to_string(),
                )
            }
        }
    }

    fn died(&self) -> Outcome {
        let how = self.failure.as_deref().unwrap_or("the test ended the process, as by `exit(0)`");
        let name = short(self.name);
        let mut printed = format!("{name}: DIED: {how}\n");
        if !self.errors.trim().is_empty() {
            printed.push_str(&format!("\n{}", indented(self.errors.trim())));
        }
        if self.is_property {
            printed.push_str(&format!("\n  to find the input: cargo bugnet run --isolate {name}\n"));
        }
        Outcome::Died { is_property: self.is_property, printed: printed.trim_end().to_string() }
    }
}

/// What a test printed, out of the output of its harness.
fn printed<'a>(output: &'a str, name: &str) -> &'a str {
    let Some((_, after)) = output.split_once(&format!("---- {name} stdout ----\n")) else { return "" };
    let ends = ["successes", "failures"].map(|word| after.rfind(&format!("\n{word}:\n    {name}\n")));
    let end = ends.into_iter().flatten().max().unwrap_or(after.len());
    &after[..end]
}

/// The report of a property in what its test printed: why it failed, if it did, and the text.
fn report(printed: &str, short_name: &str) -> Option<(Option<Kind>, String)> {
    let prefix = format!("{short_name}: ");
    let lines: Vec<&str> = printed.lines().collect();
    // The report comes last, whatever the test printed before it.
    lines.iter().enumerate().rev().find_map(|(place, line)| {
        let what = line.strip_prefix(&prefix)?;
        if let Some(tested) = what.strip_prefix("OK, passed ") {
            let labels = lines[place + 1..].iter().take_while(|line| is_label(line));
            let text: Vec<&str> = std::iter::once(tested).chain(labels.copied()).collect();
            return Some((None, text.join("\n")));
        }
        let (_, kind) = REPORTS.iter().find(|(word, _)| what.starts_with(word))?;
        Some((Some(*kind), lines[place..].join("\n").trim_end().to_string()))
    })
}

/// Whether a line says how many cases had a label: ` 12% empty`, or `     and 3 more`.
fn is_label(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.strip_prefix("and ").unwrap_or(line);
    let rest = number.trim_start_matches(|digit: char| digit.is_ascii_digit());
    rest.len() < number.len() && (rest.starts_with("% ") || rest == " more")
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}

/// The last part of a name, with which reports begin.
fn short(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name).trim_start_matches("r#")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn harness(word: &str, printed: &str, verdict: &str) -> String {
        format!(
            "\nrunning 1 test\ntest tests::law ... {verdict}\n\n{word}:\n\n---- tests::law stdout ----\n\
             {printed}\n\n\n{word}:\n    tests::law\n\ntest result: {verdict}. 1 passed\n"
        )
    }

    fn outcome(output: &str, failure: Option<&str>) -> Outcome {
        let failure = failure.map(str::to_string);
        Ended { name: "tests::law", is_property: true, failure, output, errors: "oh no" }.outcome()
    }

    #[test]
    fn a_property_that_passed_says_what_was_tested() {
        let output = harness("successes", "hello\nlaw: OK, passed 10 tests.\n 50% a\n     and 3 more", "ok");
        let text = "10 tests.\n 50% a\n     and 3 more";
        assert_eq!(outcome(&output, None), Outcome::Passed(text.to_string()));
    }

    #[test]
    fn a_property_that_failed_shows_its_whole_report() {
        let report = "law: FAILED at test 3\n\n    let x: u8 = 1;\n\n  no\n  seed: 0x1";
        let output = harness("failures", report, "FAILED");
        assert_eq!(outcome(&output, Some("code 101")), Outcome::Failed(Kind::Refuted, report.to_string()));
    }

    #[test]
    fn a_property_that_should_fail_passes_if_it_does() {
        let output = harness("successes", "law: FAILED at test 3", "ok");
        assert!(matches!(outcome(&output, None), Outcome::Passed(_)));
        let output = harness("failures", "law: OK, passed 10 tests.", "FAILED");
        assert!(matches!(outcome(&output, Some("code 101")), Outcome::Failed(Kind::Unexpected, _)));
    }

    #[test]
    fn a_test_without_a_report_is_no_property() {
        assert_eq!(outcome(&harness("successes", "law: fine", "ok"), None), Outcome::OtherPassed);
        let failed = outcome(&harness("failures", "panicked", "FAILED"), Some("code 101"));
        assert_eq!(
            failed,
            Outcome::OtherFailed("law: FAILED, and is not a property\n\n  panicked".to_string())
        );
    }

    #[test]
    fn a_process_that_dies_is_told_from_a_test_that_fails() {
        let died = outcome("\nrunning 1 test\n", Some("signal: 6 (SIGABRT)"));
        let report = died.report().unwrap();
        assert!(report.contains("SIGABRT") && report.contains("oh no"), "{report}");
    }
}
