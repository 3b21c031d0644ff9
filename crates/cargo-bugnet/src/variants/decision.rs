//! Decisions: what a person said of questions, in a file that is committed.
//!
//! **Invariant:** a question is known by what its test does, so the same question is never asked twice, also after
//! variants were made again.

use super::offer;
use super::program::kept;
use super::question::Question;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The file of the decisions, beside the manifest of the package.
pub(crate) const FILE: &str = "bugnet-decisions.json";
/// The file of accepted tests, in the package.
pub(crate) const TESTS: &str = "tests/bugnet_variants.rs";
/// The file of the questions of the last run, in the folder of the variants.
const QUESTIONS: &str = "questions.json";
/// The version of the files; others are not read.
const VERSION: u32 = 1;

/// A person's answer to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Answer {
    /// The program does what it should; the test is kept.
    Right,
    /// The program is wrong; the mutants are candidate patches.
    Bug,
}

/// A question with its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Decision {
    pub(crate) answer: Answer,
    pub(crate) question: Question,
}

/// All decisions of a package.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Decisions {
    version: u32,
    pub(crate) decisions: Vec<Decision>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Questions {
    version: u32,
    questions: Vec<Question>,
}

/// Keeps the questions of a run.
pub(crate) fn keep(folder: &Path, questions: &[Question]) -> Result<()> {
    let path = folder.join(QUESTIONS);
    let text = serde_json::to_string_pretty(&Questions { version: VERSION, questions: questions.to_vec() })?;
    fs::write(&path, text).with_context(|| format!("{} cannot be written", path.display()))
}

/// Returns the questions of the last run; `None` if there was none.
pub(crate) fn kept(folder: &Path) -> Result<Option<Vec<Question>>> {
    let path = folder.join(QUESTIONS);
    let Ok(text) = fs::read_to_string(&path) else { return Ok(None) };
    let kept: Questions =
        serde_json::from_str(&text).with_context(|| format!("{} cannot be read", path.display()))?;
    Ok((kept.version == VERSION).then_some(kept.questions))
}

impl Decisions {
    /// Reads the decisions of the package in a folder.
    pub(crate) fn read(home: &Path) -> Result<Decisions> {
        let path = home.join(FILE);
        let Ok(text) = fs::read_to_string(&path) else {
            return Ok(Decisions { version: VERSION, decisions: Vec::new() });
        };
        let read: Decisions = serde_json::from_str(&text)
            .with_context(|| format!("{} cannot be read; mend or remove it", path.display()))?;
        if read.version != VERSION {
            bail!("{} is of version {}, and this command reads {VERSION}", path.display(), read.version);
        }
        Ok(read)
    }

    /// Returns those of some questions that are not decided.
    pub(crate) fn open(&self, questions: Vec<Question>) -> Vec<Question> {
        let is_open =
            |question: &Question| !self.decisions.iter().any(|known| known.question.plain == question.plain);
        questions.into_iter().filter(is_open).collect()
    }

    /// Adds a decision. The name of the test is made one that no other has.
    pub(crate) fn add(&mut self, mut question: Question, answer: Answer) {
        let names: BTreeSet<&str> = self.decisions.iter().map(|known| known.question.name.as_str()).collect();
        let base = question.name.trim_end_matches(|letter: char| letter.is_ascii_digit()).to_string();
        let mut number = 1;
        while names.contains(question.name.as_str()) {
            number += 1;
            question.name = format!("{base}{number}");
        }
        self.decisions.push(Decision { answer, question });
    }

    /// Writes the decisions, and the tests of those that are right.
    pub(crate) fn write(&mut self, home: &Path) -> Result<Option<PathBuf>> {
        let list = kept::write(home, self)?;
        let path = home.join(FILE);
        let cannot = |path: &Path| format!("{} cannot be written", path.display());
        let text = serde_json::to_string_pretty(self)? + "\n";
        fs::write(&path, text).with_context(|| cannot(&path))?;
        let tests = home.join(TESTS);
        let is_test = |known: &&Decision| known.answer == Answer::Right && known.question.given.is_none();
        let right = self.decisions.iter().filter(is_test).map(|known| &known.question);
        if right.clone().next().is_none() {
            let _ = fs::remove_file(&tests);
            return Ok(list);
        }
        fs::create_dir_all(home.join("tests")).with_context(|| cannot(&tests))?;
        fs::write(&tests, offer::accepted(right)).with_context(|| cannot(&tests))?;
        Ok(Some(tests))
    }
}

#[cfg(test)]
mod tests {
    use super::super::offer::example::question;
    use super::*;

    #[test]
    fn what_is_decided_is_not_asked_again_and_can_be_undone() {
        let home = tempfile::tempdir().unwrap();
        let mut decisions = Decisions::read(home.path()).unwrap();
        assert_eq!(decisions.open(vec![question()]).len(), 1);
        decisions.add(question(), Answer::Right);
        let mut other = question();
        other.plain = vec!["other".to_string()];
        decisions.add(other, Answer::Right);
        assert_eq!(decisions.decisions[1].question.name, "f_2");
        let tests = decisions.write(home.path()).unwrap().unwrap();
        assert_eq!(fs::read_to_string(&tests).unwrap().matches("#[test]").count(), 2);
        let read = Decisions::read(home.path()).unwrap();
        assert_eq!(read, decisions);
        assert!(read.open(vec![question()]).is_empty());
        decisions.decisions.clear();
        decisions.write(home.path()).unwrap();
        assert!(!tests.exists());
    }

    #[test]
    fn a_bug_is_written_down_and_has_no_test() {
        let home = tempfile::tempdir().unwrap();
        let mut decisions = Decisions::read(home.path()).unwrap();
        decisions.add(question(), Answer::Bug);
        assert_eq!(decisions.write(home.path()).unwrap(), None);
        let text = fs::read_to_string(home.path().join(FILE)).unwrap();
        assert!(text.contains("\"answer\": \"bug\"") && text.contains("+  a <= 3"), "{text}");
    }
}
