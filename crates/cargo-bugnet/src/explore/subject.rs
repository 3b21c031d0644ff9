//! The subject: the harness of a crate as it is built, with what is known of its operations.
//!
//! **Invariant:** what the generator knows is taken as it is; what follows from names is added here.

use super::fact::{Facts, Harness, Unreached};
use crate::harness::{self, Described, Missed};
use anyhow::{Context, Result};
use cargo_metadata::{Dependency, DependencyKind, Package};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What is explored, as the generator has built it.
pub(crate) fn of(built: &harness::Harness, package: &str) -> Result<Harness> {
    let record = &built.record;
    let names: BTreeSet<&str> = record.operations.iter().map(|described| described.name.as_str()).collect();
    let facts = record.operations.iter().map(|described| (described.name.clone(), facts(described, &names)));
    let manifest = built.folder.join("Cargo.toml");
    let text =
        fs::read_to_string(&manifest).with_context(|| format!("{} cannot be read", manifest.display()))?;
    let root = root(&manifest, package)?;
    let uses = |name: &str| {
        let is_it = |other: &Dependency| other.name == name && other.kind == DependencyKind::Normal;
        root.dependencies.iter().any(is_it)
    };
    let told = |missed: &Missed| Unreached { path: missed.function.clone(), reason: missed.reason.clone() };
    Ok(Harness {
        folder: built.folder.clone(),
        binary: built.executable.clone().into_std_path_buf(),
        source: root.manifest_path.parent().map(PathBuf::from).unwrap_or_default(),
        crate_name: built.crate_name.clone(),
        package: package.to_string(),
        version: built.version.clone(),
        dependency: dependencies(&text, &uses),
        facts: facts.collect::<BTreeMap<String, Facts>>(),
        functions: record.reach.functions.total,
        callable: record.reach.functions.reached,
        trait_functions: record.reach.implemented.total,
        trait_callable: record.reach.implemented.reached,
        unreached: record.reach.missed.iter().map(told).collect(),
        left_out: record.reach.left_out.iter().map(told).collect(),
        stand_ins: record.stand_ins.clone(),
    })
}

fn facts(described: &Described, names: &BTreeSet<&str>) -> Facts {
    let told = &described.facts;
    Facts {
        documented_panic: told.panics,
        never_panics: told.never_panics,
        precondition: told.demands,
        insists: told.insists,
        unchecked: told.unchecked,
        sizes: told.sizes,
        numbers: told.numbers,
        documented_boundary: told.boundaries,
        operator: described.is_operator,
        sibling: sibling(&described.name, names),
        trait_name: trait_name(&described.name),
        deprecated: told.deprecated,
        track_caller: told.track_caller,
        fallible: told.fallible,
        given: told.given,
        reads: told.reads,
        place: told.place.clone(),
        reason: described.promise.as_ref().map(|promise| promise.reason.clone()),
        sureness: described.promise.as_ref().map(|promise| promise.sureness),
    }
}

/// The function beside one that refuses where it panics.
fn sibling(name: &str, names: &BTreeSet<&str>) -> Option<String> {
    let (owner, function) = split(name)?;
    let refusing = [
        format!("try_{function}"),
        format!("checked_{function}"),
        format!("{function}_opt"),
        format!("{function}_checked"),
    ];
    let mut found = names.iter().filter_map(|other| split(other)).filter(|(other, _)| *other == owner);
    found.find(|(_, other)| refusing.iter().any(|name| name == other)).map(|(_, other)| other.to_string())
}

/// The type or module of an operation and its function, without type arguments of the function.
pub(super) fn split(name: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    let mut last = None;
    let bytes = name.as_bytes();
    for (place, byte) in bytes.iter().enumerate() {
        match byte {
            b'<' | b'(' => depth += 1,
            b'>' | b')' => depth -= 1,
            // What stands behind may be type arguments: `new::<u8>`.
            b':' if depth == 0
                && bytes.get(place + 1) == Some(&b':')
                && bytes.get(place + 2) != Some(&b'<') =>
            {
                last = Some(place);
            }
            _ => {}
        }
    }
    let (owner, function) = name.split_at(last?);
    let function = function.trim_start_matches(':');
    let end =
        function.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(function.len());
    Some((owner, &function[..end]))
}

/// The trait in `<Type as Trait>::function`.
fn trait_name(name: &str) -> Option<String> {
    let (owner, _) = split(name)?;
    let (_, of) = owner.strip_prefix('<')?.strip_suffix('>')?.rsplit_once(" as ")?;
    Some(of.split('<').next().unwrap_or(of).to_string())
}

/// The lines of a manifest that name what a program of this harness calls.
fn dependencies(manifest: &str, uses: &dyn Fn(&str) -> bool) -> String {
    let (_, rest) = manifest.split_once("[dependencies]\n").unwrap_or_default();
    let lines = rest.lines().take_while(|line| !line.starts_with('['));
    // Only tests of what the crate itself says by `#[check]` ask the library.
    let is_ours = |line: &str| line.starts_with("bugnet =") && !uses("bugnet");
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
mod tests {
    use super::*;

    #[test]
    fn a_sibling_refuses_where_the_function_panics() {
        let names = BTreeSet::from(["Vec<u8>::push", "Vec<u8>::try_push", "Vec<u16>::try_pop", "a::f_opt"]);
        assert_eq!(sibling("Vec<u8>::push", &names).as_deref(), Some("try_push"));
        assert_eq!(sibling("Vec<u8>::pop", &names), None);
        assert_eq!(sibling("a::f", &names).as_deref(), Some("f_opt"));
    }

    #[test]
    fn the_trait_of_a_function_is_in_its_name() {
        assert_eq!(
            trait_name("<Vec<u8> as core::ops::Index<usize>>::index").as_deref(),
            Some("core::ops::Index")
        );
        assert_eq!(trait_name("Vec<u8>::index"), None);
        assert_eq!(split("a::<T as B>::c::<u8>"), Some(("a::<T as B>", "c")));
    }

    #[test]
    fn tests_need_what_the_harness_needs_without_the_library() {
        let manifest = "[package]\nname = \"x\"\n\n[dependencies]\na = \"1\"\nbugnet = { path = \"b\" }\nc = \"2\"\n\n[profile.dev]\n";
        assert_eq!(dependencies(manifest, &|_| false), "a = \"1\"\nc = \"2\"");
        assert!(dependencies(manifest, &|name| name == "bugnet").contains("\nbugnet ="));
    }
}
