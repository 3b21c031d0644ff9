//! Proofs: the tests of bugs, compiled against the crate alone and run.
//!
//! **Invariant:** a test is written for the user only if it compiled, and failed in each of several processes in
//! the same way at the same place as the program that it was made of; where code under test has its panics print
//! nothing, nobody sees the place, and it is enough that the test fails.

use crate::cargo::{self, Running};
use crate::confine::{self, Limits};
use crate::finding::{Cause, Place, Rate};
use crate::harness::built::Built;
use crate::interrupt;
use crate::judge::bug::Bug;
use crate::prove::test::{self, Tests};
use anyhow::{Context, Result};
use bugnet::wire::Program;
use bugnet_process::{Death, End, How, Next, Output, Process, patience};
use cargo_metadata::{Message, diagnostic::DiagnosticLevel};
use std::collections::BTreeSet;
use std::fs;
use std::io::BufReader;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Rounds in which tests that do not compile are left out and the others are tried again.
const ROUNDS: usize = 6;
/// Processes in which a test is run.
const RUNS: u32 = 5;
/// Processes in which a test is run if each of them dies or hangs.
const DEADLY_RUNS: u32 = 2;
/// The time between two looks at whether a test is still wanted; an interrupt is noticed this late.
const LOOK: Duration = Duration::from_millis(100);
/// The exit code of tests of which one has failed.
const FAILED: i32 = 101;
/// The file of tests in the crate of proofs.
const FILE: &str = "tests/explore.rs";

