//! `cargo bugnet run`: tests the properties, and the other tests beside them.
//!
//! **Invariant:** each failure is shown twice: as a line when it happens, and in full at the end, where
//! it is not lost among the lines of the others.

use super::tests;
use crate::arguments::Run;
use crate::exit::Exit;
use crate::package;
use crate::status::{self, Tone};
use crate::test::binary::Test;
use crate::test::outcome::{Kind, Outcome};
use crate::test::{profile, trial};
use anyhow::{Result, bail};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Tests what is chosen.
pub(crate) fn run(arguments: &Run) -> Result<Exit> {
    if let Some(name) = &arguments.settings.profile {
        for package in package::chosen(&arguments.place)? {
            profile::check(package::folder(&package).as_std_path(), name)?;
        }
    }
    let mut tests = tests(&arguments.place)?;
    tests.retain(|test| is_wanted(test, &arguments.filters));
    if tests.is_empty() {
        bail!("{}", nothing_to_run(&arguments.filters));
    }
    let start = Instant::now();
    let properties = tests.iter().filter(|test| test.is_property).count();
    status::progress("Testing", &what(properties, tests.len() - properties));
    let mut summary = Summary::default();
    let limit = trial::limit(arguments.limit, arguments.settings.time());
    trial::run_all(tests, &arguments.settings.variables(), arguments.jobs, limit, |test, outcome| {
        show(&test, &outcome);
        summary.add(outcome);
    })?;
    summary.show(start.elapsed());
    Ok(summary.exit())
}

fn is_wanted(test: &Test, filters: &[String]) -> bool {
    let name = test.full_name();
    filters.is_empty() || filters.iter().any(|filter| name.contains(filter.as_str()))
}

fn nothing_to_run(filters: &[String]) -> String {
    match filters {
        [] => "there is no test here; write one: `#[property] fn name(input: Type) { … }`".to_string(),
        [filter] => {
            format!("no test has `{filter}` in its name; `cargo bugnet list` prints those of the properties")
        }
        _ => "no test has one of these in its name; `cargo bugnet list` prints those of the properties"
            .to_string(),
    }
}

fn what(properties: usize, others: usize) -> String {
    let noun = if properties == 1 { "property" } else { "properties" };
    match others {
        0 => format!("{properties} {noun}"),
        1 => format!("{properties} {noun} and 1 other test"),
        _ => format!("{properties} {noun} and {others} other tests"),
    }
}

/// One line per property, and per other test that did not pass.
fn show(test: &Test, outcome: &Outcome) {
    let (tone, word) = outcome.word();
    match outcome {
        Outcome::Passed(tested) => status::line(tone, word, &format!("{}: {tested}", test.full_name())),
        Outcome::OtherPassed => {}
        _ => status::line(tone, word, &test.full_name()),
    }
}

/// The result of a run.
#[derive(Debug, Default)]
struct Summary {
    passed: usize,
    /// Properties that did not pass, by status word.
    failed: BTreeMap<Kind, usize>,
    died: usize,
    others_passed: usize,
    others_failed: usize,
    reports: Vec<String>,
}

impl Summary {
    fn add(&mut self, outcome: Outcome) {
        self.reports.extend(outcome.report().map(str::to_string));
        match outcome {
            Outcome::Passed(_) => self.passed += 1,
            Outcome::Failed(kind, _) => *self.failed.entry(kind).or_default() += 1,
            Outcome::Died { is_property: true, .. } => self.died += 1,
            Outcome::OtherPassed => self.others_passed += 1,
            Outcome::OtherFailed(_) | Outcome::Died { is_property: false, .. } => self.others_failed += 1,
        }
    }

    fn show(&self, time: Duration) {
        for report in &self.reports {
            anstream::println!("\n{report}");
        }
        if !self.reports.is_empty() {
            anstream::println!();
        }
        let tone = if self.exit() == Exit::Success { Tone::Good } else { Tone::Bad };
        status::line(tone, "Finished", &format!("{} in {:.2}s", self.in_words(), time.as_secs_f64()));
    }

    fn in_words(&self) -> String {
        let mut parts = vec![format!("{} passed", self.passed)];
        let failed = self.failed.iter().map(|(kind, count)| (kind.word().to_lowercase(), *count));
        let all = failed.chain([("died".to_string(), self.died)]);
        parts.extend(all.filter(|(_, count)| *count > 0).map(|(word, count)| format!("{count} {word}")));
        let properties = self.passed + self.failed.values().sum::<usize>() + self.died;
        let mut text = match properties {
            0 => "no property".to_string(),
            1 => format!("1 property: {}", parts.join(", ")),
            _ => format!("{properties} properties: {}", parts.join(", ")),
        };
        if self.others_passed + self.others_failed > 0 {
            text.push_str(&format!("; other tests: {} passed", self.others_passed));
        }
        if self.others_failed > 0 {
            text.push_str(&format!(", {} failed", self.others_failed));
        }
        text
    }

    fn exit(&self) -> Exit {
        if !self.failed.is_empty() || self.died > 0 {
            Exit::Refuted
        } else if self.others_failed > 0 {
            Exit::OtherTests
        } else {
            Exit::Success
        }
    }
}
