//! The scratch package: the crate that is generated for another, and where it lies.

use super::Purpose;
use super::check::Cargo;
use super::coverage::{self, Coverage};
use super::stated::file::LawFile;
use crate::api::Api;
use crate::status;
use anyhow::{Context, Result, bail};
use cargo_metadata::{Metadata, MetadataCommand, Package};
use std::fmt::Write;
use std::fs::TryLockError;
use std::path::{Path, PathBuf};

/// The crate to explore.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Subject {
    /// A package of the workspace: its name and folder.
    Local { name: String, folder: PathBuf },
    /// A published package, with its version if that was given.
    Published { name: String, version: Option<String> },
}

impl Subject {
    /// Reads `name` or `name@version`.
    pub(crate) fn published(text: &str) -> Subject {
        let (name, version) = match text.split_once('@') {
            Some((name, version)) => (name, Some(version.to_string())),
            None => (text, None),
        };
        Subject::Published { name: name.to_string(), version }
    }

    /// The name of the package.
    pub(crate) fn name(&self) -> &str {
        match self {
            Subject::Local { name, .. } | Subject::Published { name, .. } => name,
        }
    }
}

/// The features of the crate that are on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Features {
    pub(crate) named: Vec<String>,
    pub(crate) all: bool,
    pub(crate) no_default: bool,
}

/// The optimization and the checks of a build.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Profile {
    /// Fast, and with all checks.
    #[default]
    Checked,
    /// As `cargo build --release` builds: without checks of overflow and without debug assertions.
    Release,
}

/// A crate, and how it is built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Build {
    pub(crate) subject: Subject,
    pub(crate) features: Features,
    pub(crate) profile: Profile,
}

/// The file with the versions that Cargo has chosen.
const LOCK: &str = "Cargo.lock";

/// A folder with the generated package.
#[derive(Debug)]
pub(crate) struct Scratch {
    pub(crate) folder: PathBuf,
    subject: Subject,
    features: Features,
    profile: Profile,
    coverage: Coverage,
    /// The package of the crate by its name and version, once that is known.
    package: Option<String>,
    /// The optimization level of the harness itself.
    level: u8,
    identity: String,
    /// The folder of the crate built as its own tests see it, if that is what is called.
    shadow: Option<PathBuf>,
}

/// The profile of the build: fast, and with all its own checks. What runs at build time need not be fast.
const PROFILE: &str = "\
[profile.dev]
opt-level = 2
debug = false
debug-assertions = true
overflow-checks = true
incremental = false
panic = \"unwind\"

[profile.dev.build-override]
opt-level = 0
debug = false
";

/// The same, as a release is built.
const RELEASE: &str = "\
[profile.dev]
opt-level = 3
debug = false
debug-assertions = false
overflow-checks = false
incremental = false
panic = \"unwind\"

[profile.dev.build-override]
opt-level = 0
debug = false
";

/// A harness does little but call, and is built in a quarter of the time if it is not optimized.
const PLAIN: u8 = 0;
/// But what is generic in the crate is compiled with the harness, and is then about twice as fast.
const OPTIMIZED: u8 = 1;
/// The level of a release.
const FULLY: u8 = 3;

impl Scratch {
    /// The folder for a crate, below one where harnesses lie. The laws of some files are checked with it.
    pub(super) fn new(
        build: Build,
        purpose: Purpose,
        coverage: Coverage,
        laws: &[LawFile],
        below: &Path,
    ) -> Result<Scratch> {
        let Build { subject, features, profile } = build;
        let laws: Vec<&Path> = laws.iter().map(|file| file.path.as_path()).collect();
        let mut described = format!("{subject:?} {features:?}");
        if !laws.is_empty() {
            described.push_str(&format!(" {laws:?}"));
        }
        if purpose == Purpose::Contrasting {
            // It has fewer operations than the harness that explores the same crate.
            described.push_str(&format!(" {profile:?} {purpose:?}"));
        }
        let identity = blake3::hash(described.as_bytes()).to_hex()[..8].to_string();
        let folder = below.join(format!("{}-{identity}", subject.name()));
        std::fs::create_dir_all(folder.join("src")).with_context(|| {
            format!("the folder {} cannot be made; choose another with CARGO_TARGET_DIR", folder.display())
        })?;
        let scratch = Scratch {
            folder,
            subject,
            features,
            profile,
            coverage,
            package: None,
            level: PLAIN,
            identity,
            shadow: None,
        };
        scratch.take_versions()?;
        Ok(scratch)
    }

