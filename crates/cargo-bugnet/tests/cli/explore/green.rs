//! Runs that must not end green, and what is left when a run is killed, interrupted or cannot write.

use crate::fixture::{Crate, Done, target};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// A function whose name is a keyword, and which unwraps what is not there.
const TRY: &str = "pub fn r#try(numbers: Vec<u8>) -> u8 { numbers.into_iter().last().unwrap() }\n";

#[test]
fn what_was_found_is_shown_first_and_nothing_of_the_user_is_overwritten() {
    let green = Crate::with("green", &[("src/lib.rs", TRY)]);
    let manifest = green.path().join("Cargo.toml");
    let explore = |words: &[&str]| {
        let place = ["--programs", "1000", "--manifest-path", manifest.to_str().unwrap()];
        let mut command = green.command(&[words, &place].concat());
        // Beside the manifest, not here.
        Done::of(command.current_dir(std::env::temp_dir()).output().unwrap())
    };
    let done = explore(&["--write-tests", "--json", "/no/such/folder/report.json"]);
    done.assert_ended(1, "/no/such/folder/report.json cannot be written");
    assert!(done.output.contains("`r#try` unwraps what is not there"), "{}", done.output);
    // It was told as soon as its test was seen to fail.
    let (before, _) = done.errors.split_once("     Reduced and proven").unwrap();
    let proven =
        before.lines().find(|line| line.starts_with("      Proven `r#try` unwraps what is not there at "));
    assert!(proven.is_some_and(|line| line.ends_with("src/lib.rs:1 (r_try_panics)")), "{}", done.errors);
    let tests = green.path().join("tests/explore_green.rs");
    let written = fs::read_to_string(&tests).unwrap();
    assert!(written.contains("green::r#try("), "{written}");
    let mine = format!("// Mine.\n{written}");
    fs::write(&tests, &mine).unwrap();
    explore(&["--write-tests"]).assert_ended(1, "Kept 1 test in");
    assert_eq!(fs::read_to_string(&tests).unwrap(), mine);
    assert_eq!(fs::read_dir(green.path().join("tests")).unwrap().count(), 1);
    explore(&["--replay", "0"]).assert_ended(2, "`0` is no program of this crate");
    explore(&["--skip", "tyr"])
        .assert_ended(2, "no operation of this crate has a name that begins with `tyr`");
    explore(&["--law", "no_such=off"]).assert_ended(2, "this crate has no law `no_such`");
    green.explore(&["--crate", "../../x@1"]).assert_ended(2, "`../../x@1` names no crate");
}

#[test]
fn what_cannot_be_built_exits_with_3() {
    let text = "compile_error!(\"not on this system\");\n";
    let refusing = Crate::with("refusing", &[("src/lib.rs", text)]);
    refusing.explore(&["--programs", "100"]).assert_ended(3, "not on this system");
    let script = "fn main() { panic!(\"no compiler for C\"); }\n";
    let scripted = Crate::with("scripted", &[("src/lib.rs", "pub fn one() {}\n"), ("build.rs", script)]);
    scripted.explore(&["--programs", "100"]).assert_ended(3, "no compiler for C");
}

#[test]
fn a_thread_that_ends_the_process_is_never_green() {
    let text = "pub fn start() { std::thread::spawn(|| std::process::abort()); }\n";
    let thread = Crate::with("thread", &[("src/lib.rs", text)]);
    let done = thread.explore(&["--programs", "100", "--show-suspects"]);
    assert!(matches!(done.code, Some(1 | 5)), "{:?}\n{}\n{}", done.code, done.output, done.errors);
    // When the one function is banned, there is nothing left to call, and no process of ours dies of that.
    let said = format!("{}\n{}", done.output, done.errors);
    assert!(!said.contains("exit 101"), "{said}");
}