/// Compiles and runs the tests of bugs, marks those that are proven, and tells each as soon as it is.
pub(crate) fn prove(bugs: &mut [Bug], harness: &Built, folder: &Path, tell: &dyn Fn(&Bug)) -> Result<()> {
    let folder = folder.join("proof");
    // Nothing is built that this run has not written.
    let _ = fs::remove_dir_all(&folder);
    write_crate(&folder, harness)?;
    let mut open: BTreeSet<usize> = (0..bugs.len()).filter(|place| is_writable(&bugs[*place])).collect();
    for _ in 0..ROUNDS {
        if open.is_empty() || interrupt::is_cut() {
            break;
        }
        let written: Vec<&Bug> = open.iter().map(|place| &bugs[*place]).collect();
        let tests = test::write(&written, harness);
        write_file(&folder.join(FILE), &tests.text)?;
        let places: Vec<usize> = open.iter().copied().collect();
        let compiled = compile(&folder, harness);
        if interrupt::is_cut() {
            // A compiler that was ended has refused nothing.
            break;
        }
        match compiled? {
            Ok(binary) => {
                for (place, lines) in places.into_iter().zip(&tests.lines) {
                    if interrupt::is_cut() {
                        return Ok(());
                    }
                    if try_test(&mut bugs[place], lines, &binary, &folder)? {
                        open.remove(&place);
                    }
                    if bugs[place].proven {
                        tell(&bugs[place]);
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
        if interrupt::is_cut() {
            return Ok(true);
        }
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
fn make_mutable(program: &mut Program) -> bool {
    let mut is_changed = false;
    for binding in program.calls.iter_mut().filter_map(|call| call.binding.as_mut()) {
        is_changed |= !binding.is_mutable;
        binding.is_mutable = true;
    }
    is_changed
}

fn is_writable(bug: &Bug) -> bool {
    // A bug that never failed again has nothing to show.
    bug.program.called().next().is_some() && bug.finding.tape.is_some() && bug.rate.failed > 0
}

/// The tests that have one of the lines; all, if a line is in none of them.
fn named(wrong: &[usize], tests: &Tests) -> BTreeSet<usize> {
    let of = |line: &usize| tests.lines.iter().position(|lines| lines.contains(line));
    let found: Option<BTreeSet<usize>> = wrong.iter().map(of).collect();
    found.filter(|found| !found.is_empty()).unwrap_or_else(|| (0..tests.lines.len()).collect())
}

fn write_crate(folder: &Path, harness: &Built) -> Result<()> {
    let manifest = format!(
        "[package]\nname = \"bugnet-proof\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\nbuild = false\n\n\
         [dependencies]\n{}\n\n[workspace]\n\n{}",
        harness.dependency,
        // With the profile of the harness, dependencies are not built again.
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
            // Settings for other packages are for the harness alone.
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
fn compile(folder: &Path, harness: &Built) -> Result<std::result::Result<PathBuf, Vec<usize>>> {
    let target = harness.binary.ancestors().nth(2).unwrap_or(folder);
    let mut command = cargo::unwinding();
    command.args(["test", "--no-run", "--message-format=json", "--test", "explore", "--target-dir"]);
    // In the folder of the user, whose toolchain and settings of Cargo are those of the harness.
    command.arg(target).arg("--manifest-path").arg(folder.join("Cargo.toml"));
    command.stdin(Stdio::null()).stderr(Stdio::null()).stdout(Stdio::piped());
    let mut running = Running::start(&mut command)?;
    let output = BufReader::new(running.output());
    // A compiler that nobody waits for any more is ended, also where it is the end of the time that says so.
    let guard = Guard::new();
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
    let is_built = running.wait()?.success();
    drop(guard);
    Ok(binary.filter(|_| is_built).ok_or(wrong))
}

/// A thread that ends Cargo and its compilers when nobody wants the tests any more.
#[derive(Debug)]
struct Guard {
    /// Closes with the guard.
    goes_on: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Guard {
    fn new() -> Guard {
        let (sender, receiver) = channel::<()>();
        let look = move || {
            while receiver.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                if interrupt::is_cut() {
                    return cargo::end_all();
                }
            }
        };
        Guard { goes_on: Some(sender), thread: Some(thread::spawn(look)) }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.goes_on.take());
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// The failure of a test.
#[derive(Debug)]
struct Failed {
    /// `None` if it did not end.
    end: Option<End>,
    output: String,
}

fn run(binary: &Path, name: &str, folder: &Path) -> Result<Failed> {
    let mut start = confine::limited(binary, folder, Limits::test(patience::TEST * 4))?;
    for word in [name, "--exact", "--nocapture", "--test-threads=1"] {
        start = start.argument(word);
    }
    // The first panic says where, so the beginning is kept too.
    start.output = Output::Whole { most: 1 << 20 };
    let mut process = Process::start(&start)?;
    let late = Instant::now() + patience::TEST;
    while Instant::now() < late && !interrupt::is_cut() {
        if let Next::Ended(_) = process.next(late.min(Instant::now() + LOOK)) {
            break;
        }
    }
    let finished = process.finish(Instant::now());
    let output = String::from_utf8_lossy(&finished.output).into_owned();
    Ok(Failed { end: Some(finished.end).filter(|end| end.how != How::TookTooLong), output })
}

impl Failed {
    /// Returns true if it is the failure of a bug whose test has these lines.
    fn is_like(&self, bug: &Bug, lines: &RangeInclusive<usize>) -> bool {
        let finding = &bug.finding;
        let Some(end) = &self.end else { return finding.cause == Cause::Hang };
        // The first panic is that of the test; others may follow when values are dropped.
        let place = panicked_at(&end.said);
        let is_here = |place: &Place| place.file == FILE && lines.contains(&(place.line as usize));
        match finding.cause {
            Cause::Hang => false,
            Cause::Memory => end.death() == Death::OutOfMemory,
            Cause::Death => !self.output.contains("test result:") && is_told_as(end, &finding.message),
            Cause::Law => place.is_some_and(|place| is_here(&place)),
            Cause::Panic => match &finding.place {
                Some(_) if place.is_none() => self.is_silent(),
                Some(expected) if expected.is_in_harness() => place.is_some_and(|place| is_here(&place)),
                Some(expected) => place.is_some_and(|place| expected.is_end_of(&place)),
                None => false,
            },
        }
    }
}

impl Failed {
    /// Returns whether the test has failed and nothing says why: code under test has replaced the panic hook, or passed
    /// on the panic of another thread.
    fn is_silent(&self) -> bool {
        let has_failed = self.output.contains("test result: FAILED");
        has_failed && self.end.as_ref().is_some_and(|end| end.how == How::Exited(FAILED))
    }
}

/// Returns true if the death of a process was reported with this reason. A process that aborts does not
/// always live to say why.
fn is_told_as(end: &End, reason: &str) -> bool {
    let told = Death::read(reason);
    told == Some(end.death()) || (told == Some(Death::Abort) && end.how == How::Signalled(6))
}

/// Reads the place of the first panic from the output of a process.
fn panicked_at(said: &str) -> Option<Place> {
    let (_, rest) = said.split_once("panicked at ")?;
    Place::read(rest.lines().next()?.trim_end_matches(':'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::bug::example::{bug, call, program};

    #[test]
    fn the_place_of_a_panic_is_read_from_what_it_prints() {
        let said = "\nthread 'a' (12) panicked at /x/src/lib.rs:7:9:\nno\nnote: run with\n";
        assert_eq!(panicked_at(said), Place::read("/x/src/lib.rs:7:9"));
        assert_eq!(panicked_at("fine"), None);
    }

    #[test]
    fn a_death_is_told_as_what_the_process_said_or_as_an_abort() {
        let end = |signal, said: &str| End { how: How::Signalled(signal), said: said.to_string() };
        let stack = "thread 'main' has overflowed its stack\n";
        assert!(is_told_as(&end(6, stack), "abort") && is_told_as(&end(6, stack), "stack overflow"));
        assert!(!is_told_as(&end(6, ""), "stack overflow") && is_told_as(&end(6, ""), "abort"));
        assert!(is_told_as(&end(11, ""), "signal 11 (SIGSEGV)") && !is_told_as(&end(11, ""), "abort"));
    }

    #[test]
    fn a_panic_that_prints_nothing_is_known_by_the_result_of_its_test() {
        let failed = |code, said: &str, output: &str| Failed {
            end: Some(End { how: How::Exited(code), said: said.to_string() }),
            output: output.to_string(),
        };
        let is_like = |failed: Failed| failed.is_like(&bug(), &(3..=5));
        assert!(is_like(failed(101, "", "test f ... FAILED\ntest result: FAILED. 0 passed")));
        assert!(!is_like(failed(0, "", "test result: ok. 1 passed")));
        assert!(!is_like(failed(1, "", "test result: FAILED. 0 passed")));
        let elsewhere = "thread 'f' panicked at src/other.rs:1:1:\nno\n";
        assert!(!is_like(failed(101, elsewhere, "test result: FAILED. 0 passed")));
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
        let calls = [call("f").bound("a", false), call("g").bound("b", true), call("h").written("a.h(b)")];
        let mut program = program(calls);
        assert!(make_mutable(&mut program));
        assert_eq!(program.lines(), ["let mut a = f();", "let mut b = g();", "a.h(b);"]);
        assert!(!make_mutable(&mut program));
    }

    #[test]
    fn an_error_in_a_test_leaves_out_that_test_and_one_elsewhere_all() {
        let tests = Tests { text: String::new(), lines: vec![3..=5, 7..=9] };
        assert_eq!(named(&[8, 9], &tests), BTreeSet::from([1]));
        assert_eq!(named(&[8, 20], &tests), BTreeSet::from([0, 1]));
    }
}
