//! Shadows: the package of a crate once more, built as its own tests see it.
//!
//! Laws beside private fields stand under `#[cfg(test)]` where Bugnet is a dependency of the tests only, and then no other
//! crate sees them. A shadow has the sources of the crate, the dependencies of its tests too, and `cfg(test)`.
//!
//! **Invariant:** only a crate whose sources state laws has one, and nothing is written beside those.

use super::super::scratch::{self, Scratch};
use super::file::{count, line};
use crate::status;
use anyhow::Result;
use cargo_metadata::{DependencyKind, Package, TargetKind};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The build script, which says that the crate is built for tests.
const BUILD: &str = "fn main() {\n    println!(\"cargo::rustc-cfg=test\");\n}\n";

/// Writes the shadow of a package, if its sources state laws; returns its folder.
pub(in crate::harness) fn write(package: &Package, scratch: &Scratch) -> Result<Option<PathBuf>> {
    let Some(root) = scratch::library_root(package) else { return Ok(None) };
    if !root.parent().is_some_and(states_laws) {
        return Ok(None);
    }
    if package.targets.iter().any(|target| target.kind.contains(&TargetKind::CustomBuild)) {
        let what = "it has a build script, so laws under `#[cfg(test)]` in its sources are not seen; state them in tests";
        status::warning(&format!("{}: {what}", package.name));
        return Ok(None);
    }
    scratch.write("shadow/build.rs", BUILD)?;
    scratch.write("shadow/Cargo.toml", &manifest(package, root))?;
    Ok(Some(scratch.folder.join("shadow")))
}

/// Returns true if only the tests of a package see the laws in its sources, as Bugnet is a dependency of those alone.
pub(in crate::harness) fn hides_laws(package: &Package) -> bool {
    let of_bugnet = package.dependencies.iter().filter(|one| one.name == "bugnet");
    { of_bugnet }.all(|one| one.kind != DependencyKind::Normal)
}

/// Returns true if a file of a folder states a law.
fn states_laws(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    { entries }.any(|entry| {
        let path = entry.path();
        let is_source = path.extension().is_some_and(|ending| ending == "rs");
        path.is_dir() && states_laws(&path)
            || is_source && fs::read_to_string(&path).is_ok_and(|text| count(&text) > 0)
    })
}

fn manifest(package: &Package, root: &Path) -> String {
    let mut text = format!(
        "# Written by `cargo bugnet check`; changes are lost.\n[package]\nname = \"{}\"\nversion = \"{}\"\nedition = \"{}\"\n\
         publish = false\nbuild = \"build.rs\"\n\n[lib]\nname = \"{}\"\npath = {:?}\n\n\
         [lints.rust]\nexplicit_builtin_cfgs_in_flags = \"allow\"\n\n[features]\n",
        package.name,
        package.version,
        package.edition,
        scratch::library_name(package).unwrap_or_default(),
        root.display().to_string()
    );
    for (name, enables) in &package.features {
        let _ = writeln!(text, "{name} = {enables:?}");
    }
    text.push_str("\n[dependencies]\n");
    let is_used =
        |kind: DependencyKind| kind == DependencyKind::Normal || kind == DependencyKind::Development;
    let used = package.dependencies.iter().filter(|one| is_used(one.kind) && one.target.is_none());
    // What a library and its tests both use is named once, as the library does.
    let mut used: Vec<_> = used.filter(|one| one.name != "bugnet").collect();
    used.sort_by_key(|one| (one.name.clone(), one.kind != DependencyKind::Normal));
    used.dedup_by_key(|one| one.name.clone());
    used.iter().for_each(|one| text.push_str(&line(one)));
    let _ = writeln!(text, "bugnet = {{ {} }}", scratch::source_of("bugnet"));
    text
}
