//! Kept cases: those of which a person said that what the program does on them is right.
//!
//! **Invariant:** the list and its inputs are written from the decisions alone, and a kept case on which the program
//! no longer does what was called right ends the run before any mutant is tested.

use super::super::decision::{Answer, Decisions};
use super::bench::Outcome;
use super::case::{self, Case};
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// The list of kept cases, in the folder of the program.
pub(crate) const LIST: &str = "bugnet-tests.list";
/// The folder of their inputs.
const INPUTS: &str = "bugnet-inputs";

/// A case, and the behaviour of the program on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Given {
    pub(crate) case: Case,
    /// Its exit code or signal, and digests of what it printed.
    pub(crate) outcome: String,
}

/// Writes the list of the cases that are right, and their inputs; returns the list, unless it is empty.
pub(crate) fn write(home: &Path, decisions: &mut Decisions) -> Result<Option<PathBuf>> {
    let mut list = String::new();
    for known in &mut decisions.decisions {
        let Some(given) = known.question.given.as_mut().filter(|_| known.answer == Answer::Right) else {
            continue;
        };
        let kept = Path::new(INPUTS).join(&known.question.name);
        if let Some(input) = given.case.input.as_ref().filter(|input| **input != kept) {
            fs::create_dir_all(home.join(INPUTS)).with_context(|| format!("{INPUTS} cannot be made"))?;
            fs::copy(home.join(input), home.join(&kept))
                .with_context(|| format!("the input {} cannot be kept", input.display()))?;
            given.case.input = Some(kept);
        }
        list.push_str(&given.case.line());
        list.push('\n');
    }
    let path = home.join(LIST);
    if list.is_empty() {
        let _ = fs::remove_file(&path);
        return Ok(None);
    }
    fs::write(&path, list).with_context(|| format!("{} cannot be written", path.display()))?;
    Ok(Some(path))
}

/// Returns the kept cases, each with what the program did when it was kept.
pub(crate) fn read(home: &Path) -> Result<Vec<Given>> {
    let decisions = Decisions::read(home)?;
    let right = decisions.decisions.into_iter().filter(|known| known.answer == Answer::Right);
    let given = right.filter_map(|known| known.question.given);
    given.map(|given| Ok(Given { case: case::found(given.case, home, Path::new(""))?, ..given })).collect()
}

/// Refuses a program that no longer does what was called right.
pub(crate) fn check(kept: &[Given], outcomes: &[Outcome]) -> Result<()> {
    for (given, outcome) in kept.iter().zip(outcomes) {
        if given.outcome != format!("{} {}", outcome.end, outcome.printed) {
            bail!(
                "on `{}` of {LIST} the program does not do any more what was called right; mend it, or take the \
                 decision back with `cargo bugnet review --c --undo`",
                given.case.line()
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::super::decision::Decision;
    use super::super::super::offer::example::question;
    use super::*;

    #[test]
    fn a_right_case_is_kept_with_its_input_and_is_gone_when_the_decision_is() {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("in"), "1 2").unwrap();
        let case = Case { words: vec!["a b".into()], input: Some("in".into()) };
        let given = Given { case, outcome: "0 1 a 0 b".into() };
        let mut question = question();
        question.given = Some(given);
        let mut decisions = Decisions::read(home.path()).unwrap();
        decisions.decisions.push(Decision { answer: Answer::Right, question });
        decisions.write(home.path()).unwrap();
        assert_eq!(fs::read_to_string(home.path().join(LIST)).unwrap(), "'a b' < bugnet-inputs/f_1\n");
        let kept = read(home.path()).unwrap();
        assert_eq!(fs::read_to_string(kept[0].case.input.as_ref().unwrap()).unwrap(), "1 2");
        let outcome = |end| Outcome { end, printed: "1 a 0 b".into() };
        assert!(check(&kept, &[outcome(0)]).is_ok() && check(&kept, &[outcome(1)]).is_err());
        decisions.decisions.clear();
        decisions.write(home.path()).unwrap();
        assert!(!home.path().join(LIST).exists());
    }
}
