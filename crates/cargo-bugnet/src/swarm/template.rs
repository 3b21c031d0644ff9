//! Files to start from: what `cargo bugnet swarm init` writes.
//!
//! **Invariant:** every file that is written can be read by [`Plan`](super::file::Plan), if its programs are there.

use std::path::Path;

/// Csmith, for the C compilers that are installed.
const CSMITH: &str = include_str!("template/csmith.toml");
/// `wasm-tools smith`, for binaryen and wabt.
const WASM: &str = include_str!("template/wasm.toml");
/// Any other generator.
const ANY: &str = include_str!("template/any.toml");

/// A file to start from, and why it is this one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Template {
    pub(crate) text: String,
    pub(crate) why: String,
}

/// Chooses a file by the programs that there are.
pub(crate) fn chosen(is_there: &dyn Fn(&str) -> bool) -> Template {
    let kept = |text: &str| without_absent_targets(text, is_there);
    if is_there("wasm-tools")
        && let Some(text) = kept(WASM)
    {
        return Template { text, why: "wasm-tools is here, which makes WebAssembly modules".to_string() };
    }
    if is_there("csmith")
        && let Some(text) = kept(CSMITH)
    {
        return Template { text, why: "csmith is here, which makes C programs".to_string() };
    }
    let why = "no generator that is known is here with a program to test; fill in yours".to_string();
    Template { text: ANY.to_string(), why }
}

/// Returns true if a program is in a folder of `PATH`.
pub(crate) fn is_in_path(program: &str) -> bool {
    let places = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&places).any(|place: std::path::PathBuf| Path::new(&place).join(program).is_file())
}

/// Removes the targets whose programs are not there; `None` if none is left.
fn without_absent_targets(text: &str, is_there: &dyn Fn(&str) -> bool) -> Option<String> {
    let (mut kept, mut left) = (String::new(), 0);
    for (place, block) in text.split("\n\n").enumerate() {
        let command = || block.lines().find_map(|line| line.strip_prefix("command = \"")).unwrap_or_default();
        if block.lines().any(|line| line.starts_with("[target.")) {
            if !is_there(command().split([' ', '"']).next().unwrap_or_default()) {
                continue;
            }
            left += 1;
        }
        if place > 0 {
            kept.push_str("\n\n");
        }
        kept.push_str(block);
    }
    (left > 0).then_some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_chosen_by_what_is_there() {
        let wasm = chosen(&|program| ["wasm-tools", "wasm-opt"].contains(&program));
        assert!(wasm.text.contains("[target.opt]") && !wasm.text.contains("[target.decompile]"));
        let csmith = chosen(&|program| ["csmith", "gcc"].contains(&program));
        assert!(csmith.text.contains("[target.gcc]") && csmith.text.contains("{features}"));
        assert!(!csmith.text.contains("sdcc -mz80"));
        assert!(chosen(&|program| program == "csmith").why.contains("fill in yours"));
        assert!(chosen(&|_| false).text.contains("[generator]"));
    }

    #[test]
    fn every_file_is_toml() {
        for text in [CSMITH, WASM, ANY] {
            text.parse::<toml::Table>().unwrap();
        }
    }
}
