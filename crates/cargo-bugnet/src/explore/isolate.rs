//! Isolation: what the code under test may use of the machine.
//!
//! A process is started through this program itself, as `cargo-bugnet __limit … -- program`: it takes away
//! its own rights and then becomes the program. So nothing runs between `fork` and `exec`, where hardly
//! anything is allowed.
//!
//! **Invariant:** what the operating system cannot deny is said, never assumed.

use anyhow::{Context, Result};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The word that makes this program a launcher.
pub(crate) const WORD: &str = "__limit";
/// Asks the launcher to say what it could deny, and to end.
const PROBE: &str = "--probe";
/// The address space of a harness: what it may hold, the threads it has lost, and libraries.
const MEMORY: u64 = 4 << 30;
/// That of a test, which holds one program only.
const TEST_MEMORY: u64 = 1 << 30;
/// The largest file that it may write.
const FILE: u64 = 64 << 20;
/// How many files it may have open.
const FILES: u64 = 256;

/// What a process may use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    time: Duration,
    memory: u64,
}

impl Limits {
    /// Those of a harness.
    pub(crate) fn harness(time: Duration) -> Limits {
        Limits { time, memory: MEMORY }
    }

    /// Those of a test.
    pub(crate) fn test(time: Duration) -> Limits {
        Limits { time, memory: TEST_MEMORY }
    }
}

/// A command that runs a program in a scratch folder, with limits.
pub(crate) fn limited(program: &Path, scratch: &Path, limits: Limits) -> Result<Command> {
    let own = std::env::current_exe().context("this program has no path")?;
    let mut command = Command::new(own);
    // Whoever waits ends it in time; the limit of the processor's time is for when nobody waits any more, and
    // must not come first.
    let (seconds, memory) = (limits.time.as_secs().max(1) * 2, limits.memory);
    command.arg(WORD).arg(scratch).args([seconds.to_string(), memory.to_string()]).arg(program);
    command.current_dir(scratch).stdin(Stdio::null());
    // Ctrl-C is for this process alone, and children are ended with all of their own.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    // What a program does is not to depend on who runs it.
    command
        .env_clear()
        .env("RUST_BACKTRACE", "0")
        .env("TZ", "UTC")
        .env("HOME", scratch)
        .env("TMPDIR", scratch);
    // Threads that are parked for ever would each keep an arena of address space.
    command.env("MALLOC_ARENA_MAX", "2");
    for kept in ["PATH", "LD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "SYSTEMROOT"] {
        if let Some(value) = std::env::var_os(kept) {
            command.env(kept, value);
        }
    }
    Ok(command)
}

/// What the operating system does not deny to the code under test, in words.
pub(crate) fn gaps(scratch: &Path) -> Result<Vec<String>> {
    let mut command = limited(Path::new(PROBE), scratch, Limits::harness(Duration::from_secs(10)))?;
    let output = command.output().context("this program cannot be started again")?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_string).collect())
}

/// Takes away rights and becomes another program. Returns only if that is not possible.
pub(crate) fn become_limited(words: &[OsString]) -> anyhow::Error {
    let [scratch, seconds, memory, program, arguments @ ..] = words else {
        return anyhow::anyhow!("`{WORD}` is for `cargo bugnet explore` only");
    };
    let scratch = PathBuf::from(scratch);
    let number = |word: &OsString| word.to_str().and_then(|text| text.parse().ok()).unwrap_or(1);
    let gaps = system::deny(&scratch, number(seconds), number(memory));
    if program == PROBE {
        gaps.iter().for_each(|gap| println!("{gap}"));
        std::process::exit(0);
    }
    system::become_program(program, arguments)
}

/// Ends a process that was started so, and all that it has started.
pub(crate) fn end(child: &mut std::process::Child) {
    #[cfg(unix)]
    if let Ok(group) = i32::try_from(child.id()) {
        let _ =
            nix::sys::signal::killpg(nix::unistd::Pid::from_raw(group), nix::sys::signal::Signal::SIGKILL);
    }
    let _ = child.kill();
}

