//! The crates that users of ours get with it: their licences, where they come from, and how many they are.
//!
//! **Invariant:** nothing is downloaded but what the tests are built of, and `Cargo.lock` is read as it is.

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package, PackageId};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Licences that let anybody use the whole for anything.
const LICENCES: [&str; 7] =
    ["Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "CC0-1.0", "MIT", "Unicode-3.0", "Zlib"];

/// Crates of which two versions are built, because dependencies of ours do not agree. Add one only if there is no
/// other way: users build both.
const TWICE: [&str; 2] = ["nix", "syn"];

/// Returns what Cargo knows of the workspace, with all features of the library.
fn metadata() -> Metadata {
    let features = ["arbitrary", "proptest", "regex", "values"].map(|name| format!("bugnet/{name}"));
    let mut command = MetadataCommand::new();
    command.manifest_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.toml"));
    command.features(cargo_metadata::CargoOpt::SomeFeatures(features.to_vec()));
    command.other_options(["--locked".to_string()]).exec().unwrap()
}

/// Returns the packages that are published here, and everything that is built with them but for their tests.
fn shipped(metadata: &Metadata) -> Vec<&Package> {
    let nodes = &metadata.resolve.as_ref().unwrap().nodes;
    let is_published = |package: &&&Package| package.publish.is_none();
    let published = metadata.workspace_packages();
    let mut open: Vec<&PackageId> =
        published.iter().filter(is_published).map(|package| &package.id).collect();
    let mut seen: BTreeSet<&PackageId> = open.iter().copied().collect();
    while let Some(id) = open.pop() {
        let node = nodes.iter().find(|node| node.id == *id).unwrap();
        let is_built = |kinds: &[cargo_metadata::DepKindInfo]| {
            kinds.iter().any(|kind| kind.kind != DependencyKind::Development)
        };
        let used = node.deps.iter().filter(|dependency| is_built(&dependency.dep_kinds));
        open.extend(used.map(|dependency| &dependency.pkg).filter(|id| seen.insert(id)));
    }
    metadata.packages.iter().filter(|package| seen.contains(&package.id)).collect()
}

/// Returns true if one of the licences that are offered is on the list: `(MIT OR Apache-2.0) AND Unicode-3.0`.
fn is_free(offer: &str) -> bool {
    let is_listed = |licence: &str| LICENCES.contains(&licence.trim());
    let has_choice = |part: &str| {
        let part = part.trim().trim_start_matches('(').trim_end_matches(')');
        part.split(" OR ").flat_map(|one| one.split('/')).any(is_listed)
    };
    offer.split(" AND ").all(has_choice)
}

#[test]
fn a_licence_is_free_if_each_part_offers_one_that_is() {
    assert!(
        ["MIT", "MIT/Apache-2.0", "LGPL-2.1 OR MIT", "(MIT OR X) AND Unicode-3.0"].into_iter().all(is_free)
    );
    assert!(!["", "GPL-3.0-only", "MIT AND GPL-3.0-only", "MPL-2.0 OR X"].into_iter().any(is_free));
}

#[test]
fn whatever_users_build_may_be_used_for_anything() {
    let metadata = metadata();
    let shipped = shipped(&metadata);
    assert!(shipped.len() > 50, "the command has dependencies");
    let offer = |package: &Package| package.license.clone().unwrap_or_default();
    let others = shipped.iter().filter(|package| !is_free(&offer(package)));
    let others: Vec<String> = others.map(|package| format!("{}: {}", package.name, offer(package))).collect();
    assert_eq!(others, [""; 0]);
}

#[test]
fn every_crate_comes_from_the_one_registry_or_from_here() {
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    let lock = fs::read_to_string(lock).unwrap();
    let sources: BTreeSet<&str> = lock.lines().filter_map(|line| line.strip_prefix("source = ")).collect();
    assert_eq!(sources.len(), 1, "{sources:?}");
    assert!(sources.first().unwrap().starts_with("\"registry+"), "{sources:?}");
}

#[test]
fn no_crate_is_built_in_two_versions_without_need() {
    let metadata = metadata();
    let mut versions: BTreeMap<&str, usize> = BTreeMap::new();
    for package in shipped(&metadata) {
        *versions.entry(package.name.as_str()).or_default() += 1;
    }
    let twice: Vec<&str> =
        versions.into_iter().filter(|(_, count)| *count > 1).map(|(name, _)| name).collect();
    assert_eq!(twice, TWICE);
}

#[test]
fn the_libraries_need_nothing_of_others() {
    let metadata = metadata();
    for name in ["bugnet", "bugnet-explore", "bugnet-macros", "bugnet-process"] {
        let package = metadata.packages.iter().find(|package| package.name.as_str() == name).unwrap();
        let needed = package.dependencies.iter();
        let needed = needed.filter(|used| used.kind != DependencyKind::Development && !used.optional);
        let foreign: Vec<&str> =
            needed.filter(|used| used.path.is_none()).map(|used| used.name.as_str()).collect();
        assert_eq!(foreign, [""; 0], "{name}");
    }
}

#[test]
fn what_is_published_says_what_it_is() {
    let metadata = metadata();
    let packages = metadata.workspace_packages();
    for package in packages.into_iter().filter(|package| package.publish.is_none()) {
        let name = &package.name;
        assert!(package.description.is_some() && package.license.is_some(), "{name}");
        assert!(package.readme.as_ref().is_some_and(|file| file.file_name() == Some("README.md")), "{name}");
        // The registry takes five of each.
        assert!((1..=5).contains(&package.keywords.len()), "{name}");
        assert!((1..=5).contains(&package.categories.len()), "{name}");
    }
}
