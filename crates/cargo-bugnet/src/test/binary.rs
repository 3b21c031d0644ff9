//! Test binaries: what Cargo builds, and the tests in them.
//!
//! **Invariant:** a binary is run as `cargo test` would run it: in the folder of its package, with the
//! variables and the libraries that Cargo promises to tests.

use crate::arguments::Place;
use crate::cargo::{self, Running};
use crate::exit::NotBuilt;
use crate::{package, status};
use anyhow::{Context, Result};
use bugnet_process::{How, Output, Process, Start, Variables};
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel};
use cargo_metadata::{Artifact, Message, Package, camino::Utf8PathBuf};
use memchr::memmem;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::OsString;
use std::io::BufReader;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time a binary may take to list its tests. It calls none of them, but code may run before `main`.
const LISTING: Duration = Duration::from_secs(60);

/// A built test binary.
#[derive(Debug)]
pub(crate) struct Binary {
    /// The name of the crate in it, with which the names of its properties begin.
    pub(crate) crate_name: String,
    path: Utf8PathBuf,
    folder: Utf8PathBuf,
    variables: Vec<(String, OsString)>,
}

/// A test in a binary.
#[derive(Debug, Clone)]
pub(crate) struct Test {
    pub(crate) binary: Arc<Binary>,
    /// The name by which the binary knows it.
    pub(crate) name: String,
    /// True if it is a property, as far as that is known without running it.
    pub(crate) is_property: bool,
}

impl Test {
    /// The name with that of its crate, as the library and the regression files have it.
    pub(crate) fn full_name(&self) -> String {
        full_name(&self.binary.crate_name, &self.name)
    }
}

/// The library writes a name that is a keyword, such as `r#match`, without its mark.
fn full_name(crate_name: &str, name: &str) -> String {
    format!("{crate_name}::{}", name.replace("r#", ""))
}

/// Builds the tests of packages.
pub(crate) fn build(place: &Place, packages: &[Package]) -> Result<Vec<Arc<Binary>>> {
    let compiled = compile(cargo_test(place, packages), packages)?;
    if compiled.is_well { Ok(compiled.binaries) } else { Err(NotBuilt.into()) }
}

/// The result of compiling the tests of packages with Cargo.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) is_well: bool,
    pub(crate) binaries: Vec<Arc<Binary>>,
    /// The errors of the compiler, if Cargo was asked to hand them over.
    pub(crate) errors: Vec<Diagnostic>,
}

/// Runs a command of Cargo that builds the tests of packages, and reads what it says.
pub(crate) fn compile(mut command: Command, packages: &[Package]) -> Result<Compiled> {
    let mut running = Running::start(command.stdout(Stdio::piped()).stdin(Stdio::null()))?;
    let output = running.output();
    let (mut artifacts, mut errors) = (Vec::new(), Vec::new());
    let mut out_folders = BTreeMap::new();
    for message in Message::parse_stream(BufReader::new(output)) {
        match message.context("the output of cargo cannot be read")? {
            Message::CompilerArtifact(artifact) if artifact.executable.is_some() => artifacts.push(artifact),
            Message::BuildScriptExecuted(script) => {
                out_folders.insert(script.package_id, script.out_dir);
            }
            Message::CompilerMessage(message) if message.message.level == DiagnosticLevel::Error => {
                errors.push(message.message);
            }
            _ => {}
        }
    }
    let is_well = running.wait()?.success();
    let libraries = library_folders();
    let (tests, programs): (Vec<Artifact>, Vec<Artifact>) =
        artifacts.into_iter().partition(|artifact| artifact.profile.test);
    let binaries = tests.into_iter().filter_map(|artifact| {
        let package = packages.iter().find(|package| package.id == artifact.package_id)?;
        let mut variables = package_variables(package);
        variables.push((LIBRARY_PATH.to_string(), libraries.clone()));
        if let Some(folder) = out_folders.get(&package.id) {
            variables.push(("OUT_DIR".to_string(), folder.into()));
        }
        for program in programs.iter().filter(|program| program.package_id == package.id) {
            let path = program.executable.as_ref()?;
            variables.push((format!("CARGO_BIN_EXE_{}", program.target.name), path.into()));
        }
        Some(Arc::new(Binary {
            crate_name: artifact.target.name.replace('-', "_"),
            path: artifact.executable?,
            folder: package::folder(package).to_path_buf(),
            variables,
        }))
    });
    Ok(Compiled { is_well, binaries: binaries.collect(), errors })
}

fn cargo_test(place: &Place, packages: &[Package]) -> Command {
    let mut command = cargo::command();
    command.args(["test", "--no-run", "--tests", "--message-format=json-render-diagnostics"]);
    for package in packages {
        command.args(["--package", package.name.as_str()]);
    }
    if let Some(path) = &place.manifest_path {
        command.arg("--manifest-path").arg(path);
    }
    for features in &place.features {
        command.args(["--features", features]);
    }
    if place.release {
        command.arg("--release");
    }
    command
}

