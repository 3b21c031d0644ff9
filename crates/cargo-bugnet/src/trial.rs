//! Trials: one test run in a process of its own, so that its death is its own as well.
//!
//! **Invariant:** each test is run once, and its outcome is told as soon as it is known.

use crate::binary::Test;
use crate::outcome::{Ended, Outcome};
use anyhow::{Context, Result};
use std::num::NonZeroUsize;
use std::process::ExitStatus;
use std::sync::{Mutex, mpsc};

/// Variables of the environment, by which the library is told its settings.
pub(crate) type Variables = Vec<(&'static str, String)>;

/// Runs one test.
pub(crate) fn run(test: &Test, variables: &Variables) -> Result<Outcome> {
    let mut command = test.binary.command();
    command.args([test.name.as_str(), "--exact", "--show-output", "--color", "never"]);
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    let output = command.output().with_context(|| format!("{} cannot be started", test.full_name()))?;
    let ended = Ended {
        name: &test.name,
        is_property: test.is_property,
        failure: (!output.status.success()).then(|| in_words(output.status)),
        output: &String::from_utf8_lossy(&output.stdout),
        errors: &String::from_utf8_lossy(&output.stderr),
    };
    Ok(ended.outcome())
}

fn in_words(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("the process ended with code {code}"),
        None => format!("the process ended by {status}"),
    }
}

/// Runs tests, so many at a time, and tells each outcome.
pub(crate) fn run_all(
    tests: Vec<Test>,
    variables: &Variables,
    jobs: Option<NonZeroUsize>,
    mut tell: impl FnMut(Test, Outcome),
) -> Result<()> {
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let jobs = jobs.map_or_else(cores, NonZeroUsize::get).min(tests.len());
    let queue = Mutex::new(tests.into_iter());
    let next = || queue.lock().expect("taking the next test does not panic").next();
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while let Some(test) = next() {
                    let outcome = run(&test, variables);
                    // Nobody listens any more once a test could not be started.
                    if sender.send((test, outcome)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        receiver.into_iter().try_for_each(|(test, outcome)| {
            tell(test, outcome?);
            Ok(())
        })
    })
}
