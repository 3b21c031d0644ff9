//! Documents: the API of a crate as rustdoc writes it, in a format of JSON that changes with the compiler.
//!
//! The format is not stable, so rustdoc must be told that it may write it. That goes to rustdoc alone:
//! Cargo runs this program in place of rustdoc, and it runs rustdoc. What builds the dependencies sees
//! none of it, for a build script may behave otherwise when unstable features are allowed.

use super::item::{Crate, Item, ItemEnum, NEWEST, OLDEST, RawCrate};
use crate::cargo::{self, Running};
use crate::exit::NotBuilt;
use anyhow::{Context, Result, anyhow, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Names the rustdoc that this program is to run in its place.
const RUSTDOC: &str = "BUGNET_RUSTDOC";

/// The first release of Rust that writes a format which we read, and the one that we test with.
const FIRST: &str = "1.85";
const RELEASE: &str = "1.95";

/// An API as rustdoc wrote it.
#[derive(Debug)]
pub(crate) struct Document {
    pub(super) content: Crate,
    /// Warnings for the user about how it was read.
    pub(crate) warnings: Vec<String>,
}

/// The crate that rustdoc reads.
#[derive(Debug)]
pub(crate) struct Rustdoc<'a> {
    /// A package that depends on the crate.
    pub(crate) manifest: &'a Path,
    /// The specification that tells the package of the crate apart from others, such as `semver@1.0.27`.
    pub(crate) package: &'a str,
    /// The name of the crate in Rust.
    pub(crate) name: &'a str,
    /// Cargo's target folder.
    pub(crate) target: &'a Path,
}

impl Rustdoc<'_> {
    /// Has the document written; returns its file.
    pub(crate) fn write(&self) -> Result<PathBuf> {
        let mut command = cargo::unwinding();
        command.args(["rustdoc", "--lib", "--quiet", "--package", self.package]);
        command.arg("--manifest-path").arg(self.manifest);
        command.arg("--target-dir").arg(self.target);
        command.args(["--", "-Zunstable-options", "--output-format=json", "--cap-lints=allow"]);
        let real = std::env::var_os("RUSTDOC").unwrap_or_else(|| "rustdoc".into());
        command.env(RUSTDOC, real);
        command.env("RUSTDOC", std::env::current_exe().context("this program cannot find itself")?);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let output = Running::start(&mut command)?.finish()?;
        let said = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            let text = failure(self.name, &said);
            let is_built = !SAID.iter().any(|words| said.contains(words));
            return Err(if is_built { anyhow!(text) } else { anyhow::Error::new(NotBuilt).context(text) });
        }
        let file = self.target.join("doc").join(format!("{}.json", self.name));
        if !file.is_file() {
            bail!(
                "rustdoc has written no JSON for `{}`; Rust {FIRST} and later do: `rustup update`",
                self.name
            );
        }
        Ok(file)
    }
}

/// Messages of Cargo that mean that the crate, a dependency or its build script could not be built.
const SAID: [&str; 4] =
    ["could not compile", "could not document", "error[E", "failed to run custom build command"];

/// Says why rustdoc failed, and what to do.
fn failure(name: &str, said: &str) -> String {
    let advice = if said.contains("no library targets found") {
        "it has no library, and only libraries can be explored"
    } else if SAID.iter().any(|words| said.contains(words)) {
        "it does not compile; mend what the compiler says"
    } else if said.contains("output-format") || said.contains("unstable-options") {
        "this rustdoc cannot write JSON; install Rust 1.85 or later: `rustup update`"
    } else {
        "cargo says why"
    };
    format!("the API of `{name}` cannot be read: {advice}\n\n{}", said.trim_end())
}

impl Document {
    /// Reads a document from its file.
    pub(crate) fn read(file: &Path) -> Result<Document> {
        let text = std::fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
        Document::parse(&text)
    }

    /// Reads a document. Items that cannot be read are left out, and that is said.
    pub(super) fn parse(text: &[u8]) -> Result<Document> {
        #[derive(serde::Deserialize)]
        struct Format {
            format_version: u32,
        }
        let Format { format_version: format } =
            serde_json::from_slice(text).context("this is not the JSON that rustdoc writes")?;
        let warning = accepted(format)?;
        let raw: RawCrate = serde_json::from_slice(text).with_context(|| misread(format))?;
        let content = raw.read();
        let is_root = |item: &Item| matches!(item.inner, ItemEnum::Module(_));
        if !content.index.get(&content.root).is_some_and(is_root) {
            let why = content.unread.map_or("it names no root".to_string(), |(why, _)| why);
            bail!("{}: {why}", misread(format));
        }
        let unread = content.unread.as_ref().map(|(why, count)| {
            format!("{count} of the items that rustdoc tells of cannot be read and are left out: {why}")
        });
        Ok(Document { content, warnings: warning.into_iter().chain(unread).collect() })
    }
}

/// Says what to do if what we need is not in a document.
fn misread(format: u32) -> String {
    format!(
        "rustdoc of this toolchain writes format {format} of its JSON, and this cargo-bugnet cannot read it; \
         install a newer cargo-bugnet, or run this one by `cargo +{RELEASE} bugnet …`"
    )
}

/// Refuses a format that is too old, and returns a warning for one that nobody has tested.
fn accepted(format: u32) -> Result<Option<String>> {
    if format < OLDEST {
        bail!(
            "rustdoc of this toolchain writes format {format} of its JSON, and this cargo-bugnet reads {OLDEST} and \
             later; run this by Rust {FIRST} or later: `cargo +stable bugnet …`"
        );
    }
    Ok((format > NEWEST).then(|| {
        format!(
            "rustdoc of this toolchain writes format {format} of its JSON, which is newer than {NEWEST}, the newest \
             one that was tested; a newer cargo-bugnet may find more"
        )
    }))
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
    fn an_old_format_is_refused_and_a_new_one_is_tried() {
        assert!(accepted(OLDEST).unwrap().is_none() && accepted(NEWEST).unwrap().is_none());
        let newer = accepted(NEWEST + 1).unwrap().unwrap();
        assert!(newer.contains("format 62") && newer.contains("newer cargo-bugnet"), "{newer}");
        let older = accepted(30).unwrap_err().to_string();
        assert!(older.contains("format 30") && older.contains("Rust 1.85"), "{older}");
    }

    #[test]
    fn a_failure_says_what_to_do() {
        assert!(failure("tool", "error: no library targets found in package").contains("only libraries"));
        assert!(failure("half", "error: could not compile `half`").contains("does not compile"));
    }
}
