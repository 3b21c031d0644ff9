//! Code under test is started by this crate only.
//!
//! **Invariant:** whoever else starts a process is listed here with what it starts, and none of it is code under test.

use std::fs;
use std::path::{Path, PathBuf};

/// Words that start a process.
const STARTING: [&str; 5] = ["Command::new(", ".spawn()", ".output()", ".status()", ".exec()"];

/// Files that start a process all the same, and what they start.
const OTHERS: [(&str, &str); 17] = [
    ("bugnet/src/campaign/written.rs", "rustfmt, for tests that are written"),
    ("cargo-bugnet/src/cargo.rs", "cargo"),
    ("cargo-bugnet/src/command/report.rs", "the browser of the user"),
    ("cargo-bugnet/src/api/document.rs", "cargo and rustdoc"),
    ("cargo-bugnet/src/harness/check.rs", "cargo"),
    ("cargo-bugnet/src/harness/coverage.rs", "rustc"),
    ("cargo-bugnet/src/harness/mod.rs", "rustc, for its version"),
    ("cargo-bugnet/src/harness/scratch.rs", "cargo metadata"),
    ("cargo-bugnet/src/harness/built.rs", "cargo metadata"),
    ("cargo-bugnet/src/package.rs", "cargo metadata"),
    ("cargo-bugnet/src/prove/proof.rs", "cargo, to compile tests"),
    ("cargo-bugnet/src/prove/test.rs", "rustfmt"),
    ("cargo-bugnet/src/test/binary.rs", "cargo and rustc"),
    ("cargo-bugnet/src/variants/against/rival.rs", "git, for the files of a revision"),
    (
        "cargo-bugnet/src/variants/program/build.rs",
        "the C compiler, and the command that builds the user's program",
    ),
    // The laboratory measures from outside, with peers that have processes of their own.
    ("bugnet-lab/src/", "peers, cargo, and cargo-bugnet itself"),
    ("bugnet-process/src/", "code under test"),
];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.file_name().and_then(|name| name.to_str()) {
            // Tests start what they test.
            Some("tests" | "tests.rs" | "target" | "template") => {}
            _ if path.is_dir() => files(&path, found),
            Some(name) if name.ends_with(".rs") => found.push(path),
            _ => {}
        }
    }
}

/// The lines outside comments and tests that start a process, each with its file.
fn starts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut all = Vec::new();
    files(root, &mut all);
    assert!(all.len() > 200, "the crates are in {}", root.display());
    let mut found = Vec::new();
    for path in all {
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let lines = code.lines().map(str::trim).filter(|line| !line.starts_with("//"));
        let lines = lines.filter(|line| STARTING.iter().any(|word| line.contains(word)));
        found.extend(lines.map(|line| (name.clone(), line.to_string())));
    }
    found
}

#[test]
fn nothing_else_starts_code_under_test() {
    let is_listed = |file: &str| OTHERS.iter().any(|(other, _)| file.starts_with(other));
    let unlisted: Vec<_> = starts().into_iter().filter(|(file, _)| !is_listed(file)).collect();
    assert_eq!(unlisted, [], "start code under test by `bugnet_process::Process`");
}

#[test]
fn whoever_is_listed_starts_a_process() {
    let starts = starts();
    for (file, what) in OTHERS {
        assert!(
            starts.iter().any(|(found, _)| found.starts_with(file)),
            "{file} does not start {what} any more"
        );
    }
}
