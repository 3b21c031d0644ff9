//! The copy: the user's workspace in a folder of its own, where mutations are written.
//!
//! **Invariant:** nothing outside the folder of the copy is written, and the copy builds as the original does: what
//! lies beside the workspace is named by its whole path.

use super::schema_rust::write_changed;
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Folders that are never copied.
const LEFT_OUT: [&str; 4] = [".git", ".hg", "node_modules", ".jj"];
/// The file by which Cargo marks a folder of what is built.
const CACHE: &str = "CACHEDIR.TAG";

/// Copies a workspace, but for some files that are written otherwise. Files that the workspace has no more are
/// removed from the copy.
pub(crate) fn copy(from: &Path, to: &Path, target: &Path, except: &BTreeSet<PathBuf>) -> Result<()> {
    let mut copied = BTreeSet::new();
    let copier = Copier { root: from, to, target, except };
    copier.folder(Path::new(""), &mut copied)?;
    remove_others(to, Path::new(""), &copied)
}

struct Copier<'a> {
    root: &'a Path,
    to: &'a Path,
    target: &'a Path,
    except: &'a BTreeSet<PathBuf>,
}

impl Copier<'_> {
    /// Copies a folder below the root, and notes its files.
    fn folder(&self, below: &Path, copied: &mut BTreeSet<PathBuf>) -> Result<()> {
        let from = self.root.join(below);
        let cannot = |what: &Path| format!("{} cannot be copied", what.display());
        fs::create_dir_all(self.to.join(below)).with_context(|| cannot(&from))?;
        for entry in fs::read_dir(&from).with_context(|| cannot(&from))? {
            let entry = entry.with_context(|| cannot(&from))?;
            let (path, name) = (entry.path(), entry.file_name());
            let inner = below.join(&name);
            if path.is_dir() {
                let is_left_out = LEFT_OUT.iter().any(|left_out| name == *left_out);
                if !is_left_out && path != self.target && !path.join(CACHE).exists() {
                    self.folder(&inner, copied)?;
                }
            } else {
                if !self.except.contains(&inner) && path.is_file() {
                    self.file(&inner).with_context(|| cannot(&path))?;
                }
                copied.insert(inner);
            }
        }
        Ok(())
    }

    fn file(&self, below: &Path) -> Result<()> {
        let (from, to) = (self.root.join(below), self.to.join(below));
        if from.file_name().is_some_and(|name| name == "Cargo.toml") {
            return write_changed(&to, &self.manifest(&fs::read_to_string(&from)?, below));
        }
        let bytes = fs::read(&from)?;
        if fs::read(&to).is_ok_and(|known| known == bytes) {
            return Ok(());
        }
        fs::copy(&from, &to)?;
        Ok(())
    }

    /// Returns a manifest whose paths lead to the same places from the copy.
    fn manifest(&self, text: &str, below: &Path) -> String {
        let folder = self.root.join(below.parent().unwrap_or(Path::new("")));
        let out: String = text.lines().map(|line| rewritten(line, &folder, self.root) + "\n").collect();
        let is_root = below.components().count() == 1;
        if is_root { standing_alone(out) } else { out }
    }
}

/// Returns a manifest that is that of a workspace, because its folder may lie below another one.
pub(crate) fn standing_alone(mut text: String) -> String {
    if !text.lines().any(|line| line.trim_start().starts_with("[workspace")) {
        text.push_str("\n[workspace]\n");
    }
    text
}

/// Returns a line of a manifest in which a path that leads out of the workspace is whole.
fn rewritten(line: &str, folder: &Path, root: &Path) -> String {
    let Some(key) = line.find("path") else { return line.to_string() };
    let Some(value) = line[key + 4..].trim_start().strip_prefix('=') else { return line.to_string() };
    let value = value.trim_start();
    let Some(text) = value.strip_prefix('"').and_then(|rest| rest.split('"').next()) else {
        return line.to_string();
    };
    let whole = normal(&folder.join(text));
    if whole.starts_with(root) {
        return line.to_string();
    }
    let start = line.len() - value.len() + 1;
    format!("{}{}{}", &line[..start], whole.display(), &line[start + text.len()..])
}

/// Returns a path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut found = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                found.pop();
            }
            part => found.push(part),
        }
    }
    found
}

/// Removes the files of a folder that were not copied.
fn remove_others(root: &Path, below: &Path, copied: &BTreeSet<PathBuf>) -> Result<()> {
    let folder = root.join(below);
    for entry in fs::read_dir(&folder).with_context(|| format!("{} cannot be read", folder.display()))? {
        let entry = entry?;
        let inner = below.join(entry.file_name());
        if entry.path().is_dir() {
            remove_others(root, &inner, copied)?;
        } else if !copied.contains(&inner) && inner != Path::new("Cargo.lock") {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_leads_out_of_the_workspace_becomes_whole() {
        let rewritten = |line| rewritten(line, Path::new("/w/member"), Path::new("/w"));
        assert_eq!(
            rewritten("a = { path = \"../../a\", version = \"1\" }"),
            "a = { path = \"/a\", version = \"1\" }"
        );
        assert_eq!(rewritten("a = { path = \"../a\" }"), "a = { path = \"../a\" }");
        assert_eq!(rewritten("path = \"src/lib.rs\""), "path = \"src/lib.rs\"");
        assert_eq!(rewritten("name = \"path\""), "name = \"path\"");
    }

    #[test]
    fn a_copy_has_what_the_workspace_has_and_nothing_that_is_built() {
        let temporary = tempfile::tempdir().unwrap();
        let (from, to) = (temporary.path().join("from"), temporary.path().join("to"));
        for folder in ["src", "target", ".git"] {
            fs::create_dir_all(from.join(folder)).unwrap();
        }
        for file in ["src/lib.rs", "src/old.rs", "target/x", ".git/HEAD"] {
            fs::write(from.join(file), "x").unwrap();
        }
        fs::write(from.join("target").join(CACHE), "").unwrap();
        fs::write(from.join("Cargo.toml"), "[package]\nname = \"a\"\n").unwrap();
        let except = BTreeSet::from([PathBuf::from("src/lib.rs")]);
        copy(&from, &to, &from.join("target"), &except).unwrap();
        let is_there = |file: &str| to.join(file).exists();
        assert!(
            is_there("src/old.rs") && !is_there("src/lib.rs") && !is_there(".git") && !is_there("target")
        );
        assert!(fs::read_to_string(to.join("Cargo.toml")).unwrap().ends_with("\n[workspace]\n"));
        fs::remove_file(from.join("src/old.rs")).unwrap();
        copy(&from, &to, &from.join("target"), &except).unwrap();
        assert!(!is_there("src/old.rs"));
    }
}
