//! Proofs: the tests of bugs, compiled against the crate alone and run.
//!
//! **Invariant:** a test is written for the user only if it compiled, and failed in each of several processes in
//! the same way at the same place as the program that it was made of.

use super::bug::Bug;
use super::fact::Harness;
use super::finding::{Cause, Place};
use super::isolate::{self, Limits};
use super::process::End;
use super::replay::Rate;
use super::test::{self, Tests};
use anyhow::{Context, Result};
use cargo_metadata::{Message, diagnostic::DiagnosticLevel};
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufReader, Read};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A test that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(5);
/// So often tests that do not compile are left out and the others tried again.
const ROUNDS: usize = 6;
/// In how many processes a test is run, and in how many if each of them dies or hangs.
const RUNS: u32 = 5;
const DEADLY_RUNS: u32 = 2;
/// The file of tests in the crate of proofs.
const FILE: &str = "tests/explore.rs";

/// Compiles and runs the tests of bugs, and marks those that are proven.
pub(crate) fn prove(bugs: &mut [Bug], harness: &Harness, folder: &Path) -> Result<()> {
    let folder = folder.join("proof");
    write_crate(&folder, harness)?;
    let mut open: BTreeSet<usize> = (0..bugs.len()).filter(|place| is_writable(&bugs[*place])).collect();
    for _ in 0..ROUNDS {
        if open.is_empty() {
            break;
        }
        let written: Vec<&Bug> = open.iter().map(|place| &bugs[*place]).collect();
        let tests = test::write(&written, harness);
        write_file(&folder.join(FILE), &tests.text)?;
        let places: Vec<usize> = open.iter().copied().collect();
        match compile(&folder, harness)? {
            Ok(binary) => {
                for (place, lines) in places.into_iter().zip(&tests.lines) {
                    if try_test(&mut bugs[place], lines, &binary, &folder)? {
                        open.remove(&place);
                    }
                }
            }
            Err(wrong) => {
                for place in named(&wrong, &tests).into_iter().map(|test| places[test]) {
                    // A law may want to change a value that no call before it did.
                    if !make_mutable(&mut bugs[place].program) {
                        open.remove(&place);
                    }
                }
            }
        }
    }
    Ok(())
}

/// Runs the test of a bug in several processes; says whether that has decided whether it is proven. If it fails
/// in some of them, it fails by chance, and is to be written in another way.
fn try_test(bug: &mut Bug, lines: &RangeInclusive<usize>, binary: &Path, folder: &Path) -> Result<bool> {
    let runs = if bug.finding.cause.is_deadly() { DEADLY_RUNS } else { RUNS };
    let mut rate = Rate::default();
    while rate.runs < runs {
        let failed = run(binary, &bug.name, folder)?;
        let is_like = failed.is_like(bug, lines);
        if failed.end.is_none() && !is_like {
            // It takes seconds, and is not what was to be shown.
            return Ok(true);
        }
        rate.count(is_like);
    }
    bug.proven = rate.is_certain();
    let is_news = !bug.proven && rate.failed > 0 && bug.rate.is_certain();
    if is_news {
        bug.rate = rate;
    }
    Ok(!is_news)
}

/// Makes all variables of a program mutable; says whether any was not.
fn make_mutable(program: &mut [String]) -> bool {
    let mut is_changed = false;
    for line in program {
        if let Some(rest) = line.strip_prefix("let ").filter(|rest| !rest.starts_with("mut ")) {
            *line = format!("let mut {rest}");
            is_changed = true;
        }
    }
    is_changed
}

fn is_writable(bug: &Bug) -> bool {
    // What never failed again has nothing to show.
    !bug.calls.is_empty() && bug.finding.tape.is_some() && bug.rate.failed > 0
}

/// The tests that have one of the lines; all, if a line is in none of them.
fn named(wrong: &[usize], tests: &Tests) -> BTreeSet<usize> {
    let of = |line: &usize| tests.lines.iter().position(|lines| lines.contains(line));
    let found: Option<BTreeSet<usize>> = wrong.iter().map(of).collect();
    found.filter(|found| !found.is_empty()).unwrap_or_else(|| (0..tests.lines.len()).collect())
}

fn write_crate(folder: &Path, harness: &Harness) -> Result<()> {
    let manifest = format!(
        "[package]\nname = \"bugnet-proof\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
         [dependencies]\n{}\n\n[workspace]\n\n{}",
        harness.dependency,
        // What is built for the harness is not built again.
        profile(&fs::read_to_string(harness.folder.join("Cargo.toml")).unwrap_or_default()),
    );
    write_file(&folder.join("Cargo.toml"), &manifest)?;
    write_file(&folder.join("src/lib.rs"), "")?;
    let _ = fs::copy(harness.folder.join("Cargo.lock"), folder.join("Cargo.lock"));
    Ok(())
}

/// The sections of the manifest of a harness that say how things are built. The proof is built as the harness
/// itself is: what is generic is compiled with it, and a stack is as deep as that code makes it.
fn profile(manifest: &str) -> String {
    let mut kept = String::new();
    let (mut is_profile, mut is_own) = (false, false);
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_own = line.starts_with("[profile.dev.package.harness-");
            // What is said of other packages is for the harness alone.
            is_profile = is_own || line.starts_with("[profile") && !line.starts_with("[profile.dev.package");
        }
        if is_profile {
            let is_own = is_own && line.starts_with('[');
            kept.push_str(if is_own { "[profile.dev.package.bugnet-proof]" } else { line });
            kept.push('\n');
        }
    }
    kept
}

