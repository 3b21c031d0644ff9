//! The dictionary of a crate: the texts, bytes and numbers that its documentation, tests and code have,
//! for what it reads is among them.
//!
//! [`example`] finds the code in documentation, [`literal`] what is literal in code, and [`folder`] the
//! files of the package.
//!
//! **Invariant:** the same package gives the same dictionary, and it is never large.

mod example;
mod folder;
mod literal;

use example::{Example, examples};
use folder::{File, Role};
use literal::{Literal, literals};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

/// The longest text that is kept, in bytes.
const LONGEST: usize = 2_048;
/// A text that is longer is long, of which few are kept.
const LONG: usize = 256;
/// The longest word.
const WORD: usize = 24;
/// Entries of each kind that are kept, at most.
const MOST: usize = 600;
/// Long texts, bytes and letters that are kept, at most.
const MOST_LONG: usize = 80;
/// Numbers up to this are drawn anyway.
const SMALL: i128 = 16;

/// The values that a harness draws from.
#[derive(Debug, Default)]
pub(crate) struct Dictionary {
    /// Texts of the documentation.
    examples: BTreeSet<String>,
    /// Texts of tests, and of files that tests read.
    documents: BTreeSet<String>,
    /// Short texts of the code, and what other texts are made of, with how often they were seen.
    words: BTreeMap<String, u32>,
    bytes: BTreeSet<Vec<u8>>,
    letters: BTreeSet<char>,
    integers: BTreeSet<i128>,
    /// Numbers with a fraction, as their bits.
    floats: BTreeSet<u64>,
}

impl Dictionary {
    /// The dictionary of a package with some documentation, in a folder.
    pub(crate) fn of(docs: &[String], folder: &Path) -> Dictionary {
        let mut dictionary = Dictionary::default();
        docs.iter().for_each(|docs| dictionary.read_documentation(docs));
        for File { role, content } in folder::files(folder) {
            match (role, String::from_utf8(content)) {
                (Role::Documentation, Ok(text)) => dictionary.read_documentation(&text),
                (Role::Documentation, Err(_)) => {}
                (Role::Code, Ok(text)) => {
                    // The tests of a module stand at its end.
                    let tests = text.find("#[cfg(test)]").unwrap_or(text.len());
                    dictionary.read_code(&text[..tests]);
                    dictionary.read_tests(&text[tests..]);
                }
                (Role::Code | Role::Test, Err(_)) => {}
                (Role::Test, Ok(text)) => dictionary.read_tests(&text),
                (Role::Data, Ok(text)) => dictionary.document(text),
                (Role::Data, Err(error)) => dictionary.read_bytes(error.into_bytes()),
            }
        }
        dictionary.split_into_words();
        dictionary
    }

    fn read_documentation(&mut self, markdown: &str) {
        for example in examples(markdown) {
            match example {
                Example::Rust(code) => {
                    for literal in literals(&code) {
                        match literal {
                            Literal::Text(text) => self.example(text),
                            other => self.other(other),
                        }
                    }
                }
                Example::Other(text) => self.example(text),
            }
        }
    }

    fn read_tests(&mut self, code: &str) {
        for literal in literals(code) {
            match literal {
                Literal::Text(text) => self.document(text),
                other => self.other(other),
            }
        }
    }

    /// Reads code that is no test: most of its long texts are messages.
    fn read_code(&mut self, code: &str) {
        for literal in literals(code) {
            match literal {
                Literal::Text(text) if is_word(&text) => *self.words.entry(text).or_default() += 1,
                Literal::Text(text) if !is_prose(&text) => self.document(text),
                Literal::Text(_) => {}
                other => self.other(other),
            }
        }
    }

    fn example(&mut self, text: String) {
        if is_kept(text.as_bytes()) {
            self.examples.insert(text);
        }
    }

    fn document(&mut self, text: String) {
        if is_kept(text.as_bytes()) {
            self.documents.insert(text);
        }
    }

