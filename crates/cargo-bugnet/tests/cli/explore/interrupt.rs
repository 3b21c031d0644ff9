//! Runs that are killed or interrupted, in each phase: what was found is shown, and nothing that was started goes on.
#![cfg(unix)]

use super::green::TRY;
use crate::fixture::{Crate, Done, target};
use nix::sys::signal::Signal::{self, SIGHUP, SIGINT, SIGKILL, SIGTERM};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Stdio};
use std::time::{Duration, Instant};

/// Waits for something.
#[track_caller]
fn wait_for(what: &str, is_there: &dyn Fn() -> bool) {
    let start = Instant::now();
    while !is_there() {
        assert!(start.elapsed() < Duration::from_secs(500), "{what} never came");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn signal(id: u32, signal: Signal) {
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(id as i32), signal).unwrap();
}

/// The time within which an interrupt is obeyed.
const OBEYED: Duration = Duration::from_secs(2);
/// Runs that are interrupted until one obeys in time: a machine that is busy for a moment is no disobedience.
const ATTEMPTS: usize = 5;

/// Interrupts runs until one obeys in time; each attempt returns how long it took.
#[track_caller]
fn assert_obeyed(what: &str, attempt: &mut dyn FnMut() -> Duration) {
    let mut took = Vec::new();
    while took.last().is_none_or(|last| *last > OBEYED) {
        assert!(took.len() < ATTEMPTS, "{what}: {took:?}");
        took.push(attempt());
    }
}

/// Reads lines until one has a word in it.
#[track_caller]
fn read_until(errors: &mut impl BufRead, word: &str, said: &mut String) {
    while !said.contains(word) {
        assert_ne!(errors.read_line(said).unwrap(), 0, "{word:?} is not in\n{said}");
    }
}

/// Finds the folder of the harness of a crate.
pub(crate) fn harness(krate: &Crate) -> Option<PathBuf> {
    let mut folders = fs::read_dir(target().join("bugnet/explore")).ok()?.map(|entry| entry.unwrap().path());
    let path = krate.path().display().to_string();
    folders.find(|folder| {
        fs::read_to_string(folder.join("Cargo.toml")).is_ok_and(|manifest| manifest.contains(&path))
    })
}

/// Returns true if a run of a crate has found this many ways to fail.
fn has_found(krate: &Crate, count: usize) -> bool {
    let found = harness(krate).and_then(|folder| fs::read_to_string(folder.join("run/found.jsonl")).ok());
    found.is_some_and(|text| text.lines().count() >= count)
}

#[test]
fn the_next_run_waits_and_goes_on_with_what_a_killed_one_has_found() {
    let killed = Crate::with("killed", &[("src/lib.rs", TRY)]);
    let mut first = killed.command(&["--time", "1h"]).stderr(Stdio::null()).spawn().unwrap();
    wait_for("a finding", &|| has_found(&killed, 1));
    let mut next = killed
        .command(&["--programs", "20", "--seed", "7"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut errors = BufReader::new(next.stderr.take().unwrap());
    let mut said = String::new();
    read_until(&mut errors, "Waiting for another run of killed to end", &mut said);
    signal(first.id(), SIGKILL);
    first.wait().unwrap();
    errors.read_to_string(&mut said).unwrap();
    let done = Done::of(next.wait_with_output().unwrap());
    assert_eq!(done.code, Some(1), "{}\n{said}", done.output);
    assert!(said.contains("Resuming ") && said.contains(" to fail of the last run"), "{said}");
    assert!(done.output.contains("`r#try` unwraps what is not there"), "{}", done.output);
    let again = killed.explore(&["--programs", "20", "--seed", "7"]);
    assert!(!again.errors.contains("Resuming"), "{}", again.errors);
}

/// A tool of Rust that never comes back from one kind of call.
struct Trap {
    program: PathBuf,
    /// Has the number of the process that does not come back.
    number: PathBuf,
}

impl Trap {
    /// Sets one in a crate; `call` is a part of the command line.
    fn set(krate: &Crate, tool: &str, call: &str) -> Trap {
        use std::os::unix::fs::PermissionsExt;
        let (program, number) = (krate.path().join(tool), krate.path().join("number"));
        let script = format!(
            "#!/bin/sh\ncase \"$* \" in *\"{call}\"*) echo $$ > {}; exec sleep 300;; *) exec {tool} \"$@\";; esac\n",
            number.display()
        );
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let _ = fs::remove_file(&number);
        Trap { program, number }
    }

    /// The process in it, if there is one.
    fn caught(&self) -> Option<u32> {
        fs::read_to_string(&self.number).ok()?.trim().parse().ok()
    }

    #[track_caller]
    fn assert_gone(&self) {
        let process = format!("/proc/{}/cmdline", self.caught().unwrap());
        wait_for("the end of what was started", &|| {
            !fs::read_to_string(Path::new(&process)).is_ok_and(|line| line.contains("sleep"))
        });
    }
}

#[test]
fn a_signal_ends_what_was_started_in_two_seconds_and_is_no_refusal_of_the_compiler() {
    let ended = Crate::with("ended", &[("src/lib.rs", TRY)]);
    let run = |variable: &str, tool: &str, call: &str, sent: Signal| {
        let mut last = None;
        assert_obeyed(&format!("{sent} while {tool} runs"), &mut || {
            let trap = Trap::set(&ended, tool, call);
            let mut command = ended.command(&["--programs", "300", "--seed", "1"]);
            let piped = command.env(variable, &trap.program).stdout(Stdio::piped()).stderr(Stdio::piped());
            let child = piped.spawn().unwrap();
            wait_for("a call of the tool", &|| trap.caught().is_some());
            let start = Instant::now();
            signal(child.id(), sent);
            let done = Done::of(child.wait_with_output().unwrap());
            let took = start.elapsed();
            trap.assert_gone();
            last = Some(done);
            took
        });
        last.unwrap()
    };
    for sent in [SIGTERM, SIGINT] {
        let done = run("RUSTDOC", "rustdoc", "--output-format", sent);
        assert_eq!(done.code, Some(130), "{}\n{}", done.output, done.errors);
        assert!(!done.errors.contains("error"), "{}", done.errors);
    }
    for sent in [SIGHUP, SIGINT] {
        assert_eq!(run("RUSTC", "rustc", "--crate-name ended ", sent).code, Some(130));
    }
    // While the test is compiled, what was found is shown as it is.
    let done = run("RUSTC", "rustc", "--crate-name explore ", SIGINT);
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    assert!(done.errors.contains("Interrupted what was found is shown as it is"), "{}", done.errors);
    for shown in ["`r#try` unwraps what is not there", "ended::r#try(vec![])", "(no test of it fails alike)"]
    {
        assert!(done.output.contains(shown), "{shown} is not in\n{}", done.output);
    }
}

/// A function that fails, but not while there is a file: then it does not come back.
const WAITING: &str = "
pub fn wait_NUMBER(numbers: Vec<u8>) -> u8 {
    while std::path::Path::new(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/wait\")).exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    numbers.into_iter().last().unwrap()
}
";

/// A run whose findings are being reduced, which takes for ever.
struct Reducing {
    child: Child,
    errors: BufReader<ChildStderr>,
    said: String,
    /// The time from the interrupt until exploring was over.
    obeyed: Duration,
}

/// Starts exploring a crate with functions that fail, and presses Ctrl-C once they hang instead.
fn reducing(waiting: &Crate) -> Reducing {
    let _ = fs::remove_file(waiting.path().join("wait"));
    let mut command = waiting.command(&["--time", "1h", "--fresh"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    wait_for("findings", &|| has_found(waiting, 8));
    fs::write(waiting.path().join("wait"), "").unwrap();
    let (mut said, start) = (String::new(), Instant::now());
    signal(child.id(), SIGINT);
    read_until(&mut errors, "    Explored in", &mut said);
    Reducing { child, errors, said, obeyed: start.elapsed() }
}

#[test]
fn an_interrupt_is_obeyed_in_two_seconds_and_what_was_found_is_shown_and_a_third_one_leaves_nothing() {
    // Each way to fail takes many seconds to reduce: every trial of it runs into its limit.
    let text: String = (0..8).map(|number| WAITING.replace("NUMBER", &number.to_string())).collect();
    let waiting = Crate::with("waiting", &[("src/lib.rs", &text)]);
    // While calls hang, and while programs that hang are reduced.
    assert_obeyed("Ctrl-C while exploring and reducing", &mut || {
        let Reducing { child, mut errors, mut said, obeyed } = reducing(&waiting);
        let acknowledged = "Interrupted what was found is reduced; Ctrl-C again shows it as it is";
        assert!(said.split("Explored in").next().unwrap().contains(acknowledged), "{said}");
        let start = Instant::now();
        signal(child.id(), SIGINT);
        errors.read_to_string(&mut said).unwrap();
        let done = Done::of(child.wait_with_output().unwrap());
        let took = start.elapsed();
        assert_eq!(done.code, Some(1), "{}\n{said}", done.output);
        let acknowledged = "Interrupted what was found is shown as it is";
        assert!(said.split("Reduced and proven").next().unwrap().contains(acknowledged), "{said}");
        assert!(said.contains("it was interrupted, so some are as they were found"), "{said}");
        for number in 0..8 {
            assert!(done.output.contains(&format!("wait_{number}")), "{}\n{said}", done.output);
        }
        assert!(done.output.contains("(no test of it fails alike)"), "{}", done.output);
        fs::remove_file(harness(&waiting).unwrap().join("run/found.jsonl")).unwrap();
        took.max(obeyed)
    });

    let run = harness(&waiting).unwrap().join("run");
    let Reducing { mut child, errors: _errors, .. } = reducing(&waiting);
    wait_for("a process that reduces", &|| !processes_of(&run).is_empty());
    // The second one ends reducing, and comes at the same time as the third.
    signal(child.id(), SIGINT);
    signal(child.id(), SIGTERM);
    let code = child.wait().unwrap().code();
    assert_eq!(code, Some(130));
    let left = fs::read_dir(&run).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let left: Vec<String> = left.filter(|name| name.starts_with(".bugnet-scratch-")).collect();
    assert_eq!(left, [""; 0]);
    wait_for("the end of all processes", &|| processes_of(&run).is_empty());
}

/// The command lines that name the folder of a run, or its programs.
fn processes_of(run: &Path) -> Vec<String> {
    let name = run.parent().unwrap().file_name().unwrap().to_str().unwrap().to_string();
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = entries.filter_map(|entry| fs::read_to_string(entry.path().join("cmdline")).ok());
    lines.filter(|line| line.contains(&name)).collect()
}
