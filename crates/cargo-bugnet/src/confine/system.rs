//! System calls for which there is no safe function.
//!
//! **Invariant:** the only `unsafe` of this crate is here. All of it runs in launchers, which have one thread.
#![expect(
    unsafe_code,
    reason = "forking, mounting, filters and capabilities are numbers and memory to the kernel"
)]

use libc::{c_int, c_ulong, sock_filter};
use std::ffi::{CStr, CString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The side of a fork on which one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// The process that has forked, and the number of the new one.
    Old(i32),
    New,
}

/// The version of the sets of capabilities that have 64 bits.
const CAPABILITIES: u32 = 0x2008_0522;
/// The number of the highest capability that a kernel may ever have.
const MOST_CAPABILITIES: c_ulong = 63;
/// The security bits that keep root from getting capabilities by becoming a program, and that lock them.
const NO_ROOT: c_ulong = 0b11;
/// `MOUNT_ATTR_RDONLY` and `MOUNT_ATTR_NOSUID`.
pub(super) const READ_ONLY: u64 = 0x1;
pub(super) const NO_SET_USER: u64 = 0x2;

fn done(result: c_int) -> io::Result<()> {
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

fn c_string(path: &Path) -> io::Result<CString> {
    Ok(CString::new(path.as_os_str().as_bytes())?)
}

/// Has all descriptors but the three standard ones closed when this process becomes a program: whoever started us may
/// have left some open.
pub(super) fn close_others() -> io::Result<()> {
    let (first, last, when_becoming) = (3_u32, u32::MAX, 4_u32);
    // SAFETY: this takes numbers. Nothing is closed while this process runs.
    done(unsafe { libc::syscall(libc::SYS_close_range, first, last, when_becoming) } as c_int)
}

/// Copies this process.
pub(super) fn fork() -> io::Result<Side> {
    // SAFETY: a launcher has one thread, so the copy finds no lock that nobody will ever open.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(Side::New),
        process => Ok(Side::Old(process)),
    }
}

/// Waits for any child; returns its number and what the kernel says of its end.
pub(super) fn wait() -> io::Result<(i32, i32)> {
    let mut status = 0;
    // SAFETY: the kernel writes to the one number that it is given.
    match unsafe { libc::waitpid(-1, &raw mut status, 0) } {
        -1 => Err(io::Error::last_os_error()),
        process => Ok((process, status)),
    }
}

/// Ends this process as another one has ended.
pub(super) fn end_as(status: i32) -> ! {
    if libc::WIFSIGNALED(status) {
        let signal = libc::WTERMSIG(status);
        // SAFETY: neither touches memory. The signal gets its usual effect, whatever the runtime has made of it, and a
        // launcher has nothing to lose.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }
    std::process::exit(libc::WEXITSTATUS(status))
}

/// Mounts a file system of a kind at a path.
pub(super) fn mount(kind: &CStr, at: &Path, flags: c_ulong, options: &CStr) -> io::Result<()> {
    let at = c_string(at)?;
    // SAFETY: all texts end with a zero and outlive the call.
    done(unsafe { libc::mount(kind.as_ptr(), at.as_ptr(), kind.as_ptr(), flags, options.as_ptr().cast()) })
}

/// Makes a mount of a folder, so that it can have attributes of its own.
pub(super) fn mount_itself(at: &Path) -> io::Result<()> {
    let (at, none) = (c_string(at)?, std::ptr::null());
    // SAFETY: the path ends with a zero and outlives the call, which reads neither a kind nor options.
    done(unsafe { libc::mount(at.as_ptr(), at.as_ptr(), none, libc::MS_BIND, none.cast()) })
}

/// Sets and clears attributes of a mount, and of all mounts below it if it is to be recursive.
pub(super) fn set_mount(at: &Path, set: u64, clear: u64, flags: c_int) -> io::Result<()> {
    let at = c_string(at)?;
    let attributes = [set, clear, 0, 0];
    // SAFETY: the path ends with a zero, and the kernel reads as many bytes of the attributes as there are.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            at.as_ptr(),
            flags,
            attributes.as_ptr(),
            size_of_val(&attributes),
        )
    };
    done(result as c_int)
}

/// Gives up all capabilities, so that no program that this process becomes has any, not even as root.
pub(super) fn drop_capabilities() -> io::Result<()> {
    for capability in 0..=MOST_CAPABILITIES {
        // SAFETY: this takes numbers. It fails for the first capability that there is not, or if all are gone already.
        if unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) } == -1 {
            break;
        }
    }
    // SAFETY: this takes numbers. Who may not lock the bits has no capabilities to lose but as root.
    let is_locked = unsafe { libc::prctl(libc::PR_SET_SECUREBITS, NO_ROOT, 0, 0, 0) } == 0;
    let header = [CAPABILITIES, 0];
    let none = [0_u32; 6];
    // SAFETY: the kernel reads a header of two words, and the six words that its version has.
    done(unsafe { libc::syscall(libc::SYS_capset, header.as_ptr(), none.as_ptr()) } as c_int)?;
    // SAFETY: both take no memory.
    let (bits, user) = unsafe { (libc::prctl(libc::PR_GET_SECUREBITS, 0, 0, 0, 0), libc::geteuid()) };
    let is_harmless = is_locked || user != 0 || bits as c_ulong & NO_ROOT == NO_ROOT;
    if is_harmless { Ok(()) } else { Err(io::ErrorKind::PermissionDenied.into()) }
}

/// Has the kernel run a program before each system call of this process.
pub(super) fn filter(program: &[sock_filter]) -> io::Result<()> {
    let length = u16::try_from(program.len()).map_err(io::Error::other)?;
    let program = libc::sock_fprog { len: length, filter: program.as_ptr().cast_mut() };
    // SAFETY: the first takes numbers. The second reads the program, which it copies, and writes nothing to it.
    unsafe {
        done(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))?;
        done(libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program))
    }
}