    fn read_bytes(&mut self, bytes: Vec<u8>) {
        if is_kept(&bytes) {
            self.bytes.insert(bytes);
        }
    }

    fn other(&mut self, literal: Literal) {
        match literal {
            Literal::Text(text) => self.document(text),
            Literal::Bytes(bytes) => match String::from_utf8(bytes) {
                Ok(text) => self.document(text),
                Err(error) => self.read_bytes(error.into_bytes()),
            },
            Literal::Character(letter) => {
                self.letters.insert(letter);
            }
            Literal::Integer(number) if number > SMALL => {
                self.integers.insert(number);
            }
            Literal::Integer(_) => {}
            Literal::Float(number) => {
                self.floats.insert(number.to_bits());
            }
        }
    }

    /// Adds what the texts are made of to the words.
    fn split_into_words(&mut self) {
        for text in self.examples.iter().chain(&self.documents) {
            for word in words(text).filter(|word| is_word(word)) {
                *self.words.entry(word.to_string()).or_default() += 1;
            }
        }
    }

    /// The texts of the documentation, as they stand in the source.
    pub(crate) fn examples(&self) -> Vec<&str> {
        texts(&self.examples)
    }

    /// The source of a file with the dictionary.
    pub(crate) fn source(&self) -> String {
        let mut source = "//! Written by `cargo bugnet explore`; changes are lost.\n\
            use bugnet_explore::Dictionary;\n\npub static DICTIONARY: Dictionary = Dictionary {\n"
            .to_string();
        let mut field = |name: &str, values: Vec<String>| {
            let _ = writeln!(source, "    {name}: &[{}],", values.join(", "));
        };
        let text = |text: &&str| format!("{text:?}");
        field("examples", self.examples().iter().map(text).collect());
        // A text that is an example need not be a document too.
        let documents = self.documents.difference(&self.examples).cloned().collect();
        field("documents", texts(&documents).iter().map(text).collect());
        field("words", self.frequent().iter().map(text).collect());
        let bytes = |bytes: &Vec<u8>| format!("b\"{}\"", bytes.escape_ascii());
        field("bytes", some(self.bytes.iter().collect(), MOST_LONG).into_iter().map(bytes).collect());
        let letter = |letter: &char| format!("{letter:?}");
        field("letters", some(self.letters.iter().collect(), MOST_LONG).into_iter().map(letter).collect());
        let integers = some(self.integers.iter().collect(), MOST);
        field("integers", integers.into_iter().map(|number| number.to_string()).collect());
        let float = |bits: &u64| format!("{:?}", f64::from_bits(*bits));
        field("floats", some(self.floats.iter().collect(), MOST).into_iter().map(float).collect());
        source.push_str("};\n");
        source
    }

    /// The words that were seen most often, the shortest first.
    fn frequent(&self) -> Vec<&str> {
        let mut words: Vec<(&str, u32)> =
            self.words.iter().map(|(word, count)| (word.as_str(), *count)).collect();
        words.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        words.truncate(MOST);
        words.sort_by_key(|(word, _)| (word.len(), *word));
        words.into_iter().map(|(word, _)| word).collect()
    }
}

/// The texts in the Rust of a documentation.
pub(crate) fn texts_of(markdown: &str) -> Vec<String> {
    let rust = examples(markdown).into_iter().filter_map(|example| match example {
        Example::Rust(code) => Some(literals(&code)),
        Example::Other(_) => None,
    });
    let texts = rust.flatten().filter_map(|literal| match literal {
        Literal::Text(text) => Some(text),
        _ => None,
    });
    texts.collect()
}

/// Some of the texts, the shortest first: what fails with one of them is to become simple.
fn texts(all: &BTreeSet<String>) -> Vec<&str> {
    let (mut short, mut long): (Vec<&str>, Vec<&str>) =
        all.iter().map(String::as_str).partition(|text| text.len() <= LONG);
    short.sort_by_key(|text| text.len());
    long.sort_by_key(|text| text.len());
    let mut kept = some(short, MOST);
    kept.extend(some(long, MOST_LONG));
    kept
}

