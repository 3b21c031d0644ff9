//! Written tests: the tests of bugs in the folder of the user.
//!
//! **Invariant:** no file that is there is changed, so nothing that a person has written is lost.

use crate::harness::LawFile;
use crate::harness::built::Built;
use crate::judge::bug::Bug;
use crate::prove::test;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// The result of writing tests.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Written {
    /// The new file, if there was anything new.
    pub(crate) path: Option<PathBuf>,
    pub(crate) new: usize,
    /// The number of tests that were already there.
    pub(crate) kept: usize,
}

impl Written {
    /// The line that the root of the crate needs, if the file is a module of it.
    pub(crate) fn module(&self) -> Option<String> {
        Some(format!("#[cfg(test)] mod {};", self.path.as_ref()?.file_stem()?.to_str()?))
    }
}

/// Returns true if the test of a bug calls a law that only the tests inside the crate see.
pub(crate) fn is_inside(bug: &Bug, harness: &Built) -> bool {
    let name = bug.finding.operation.split('(').next().unwrap_or_default();
    harness.laws.hidden.iter().any(|law| law == name)
}

/// Writes tests of laws that only the crate itself sees, as a module beside its root.
pub(crate) fn write_inside(bugs: &[&Bug], harness: &Built) -> Result<Written> {
    write_as(bugs, harness, &harness.source.join("src"), &|text| {
        format!("{text}\nuse crate as {};\n", harness.crate_name)
    })
}

/// Writes the tests that are not there yet to a new file of the folder.
pub(crate) fn write(bugs: &[&Bug], harness: &Built, folder: &Path) -> Result<Written> {
    write_as(bugs, harness, folder, &|text| with_laws(text, &harness.laws.files, folder))
}

/// Writes tests that are not there yet to a new file of a folder, with what they need to be there.
fn write_as(
    bugs: &[&Bug],
    harness: &Built,
    folder: &Path,
    completed: &dyn Fn(&str) -> String,
) -> Result<Written> {
    let cannot = |path: &Path| format!("{} cannot be written", path.display());
    fs::create_dir_all(folder).with_context(|| cannot(folder))?;
    let files = files(folder, &harness.crate_name);
    let there: String = files.iter().filter_map(|path| fs::read_to_string(path).ok()).collect();
    let new: Vec<&Bug> = bugs.iter().copied().filter(|bug| !has_test(&there, &bug.name)).collect();
    let kept = bugs.len() - new.len();
    if new.is_empty() {
        return Ok(Written { path: None, new: 0, kept });
    }
    let path = free(folder, &harness.crate_name);
    let text = test::write(&new, harness).text;
    let text = test::formatted(&completed(&text));
    // Another run may have taken the name meanwhile.
    let file = fs::File::create_new(&path).with_context(|| cannot(&path))?;
    std::io::Write::write_all(&mut &file, text.as_bytes()).with_context(|| cannot(&path))?;
    Ok(Written { path: Some(path), new: new.len(), kept })
}

/// Adds the law files that tests call, as modules beside them. In the crate of proofs they are crates of their own.
fn with_laws(text: &str, files: &[LawFile], folder: &Path) -> String {
    let is_called = |file: &&LawFile| text.contains(&format!("{}::", file.name));
    let module = |file: &LawFile| {
        let path = relative(&file.path, &folder.canonicalize().unwrap_or(folder.to_path_buf()));
        format!("\n#[path = {:?}]\nmod {};\n", path.display().to_string(), file.name)
    };
    let modules: String = files.iter().filter(is_called).map(module).collect();
    match text.split_once("\n#![allow(").and_then(|(head, rest)| Some((head, rest.split_once('\n')?))) {
        Some((head, (allowed, rest))) => format!("{head}\n#![allow({allowed}\n{modules}{rest}"),
        None => text.to_string(),
    }
}

