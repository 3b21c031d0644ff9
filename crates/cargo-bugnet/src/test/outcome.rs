//! Outcomes: what came of one test.
//!
//! The library tells what came of a property as data. A test that is no property, and one whose library is of another
//! version than this command, are known only by what the test harness prints.
//!
//! **Invariant:** whether a test passed is for the test harness to say; what the library tells only says why, and
//! whether it was a property at all.

use crate::status::Tone;
use bugnet::wire::{Event, OutcomeKind, VERSION};

/// The report on a property of which nothing is known but whether it passed.
const ANOTHER_VERSION: &str =
    "why is not known: its crate uses another version of bugnet than this command; use the same for both";

/// The outcome of a test.
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
        /// True if the test is a property.
        is_property: bool,
        /// The output of the process.
        printed: String,
    },
}

/// The reason why a property did not pass.
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

impl Kind {
    /// Converts the outcome that the library reported; `None` if the property passed.
    fn of(told: OutcomeKind) -> Option<Kind> {
        match told {
            OutcomeKind::Passed => None,
            OutcomeKind::Refuted => Some(Kind::Refuted),
            OutcomeKind::Flaky => Some(Kind::Flaky),
            OutcomeKind::GaveUp => Some(Kind::GaveUp),
            OutcomeKind::NotCovered => Some(Kind::NotCovered),
            OutcomeKind::Fixed => Some(Kind::Mended),
            OutcomeKind::NotTested => Some(Kind::NotTested),
        }
    }

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

    /// Returns the report to show at the end, if the test did not pass.
    pub(crate) fn report(&self) -> Option<&str> {
        match self {
            Outcome::Passed(_) | Outcome::OtherPassed => None,
            Outcome::Failed(_, text) | Outcome::OtherFailed(text) => Some(text),
            Outcome::Died { printed, .. } => Some(printed),
        }
    }

    /// Returns true if the test is a property.
    pub(crate) fn is_property(&self) -> bool {
        match self {
            Outcome::Passed(_) | Outcome::Failed(..) => true,
            Outcome::OtherPassed | Outcome::OtherFailed(_) => false,
            Outcome::Died { is_property, .. } => *is_property,
        }
    }
}

/// The end of one test process.
#[derive(Debug)]
pub(crate) struct Ended<'a> {
    /// The name by which the binary knows the test.
    pub(crate) name: &'a str,
    /// True if the test looked like a property before it ran.
    pub(crate) is_property: bool,
    /// The end of the process in words, unless it ended well.
    pub(crate) failure: Option<String>,
    /// The events of the library, in order.
    pub(crate) told: Vec<Event>,
    pub(crate) output: &'a str,
    pub(crate) errors: &'a str,
}

impl Ended<'_> {
    /// Returns the outcome of the test.
    pub(crate) fn outcome(&self) -> Outcome {
        if !self.output.contains("\ntest result: ") {
            return self.died();
        }
        let printed = printed(self.output, self.name);
        match (self.told(), &self.failure) {
            (Some((None, text)), None) => Outcome::Passed(text),
            (Some((Some(_), _)), None) => Outcome::Passed("failed, as it should".to_string()),
            (Some((Some(kind), text)), Some(_)) => Outcome::Failed(kind, text),
            (Some((None, text)), Some(_)) => Outcome::Failed(Kind::Unexpected, text),
            (None, None) if self.is_silent() => Outcome::Passed(ANOTHER_VERSION.to_string()),
            (None, Some(_)) if self.is_silent() => {
                let text = format!("{}: FAILED, and {ANOTHER_VERSION}", short(self.name));
                Outcome::Failed(Kind::Refuted, with_printed(&text, printed))
            }
            (None, None) => Outcome::OtherPassed,
            (None, Some(_)) => {
                let header = format!("{}: FAILED, and is not a property", short(self.name));
                Outcome::OtherFailed(with_printed(&header, printed))
            }
        }
    }

    /// Returns the last outcome that the library reported of the property: the kind of failure, if it failed,
    /// and the report.
    fn told(&self) -> Option<(Option<Kind>, String)> {
        let of = |event: &Event| match event {
            Event::Outcome(told) if short(&told.name) == short(self.name) => {
                Some((Kind::of(told.kind), told.report.clone()))
            }
            _ => None,
        };
        self.told.iter().rev().find_map(of)
    }

    /// Returns true if the test is a property whose library does not talk to us.
    fn is_silent(&self) -> bool {
        let speaks = |event: &Event| matches!(event, Event::Ready { version: VERSION });
        self.is_property && !self.told.iter().any(speaks)
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

/// Returns the output of a test, out of the output of its harness.
fn printed<'a>(output: &'a str, name: &str) -> &'a str {
    let Some((_, after)) = output.split_once(&format!("---- {name} stdout ----\n")) else { return "" };
    let ends = ["successes", "failures"].map(|word| after.rfind(&format!("\n{word}:\n    {name}\n")));
    let end = ends.into_iter().flatten().max().unwrap_or(after.len());
    &after[..end]
}

