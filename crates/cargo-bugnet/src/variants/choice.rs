//! Choices: which mutants of a package are made.
//!
//! **Invariant:** the same choice of the same source chooses the same mutants, and the shards of a run have every
//! mutant once.

use super::mutation::{Mutant, Mutations};
use anyhow::{Context, Result, bail};
use regex_lite::Regex;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A choice of mutants.
#[derive(Debug, Default)]
pub(crate) struct Choice {
    /// Names or patterns of files, of which one must fit.
    files: Vec<String>,
    /// Expressions, of which one must fit the name of a mutant.
    expressions: Vec<Regex>,
    /// Lines that a change has touched, by file.
    changed: Option<BTreeMap<PathBuf, Vec<usize>>>,
    /// The number of this shard, counted from zero, and of all.
    shard: Option<(usize, usize)>,
}

impl Choice {
    pub(crate) fn new(
        files: &[String],
        expressions: &[String],
        diff: Option<&Path>,
        shard: Option<(usize, usize)>,
    ) -> Result<Choice> {
        let compile =
            |text: &String| Regex::new(text).with_context(|| format!("--re {text} is no expression"));
        let changed = diff.map(|path| {
            let text = std::fs::read_to_string(path);
            let text = text.with_context(|| format!("{} cannot be read", path.display()))?;
            let changed = changed_lines(&text);
            if changed.is_empty() {
                bail!("{} is no unified diff; `git diff main > changes.diff` writes one", path.display());
            }
            Ok(changed)
        });
        Ok(Choice {
            files: files.to_vec(),
            expressions: expressions.iter().map(compile).collect::<Result<_>>()?,
            changed: changed.transpose()?,
            shard,
        })
    }

    /// Returns whether a mutant is made.
    pub(crate) fn has(&self, mutations: &Mutations, mutant: Mutant) -> bool {
        let path = mutations.path(mutant);
        let (line, _) = mutations.place(mutant);
        let is_file = self.files.is_empty() || self.files.iter().any(|pattern| fits(pattern, path));
        let is_named = || {
            let name = mutations.name(mutant);
            self.expressions.is_empty()
                || self.expressions.iter().any(|expression| expression.is_match(&name))
        };
        let is_changed = || {
            self.changed.as_ref().is_none_or(|changed| {
                let mut files =
                    changed.iter().filter(|(file, _)| file.ends_with(path) || path.ends_with(file));
                files.any(|(_, lines)| lines.contains(&line))
            })
        };
        let is_own = || self.shard.is_none_or(|(own, all)| mutant.site % all == own);
        is_file && is_own() && is_changed() && is_named()
    }
}

/// Returns whether a path is a file, lies in a folder, or fits a pattern in which `*` stands for anything.
fn fits(pattern: &str, path: &Path) -> bool {
    let text = path.to_string_lossy();
    if !pattern.contains('*') {
        let named = Path::new(pattern.trim_start_matches("./"));
        return path.starts_with(named) || path.ends_with(named);
    }
    let mut rest = &text[..];
    let parts: Vec<&str> = pattern.split('*').collect();
    for (place, part) in parts.iter().enumerate() {
        match rest.find(part) {
            Some(found) if place > 0 || found == 0 || !pattern.contains('/') => {
                rest = &rest[found + part.len()..]
            }
            _ => return false,
        }
    }
    rest.is_empty() || parts.last() == Some(&"")
}

/// Returns the lines of the new files that a unified diff adds or changes.
fn changed_lines(diff: &str) -> BTreeMap<PathBuf, Vec<usize>> {
    let mut found: BTreeMap<PathBuf, Vec<usize>> = BTreeMap::new();
    let (mut file, mut line) = (None, 0);
    for text in diff.lines() {
        if let Some(path) = text.strip_prefix("+++ ") {
            let path = path.split('\t').next().unwrap_or(path);
            file = Some(PathBuf::from(path.strip_prefix("b/").unwrap_or(path)));
        } else if let Some(hunk) = text.strip_prefix("@@ ") {
            let new = hunk.split('+').nth(1).unwrap_or_default();
            line = new.split([',', ' ']).next().and_then(|number| number.parse().ok()).unwrap_or(0);
        } else if text.starts_with('+') {
            if let Some(file) = &file {
                found.entry(file.clone()).or_default().push(line);
            }
            line += 1;
        } else if !text.starts_with('-') && !text.starts_with('\\') {
            line += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::mutation::example::mutations;
    use super::*;

    #[test]
    fn files_are_chosen_by_name_folder_or_pattern() {
        let path = Path::new("src/parse/number.rs");
        for pattern in
            ["number.rs", "src/parse", "src/*/number.rs", "*.rs", "src/parse/number.rs", "*number*"]
        {
            assert!(fits(pattern, path), "{pattern}");
        }
        for pattern in ["numbers.rs", "parse/*.txt", "tests/*", "src/par"] {
            assert!(!fits(pattern, path), "{pattern}");
        }
    }

    #[test]
    fn a_diff_says_which_lines_have_changed() {
        let diff = "--- a/src/lib.rs\n+++ b/src/lib.rs\n@@ -1,3 +1,4 @@ fn\n fn f(a: u8) {\n-    old\n+    if a < 3 {\n+        go(a);\n     }\n";
        let expected = BTreeMap::from([(PathBuf::from("src/lib.rs"), vec![2, 3])]);
        assert_eq!(changed_lines(diff), expected);
        let choice = Choice { changed: Some(expected), ..Choice::default() };
        let all = mutations();
        assert!(all.mutants().into_iter().all(|mutant| choice.has(&all, mutant)));
        let other = BTreeMap::from([(PathBuf::from("src/lib.rs"), vec![4])]);
        let choice = Choice { changed: Some(other), ..Choice::default() };
        assert!(!all.mutants().into_iter().any(|mutant| choice.has(&all, mutant)));
    }

    #[test]
    fn the_shards_of_a_run_have_every_mutant_once() {
        let all = mutations();
        for mutant in all.mutants() {
            let shards =
                (0..3).filter(|own| Choice { shard: Some((*own, 3)), ..Choice::default() }.has(&all, mutant));
            assert_eq!(shards.count(), 1);
        }
    }
}