/// Whether the process that is running stands for another one.
pub(crate) fn is_launcher(words: &[OsString]) -> bool {
    words.get(1).is_some_and(|word| word == WORD)
}

#[cfg(unix)]
mod system {
    use super::{FILE, FILES};
    use nix::sys::resource::{Resource, setrlimit};
    use std::ffi::OsString;
    use std::os::unix::process::CommandExt;
    use std::path::Path;
    use std::process::Command;

    /// Takes away rights; says what it could not take.
    pub(super) fn deny(scratch: &Path, seconds: u64, memory: u64) -> Vec<String> {
        let mut gaps = Vec::new();
        let limits = [
            (Resource::RLIMIT_CORE, 0, "core dumps"),
            (Resource::RLIMIT_FSIZE, FILE, "the size of files"),
            (Resource::RLIMIT_NOFILE, FILES, "the number of open files"),
            (Resource::RLIMIT_CPU, seconds, "the time of the processor"),
            #[cfg(not(target_os = "macos"))]
            (Resource::RLIMIT_AS, memory, "memory"),
        ];
        for (resource, limit, what) in limits {
            if setrlimit(resource, limit, limit).is_err() {
                gaps.push(format!("{what} cannot be limited"));
            }
        }
        #[cfg(target_os = "linux")]
        super::linux::deny(scratch, &mut gaps);
        #[cfg(not(target_os = "linux"))]
        {
            let _ = scratch;
            gaps.push("this system does not deny files and the network".to_string());
        }
        gaps
    }

    pub(super) fn become_program(program: &OsString, arguments: &[OsString]) -> anyhow::Error {
        let error = Command::new(program).args(arguments).exec();
        anyhow::Error::new(error).context(format!("{} cannot be started", Path::new(program).display()))
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use landlock::{
        ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
        RulesetStatus, path_beneath_rules,
    };
    use nix::sched::{CloneFlags, unshare};
    use nix::sys::{prctl, signal::Signal};
    use std::path::Path;

    /// The newest rules that are asked for; an older kernel takes those it knows.
    const NEWEST: ABI = ABI::V5;

    pub(super) fn deny(scratch: &Path, gaps: &mut Vec<String>) {
        // Nobody is to be left behind if the one that watches is killed.
        let _ = prctl::set_pdeathsig(Signal::SIGKILL);
        let alone = unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNET).is_ok();
        match restrict(scratch) {
            Ok(RulesetStatus::NotEnforced) | Err(_) => {
                gaps.push("writing outside the scratch folder is not denied (no Landlock)".to_string());
                if !alone {
                    gaps.push("the network is not denied".to_string());
                }
            }
            // The rules deny TCP only.
            Ok(_) if !alone => gaps.push("the network is denied for TCP only".to_string()),
            Ok(_) => {}
        }
    }

    fn restrict(scratch: &Path) -> Result<RulesetStatus, RulesetError> {
        let writing = AccessFs::from_write(NEWEST);
        let ruleset = Ruleset::default()
            .handle_access(writing)?
            .handle_access(AccessNet::from_all(NEWEST))?
            .create()?
            .add_rules(path_beneath_rules([scratch], writing))?
            .add_rules(path_beneath_rules(["/dev/null"], AccessFs::WriteFile | AccessFs::Truncate))?;
        Ok(ruleset.restrict_self()?.ruleset)
    }
}

#[cfg(not(unix))]
mod system {
    use std::ffi::OsString;
    use std::path::Path;
    use std::process::Command;

    pub(super) fn deny(_: &Path, _: u64, _: u64) -> Vec<String> {
        vec!["this system limits neither memory nor files nor the network".to_string()]
    }

    /// There is no `exec`, so the program is a child that is waited for.
    pub(super) fn become_program(program: &OsString, arguments: &[OsString]) -> anyhow::Error {
        match Command::new(program).args(arguments).status() {
            Ok(status) => std::process::exit(status.code().unwrap_or(1)),
            Err(error) => error.into(),
        }
    }
}
