//! The walks in ARCHITECTURE.md name functions that exist.
//!
//! **Invariant:** whoever renames a function on a walk renames it there too.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the text of all sources of the crates on the walks, with the module of each: the file or the folder.
fn sources() -> Vec<(String, String)> {
    let mut open: Vec<PathBuf> = ["bugnet", "bugnet-process", "bugnet-explore", "cargo-bugnet"]
        .iter()
        .map(|name| root().join("crates").join(name).join("src"))
        .collect();
    let mut sources = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let parts: Vec<String> =
                    path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
                let place = parts.iter().rposition(|part| part == "src").unwrap();
                let module = parts[place + 1..].join("::").replace(".rs", "").replace("::mod", "");
                sources.push((module, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    sources
}

/// Returns the functions that the walks name, as `module::function` or `module::Type::function`.
fn named() -> Vec<String> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let walks = text.split_once("## Four walks\n").expect("the walks are there").1;
    let walks = walks.split_once("\n## ").expect("something follows them").0;
    let quoted = walks.split('`').skip(1).step_by(2);
    quoted.filter(|name| name.contains("::")).map(str::to_string).collect()
}

#[test]
fn every_function_on_the_walks_exists() {
    let (sources, named) = (sources(), named());
    assert!(named.len() > 30, "the walks name {} functions", named.len());
    for name in &named {
        let (path, function) = name.rsplit_once("::").unwrap();
        let modules: Vec<&str> =
            path.split("::").filter(|part| part.starts_with(char::is_lowercase)).collect();
        let module = modules.join("::");
        let is_defined = |(place, text): &(String, String)| {
            place.starts_with(&module)
                && [format!("fn {function}("), format!("fn {function}<")].iter().any(|fun| text.contains(fun))
        };
        assert!(sources.iter().any(is_defined), "{name} is in no file of that module");
    }
}
