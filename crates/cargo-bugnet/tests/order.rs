//! The order of the modules: each uses those before it in the list of ARCHITECTURE.md, and none after it.
//!
//! **Invariant:** the list in ARCHITECTURE.md is the one that is checked, and the exceptions only become fewer.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Uses of a later module, as (user, used). Remove a pair when it is mended; never add one.
const EXCEPTIONS: [(&str, &str); 0] = [];

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Returns the modules in the block of ARCHITECTURE.md that begins with "```text cargo-bugnet", in their order.
fn listed() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md");
    let text = fs::read_to_string(path).unwrap();
    let block = text.split_once("```text cargo-bugnet\n").expect("the block of modules is there").1;
    let lines = block.lines().take_while(|line| *line != "```");
    // What is indented continues the line before it.
    let lines = lines.filter(|line| !line.starts_with(' '));
    lines.filter_map(|line| line.split_whitespace().next()).map(str::to_string).collect()
}

/// Returns all source files below a folder but for those of tests.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|end| end == "rs") && path.file_stem().unwrap() != "tests" {
            found.push(path);
        }
    }
    found
}

/// Returns the module that a file belongs to.
fn module(file: &Path) -> String {
    let inside = file.strip_prefix(sources()).unwrap();
    inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs").to_string()
}

/// Removes the items that are compiled for tests only.
fn without_tests(text: &str) -> String {
    let mut kept = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            kept.push_str(line);
            kept.push('\n');
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        let end = format!("{}}}", " ".repeat(indent));
        // An item ends at its semicolon, or at the brace that stands as far left as it does.
        for (place, line) in lines.by_ref().enumerate() {
            if line == end || place == 0 && line.ends_with(';') {
                break;
            }
        }
    }
    kept
}

/// Returns the modules of this crate that a text names.
fn named(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for rest in text.split("crate::").skip(1) {
        let (group, is_group) = match rest.strip_prefix('{') {
            Some(group) => (group.split('}').next().unwrap(), true),
            None => (rest, false),
        };
        let parts = group.split(',').take(if is_group { usize::MAX } else { 1 });
        for part in parts {
            let name = part.trim().split(|letter: char| !letter.is_alphanumeric() && letter != '_').next();
            found.extend(name.filter(|name| !name.is_empty()).map(str::to_string));
        }
    }
    found
}

#[test]
fn every_module_is_listed_once_and_every_listed_one_exists() {
    let listed = listed();
    let unique: BTreeSet<String> = listed.iter().cloned().collect();
    assert_eq!(unique.len(), listed.len(), "a module is listed twice");
    let mut there: BTreeSet<String> = files(&sources()).iter().map(|file| module(file)).collect();
    there.remove("main");
    assert_eq!(
        unique, there,
        "ARCHITECTURE.md lists the modules on the left, and there are those on the right"
    );
}

#[test]
fn no_module_uses_one_that_comes_after_it() {
    let listed = listed();
    let place = |name: &str| listed.iter().position(|listed| listed == name);
    let (mut wrong, mut excused) = (Vec::new(), BTreeSet::new());
    for file in files(&sources()) {
        let user = module(&file);
        let Some(own) = place(&user) else { continue };
        for used in named(&without_tests(&fs::read_to_string(&file).unwrap())) {
            if place(&used).is_none_or(|place| place <= own) {
                continue;
            }
            if EXCEPTIONS.contains(&(user.as_str(), used.as_str())) {
                excused.insert((user.clone(), used));
            } else {
                wrong.push(format!("{} uses `{used}`, which comes after `{user}`", file.display()));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert_eq!(excused.len(), EXCEPTIONS.len(), "an exception is needed no more: remove it");
}

#[test]
fn judging_starts_no_process_and_the_client_does_not_judge() {
    for (module, words) in
        [("judge", ["Command", "Process", "client"]), ("client", ["judge", "Class", "sure"])]
    {
        for file in files(&sources().join(module)) {
            let text = without_tests(&fs::read_to_string(&file).unwrap());
            let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            let mut tokens = code.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            assert!(!tokens.any(|token| words.contains(&token)), "{} names one of {words:?}", file.display());
        }
    }
}

#[test]
fn what_is_for_tests_only_is_not_looked_at() {
    let text = "use crate::a;\n#[cfg(test)]\nmod tests {\n    use crate::b;\n    fn f() {\n    }\n}\nuse crate::{c, d::E};\n";
    let expected = ["a", "c", "d"].map(str::to_string);
    assert_eq!(named(&without_tests(text)), BTreeSet::from(expected));
    assert_eq!(
        named(&without_tests("#[cfg(test)]\nuse crate::b;\nuse crate::e::F;\n")),
        BTreeSet::from(["e".to_string()])
    );
}

/// Files that put the name of an operation together out of what it is for.
const COMPOSING: [&str; 3] =
    ["bugnet-explore/src/law.rs", "cargo-bugnet/src/api/fact.rs", "cargo-bugnet/src/harness/source.rs"];

#[test]
fn no_first_word_of_a_name_decides_what_an_operation_is_for() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap();
    let mut composing = BTreeSet::new();
    for name in ["bugnet", "bugnet-explore", "cargo-bugnet", "bugnet-lab"] {
        for file in files(&crates.join(name).join("src")) {
            let path = file.strip_prefix(&crates).unwrap().to_str().unwrap().replace('\\', "/");
            let text = without_tests(&fs::read_to_string(&file).unwrap());
            for word in ["law", "literal"] {
                let asked = format!("\"{word} \"");
                assert!(!text.contains(&asked), "{path} tells what an operation is for by {asked}");
                if text.contains(&format!("format!(\"{word} {{")) {
                    composing.insert(path.clone());
                }
            }
        }
    }
    assert_eq!(composing.iter().map(String::as_str).collect::<Vec<_>>(), COMPOSING);
}
