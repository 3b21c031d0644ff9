//! Namespaces: a process tree, a view of the files and a shared memory of its own. The network needs none: the filter
//! denies sockets, and a namespace of it takes a millisecond to make.
//!
//! There are three processes. The *launcher* is the one that whoever asked knows: it waits, and ends as the program has
//! ended. The *first* has the number 1 inside, sets up the files, and takes in orphans; when it ends, the kernel kills
//! everything inside. The *program* is a child of it, because a process of number 1 survives its own `abort`.
//!
//! **Invariant:** when the launcher has ended, every process inside has, or is being killed. Nothing inside can reach
//! the launcher, which is in another process group.

use super::launcher::Scratch;
use super::quota;
use super::system::{self, NO_SET_USER, READ_ONLY, Side};
use anyhow::{Context, Result};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sched::{CloneFlags, unshare};
use nix::sys::{prctl, signal::Signal};
use nix::unistd::{dup2_stderr, dup2_stdin, dup2_stdout, getgid, getuid, setsid};
use std::fs::{self, File};
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::AsFd;
use std::path::Path;

/// Bytes of the scratch folder, and how many files it may have.
const SCRATCH: &std::ffi::CStr = c"size=256m,nr_inodes=65536,mode=0700";

/// Enters new namespaces. Returns in the process that is to become the program; the others end here.
pub(super) fn enter(scratch: &Path, kind: Scratch) -> Result<()> {
    let (user, group) = (getuid(), getgid());
    let own = CloneFlags::CLONE_NEWUSER
        | CloneFlags::CLONE_NEWPID
        | CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWIPC;
    unshare(own).context("there are no namespaces")?;
    // Who one is stays the same; all others are nobody.
    fs::write("/proc/self/setgroups", "deny").context("groups cannot be kept")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1")).context("no user can be kept")?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1")).context("no group can be kept")?;
    let (told, mut tell) = io::pipe()?;
    // Closes with the launcher, and so says that it is gone.
    let (launcher, alive) = io::pipe()?;
    match system::fork()? {
        Side::Old(_) => {
            drop((tell, launcher));
            end_as_told(told)
        }
        Side::New => {
            drop((told, alive));
            outlive_nobody(&launcher)?;
            set_up(scratch, kind)?;
            match system::fork()? {
                Side::New => Ok(()),
                Side::Old(program) => take_in(program, &mut tell),
            }
        }
    }
}

/// Runs the launcher: waits for the first process to say how the program has ended, and ends in the same way.
fn end_as_told(mut told: PipeReader) -> ! {
    // Nobody is to wait for the end of a pipe that only the launcher holds.
    let is_let_go = let_go();
    let mut status = [0; 4];
    let is_told = told.read_exact(&mut status).is_ok();
    // Then all that was inside is dead.
    let _ = system::wait();
    if is_told && is_let_go.is_ok() {
        system::end_as(i32::from_ne_bytes(status));
    }
    std::process::exit(crate::exit::Exit::Mistake as i32)
}

/// Ends with the launcher, even if that has ended already.
fn outlive_nobody(launcher: &PipeReader) -> Result<()> {
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    let mut looked = [PollFd::new(launcher.as_fd(), PollFlags::empty())];
    if poll(&mut looked, PollTimeout::ZERO)? > 0 {
        std::process::exit(1);
    }
    // `kill(0, …)` means everybody in the process group, be they inside or not.
    setsid()?;
    Ok(())
}

/// Makes all files read-only but those of the scratch folder, and shows only the processes inside.
fn set_up(scratch: &Path, kind: Scratch) -> Result<()> {
    let folder = std::env::current_dir().context("the folder is gone")?;
    let recursive = libc::AT_RECURSIVE;
    system::mount(c"none", Path::new("/"), libc::MS_REC | libc::MS_PRIVATE, c"")
        .context("mounts cannot be kept apart")?;
    let hidden = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    system::mount(c"proc", Path::new("/proc"), hidden, c"").context("/proc cannot be mounted")?;
    quota::limit_tasks();
    let mounted = match kind {
        Scratch::Fresh => system::mount(c"tmpfs", scratch, libc::MS_NOSUID | libc::MS_NODEV, SCRATCH),
        Scratch::Shared => system::mount_itself(scratch),
    };
    mounted.context("a scratch folder cannot be mounted")?;
    system::set_mount(Path::new("/"), READ_ONLY | NO_SET_USER, 0, recursive)
        .context("files cannot be made read-only")?;
    system::set_mount(scratch, 0, READ_ONLY, 0).context("the scratch folder cannot be made writable")?;
    // If it is the scratch folder, it is the one below.
    std::env::set_current_dir(folder)?;
    Ok(())
}

/// Runs the first process: waits for all processes that are left to it, until the program has ended.
fn take_in(program: i32, tell: &mut PipeWriter) -> ! {
    let is_let_go = let_go();
    while let Ok((process, status)) = system::wait() {
        if process == program && is_let_go.is_ok() {
            let _ = tell.write_all(&status.to_ne_bytes());
            break;
        }
    }
    std::process::exit(0)
}

/// Lets go of the descriptors that are meant for the program.
fn let_go() -> Result<()> {
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    dup2_stderr(&nothing)?;
    Ok(())
}
