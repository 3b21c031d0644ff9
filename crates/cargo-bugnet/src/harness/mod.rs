//! The harness: a crate with an operation for everything that users of another crate can call.
//!
//! The compiler is asked [`question`]s about traits of other crates. From the [`Api`], the [`generator`] proposes [`candidate`]s, each with variants: the [`solver`]
//! chooses types, [`argument`] writes arguments, [`outcome`] says what becomes of the result. All are
//! written into one [`source`], the compiler says in a [`check`] what it refuses, and the first variant of
//! each that is left makes the harness.
//!
//! **Invariant:** what a harness has compiles, and the same crate, features, compiler and version of
//! this program give the same harness.

mod argument;
pub(crate) mod built;
mod call;
mod candidate;
mod change;
mod check;
mod choice;
pub(crate) mod closure;
mod coverage;
mod demand;
mod expression;
mod fact;
mod form;
mod generator;
mod implementation;
mod instance;
mod law;
pub(crate) mod name;
mod outcome;
mod outside;
mod pair;
mod prelude;
mod pruning;
mod question;
mod reach;
mod reply;
mod sample;
mod scratch;
mod solver;
mod source;
mod stand_in;
mod standard;
mod stated;
mod value;

pub(crate) use coverage::{Coverage, exec_rustc};
pub(crate) use pair::Pair;
pub(crate) use reach::{Missed, Reach};
pub(crate) use sample::Extent;
pub(crate) use scratch::{Build, Features, Profile, Subject};
pub(crate) use stand_in::StandIn;
pub(crate) use stated::Laws;
pub(crate) use stated::file::{self as law_file, LawFile};
#[cfg(test)]
pub(crate) use stated::selector::Missing;

use crate::api::{Api, Document, Facts, Rustdoc};
use crate::dictionary::Dictionary;
use crate::status;
use anyhow::{Result, bail};
use cargo_metadata::{Metadata, Package, camino::Utf8PathBuf};
use generator::Generator;
use pruning::{Bench, Pruning};
use question::Answers;
use scratch::Scratch;
use serde::{Deserialize, Serialize};
use solver::Solver;
use stated::selector::{self, Selected};
use stated::shadow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The purpose of a harness.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Calls are made to see how they fail.
    #[default]
    Exploring,
    /// Results are shown as well, and the code under test has switches.
    Comparing,
    /// Calls make the values that stated laws are checked with.
    Checking,
    /// Results are shown as well, and another build runs the same programs.
    Contrasting,
}

/// A built harness.
#[derive(Debug)]
pub(crate) struct Harness {
    /// The program that runs it.
    pub(crate) executable: Utf8PathBuf,
    /// The folder of the generated crate.
    pub(crate) folder: PathBuf,
    /// The root of the package under test.
    pub(crate) source: PathBuf,
    pub(crate) crate_name: String,
    pub(crate) version: String,
    pub(crate) record: Record,
    /// The facts about each operation. They are not kept: documentation may change where the harness does not.
    pub(crate) facts: BTreeMap<String, Facts>,
    /// The types of our own that operations use.
    pub(crate) stand_ins: Vec<StandIn>,
    /// The laws that somebody has stated.
    pub(crate) laws: Laws,
}

/// The record of a harness beside its program; kept with it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Record {
    version: u32,
    /// Stands for everything that the harness was made from.
    identity: String,
    /// The number of times that the compiler was asked.
    pub(crate) rounds: usize,
    pub(crate) reach: Reach,
    /// The names of its operations.
    pub(crate) operations: Vec<String>,
    /// The names of the types of our own that operations use.
    stand_ins: Vec<String>,
    /// Stated laws whose calls the compiler refuses, each with what it says.
    refused: Vec<(String, String)>,
    /// The functions that are called in no harness, because another build has them otherwise.
    changed: Vec<String>,
}

/// The version of [`Record`]; records of others are not read.
const VERSION: u32 = 2;

/// The fixed part of a harness.
const MAIN: &str = "\
//! Written by `cargo bugnet explore`; changes are lost.
#![allow(warnings, reason = \"calls are written for the compiler, which says which of them it takes\")]
mod allocator;
mod dictionary;
#[cfg(target_os = \"linux\")]
mod entropy;
mod operations;

