//! `cargo bugnet accept`: takes a bug of the last run into `bugnet-known.toml`.
//!
//! The bug may be one of a machine, of a property or of an explored crate. Files of older versions are written
//! again as version 2.
//!
//! **Invariant:** nothing of the file is lost: what people wrote stays with its bug.

use super::chosen;
use crate::arguments::{Accept, Place};
use crate::exit::Exit;
use crate::explore::known::Files;
use crate::explore::last;
use crate::package;
use crate::report::counted;
use crate::status::{self, Tone};
use anyhow::{Context, Result, bail};
use bugnet::campaign::known::{Accepted, EXPLORED, FILE, KnownBug, KnownFile};
use std::path::{Path, PathBuf};

/// A bug of a last run, with the folder of its known-bugs file.
#[derive(Debug)]
struct Found {
    home: PathBuf,
    bug: KnownBug,
}

/// Accepts the bug of a name.
pub(crate) fn accept(arguments: &Accept) -> Result<Exit> {
    let mut found = Vec::new();
    let (homes, harnesses) = homes(&arguments.place)?;
    for home in &homes {
        let of_tests = of_tests(home)?;
        for bug in of_tests.into_iter().chain(of_crates(&harnesses, home)?) {
            found.push(Found { home: home.clone(), bug });
        }
    }
    choose(arguments, &homes, found)
}

/// Accepts a bug of one exploration.
pub(super) fn accept_explored(name: &str, run: &Path, home: &Path) -> Result<Exit> {
    let arguments = Accept { name: name.to_string(), note: None, of: None, place: Place::default() };
    let found = last::bugs(run)?.into_iter().map(|bug| Found { home: home.to_path_buf(), bug });
    choose(&arguments, &[home.to_path_buf()], found.collect())
}

/// The folders whose known-bugs file may be meant, and the folder of all harnesses.
fn homes(place: &Place) -> Result<(Vec<PathBuf>, PathBuf)> {
    let here = std::env::current_dir()?;
    let metadata = package::metadata(place.manifest_path.as_deref());
    let mut homes = Vec::new();
    match &metadata {
        Ok(metadata) => {
            for package in package::candidates(metadata, place)? {
                homes.push(package::folder(&package).as_std_path().to_path_buf());
            }
        }
        Err(_) if place.packages.is_empty() && place.manifest_path.is_none() => {}
        Err(_) => return Err(metadata.expect_err("it is an error")),
    }
    if place.packages.is_empty() {
        // That is where published crates are explored.
        homes.push(here);
    }
    let harnesses = chosen::harnesses(metadata)?;
    let mut distinct: Vec<PathBuf> = Vec::new();
    for home in homes {
        let home = home.canonicalize().with_context(|| format!("{} cannot be read", home.display()))?;
        if !distinct.contains(&home) {
            distinct.push(home);
        }
    }
    Ok((distinct, harnesses))
}

/// The bugs that the last runs of the tests of a package have found.
fn of_tests(home: &Path) -> Result<Vec<KnownBug>> {
    let folder = home.join(".bugnet");
    let mut bugs = Vec::new();
    if !folder.is_dir() {
        return Ok(bugs);
    }
    let mut paths: Vec<_> =
        std::fs::read_dir(&folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.to_string_lossy().ends_with(".bugs.toml")) {
        bugs.extend(KnownFile::at(path).map_err(anyhow::Error::msg)?.bugs);
    }
    Ok(bugs)
}

/// The bugs that the last explorations have found; of those that two have found, what the later one says.
fn of_crates(harnesses: &Path, home: &Path) -> Result<Vec<KnownBug>> {
    let mut bugs: Vec<KnownBug> = Vec::new();
    for run in last::runs(harnesses, home)? {
        for bug in last::bugs(&run)? {
            bugs.retain(|other| other.name != bug.name || other.of != bug.of);
            bugs.push(bug);
        }
    }
    Ok(bugs)
}

