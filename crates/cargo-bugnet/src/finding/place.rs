//! Places: lines of source code at which calls fail.
//!
//! **Invariant:** a place is kept as the compiler named it; what is shown of it is shortened.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;

/// A line of source code.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Place {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl Place {
    /// Reads `file:line:column`.
    pub(crate) fn read(text: &str) -> Option<Place> {
        let mut parts = text.rsplitn(3, ':');
        let (column, line, file) = (parts.next()?, parts.next()?, parts.next()?);
        Some(Place { file: file.to_string(), line: line.parse().ok()?, column: column.parse().ok()? })
    }

    /// Returns true if it is the same place as another one, whose path may have more folders before it.
    pub(crate) fn is_end_of(&self, whole: &Place) -> bool {
        let rest = whole.file.strip_suffix(&self.file);
        let is_file = rest.is_some_and(|rest| rest.is_empty() || rest.ends_with(['/', '\\']));
        is_file && (self.line, self.column) == (whole.line, whole.column)
    }

    /// Returns true if the place is in generated code: the panic blames its caller.
    pub(crate) fn is_in_harness(&self) -> bool {
        matches!(self.file.as_str(), "src/operations.rs" | "src/main.rs")
            || self.file.starts_with("src/operations/")
    }

    /// Returns true if the place is in the standard library.
    pub(crate) fn is_in_standard_library(&self) -> bool {
        self.file.starts_with("/rustc/") || self.file.contains("/lib/rustlib/src/")
    }

    /// Reads its line of source code; `root` is the folder of the package under test.
    pub(crate) fn source_line(&self, root: &Path) -> Option<String> {
        // The compiler names files of a published package by the package's folder, without those above it.
        let beside = root.parent().unwrap_or(root);
        let text =
            [root, beside].iter().find_map(|folder| std::fs::read_to_string(folder.join(&self.file)).ok())?;
        let lines: Vec<&str> = text.lines().collect();
        let line = (self.line as usize).checked_sub(1)?;
        Some(lines.get(line)?.trim().to_string())
    }

    /// Writes the place without the folders that only say where packages are kept.
    pub(crate) fn short(&self) -> String {
        let parts: Vec<&str> = self.file.split(['/', '\\']).collect();
        let root = parts.iter().rposition(|part| matches!(*part, "src" | "tests" | "library"));
        let start = root.map_or(0, |root| root.saturating_sub(1));
        format!("{}:{}", parts[start..].join("/"), self.line)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}:{}", self.file, self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_shown_without_the_folders_above_its_package() {
        assert_eq!(
            Place::read("/home/me/.cargo/registry/src/index/bit-vec-0.10.1/src/lib.rs:12:5").unwrap().short(),
            "bit-vec-0.10.1/src/lib.rs:12"
        );
        assert_eq!(Place::read("src/lib.rs:1:2").unwrap().short(), "src/lib.rs:1");
        assert_eq!(Place::read("nonsense"), None);
    }

    #[test]
    fn a_place_is_the_same_with_more_folders_before_it() {
        let [short, whole, other] =
            ["b-0.1/src/lib.rs:1:2", "/r/b-0.1/src/lib.rs:1:2", "/r/bb-0.1/src/lib.rs:1:2"]
                .map(|text| Place::read(text).unwrap());
        assert!(short.is_end_of(&whole) && short.is_end_of(&short));
        assert!(!whole.is_end_of(&short) && !Place::read("-0.1/src/lib.rs:1:2").unwrap().is_end_of(&other));
    }

    #[test]
    fn the_line_of_a_place_is_found_with_or_without_the_folder_of_its_package() {
        let registry = tempfile::tempdir().unwrap();
        let root = registry.path().join("b-0.1");
        std::fs::create_dir_all(root.join("src")).unwrap();
        std::fs::write(root.join("src/lib.rs"), "one\n  two\n").unwrap();
        for file in ["src/lib.rs:2:1", "b-0.1/src/lib.rs:2:1"] {
            assert_eq!(Place::read(file).unwrap().source_line(&root).as_deref(), Some("two"));
        }
    }
}
