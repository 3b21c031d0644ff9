//! Cases: what a program is given, as words and as a file for its standard input.
//!
//! A list of cases is a file of command lines, or a folder in which each file is an input. Command lines are read as a
//! shell reads words, with `< file` for the standard input; nothing in them is expanded.
//!
//! **Invariant:** a case is written as the line it is read from, so that a kept case can be added to the user's list.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// The word that stands for the input in a command.
const INPUT: &str = "{in}";

/// The words and the standard input that a program is given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Case {
    /// The arguments, without the name of the program.
    pub(crate) words: Vec<String>,
    pub(crate) input: Option<PathBuf>,
}

impl Case {
    /// Reads a command line.
    fn parse(line: &str) -> Result<Case> {
        let mut case = Case { words: Vec::new(), input: None };
        let mut words = lexed(line)?.into_iter();
        while let Some(word) = words.next() {
            let mut file = || match words.next() {
                Some(Word::Text(path)) => Ok(path),
                _ => bail!("there is no file after `<` or `>`"),
            };
            match word {
                Word::Text(text) => case.words.push(text),
                Word::Input => case.input = Some(file()?.into()),
                // What a list of commands did with the output is of no use here.
                Word::Output => drop(file()?),
            }
        }
        Ok(case)
    }

    /// Returns the standard input as text.
    pub(crate) fn input_text(&self) -> String {
        let bytes = self.input.as_ref().and_then(|path| fs::read(path).ok()).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Returns the bytes that a person has to read.
    pub(crate) fn size(&self) -> u64 {
        let input =
            self.input.as_ref().and_then(|path| fs::metadata(path).ok()).map_or(0, |known| known.len());
        self.words.iter().map(|word| word.len() as u64 + 1).sum::<u64>() + input
    }

    /// Returns the command line of a case.
    pub(crate) fn line(&self) -> String {
        let mut words: Vec<String> =
            self.words.iter().map(|word| shell_words::quote(word).into_owned()).collect();
        words.extend(
            self.input.iter().map(|path| format!("< {}", shell_words::quote(&path.to_string_lossy()))),
        );
        words.join(" ")
    }
}

enum Word {
    Text(String),
    Input,
    Output,
}

/// Splits a command line as a shell does.
fn lexed(line: &str) -> Result<Vec<Word>> {
    let mut found = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' => {
                let text = word.get_or_insert_default();
                loop {
                    match letters.next() {
                        Some('\'') => break,
                        Some(letter) => text.push(letter),
                        None => bail!("a single quote is not closed"),
                    }
                }
            }
            '"' => {
                let text = word.get_or_insert_default();
                loop {
                    match letters.next() {
                        Some('"') => break,
                        Some('\\') => match letters.next() {
                            Some(letter @ ('"' | '\\' | '$' | '`')) => text.push(letter),
                            Some(letter) => text.extend(['\\', letter]),
                            None => bail!("a double quote is not closed"),
                        },
                        Some(letter) => text.push(letter),
                        None => bail!("a double quote is not closed"),
                    }
                }
            }
            '\\' => word.get_or_insert_default().extend(letters.next()),
            letter if letter.is_whitespace() => found.extend(word.take().map(Word::Text)),
            '<' | '>' => {
                found.extend(word.take().map(Word::Text));
                found.push(if letter == '<' { Word::Input } else { Word::Output });
            }
            letter => word.get_or_insert_default().push(letter),
        }
    }
    found.extend(word.map(Word::Text));
    Ok(found)
}

/// Reads cases from a list or a folder; returns the folder below which their files lie, too.
pub(crate) fn read(path: &Path, command: Option<&str>, home: &Path) -> Result<Vec<Case>> {
    let cases = if path.is_dir() { folder(path, command)? } else { list(path, command)? };
    if cases.is_empty() {
        bail!(
            "{} has no cases; give a file with one command line for each, or a folder of inputs",
            path.display()
        );
    }
    let beside = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    cases.into_iter().map(|case| found(case, home, beside)).collect()
}