fn main() -> std::process::ExitCode {
    bugnet_explore::dictionary(&dictionary::DICTIONARY);
    bugnet_explore::told(operations::TOLD);
    bugnet_explore::main_with(operations::suite, &allocator::GAUGE)
}
";
/// It parks a thread that asks for more memory than there is.
const ALLOCATOR: &str = include_str!("template/allocator.rs");
const COUNTERS: &str = include_str!("template/counters.rs");
const ENTROPY: &str = include_str!("template/entropy.rs");

impl Harness {
    /// Makes the harness of a crate below a folder, or finds the one that was made before.
    pub(crate) fn of(
        subject: Subject,
        features: Features,
        extent: Extent,
        coverage: Coverage,
        below: &Path,
    ) -> Result<Harness> {
        Harness::made(subject, features, coverage, (extent, Purpose::Exploring, &[]), below)
    }

    /// Makes a harness of a crate and of files that state laws, to explore it or to check those alone.
    pub(crate) fn with_laws(
        subject: Subject,
        features: Features,
        coverage: Coverage,
        (extent, purpose, laws): (Extent, Purpose, &[LawFile]),
        below: &Path,
    ) -> Result<Harness> {
        Harness::made(subject, features, coverage, (extent, purpose, laws), below)
    }

    /// Makes the harness of a crate that was built with variants in it.
    pub(crate) fn of_variants(subject: Subject, features: Features, below: &Path) -> Result<Harness> {
        Harness::made(subject, features, Coverage::Off, (Extent::Whole, Purpose::Comparing, &[]), below)
    }

    fn made(
        subject: Subject,
        features: Features,
        coverage: Coverage,
        (extent, purpose, laws): (Extent, Purpose, &[LawFile]),
        below: &Path,
    ) -> Result<Harness> {
        demand_compiler(&compiler())?;
        let build = Build { subject, features, profile: Profile::Checked };
        let scratch = Scratch::new(build, purpose, coverage, laws, below)?;
        scratch.lock()?;
        scratch.write("src/main.rs", &main(coverage))?;
        scratch.write("src/allocator.rs", ALLOCATOR)?;
        scratch.write("src/counters.rs", COUNTERS)?;
        scratch.write("src/entropy.rs", ENTROPY)?;
        scratch.write_manifest(&[])?;
        let metadata = scratch.metadata()?;
        let package = scratch.package(&metadata)?.clone();
        let folder = package.manifest_path.parent().map_or(Path::new(""), |folder| folder.as_std_path());
        let folder = folder.to_path_buf();
        let mut scratch = scratch.for_package(&package);
        let shadow = if purpose == Purpose::Comparing { None } else { shadow::write(&package, &scratch)? };
        let (mut metadata, mut package) = (metadata, package);
        let is_shadow = shadow.is_some();
        let is_hidden = is_shadow && shadow::hides_laws(&package);
        if let Some(shadow) = shadow {
            scratch = scratch.for_shadow(shadow);
        }
        scratch.write_manifest(&[])?;
        if is_shadow {
            metadata = scratch.metadata()?;
            package = scratch.package(&metadata)?.clone();
        }
        let crate_name = scratch::library_name(&package).unwrap_or_default();
        if purpose == Purpose::Comparing {
            scratch.write("src/main.rs", &main(coverage).replace(STARTS, &switched(&crate_name)))?;
        }
        let mut api = read(&scratch, &metadata, &package, &crate_name)?;
        if let Some(left_out) = extent.taken_of(&mut api) {
            status::progress("Left out", &left_out.to_string());
        }
        let scratch = scratch.for_api(&api);
        let files: Vec<(String, String)> =
            laws.iter().map(|file| file.write(&scratch)).collect::<Result<_>>()?;
        if !files.is_empty() {
            scratch.write_manifest(&files)?;
            metadata = scratch.metadata()?;
        }
        let inside = api.take_stated();
        let hidden = inside.iter().filter(|_| is_hidden).map(|law| law.function.name.clone()).collect();
        let stated = law_file::read((laws, inside), &scratch, &mut api, &|path| has_public(&metadata, path))?;
        if purpose == Purpose::Checking && stated.is_empty() {
            bail!("`{}` states no law; write `#[law]` before a function in one of its tests", package.name);
        }
        let mut others = others(&api, &metadata, &package);
        others.retain(|(name, _)| files.iter().all(|(known, _)| known != name));
        others.extend(files);
        with_json(&scratch, &mut api, &mut others)?;
        let cargo = scratch.cargo(&below.join("target"), &crate_name);
        let drafts = stand_in::drafts(&Solver::with(&api, Answers::new()));
        let said = question::ask(&api, &drafts, &scratch, &cargo)?;
        let stand_ins = stand_in::join(&mut api, drafts, &said.is_taken);
        let solver = Solver::with(&api, said.answers);
        let is_checking = purpose == Purpose::Checking;
        let mut proposal = Generator::propose_with(&solver, &stated, !is_checking);
        let mut selected = Selected::default();
        if is_checking {
            stated::prefer(&mut proposal.candidates, &stated::subjects(&stated));
            selected = selector::select(std::mem::take(&mut proposal.candidates));
            proposal.candidates = std::mem::take(&mut selected.candidates);
            // No law of traits is asked.
            proposal.kinds.clear();
        }
        if proposal.candidates.is_empty() {
            bail!("`{}` has no public functions or values, so there is nothing to explore", package.name);
        }
        let dictionary = Dictionary::of(&api.docs, &folder);
        let pruning =
            Pruning { rounds: said.rounds, stand_ins, purpose, ..Pruning::new(&api, &proposal, &dictionary) };
        let stand_ins = pruning.stand_ins.clone();
        let (mut executables, record) = pruning.run(&[Bench { scratch: &scratch, cargo: &cargo }])?;
        Ok(Harness {
            executable: executables.remove(0),
            folder: scratch.folder.clone(),
            source: folder,
            crate_name,
            version: package.version.to_string(),
            facts: fact::of_operations(&proposal.candidates, &record.operations),
            stand_ins: stand_ins.into_iter().filter(|one| record.stand_ins.contains(&one.name)).collect(),
            laws: Laws {
                files: laws.to_vec(),
                names: stated.iter().map(|law| law.function.name.clone()).collect(),
                reasons: selected.reasons,
                missing: selected.missing,
                refused: record.refused.clone(),
                hidden,
            },
            record,
        })
    }
}

