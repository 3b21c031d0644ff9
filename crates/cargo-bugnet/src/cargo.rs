//! Cargo: how it is started, and ended with everything that it has started.
//!
//! Cargo leads a process group, so that it can be ended together with its compilers, whichever signal has reached
//! this process.
//!
//! **Invariant:** no cargo, rustdoc or rustc that was started here outlives a command that was interrupted.

use anyhow::{Context, Result};
use std::collections::BTreeSet;
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

/// The same for code whose panics are to be caught, whatever the user's flags and variables say of panics.
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
    command
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
