//! The known-bugs file: bugs that somebody has seen and that are not mended yet.
//!
//! Runs steer around them. Each has the pattern, a program that shows the bug, and room for a note and
//! a link. Only the part of TOML that this needs is read (`[[bug]]`, `key = "value"`, comments), so
//! that a test does not have to compile a TOML library. What the last run has found is written in the
//! same form to `.bugnet`, from where `cargo bugnet accept` takes it.
//!
//! **Invariant:** a line that is not understood is an error that names it, never ignored.

use super::outcome::Bug;
use crate::bug::Pattern;
use crate::choice::Tape;
use crate::oracle::{Failure, Signature};
use crate::program::{Program, Suite};
use std::fmt::Write;
use std::io::ErrorKind;
use std::path::Path;

/// The file in the folder of a crate.
pub(crate) const FILE: &str = "bugnet-known.toml";

/// A bug that is known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct KnownBug {
    pub(crate) name: String,
    pub(crate) test: String,
    /// As it is stored.
    pub(crate) pattern: String,
    pub(crate) program: Tape,
    /// How the program fails; nothing if it does not matter.
    pub(crate) fails: String,
    /// Where it begins in the file.
    pub(crate) line: usize,
}

impl KnownBug {
    /// The pattern and the program, of the operations of a suite.
    pub(crate) fn read(&self, suite: &Suite) -> Result<(Pattern, Program), String> {
        let wrong = |problem: String| format!("{FILE}:{}: {problem}; mend or delete the bug", self.line);
        let pattern = Pattern::read(&self.pattern, suite).map_err(|error| wrong(error.to_string()))?;
        let program = Program::of(suite, &self.program);
        let program = program.ok_or_else(|| wrong(format!("the program is none of `{}`", suite.name)))?;
        match pattern.unknown_class(suite, &program) {
            Some(problem) => Err(wrong(problem)),
            None => Ok((pattern, program)),
        }
    }

    /// Whether a failure of the program is that of the bug.
    pub(crate) fn is_failing(&self, failure: &Failure) -> bool {
        self.fails.is_empty() || self.fails == manner(&failure.signature)
    }
}

/// How something fails, in words that stay the same when lines of code move.
fn manner(signature: &Signature) -> String {
    match signature {
        Signature::InCall { operation, phase, cause } => format!("{} in {phase} {operation}", manner(cause)),
        Signature::Panic { .. } => "panic".to_string(),
        other => other.to_string(),
    }
}

/// The bugs in a file; none if there is no file.
pub(crate) fn read(path: &Path) -> Result<Vec<KnownBug>, String> {
    match std::fs::read_to_string(path) {
        Ok(text) => parse(&text).map_err(|(line, problem)| format!("{}:{line}: {problem}", path.display())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(format!("{} cannot be read: {error}", path.display())),
    }
}

fn parse(text: &str) -> Result<Vec<KnownBug>, (usize, String)> {
    let mut bugs: Vec<KnownBug> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let wrong = |problem: String| (number + 1, problem);
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if line == "[[bug]]" {
            bugs.push(KnownBug { line: number + 1, ..KnownBug::default() });
            continue;
        }
        let quoted = |value: &str| value.trim().strip_prefix('"')?.strip_suffix('"').map(str::to_string);
        let pair = line.split_once('=').and_then(|(key, value)| Some((key.trim(), quoted(value)?)));
        let (Some((key, value)), Some(bug)) = (pair, bugs.last_mut()) else {
            return Err(wrong(format!(
                "`{line}` is not understood; write `[[bug]]` and `key = \"value\"` lines"
            )));
        };
        let value = value.replace("\\\"", "\"").replace("\\\\", "\\");
        match key {
            "name" => bug.name = value,
            "test" => bug.test = value,
            "pattern" => bug.pattern = value,
            "program" | "input" => {
                bug.program =
                    value.parse().map_err(|error| wrong(format!("the {key} cannot be read ({error})")))?
            }
            "fails" => bug.fails = value,
            "note" | "link" => {}
            _ => {
                return Err(wrong(format!(
                    "a bug has no `{key}`; it has name, test, pattern, program or input, fails, note and link"
                )));
            }
        }
    }
    let incomplete =
        bugs.iter().find(|bug| bug.name.is_empty() || bug.test.is_empty() || bug.pattern.is_empty());
    match incomplete {
        Some(bug) => Err((bug.line, "this bug lacks its name, test or pattern".to_string())),
        None => Ok(bugs),
    }
}

/// Writes down what a run has found, for `cargo bugnet accept`. If that cannot be, nothing is lost.
pub(super) fn remember(folder: &Path, test: &str, suite: Option<&Suite>, bugs: &[Bug]) {
    let mut text =
        String::from("# What the last run has found. `cargo bugnet accept NAME` takes it from here.\n");
    let quoted = |text: &str| text.replace("\\", "\\\\").replace("\"", "\\\"");
    for bug in bugs {
        let stored = match (suite, &bug.pattern) {
            (Some(suite), Some(pattern)) => Some(pattern.stored(suite)),
            _ => bug.form.clone(),
        };
        let Some(pattern) = stored else { continue };
        let (name, pattern) = (&bug.name, quoted(&pattern));
        let pinned = if suite.is_some() { "program" } else { "input" };
        let words = bug.words.replace("\n", " ");
        let fails = quoted(&manner(&bug.failure.signature));
        let note = quoted(bug.failure.message.lines().next().unwrap_or_default());
        let _ = write!(
            text,
            "\n[[bug]]\n# {words}\nname = \"{name}\"\ntest = \"{test}\"\npattern = \"{pattern}\"\n{pinned} = \"{}\"\nfails = \"{fails}\"\nnote = \"{note}\"\nlink = \"\"\n",
            bug.tape
        );
    }
    let folder = folder.join(".bugnet");
    let _ = std::fs::create_dir_all(&folder);
    let _ = std::fs::write(folder.join(format!("{}.bugs.toml", test.replace("::", "."))), text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bug_is_read_with_what_it_needs() {
        let text = "# ours\n\n[[bug]]\nname = \"shy-moth\"\ntest = \"a::b\"\npattern = \"now()\"\nprogram = \"0.1(2)0\"\nnote = \"\\\"later\\\"\"\n";
        let bugs = parse(text).unwrap();
        assert_eq!((bugs[0].name.as_str(), bugs[0].line), ("shy-moth", 3));
        assert_eq!(bugs[0].program.values(), [0, 1, 2, 0]);
    }

    #[test]
    fn a_line_that_is_not_understood_is_named() {
        let start = "[[bug]]\nname = \"x\"\ntest = \"t\"\npattern = \"p()\"\n";
        for (text, line, problem) in [
            (format!("{start}patern = \"now()\""), 5, "a bug has no `patern`"),
            ("name = \"x\"".to_string(), 1, "is not understood"),
            (format!("{start}program = \"zz\""), 5, "cannot be read"),
            ("[[bug]]\nname = \"x\"".to_string(), 1, "lacks its name, test or pattern"),
            (format!("{start}note = later"), 5, "is not understood"),
        ] {
            let (at, error) = parse(&text).unwrap_err();
            assert!(at == line && error.contains(problem), "{at}: {error}");
        }
    }
}
