//! A session: one package with all its mutants compiled, and what its own tests say of them.
//!
//! **Invariant:** everything lies below one folder of what is built; the user's files are only read.

use super::build::Workshop;
use super::choice::Choice;
use super::copy;
use super::mutation::Mutant;
use super::neutral::{Class, Judge};
use super::operator::Operators;
use super::question::{self, Question};
use super::schema_rust::Schema;
use super::schema_rust::cfg::Cfg;
use super::suite::{Runner, Suite};
use super::{filter, offer, pack};
use crate::client::Client;
use crate::explore::progress;
use crate::harness::{self, Features, Harness};
use crate::interrupt::processor_time;
use crate::{package, status};
use anyhow::{Context, Result, bail};
use cargo_metadata::{Metadata, Package, TargetKind};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The folder of copies within the target folder.
const FOLDER: &str = "bugnet/variants";
/// The folder of harnesses: that of `explore`, so that shared dependencies are built once.
pub(crate) const HARNESSES: &str = "bugnet/explore";

/// The package whose variants are made.
#[derive(Debug)]
pub(crate) struct Library {
    pub(crate) package: Package,
    pub(crate) workspace: PathBuf,
    pub(crate) target: PathBuf,
    pub(crate) features: Features,
    /// The file with the root of the library.
    root: PathBuf,
}

impl Library {
    /// Finds the package that is meant.
    pub(crate) fn find(name: Option<&str>, manifest: Option<&Path>, features: Features) -> Result<Library> {
        let metadata = package::metadata(manifest)?;
        let package = package::one(&metadata, name, manifest)?.clone();
        let kinds =
            [TargetKind::Lib, TargetKind::RLib, TargetKind::CDyLib, TargetKind::DyLib, TargetKind::StaticLib];
        let is_library = |kind: &TargetKind| kinds.contains(kind);
        let library = package.targets.iter().find(|target| target.kind.iter().any(is_library));
        let Some(library) = library else {
            let is_macro = package.targets.iter().any(|target| target.kind.contains(&TargetKind::ProcMacro));
            let why =
                if is_macro { "is a procedural macro, which runs in the compiler" } else { "has no library" };
            bail!(
                "{} {why}; variants are made of libraries, so move the code to test into one",
                package.name
            );
        };
        let root = library.src_path.clone().into_std_path_buf();
        let Metadata { workspace_root, target_directory, .. } = metadata;
        let (workspace, target) = (workspace_root.into_std_path_buf(), target_directory.into_std_path_buf());
        Ok(Library { package, workspace, target, features, root })
    }

    /// Returns the folder of the user's package.
    pub(crate) fn home(&self) -> &Path {
        package::folder(&self.package).as_std_path()
    }

    /// Returns the folder for everything that is made of the package.
    pub(crate) fn folder(&self) -> PathBuf {
        self.target.join(FOLDER).join(self.package.name.as_str())
    }

    /// Returns the folder of the copy of the package.
    fn copied(&self) -> PathBuf {
        let below = self.home().strip_prefix(&self.workspace).unwrap_or(Path::new(""));
        self.folder().join("copy").join(below)
    }

    /// Returns the features that are on, with those that they switch on.
    fn cfg(&self) -> Cfg {
        let known = &self.package.features;
        let mut open: Vec<String> = self.features.named.clone();
        if self.features.all {
            open.extend(known.keys().cloned());
        }
        if !self.features.no_default {
            open.push("default".to_string());
        }
        let mut features = BTreeSet::new();
        while let Some(feature) = open.pop() {
            let feature = feature.rsplit('/').next().unwrap_or_default().to_string();
            if features.insert(feature.clone()) {
                open.extend(
                    known
                        .get(&feature)
                        .into_iter()
                        .flatten()
                        .filter(|other| !other.starts_with("dep:"))
                        .cloned(),
                );
            }
        }
        Cfg { features }
    }

