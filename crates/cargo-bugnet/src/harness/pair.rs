//! A pair: harnesses of two builds of a crate, with the same operations.
//!
//! **Invariant:** a tape is the same program in both harnesses. What only one of the builds has is in neither.

use super::candidate::{Candidate, Origin};
use super::check::Cargo;
use super::generator::{Generator, Proposal};
use super::question::{self, Answers};
use super::scratch::{self, Scratch};
use super::solver::Solver;
use super::stand_in::{self, StandIn};
use super::{
    ALLOCATOR, Bench, Build, COUNTERS, Coverage, ENTROPY, Pruning, Purpose, compiler, demand_compiler, main,
    others, reach, read, with_json,
};
use crate::api::Api;
use crate::dictionary::Dictionary;
use anyhow::{Context, Result, bail};
use cargo_metadata::{Metadata, Package};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Harnesses of two builds.
#[derive(Debug)]
pub(crate) struct Pair {
    /// The programs of the first build and of the other one.
    pub(crate) executables: [PathBuf; 2],
    /// The number of functions that are called in both.
    pub(crate) common: usize,
    /// Functions that only the first build has, and only the other one.
    pub(crate) added: Vec<String>,
    pub(crate) removed: Vec<String>,
    /// Functions that both have, with other types.
    pub(crate) changed: Vec<String>,
    /// The public fields of the types, such as `Point.x`.
    pub(crate) open: Vec<String>,
}

impl Pair {
    /// Makes the harnesses of two builds below a folder.
    pub(crate) fn of(builds: [Build; 2], below: &Path) -> Result<Pair> {
        let [first, other] = builds;
        demand_compiler(&compiler())?;
        let opened = |build| Opened::of(build, below);
        let (first, other) = (opened(first)?, opened(other).context("the other build cannot be read")?);
        if first.crate_name != other.crate_name {
            bail!(
                "the library was called `{}`, and is `{}` now; programs cannot call both by one name",
                other.crate_name,
                first.crate_name
            );
        }
        let (mut first, cargo) = first.ready(below, &[])?;
        let (other, other_cargo) = other.ready(below, &first.others)?;
        let (stand_ins, answers) = first.asked(&cargo)?;
        let names = |api: &Api| reach::names(api).into_values().collect::<BTreeSet<String>>();
        let (own, there) = (names(&first.api), names(&other.api));
        let solver = Solver::with(&first.api, answers);
        let proposal = common(Generator::propose_with(&solver, &[], true), &first.api, &there);
        if proposal.candidates.is_empty() {
            bail!("the two builds of `{}` have no public function in common", first.package.name);
        }
        let dictionary = first.dictionary();
        let pruning = Pruning::new(&first.api, &proposal, &dictionary);
        let purpose = Purpose::Contrasting;
        let pruning = Pruning { stand_ins, purpose, ..pruning };
        let benches = [(&first, &cargo), (&other, &other_cargo)];
        let benches = benches.map(|(opened, cargo)| Bench { scratch: &opened.scratch, cargo });
        let (executables, record) = pruning.run(&benches)?;
        let executables: Vec<PathBuf> =
            executables.into_iter().map(|path| path.into_std_path_buf()).collect();
        Ok(Pair {
            executables: executables.try_into().expect("there is one for each bench"),
            common: record.reach.functions.reached + record.reach.implemented.reached,
            added: own.difference(&there).cloned().collect(),
            removed: there.difference(&own).cloned().collect(),
            changed: record.changed,
            open: [open(&first.api), open(&other.api)].concat(),
        })
    }
}

/// A crate whose API was read, and the package in which its harness will be built.
struct Opened {
    scratch: Scratch,
    metadata: Metadata,
    package: Package,
    crate_name: String,
    api: Api,
    /// The packages of other crates whose items are named, and which versions of them, once that is written.
    others: Vec<(String, String)>,
}

impl Opened {
    /// Has Cargo find a crate, and rustdoc tell its API.
    fn of(build: Build, below: &Path) -> Result<Opened> {
        let scratch = Scratch::new(build, Purpose::Contrasting, Coverage::Off, &[], below)?;
        scratch.lock()?;
        for (name, text) in [
            ("src/main.rs", &main(Coverage::Off)[..]),
            ("src/allocator.rs", ALLOCATOR),
            ("src/counters.rs", COUNTERS),
            ("src/entropy.rs", ENTROPY),
        ] {
            scratch.write(name, text)?;
        }
        scratch.write_manifest(&[])?;
        let metadata = scratch.metadata()?;
        let package = scratch.package(&metadata)?.clone();
        let scratch = scratch.for_package(&package);
        scratch.write_manifest(&[])?;
        let crate_name = scratch::library_name(&package).unwrap_or_default();
        let api = read(&scratch, &metadata, &package, &crate_name)?;
        Ok(Opened { scratch, metadata, package, crate_name, api, others: Vec::new() })
    }

    /// Writes the manifest, with some more packages, and returns how the package is built.
    fn ready(mut self, below: &Path, more: &[(String, String)]) -> Result<(Opened, Cargo)> {
        self.scratch = self.scratch.for_api(&self.api);
        self.others = others(&self.api, &self.metadata, &self.package);
        for other in more {
            if self.others.iter().all(|(name, _)| *name != other.0) {
                self.others.push(other.clone());
            }
        }
        with_json(&self.scratch, &mut self.api, &mut self.others)?;
        let cargo = self.scratch.cargo(&below.join("target"), &self.crate_name);
        Ok((self, cargo))
    }

    /// Asks the compiler which types implement traits of other crates, and which types of our own it takes.
    fn asked(&mut self, cargo: &Cargo) -> Result<(Vec<StandIn>, Answers)> {
        let drafts = stand_in::drafts(&Solver::with(&self.api, Answers::new()));
        let said = question::ask(&self.api, &drafts, &self.scratch, cargo)?;
        Ok((stand_in::join(&mut self.api, drafts, &said.is_taken), said.answers))
    }

    /// Returns the literals of the package.
    fn dictionary(&self) -> Dictionary {
        let folder = self.package.manifest_path.parent().map_or(Path::new(""), |folder| folder.as_std_path());
        Dictionary::of(&self.api.docs, folder)
    }
}

/// Leaves out what calls functions that the other build does not have.
fn common(proposal: Proposal, api: &Api, there: &BTreeSet<String>) -> Proposal {
    let names = reach::names(api);
    let is_there = |candidate: &Candidate| match candidate.origin {
        Origin::Value | Origin::Law => true,
        origin => names.get(&origin).is_none_or(|name| there.contains(name)),
    };
    Proposal { candidates: proposal.candidates.into_iter().filter(is_there).collect(), ..proposal }
}

/// Returns the public fields of an API, by the names that `Debug` prints.
fn open(api: &Api) -> Vec<String> {
    let mut found = Vec::new();
    for (path, definition) in &api.definitions {
        let name = path.rsplit("::").next().unwrap_or(path);
        found.extend(definition.fields.iter().map(|(field, _)| format!("{name}.{field}")));
        for constructor in &definition.constructors {
            let name = constructor.variant.as_deref().unwrap_or(name);
            let fields = constructor.fields.iter().filter_map(|(field, _)| field.as_ref());
            found.extend(fields.map(|field| format!("{name}.{field}")));
        }
    }
    found
}
