//! The folder of a package: which of its files have literals.

use std::fs;
use std::path::{Path, PathBuf};

/// The role of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Documentation,
    /// Code that is no test.
    Code,
    Test,
    /// Files that tests read.
    Data,
}

/// A file that has literals, or is one.
#[derive(Debug)]
pub(super) struct File {
    pub(super) role: Role,
    pub(super) content: Vec<u8>,
}

/// Files that are read of each package, at most.
const MOST_FILES: usize = 4_000;
/// Bytes of the longest file of code that is read.
const LONGEST_CODE: u64 = 1 << 20;
/// Bytes of the longest file of data that is read.
const LONGEST_DATA: u64 = super::LONGEST as u64;
/// Levels of folders that are searched.
const DEEPEST: usize = 8;
/// Folders whose code is tests.
const TESTS: [&str; 6] = ["tests", "test", "examples", "benches", "fuzz", "fixtures"];
/// Names of files that nothing reads.
const OTHERS: [&str; 7] = ["Cargo", "LICENSE", "COPYING", "CHANGELOG", "Makefile", "clippy", "rustfmt"];

/// The files of a package, in an order that is always the same.
pub(super) fn files(folder: &Path) -> Vec<File> {
    let mut paths = Vec::new();
    walk(folder, DEEPEST, &mut paths);
    let read = |path: &PathBuf| {
        let role = role(path.strip_prefix(folder).ok()?)?;
        let longest = if role == Role::Data { LONGEST_DATA } else { LONGEST_CODE };
        let is_short = fs::metadata(path).is_ok_and(|data| data.len() <= longest);
        let content = is_short.then(|| fs::read(path).ok()).flatten()?;
        Some(File { role, content })
    };
    paths.iter().filter_map(read).collect()
}

fn walk(folder: &Path, depth: usize, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut entries: Vec<fs::DirEntry> = entries.flatten().collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // A link may lead anywhere, and what is built is none of the package.
        let Ok(kind) = entry.file_type() else { continue };
        if name.starts_with('.') || (name == "target" && kind.is_dir()) || paths.len() >= MOST_FILES {
            continue;
        }
        if kind.is_dir() && depth > 0 {
            walk(&entry.path(), depth - 1, paths);
        } else if kind.is_file() {
            paths.push(entry.path());
        }
    }
}

/// Returns the role of a file, judging by its path within the package.
fn role(path: &Path) -> Option<Role> {
    let name = path.file_name()?.to_str()?;
    let mut folders = path.parent()?.iter().filter_map(|folder| folder.to_str()).peekable();
    let is_root = folders.peek().is_none();
    let is_test = folders.any(|folder| TESTS.contains(&folder))
        || matches!(name, "tests.rs" | "test.rs")
        || name.ends_with("_test.rs")
        || name.ends_with("_tests.rs");
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("rs") if is_test => Some(Role::Test),
        Some("rs") if name != "build.rs" => Some(Role::Code),
        Some("md") if name.to_lowercase().starts_with("readme") => Some(Role::Documentation),
        Some("md" | "rs" | "lock" | "orig") => None,
        _ if is_root || OTHERS.iter().any(|other| name.starts_with(other)) => None,
        _ => Some(Role::Data),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_its_path() {
        let role = |path: &str| role(Path::new(path));
        assert_eq!(role("src/parser/mod.rs"), Some(Role::Code));
        assert_eq!(role("src/parser/tests.rs"), Some(Role::Test));
        assert_eq!(role("examples/main.rs"), Some(Role::Test));
        assert_eq!(role("tests/data/a.plist"), Some(Role::Data));
        assert_eq!(role("README.md"), Some(Role::Documentation));
        for other in ["build.rs", "LICENSE", "Cargo.toml", "CHANGELOG.md", "tests/Cargo.toml"] {
            assert_eq!(role(other), None, "{other}");
        }
    }
}