    /// Reads the library, and finds its mutants.
    pub(crate) fn schema(&self, operators: Operators, choice: &Choice) -> Result<Schema> {
        let roots = self.package.targets.iter().map(|target| target.src_path.clone().into_std_path_buf());
        let others: Vec<PathBuf> = roots.filter(|root| *root != self.root).collect();
        let mut schema = Schema::read(self.home(), &self.root, &others, &self.cfg(), operators)?;
        schema.retain(&|mutations, mutant| choice.has(mutations, mutant));
        if schema.mutations.sites.is_empty() {
            bail!(
                "nothing of {} can be changed with these options; `--list` prints what can",
                self.package.name
            );
        }
        Ok(schema)
    }
}

/// The settings of a session.
pub(crate) struct Effort<'a> {
    pub(crate) jobs: usize,
    pub(crate) is_release: bool,
    /// The point in time after which no more mutants are tested.
    pub(crate) end: Option<Instant>,
    pub(crate) is_interrupted: &'a (dyn Fn() -> bool + Sync),
}

/// A package with its mutants compiled and judged.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) subject: Library,
    pub(crate) schema: Schema,
    /// The number of mutants that were proposed to the compiler.
    pub(crate) proposed: usize,
    pub(crate) rounds: usize,
    pub(crate) suite: Suite,
    pub(crate) runner: Runner,
    pub(crate) workshop: Workshop,
    /// The mutants that compile, and what the suite says of each.
    pub(crate) mutants: Vec<(Mutant, Class)>,
    /// The folder of the package in the copy.
    pub(crate) copied: PathBuf,
    pub(crate) jobs: usize,
    /// The processor time that testing the mutants took.
    pub(crate) spent: Duration,
}

impl Session {
    /// Compiles the mutants of a package and tests each.
    pub(crate) fn run(subject: Library, mut schema: Schema, effort: &Effort<'_>) -> Result<Session> {
        let (folder, copied) = (subject.folder(), subject.copied());
        let written = schema.mutations.files.iter().chain(&schema.sharing).map(|file| {
            let below = subject.home().strip_prefix(&subject.workspace).unwrap_or(Path::new(""));
            below.join(&file.path)
        });
        copy::copy(&subject.workspace, &folder.join("copy"), &subject.target, &written.collect())?;
        // Cargo refuses a package without its library, so that is there before Cargo is asked anything.
        schema.write(&copied)?;
        let proposed = schema.mutants().len();
        let manifest = copied.join("Cargo.toml");
        let metadata =
            package::metadata(Some(&manifest)).context("the copy of the package cannot be read")?;
        let package = package::one(&metadata, Some(subject.package.name.as_str()), Some(&manifest))?.clone();
        let workshop = Workshop {
            package,
            features: subject.features.clone(),
            target: folder.join("target"),
            is_release: effort.is_release,
        };
        status::progress("Building", &format!("{proposed} mutants of {}", subject.package.name));
        let built = workshop.build(&mut schema, &copied)?;
        let runner = Runner { scratch: folder.join("scratch"), is_confined: true };
        let suite = runner.learn(&built.binaries)?;
        suite.check(subject.package.name.as_str())?;
        for test in &suite.flaky {
            let name = test.full_name();
            status::warning(&format!("{name} passes and fails with nothing changed, so it is left out"));
        }
        for test in &suite.needy {
            let name = test.full_name();
            status::warning(&format!(
                "{name} needs files or a network that no mutant gets, so it is left out"
            ));
        }
        let mutants = schema.mutants();
        let before = processor_time();
        let classes = judged(&runner, &suite, &mutants, effort)?;
        let spent = processor_time().saturating_sub(before);
        let mutants = mutants.into_iter().zip(classes).collect();
        let (rounds, jobs) = (built.rounds, effort.jobs);
        Ok(Session {
            subject,
            schema,
            proposed,
            rounds,
            suite,
            runner,
            workshop,
            mutants,
            copied,
            jobs,
            spent,
        })
    }

