//! Cargo: how it is started, and ended with everything that it has started.
//!
//! Cargo leads a process group, so that it can be ended together with its compilers, whichever signal has reached
//! this process.
//!
//! **Invariant:** no cargo, rustdoc or rustc that was started here outlives a command that was interrupted.

use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The leaders of the process groups that are running.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The Cargo that runs this command.
pub(crate) fn command() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Names the crates that are counted, with commas between them, to this program where it wraps the compiler.
pub(crate) const COUNTED: &str = "BUGNET_COUNTED";
/// Names the wrapper that the user has.
pub(crate) const WRAPPER: &str = "BUGNET_RUSTC_WRAPPER";

/// The same for code whose panics are to be caught, whatever the user's flags, variables and settings of Cargo say of
/// panics.
pub(crate) fn unwinding() -> Command {
    let mut command = command();
    for variable in ["CARGO_PROFILE_DEV_PANIC", "CARGO_PROFILE_TEST_PANIC"] {
        command.env_remove(variable);
    }
    for (variable, separator) in [("RUSTFLAGS", ' '), ("CARGO_ENCODED_RUSTFLAGS", '\u{1f}')] {
        if let Some(flags) = std::env::var(variable).ok().filter(|flags| flags.contains("panic=abort")) {
            command.env(variable, without_abort(&flags, separator));
        }
    }
    let here = std::env::current_dir().unwrap_or_default();
    if settings(&here, home().as_deref()).iter().any(|file| says_abort(file)) {
        // It adds a flag of its own to whatever Cargo says.
        wrap(&mut command, "");
    }
    command
}

/// Has Cargo start this program in the place of the compiler, and count in the crates that are named.
pub(crate) fn wrap(command: &mut Command, counted: &str) {
    let Ok(own) = std::env::current_exe() else { return };
    let variables = ["RUSTC_WRAPPER", "CARGO_BUILD_RUSTC_WRAPPER"];
    let theirs = variables.iter().filter_map(std::env::var_os).find(|wrapper| !wrapper.is_empty());
    if let Some(wrapper) = theirs {
        command.env(WRAPPER, wrapper);
    }
    command.env(COUNTED, counted).env("RUSTC_WRAPPER", own);
}

/// The folder of Cargo's own files.
fn home() -> Option<PathBuf> {
    let named = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    named.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))
}

/// The files with settings of Cargo that hold in a folder.
fn settings(folder: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let above = folder.ancestors().map(|above| above.join(".cargo"));
    let folders = above.chain(home.map(Path::to_path_buf));
    folders.flat_map(|folder| ["config.toml", "config"].map(|name| folder.join(name))).collect()
}

/// Returns true if settings may make every panic an abort, by a profile or by a flag. One that says so for other
/// builds costs the start of a program for each call of the compiler.
fn says_abort(file: &Path) -> bool {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines.into_iter().any(|line| line.contains("panic") && line.contains("abort"))
}

/// Flags of the compiler without the one that makes every panic an abort.
fn without_abort(flags: &str, separator: char) -> String {
    let words: Vec<&str> = flags.split(separator).filter(|word| !word.is_empty()).collect();
    let mut kept: Vec<&str> = Vec::new();
    for word in words {
        match word {
            "-Cpanic=abort" | "--codegen=panic=abort" => {}
            "panic=abort" if matches!(kept.last(), Some(&("-C" | "--codegen"))) => {
                kept.pop();
            }
            _ => kept.push(word),
        }
    }
    kept.join(&separator.to_string())
}

/// A Cargo that is running.
#[derive(Debug)]
pub(crate) struct Running(Option<Child>);

impl Running {
    /// Starts Cargo.
    pub(crate) fn start(command: &mut Command) -> Result<Running> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        // Nobody who ends all is to come between the start and the entry.
        let mut running = running();
        let child = command.spawn().context("cargo cannot be started; is it installed?")?;
        running.insert(child.id());
        Ok(Running(Some(child)))
    }

    fn child(&mut self) -> &mut Child {
        self.0.as_mut().expect("it is taken at the end only")
    }

    /// Takes its standard output, which must be piped.
    pub(crate) fn output(&mut self) -> ChildStdout {
        self.child().stdout.take().expect("the output is piped")
    }

    /// Takes its standard error, which must be piped.
    pub(crate) fn errors(&mut self) -> std::process::ChildStderr {
        self.child().stderr.take().expect("the output is piped")
    }

    /// Waits for its end.
    pub(crate) fn wait(&mut self) -> Result<ExitStatus> {
        Ok(self.child().wait()?)
    }

    /// Waits for its end, and returns all that it printed.
    pub(crate) fn finish(mut self) -> Result<Output> {
        let child = self.0.take().expect("it is taken at the end only");
        let id = child.id();
        let output = child.wait_with_output();
        running().remove(&id);
        Ok(output?)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            end(child.id());
            let _ = child.wait();
            running().remove(&child.id());
        }
    }
}

/// Ends every Cargo that is running, with its compilers, before this process ends. Whoever waits for one waits for
/// good from then on, so that nobody takes its end for a failure, or starts another one.
pub(crate) fn end_for_good() {
    let running = running();
    running.iter().copied().for_each(end);
    std::mem::forget(running);
}

/// Ends every Cargo that is running, with its compilers.
pub(crate) fn end_all() {
    running().iter().copied().for_each(end);
}

#[cfg(unix)]
fn end(leader: u32) {
    use nix::sys::signal::{Signal, killpg};
    if let Some(group) = i32::try_from(leader).ok().filter(|group| *group > 1) {
        let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn end(_: u32) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_that_abort_on_panic_are_left_out() {
        assert_eq!(without_abort("-Cpanic=abort -Copt-level=1", ' '), "-Copt-level=1");
        assert_eq!(without_abort("-g -C panic=abort -C lto", ' '), "-g -C lto");
        assert_eq!(without_abort("-C\u{1f}panic=abort\u{1f}-g", '\u{1f}'), "-g");
    }

    #[test]
    fn settings_that_abort_on_panic_are_seen_wherever_cargo_reads_them() {
        let folder = tempfile::tempdir().unwrap();
        let (home, inner) = (folder.path().join("home"), folder.path().join("a/b"));
        for folder in [&home, &folder.path().join("a/.cargo"), &inner] {
            std::fs::create_dir_all(folder).unwrap();
        }
        let aborts = || settings(&inner, Some(&home)).iter().any(|file| says_abort(file));
        let profile = "[profile.dev]\npanic = \"abort\"\n";
        let flag = "[build]\nrustflags = [\"-C\", \"panic=abort\"]\n";
        let harmless = "[build]\njobs = 1\n# panic = \"abort\"\n";
        for (file, text) in
            [(home.join("config.toml"), flag), (folder.path().join("a/.cargo/config"), profile)]
        {
            assert!(!aborts());
            std::fs::write(&file, text).unwrap();
            assert!(aborts(), "{}", file.display());
            std::fs::write(&file, harmless).unwrap();
        }
        assert!(!aborts());
    }

    #[cfg(unix)]
    #[test]
    fn whoever_is_running_is_ended_with_its_children() {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "sleep 60 & wait"]);
        let mut running = Running::start(&mut command).unwrap();
        end_all();
        assert!(!running.wait().unwrap().success());
    }
}
