//! Operations that the standard library cannot do safely, or not yet in the oldest Rust that we support: taking
//! descriptors by their number, pipes and locks, ending a group of processes, and running code on an abort.
//!
//! **Invariant:** the only `unsafe` of this crate is here.
#![cfg_attr(
    unix,
    expect(
        unsafe_code,
        reason = "descriptors, process groups and signals are numbers to the operating system"
    )
)]

#[cfg(unix)]
mod unix {
    use std::fs::{File, OpenOptions};
    use std::io;
    use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
    use std::path::Path;

    unsafe extern "C" {
        fn dup2(from: i32, to: i32) -> i32;
        fn flock(descriptor: i32, operation: i32) -> i32;
        fn kill(process: i32, signal: i32) -> i32;
        fn pipe(ends: *mut [i32; 2]) -> i32;
    }

    const KILL: i32 = 9;
    /// `LOCK_EX` and `LOCK_NB`: for one process alone, and without waiting for another one.
    const LOCK_NOW: i32 = 2 | 4;

    /// The end of a pipe that is written to.
    pub(crate) type PipeWriter = File;

    /// Makes a pipe: the end that is read from, and the end that is written to. (`std::io::pipe` needs Rust 1.87.)
    pub(crate) fn pipe_ends() -> io::Result<(File, PipeWriter)> {
        let mut ends = [-1; 2];
        // SAFETY: the kernel writes two numbers, for which there is room.
        if unsafe { pipe(&raw mut ends) } == -1 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: both descriptors were made just now, and nothing else in this process knows of them.
        let [reader, writer] = ends.map(|end| unsafe { OwnedFd::from_raw_fd(end) });
        // Copies are closed when a child becomes a program. A child of another thread that starts right now may keep
        // the originals; that is why the end of a text is told by a mark.
        Ok((reader.try_clone()?.into(), writer.try_clone()?.into()))
    }

    /// Opens a file and locks it for as long as it is open; fails if another process has locked it.
    /// (`File::try_lock` needs Rust 1.89.)
    pub(crate) fn open_locked(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
        let file = options.open(path)?;
        // SAFETY: `flock` takes two numbers and touches no memory. The file is open.
        match unsafe { flock(file.as_raw_fd(), LOCK_NOW) } {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(file),
        }
    }

    /// Takes over the descriptor of a number: returns a copy that no child inherits, and closes the original.
    ///
    /// The caller knows that whoever started this process has put the descriptor there for us, and calls this once.
    pub(crate) fn take(number: i32) -> io::Result<OwnedFd> {
        // SAFETY: the number is not -1. The descriptor may be closed; then copying it fails, and nothing else is
        // done with the borrow.
        let copy = unsafe { BorrowedFd::borrow_raw(number) }.try_clone_to_owned()?;
        // SAFETY: the descriptor is open, for it was copied. It was left for us by the launcher, and nothing else in
        // this process knows of it, so we own it.
        drop(unsafe { OwnedFd::from_raw_fd(number) });
        Ok(copy)
    }

    /// Makes a descriptor known under a number, where a program that this process becomes will find it.
    ///
    /// The caller is about to become that program, so nothing of this process uses the number any more.
    #[inline]
    pub(crate) fn place(descriptor: BorrowedFd<'_>, number: i32) -> io::Result<()> {
        // SAFETY: `dup2` takes two numbers and touches no memory. Whatever had the number is closed; nobody uses it
        // any more, as the caller promises.
        match unsafe { dup2(descriptor.as_raw_fd(), number) } {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }

    /// Kills a process.
    pub(crate) fn kill_process(process: u32) {
        // 0 would mean our own group.
        if let Some(process) = i32::try_from(process).ok().filter(|process| *process > 0) {
            // SAFETY: `kill` takes two numbers and touches no memory.
            unsafe { kill(process, KILL) };
        }
    }

    /// Kills all processes of the group that a process leads.
    pub(crate) fn kill_group(leader: u32) {
        // 0 and 1 would mean our own group, and everybody.
        if let Some(group) = i32::try_from(leader).ok().filter(|group| *group > 1) {
            // SAFETY: `kill` takes two numbers and touches no memory.
            unsafe { kill(-group, KILL) };
        }
    }
}

#[cfg(unix)]
pub(crate) use unix::{PipeWriter, kill_group, kill_process, open_locked, pipe_ends, place, take};

#[cfg(not(unix))]
mod elsewhere {
    use std::fs::{File, OpenOptions};
    use std::io::{self, PipeReader};
    use std::path::Path;

    pub(crate) use std::io::PipeWriter;

    /// Makes a pipe: the end that is read from, and the end that is written to.
    pub(crate) fn pipe_ends() -> io::Result<(PipeReader, PipeWriter)> {
        io::pipe()
    }

    /// Opens a file and locks it for as long as it is open; fails if another process has locked it.
    pub(crate) fn open_locked(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
        let file = options.open(path)?;
        file.try_lock()?;
        Ok(file)
    }

    /// Does nothing: elsewhere a process is ended by whoever holds its handle.
    pub(crate) fn kill_process(_process: u32) {}

    /// Does nothing: elsewhere there are no groups.
    pub(crate) fn kill_group(_leader: u32) {}
}

#[cfg(not(unix))]
pub(crate) use elsewhere::{PipeWriter, kill_group, kill_process, open_locked, pipe_ends};

#[cfg(target_os = "linux")]
mod linux {
    use std::sync::OnceLock;

    /// A stack on which handlers of signals run.
    #[repr(C)]
    struct HandlerStack {
        start: *mut u8,
        flags: i32,
        size: usize,
    }

    unsafe extern "C" {
        fn signal(number: i32, handler: usize) -> usize;
        fn sigaltstack(new: *const HandlerStack, old: *mut HandlerStack) -> i32;
        fn alarm(seconds: u32) -> u32;
    }

    const ABORT: i32 = 6;
    /// The value that makes `signal` restore the default action.
    const USUAL: usize = 0;
    /// Bytes of the stack of handlers. That of the standard library is too small to name functions on.
    const STACK: usize = 1 << 20;
    /// Seconds after which a handler is ended; a stack of a hundred thousand functions is named in less.
    const PATIENCE: u32 = 5;

    static WORK: OnceLock<fn()> = OnceLock::new();

    extern "C" fn aborted(_signal: i32) {
        // SAFETY: both take numbers and touch no memory of ours. The process ends when this returns.
        unsafe {
            signal(ABORT, USUAL);
            alarm(PATIENCE);
        }
        if let Some(work) = WORK.get() {
            work();
        }
    }

    /// Does some work before this process is aborted, on whichever thread that happens; if it is this thread, also if
    /// its stack has overflowed. Only the first work counts. If it does not end, the process is ended.
    pub fn watch_aborts(work: fn()) {
        WORK.get_or_init(|| work);
        let memory = vec![0_u8; STACK].leak();
        let stack = HandlerStack { start: memory.as_mut_ptr(), flags: 0, size: memory.len() };
        let handler: extern "C" fn(i32) = aborted;
        // SAFETY: the memory is this large and is never given back. The handler has the type that `signal` wants, and
        // what it does that handlers should not do, it does in a process that is about to end.
        unsafe {
            sigaltstack(&raw const stack, std::ptr::null_mut());
            signal(ABORT, handler as usize);
        }
    }
}

#[cfg(target_os = "linux")]
pub use linux::watch_aborts;

/// Does some work before this process is aborted. Elsewhere than on Linux, nobody hears of that.
#[cfg(not(target_os = "linux"))]
pub fn watch_aborts(_work: fn()) {}