    /// Takes the versions that the workspace of the crate has chosen, for that is what its users test with.
    fn take_versions(&self) -> Result<()> {
        let Subject::Local { folder, .. } = &self.subject else { return Ok(()) };
        let locks = folder.ancestors().map(|above| above.join(LOCK));
        match locks.into_iter().find(|lock| lock.is_file()) {
            Some(lock) => {
                std::fs::copy(&lock, self.folder.join(LOCK))
                    .with_context(|| format!("{} cannot be copied", lock.display()))?;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Keeps other runs of the same crate from the folder until this process ends, and waits for one that does so
    /// already: two would mix up their files.
    pub(crate) fn lock(&self) -> Result<()> {
        let path = self.folder.join("lock");
        let cannot = || format!("{} cannot be locked", path.display());
        let file = std::fs::File::create(&path).with_context(cannot)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                status::progress("Waiting", &format!("for another run of {} to end", self.subject.name()));
                file.lock().with_context(cannot)?;
            }
            // There are file systems without locks.
            Err(TryLockError::Error(error)) => {
                status::warning(&format!("{}: {error}; do not run this twice at a time", cannot()));
            }
        }
        // The system unlocks it when the process ends, however that comes about.
        std::mem::forget(file);
        Ok(())
    }

    /// The manifest of the package.
    pub(crate) fn manifest(&self) -> PathBuf {
        self.folder.join("Cargo.toml")
    }

    /// Writes a file of the package, unless it is there as it is to be.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.folder.join(name);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("{} cannot be made", folder.display()))?;
        }
        if std::fs::read_to_string(&path).is_ok_and(|known| known == text) {
            return Ok(());
        }
        std::fs::write(&path, text).with_context(|| format!("{} cannot be written", path.display()))
    }

    /// The name of the package.
    fn name(&self) -> String {
        format!("harness-{}-{}", self.subject.name(), self.identity)
    }

    /// Returns how the package is built, if the crate has this name in Rust.
    pub(crate) fn cargo(&self, target: &Path, crate_name: &str) -> Cargo {
        Cargo {
            manifest: self.manifest(),
            target: target.to_path_buf(),
            coverage: self.coverage,
            counted: vec![crate_name.to_string(), self.name().replace('-', "_")],
        }
    }

    /// Writes the manifest, with other crates whose items are named, and which of them.
    pub(crate) fn write_manifest(&self, others: &[(String, String)]) -> Result<()> {
        let name = self.name();
        let mut text = format!(
            "# Written by `cargo bugnet explore`; changes are lost.\n[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n[workspace]\n\n[dependencies]\n"
        );
        text.push_str(&self.dependency());
        for library in ["bugnet", "bugnet-explore"] {
            let _ = writeln!(text, "{library} = {{ {} }}", source_of(library));
        }
        for (name, requirement) in others {
            let _ = writeln!(text, "{name} = {{ {requirement} }}");
        }
        let (profile, level) = match self.profile {
            Profile::Checked => (PROFILE, self.level),
            // What is generic is compiled with the harness, and is to be checked as little.
            Profile::Release => (RELEASE, FULLY),
        };
        let _ = write!(text, "\n{profile}\n[profile.dev.package.{name}]\nopt-level = {level}\n");
        if let (Coverage::On, Some(package)) = (self.coverage, &self.package) {
            let _ = write!(text, "{0}\n[profile.dev.package.\"{package}\"]\n{0}", coverage::MARK);
        }
        self.write("Cargo.toml", &text)
    }

    /// The line by which another package depends on the crate.
    pub(super) fn dependency(&self) -> String {
        format!("{} = {{ {} }}\n", self.subject.name(), self.requirement())
    }

    fn requirement(&self) -> String {
        let mut parts = vec![match &self.subject {
            Subject::Local { folder, .. } => {
                format!("path = {:?}", self.shadow.as_ref().unwrap_or(folder).display().to_string())
            }
            Subject::Published { version: Some(version), .. } => format!("version = \"={version}\""),
            Subject::Published { version: None, .. } => "version = \"*\"".to_string(),
        }];
        if !self.features.named.is_empty() {
            parts.push(format!("features = {:?}", self.features.named));
        }
        if self.features.no_default {
            parts.push("default-features = false".to_string());
        }
        parts.join(", ")
    }

    /// Takes note of the package of the crate; switches all of its features on, if that is wanted.
    pub(crate) fn for_package(mut self, package: &Package) -> Scratch {
        self.package = Some(format!("{}@{}", package.name, package.version));
        if self.features.all {
            let all = package.features.keys().filter(|name| *name != "default" && !name.starts_with("__"));
            self.features.named = all.cloned().collect();
        }
        self
    }

    /// Has the harness call the crate as its own tests see it.
    pub(super) fn for_shadow(self, folder: PathBuf) -> Scratch {
        Scratch { shadow: Some(folder), ..self }
    }

    /// Has the harness optimized if that is where most of the crate is compiled.
    pub(crate) fn for_api(self, api: &Api) -> Scratch {
        Scratch { level: if api.is_generic() { OPTIMIZED } else { PLAIN }, ..self }
    }

    /// Asks Cargo about the package and all its dependencies.
    pub(crate) fn metadata(&self) -> Result<Metadata> {
        let mut command = MetadataCommand::new();
        command.manifest_path(self.manifest());
        command.exec().map_err(|error| match error {
            cargo_metadata::Error::CargoMetadata { stderr } => {
                anyhow::anyhow!("cargo cannot find `{}`\n\n{}", self.subject.name(), stderr.trim())
            }
            other => anyhow::Error::new(other).context("cargo cannot be asked about the crate"),
        })
    }

    /// The package of the crate.
    pub(crate) fn package<'a>(&self, metadata: &'a Metadata) -> Result<&'a Package> {
        let root = metadata.resolve.as_ref().and_then(|resolve| resolve.root.as_ref());
        let nodes = metadata.resolve.iter().flat_map(|resolve| &resolve.nodes);
        let node = nodes.into_iter().find(|node| Some(&node.id) == root);
        let ids: Vec<_> =
            node.map(|node| node.deps.iter().map(|dependency| &dependency.pkg).collect()).unwrap_or_default();
        let mut packages = metadata.packages.iter().filter(|package| ids.contains(&&package.id));
        match packages.find(|package| package.name.as_str() == self.subject.name()) {
            Some(package) if library_name(package).is_some() => Ok(package),
            // Cargo may pass over dependencies without a library.
            _ => bail!("`{}` has no library, and only libraries can be explored", self.subject.name()),
        }
    }
}