/// Chooses the bug that is meant among those that were found, or else among those that are known.
fn choose(arguments: &Accept, homes: &[PathBuf], found: Vec<Found>) -> Result<Exit> {
    let Accept { name, note, of, .. } = arguments;
    let is_meant =
        |bug: &KnownBug| bug.name == *name && of.as_ref().is_none_or(|of| bug.of.to_string() == *of);
    let names: Vec<String> = found.iter().map(|found| found.bug.name.clone()).collect();
    let mut meant: Vec<Found> = found.into_iter().filter(|found| is_meant(&found.bug)).collect();
    if meant.is_empty() {
        for home in homes {
            let known = Files::read(home)?.known.bugs.into_iter().filter(|bug| is_meant(bug));
            meant.extend(known.map(|bug| Found { home: home.clone(), bug }));
        }
    }
    if meant.len() > 1 {
        let all: Vec<String> = meant.iter().map(|found| format!("`--of \"{}\"`", found.bug.of)).collect();
        bail!("several bugs are called `{name}`; say which is meant: {}", all.join(" or "));
    }
    match meant.pop() {
        Some(Found { home, bug }) => take(&home, bug, note.as_deref()),
        None if names.is_empty() => {
            bail!("no run has found a bug yet; run the tests, or `cargo bugnet explore`, first")
        }
        None => bail!("the last run has found no bug `{name}`; it has: {}", names.join(", ")),
    }
}

/// Takes a bug into the file of a folder, and says what was written.
fn take(home: &Path, bug: KnownBug, note: Option<&str>) -> Result<Exit> {
    let mut files = Files::read(home)?;
    let (path, name) = (files.path(), bug.name.clone());
    let was_old = files.known.is_old && files.known.bugs.len() > files.moved;
    let how = match files.accept(bug, note) {
        Accepted::Added => "in",
        Accepted::Changed => "which was there and is changed, in",
        Accepted::Unchanged => "which was there already, in",
    };
    files.write()?;
    status::line(Tone::Good, "Accepted", &format!("{name}, {how} {}", path.display()));
    if was_old {
        status::line(Tone::Plain, "Rewritten", &format!("{FILE}, which had no version, as version 2"));
    }
    if files.moved > 0 {
        let bugs = counted(files.moved, "known bug");
        status::line(Tone::Plain, "Moved", &format!("{bugs} from {EXPLORED} to {FILE}"));
    }
    Ok(Exit::Success)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bugnet::campaign::known::Of;

    fn arguments(name: &str) -> Accept {
        Accept { name: name.to_string(), note: None, of: None, place: Place::default() }
    }

    fn found(home: &Path, name: &str, test: &str) -> Found {
        let bug = KnownBug {
            name: name.to_string(),
            of: Of::Test(test.to_string()),
            pattern: Some("p()".to_string()),
            ..KnownBug::default()
        };
        Found { home: home.to_path_buf(), bug }
    }

    #[test]
    fn a_name_that_two_tests_have_must_be_told_apart() {
        let home = tempfile::tempdir().unwrap();
        let homes = [home.path().to_path_buf()];
        let both = || vec![found(home.path(), "shy-moth", "a::b"), found(home.path(), "shy-moth", "a::c")];
        let error = choose(&arguments("shy-moth"), &homes, both()).unwrap_err().to_string();
        assert!(error.contains("`--of \"test a::b\"` or `--of \"test a::c\"`"), "{error}");
        let one = Accept { of: Some("test a::c".to_string()), ..arguments("shy-moth") };
        choose(&one, &homes, both()).unwrap();
        let known = Files::read(home.path()).unwrap().known.bugs;
        assert_eq!((known.len(), &known[0].of), (1, &Of::Test("a::c".to_string())));
    }

    #[test]
    fn a_name_that_nobody_has_is_answered_with_those_there_are() {
        let home = tempfile::tempdir().unwrap();
        let homes = [home.path().to_path_buf()];
        let error = choose(&arguments("x"), &homes, Vec::new()).unwrap_err().to_string();
        assert!(error.contains("run the tests, or `cargo bugnet explore`, first"), "{error}");
        let all = vec![found(home.path(), "shy-moth", "t"), found(home.path(), "odd-crab", "t")];
        let error = choose(&arguments("x"), &homes, all).unwrap_err().to_string();
        assert!(error.contains("no bug `x`; it has: shy-moth, odd-crab"), "{error}");
        assert!(!home.path().join(FILE).exists());
    }

    #[test]
    fn a_bug_that_is_known_can_be_given_a_note() {
        let home = tempfile::tempdir().unwrap();
        let homes = [home.path().to_path_buf()];
        choose(&arguments("shy-moth"), &homes, vec![found(home.path(), "shy-moth", "t")]).unwrap();
        let noted = Accept { note: Some("later".to_string()), ..arguments("shy-moth") };
        choose(&noted, &homes, Vec::new()).unwrap();
        assert_eq!(Files::read(home.path()).unwrap().known.bugs[0].note, "later");
    }
}
