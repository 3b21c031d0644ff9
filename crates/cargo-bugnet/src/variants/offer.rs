//! Offers: the tests of questions, each of which was compiled, passed on the original and failed on its mutants.
//!
//! **Invariant:** a question is offered only with the mutants that its test was seen to fail on.

use super::build::Workshop;
use super::question::Question;
use super::suite::{Ran, Runner};
use crate::prove::test::formatted;
use anyhow::Result;
use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::Path;

/// The name of the test program in the copy.
const NAME: &str = "bugnet_offers";
/// The most rounds of compiling: first as literals, then as text, then without those that are refused.
const ROUNDS: usize = 6;

/// The first lines of a file of tests.
pub(crate) const HEADER: &str = "\
//! What the library does today, written by `cargo bugnet review`: each test notices changes that no other test does.

#![allow(unused, clippy::all, reason = \"a program is kept as it was found\")]
";

/// Returns what a mutant changes, without the line, which soon is another one.
fn lasting(name: &str) -> String {
    let (place, change) = name.split_once(": ").unwrap_or(("", name));
    format!("{}: {change}", place.split(':').next().unwrap_or_default())
}

/// Returns the text of the test of a question.
pub(crate) fn test(question: &Question) -> String {
    let first = lasting(&question.mutants[0].name);
    let mut text = match question.mutants.len() {
        1 => format!("\n/// Notices {first}.\n"),
        count => format!("\n/// Notices {first}, and {} more.\n", count - 1),
    };
    text.push_str("#[test]\n");
    if question.panics {
        text.push_str("#[should_panic]\n");
    }
    text.push_str(&format!("fn {}() {{\n", question.name));
    for line in question.lines.iter().flat_map(|line| line.lines()) {
        text.push_str(&format!("    {line}\n"));
    }
    text + "}\n"
}

/// Returns the functions that tests call, each once.
pub(crate) fn helpers<'a>(questions: impl Iterator<Item = &'a Question>) -> String {
    let all: BTreeSet<&str> = questions.flat_map(|question| &question.helpers).map(String::as_str).collect();
    all.into_iter().map(|helper| format!("\n{}\n", helper.trim_end())).collect()
}

/// Compiles and runs the tests of questions in the copy; keeps what holds.
pub(crate) fn offered(
    mut questions: Vec<Question>,
    workshop: &Workshop,
    runner: &Runner,
    copied: &Path,
) -> Result<Vec<Question>> {
    let folder = copied.join("tests");
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{NAME}.rs"));
    let manifest = copied.join("Cargo.toml");
    let before = fs::read_to_string(&manifest)?;
    // A published manifest names each test program, and Cargo looks for no others.
    let named = format!("{before}\n[[test]]\nname = \"{NAME}\"\npath = \"tests/{NAME}.rs\"\n");
    fs::write(&manifest, named)?;
    let binaries = compiled(&mut questions, workshop, &path);
    fs::write(&manifest, before)?;
    let _ = fs::remove_file(&path);
    let Some(binaries) = binaries? else { return Ok(Vec::new()) };
    let suite = runner.learn(&binaries)?;
    let mut offered = Vec::new();
    for mut question in questions {
        let Some(known) = suite.tests.iter().find(|known| known.test.name == question.name) else { continue };
        let mut held = Vec::new();
        for noticed in question.mutants {
            if runner.ask(&[known], &noticed.mutant().to_string())? != Ran::Passed {
                held.push(noticed);
            }
        }
        question.mutants = held;
        if !question.mutants.is_empty() {
            offered.push(question);
        }
    }
    Ok(offered)
}

type Binaries = Vec<std::sync::Arc<crate::test::binary::Binary>>;

/// Compiles the tests, and drops those that do not compile.
fn compiled(questions: &mut Vec<Question>, workshop: &Workshop, path: &Path) -> Result<Option<Binaries>> {
    for _ in 0..ROUNDS {
        if questions.is_empty() {
            return Ok(None);
        }
        let (text, lines) = file(questions);
        fs::write(path, &text)?;
        let compiled = workshop.compile(&["test", "--no-run", "--test", NAME])?;
        if compiled.is_well {
            return Ok(Some(compiled.binaries));
        }
        let spans = compiled.errors.iter().flat_map(|error| &error.spans);
        let at =
            spans.filter(|span| span.file_name.ends_with(&format!("{NAME}.rs"))).map(|span| span.line_start);
        let at: BTreeSet<usize> = at.collect();
        let refused: Vec<usize> =
            (0..questions.len()).filter(|place| at.iter().any(|line| lines[*place].contains(line))).collect();
        if refused.is_empty() {
            return Ok(None);
        }
        for place in refused.into_iter().rev() {
            let question = &mut questions[place];
            if question.lines == question.plain {
                questions.remove(place);
            } else {
                question.lines = question.plain.clone();
            }
        }
    }
    Ok(None)
}

/// Returns the file with all tests, and the lines of each.
fn file(questions: &[Question]) -> (String, Vec<Range<usize>>) {
    let mut text = HEADER.to_string();
    let mut lines = Vec::new();
    for question in questions {
        let first = text.matches('\n').count() + 1;
        text.push_str(&test(question));
        lines.push(first..text.matches('\n').count() + 1);
    }
    text.push_str(&helpers(questions.iter()));
    (text, lines)
}

/// Returns the whole file of accepted tests.
pub(crate) fn accepted<'a>(questions: impl Iterator<Item = &'a Question> + Clone) -> String {
    let tests: String = questions.clone().map(test).collect();
    formatted(&format!("{HEADER}{tests}{}", helpers(questions)))
}

#[cfg(test)]
pub(crate) mod example {
    use super::super::question::Noticed;
    use super::*;

    pub(crate) fn question() -> Question {
        let noticed = Noticed {
            site: 0,
            alternative: 1,
            name: "src/lib.rs:2:8: replace a < 3 with a <= 3 in f".into(),
            diff: vec!["-  a < 3".into(), "+  a <= 3".into()],
        };
        Question {
            name: "f_1".into(),
            lines: vec!["assert!(!f(3));".into()],
            plain: vec!["assert_eq!(format!(\"{:?}\", f(3)), \"false\");".into()],
            helpers: Vec::new(),
            original: "false".into(),
            variant: "true".into(),
            panics: false,
            mutants: vec![noticed],
            others: vec![vec!["f(2);".into()]],
            given: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::example::question;
    use super::*;

    #[test]
    fn a_test_says_what_it_notices_and_has_lines_of_its_own() {
        let (text, lines) = file(&[question(), question()]);
        let second: Vec<&str> = text.lines().skip(lines[1].start).take(lines[1].len() - 1).collect();
        let expected = [
            "/// Notices src/lib.rs: replace a < 3 with a <= 3 in f.",
            "#[test]",
            "fn f_1() {",
            "    assert!(!f(3));",
            "}",
        ];
        assert_eq!(second, expected, "{text}");
    }

    #[test]
    fn a_test_of_a_program_that_panics_expects_that() {
        let text = test(&Question { panics: true, ..question() });
        assert!(text.contains("#[test]\n#[should_panic]\nfn f_1() {\n"), "{text}");
    }
}