/// Returns the variables by which Cargo tells a test about its package.
fn package_variables(package: &Package) -> Vec<(String, OsString)> {
    let version = &package.version;
    let texts = [
        ("NAME", package.name.to_string()),
        ("VERSION", version.to_string()),
        ("VERSION_MAJOR", version.major.to_string()),
        ("VERSION_MINOR", version.minor.to_string()),
        ("VERSION_PATCH", version.patch.to_string()),
        ("VERSION_PRE", version.pre.to_string()),
    ];
    let mut variables: Vec<(String, OsString)> =
        texts.into_iter().map(|(name, value)| (format!("CARGO_PKG_{name}"), value.into())).collect();
    variables.push(("CARGO_MANIFEST_DIR".to_string(), package::folder(package).into()));
    variables.push(("CARGO_MANIFEST_PATH".to_string(), (&package.manifest_path).into()));
    variables
}

/// The variable that names the folders of shared libraries.
const LIBRARY_PATH: &str = if cfg!(windows) {
    "PATH"
} else if cfg!(target_os = "macos") {
    "DYLD_FALLBACK_LIBRARY_PATH"
} else {
    "LD_LIBRARY_PATH"
};

/// The folders of shared libraries, with that of the compiler, which the tests of macros need.
fn library_folders() -> OsString {
    let before = std::env::var_os(LIBRARY_PATH).unwrap_or_default();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let Ok(output) = Command::new(rustc).args(["--print", "target-libdir"]).output() else { return before };
    let compiler = String::from_utf8_lossy(&output.stdout).trim().to_string();
    let all = std::iter::once(compiler.into()).chain(std::env::split_paths(&before));
    std::env::join_paths(all).unwrap_or(before)
}

impl Binary {
    /// Returns the settings to start the binary with. All of its output is kept.
    pub(crate) fn start(&self) -> Start {
        // The harness is to capture the output of the test, whatever the user has set for `cargo test`.
        let mut variables = Variables::default().without("RUST_TEST_NOCAPTURE");
        for (name, value) in &self.variables {
            variables = variables.with(name, value);
        }
        Start {
            variables,
            folder: Some(self.folder.clone().into()),
            output: Output::Whole { most: usize::MAX },
            ..Start::new(&self.path)
        }
    }

    /// The tests in the binary that are not ignored, in the order of their names.
    pub(crate) fn tests(self: &Arc<Binary>) -> Result<Vec<Test>> {
        let (Some(all), Some(ignored)) = (self.listed(&[])?, self.listed(&["--ignored"])?) else {
            let text = format!("{} has a test harness of its own and is left out", self.crate_name);
            status::warning(&text);
            return Ok(Vec::new());
        };
        let names: BTreeSet<String> = all.difference(&ignored).cloned().collect();
        let bytes = std::fs::read(&self.path).with_context(|| format!("{} cannot be read", self.path))?;
        let full_names = names.iter().map(|name| full_name(&self.crate_name, name)).collect();
        let properties = properties(&bytes, &self.crate_name, &full_names);
        let test = |name: String| {
            let is_property = properties.contains(full_name(&self.crate_name, &name).as_str());
            Test { binary: Arc::clone(self), name, is_property }
        };
        Ok(names.into_iter().map(test).collect())
    }

    /// The full names of all tests in the binary.
    pub(crate) fn full_names(&self) -> Result<Vec<String>> {
        let names = self.listed(&[])?.unwrap_or_default();
        Ok(names.iter().map(|name| full_name(&self.crate_name, name)).collect())
    }

    /// The names of tests; `None` if the binary does not speak the language of the usual harness.
    fn listed(&self, more: &[&str]) -> Result<Option<BTreeSet<String>>> {
        let mut start = self.start().argument("--list").argument("--format").argument("terse");
        start.arguments.extend(more.iter().map(OsString::from));
        let process = Process::start(&start).with_context(|| format!("{} cannot be started", self.path))?;
        let finished = process.finish(Instant::now() + LISTING);
        let text = String::from_utf8_lossy(&finished.output);
        let names = text.lines().filter(|line| !line.ends_with(": benchmark"));
        let names: Option<_> = names.map(|line| line.strip_suffix(": test").map(str::to_string)).collect();
        Ok(names.filter(|_| finished.end.how == How::Exited(0)))
    }
}

/// The properties among tests, both by their full names.
///
/// `#[property]` puts the full name of a property into the binary, crate and modules included, and the
/// test harness does not. Names followed by `::` are part of a longer path, such as that of a closure
/// in the debug information; other names are those of properties, the longest that fits.
fn properties<'a>(bytes: &[u8], crate_name: &str, names: &'a BTreeSet<String>) -> HashSet<&'a str> {
    let known: HashMap<&[u8], &'a str> = names.iter().map(|name| (name.as_bytes(), name.as_str())).collect();
    let prefix = format!("{crate_name}::");
    let longest = names.iter().map(String::len).max().unwrap_or_default();
    let mut found = HashSet::new();
    for place in memmem::find_iter(bytes, &prefix) {
        let rest = &bytes[place..];
        let lengths = (prefix.len() + 1..=longest.min(rest.len())).rev();
        let mut starts = lengths.map(|length| rest.split_at(length));
        let fit = starts.find_map(|(start, after)| Some((*known.get(start)?, after.starts_with(b"::"))));
        if let Some((name, false)) = fit {
            found.insert(name);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_property_is_told_from_a_test_by_the_full_name_in_the_binary() {
        let names = ["tests::a", "tests::ab", "tests::plain", "r#b"].map(|name| full_name("first", name));
        let bytes = b"..tests::plainfirst::tests::absrc/lib.rs..<first::tests::plain::{closure}>first::b\0";
        let expected = HashSet::from(["first::tests::ab", "first::b"]);
        assert_eq!(properties(bytes, "first", &names.into()), expected);
    }
}
