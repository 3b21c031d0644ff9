//! Written tests: failing programs as ordinary `#[test]`s in a file of the user's crate.
//!
//! The file is the user's as much as Bugnet's. Each test carries the program it came from in a
//! comment, by which it is known: what is there is never touched, and what is new is put where it
//! belongs by its size, smallest first.
//!
//! **Invariant:** writing adds one test or nothing; every other byte of the file stays.

use crate::case::Argument;
use crate::choice::Tape;
use crate::oracle::{Failure, Phase, Signature};
use std::fmt::Write as _;
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Begins the line that tells which program a test came from.
const MARK: &str = "    // bugnet: ";

const HEADER: &str = "\
// Programs that failed, written by Bugnet as tests: the shortest first.
// They are yours to edit. Bugnet adds what is new and leaves the rest alone.
";

/// The file of the written tests of one machine or type.
#[derive(Debug)]
pub(crate) struct Written {
    path: PathBuf,
    /// The path as seen from the folder of the crate, where tests are run.
    shown: PathBuf,
    name: String,
    /// The file that declares the test, if it is known.
    source: Option<PathBuf>,
}

impl Written {
    /// The file for a test, in a folder of a crate.
    pub(crate) fn new(root: &Path, folder: &str, test: &str) -> Written {
        let name = test.rsplit("::").next().unwrap_or(test).to_string();
        let shown = Path::new(folder).join(format!("{name}.rs"));
        Written { path: root.join(&shown), shown, name, source: None }
    }

    /// Says which file declares the test, as `file!()` has it: seen from the crate or from its workspace.
    pub(crate) fn declared_in(mut self, source: Option<&str>) -> Written {
        let root = self.path.ancestors().nth(self.shown.components().count()).unwrap_or(Path::new("."));
        let Some(source) = source else { return self };
        let mut source_of_root = None;
        for above in root.ancestors() {
            let path = above.join(source);
            if path.is_file() {
                source_of_root = Some(path);
                break;
            }
        }
        self.source = source_of_root;
        self
    }

    /// Adds a test, if the program is not there yet.
    pub(crate) fn add(&self, tape: &Tape, lines: &[Argument], failure: &Failure) -> Result<PathBuf, String> {
        let old = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => HEADER.to_string(),
            Err(error) => return Err(format!("{} cannot be read: {error}", self.path.display())),
        };
        if let Some(new) = self.with(&old, tape, lines, failure) {
            let is_first = !self.path.exists();
            let unwritable = |error| format!("{} cannot be written: {error}", self.path.display());
            self.write(&new).map_err(unwritable)?;
            if is_first {
                self.announce();
            }
        }
        Ok(self.shown.clone())
    }

    /// Has the compiler look again: a file that was not there when the test was compiled is none that
    /// the build depends on. The file that declares the test gets the date of the new file and is not
    /// changed otherwise. Where the date cannot be set, the tests are there with the next change.
    fn announce(&self) {
        let source = self.source.as_ref().and_then(|path| fs::File::options().append(true).open(path).ok());
        let written = fs::metadata(&self.path).and_then(|file| file.modified());
        if let (Some(source), Ok(date)) = (source, written) {
            let _ = source.set_modified(date);
        }
    }

    fn write(&self, text: &str) -> std::io::Result<()> {
        fs::create_dir_all(self.path.parent().unwrap_or(Path::new(".")))?;
        let beside = self.path.with_extension(format!("{}.new", std::process::id()));
        fs::write(&beside, text)?;
        fs::rename(&beside, &self.path)
    }

    /// The file with one test more; `None` if it has it.
    fn with(&self, old: &str, tape: &Tape, lines: &[Argument], failure: &Failure) -> Option<String> {
        let mark = format!("{MARK}{tape}");
        if old.lines().any(|line| line == mark) {
            return None;
        }
        let number = (1..).find(|number| !old.contains(&format!("fn {}_{number}()", self.name)))?;
        let test = formatted(self.test(number, &mark, lines, failure));
        let place = place_for(old, size(&test));
        let (before, after) = old.split_at(place);
        let gap = if after.is_empty() { "" } else { "\n" };
        Some(format!("{}\n\n{}\n{gap}{}", before.trim_end(), test.trim_end(), after))
    }

    fn test(&self, number: u32, mark: &str, lines: &[Argument], failure: &Failure) -> String {
        let mut text = String::new();
        let message = failure.message.lines().next().unwrap_or_default();
        let _ = match &failure.signature {
            Signature::InCall { operation, phase: Phase::Observe, .. } => {
                writeln!(text, "/// Printing `{operation}` fails: {message}")
            }
            Signature::InCall { operation, .. } if !operation.is_empty() => {
                writeln!(text, "/// `{operation}` fails: {message}")
            }
            _ => writeln!(text, "/// Fails: {message}"),
        };
        text.push_str("#[test]\n");
        if failure.signature.is_deadly() {
            text.push_str("#[ignore = \"ends or hangs its process\"]\n");
        }
        let _ = writeln!(text, "fn {}_{number}() {{\n{mark}", self.name);
        lines.iter().for_each(|line| {
            let _ = writeln!(text, "    {}", line.to_string().replace("\n", "\n    "));
        });
        text.push_str("}\n");
        text
    }
}