/// The line with which the fixed part begins to work.
const STARTS: &str = "fn main() -> std::process::ExitCode {\n";

/// The same for a crate with switches.
fn switched(crate_name: &str) -> String {
    let table = format!("{crate_name}::__bugnet");
    format!(
        "{STARTS}    bugnet_explore::switches(bugnet_explore::Switches {{\n        arm: {table}::arm,\n        \
         disarm: {table}::disarm,\n        reached: {table}::reached,\n        steps: {table}::steps,\n    }});\n"
    )
}

/// The fixed part, with or without counters.
fn main(coverage: Coverage) -> String {
    match coverage {
        Coverage::Off => MAIN.to_string(),
        Coverage::On => MAIN.replace("mod dictionary;", "mod counters;\nmod dictionary;").replace(
            "main_with(operations::suite, &allocator::GAUGE)",
            "main_counted(operations::suite, &allocator::GAUGE, counters::lend)",
        ),
    }
}

/// Has rustdoc tell the API of the crate.
fn read(scratch: &Scratch, metadata: &Metadata, package: &Package, name: &str) -> Result<Api> {
    let rustdoc = Rustdoc {
        manifest: &scratch.manifest(),
        package: &format!("{}@{}", package.name, package.version),
        name,
        target: &scratch.folder.join("doc"),
    };
    let is_public = |path: &[String]| has_public(metadata, path);
    let document = Document::read(&rustdoc.write()?)?;
    document.warnings.iter().for_each(|warning| status::warning(warning));
    Ok(document.api(&is_public))
}

