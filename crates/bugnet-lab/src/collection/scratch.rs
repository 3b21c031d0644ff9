//! The scratch crate: a published collection and its mutants, compiled into one executable.
//!
//! Each mutant is a module, so that a hundred of them cost one build. Those that do not compile are
//! left out.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};

use super::mutation::{Mutant, mutants};

/// The collection that is tested, with the file that has mutants.
pub const COLLECTION: &str = "splay_tree 0.3.1";
const DEPENDENCY: &str = "splay_tree = \"=0.3.1\"";
const FILES: [&str; 2] = ["tree_core.rs", "iter.rs"];
/// The line from which on nothing is called by the tests.
const END: &str = "impl<K, V> hash::Hash";

/// Places are looked up without a check, so a wrong one would be undefined behaviour. With a check, it
/// is a panic.
const UNCHECKED: [(&str, &str); 2] = [
    ("unsafe { self.nodes.get_unchecked(i as usize) }", "&self.nodes[i as usize]"),
    ("unsafe { self.nodes.get_unchecked_mut(i as usize) }", "&mut self.nodes[i as usize]"),
];

/// A driver that was built.
#[derive(Debug)]
pub struct Driver {
    path: PathBuf,
    /// The mutants that it has. The first is the original.
    pub mutants: Vec<(usize, Mutant)>,
    /// The number of mutants that do not compile.
    pub stillborn: usize,
}

/// The end of a run of the driver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    Survived {
        output: String,
    },
    /// Refuted, crashed or hung.
    Killed,
}

impl Driver {
    /// Builds a driver with at most this many mutants, spread over the file.
    pub fn build(most: usize) -> anyhow::Result<Driver> {
        let folder = std::env::temp_dir().join("bugnet-lab-collection");
        fs::create_dir_all(folder.join("src"))?;
        let bugnet = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("bugnet");
        fs::write(folder.join("Cargo.toml"), manifest(&bugnet))?;
        fs::write(folder.join("src/main.rs"), "fn main() {}\n")?;
        let sources = published(&folder)?;
        let mut original = sources[0].clone();
        for (unchecked, checked) in UNCHECKED {
            ensure!(original.contains(unchecked), "the source is not as expected: no `{unchecked}`");
            original = original.replace(unchecked, checked);
        }
        let all = mutants(&original, END);
        let step = all.len().div_ceil(most).max(1);
        let unchanged = Mutant { line: 0, text: String::new() };
        let chosen = [unchanged].into_iter().chain(all.into_iter().step_by(step)).enumerate();
        let mut chosen: Vec<(usize, Mutant)> = chosen.collect();
        for (number, mutant) in &chosen {
            let module = folder.join(format!("src/m{number}"));
            fs::create_dir_all(&module)?;
            fs::write(module.join("mod.rs"), "pub mod iter;\npub mod tree_core;\n")?;
            for (file, text) in FILES.iter().zip([&mutant.apply(&original), &sources[1]]) {
                fs::write(
                    module.join(file),
                    text.replace("crate::", "super::").replace("pub(crate)", "pub"),
                )?;
            }
        }
        let mut stillborn = 0;
        loop {
            fs::write(folder.join("src/main.rs"), driver(&chosen))?;
            let failing = match compile(&folder)? {
                Compiled::Executable(path) => return Ok(Driver { path, mutants: chosen, stillborn }),
                Compiled::Failing(failing) => failing,
            };
            stillborn += failing.len();
            chosen.retain(|(number, _)| !failing.contains(number));
        }
    }

    /// Runs the driver on a mutant, or for `states`.
    pub fn run(&self, mutant: &str, scheme: &str, cases: u64, patience: Duration) -> anyhow::Result<Ending> {
        let mut process = Command::new(&self.path)
            .args([mutant, scheme, &cases.to_string()])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("the driver does not start")?;
        let start = Instant::now();
        while process.try_wait()?.is_none() {
            if start.elapsed() > patience {
                process.kill()?;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let output = process.wait_with_output()?;
        Ok(match output.status.success() {
            true => Ending::Survived { output: String::from_utf8_lossy(&output.stdout).trim().to_owned() },
            false => Ending::Killed,
        })
    }
}

fn manifest(bugnet: &Path) -> String {
    format!(
        "[package]\nname = \"driver\"\nedition = \"2024\"\n\n[dependencies]\n\
         bugnet = {{ path = {:?} }}\n{DEPENDENCY}\n\n\
         [profile.release]\nopt-level = 1\ndebug = false\n\n[workspace]\n",
        bugnet.display().to_string()
    )
}

/// The sources of the collection, as cargo has fetched them.
fn published(folder: &Path) -> anyhow::Result<Vec<String>> {
    let output = Command::new("cargo").args(["metadata", "--format-version=1"]).current_dir(folder).output();
    let output = output.context("cargo does not start")?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata["packages"].as_array().context("cargo knows no packages")?;
    let package = packages.iter().find(|package| package["name"] == "splay_tree");
    let manifest = package.and_then(|package| package["manifest_path"].as_str()).context("not fetched")?;
    let sources = Path::new(manifest).with_file_name("src");
    FILES.iter().map(|file| Ok(fs::read_to_string(sources.join(file))?)).collect()
}

/// The source of the driver with its mutants.
fn driver(mutants: &[(usize, Mutant)]) -> String {
    let list: Vec<String> = mutants.iter().map(|(number, _)| format!("m{number} = {number}")).collect();
    include_str!("driver.rs").replace("/* the mutants */", &list.join(", "))
}

enum Compiled {
    Executable(PathBuf),
    /// The mutants that do not compile.
    Failing(BTreeSet<usize>),
}

fn compile(folder: &Path) -> anyhow::Result<Compiled> {
    let output = Command::new("cargo")
        .args(["build", "--release", "--target-dir", "target"])
        // Only errors tell which mutants do not compile.
        .env("RUSTFLAGS", "-Awarnings")
        .current_dir(folder)
        .output()
        .context("cargo does not start")?;
    if output.status.success() {
        return Ok(Compiled::Executable(folder.join("target/release/driver")));
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let failing = failing(&errors);
    match failing.is_empty() {
        true => bail!("the driver does not build: {errors}"),
        false => Ok(Compiled::Failing(failing)),
    }
}

/// The mutants named in the places of errors, such as `--> src/m17/tree_core.rs:90:5`.
fn failing(errors: &str) -> BTreeSet<usize> {
    let places = errors.split("--> src/m").skip(1);
    places.filter_map(|place| place.split('/').next()?.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_that_do_not_compile_are_named_by_their_places() {
        let errors =
            "error[E0308]: mismatched types\n  --> src/m17/tree_core.rs:90:5\n  --> src/main.rs:4:1\n";
        assert_eq!(failing(errors), BTreeSet::from([17]));
    }

    #[test]
    fn driver_has_the_mutants_it_is_given() {
        let mutant = Mutant { line: 1, text: String::new() };
        assert!(driver(&[(0, mutant.clone()), (5, mutant)]).contains("mutants!(m0 = 0, m5 = 5);"));
    }
}
