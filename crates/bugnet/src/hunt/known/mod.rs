//! Known bugs: those that somebody has seen and that are not mended yet.
//!
//! Runs steer around them. What the last run has found is written in the same form to `.bugnet`, from where
//! `cargo bugnet accept` takes it.
//!
//! **Invariant:** a bug of the file that is no bug of its test any more is an error that names its line.

mod file;
mod line;

pub use file::{Accepted, Case, EXPLORED, FILE, KnownBug, KnownFile, Of, failing, fails};
pub use line::Problem;

use super::bug::Bug;
use crate::choice::Tape;
use crate::oracle::{Failure, Signature};
use crate::pattern::Pattern;
use crate::program::{Program, Suite};
use std::path::Path;

impl KnownBug {
    /// The pattern and the program, of the operations of a suite.
    pub(crate) fn of_suite(&self, suite: &Suite) -> Result<(Pattern, Program), String> {
        let wrong = |problem: String| self.wrong(&problem);
        let pattern = Pattern::read(self.pattern(), suite).map_err(|error| wrong(error.to_string()))?;
        let program = Program::of(suite, &self.tape());
        let program = program.ok_or_else(|| wrong(format!("the program is none of `{}`", suite.name)))?;
        match pattern.unknown_class(suite, &program) {
            Some(problem) => Err(wrong(problem)),
            None => Ok((pattern, program)),
        }
    }

    /// Says what is wrong with it, and where it is.
    pub(crate) fn wrong(&self, problem: &str) -> String {
        format!("{FILE}:{}: {problem}; mend or delete the bug", self.line)
    }

    /// The pattern as it is stored; bugs of tests have one.
    pub(crate) fn pattern(&self) -> &str {
        self.pattern.as_deref().unwrap_or_default()
    }

    /// The choices of its case.
    pub(crate) fn tape(&self) -> Tape {
        self.case.tape()
    }

    /// Returns true if a failure of its case is that of the bug.
    pub(crate) fn is_failing(&self, failure: &Failure) -> bool {
        self.fails.is_empty() || self.fails == manner(&failure.signature)
    }
}

/// Says how something fails in words that stay the same when lines of code move.
fn manner(signature: &Signature) -> String {
    match signature {
        Signature::InCall { operation, phase, cause } => fails(&manner(cause), Some(*phase), operation),
        Signature::Panic { .. } => "panic".to_string(),
        other => other.to_string(),
    }
}

/// Reads the bugs of a test in the file of a folder; none if there is no file.
pub(crate) fn of_test(folder: &Path, test: &str) -> Result<Vec<KnownBug>, String> {
    let mut bugs = KnownFile::at(&folder.join(FILE))?.bugs;
    bugs.retain(|bug| bug.of == Of::Test(test.to_string()));
    Ok(bugs)
}

/// Writes down what a run has found, for `cargo bugnet accept`. If that cannot be, nothing is lost.
pub(crate) fn remember(folder: &Path, test: &str, suite: Option<&Suite>, bugs: &[Bug]) {
    let head = "# What the last run has found. `cargo bugnet accept NAME` takes it from here.".to_string();
    let mut file = KnownFile { head: vec![head], ..KnownFile::default() };
    for bug in bugs {
        let stored = match (suite, &bug.pattern) {
            (Some(suite), Some(pattern)) => Some(pattern.stored(suite)),
            _ => bug.form.clone(),
        };
        if stored.is_none() {
            continue;
        }
        let (tape, words) = (bug.tape.to_string(), bug.words.replace("\n", " "));
        file.bugs.push(KnownBug {
            name: bug.name.clone(),
            of: Of::Test(test.to_string()),
            fails: manner(&bug.failure.signature),
            pattern: stored,
            case: if suite.is_some() { Case::Program(tape) } else { Case::Input(tape) },
            note: bug.failure.message.lines().next().unwrap_or_default().to_string(),
            inside: if words.is_empty() { Vec::new() } else { vec![format!("# {words}")] },
            ..KnownBug::default()
        });
    }
    let folder = folder.join(".bugnet");
    let _ = std::fs::create_dir_all(&folder);
    let _ = std::fs::write(folder.join(format!("{}.bugs.toml", test.replace("::", "."))), file.to_string());
}
