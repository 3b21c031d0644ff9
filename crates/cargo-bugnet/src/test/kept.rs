//! Kept cases: the regression files of a package, as a person wants to see them.
//!
//! **Invariant:** reading changes no file, and a file that is not understood is named.

use anyhow::{Context, Result};
use std::path::Path;

/// The folder in a package that holds the files.
const FOLDER: &str = "bugnet-regressions";

/// The kept cases of one property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kept {
    /// The name of the property, with crate and modules.
    pub(crate) property: String,
    pub(crate) cases: Vec<Case>,
}

/// One kept case.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Case {
    /// The token that `cargo bugnet replay` takes.
    pub(crate) token: String,
    /// The input, one line per line.
    pub(crate) input: Vec<String>,
    /// The failure at the time when it was kept.
    pub(crate) failure: String,
}

/// The files in the folder of a package, by the names of their properties.
pub(crate) fn read(folder: &Path) -> Result<Vec<Kept>> {
    let folder = folder.join(FOLDER);
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let cannot = || format!("{} cannot be read", folder.display());
    let mut all = Vec::new();
    for entry in std::fs::read_dir(&folder).with_context(cannot)? {
        let path = entry.with_context(cannot)?.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        if path.extension().is_some_and(|extension| extension == "txt") {
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("{} cannot be read", path.display()))?;
            // No part of a name has a dot in it, so the name of the file tells it whole.
            all.push(Kept { property: stem.replace('.', "::"), cases: cases(&text) });
        }
    }
    all.sort_by(|a, b| a.property.cmp(&b.property));
    Ok(all)
}

/// The cases in the text of a file: `case …`, then indented lines about it.
fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        if let Some(token) = line.strip_prefix("case") {
            let token = token.trim().to_string();
            cases.push(Case { token, input: Vec::new(), failure: String::new() });
        } else if let (Some(case), true) = (cases.last_mut(), line.starts_with([' ', '\t'])) {
            let line = line.strip_prefix("    ").unwrap_or(line.trim_start());
            match line.strip_prefix("// ") {
                Some(failure) => case.failure = failure.to_string(),
                None => case.input.push(line.to_string()),
            }
        }
    }
    cases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_read_with_its_input_and_failure() {
        let text = "# Failing cases.\n\ncase 1(2.3)\n    let x: u8 = 1;\n    let y = 2;\n    // src/a.rs:1:2: no\n\n\
                    case 4\n";
        let first = Case {
            token: "1(2.3)".to_string(),
            input: vec!["let x: u8 = 1;".to_string(), "let y = 2;".to_string()],
            failure: "src/a.rs:1:2: no".to_string(),
        };
        let second = Case { token: "4".to_string(), input: Vec::new(), failure: String::new() };
        assert_eq!(cases(text), [first, second]);
    }
}