    /// Returns the mutants of some classes.
    pub(crate) fn of(&self, is_wanted: impl Fn(&Class) -> bool) -> Vec<Mutant> {
        self.mutants.iter().filter(|(_, class)| is_wanted(class)).map(|(mutant, _)| *mutant).collect()
    }
}

/// The results of exploring the API with the living mutants.
#[derive(Debug, Default)]
pub(crate) struct Exploration {
    /// The mutants that were looked for, and the variants that they were packed into.
    pub(crate) living: usize,
    pub(crate) variants: usize,
    pub(crate) programs: u64,
    /// Mutants that some program has noticed.
    pub(crate) noticed: usize,
    /// Tests that were compiled, passed, and failed on their mutants; the one that settles most first.
    pub(crate) questions: Vec<Question>,
}

impl Session {
    /// Looks for programs that notice the mutants which the suite lets live.
    pub(crate) fn explore(
        &self,
        seed: u64,
        programs: u64,
        time: Duration,
        is_interrupted: &dyn Fn() -> bool,
    ) -> Result<Exploration> {
        let living = self.of(|class| matches!(class, Class::Live | Class::Unreached));
        if living.is_empty() {
            return Ok(Exploration::default());
        }
        let name = self.subject.package.name.to_string();
        status::progress("Reading", &format!("the API of {name}"));
        let local = harness::Subject::Local { name: name.clone(), folder: self.copied.clone() };
        let built =
            Harness::of_variants(local, self.subject.features.clone(), &self.subject.target.join(HARNESSES))?;
        let judge = Judge::new(&self.runner, &self.suite.tests, self.jobs);
        let is_neutral =
            |variant: &Vec<Mutant>| Ok(matches!(judge.class(variant)?, Class::Live | Class::Unreached));
        let variants = pack::pack(&self.schema.mutations, &living, &mut |variants| {
            variants.iter().map(is_neutral).collect()
        })?;
        let what = format!("{programs} programs on {} variants of {} mutants", variants.len(), living.len());
        status::progress("Exploring", &what);
        let folder = self.subject.folder().join("run");
        std::fs::create_dir_all(&folder)?;
        let client = Client { binary: built.executable.as_std_path(), folder: &folder };
        let end = Instant::now() + time;
        let line = progress::Line::new("Exploring");
        let tell = |program: u64, alarms: usize| {
            line.say(format!("{program} of {programs} programs, {alarms} alarms"))
        };
        let filtered = filter::filter(client, &variants, filter::Budget { seed, programs, end }, &tell)?;
        let noticed: BTreeSet<_> = filtered.alarms.iter().flat_map(|alarm| &alarm.noticed).collect();
        let noticed = noticed.len();
        drop(line);
        let line = progress::Line::new("Reducing");
        let tell = |done: usize| line.say(format!("{done} questions"));
        let is_late = || is_interrupted() || Instant::now() >= end + time;
        let mutations = &self.schema.mutations;
        let asked = question::questions(client, mutations, &filtered, &living, &is_late, &tell)?;
        line.say("the tests".to_string());
        let questions = offer::offered(asked, &self.workshop, &self.runner, &self.copied)?;
        let (living, variants) = (living.len(), variants.len());
        Ok(Exploration { living, variants, programs: filtered.programs, noticed, questions })
    }
}

/// Returns what the suite says of mutants.
fn judged(runner: &Runner, suite: &Suite, mutants: &[Mutant], effort: &Effort<'_>) -> Result<Vec<Class>> {
    let line = progress::Line::new("Testing");
    let tell = |done: usize| {
        if done.is_multiple_of(10) {
            line.say(format!("{done} of {} mutants", mutants.len()));
        }
    };
    let is_late = || (effort.is_interrupted)() || effort.end.is_some_and(|end| Instant::now() > end);
    Judge::new(runner, &suite.tests, effort.jobs).all(mutants, &is_late, &tell)
}
