//! Packages: where a command looks for properties.
//!
//! **Invariant:** without `-p` the packages are those that `cargo test` would take in the same folder,
//! as far as they use Bugnet.

use crate::arguments::Place;
use anyhow::{Context, Result, bail};
use cargo_metadata::{Metadata, MetadataCommand, Package, camino::Utf8Path};
use std::path::{Path, PathBuf};

/// The file that makes a folder a package.
const MANIFEST: &str = "Cargo.toml";

/// Returns the facts that Cargo knows about the workspace.
pub(crate) fn metadata(manifest: Option<&Path>) -> Result<Metadata> {
    let mut command = MetadataCommand::new();
    command.no_deps();
    if let Some(path) = manifest {
        command.manifest_path(path);
    }
    command.exec().map_err(|error| match error {
        // Cargo's own sentence says it best.
        cargo_metadata::Error::CargoMetadata { stderr } => {
            anyhow::anyhow!("{}", stderr.trim().trim_start_matches("error: "))
        }
        other => anyhow::Error::new(other).context("cargo cannot be asked about this workspace"),
    })
}

/// The packages that a command is about.
pub(crate) fn chosen(place: &Place) -> Result<Vec<Package>> {
    let metadata = metadata(place.manifest_path.as_deref())?;
    let is_named = !place.packages.is_empty();
    let candidates = candidates(&metadata, place)?.into_iter();
    let users: Vec<Package> = candidates.filter(|package| is_named || uses_bugnet(package)).collect();
    if users.is_empty() {
        bail!("no package here depends on bugnet; `cargo add --dev bugnet` makes it one that does");
    }
    Ok(users)
}

/// The same, whether they use Bugnet or not.
pub(crate) fn candidates(metadata: &Metadata, place: &Place) -> Result<Vec<Package>> {
    if !place.packages.is_empty() {
        return named(metadata, &place.packages);
    }
    let candidates = match nearest_member(metadata, place)? {
        Some(package) if !place.workspace => vec![package],
        _ if place.workspace => metadata.workspace_packages(),
        _ => metadata.workspace_default_packages(),
    };
    Ok(candidates.into_iter().cloned().collect())
}

fn named(metadata: &Metadata, names: &[String]) -> Result<Vec<Package>> {
    let packages = metadata.workspace_packages();
    let find = |name: &String| {
        let found = packages.iter().find(|package| package.name.as_str() == name);
        found.map(|package| Package::clone(package)).with_context(|| {
            let known: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
            format!("this workspace has no package `{name}`; it has: {}", known.join(", "))
        })
    };
    names.iter().map(find).collect()
}

/// The one package that is meant: the named one, the one that the user stands in, or the only one.
pub(crate) fn one<'a>(
    metadata: &'a Metadata,
    name: Option<&str>,
    manifest: Option<&Path>,
) -> Result<&'a Package> {
    let packages = metadata.workspace_packages();
    if let Some(name) = name {
        let known: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
        let known = known.join(", ");
        let found = packages.into_iter().find(|package| package.name.as_str() == name);
        return found.with_context(|| format!("this workspace has no package `{name}`; it has: {known}"));
    }
    let manifest = match manifest {
        Some(path) => Some(path.to_path_buf()),
        None => nearest_manifest(&std::env::current_dir()?),
    };
    let manifest = manifest.and_then(|path| path.canonicalize().ok());
    let here = packages.iter().find(|package| package.manifest_path.canonicalize().ok() == manifest);
    match (here, &packages[..]) {
        (Some(package), _) | (None, [package]) => Ok(package),
        (None, _) => {
            let names: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
            bail!("say which package is meant: `-p` with one of {}", names.join(", "))
        }
    }
}

/// The member of the workspace that the user stands in, unless that is the root of the workspace.
fn nearest_member<'a>(metadata: &'a Metadata, place: &Place) -> Result<Option<&'a Package>> {
    let manifest = match &place.manifest_path {
        Some(path) => Some(path.clone()),
        None => nearest_manifest(&std::env::current_dir()?),
    };
    let manifest = manifest.and_then(|path| path.canonicalize().ok());
    let is_same = |path: &Utf8Path| path.canonicalize().ok() == manifest;
    if is_same(&metadata.workspace_root.join(MANIFEST)) {
        return Ok(None);
    }
    Ok(metadata.workspace_packages().into_iter().find(|package| is_same(&package.manifest_path)))
}

fn nearest_manifest(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().map(|above| above.join(MANIFEST)).find(|path| path.is_file())
}

fn uses_bugnet(package: &Package) -> bool {
    let mut dependencies = package.dependencies.iter().map(|dependency| dependency.name.as_str());
    package.name.as_str() == "bugnet" || dependencies.any(|name| name == "bugnet")
}

/// The folder of a package.
pub(crate) fn folder(package: &Package) -> &Utf8Path {
    package.manifest_path.parent().expect("a manifest lies in a folder")
}