fn write_file(path: &Path, text: &str) -> Result<()> {
    let cannot = || format!("{} cannot be written", path.display());
    fs::create_dir_all(path.parent().expect("a file lies in a folder")).with_context(cannot)?;
    fs::write(path, text).with_context(cannot)
}

/// Builds the tests: the program, or the lines that the compiler complains about.
fn compile(folder: &Path, harness: &Harness) -> Result<std::result::Result<PathBuf, Vec<usize>>> {
    let target = harness.binary.ancestors().nth(2).unwrap_or(folder);
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["test", "--no-run", "--message-format=json", "--test", "explore", "--target-dir"]);
    command.arg(target).current_dir(folder).stdin(Stdio::null()).stderr(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn().context("cargo cannot be started")?;
    let output = BufReader::new(child.stdout.take().expect("it is piped"));
    let (mut binary, mut wrong) = (None, Vec::new());
    for message in Message::parse_stream(output) {
        match message? {
            Message::CompilerArtifact(artifact) if artifact.target.name == "explore" => {
                binary = artifact.executable.map(PathBuf::from);
            }
            Message::CompilerMessage(message) if message.message.level == DiagnosticLevel::Error => {
                let spans = message.message.spans.iter().filter(|span| span.is_primary);
                wrong.extend(spans.map(|span| span.line_start));
            }
            _ => {}
        }
    }
    let is_built = child.wait()?.success();
    Ok(binary.filter(|_| is_built).ok_or(wrong))
}

/// How a test has failed.
#[derive(Debug)]
struct Failed {
    /// `None` if it did not end.
    end: Option<End>,
    output: String,
}

fn run(binary: &Path, name: &str, folder: &Path) -> Result<Failed> {
    let scratch = folder.join("scratch");
    fs::create_dir_all(&scratch)?;
    let mut command = isolate::limited(binary, &scratch, Limits::test(PATIENCE * 4))?;
    command.args([name, "--exact", "--nocapture", "--test-threads=1"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (mut stdout, mut stderr) = (child.stdout.take(), child.stderr.take());
    let read = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = stderr.as_mut().map(|pipe| pipe.take(1 << 20).read_to_end(&mut text));
        String::from_utf8_lossy(&text).into_owned()
    });
    let output = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = stdout.as_mut().map(|pipe| pipe.take(1 << 20).read_to_end(&mut text));
        String::from_utf8_lossy(&text).into_owned()
    });
    let late = Instant::now() + PATIENCE;
    let mut is_late = false;
    while child.try_wait()?.is_none() {
        if Instant::now() > late {
            is_late = true;
            isolate::end(&mut child);
            break;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let status = child.wait()?;
    let said = read.join().unwrap_or_default();
    let output = output.join().unwrap_or_default();
    Ok(Failed { end: (!is_late).then(|| End::of(status, said)), output })
}

impl Failed {
    /// Whether it is the failure of a bug, whose test has these lines.
    fn is_like(&self, bug: &Bug, lines: &RangeInclusive<usize>) -> bool {
        let finding = &bug.finding;
        let Some(end) = &self.end else { return finding.cause == Cause::Hang };
        // The first panic is that of the test; others may follow when values are dropped.
        let place = panicked_at(&end.said);
        let is_here = |place: &Place| place.file == FILE && lines.contains(&(place.line as usize));
        match finding.cause {
            Cause::Hang => false,
            Cause::Memory => end.is_of_memory(),
            Cause::Death => !self.output.contains("test result:") && end.is_told_as(&finding.message),
            Cause::Law => place.is_some_and(|place| is_here(&place)),
            Cause::Panic => match &finding.place {
                Some(expected) if expected.is_in_harness() => place.is_some_and(|place| is_here(&place)),
                Some(expected) => place.is_some_and(|place| expected.is_end_of(&place)),
                None => false,
            },
        }
    }
}

/// Where a thread panicked first, by what it printed.
fn panicked_at(said: &str) -> Option<Place> {
    let (_, rest) = said.split_once("panicked at ")?;
    Place::read(rest.lines().next()?.trim_end_matches(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_a_panic_is_read_from_what_it_prints() {
        let said = "\nthread 'a' (12) panicked at /x/src/lib.rs:7:9:\nno\nnote: run with\n";
        assert_eq!(panicked_at(said), Place::read("/x/src/lib.rs:7:9"));
        assert_eq!(panicked_at("fine"), None);
    }

    #[test]
    fn a_proof_is_built_as_its_harness_is() {
        let harness = "[package]\nname = \"harness-a-1\"\n\n[profile.dev]\nopt-level = 2\n\n\
                       [profile.dev.package.harness-a-1]\nopt-level = 0\n\n[profile.dev.package.\"a\"]\nopt-level = 1\n";
        let expected =
            "[profile.dev]\nopt-level = 2\n\n[profile.dev.package.bugnet-proof]\nopt-level = 0\n\n";
        assert_eq!(profile(harness), expected);
    }

    #[test]
    fn variables_are_made_mutable_once() {
        let mut program = ["let a = f();", "let mut b = g();", "a.h(b);"].map(str::to_string);
        assert!(make_mutable(&mut program));
        assert_eq!(program[0], "let mut a = f();");
        assert!(!make_mutable(&mut program));
    }

    #[test]
    fn an_error_in_a_test_leaves_out_that_test_and_one_elsewhere_all() {
        let tests = Tests { text: String::new(), lines: vec![3..=5, 7..=9] };
        assert_eq!(named(&[8, 9], &tests), BTreeSet::from([1]));
        assert_eq!(named(&[8, 20], &tests), BTreeSet::from([0, 1]));
    }
}