/// Returns at most `most` items of a list, from all parts of it.
fn some<T: Copy>(all: Vec<T>, most: usize) -> Vec<T> {
    if all.len() <= most {
        return all;
    }
    (0..most).map(|place| all[place * all.len() / most]).collect()
}

fn is_kept(text: &[u8]) -> bool {
    !text.is_empty() && text.len() <= LONGEST
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.len() <= WORD && !text.contains(char::is_whitespace)
}

/// Returns true if a text is a message to people.
fn is_prose(text: &str) -> bool {
    let plain =
        |letter: &char| letter.is_alphabetic() || matches!(letter, ' ' | ',' | '.' | '\'' | '{' | '}');
    let count = text.chars().count();
    text.contains(' ') && text.chars().filter(plain).count() * 10 >= count * 9
}

/// The words of a text, and the signs between them that stand together.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let class = |letter: char| match letter {
        letter if letter.is_alphanumeric() || letter == '_' => 0,
        letter if letter.is_whitespace() => 1,
        _ => 2,
    };
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = class(rest.chars().next()?);
        let end = rest.find(|letter| class(letter) != first).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        rest = after;
        Some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(files: &[(&str, &str)], docs: &[&str]) -> Dictionary {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
        let docs: Vec<String> = docs.iter().map(|text| text.to_string()).collect();
        Dictionary::of(&docs, folder.path())
    }

    #[test]
    fn texts_come_from_documentation_tests_and_files_of_tests() {
        let dictionary = read(
            &[
                ("src/lib.rs", "const A: &str = \"let\"; #[cfg(test)] mod tests { f(\"let x = 1\") }"),
                ("tests/all.rs", "parse(b\"end\\xff\"); parse(\"in tests\", 70_000, 0.5)"),
                ("tests/data/one.json", "{\"a\": 1}"),
                ("README.md", "```toml\nkey = 'v'\n```"),
                ("target/debug/x.rs", "\"built\""),
            ],
            &["Says.\n```\nf(\"1.2.3\", 'c')\n```"],
        );
        assert_eq!(texts(&dictionary.examples), ["1.2.3", "key = 'v'\n"]);
        assert_eq!(texts(&dictionary.documents), ["in tests", "{\"a\": 1}", "let x = 1"]);
        assert_eq!(dictionary.bytes.iter().collect::<Vec<_>>(), [b"end\xff"]);
        assert!(dictionary.words.contains_key("let") && dictionary.words.contains_key("{\""));
        let source = dictionary.source();
        assert!(source.contains("integers: &[70000],"), "{source}");
        assert!(source.contains("floats: &[0.5],") && source.contains("letters: &['c'],"), "{source}");
        assert!(source.contains("bytes: &[b\"end\\xff\"],") && !source.contains("built"), "{source}");
    }

    #[test]
    fn messages_of_the_code_are_no_documents() {
        let code = "bail!(\"the {} cannot be read\"); f(\"SELECT * FROM a WHERE b = 1\"); g(\"keyword\")";
        let dictionary = read(&[("src/lib.rs", code)], &[]);
        assert_eq!(texts(&dictionary.documents), ["SELECT * FROM a WHERE b = 1"]);
        assert!(dictionary.words.contains_key("keyword"));
    }

    #[test]
    fn a_large_package_gives_a_dictionary_that_is_bounded_and_always_the_same() {
        let tests: String = (0..5_000).map(|number| format!("f(\"text {number}\", {number}); ")).collect();
        let dictionary = read(&[("tests/all.rs", &tests)], &[]);
        let kept = texts(&dictionary.documents);
        assert_eq!((kept.len(), kept[0]), (MOST, "text 0"));
        assert!(kept.last().unwrap().len() > 8, "the long ones are among them");
        assert_eq!(dictionary.source(), read(&[("tests/all.rs", &tests)], &[]).source());
    }
}
