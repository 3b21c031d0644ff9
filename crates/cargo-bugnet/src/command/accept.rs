//! `cargo bugnet accept`: takes a bug of the last run into `bugnet-known.toml`.
//!
//! **Invariant:** the file is only ever added to; what is there stays as it is.

use crate::arguments::Accept;
use crate::exit::Exit;
use crate::package;
use crate::status::{self, Tone};
use anyhow::{Context, Result, bail};
use std::path::Path;

/// The file in the folder of a package.
const FILE: &str = "bugnet-known.toml";

const HEADER: &str = "\
# Bugs that are known and not mended yet. Bugnet steers around them.
# Commit this file. Delete a bug when it is mended: a run says so.
";

/// Adds the bug of a name.
pub(crate) fn accept(arguments: &Accept) -> Result<Exit> {
    let mut names = Vec::new();
    for package in package::chosen(&arguments.place)? {
        let folder = package::folder(&package).as_std_path().to_path_buf();
        for (name, block) in found(&folder)? {
            if name != arguments.name {
                names.push(name);
                continue;
            }
            let path = folder.join(FILE);
            add(&path, &block)?;
            status::line(Tone::Good, "Accepted", &format!("{name}, in {}", path.display()));
            return Ok(Exit::Success);
        }
    }
    match names.is_empty() {
        true => bail!("no run has found a bug yet; run the tests first"),
        false => bail!("the last run has found no bug `{}`; it has: {}", arguments.name, names.join(", ")),
    }
}

/// The bugs that the last runs of the tests of a package have found, each with its name.
fn found(folder: &Path) -> Result<Vec<(String, String)>> {
    let folder = folder.join(".bugnet");
    let mut bugs = Vec::new();
    if !folder.is_dir() {
        return Ok(bugs);
    }
    let mut paths: Vec<_> =
        std::fs::read_dir(&folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.to_string_lossy().ends_with(".bugs.toml")) {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
        bugs.extend(blocks(&text));
    }
    Ok(bugs)
}

/// The blocks of a file, each with the name in it.
fn blocks(text: &str) -> Vec<(String, String)> {
    let block = |block: &str| {
        let named = block.lines().find_map(|line| line.strip_prefix("name = \""))?;
        Some((named.trim_end_matches('"').to_string(), format!("[[bug]]{}\n", block.trim_end())))
    };
    text.split("[[bug]]").skip(1).filter_map(block).collect()
}

/// Adds a block to a file, unless it is there.
fn add(path: &Path, block: &str) -> Result<()> {
    let old = match path.exists() {
        true => {
            std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?
        }
        false => HEADER.to_string(),
    };
    if old.contains(block) {
        return Ok(());
    }
    std::fs::write(path, format!("{}\n\n{block}", old.trim_end()))
        .with_context(|| format!("{} cannot be written", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_blocks_of_a_file_are_found_by_name() {
        let text = "# head\n\n[[bug]]\nname = \"one\"\ntest = \"t\"\n\n[[bug]]\nname = \"two\"\n";
        let names: Vec<String> = blocks(text).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["one", "two"]);
        assert_eq!(blocks(text)[0].1, "[[bug]]\nname = \"one\"\ntest = \"t\"\n");
    }

    #[test]
    fn a_bug_of_a_property_keeps_its_pattern_in_words() {
        let text = "# head\n\n[[bug]]\n# [.., 7, ..]\nname = \"one\"\ninput = \"(1(7))\"\n";
        let (name, block) = blocks(text).swap_remove(0);
        assert_eq!(name, "one");
        assert_eq!(block, "[[bug]]\n# [.., 7, ..]\nname = \"one\"\ninput = \"(1(7))\"\n");
    }
}
