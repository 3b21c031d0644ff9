//! The modules of the library stand in the order of the map in ARCHITECTURE.md: each uses only those above it.
//!
//! **Invariant:** the map names every module once, and there are no exceptions.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The line before the map, and the one behind it.
const MAP: (&str, &str) = ("```text bugnet\n", "\n```");

/// The modules in order, as the map names them: one a line, then a phrase.
fn map() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md");
    let text = fs::read_to_string(path).unwrap();
    let behind = text.split_once(MAP.0).expect("ARCHITECTURE.md has the map of the library").1;
    let map = behind.split_once(MAP.1).expect("the map ends").0;
    // A line that is indented continues the one before it.
    let lines = map.lines().filter(|line| !line.starts_with(' '));
    lines.filter_map(|line| Some(line.split_whitespace().next()?.to_string())).collect()
}

/// The files of each module, with their depth in the tree of modules. `lib.rs` is above all and is left out, and
/// so are files with tests only.
fn modules() -> BTreeMap<String, Vec<(String, usize)>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut open, mut modules) = (vec![root.clone()], BTreeMap::new());
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let parts: Vec<&str> =
                path.strip_prefix(&root).unwrap().iter().map(|part| part.to_str().unwrap()).collect();
            let (file, module) = (*parts.last().unwrap(), parts[0].trim_end_matches(".rs"));
            if file.ends_with(".rs") && file != "tests.rs" && module != "lib" {
                let depth = parts.len() - usize::from(file == "mod.rs");
                let files: &mut Vec<_> = modules.entry(module.to_string()).or_default();
                files.push((path.to_str().unwrap().to_string(), depth));
            }
        }
    }
    modules
}

/// The text without what is compiled for tests only. The formatter puts the end of an item at its indentation.
fn without_tests(text: &str) -> String {
    let (mut kept, mut lines) = (String::new(), text.lines());
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            kept.push_str(line);
            kept.push('\n');
            continue;
        }
        let end = format!("{}}}", &line[..line.len() - line.trim_start().len()]);
        let first = lines.by_ref().find(|line| !line.trim().starts_with("#[")).unwrap_or_default();
        if !first.ends_with(';') && first != end {
            lines.by_ref().find(|line| *line == end || (first.contains("use ") && line.ends_with(';')));
        }
    }
    kept
}

/// The modules that a text names by a path from the root of the crate. A path that climbs to the root by `super`
/// counts as one to `super`, which no map has.
fn named(text: &str, depth: usize) -> Vec<String> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let word = |text: &str| text.chars().take_while(|letter| is_word(*letter)).collect::<String>();
    let mut named = Vec::new();
    for (place, path) in text.match_indices("crate::") {
        let behind = &text[place + path.len()..];
        if text[..place].ends_with(is_word) {
            continue;
        }
        match behind.strip_prefix('{') {
            None => {
                let name = word(behind);
                // A macro that is exported is at the root, wherever it is written.
                if !behind[name.len()..].starts_with('!') {
                    named.push(name);
                }
            }
            // Only names outside of inner brackets begin at the root.
            Some(list) => {
                let (mut level, mut start) = (0, true);
                for (place, letter) in list.char_indices() {
                    match letter {
                        '{' => level += 1,
                        '}' if level == 0 => break,
                        '}' => level -= 1,
                        ',' if level == 0 => start = true,
                        letter if start && is_word(letter) => {
                            named.push(word(&list[place..]));
                            start = false;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    let climbing = "super::".repeat(depth);
    if text.contains(&climbing) {
        named.push("super".to_string());
    }
    named
}

#[test]
fn every_module_uses_only_those_above_it_in_the_map() {
    let (map, modules) = (map(), modules());
    let mut missing: Vec<&String> = modules.keys().filter(|module| !map.contains(module)).collect();
    missing.extend(map.iter().filter(|module| !modules.contains_key(*module)));
    assert!(missing.is_empty(), "only one of ARCHITECTURE.md and src/ has {missing:?}");
    let mut upward = Vec::new();
    for (place, module) in map.iter().enumerate() {
        for (path, depth) in &modules[module] {
            let text = without_tests(&fs::read_to_string(path).unwrap());
            for used in named(&text, *depth) {
                if !map[..=place].contains(&used) {
                    upward.push(format!("{path} names `{used}`, which is not above `{module}`"));
                }
            }
        }
    }
    assert!(upward.is_empty(), "{}", upward.join("\n"));
}

#[test]
fn paths_are_read_wherever_they_stand() {
    let text = "
        use crate::choice::{Source, Tape};
        use crate::{label, list::{self, Listed}, oracle::Verdict};
        //! See [`swarm`](crate::swarm).
        macro_rules! m { () => { $crate::hunt::find(); subcrate::no(); $crate::note!(); } }
    ";
    assert_eq!(named(text, 1), ["choice", "label", "list", "oracle", "swarm", "hunt"]);
    assert_eq!(named("use super::super::report;", 2), ["super"]);
    assert_eq!(named("use super::size::Size;", 2), [""; 0]);
}

#[test]
fn what_is_compiled_for_tests_only_may_use_anything() {
    let text = "\
use crate::choice::Tape;
#[cfg(test)]
pub(crate) use crate::report::{
    one, two,
};
#[cfg(test)]
mod facts;
impl Tape {
    #[cfg(test)]
    #[inline]
    fn shown(&self) -> String {
        crate::report::shown(self)
    }
    fn kept(&self) {}
}
#[cfg(test)]
mod tests {
    use crate::campaign::Property;
}
use crate::list::Listed;
";
    let kept = without_tests(text);
    assert_eq!(named(&kept, 1), ["choice", "list"]);
    assert!(kept.contains("fn kept"), "{kept}");
}
