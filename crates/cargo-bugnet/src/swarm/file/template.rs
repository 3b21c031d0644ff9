//! Command templates: the words of a command, with places for what differs from test to test.
//!
//! **Invariant:** a template that was read names a program that can be started and only places that are filled.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// A command whose words may have places such as `{in}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template {
    /// The program, as a path that can be started.
    pub(crate) program: PathBuf,
    /// The arguments behind the program.
    pub(crate) words: Vec<String>,
}

/// Words that mean something to a shell and nothing to a program.
const SHELL: [&str; 8] = ["|", "||", "&&", ";", "&", ">", "<", "2>&1"];

impl Template {
    /// Reads the command of a part of the file. `places` are the places that will be filled.
    pub(crate) fn read(text: &str, part: &str, folder: &Path, places: &[&str]) -> Result<Template> {
        let words = shell_words::split(text)
            .with_context(|| format!("[{part}]: the command has a quote that is not closed: {text}"))?;
        let Some((program, words)) = words.split_first() else {
            bail!("[{part}]: the command is empty; write the program and its arguments");
        };
        for word in words {
            if SHELL.contains(&word.as_str()) {
                bail!(
                    "[{part}]: no shell reads the command, so `{word}` would be an argument; write \
                     sh -c '…' if you want a shell"
                );
            }
            for place in named(word) {
                if !places.contains(&place) {
                    let known: Vec<String> = places.iter().map(|place| format!("{{{place}}}")).collect();
                    bail!("[{part}]: the command has no place {{{place}}}; there is {}", known.join(", "));
                }
            }
        }
        let folder_text = folder.display().to_string();
        let words = words.iter().map(|word| word.replace("{dir}", &folder_text)).collect();
        let program = program.replace("{dir}", &folder_text);
        Ok(Template { program: found(&program, part, folder)?, words })
    }

    /// Returns whether a word has a place.
    pub(crate) fn has(&self, place: &str) -> bool {
        self.words.iter().any(|word| named(word).contains(&place))
    }

    /// Returns the arguments with their places filled. `{features}` alone becomes several words.
    pub(crate) fn filled(&self, features: &[String], values: &[(&str, &str)]) -> Vec<String> {
        let mut filled = Vec::new();
        for word in &self.words {
            if word == "{features}" {
                filled.extend(features.iter().cloned());
                continue;
            }
            let mut word = word.replace("{features}", &features.join(" "));
            for (place, value) in values {
                word = word.replace(&format!("{{{place}}}"), value);
            }
            filled.push(word);
        }
        filled
    }
}

/// Returns the names of the places in a word.
fn named(word: &str) -> Vec<&str> {
    let mut places = Vec::new();
    for rest in word.split('{').skip(1) {
        let Some((place, _)) = rest.split_once('}') else { continue };
        if !place.is_empty() && place.chars().all(|letter| letter.is_ascii_lowercase()) {
            places.push(place);
        }
    }
    places
}

/// Returns the path of a program: beside the file if it has a slash, else by `PATH`.
fn found(program: &str, part: &str, folder: &Path) -> Result<PathBuf> {
    let is_program = |path: &Path| path.is_file();
    if program.contains('/') {
        let path = folder.join(program);
        if is_program(&path) {
            return Ok(path);
        }
        return Err(crate::exit::NotRun(format!(
            "[{part}]: there is no program {}; build it first, or mend the path, which begins at the folder of \
             the file",
            path.display()
        ))
        .into());
    }
    let places = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&places).map(|place| place.join(program)).find(|path| is_program(path));
    found.ok_or_else(|| {
        crate::exit::NotRun(format!(
            "[{part}]: `{program}` is in no folder of PATH; install it, or write its path"
        ))
        .into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Template> {
        Template::read(text, "generator", Path::new("/"), &["features", "seed", "out", "dir"])
    }

    #[test]
    fn places_are_filled_and_features_become_words() {
        let template = read("sh {features} --seed={seed} 'a b' -o {out}").unwrap();
        assert!(template.has("seed") && !template.has("dir"));
        let features = ["--x".to_string(), "1".to_string()];
        let filled = template.filled(&features, &[("seed", "7"), ("out", "o.c")]);
        assert_eq!(filled, ["--x", "1", "--seed=7", "a b", "-o", "o.c"]);
    }

    #[test]
    fn what_is_wrong_with_a_command_is_said() {
        let error = |text| read(text).unwrap_err().to_string();
        assert!(error("").contains("the command is empty"));
        assert!(error("sh 'a").contains("quote that is not closed"));
        assert!(error("sh {sed}").contains("no place {sed}; there is {features}, {seed}"));
        assert!(error("sh a | b").contains("write sh -c"));
        assert!(error("no-such-program x").contains("in no folder of PATH"));
        assert!(error("./no-such x").contains("there is no program"));
    }
}
