//! Quotas: how much of the machine a process may use.
//!
//! **Invariant:** a quota that the system does not keep is a gap, and gaps are said.

use nix::sys::resource::{Resource, setrlimit};

/// The largest file that it may write, in bytes.
const FILE: u64 = 64 << 20;
/// Files that a process may have open.
const FILES: u64 = 256;
/// Processes and threads inside, at most. As many stacks of threads take more memory than there is, so this ends only
/// code that starts processes without end.
#[cfg(target_os = "linux")]
const TASKS: u64 = 2_048;

/// Limits what this process may use; says what could not be limited.
pub(super) fn limit(seconds: u64, memory: u64) -> Vec<String> {
    let limits = [
        (Resource::RLIMIT_CORE, 0, "core dumps"),
        (Resource::RLIMIT_FSIZE, FILE, "the size of files"),
        (Resource::RLIMIT_NOFILE, FILES, "the number of open files"),
        (Resource::RLIMIT_CPU, seconds, "the time of the processor"),
        #[cfg(not(target_os = "macos"))]
        (Resource::RLIMIT_AS, memory, "memory"),
    ];
    #[cfg(target_os = "macos")]
    let _ = memory;
    let failed =
        limits.into_iter().filter(|(resource, limit, _)| setrlimit(*resource, *limit, *limit).is_err());
    failed.map(|(_, _, what)| format!("{what} cannot be limited")).collect()
}

/// Limits the number of processes and threads in a process namespace, from its first process.
///
/// Linux 6.14 has a highest process number for each namespace, which holds for root as well. Linux 5.14 counts the
/// processes of a user in each namespace of users; before, all processes of the user would count.
#[cfg(target_os = "linux")]
pub(super) fn limit_tasks() {
    let _ = std::fs::write("/proc/sys/kernel/pid_max", TASKS.to_string());
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    if is_since((5, 14), &release) {
        let _ = setrlimit(Resource::RLIMIT_NPROC, TASKS, TASKS);
    }
}

/// Returns whether the number of processes is limited, from inside.
#[cfg(target_os = "linux")]
pub(super) fn is_limited_in_tasks() -> bool {
    let highest = std::fs::read_to_string("/proc/sys/kernel/pid_max");
    let is_highest = highest.is_ok_and(|text| text.trim().parse() == Ok(TASKS));
    let limit = nix::sys::resource::getrlimit(Resource::RLIMIT_NPROC);
    // The limit of a user is none for root.
    is_highest || (limit.is_ok_and(|(soft, _)| soft <= TASKS) && !nix::unistd::getuid().is_root())
}

/// Returns whether a release of Linux, such as `6.1.0-13-amd64`, is at least this one.
#[cfg(target_os = "linux")]
fn is_since(version: (u32, u32), release: &str) -> bool {
    let mut numbers = release.split(|letter: char| !letter.is_ascii_digit()).map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor) >= version,
        _ => false,
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::is_since;

    #[test]
    fn releases_of_linux_are_compared_by_number() {
        assert!(is_since((5, 14), "6.1.0-13-amd64") && is_since((5, 14), "5.14.0"));
        assert!(!is_since((5, 14), "5.4.0-200-generic") && !is_since((5, 14), "odd"));
    }
}
