//! The launcher: takes away its own rights, and then becomes the program.
//!
//! A process is started through this program itself, as `cargo-bugnet __limit …`. So nothing runs between `fork` and
//! `exec`, where hardly anything is allowed.
//!
//! **Invariant:** a right that was to be taken away and could not be ends the launcher, unless it was asked only what it
//! can take away.

use super::barrier::Barrier;
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::fmt::Write;
use std::path::PathBuf;

/// Asks the launcher to say what it could not deny, and to end.
pub(super) const PROBE: &str = "--probe";
/// The last line of what it then says.
pub(super) const PROBED: &str = "probed";
/// The beginning of a line about something that must be denied.
pub(super) const GRAVE: &str = "grave: ";
/// The word for no barrier.
const NONE: &str = "none";

/// The task of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// It runs code under test, and needs no other process for that.
    Alone,
    /// It runs no code under test, but starts processes that do.
    Supervisor,
}

/// The fate of the scratch folder of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scratch {
    /// It is empty at first, and removed afterwards.
    Fresh,
    /// It is shared with whoever asked, who reads there what the process has written.
    Shared,
}

/// The order to a launcher, as words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Order {
    pub(super) seconds: u64,
    pub(super) memory: u64,
    pub(super) barrier: Option<Barrier>,
    pub(super) role: Role,
    pub(super) scratch: Scratch,
    pub(super) secrets: Vec<PathBuf>,
}

impl Order {
    pub(super) fn words(&self) -> Vec<OsString> {
        let barrier = self.barrier.map_or(NONE.to_string(), |barrier| barrier.to_string());
        let role = match self.role {
            Role::Alone => "alone",
            Role::Supervisor => "supervisor",
        };
        let scratch = match self.scratch {
            Scratch::Fresh => "fresh",
            Scratch::Shared => "shared",
        };
        // A path with a colon cannot be passed on, and is no name that a credential has.
        let secrets = self.secrets.iter().filter(|path| !path.as_os_str().to_string_lossy().contains(':'));
        let secrets = std::env::join_paths(secrets).unwrap_or_default();
        vec![
            self.seconds.to_string().into(),
            self.memory.to_string().into(),
            barrier.into(),
            role.into(),
            scratch.into(),
            secrets,
        ]
    }

    /// Reads an order; returns the scratch folder and what follows it, too.
    fn read(words: &[OsString]) -> Result<(Order, PathBuf, &[OsString])> {
        let [seconds, memory, barrier, role, kind, secrets, scratch, rest @ ..] = words else {
            bail!("`{}` is for Bugnet itself", super::WORD);
        };
        let text = |word: &OsString| word.to_str().map(str::to_string).context("a word is no text");
        let barrier = match text(barrier)?.as_str() {
            NONE => None,
            name => Some(name.parse().map_err(anyhow::Error::msg)?),
        };
        let role = if role == "supervisor" { Role::Supervisor } else { Role::Alone };
        let kind = if kind == "shared" { Scratch::Shared } else { Scratch::Fresh };
        let secrets = std::env::split_paths(secrets).filter(|path| !path.as_os_str().is_empty()).collect();
        let order = Order {
            seconds: text(seconds)?.parse()?,
            memory: text(memory)?.parse()?,
            barrier,
            role,
            scratch: kind,
            secrets,
        };
        Ok((order, PathBuf::from(scratch), rest))
    }
}

/// Takes away rights and becomes another program. Returns only if that is not possible.
pub(super) fn become_limited(words: &[OsString]) -> anyhow::Error {
    let begun = Order::read(words).and_then(|(order, scratch, rest)| {
        let gaps = limit(&order, &scratch)?;
        Ok((gaps, rest))
    });
    let (gaps, rest) = match begun {
        Ok(begun) => begun,
        Err(error) => return error.context("the code under test cannot be confined"),
    };
    if rest.get(1).is_some_and(|program| program == PROBE) {
        let mut said = String::new();
        for gap in gaps {
            let _ = writeln!(said, "{gap}");
        }
        println!("{said}{PROBED}");
        std::process::exit(0);
    }
    bugnet_process::become_program(rest).into()
}

#[cfg(target_os = "linux")]
fn limit(order: &Order, scratch: &std::path::Path) -> Result<Vec<String>> {
    use super::files::{self, Signals};
    use super::filter::Filter;
    use super::{namespace, quota, system};
    use nix::sys::{prctl, signal::Signal};

    // Nobody is to be left behind if the one that watches is killed.
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    let mut gaps = quota::limit(order.seconds, order.memory);
    if system::close_others().is_err() {
        gaps.push(
            "files that whoever started this program has left open are not closed (Linux 5.11 does that)"
                .into(),
        );
    }
    if order.barrier == Some(Barrier::Namespace) {
        namespace::enter(scratch, order.scratch)?;
        if !quota::is_limited_in_tasks() {
            gaps.push(
                "the number of processes that it starts is not limited (Linux 6.14 does that for root)"
                    .into(),
            );
        }
    }
    let scoped = order.barrier == Some(Barrier::Landlock);
    let signals = if scoped { Signals::Scoped } else { Signals::Elsewhere };
    match (files::restrict(scratch, &order.secrets, signals), order.barrier) {
        (Ok(true), _) => {}
        (Err(error), Some(Barrier::Landlock)) => return Err(error).context("Landlock has no signal scope"),
        (_, Some(Barrier::Namespace)) => {
            gaps.push("reading credentials is not denied, because this kernel has no Landlock".into());
        }
        (_, _) => gaps.push(format!("{GRAVE}writing outside the scratch folder is not denied (no Landlock)")),
    }
    system::drop_capabilities().context("capabilities cannot be given up")?;
    match order.barrier {
        Some(barrier) => {
            Filter::of(barrier, order.role).install().context("system calls cannot be filtered")?
        }
        None => {
            gaps.push(format!(
                "{GRAVE}signals to other processes are not denied (no namespaces, no seccomp)"
            ));
            gaps.push("the network, Unix sockets and shared memory are not denied".into());
        }
    }
    Ok(gaps)
}

#[cfg(all(unix, not(target_os = "linux")))]
fn limit(order: &Order, _: &std::path::Path) -> Result<Vec<String>> {
    let mut gaps = super::quota::limit(order.seconds, order.memory);
    gaps.extend(super::MISSING.map(|what| format!("{GRAVE}{what} is not denied on this system")));
    Ok(gaps)
}

#[cfg(not(unix))]
fn limit(_: &Order, _: &std::path::Path) -> Result<Vec<String>> {
    let mut gaps =
        vec!["memory, files and the time of the processor cannot be limited on this system".to_string()];
    gaps.extend(super::MISSING.map(|what| format!("{GRAVE}{what} is not denied on this system")));
    Ok(gaps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_read_as_it_was_written() {
        for (barrier, role) in [(None, Role::Alone), (Some(Barrier::Filter), Role::Supervisor)] {
            let secrets = vec!["/a/b".into()];
            let order =
                Order { seconds: 7, memory: 1 << 30, barrier, role, scratch: Scratch::Shared, secrets };
            let mut words = order.words();
            words.extend(["/scratch", "nothing", "/bin/true"].map(OsString::from));
            let (read, scratch, rest) = Order::read(&words).unwrap();
            assert_eq!((read, scratch, rest.len()), (order, PathBuf::from("/scratch"), 2));
        }
        assert!(Order::read(&[]).is_err());
    }
}
