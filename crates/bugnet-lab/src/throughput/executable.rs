//! The executable that is measured: this crate, built by cargo in one profile.
//!
//! The tool builds it itself, whatever profile it runs in, so that a table always shows the
//! profile it says, with the features this executable has.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

#[cfg(feature = "hegel")]
use super::hegel_engine;

/// A cargo profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    Release,
    Dev,
}

impl Profile {
    pub fn name(self) -> &'static str {
        match self {
            Profile::Release => "release",
            Profile::Dev => "dev",
        }
    }

    /// The directory below cargo's target directory that holds what the profile builds.
    #[cfg(feature = "hegel")]
    pub fn directory(self) -> &'static str {
        match self {
            Profile::Release => "release",
            Profile::Dev => "debug",
        }
    }
}

/// An executable to measure.
#[derive(Clone, Debug)]
pub struct Executable {
    pub profile: Profile,
    pub path: PathBuf,
    /// The variable that must be set for every contender to survive valgrind.
    pub countable: Option<(&'static str, PathBuf)>,
}

impl Executable {
    /// Builds `bugnet-lab` and all it needs to be counted.
    pub fn build(profile: Profile) -> anyhow::Result<Executable> {
        let path = build(profile)?;
        #[cfg(feature = "hegel")]
        let countable = {
            let below = path.parent().context("an executable lies in a directory")?;
            Some((hegel_engine::DIRECTORY_VARIABLE, hegel_engine::build(profile, below)?))
        };
        #[cfg(not(feature = "hegel"))]
        let countable = None;
        Ok(Executable { profile, path, countable })
    }
}

fn build(profile: Profile) -> anyhow::Result<PathBuf> {
    let output = Command::new("cargo")
        .args(["build", "--package=bugnet-lab", "--message-format=json-render-diagnostics"])
        .args(["--profile", profile.name()])
        .args(["--features", &features()])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stderr(Stdio::inherit())
        .output()
        .context("cargo does not start")?;
    ensure!(output.status.success(), "the {} executable does not build", profile.name());
    let built = parse(&String::from_utf8_lossy(&output.stdout));
    let built = built.context("cargo names no executable")?;
    // A copy, because a build started elsewhere in the meantime may replace the original.
    let measured = built.with_file_name("bugnet-lab-measured");
    fs::copy(&built, &measured).with_context(|| format!("cannot copy {}", built.display()))?;
    Ok(measured)
}

/// The features of this crate that this executable was built with, as cargo wants them.
fn features() -> String {
    let features = [("peers", cfg!(feature = "peers")), ("hegel", cfg!(feature = "hegel"))];
    let enabled = features.iter().filter(|(_, enabled)| *enabled).map(|(name, _)| *name);
    enabled.collect::<Vec<_>>().join(",")
}

/// Finds the executable in cargo's messages: the one field wanted of them, hence no JSON parser.
fn parse(messages: &str) -> Option<PathBuf> {
    messages.lines().find_map(|message| {
        let (_, rest) = message.split_once(r#""executable":""#)?;
        let (path, _) = rest.split_once('"')?;
        Some(PathBuf::from(path))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_executable_is_found_among_the_libraries() {
        let messages = r#"
{"reason":"compiler-artifact","filenames":["/t/libclap.rlib"],"executable":null,"fresh":true}
{"reason":"compiler-artifact","filenames":["/t/lab"],"executable":"/t/lab","fresh":true}
{"reason":"build-finished","success":true}
"#;
        assert_eq!(parse(messages), Some(PathBuf::from("/t/lab")));
    }

    #[test]
    fn messages_without_an_executable_name_none() {
        assert_eq!(parse(r#"{"reason":"build-finished","success":false}"#), None);
    }
}
