//! The crate that a harness is made of, and its features, as they were chosen.

use crate::arguments::{self, CrateChoice};
use crate::harness::{Extent, Features, Subject};
use crate::package;
use anyhow::{Result, bail};
use cargo_metadata::{Metadata, TargetKind};
use std::path::PathBuf;

/// The folder of harnesses in the target folder.
const FOLDER: &str = "bugnet/explore";

/// The features of the package.
pub(super) fn features(chosen: &arguments::Features) -> Features {
    Features { named: chosen.named.clone(), all: chosen.all, no_default: chosen.no_default }
}

/// Returns the part of the crate that is called.
pub(super) fn extent(choice: &CrateChoice) -> Extent {
    if choice.all_functions { Extent::Whole } else { Extent::Sample }
}

/// The folder below which all harnesses lie. There is one also without a workspace, because a published crate can be
/// explored anywhere.
pub(super) fn harnesses(metadata: Result<Metadata>) -> Result<PathBuf> {
    let target = match (metadata, std::env::var_os("CARGO_TARGET_DIR")) {
        (Ok(metadata), _) => metadata.target_directory.into_std_path_buf(),
        (Err(_), Some(folder)) => PathBuf::from(folder),
        (Err(_), None) => std::env::current_dir()?.join("target"),
    };
    Ok(target.join(FOLDER))
}

/// Returns true if a text is the name of a package, with a version or without: neither may lead to another folder.
fn is_named(text: &str) -> bool {
    let (name, version) = text.split_once('@').unwrap_or((text, "0"));
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || ".+-".contains(letter);
    !name.is_empty() && name.chars().all(is_letter) && !version.is_empty() && version.chars().all(is_part)
}

/// The crate that was chosen, and the folder below which its harness lies.
pub(super) fn subject(choice: &CrateChoice) -> Result<(Subject, PathBuf)> {
    let metadata = package::metadata(choice.package.manifest_path.as_deref());
    if let Some(text) = &choice.published {
        let explored = Subject::published(text);
        if !is_named(text) {
            bail!("`{text}` names no crate; write one such as semver@1.0.27");
        }
        return Ok((explored, harnesses(metadata)?));
    }
    let metadata = metadata?;
    let package =
        package::one(&metadata, choice.package.name.as_deref(), choice.package.manifest_path.as_deref())?;
    let kinds = ["lib", "rlib", "dylib", "cdylib", "staticlib"];
    let is_library = |kind: &TargetKind| kinds.contains(&kind.to_string().as_str());
    if !package.targets.iter().any(|target| target.kind.iter().any(is_library)) {
        bail!("`{}` has no library, and only libraries can be explored", package.name);
    }
    let folder = package::folder(package).as_std_path().to_path_buf();
    let explored = Subject::Local { name: package.name.to_string(), folder };
    Ok((explored, metadata.target_directory.as_std_path().join(FOLDER)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::{Arguments, Command};
    use clap::Parser;

    #[test]
    fn all_functions_are_called_only_if_that_was_asked_for() {
        let chosen =
            |words: &[&str]| match Arguments::parse_from([&["bugnet", "explore"], words].concat()).command {
                Command::Explore(arguments) => extent(&arguments.crate_choice),
                other => panic!("{other:?}"),
            };
        assert_eq!(chosen(&[]), Extent::Sample);
        assert_eq!(chosen(&["--all-functions"]), Extent::Whole);
    }

    #[test]
    fn only_names_of_packages_are_taken_for_published_crates() {
        assert!(["semver", "semver@1.0.27", "a-b_c@1.0.0-rc.1+x86"].into_iter().all(is_named));
        let others = ["", "@1", "semver@", "../../x@1", "/etc/x", "a b", "x@../1", "x@1\"", "x\n@1"];
        assert!(!others.into_iter().any(is_named));
    }
}