/// Makes the path of the input whole: it is looked for here, and beside the list.
pub(super) fn found(case: Case, home: &Path, beside: &Path) -> Result<Case> {
    let Some(input) = case.input else { return Ok(case) };
    let places = [home.join(&input), home.join(beside).join(&input)];
    let Some(input) = places.iter().find(|place| place.is_file()) else {
        bail!("the input {} is neither here nor beside its list", input.display());
    };
    Ok(Case { input: Some(input.clone()), ..case })
}

fn folder(path: &Path, command: Option<&str>) -> Result<Vec<Case>> {
    let entries = fs::read_dir(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.sort();
    let template = command.map(Case::parse).transpose()?.map(without_program);
    let case = |file: PathBuf| -> Result<Case> {
        let file = file.canonicalize()?;
        let Some(template) = &template else { return Ok(Case { words: Vec::new(), input: Some(file) }) };
        let text = file.to_string_lossy();
        let takes = template.words.iter().any(|word| word.contains(INPUT));
        let words = template.words.iter().map(|word| word.replace(INPUT, &text)).collect();
        Ok(Case { words, input: (!takes).then_some(file.clone()) })
    };
    files.into_iter().map(case).collect()
}

fn list(path: &Path, command: Option<&str>) -> Result<Vec<Case>> {
    if command.is_some() {
        bail!("--command is for a folder of inputs; {} has command lines already", path.display());
    }
    let bytes = fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let text = String::from_utf8_lossy(&bytes);
    let lines =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let parse = |(number, line): (usize, &str)| {
        Case::parse(line).with_context(|| format!("{}:{}", path.display(), number + 1))
    };
    let cases: Vec<Case> = lines.map(parse).collect::<Result<_>>()?;
    // A list may begin each line with the program, as a script does.
    let first = cases.first().and_then(|case| case.words.first()).cloned();
    let is_program = first.is_some_and(|first| {
        first.contains('/')
            && cases.iter().all(|case| case.words.first() == Some(&first))
            && !Path::new(&first).is_absolute()
            || first.ends_with(".exe")
    });
    Ok(if is_program { cases.into_iter().map(without_program).collect() } else { cases })
}

fn without_program(mut case: Case) -> Case {
    if !case.words.is_empty() {
        case.words.remove(0);
    }
    case
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_read_as_a_shell_reads_it_and_written_so_again() {
        let case = Case::parse(r#"'a b' "c\"d" e\ f '<' "" < in/1.txt > ../outputs/t1"#).unwrap();
        assert_eq!(case.words, ["a b", "c\"d", "e f", "<", ""]);
        assert_eq!(case.input, Some("in/1.txt".into()));
        assert_eq!(Case::parse(&case.line()).unwrap(), case);
        assert!(Case::parse("'a").is_err() && Case::parse("a <").is_err());
    }

    #[test]
    fn a_list_may_name_the_program_on_every_line() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("list");
        fs::write(&path, "# tests\n../bin/tcas 1 2\n\n../bin/tcas 3 4\n").unwrap();
        let cases = read(&path, None, home.path()).unwrap();
        assert_eq!(cases.iter().map(Case::line).collect::<Vec<_>>(), ["1 2", "3 4"]);
        fs::write(&path, "a 1 2\na 3 4\n").unwrap();
        assert_eq!(read(&path, None, home.path()).unwrap()[0].line(), "a 1 2");
    }

    #[test]
    fn a_folder_has_an_input_in_each_file() {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("b"), "2").unwrap();
        fs::write(home.path().join("a"), "1").unwrap();
        let cases = read(home.path(), None, home.path()).unwrap();
        assert!(cases[0].input.as_ref().unwrap().ends_with("a") && cases.len() == 2);
        let cases = read(home.path(), Some("prog -v {in}"), home.path()).unwrap();
        assert_eq!((cases[1].words[0].as_str(), cases[1].input.as_ref()), ("-v", None));
        assert!(cases[1].words[1].ends_with("/b"));
    }
}
