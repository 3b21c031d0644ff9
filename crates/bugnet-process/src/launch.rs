//! Launching: the process that is started puts descriptors where the program will look for them, and becomes it.
//!
//! A program can be started with three descriptors only: 0, 1 and 2. The launcher gets the channel as 0 and the
//! journal as 1, and moves them to 3 and 4. The program then has an empty standard input, and a standard output and
//! error of its own.
//!
//! **Invariant:** the variable [`VARIABLE`] names the process for which the descriptors are meant and which of them
//! there are, so nobody takes descriptors for a channel or a journal that are none.

use crate::start::{Launcher, Limits, Start, Talk, Variables};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// Says that there is a channel. Its value is the number of the process that has it and what that has, such as
/// `4711 journal`.
pub(crate) const VARIABLE: &str = "BUGNET_CHANNEL";

/// The descriptors of the channel and of the journal.
#[cfg(unix)]
pub(crate) const CHANNEL: i32 = 3;
#[cfg(unix)]
pub(crate) const JOURNAL: i32 = 4;

/// The word for a channel with a journal.
#[cfg(unix)]
pub(crate) const WITH_JOURNAL: &str = "journal";

/// Returns the word that tells a launcher which descriptors to move.
fn layout(talk: &Talk) -> &'static str {
    match talk {
        Talk::Nothing => "nothing",
        Talk::Frames => "channel",
        Talk::Journalled(_) => "journal",
    }
}

/// Makes the command that starts a program, but for its descriptors.
pub(crate) fn command(start: &Start, scratch: Option<&Path>) -> Command {
    let mut command = match &start.launcher {
        Launcher::Shell if cfg!(unix) => {
            let mut shell = Command::new("/bin/sh");
            shell.arg("-c").arg(script(&start.talk, &start.limits)).arg(&start.program);
            shell
        }
        Launcher::Program { program, words } => {
            let mut launcher = Command::new(program);
            launcher.args(words).args(scratch).arg(layout(&start.talk)).arg(&start.program);
            launcher
        }
        Launcher::Direct | Launcher::Shell => Command::new(&start.program),
    };
    command.args(&start.arguments);
    change(&mut command, &start.variables);
    if let Some(scratch) = scratch {
        command.env("HOME", scratch).env("TMPDIR", scratch);
    }
    if let Some(folder) = start.folder.as_deref().or(scratch) {
        command.current_dir(folder);
    }
    command
}

fn change(command: &mut Command, variables: &Variables) {
    if !variables.is_inherited {
        command.env_clear();
    }
    for (name, value) in &variables.changed {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
}

/// Returns the shell script that sets the limits, moves the descriptors and then becomes the program. Limits
/// that a system does not know are skipped.
fn script(talk: &Talk, limits: &Limits) -> String {
    let mut script = String::new();
    // A shell counts memory in KiB, and files in blocks of 512 bytes.
    let limits = [
        ("t", 0, limits.processor.map(|time| time.as_secs().max(1))),
        ("v", 10, limits.memory),
        ("f", 9, limits.file),
        ("n", 0, limits.open_files),
    ];
    for (option, shift, limit) in limits {
        if let Some(limit) = limit {
            script.push_str(&format!("ulimit -{option} {} 2>/dev/null; ", limit >> shift));
        }
    }
    let moved = match talk {
        Talk::Nothing => "",
        Talk::Frames => " 3<&0 </dev/null",
        Talk::Journalled(_) => " 3<&0 4>&1 </dev/null >/dev/null",
    };
    if !moved.is_empty() {
        script.push_str(&format!("{VARIABLE}=\"$$ {}\"; export {VARIABLE}; ", layout(talk)));
    }
    script + "exec \"$0\" \"$@\"" + moved
}

/// Does for a [`Launcher::Program`] what is left to do when it has taken away its rights: moves the descriptors, and
/// becomes the program. The words are those behind the launcher's own. Returns only if that is not possible.
///
/// ```
/// use bugnet_process::become_program;
///
/// assert_eq!(become_program(&[]).to_string(), "a launcher is told what to start");
/// ```
#[inline]
pub fn become_program(words: &[OsString]) -> io::Error {
    let [layout, program, arguments @ ..] = words else {
        return io::Error::new(io::ErrorKind::InvalidInput, "a launcher is told what to start");
    };
    let mut command = Command::new(program);
    command.args(arguments);
    if let Err(error) = moved(layout, &mut command) {
        return error;
    }
    became(command)
}

/// Moves the descriptors.
#[cfg(unix)]
#[inline]
fn moved(layout: &OsStr, command: &mut Command) -> io::Result<()> {
    use std::os::fd::AsFd;
    if layout == "nothing" {
        return Ok(());
    }
    crate::system::place(io::stdin().as_fd(), CHANNEL)?;
    command.stdin(Stdio::null());
    if layout == WITH_JOURNAL {
        crate::system::place(io::stdout().as_fd(), JOURNAL)?;
        command.stdout(Stdio::null());
    }
    command.env(VARIABLE, format!("{} {}", std::process::id(), layout.to_string_lossy()));
    Ok(())
}

#[cfg(unix)]
#[inline]
fn became(mut command: Command) -> io::Error {
    std::os::unix::process::CommandExt::exec(&mut command)
}

/// The channel stays on standard input and output.
#[cfg(not(unix))]
fn moved(layout: &OsStr, command: &mut Command) -> io::Result<()> {
    if layout != "nothing" {
        command.stdin(Stdio::inherit()).stdout(Stdio::inherit());
    }
    Ok(())
}

/// There is no `exec`, so the program is a child that is waited for.
#[cfg(not(unix))]
fn became(mut command: Command) -> io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}
