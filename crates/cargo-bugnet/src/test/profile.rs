//! Profiles: whether `bugnet.toml` has the one that was asked for.
//!
//! **Invariant:** the file is the one that the library will read: in the folder of the package, or the
//! nearest one above it.

use anyhow::{Context, Result, bail};
use std::path::Path;

/// The name of the file.
pub(crate) const FILE: &str = "bugnet.toml";

/// Refuses a profile that the settings of a package do not have.
pub(crate) fn check(folder: &Path, name: &str) -> Result<()> {
    let Some(path) = folder.ancestors().map(|above| above.join(FILE)).find(|path| path.is_file()) else {
        bail!("the profile `{name}` needs a {FILE}; `cargo bugnet init` writes one");
    };
    let text =
        std::fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    let known: Vec<&str> = text.lines().filter_map(heading).collect();
    if known.contains(&name) {
        return Ok(());
    }
    let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
    bail!("{} has no profile `{name}`; it has: {known}", path.display())
}

/// The name of the profile that a line begins.
fn heading(line: &str) -> Option<&str> {
    let (heading, _) = line.trim().strip_prefix("[profile.")?.split_once(']')?;
    Some(heading.trim())
}