/// Returns the number of statements of a test.
fn size(test: &str) -> usize {
    test.lines().filter(|line| line.trim_end().ends_with(';')).count()
}

/// Returns the place for a test of a size: before the first greater one.
fn place_for(text: &str, new: usize) -> usize {
    let mut starts = Vec::new();
    let mut place = 0;
    let mut comment = None;
    for line in text.split_inclusive('\n') {
        match line.trim_start() {
            start if start.starts_with("///") || start.starts_with("#[") => {
                comment.get_or_insert(place);
            }
            start if start.starts_with("fn ") => starts.push(comment.take().unwrap_or(place)),
            _ => comment = None,
        }
        place += line.len();
    }
    let end = |index: usize| starts.get(index + 1).copied().unwrap_or(text.len());
    let greater = (0..starts.len()).find(|index| size(&text[starts[*index]..end(*index)]) > new);
    greater.map_or(text.len(), |index| starts[index])
}

/// The test as rustfmt has it, where there is one.
fn formatted(test: String) -> String {
    let run = || -> Option<String> {
        let mut rustfmt = Command::new("rustfmt")
            .args(["--edition", "2024", "--emit", "stdout"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        rustfmt.stdin.take()?.write_all(test.as_bytes()).ok()?;
        let output = rustfmt.wait_with_output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        (output.status.success() && !text.is_empty()).then_some(text)
    };
    run().unwrap_or(test)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written() -> Written {
        Written::new(Path::new("crate"), crate::settings::Write::FOLDER, "my_crate::tests::stack")
    }

    fn lines(texts: &[&str]) -> Vec<Argument> {
        let line = |text: &&str| Argument { name: "", kind: "", text: text.to_string(), source: true };
        texts.iter().map(line).collect()
    }

    fn failure() -> Failure {
        let cause = Box::new(Signature::ReturnedFalse);
        let signature = Signature::InCall { operation: "is_right".into(), phase: Phase::Check, cause };
        Failure::new(signature, "the property returned false\nreally")
    }

    fn tape(text: &str) -> Tape {
        text.parse().unwrap()
    }

    #[test]
    fn a_test_is_written_once_and_small_ones_first() {
        let long = lines(&["let mut stack = Stack::new();", "stack.push(1);", "assert!(stack.is_right());"]);
        let short = lines(&["let stack = Stack::new();", "assert!(stack.is_right());"]);
        let one = written().with(HEADER, &tape("1(2)"), &long, &failure()).unwrap();
        assert_eq!(written().with(&one, &tape("1(2)"), &long, &failure()), None);
        let two = written().with(&one, &tape("1(3)"), &short, &failure()).unwrap();
        let expected = format!(
            "{HEADER}
/// `is_right` fails: the property returned false
#[test]
fn stack_2() {{
    // bugnet: 1(3)
    let stack = Stack::new();
    assert!(stack.is_right());
}}

/// `is_right` fails: the property returned false
#[test]
fn stack_1() {{
    // bugnet: 1(2)
    let mut stack = Stack::new();
    stack.push(1);
    assert!(stack.is_right());
}}
"
        );
        assert_eq!(two, expected);
    }

    #[test]
    fn the_file_that_declares_a_test_is_as_new_as_the_tests_written_for_it() {
        let root = std::env::temp_dir().join(format!("bugnet-written-{}", std::process::id()));
        fs::create_dir_all(root.join("src")).unwrap();
        let (source, date) =
            (root.join("src/lib.rs"), |path: &Path| fs::metadata(path).unwrap().modified().unwrap());
        let compiled = fs::File::create(&source).unwrap();
        compiled.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
        let written = Written::new(&root, "tests", "a::stack").declared_in(Some("src/lib.rs"));
        written.add(&tape("1(2)"), &lines(&["push(1);"]), &failure()).unwrap();
        assert_eq!(date(&source), date(&root.join("tests/stack.rs")));
        assert_eq!(fs::read_to_string(&source).unwrap(), "");
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn what_the_user_has_changed_stays() {
        let program = lines(&["let stack = Stack::new();"]);
        let one = written().with(HEADER, &tape("1(2)"), &program, &failure()).unwrap();
        let edited =
            one.replace("fn stack_1", "fn an_empty_stack_is_right").replace("// Programs", "// My programs");
        assert_eq!(written().with(&edited, &tape("1(2)"), &program, &failure()), None);
        let longer = lines(&["let stack = Stack::new();", "drop(stack);"]);
        let two = written().with(&edited, &tape("1(3)"), &longer, &failure()).unwrap();
        assert!(two.starts_with(edited.trim_end()), "{two}");
    }

    #[test]
    fn what_ends_its_process_is_written_but_not_run() {
        let deadly = Failure::new(Signature::Hung, "the case did not end within 1s");
        let text = written().with(HEADER, &tape("1(2)"), &lines(&["forever();"]), &deadly).unwrap();
        assert!(text.contains("#[ignore = "), "{text}");
    }
}
