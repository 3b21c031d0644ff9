//! Documents: the API of a crate as rustdoc writes it, in the one format of JSON that we read.
//!
//! The format is not stable, so rustdoc must be told that it may write it. That goes to rustdoc alone:
//! Cargo runs this program in place of rustdoc, and it runs rustdoc. What builds the dependencies sees
//! none of it, for a build script may behave otherwise when unstable features are allowed.

use anyhow::{Context, Result, bail};
use rustdoc_types::{Crate, FORMAT_VERSION};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Names the rustdoc that this program is to run in its place.
const RUSTDOC: &str = "BUGNET_RUSTDOC";

/// The first release of Rust that writes the format which we read.
const RELEASE: &str = "1.95";

/// An API as rustdoc wrote it.
#[derive(Debug)]
pub(crate) struct Document {
    pub(super) content: Crate,
}

/// Which crate rustdoc is to read, and where.
#[derive(Debug)]
pub(crate) struct Rustdoc<'a> {
    /// A package that depends on the crate.
    pub(crate) manifest: &'a Path,
    /// What tells the package of the crate apart from others, such as `semver@1.0.27`.
    pub(crate) package: &'a str,
    /// The name of the crate in Rust.
    pub(crate) name: &'a str,
    /// Where Cargo puts what it makes.
    pub(crate) target: &'a Path,
}

impl Rustdoc<'_> {
    /// Has the document written; returns its file.
    pub(crate) fn write(&self) -> Result<PathBuf> {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(["rustdoc", "--lib", "--quiet", "--package", self.package]);
        command.arg("--manifest-path").arg(self.manifest);
        command.arg("--target-dir").arg(self.target);
        command.args(["--", "-Zunstable-options", "--output-format=json", "--cap-lints=allow"]);
        let real = std::env::var_os("RUSTDOC").unwrap_or_else(|| "rustdoc".into());
        command.env(RUSTDOC, real);
        command.env("RUSTDOC", std::env::current_exe().context("this program cannot find itself")?);
        let output = command.output().context("cargo cannot be started; is it installed?")?;
        let said = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            bail!("{}", failure(self.name, &said));
        }
        let file = self.target.join("doc").join(format!("{}.json", self.name));
        if !file.is_file() {
            bail!("rustdoc has written no JSON for `{}`; Rust {RELEASE} does: `rustup update`", self.name);
        }
        Ok(file)
    }
}

/// Why rustdoc failed, and what to do.
fn failure(name: &str, said: &str) -> String {
    let advice = if said.contains("no library targets found") {
        "it has no library, and only libraries can be explored"
    } else if said.contains("could not compile") || said.contains("error[E") {
        "it does not compile; mend what the compiler says"
    } else if said.contains("output-format") || said.contains("unstable-options") {
        "this rustdoc cannot write JSON; install Rust 1.95 or later: `rustup update`"
    } else {
        "cargo says why"
    };
    format!("the API of `{name}` cannot be read: {advice}\n\n{}", said.trim_end())
}

impl Document {
    /// Reads a document from its file.
    pub(crate) fn read(file: &Path) -> Result<Document> {
        let text = std::fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
        #[derive(serde::Deserialize)]
        struct Format {
            format_version: u32,
        }
        let format: Format =
            serde_json::from_slice(&text).context("this is not the JSON that rustdoc writes")?;
        supported(format.format_version)?;
        let content = serde_json::from_slice(&text).context("the JSON of rustdoc cannot be understood")?;
        Ok(Document { content })
    }
}

/// Says what to do if the toolchain writes another format than we read.
pub(crate) fn supported(format: u32) -> Result<()> {
    if format == FORMAT_VERSION {
        return Ok(());
    }
    let advice = match format > FORMAT_VERSION {
        true => format!("install a newer cargo-bugnet, or run this one by `cargo +{RELEASE} bugnet …`"),
        false => format!("run this by a newer toolchain: `cargo +{RELEASE} bugnet …`"),
    };
    bail!(
        "rustdoc of this toolchain writes format {format} of its JSON, and this cargo-bugnet reads {FORMAT_VERSION}; {advice}"
    )
}

/// Runs rustdoc, if Cargo has started this program in its place.
pub(crate) fn exec_rustdoc() -> Option<ExitCode> {
    let rustdoc = std::env::var_os(RUSTDOC)?;
    let status = Command::new(rustdoc)
        .args(std::env::args_os().skip(1))
        .env_remove(RUSTDOC)
        .env("RUSTC_BOOTSTRAP", "1")
        .status();
    let code = status.ok().and_then(|status| status.code()).and_then(|code| u8::try_from(code).ok());
    Some(ExitCode::from(code.unwrap_or(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_format_is_refused_with_advice() {
        assert!(supported(FORMAT_VERSION).is_ok());
        let newer = supported(FORMAT_VERSION + 1).unwrap_err().to_string();
        assert!(newer.contains("format 58") && newer.contains("newer cargo-bugnet"), "{newer}");
        let older = supported(30).unwrap_err().to_string();
        assert!(older.contains("format 30") && older.contains("newer toolchain"), "{older}");
    }

    #[test]
    fn a_failure_says_what_to_do() {
        assert!(failure("tool", "error: no library targets found in package").contains("only libraries"));
        assert!(failure("half", "error: could not compile `half`").contains("does not compile"));
    }
}
