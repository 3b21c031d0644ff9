//! Rivals: the other build that a library is compared with, as the user names it, and where its source is.
//!
//! **Invariant:** the user's files and the state of git are only read.

use super::super::copy::standing_alone;
use super::super::session::Library;
use crate::exit::NotBuilt;
use crate::harness::{self, Build, Features, Profile};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Another build of a library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Rival {
    /// A published version.
    Version(String),
    /// A revision that git knows.
    Revision(String),
    /// The same source, without checks of overflow and without debug assertions.
    Release,
    /// The same source, with other features.
    Features(Features),
}

impl Rival {
    /// Reads what the user has written.
    pub(crate) fn read(text: &str) -> Result<Rival> {
        if let Some(names) = text.strip_prefix("features=") {
            let named = names.split(',').filter(|name| !name.is_empty()).map(str::to_string).collect();
            return Ok(Rival::Features(Features { named, ..Features::default() }));
        }
        Ok(match text {
            "" => {
                bail!("--against needs a version, a revision of git, or `release`, such as `--against 1.2.3`")
            }
            "release" => Rival::Release,
            "all-features" => Rival::Features(Features { all: true, ..Features::default() }),
            "no-default-features" => Rival::Features(Features { no_default: true, ..Features::default() }),
            version if is_version(version) => Rival::Version(version.to_string()),
            revision => Rival::Revision(revision.to_string()),
        })
    }

    /// Returns the build, and a short name for it.
    pub(crate) fn build(&self, subject: &Library, own: &Build, below: &Path) -> Result<(Build, String)> {
        let name = subject.package.name.to_string();
        Ok(match self {
            Rival::Version(version) => {
                let subject = harness::Subject::Published { name, version: Some(version.clone()) };
                (Build { subject, ..own.clone() }, version.clone())
            }
            Rival::Revision(revision) => {
                let (folder, short) = checked_out(subject.home(), revision, &below.join("revisions"))?;
                let subject = harness::Subject::Local { name, folder };
                (Build { subject, ..own.clone() }, short)
            }
            Rival::Release if own.profile == Profile::Release => {
                bail!("with --release both builds are the same; leave it out to compare with `release`")
            }
            Rival::Release => (Build { profile: Profile::Release, ..own.clone() }, "release".to_string()),
            Rival::Features(features) if *features == own.features => {
                bail!("both builds have the same features; name others than those of this build")
            }
            Rival::Features(features) => {
                (Build { features: features.clone(), ..own.clone() }, described(features))
            }
        })
    }
}

/// Returns whether a text is a whole version: three numbers, and perhaps more after them.
fn is_version(text: &str) -> bool {
    let numbers = text.split(['-', '+']).next().unwrap_or_default();
    let numbers: Vec<&str> = numbers.split('.').collect();
    numbers.len() == 3 && numbers.iter().all(|number| number.parse::<u64>().is_ok())
}

fn described(features: &Features) -> String {
    match features {
        Features { all: true, .. } => "all features".to_string(),
        Features { no_default: true, .. } => "no default features".to_string(),
        Features { named, .. } => format!("features {}", named.join(", ")),
    }
}

/// Writes the files of a revision below a folder; returns the folder of the package in it, and the short name of the
/// revision.
fn checked_out(home: &Path, revision: &str, below: &Path) -> Result<(PathBuf, String)> {
    let known = git(home, &["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")], None);
    let commit = known.with_context(|| {
        format!(
            "`{revision}` is neither a published version (such as 1.2.3) nor a revision that git knows in {}; \
             `git fetch --tags` may bring it",
            home.display()
        )
    })?;
    let short: String = commit.chars().take(12).collect();
    let top = PathBuf::from(git(home, &["rev-parse", "--show-toplevel"], None)?);
    let package = git(home, &["rev-parse", "--show-prefix"], None)?;
    let folder = below.join(&short);
    if !folder.exists() {
        // A folder that is only half written has another name.
        let half = below.join(format!("{short}-{}", std::process::id()));
        fs::create_dir_all(&half).with_context(|| format!("{} cannot be made", half.display()))?;
        let index = half.join(".index");
        git(&top, &["read-tree", &commit], Some(&index))?;
        git(&top, &["checkout-index", "--all", &format!("--prefix={}/", half.display())], Some(&index))?;
        fs::remove_file(&index)?;
        apart(&half, &half.join(&package))?;
        if fs::rename(&half, &folder).is_err() {
            // Another run was faster.
            fs::remove_dir_all(&half)?;
        }
    }
    let package = folder.join(package);
    if !package.join("Cargo.toml").is_file() {
        bail!("`{revision}` has no package at {}; it lay elsewhere then", package.display());
    }
    Ok((package, format!("{revision} ({})", &short[..8])))
}

/// Marks the manifest of a package as that of a workspace, unless it is in one: the folder lies below others.
fn apart(top: &Path, package: &Path) -> Result<()> {
    let manifests = package.ancestors().take_while(|folder| folder.starts_with(top));
    let texts = manifests.filter_map(|folder| {
        let path = folder.join("Cargo.toml");
        fs::read_to_string(&path).ok().map(|text| (path, text))
    });
    // The outermost manifest is that of the workspace, if there is one.
    let Some((path, text)) = texts.last() else { return Ok(()) };
    fs::write(path, standing_alone(text))?;
    Ok(())
}

/// Asks git, with an index of its own if that is given.
fn git(folder: &Path, words: &[&str], index: Option<&Path>) -> Result<String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(words);
    if let Some(index) = index {
        command.env("GIT_INDEX_FILE", index);
    }
    let output = command.output().context("git cannot be started, and revisions come from it")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_string();
        bail!("git: {said}");
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_string())
}

/// Says which build an error is about that kept it from being built.
pub(crate) fn about(error: anyhow::Error, label: &str) -> anyhow::Error {
    if error.is::<NotBuilt>() { error.context(format!("while comparing with {label}")) } else { error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_is_named_by_a_version_a_revision_a_profile_or_features() {
        let read = |text: &str| Rival::read(text).unwrap();
        assert_eq!(read("1.2.3"), Rival::Version("1.2.3".into()));
        assert_eq!(read("1.0.0-rc.1+x"), Rival::Version("1.0.0-rc.1+x".into()));
        for revision in ["v1.2.3", "HEAD~2", "main", "1.2", "abc1234"] {
            assert_eq!(read(revision), Rival::Revision(revision.into()), "{revision}");
        }
        assert_eq!(read("release"), Rival::Release);
        let named = Features { named: vec!["a".into(), "b".into()], ..Features::default() };
        assert_eq!(read("features=a,b"), Rival::Features(named));
        assert_eq!(read("all-features"), Rival::Features(Features { all: true, ..Features::default() }));
        assert!(Rival::read("").is_err());
    }
}
