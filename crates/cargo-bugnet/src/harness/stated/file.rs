//! Law files: files of tests that state laws, each compiled as it stands as a library beside the harness.
//!
//! **Invariant:** nothing is written beside the file of the user, and a file that does not compile is an error that shows
//! what the compiler says.

use super::super::scratch::{self, Scratch};
use crate::api::{Api, Document, Rustdoc, Stated};
use crate::package;
use crate::status;
use anyhow::{Context, Result, bail};
use cargo_metadata::{Dependency, DependencyKind, Metadata, Package};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A file that states laws.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LawFile {
    /// Its place, from the root.
    pub(crate) path: PathBuf,
    /// The name of its crate in Rust, which is that of the file.
    pub(crate) name: String,
    edition: String,
    /// The lines of `[dependencies]` beside the crate under test and Bugnet.
    dependencies: String,
}

impl LawFile {
    /// Returns a file that states laws of the crate of a name. It may use what the tests of its package use.
    pub(crate) fn at(path: &Path, subject: &str, package: Option<&Package>) -> Result<LawFile> {
        let whole =
            path.canonicalize().with_context(|| format!("the law file {} cannot be read", path.display()))?;
        let text = std::fs::read_to_string(&whole)
            .with_context(|| format!("the law file {} cannot be read", path.display()))?;
        if count(&text) == 0 {
            bail!("{} states no law; write `#[law]` before a function", path.display());
        }
        let stem = whole.file_stem().map(|stem| stem.to_string_lossy().replace('-', "_")).unwrap_or_default();
        let others =
            package.iter().flat_map(|package| &package.dependencies).map(|other| other.name.as_str());
        let mut taken = others.chain([subject, "bugnet", "main", "test", "std", "core"]);
        let is_taken = taken.any(|name| name.replace('-', "_") == stem);
        let name = if is_taken { format!("{stem}_laws") } else { stem };
        let edition = package.map_or("2024".to_string(), |package| package.edition.to_string());
        let dependencies = package.map(dependencies).unwrap_or_default();
        Ok(LawFile { path: whole, name, edition, dependencies })
    }

    /// Returns the files of tests of a package that state laws.
    pub(crate) fn of_package(package: &Package) -> Result<Vec<LawFile>> {
        let tests = package.targets.iter().filter(|target| target.is_test());
        let states = |path: &Path| std::fs::read_to_string(path).is_ok_and(|text| count(&text) > 0);
        let mut paths: Vec<&Path> = tests.map(|target| target.src_path.as_std_path()).collect();
        paths.retain(|path| states(path));
        paths.sort();
        paths.into_iter().map(|path| LawFile::at(path, &package.name, Some(package))).collect()
    }

    /// The name of its package.
    fn package(&self) -> String {
        format!("law-file-{}", self.name)
    }

    /// Writes its package below the harness; returns the line by which that depends on it.
    pub(in crate::harness) fn write(&self, scratch: &Scratch) -> Result<(String, String)> {
        let folder = format!("laws/{}", self.name);
        let (package, name, path) = (self.package(), &self.name, self.path.display().to_string());
        let mut manifest = format!(
            "# Written by `cargo bugnet check`; changes are lost.\n[package]\nname = \"{package}\"\nversion = \"0.0.0\"\n\
             edition = \"{}\"\npublish = false\n\n[lib]\nname = \"{name}\"\npath = {path:?}\n\n[dependencies]\n",
            self.edition
        );
        let _ = write!(manifest, "{}{}", scratch.dependency(), self.dependencies);
        let _ = writeln!(manifest, "bugnet = {{ {} }}", scratch::source_of("bugnet"));
        scratch.write(&format!("{folder}/Cargo.toml"), &manifest)?;
        let folder = scratch.folder.join(folder).display().to_string();
        Ok((package, format!("path = {folder:?}")))
    }
}

