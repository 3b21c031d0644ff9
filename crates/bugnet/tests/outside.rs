//! The library asks for everything from outside in one place, and speaks in one place.
//!
//! **Invariant:** a run is a function of its environment, which comes in as a value; nothing but a report prints.

use std::fs;
use std::path::{Path, PathBuf};

/// Words that read the clock, a variable or chance.
const READING: [&str; 4] = ["Instant::now", "SystemTime::now", "env::var", "RandomState"];
/// Words that write to the standard output or error.
const PRINTING: [&str; 5] = ["println!", "print!(", "dbg!", "stdout()", "stderr()"];

/// Finds the source files in a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The lines outside comments and tests that have one of the words, in files that may not.
fn uses(words: &[&str], allowed: &[&str]) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    files(&root, &mut all);
    assert!(all.len() > 50, "the library is in {}", root.display());
    let mut found = Vec::new();
    for path in all {
        let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let is_used = |line: &&str| words.iter().any(|word| line.contains(word));
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//")).filter(is_used);
        let lines = lines.filter(|_| !allowed.iter().any(|allowed| name.contains(allowed)));
        found.extend(lines.map(|line| format!("{name}: {}", line.trim())));
    }
    found.sort();
    found
}

#[test]
fn only_the_environment_reads_the_clock_variables_and_chance() {
    assert_eq!(uses(&READING, &["environment.rs"]), [""; 0]);
}

#[test]
fn only_reports_print() {
    assert_eq!(uses(&PRINTING, &["report/"]), [""; 0]);
}

/// Conditions that bind a name and ask for more, which need Rust 1.88.
fn chains(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut is_open = false;
    for line in code.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
        let starts = ["if let ", "while let ", "} else if let "].iter().any(|start| line.starts_with(start));
        // The binding ends with its pattern's `=`; behind that, `&&` goes on with the condition.
        let goes_on = starts && line.ends_with('{') && line.contains(" && ") && !line.contains(['(', '|']);
        if line.contains("&& let ") || goes_on || is_open && line.starts_with("&& ") {
            found.push(line.to_string());
        }
        is_open = (is_open || starts) && !line.ends_with(['{', ';']);
    }
    found
}

#[test]
fn no_library_uses_a_chain_of_conditions_that_the_oldest_rust_does_not_know() {
    for name in ["bugnet", "bugnet-process", "bugnet-explore", "bugnet-macros"] {
        let mut all = Vec::new();
        files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src"), &mut all);
        for path in all {
            let text = fs::read_to_string(&path).unwrap();
            assert_eq!(chains(&text), [""; 0], "{}", path.display());
        }
    }
    let chained = ["if let Some(a) = b\n    && a > 1\n{", "if c && let Some(a) = b {"];
    assert!(chained.iter().all(|code| chains(code).len() == 1));
    assert_eq!(chains("if let Some(a) = b.filter(|b| c && *b) {\n    d\n        && e\n}"), [""; 0]);
}