/// A line, and what a test printed below it.
fn with_printed(header: &str, printed: &str) -> String {
    format!("{header}\n\n{}", indented(printed.trim())).trim_end().to_string()
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
    use bugnet::wire::Outcome as Told;

    fn harness(word: &str, printed: &str, verdict: &str) -> String {
        format!(
            "\nrunning 1 test\ntest tests::law ... {verdict}\n\n{word}:\n\n---- tests::law stdout ----\n\
             {printed}\n\n\n{word}:\n    tests::law\n\ntest result: {verdict}. 1 passed\n"
        )
    }

    fn told(kind: OutcomeKind, report: &str) -> Vec<Event> {
        let outcome = |name: &str, kind, report: &str| {
            Event::Outcome(Told { name: name.to_string(), kind, report: report.to_string() })
        };
        // Another property of the same test comes first.
        let other = outcome("first::tests::helper", OutcomeKind::Flaky, "helper: FLAKY");
        vec![Event::Ready { version: VERSION }, outcome("first::tests::law", kind, report), other]
    }

    fn outcome(told: Vec<Event>, output: &str, failure: Option<&str>) -> Outcome {
        let failure = failure.map(str::to_string);
        Ended { name: "tests::law", is_property: true, failure, told, output, errors: "oh no" }.outcome()
    }

    #[test]
    fn a_property_says_itself_what_came_of_it() {
        let (ok, bad) = (harness("successes", "noise", "ok"), harness("failures", "noise", "FAILED"));
        let passed = outcome(told(OutcomeKind::Passed, "10 tests."), &ok, None);
        assert_eq!(passed, Outcome::Passed("10 tests.".to_string()));
        let failed = outcome(told(OutcomeKind::Refuted, "law: FAILED at test 3"), &bad, Some("code 101"));
        assert_eq!(failed, Outcome::Failed(Kind::Refuted, "law: FAILED at test 3".to_string()));
    }

    #[test]
    fn a_property_that_should_fail_passes_if_it_does() {
        let (ok, bad) = (harness("successes", "", "ok"), harness("failures", "", "FAILED"));
        assert!(matches!(outcome(told(OutcomeKind::Refuted, ""), &ok, None), Outcome::Passed(_)));
        let failed = outcome(told(OutcomeKind::Passed, ""), &bad, Some("code 101"));
        assert!(matches!(failed, Outcome::Failed(Kind::Unexpected, _)));
    }

    #[test]
    fn a_test_that_tells_nothing_is_no_property() {
        let ready = || vec![Event::Ready { version: VERSION }];
        let (ok, bad) = (harness("successes", "fine", "ok"), harness("failures", "panicked", "FAILED"));
        assert_eq!(outcome(ready(), &ok, None), Outcome::OtherPassed);
        let text = "law: FAILED, and is not a property\n\n  panicked";
        assert_eq!(outcome(ready(), &bad, Some("code 101")), Outcome::OtherFailed(text.to_string()));
    }

    #[test]
    fn of_a_library_of_another_version_the_test_harness_says_whether_it_passed() {
        let (ok, bad) = (harness("successes", "", "ok"), harness("failures", "law: FAILED", "FAILED"));
        for told in [vec![], vec![Event::Ready { version: VERSION + 1 }]] {
            assert_eq!(outcome(told.clone(), &ok, None), Outcome::Passed(ANOTHER_VERSION.to_string()));
            let failed = outcome(told, &bad, Some("code 101"));
            assert!(failed.report().is_some_and(|text| text.ends_with("\n\n  law: FAILED")), "{failed:?}");
        }
    }

    #[test]
    fn a_process_that_dies_is_told_from_a_test_that_fails() {
        let died = outcome(Vec::new(), "\nrunning 1 test\n", Some("signal: 6 (SIGABRT)"));
        let report = died.report().unwrap();
        assert!(report.contains("SIGABRT") && report.contains("oh no"), "{report}");
    }
}
