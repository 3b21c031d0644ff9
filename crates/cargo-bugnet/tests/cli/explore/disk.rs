//! Runs whose disk is full: what cannot be written is named, what was found is shown, and the next run has everything.
#![cfg(target_os = "linux")]

use super::interrupt::harness;
use crate::fixture::{Crate, Done};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The bugs of the fixture, as a report names them.
const BUGS: [&str; 2] =
    ["1. `Boat::row` ends the process: abort", "2. `Boat::row` unwraps what is not there"];

/// Runs a command below a shell script, with words before its own.
fn under(script: &str, words: &[&str], command: &Command, shell: &mut Command) -> Done {
    shell.args(["-c", script, "sh"]).args(words).arg(command.get_program()).args(command.get_args());
    shell.current_dir(command.get_current_dir().unwrap());
    shell.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    Done::of(shell.output().unwrap())
}

/// Runs a command that cannot write more than this many blocks of 512 bytes to any file, as on a disk that is full.
fn with_small_files(blocks: usize, command: &Command) -> Done {
    // Whoever writes more is told so, and not killed.
    let script = "trap '' XFSZ; ulimit -S -f $1; shift; exec \"$@\"";
    under(script, &[&blocks.to_string()], command, &mut Command::new("sh"))
}

/// Starts a shell that may mount a file system which nobody else sees: with a namespace of its own, as root without.
fn shell_that_mounts() -> Option<Command> {
    let ways: [&[&str]; 2] = [&["--user", "--map-root-user", "--mount"], &["--mount"]];
    ways.into_iter().find_map(|words| {
        let script = ["sh", "-c", "mount -t tmpfs -o size=4k tmpfs /tmp"];
        let output = Command::new("unshare").args(words).args(script).output().ok()?;
        let mut shell = Command::new("unshare");
        shell.args(words).arg("sh");
        output.status.success().then_some(shell)
    })
}

/// Runs a command while the folder of the run is on a disk of this many KiB.
fn on_small_disk(run: &Path, size: usize, command: &Command, shell: &mut Command) -> Done {
    let script = "run=$1; mount -t tmpfs -o size=$2k tmpfs \"$run\" || exit 99; shift 2; \"$@\"; code=$?
        ls -A \"$run\" | grep bugnet-scratch >&2; exit $code";
    under(script, &[run.to_str().unwrap(), &size.to_string()], command, shell)
}

#[test]
fn a_full_disk_is_named_and_hides_nothing_that_was_found_and_the_next_run_has_everything() {
    let boat = Crate::shared("boat");
    let words = ["--programs", "500", "--seed", "1"];
    let assert_whole = |done: &Done, what: &str| {
        assert_eq!(done.code, Some(1), "{what}: {}\n{}", done.output, done.errors);
        for bug in BUGS {
            assert!(done.output.contains(bug), "{what}: {bug} is not in\n{}\n{}", done.output, done.errors);
        }
    };
    assert_whole(&boat.explore(&words), "with room");
    // Before anything is built.
    for blocks in [0, 4] {
        let done = with_small_files(blocks, &boat.command(&words));
        assert!(matches!(done.code, Some(2 | 3)), "{:?}\n{}", done.code, done.errors);
        // The file is named before it.
        assert!(done.errors.contains(": File too large"), "{}", done.errors);
        assert_eq!(done.output, "", "{blocks} blocks");
    }
    // While the crate is explored, and while tests are written.
    let run = harness(&boat).unwrap().join("run");
    let Some(_) = shell_that_mounts() else {
        println!("skipped: no file system can be mounted here, with or without a namespace of users");
        return;
    };
    for size in [4, 12] {
        let done = on_small_disk(&run, size, &boat.command(&words), &mut shell_that_mounts().unwrap());
        assert_whole(&done, &format!("on {size} KiB"));
        assert!(done.errors.contains("cannot be written: No space left on device"), "{}", done.errors);
        assert!(!done.errors.contains("bugnet-scratch"), "{}", done.errors);
    }
    fs::remove_file(run.join("shown")).unwrap();
    assert_whole(&boat.explore(&words), "after it");
}