/// Returns true if an item of another crate is named by the place of its definition, as far as the text of that
/// crate's root tells. Otherwise it is to be had from the root.
fn has_public(metadata: &Metadata, path: &[String]) -> bool {
    let [crate_name, module, .., name] = path else { return true };
    let is_it = |package: &&Package| scratch::library_name(package).as_ref() == Some(crate_name);
    let roots = metadata.packages.iter().filter(is_it).filter_map(scratch::library_root);
    let text: String = roots.filter_map(|root| std::fs::read_to_string(root).ok()).collect();
    let declares = |words: &str| {
        let ends = text.match_indices(words).map(|(place, _)| text[place + words.len()..].chars().next());
        ends.into_iter().any(|next| next.is_some_and(|letter| !letter.is_alphanumeric() && letter != '_'))
    };
    let is_declared = declares(&format!("pub mod {module}")) || !declares(&format!("mod {module}"));
    is_declared && !re_exports(&text, name)
}

/// Returns true if the text of a module re-exports something by its own name.
fn re_exports(text: &str, name: &str) -> bool {
    let lines = text.lines().map(str::trim_start).filter(|line| !line.starts_with("//"));
    let code = lines.collect::<Vec<_>>().join("\n");
    let uses = code.split("pub use ").skip(1).filter_map(|rest| rest.split(';').next());
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    let named = |part: &str| part.split("::").last().is_some_and(|last| last.trim() == name);
    uses.into_iter().any(|used| {
        let parts = used.split(['{', '}', ',']).filter(|part| part.contains(is_letter));
        parts.into_iter().any(named)
    })
}

/// The crate that writes and reads values of types with the traits of serde.
const JSON: (&str, &str) = ("serde_json", "version = \"1\", features = [\"float_roundtrip\"]");

/// Writes the manifest; if values of the crate are written and read by serde, with what does that.
fn with_json(scratch: &Scratch, api: &mut Api, others: &mut Vec<(String, String)>) -> Result<()> {
    if law::serial::has_any(api) && !others.iter().any(|(name, _)| name == JSON.0) {
        others.push((JSON.0.to_string(), JSON.1.to_string()));
        scratch.write_manifest(others)?;
        if scratch.metadata().is_ok() {
            return Ok(());
        }
        // Who is not connected goes without.
        others.pop();
        api.blocks.retain(|block| block.of.as_ref().is_none_or(|of| of.name() != "Serialize"));
    }
    scratch.write_manifest(others)
}

/// The packages of other crates whose items the API names, and which versions of them.
fn others(api: &Api, metadata: &Metadata, package: &Package) -> Vec<(String, String)> {
    let nodes = metadata.resolve.iter().flat_map(|resolve| &resolve.nodes);
    let direct: Vec<_> = nodes.filter(|node| node.id == package.id).flat_map(|node| &node.deps).collect();
    let is_direct = |package: &Package| direct.iter().any(|dependency| dependency.pkg == package.id);
    let mut found = Vec::new();
    for name in api.crates.iter().filter(|name| **name != api.name && *name != "bugnet") {
        let mut packages: Vec<&Package> = metadata
            .packages
            .iter()
            .filter(|other| scratch::library_name(other).as_ref() == Some(name))
            .collect();
        packages.sort_by_key(|other| !is_direct(other));
        if let Some(other) = packages.first() {
            let requirement = format!("version = \"={}\", default-features = false", other.version);
            found.push((other.name.to_string(), requirement));
        }
    }
    found
}

/// Returns the version of the compiler, which tells one from another.
fn compiler() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = std::process::Command::new(rustc).arg("-vV").output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
}

/// The oldest Rust that compiles the libraries of a harness: the `rust-version` of the workspace. This command itself
/// needs a newer one.
const RUST: &str = "1.85";

/// Refuses a compiler that cannot build a harness. One that does not tell its version is tried.
fn demand_compiler(told: &str) -> Result<()> {
    let number = |text: &str| {
        let mut parts = text.split(['.', '-']).map(|part| part.parse::<u32>().unwrap_or_default());
        (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
    };
    let release = told.lines().find_map(|line| line.strip_prefix("release: "));
    match release {
        Some(release) if number(release) < number(RUST) => bail!(
            "a harness needs Rust {RUST} or later, and this is Rust {release}; `cargo +stable bugnet …` runs it by \
             the newest"
        ),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