/// The library of a package.
fn library_target(package: &Package) -> Option<&cargo_metadata::Target> {
    let kinds = ["lib", "rlib", "dylib", "cdylib", "staticlib"];
    let is_library = |kind: &cargo_metadata::TargetKind| kinds.contains(&kind.to_string().as_str());
    package.targets.iter().find(|target| target.kind.iter().any(is_library))
}

/// The name of the library of a package in Rust.
pub(crate) fn library_name(package: &Package) -> Option<String> {
    library_target(package).map(|target| target.name.replace('-', "_"))
}

/// The file with the root of the library of a package.
pub(crate) fn library_root(package: &Package) -> Option<&Path> {
    library_target(package).map(|target| target.src_path.as_std_path())
}

/// Returns the source of a library of ours: beside this program's source if that is there, else as published.
pub(super) fn source_of(library: &str) -> String {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(library);
    match beside.canonicalize() {
        Ok(folder) => format!("path = {:?}", folder.display().to_string()),
        Err(_) => format!("version = \"={}\"", env!("CARGO_PKG_VERSION")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::tests::read;

    fn opened(subject: Subject, features: Features, below: &Path) -> Result<Scratch> {
        let build = Build { subject, features, profile: Profile::Checked };
        Scratch::new(build, Purpose::Exploring, Coverage::Off, &[], below)
    }

    #[test]
    fn a_published_crate_is_named_with_its_version() {
        let expected = Subject::Published { name: "semver".into(), version: Some("1.0.27".into()) };
        assert_eq!(Subject::published("semver@1.0.27"), expected);
        assert_eq!(Subject::published("semver"), Subject::Published { name: "semver".into(), version: None });
    }

    #[test]
    fn the_versions_of_the_workspace_are_taken() {
        let below = std::env::temp_dir().join(format!("bugnet-lock-{}", std::process::id()));
        let folder = below.join("workspace/member");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(below.join("workspace").join(LOCK), "version = 4\n").unwrap();
        let subject = Subject::Local { name: "member".into(), folder };
        let scratch = opened(subject, Features::default(), &below.join("explore")).unwrap();
        assert_eq!(std::fs::read_to_string(scratch.folder.join(LOCK)).unwrap(), "version = 4\n");
        std::fs::remove_dir_all(below).unwrap();
    }

    #[test]
    fn a_harness_with_generic_code_of_its_crate_is_optimized() {
        let below = std::env::temp_dir().join(format!("bugnet-level-{}", std::process::id()));
        let manifest = |api: &Api| {
            let subject = Subject::published("semver@1.0.27");
            let scratch = opened(subject, Features::default(), &below).unwrap().for_api(api);
            scratch.write_manifest(&[]).unwrap();
            std::fs::read_to_string(scratch.manifest()).unwrap()
        };
        let mut api = read("library");
        api.functions.clear();
        api.blocks.retain(|block| !block.generics.variables.is_empty());
        assert!(manifest(&api).ends_with("opt-level = 1\n"));
        assert!(manifest(&Api::default()).ends_with("opt-level = 0\n"));
        std::fs::remove_dir_all(below).unwrap();
    }

    #[test]
    fn other_features_get_another_folder() {
        let below = std::env::temp_dir().join(format!("bugnet-scratch-{}", std::process::id()));
        let folder = |features: Features| {
            opened(Subject::published("semver@1.0.27"), features, &below).unwrap().folder
        };
        let all = Features { all: true, ..Features::default() };
        assert_ne!(folder(Features::default()), folder(all));
        std::fs::remove_dir_all(below).unwrap();
    }
}
