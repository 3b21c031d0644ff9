//! The built harness: its program, what can be called by it, and the facts about each operation.
//!
//! **Invariant:** it is made after the harness was built, and never changes.

use super::{Harness, Laws, Missed, StandIn};
use crate::api::Facts;
use anyhow::{Context, Result};
use cargo_metadata::{Dependency, DependencyKind, Package};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// A harness that is built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Built {
    /// The generated crate.
    pub(crate) folder: PathBuf,
    /// Its program.
    pub(crate) binary: PathBuf,
    /// The root of the package under test.
    pub(crate) source: PathBuf,
    pub(crate) crate_name: String,
    pub(crate) package: String,
    pub(crate) version: String,
    /// The line of `[dependencies]` for a crate that tests it.
    pub(crate) dependency: String,
    /// The facts about each operation, by its name.
    pub(crate) facts: BTreeMap<String, Facts>,
    /// The number of free and inherent functions, and below it the number that can be called.
    pub(crate) functions: usize,
    pub(crate) callable: usize,
    /// The same for functions of traits.
    pub(crate) trait_functions: usize,
    pub(crate) trait_callable: usize,
    /// The functions that cannot be called.
    pub(crate) unreached: Vec<Missed>,
    /// The functions that could be called, but touch files, processes or the network.
    pub(crate) left_out: Vec<Missed>,
    /// Types of our own that its operations use.
    pub(crate) stand_ins: Vec<StandIn>,
    /// The laws that somebody has stated.
    pub(crate) laws: Laws,
}

impl Built {
    /// Returns the facts about an operation.
    pub(crate) fn facts_of(&self, operation: &str) -> &Facts {
        static UNKNOWN: LazyLock<Facts> = LazyLock::new(Facts::default);
        self.facts.get(operation).unwrap_or(&UNKNOWN)
    }
}

/// Describes the harness that the generator has built.
pub(crate) fn of(built: &Harness, package: &str) -> Result<Built> {
    let record = &built.record;
    let manifest = built.folder.join("Cargo.toml");
    let text =
        fs::read_to_string(&manifest).with_context(|| format!("{} cannot be read", manifest.display()))?;
    let root = root(&manifest, package)?;
    let uses = |name: &str| {
        let is_it = |other: &Dependency| other.name == name && other.kind == DependencyKind::Normal;
        root.dependencies.iter().any(is_it)
    };
    Ok(Built {
        folder: built.folder.clone(),
        binary: built.executable.clone().into_std_path_buf(),
        source: built.source.clone(),
        crate_name: built.crate_name.clone(),
        package: package.to_string(),
        version: built.version.clone(),
        dependency: dependencies(&text, &uses),
        facts: built.facts.clone(),
        functions: record.reach.functions.total,
        callable: record.reach.functions.reached,
        trait_functions: record.reach.implemented.total,
        trait_callable: record.reach.implemented.reached,
        unreached: record.reach.missed.clone(),
        left_out: record.reach.left_out.clone(),
        stand_ins: built.stand_ins.clone(),
        laws: built.laws.clone(),
    })
}

/// The lines of a manifest that name what a program of this harness calls.
fn dependencies(manifest: &str, uses: &dyn Fn(&str) -> bool) -> String {
    let (_, rest) = manifest.split_once("[dependencies]\n").unwrap_or_default();
    let lines = rest.lines().take_while(|line| !line.starts_with('['));
    // Only tests of what the crate itself says by `#[check]` ask the library.
    let is_ours =
        |line: &str| line.starts_with("bugnet-explore =") || line.starts_with("bugnet =") && !uses("bugnet");
    let lines = lines.filter(|line| !line.is_empty() && !is_ours(line));
    lines.collect::<Vec<_>>().join("\n")
}

/// The package of the crate.
fn root(manifest: &Path, package: &str) -> Result<Package> {
    let mut command = cargo_metadata::MetadataCommand::new();
    let metadata =
        command.manifest_path(manifest).exec().context("cargo cannot be asked about the harness")?;
    let mut packages = metadata.packages.into_iter();
    packages.find(|other| other.name.as_str() == package).context("cargo does not know the crate any more")
}

#[cfg(test)]
pub(crate) mod example {
    use super::*;

    pub(crate) fn harness() -> Built {
        Built {
            folder: PathBuf::from("h"),
            binary: PathBuf::from("h/target/debug/harness"),
            source: PathBuf::from("s"),
            crate_name: "bit_vec".to_string(),
            package: "bit-vec".to_string(),
            version: "0.10.1".to_string(),
            dependency: "bit-vec = \"=0.10.1\"".to_string(),
            facts: Default::default(),
            functions: 57,
            callable: 53,
            trait_functions: 10,
            trait_callable: 9,
            unreached: Vec::new(),
            left_out: Vec::new(),
            stand_ins: Vec::new(),
            laws: Laws::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_need_what_the_harness_needs_without_the_library() {
        let manifest = "[package]\nname = \"x\"\n\n[dependencies]\na = \"1\"\nbugnet = { path = \"b\" }\nbugnet-explore = { path = \"e\" }\nc = \"2\"\n\n[profile.dev]\n";
        assert_eq!(dependencies(manifest, &|_| false), "a = \"1\"\nc = \"2\"");
        assert!(dependencies(manifest, &|name| name == "bugnet").contains("\nbugnet ="));
    }
}
