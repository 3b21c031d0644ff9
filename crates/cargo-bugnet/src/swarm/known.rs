//! Known failures: those that a user has accepted in `bugnet-known.toml`. They are counted and not shown.
//!
//! **Invariant:** a run only reads the file; nobody but `accept` writes it. What can be accepted is kept in the form
//! of that file, as the bugs of tests are.

use crate::store::Kept;
use anyhow::{Context, Result};
use bugnet::campaign::known::{FILE, KnownBug, KnownFile, Of};
use std::fs;
use std::path::Path;

/// The longest name of a failure, in characters.
const LONGEST: usize = 40;

/// The names of failures: words of their signatures, told apart.
pub(crate) fn names(failures: &[Kept]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for failure in failures {
        let name = name(&failure.signature);
        let mut unique = name.clone();
        let mut count = 2;
        while names.contains(&unique) {
            unique = format!("{name}-{count}");
            count += 1;
        }
        names.push(unique);
    }
    names
}

/// The name of a signature: its letters and digits, in small letters.
fn name(signature: &str) -> String {
    let mut name = String::new();
    for letter in signature.chars() {
        if name.len() >= LONGEST {
            break;
        }
        if letter.is_ascii_alphanumeric() {
            name.push(letter.to_ascii_lowercase());
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }
    let name = name.trim_end_matches('-');
    if name.is_empty() { "failure".to_string() } else { name.to_string() }
}

/// The signatures that are known, of a plan in a folder.
pub(crate) fn read(folder: &Path, plan: &str) -> Result<Vec<String>> {
    let file = KnownFile::at(&folder.join(FILE)).map_err(anyhow::Error::msg)?;
    let of = Of::Swarm(plan.to_string());
    Ok(file.bugs.into_iter().filter(|bug| bug.of == of).map(|bug| bug.fails).collect())
}

/// Keeps what `cargo bugnet accept` can take.
pub(crate) fn keep(store: &Path, plan: &str, failures: &[(String, String)]) -> Result<()> {
    let bug = |(name, signature): &(String, String)| KnownBug {
        name: name.clone(),
        of: Of::Swarm(plan.to_string()),
        fails: signature.clone(),
        ..KnownBug::default()
    };
    let head = "# What the last run has found. `cargo bugnet accept NAME` takes it from here.".to_string();
    let bugs = failures.iter().map(bug).collect();
    let file = KnownFile { head: vec![head], bugs, ..KnownFile::default() };
    let path = store.join(format!("swarm-{plan}.bugs.toml"));
    fs::write(&path, file.to_string()).with_context(|| format!("{} cannot be written", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_of_signatures_and_told_apart() {
        let kept = |signature: &str| Kept {
            id: 1,
            number: 1,
            signature: signature.to_string(),
            sightings: Vec::new(),
            reduced: None,
            merged_into: None,
        };
        let all =
            ["Assertion `!el.empty()' failed", "Assertion el empty failed", "!!", "signal 11 (SIGSEGV)"];
        let names = names(&all.map(kept));
        assert_eq!(
            names,
            ["assertion-el-empty-failed", "assertion-el-empty-failed-2", "failure", "signal-11-sigsegv"]
        );
    }

    #[test]
    fn what_is_kept_can_be_accepted_and_is_known_then() {
        let folder = tempfile::tempdir().unwrap();
        let pair = ("gen-c-7".to_string(), "ICE gen.c:7".to_string());
        keep(folder.path(), "sdcc", &[pair]).unwrap();
        let kept = folder.path().join("swarm-sdcc.bugs.toml");
        fs::copy(kept, folder.path().join(FILE)).unwrap();
        assert_eq!(read(folder.path(), "sdcc").unwrap(), ["ICE gen.c:7"]);
        assert_eq!(read(folder.path(), "other").unwrap(), Vec::<String>::new());
    }
}
