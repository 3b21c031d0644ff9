//! The suite: the user's own tests, run with switches, each in a confined process.
//!
//! **Invariant:** a test is used only if it passed with all switches off, alone and with the others, so what it says
//! of a mutant is the mutant's doing.

use crate::confine::{self, Limits, Role};
use crate::test::binary::{Binary, Test};
use anyhow::{Context, Result, bail};
use bugnet_process::{How, Output, Process, Start, Variables, patience};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The factor by which tests may be slower than with all switches off, besides [`patience::GRACE`]: mutants
/// are slower, but never by much.
const SLOWER: u32 = 20;
/// Steps that tests of a mutant may take in any case. With 4,000 the repair of a bug once counted as endless.
const STEPS: i64 = 300_000;
/// Bytes of its output that are kept of a run.
const KEPT: usize = 1 << 20;

/// A test, and what it did with all switches off.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) test: Test,
    /// The sites that it reaches.
    pub(crate) reach: BTreeSet<usize>,
    pub(crate) time: Duration,
    /// Steps of loops that it took, to within 65,536.
    steps: i64,
}

/// The surroundings in which tests are run.
#[derive(Debug)]
pub(crate) struct Runner {
    /// The one folder in which tests may write.
    pub(crate) scratch: PathBuf,
    /// False if tests may do what they like.
    pub(crate) is_confined: bool,
}

/// The result of a run of some tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ran {
    Passed,
    /// The name of the first test that failed, if the process lived to tell it.
    Failed(Option<String>),
    /// It took too many steps, or too long.
    Endless,
}

/// All tests of a package, sorted by what they did with all switches off.
#[derive(Debug, Default)]
pub(crate) struct Suite {
    pub(crate) tests: Vec<Known>,
    /// Tests that fail.
    pub(crate) red: Vec<(Test, String)>,
    /// Tests that sometimes fail.
    pub(crate) flaky: Vec<Test>,
    /// Tests that pass only with more rights than a mutant gets: files elsewhere, or the network.
    pub(crate) needy: Vec<Test>,
}

/// The settings of one run of tests.
#[derive(Debug, Default)]
struct Question<'a> {
    switches: &'a str,
    steps: Option<i64>,
    reach: Option<&'a Path>,
}

impl Runner {
    /// Runs every test alone with all switches off, then all together.
    pub(crate) fn learn(&self, binaries: &[Arc<Binary>]) -> Result<Suite> {
        fs::create_dir_all(&self.scratch)
            .with_context(|| format!("{} cannot be made", self.scratch.display()))?;
        let mut suite = Suite::default();
        for binary in binaries {
            for test in binary.tests()? {
                let (ran, said, known) = self.first(&test)?;
                match ran {
                    Ran::Passed => suite.tests.push(known),
                    _ if self.passes_freely(&test)? => suite.needy.push(test),
                    _ => suite.red.push((test, said)),
                }
            }
        }
        for binary in binaries {
            let own = suite.tests.iter().filter(|known| Arc::ptr_eq(&known.test.binary, binary));
            let names: Vec<&str> = own.map(|known| known.test.name.as_str()).collect();
            if names.is_empty()
                || self.run(binary, &names, &Question::default(), patience::OWN_TEST)?.0 == Ran::Passed
            {
                continue;
            }
            self.sort_out(binary, &mut suite)?;
        }
        Ok(suite)
    }

    /// Returns whether a test that has failed passes if it may do what it likes.
    fn passes_freely(&self, test: &Test) -> Result<bool> {
        let free = Runner { scratch: self.scratch.clone(), is_confined: false };
        let ran = || free.run(&test.binary, &[&test.name], &Question::default(), patience::OWN_TEST);
        Ok(self.is_confined && ran()?.0 == Ran::Passed)
    }

    /// Runs a test alone with all switches off.
    fn first(&self, test: &Test) -> Result<(Ran, String, Known)> {
        let reach = self.scratch.join("reach");
        let _ = fs::remove_file(&reach);
        let question = Question { reach: Some(&reach), ..Question::default() };
        let begun = Instant::now();
        let (ran, said) = self.run(&test.binary, &[&test.name], &question, patience::OWN_TEST)?;
        let time = begun.elapsed();
        let text = fs::read_to_string(&reach).unwrap_or_default();
        let numbers = |word: &str| {
            let lines = text.lines().filter_map(|line| line.strip_prefix(word)).map(str::trim);
            lines.filter_map(|number| number.parse::<i64>().ok()).collect::<Vec<_>>()
        };
        let reach = numbers("site").into_iter().map(|site| site as usize).collect();
        let steps = numbers("steps").into_iter().max().unwrap_or(0);
        Ok((ran, said, Known { test: test.clone(), reach, time, steps }))
    }