/// Reads the laws that files state, after those that are known, and adds what else is public in the files to what can be
/// called.
pub(in crate::harness) fn read(
    (files, mut stated): (&[LawFile], Vec<Stated>),
    scratch: &Scratch,
    api: &mut Api,
    is_public: &dyn Fn(&[String]) -> bool,
) -> Result<Vec<Stated>> {
    for file in files {
        let rustdoc = Rustdoc {
            manifest: &scratch.manifest(),
            package: &format!("{}@0.0.0", file.package()),
            name: &file.name,
            target: &scratch.folder.join("doc"),
        };
        let written = rustdoc.write().with_context(|| format!("the law file {}", file.path.display()))?;
        let mut own = Document::read(&written)?.api_beside(is_public, Some(api));
        let found = own.take_stated();
        let text = std::fs::read_to_string(&file.path).unwrap_or_default();
        if found.len() < count(&text) {
            status::warning(&format!(
                "{} of {} laws in {} can be called; those in a module need `pub mod`, and no law may depend on `cfg(test)`",
                found.len(),
                count(&text),
                file.path.display()
            ));
        }
        stated.extend(found);
        api.join(own);
    }
    Ok(stated)
}

/// Counts the functions in a text that are under `#[law]`.
pub(super) fn count(text: &str) -> usize {
    let lines = text.lines().map(str::trim_start);
    lines
        .filter(|line| ["#[law]", "#[law(", "#[bugnet::law"].iter().any(|mark| line.starts_with(mark)))
        .count()
}

/// The lines of `[dependencies]` by which a test of a package has what it uses.
fn dependencies(package: &Package) -> String {
    let is_ours = |dependency: &&Dependency| {
        dependency.kind != DependencyKind::Build
            && dependency.name != "bugnet"
            && dependency.target.is_none()
            && !dependency.optional
    };
    let mut lines: Vec<String> = package.dependencies.iter().filter(is_ours).map(line).collect();
    lines.sort();
    // What a library and its tests both use is named once.
    lines.dedup_by(|one, other| one.split(' ').next() == other.split(' ').next());
    lines.concat()
}

/// The line of a dependency.
pub(super) fn line(dependency: &Dependency) -> String {
    let mut parts = match &dependency.path {
        Some(path) => vec![format!("path = {:?}", path.as_str())],
        None => vec![format!("version = {:?}", dependency.req.to_string())],
    };
    if dependency.rename.is_some() {
        parts.push(format!("package = {:?}", dependency.name));
    }
    if !dependency.features.is_empty() {
        parts.push(format!("features = {:?}", dependency.features));
    }
    if dependency.optional {
        parts.push("optional = true".to_string());
    }
    if !dependency.uses_default_features {
        parts.push("default-features = false".to_string());
    }
    format!("{} = {{ {} }}\n", dependency.rename.as_ref().unwrap_or(&dependency.name), parts.join(", "))
}

/// Returns the files that state the laws of a package of this workspace.
pub(crate) fn of_workspace(
    metadata: &Metadata,
    name: Option<&str>,
    manifest: Option<&Path>,
) -> Result<Vec<LawFile>> {
    LawFile::of_package(package::one(metadata, name, manifest)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_functions_under_the_attribute_are_counted() {
        let text = "// #[law]\n#[law]\nfn a() {}\n    #[law(cases = 3)]\n    #[bugnet::law]\n#[lawful]\n";
        assert_eq!(count(text), 3);
    }

    #[test]
    fn a_law_file_is_a_crate_of_its_own_name_unless_another_has_that() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("of-graphs.rs");
        std::fs::write(&path, "#[law]\nfn a() {}\n").unwrap();
        let name = |subject: &str| LawFile::at(&path, subject, None).unwrap().name;
        assert_eq!([name("petgraph"), name("of-graphs")], ["of_graphs", "of_graphs_laws"]);
        std::fs::write(&path, "fn a() {}\n").unwrap();
        assert!(LawFile::at(&path, "petgraph", None).unwrap_err().to_string().contains("states no law"));
    }
}
