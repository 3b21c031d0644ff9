//! What was chosen: the crate that a harness is made of, and its features.

use crate::arguments;
use crate::harness::{Features, Subject};
use crate::package;
use anyhow::{Result, bail};
use cargo_metadata::TargetKind;
use std::path::PathBuf;

/// Where harnesses lie in the folder of what is built.
const FOLDER: &str = "bugnet/explore";

/// The features of the crate.
pub(super) fn features(subject: &arguments::Subject) -> Features {
    Features {
        named: subject.features.clone(),
        all: subject.all_features,
        no_default: subject.no_default_features,
    }
}

/// The crate that was chosen, and the folder below which its harness lies.
pub(super) fn subject(subject: &arguments::Subject) -> Result<(Subject, PathBuf)> {
    let metadata = package::metadata(subject.manifest_path.as_deref());
    if let Some(text) = &subject.published {
        let explored = Subject::published(text);
        if explored.name().is_empty() || text.ends_with('@') {
            bail!("`{text}` names no crate; write one such as semver@1.0.27");
        }
        // A published crate can be explored anywhere.
        let target = match (metadata, std::env::var_os("CARGO_TARGET_DIR")) {
            (Ok(metadata), _) => metadata.target_directory.into_std_path_buf(),
            (Err(_), Some(folder)) => PathBuf::from(folder),
            (Err(_), None) => std::env::current_dir()?.join("target"),
        };
        return Ok((explored, target.join(FOLDER)));
    }
    let metadata = metadata?;
    let package = package::one(&metadata, subject.package.as_deref(), subject.manifest_path.as_deref())?;
    let kinds = ["lib", "rlib", "dylib", "cdylib", "staticlib"];
    let is_library = |kind: &TargetKind| kinds.contains(&kind.to_string().as_str());
    if !package.targets.iter().any(|target| target.kind.iter().any(is_library)) {
        bail!("`{}` has no library, and only libraries can be explored", package.name);
    }
    let folder = package::folder(package).as_std_path().to_path_buf();
    let explored = Subject::Local { name: package.name.to_string(), folder };
    Ok((explored, metadata.target_directory.as_std_path().join(FOLDER)))
}
