//! Aims: what a harness is run for, which is everything that users of a crate can call, or the laws that somebody states.
//!
//! **Invariant:** the command of an aim runs the same harness again.

use super::chosen;
use crate::arguments::{CrateChoice, Switch};
use crate::finding::Finding;
use crate::harness::built::{self, Built};
use crate::harness::{self, Coverage, Harness, LawFile, Purpose, law_file};
use crate::package;
use crate::report::counted;
use crate::status;
use anyhow::Result;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The purpose that a harness is run for.
#[derive(Debug)]
pub(super) struct Aim {
    purpose: Purpose,
    /// The files that state laws, and those of them that the user has named.
    files: Vec<LawFile>,
    named: Vec<PathBuf>,
}

impl Aim {
    /// Everything that users of a crate can call, and the laws of its tests.
    pub(super) fn everything(choice: &CrateChoice) -> Result<Aim> {
        Ok(Aim { purpose: Purpose::Exploring, files: files(choice)?, named: Vec::new() })
    }

    /// The laws of the tests of a crate, or of the files that are named instead.
    pub(super) fn laws(choice: &CrateChoice, named: &[PathBuf]) -> Result<Aim> {
        let files = match (named, &choice.published) {
            ([], _) => files(choice)?,
            (_, Some(crate_name)) => {
                let published = harness::Subject::published(crate_name);
                at(named, |path| LawFile::at(path, published.name(), None))?
            }
            (_, None) => {
                let metadata = package::metadata(choice.package.manifest_path.as_deref())?;
                let package = package::one(
                    &metadata,
                    choice.package.name.as_deref(),
                    choice.package.manifest_path.as_deref(),
                )?;
                at(named, |path| LawFile::at(path, &package.name, Some(package)))?
            }
        };
        Ok(Aim { purpose: Purpose::Checking, files, named: named.to_vec() })
    }

    pub(super) fn is_checking(&self) -> bool {
        self.purpose == Purpose::Checking
    }

    /// Makes the harness, or finds the one that was made before.
    pub(super) fn harness(&self, choice: &CrateChoice, coverage: Switch) -> Result<Built> {
        let (explored, folder) = chosen::subject(choice)?;
        super::explore::create(&folder)?;
        let (features, extent) = (chosen::features(&choice.features), chosen::extent(choice));
        let name = explored.name().to_string();
        status::progress("Reading", &format!("the API of {name}"));
        let (start, coverage) = (Instant::now(), Coverage::possible(coverage));
        let what = (extent, self.purpose, &self.files[..]);
        let built = Harness::with_laws(explored, features, coverage, what, &folder)?;
        let harness = built::of(&built, &name)?;
        status::progress(
            "Built",
            &format!("{}, in {:.1}s", self.built(&harness), start.elapsed().as_secs_f64()),
        );
        Ok(harness)
    }

    /// Says what was built.
    fn built(&self, harness: &Built) -> String {
        let Built { functions, callable, trait_functions, trait_callable, .. } = harness;
        match self.purpose {
            Purpose::Checking => format!(
                "{} and the {} that they need",
                counted(harness.laws.names.len(), "law"),
                counted(harness.facts.len() - harness.laws.names.len().min(harness.facts.len()), "operation")
            ),
            _ => format!(
                "{callable} of {functions} functions and {trait_callable} of {trait_functions} functions of traits can be \
                 called"
            ),
        }
    }

    /// Returns true if a finding is what the run is for: whoever checks laws is not told how functions refuse.
    pub(super) fn is_about(&self, finding: &Finding, harness: &Built) -> bool {
        !self.is_checking() || finding.cause.is_deadly() || harness.facts_of(&finding.operation).stated
    }

    /// The command that does the same again.
    pub(super) fn command(&self, choice: &CrateChoice, harness: &Built) -> String {
        let mut words =
            vec![format!("cargo bugnet {}", if self.is_checking() { "check" } else { "explore" })];
        words.extend(self.named.iter().map(|path| format!("--laws {}", path.display())));
        match (&choice.published, &choice.package.name) {
            (Some(_), _) => words.push(format!("--crate {}@{}", harness.package, harness.version)),
            (None, Some(package)) => words.push(format!("-p {package}")),
            (None, None) => {}
        }
        if let Some(path) = &choice.package.manifest_path {
            words.push(format!("--manifest-path {}", path.display()));
        }
        if !choice.features.named.is_empty() {
            words.push(format!("--features {}", choice.features.named.join(",")));
        }
        let flags = [
            (choice.features.all, "--all-features"),
            (choice.features.no_default, "--no-default-features"),
            (choice.all_functions, "--all-functions"),
        ];
        words.extend(flags.into_iter().filter(|(is_on, _)| *is_on).map(|(_, flag)| flag.to_string()));
        words.join(" ")
    }
}

/// The files of tests that state laws of a crate of the workspace.
fn files(choice: &CrateChoice) -> Result<Vec<LawFile>> {
    if choice.published.is_some() {
        return Ok(Vec::new());
    }
    let manifest = choice.package.manifest_path.as_deref();
    law_file::of_workspace(&package::metadata(manifest)?, choice.package.name.as_deref(), manifest)
}

/// The law files at some paths. A folder stands for the files in it.
fn at(paths: &[PathBuf], file: impl Fn(&Path) -> Result<LawFile>) -> Result<Vec<LawFile>> {
    let mut files = Vec::new();
    for path in paths {
        let mut inside = match fs::read_dir(path) {
            Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).collect(),
            Err(_) => vec![path.clone()],
        };
        inside.retain(|inside| inside == path || inside.extension().is_some_and(|ending| ending == "rs"));
        inside.sort();
        for path in inside {
            files.push(file(&path)?);
        }
    }
    Ok(files)
}