/// Returns the path of a file as somebody in a folder names it.
fn relative(file: &Path, folder: &Path) -> PathBuf {
    let shared = folder.components().zip(file.components()).take_while(|(one, other)| one == other).count();
    let up = folder.components().skip(shared).map(|_| Path::new(".."));
    up.chain(file.components().skip(shared).map(|part| Path::new(part.as_os_str()))).collect()
}

/// Returns true if a text contains a test of a name.
fn has_test(text: &str, name: &str) -> bool {
    text.contains(&format!("fn {name}("))
}

/// The names that files of tests of a crate have: the first, and those of later runs.
fn names(crate_name: &str) -> impl Iterator<Item = String> {
    let first = format!("explore_{crate_name}.rs");
    let later = (2u32..).map({
        let crate_name = crate_name.to_string();
        move |number| format!("explore_{crate_name}_{number}.rs")
    });
    std::iter::once(first).chain(later)
}

/// The files of tests of a crate that are there.
fn files(folder: &Path, crate_name: &str) -> Vec<PathBuf> {
    let paths = names(crate_name).map(|name| folder.join(name));
    paths.take_while(|path| path.exists()).collect()
}

/// The first name that is free.
fn free(folder: &Path, crate_name: &str) -> PathBuf {
    let mut paths = names(crate_name).map(|name| folder.join(name));
    paths.find(|path| !path.exists()).expect("there is always another number")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::built::example::harness;
    use crate::judge::bug::example::bug;

    #[test]
    fn a_file_is_named_from_the_folder_that_needs_it() {
        let relative =
            |file: &str, folder: &str| relative(Path::new(file), Path::new(folder)).display().to_string();
        assert_eq!(relative("/a/tests/laws.rs", "/a/tests"), "laws.rs");
        assert_eq!(relative("/a/tests/laws.rs", "/a/tests/found"), "../laws.rs");
        assert_eq!(relative("/a/laws/graph.rs", "/a/tests"), "../laws/graph.rs");
    }

    #[test]
    fn the_test_of_a_hidden_law_is_a_module_of_the_crate_and_that_of_another_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let (mut harness, mut bug) = (harness(), bug());
        harness.source = folder.path().to_path_buf();
        harness.laws.hidden = vec!["sum_is_right".to_string()];
        assert!(!is_inside(&bug, &harness));
        bug.finding.operation = "sum_is_right(None)".to_string();
        assert!(is_inside(&bug, &harness));
        let written = write_inside(&[&bug], &harness).unwrap();
        let module = written.path.as_ref().unwrap().file_stem().unwrap().to_str().unwrap();
        assert_eq!(written.module(), Some(format!("#[cfg(test)] mod {module};")));
        let text = fs::read_to_string(folder.path().join(format!("src/{module}.rs"))).unwrap();
        assert!(text.contains(&format!("use crate as {};", harness.crate_name)), "{text}");
    }

    #[test]
    fn what_is_there_stays_and_what_is_new_goes_to_another_file() {
        let folder = tempfile::tempdir().unwrap();
        let (harness, mut one) = (harness(), bug());
        one.name = "first_bug".to_string();
        let written = write(&[&one], &harness, folder.path()).unwrap();
        let path = written.path.unwrap();
        assert_eq!((written.new, written.kept), (1, 0));
        fs::write(&path, "// mine\n#[test]\nfn first_bug() {}\n").unwrap();
        let mut other = bug();
        other.name = "second_bug".to_string();
        let again = write(&[&one, &other], &harness, folder.path()).unwrap();
        assert_eq!((again.new, again.kept), (1, 1));
        assert!(fs::read_to_string(&path).unwrap().starts_with("// mine"));
        let second = again.path.unwrap();
        assert!(second.display().to_string().ends_with("_2.rs"), "{second:?}");
        let text = fs::read_to_string(&second).unwrap();
        assert!(text.contains("fn second_bug(") && !text.contains("fn first_bug("), "{text}");
        assert_eq!(write(&[&one, &other], &harness, folder.path()).unwrap().path, None);
    }
}
