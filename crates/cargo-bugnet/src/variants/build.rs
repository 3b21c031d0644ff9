//! The build: the copy is compiled until the compiler refuses no mutant any more.
//!
//! **Invariant:** at most [`ROUNDS`] rounds are made, and every round but the last drops a mutant.

use super::schema_rust::Schema;
use crate::cargo;
use crate::exit::NotBuilt;
use crate::harness::Features;
use crate::test::binary::{self, Binary, Compiled};
use anyhow::{Result, bail};
use cargo_metadata::Package;
use cargo_metadata::diagnostic::Diagnostic;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

/// The most rounds of compiling. Prototypes needed four to eight.
const ROUNDS: usize = 10;

/// A package in the copy, and how Cargo is asked to build it.
#[derive(Debug)]
pub(crate) struct Workshop {
    /// The package in the copy.
    pub(crate) package: Package,
    pub(crate) features: Features,
    /// The folder of what is built.
    pub(crate) target: PathBuf,
    pub(crate) is_release: bool,
}

/// The test programs of the mutated copy.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) binaries: Vec<Arc<Binary>>,
    pub(crate) rounds: usize,
}

impl Workshop {
    fn cargo(&self, words: &[&str]) -> Command {
        let mut command = cargo::command();
        command.args(words).args(["--quiet", "--message-format=json", "--manifest-path"]);
        command.arg(&self.package.manifest_path).arg("--target-dir").arg(&self.target);
        command.args(["--package", self.package.name.as_str()]);
        if !self.features.named.is_empty() {
            command.args(["--features", &self.features.named.join(",")]);
        }
        let flags = [
            (self.features.all, "--all-features"),
            (self.features.no_default, "--no-default-features"),
            (self.is_release, "--release"),
        ];
        command.args(flags.iter().filter(|(is_on, _)| *is_on).map(|(_, flag)| flag));
        // Nobody debugs a mutant, and without this the programs are small and soon linked.
        for profile in ["DEV", "TEST", "RELEASE"] {
            command.env(format!("CARGO_PROFILE_{profile}_DEBUG"), "0");
        }
        command.stderr(Stdio::null());
        command
    }

    pub(crate) fn compile(&self, words: &[&str]) -> Result<Compiled> {
        binary::compile(self.cargo(words), std::slice::from_ref(&self.package))
    }

    /// Builds the tests of the copy, and drops the mutants that do not compile.
    pub(crate) fn build(&self, schema: &mut Schema, folder: &Path) -> Result<Built> {
        for rounds in 1..=ROUNDS {
            schema.write(folder)?;
            let checked = self.compile(&["check", "--lib"])?;
            let compiled = match checked.is_well {
                true => self.compile(&["test", "--no-run", "--tests"])?,
                false => checked,
            };
            if compiled.is_well {
                return Ok(Built { binaries: compiled.binaries, rounds });
            }
            if schema.refuse(&compiled.errors) == 0 {
                return Err(self.not_built(&compiled.errors));
            }
        }
        bail!(
            "the compiler still refuses mutants of {} after {ROUNDS} rounds; leave files out with --file, and \
             please report this crate",
            self.package.name
        )
    }

    fn not_built(&self, errors: &[Diagnostic]) -> anyhow::Error {
        let said = errors.iter().find_map(|error| error.rendered.clone());
        let said = said.unwrap_or_else(|| "`cargo test --no-run` says why".to_string());
        anyhow::Error::new(NotBuilt)
            .context(format!("the tests of {} cannot be built\n\n{said}", self.package.name))
    }
}