/// Waits for something.
#[track_caller]
fn wait_for(what: &str, is_there: &dyn Fn() -> bool) {
    let start = Instant::now();
    while !is_there() {
        assert!(start.elapsed() < Duration::from_secs(500), "{what} never came");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[cfg(unix)]
fn signal(id: u32, signal: nix::sys::signal::Signal) {
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(id as i32), signal).unwrap();
}

/// Finds the folder of the harness of a crate.
fn harness(krate: &Crate) -> Option<PathBuf> {
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

#[cfg(unix)]
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
    while !said.contains("Waiting for another run of killed to end") {
        assert_ne!(errors.read_line(&mut said).unwrap(), 0, "{said}");
    }
    signal(first.id(), nix::sys::signal::Signal::SIGKILL);
    first.wait().unwrap();
    errors.read_to_string(&mut said).unwrap();
    let done = Done::of(next.wait_with_output().unwrap());
    assert_eq!(done.code, Some(1), "{}\n{said}", done.output);
    assert!(said.contains("Resuming ") && said.contains(" to fail of the last run"), "{said}");
    assert!(done.output.contains("`r#try` unwraps what is not there"), "{}", done.output);
    let again = killed.explore(&["--programs", "20", "--seed", "7"]);
    assert!(!again.errors.contains("Resuming"), "{}", again.errors);
}

#[cfg(unix)]
#[test]
fn a_signal_while_the_crate_is_read_ends_cargo_and_rustdoc_too() {
    use std::os::unix::fs::PermissionsExt;
    let ended = Crate::with("ended", &[("src/lib.rs", TRY)]);
    let (rustdoc, number) = (ended.path().join("rustdoc"), ended.path().join("number"));
    // Cargo asks it for its version first.
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in *--output-format*) echo $$ > {}; exec sleep 300;; *) exec rustdoc \"$@\";; esac\n",
        number.display()
    );
    fs::write(&rustdoc, script).unwrap();
    fs::set_permissions(&rustdoc, fs::Permissions::from_mode(0o755)).unwrap();
    let mut child = ended.command(&[]).env("RUSTDOC", &rustdoc).stderr(Stdio::null()).spawn().unwrap();
    let read = || fs::read_to_string(&number).ok()?.trim().parse::<u32>().ok();
    wait_for("rustdoc", &|| read().is_some());
    signal(child.id(), nix::sys::signal::Signal::SIGTERM);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let process = format!("/proc/{}/cmdline", read().unwrap());
    wait_for("the end of rustdoc", &|| {
        !fs::read_to_string(Path::new(&process)).is_ok_and(|line| line.contains("sleep"))
    });
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

/// The longest that a run may go on after an interrupt while it reduces, on a machine that is busy. Without one, eight
/// calls that hang are reduced for two minutes.
#[cfg(unix)]
const OBEYED: Duration = Duration::from_secs(60);

#[cfg(unix)]
#[test]
fn an_interrupt_is_acknowledged_and_obeyed_and_what_was_found_is_shown() {
    use nix::sys::signal::Signal::SIGINT;
    // Each way to fail takes many seconds to reduce: every trial of it runs into its limit.
    let text: String = (0..8).map(|number| WAITING.replace("NUMBER", &number.to_string())).collect();
    let waiting = Crate::with("waiting", &[("src/lib.rs", &text)]);
    let mut command = waiting.command(&["--time", "1h"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    wait_for("findings", &|| has_found(&waiting, 8));
    fs::write(waiting.path().join("wait"), "").unwrap();
    signal(child.id(), SIGINT);
    let mut said = String::new();
    while !said.contains("    Explored in") {
        assert_ne!(errors.read_line(&mut said).unwrap(), 0, "{said}");
    }
    assert!(said.contains("Interrupted what was found is reduced; Ctrl-C again shows it as it is"), "{said}");
    let start = Instant::now();
    signal(child.id(), SIGINT);
    errors.read_to_string(&mut said).unwrap();
    let done = Done::of(child.wait_with_output().unwrap());
    assert!(start.elapsed() < OBEYED, "{:?}: {said}", start.elapsed());
    assert_eq!(done.code, Some(1), "{}\n{said}", done.output);
    assert!(said.contains("Interrupted what was found is shown as it is"), "{said}");
    assert!(said.contains("it was interrupted, so some are as they were found"), "{said}");
    for number in 0..8 {
        assert!(done.output.contains(&format!("wait_{number}")), "{}\n{said}", done.output);
    }
    assert!(done.output.contains("(no test of it fails alike)"), "{}", done.output);
}