    /// Removes the tests of a binary that fail when they are run again.
    fn sort_out(&self, binary: &Arc<Binary>, suite: &mut Suite) -> Result<()> {
        let (own, others): (Vec<Known>, Vec<Known>) = std::mem::take(&mut suite.tests)
            .into_iter()
            .partition(|known| Arc::ptr_eq(&known.test.binary, binary));
        suite.tests = others;
        for known in own {
            let again = self.run(binary, &[&known.test.name], &Question::default(), patience::OWN_TEST)?.0;
            match again {
                Ran::Passed => suite.tests.push(known),
                _ => suite.flaky.push(known.test),
            }
        }
        Ok(())
    }

    /// Runs tests with some switches on.
    pub(crate) fn ask(&self, tests: &[&Known], switches: &str) -> Result<Ran> {
        let Some(first) = tests.first() else { return Ok(Ran::Passed) };
        let names: Vec<&str> = tests.iter().map(|known| known.test.name.as_str()).collect();
        let steps: i64 = tests.iter().map(|known| known.steps + (1 << 16)).sum();
        let time: Duration = tests.iter().map(|known| known.time).sum();
        let question = Question { switches, steps: Some(i64::from(SLOWER) * steps + STEPS), reach: None };
        Ok(self.run(&first.test.binary, &names, &question, time * SLOWER + patience::GRACE)?.0)
    }

    /// Runs tests of one binary; returns what came of it, and what it printed.
    fn run(
        &self,
        binary: &Binary,
        names: &[&str],
        question: &Question<'_>,
        patience: Duration,
    ) -> Result<(Ran, String)> {
        let mut start = self.start(binary, patience)?;
        for word in names.iter().copied().chain(["--exact", "--test-threads=1", "--color=never"]) {
            start = start.argument(word);
        }
        let mut set = |name: &str, value: String| {
            start.variables = start.variables.clone().with(name, value);
        };
        set("BUGNET_SWITCHES", question.switches.to_string());
        if let Some(steps) = question.steps {
            set("BUGNET_STEPS", steps.to_string());
        }
        if let Some(reach) = question.reach {
            set("BUGNET_REACH", reach.display().to_string());
        }
        let process = Process::start(&start).context("a test program of the copy cannot be started")?;
        let finished = process.finish(Instant::now() + patience);
        let output = String::from_utf8_lossy(&finished.output).into_owned();
        let is_endless = matches!(finished.end.how, How::TookTooLong)
            || finished.end.said.contains("bugnet: out of steps");
        let ran = match finished.end.how {
            How::Exited(0) if output.contains("test result: ok") => Ran::Passed,
            _ if is_endless => Ran::Endless,
            _ => Ran::Failed(failed(&output)),
        };
        Ok((ran, format!("{output}\n{}", finished.end.said)))
    }

    /// Returns how a binary is started: where its package is, with what Cargo tells it, and with few rights.
    fn start(&self, binary: &Binary, patience: Duration) -> Result<Start> {
        let own = binary.start();
        let output = Output::Whole { most: KEPT };
        if !self.is_confined {
            return Ok(Start { output, launcher: confine::starter()?, ..own });
        }
        let limits = Limits::harness(patience, Role::Alone);
        let limited = confine::limited_in(&own.program, &self.scratch, limits)?;
        let mut changed = limited.variables.changed.clone();
        changed.extend(own.variables.changed);
        let variables = Variables { is_inherited: false, changed };
        Ok(Start { output, folder: own.folder, variables, ..limited })
    }
}

/// Returns the first test that a report says has failed.
fn failed(output: &str) -> Option<String> {
    output.lines().find_map(|line| Some(line.strip_prefix("test ")?.strip_suffix(" ... FAILED")?.to_string()))
}

impl Suite {
    /// Refuses a suite that cannot judge mutants, and says why.
    pub(crate) fn check(&self, package: &str) -> Result<()> {
        if let Some((test, said)) = self.red.first() {
            let said: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).take(12).collect();
            bail!(
                "the test {} of {package} fails before anything is changed; mend it, or mark it #[ignore], for a \
                 red suite cannot tell one mutant from another\n\n    {}",
                test.full_name(),
                said.join("\n    ")
            );
        }
        if self.tests.is_empty() {
            bail!(
                "{package} has no tests that could notice a change; write one, or run `cargo bugnet explore` to get \
                 the first ones"
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_test_that_failed_is_read_from_the_report() {
        let output = "running 2 tests\ntest a::b ... ok\ntest a::c ... FAILED\ntest d ... FAILED\n";
        assert_eq!(failed(output).as_deref(), Some("a::c"));
        assert_eq!(failed("running 0 tests\n"), None);
    }

    #[test]
    fn a_suite_without_tests_cannot_judge_anything() {
        let error = Suite::default().check("pears").unwrap_err().to_string();
        assert!(error.starts_with("pears has no tests"), "{error}");
    }
}
