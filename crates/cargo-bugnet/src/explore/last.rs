//! The last run: its bugs, kept so that they can be replayed and accepted by their names.
//!
//! **Invariant:** they are kept in the form of `bugnet-known.toml`, as those of tests are.

use anyhow::{Context, Result};
use bugnet::campaign::known::{KnownBug, KnownFile};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The bugs, in the folder of a run.
const BUGS: &str = "bugs.toml";
/// The folder of the known-bugs file that they can be accepted in.
const HOME: &str = "home";

/// Keeps the bugs of a run.
pub(crate) fn keep(folder: &Path, home: &Path, bugs: Vec<KnownBug>) -> Result<()> {
    let head = "# What the last run has found. `cargo bugnet accept NAME` takes it from here.".to_string();
    let file = KnownFile { head: vec![head], bugs, ..KnownFile::default() };
    let home = home.canonicalize().unwrap_or_else(|_| home.to_path_buf());
    for (name, text) in [(HOME, home.to_string_lossy().into_owned()), (BUGS, file.to_string())] {
        let path = folder.join(name);
        fs::write(&path, text).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(())
}

/// The bugs of a run; none if there was no run.
pub(crate) fn bugs(folder: &Path) -> Result<Vec<KnownBug>> {
    Ok(KnownFile::at(&folder.join(BUGS)).map_err(anyhow::Error::msg)?.bugs)
}

/// The folders of the runs below a folder of harnesses that found bugs for a home, the latest last.
pub(crate) fn runs(harnesses: &Path, home: &Path) -> Result<Vec<PathBuf>> {
    let mut runs: Vec<(SystemTime, PathBuf)> = Vec::new();
    if !harnesses.is_dir() {
        return Ok(Vec::new());
    }
    for entry in fs::read_dir(harnesses)? {
        let folder = entry?.path().join("run");
        let is_home = fs::read_to_string(folder.join(HOME)).is_ok_and(|text| Path::new(&text) == home);
        if let (true, Ok(found)) = (is_home, fs::metadata(folder.join(BUGS)).and_then(|file| file.modified()))
        {
            runs.push((found, folder));
        }
    }
    runs.sort();
    Ok(runs.into_iter().map(|(_, folder)| folder).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bugnet::campaign::known::{Case, Of};

    #[test]
    fn bugs_of_a_run_are_found_again_by_the_home_of_their_file() {
        let harnesses = tempfile::tempdir().unwrap();
        let homes = ["one", "two"].map(|name| harnesses.path().join(name));
        let bug = KnownBug {
            name: "a".to_string(),
            of: Of::Crate("b".to_string()),
            fails: "panic in call c".to_string(),
            case: Case::Program("0".to_string()),
            ..KnownBug::default()
        };
        for (home, harness) in homes.iter().zip(["b-1", "b-2"]) {
            let run = harnesses.path().join(harness).join("run");
            fs::create_dir_all(&run).unwrap();
            fs::create_dir_all(home).unwrap();
            keep(&run, home, vec![bug.clone()]).unwrap();
        }
        let home = homes[1].canonicalize().unwrap();
        let found = runs(harnesses.path(), &home).unwrap();
        assert_eq!(found, [harnesses.path().join("b-2/run")]);
        let read = bugs(&found[0]).unwrap();
        assert_eq!((read.len(), &read[0].name), (1, &bug.name));
        assert_eq!(bugs(harnesses.path()).unwrap(), []);
        assert_eq!(runs(&harnesses.path().join("gone"), &home).unwrap(), Vec::<PathBuf>::new());
    }
}
