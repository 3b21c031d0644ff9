//! `cargo bugnet replay`: one property on one case.
//!
//! **Invariant:** a name that means more than one property is refused, not guessed.

use super::tests;
use crate::arguments::Replay;
use crate::exit::Exit;
use crate::status;
use crate::test::binary::Test;
use crate::test::outcome::{Kind, Outcome};
use crate::test::trial;
use anyhow::{Result, bail};

/// Runs the case and shows its report.
pub(crate) fn replay(arguments: &Replay) -> Result<Exit> {
    let tests = tests(&arguments.place)?;
    let test = find(&tests, &arguments.name)?;
    let variables = vec![("BUGNET_REPLAY", arguments.token.clone())];
    let outcome = trial::run(test, &variables, trial::limit(None, None))?;
    if let Outcome::Failed(Kind::NotTested, why) = &outcome {
        bail!("{why}");
    }
    match outcome.report() {
        Some(report) if outcome.is_property() => {
            anstream::println!("{report}");
            Ok(Exit::Refuted)
        }
        None if outcome.is_property() => {
            let (tone, word) = outcome.word();
            status::line(tone, word, &format!("{}: this case does not fail", test.full_name()));
            Ok(Exit::Success)
        }
        _ => bail!("`{}` is a test, but not a property, and has no cases", test.full_name()),
    }
}

/// The property of a name, which may lack the crate and modules in front.
fn find<'a>(tests: &'a [Test], name: &str) -> Result<&'a Test> {
    let ending = format!("::{name}");
    let fits = |test: &&Test| test.full_name() == name || test.full_name().ends_with(&ending);
    let found: Vec<&Test> = tests.iter().filter(fits).collect();
    match found.as_slice() {
        [] => bail!("no property is called `{name}`; `cargo bugnet list` prints those that there are"),
        [test] => Ok(test),
        many => {
            let names: Vec<String> = many.iter().map(|test| test.full_name()).collect();
            bail!("more than one property is called `{name}`; write one of: {}", names.join(", "))
        }
    }
}
