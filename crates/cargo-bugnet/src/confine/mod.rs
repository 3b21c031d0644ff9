//! Isolation: what the code under test may use of the machine.
//!
//! [`limited`] says how a program is started: through a [launcher](launcher) that takes away its own rights. Signals
//! stay inside behind a [`Barrier`]; which one this machine has is tried once. [`files`] are guarded by Landlock,
//! system calls by a [`filter`], and a [`quota`] limits what is left.
//!
//! **Invariant:** what the operating system cannot deny is said, never assumed. Where it cannot deny signals or files,
//! nothing is run unless the user asked for that.

mod barrier;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod filter;
mod launcher;
#[cfg(target_os = "linux")]
mod namespace;
#[cfg(unix)]
mod quota;
#[cfg(target_os = "linux")]
mod system;

use anyhow::{Context, Result, bail};
use barrier::Barrier;
use bugnet_process::{Group, Launcher, Output, Process, Start, Variables, patience};
use launcher::{GRAVE, Order, PROBE, PROBED, Scratch};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

pub(crate) use launcher::Role;

/// The word that makes this program a launcher.
const WORD: &str = "__limit";
/// The word that makes it a launcher which takes no rights away, but moves descriptors.
const START: &str = "__start";
/// The word that makes it run a program as code under test is run, for tests of that.
const CONFINED: &str = "__confined";
/// Names the one barrier that is to be tried, for tests of it.
const FORCED: &str = "BUGNET_BARRIER";
/// The address space of a harness: what it may hold, the threads it has lost, and libraries.
const MEMORY: u64 = 4 << 30;
/// The limit of a test, which holds one program only.
const TEST_MEMORY: u64 = 1 << 30;

/// The things that Linux denies and other systems do not.
#[cfg(not(target_os = "linux"))]
const MISSING: [&str; 3] =
    ["writing and reading any file of yours", "sending signals to your other processes", "using the network"];

/// The resources that a process may use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    time: Duration,
    memory: u64,
    role: Role,
}

impl Limits {
    /// Those of a harness.
    pub(crate) fn harness(time: Duration, role: Role) -> Limits {
        Limits { time, memory: MEMORY, role }
    }

    /// Those of a test.
    pub(crate) fn test(time: Duration) -> Limits {
        Limits { time, memory: TEST_MEMORY, role: Role::Alone }
    }
}

/// The means by which this machine can confine the code under test.
#[derive(Debug, Clone, Default)]
pub(crate) struct Confinement {
    barrier: Option<Barrier>,
    /// The things that it cannot deny, in words.
    pub(crate) gaps: Vec<String>,
    /// The gaps with which nothing runs unless the user asks for it.
    grave: Vec<String>,
}

impl Confinement {
    /// Returns the means of confinement, in words.
    pub(crate) fn words(&self) -> &'static str {
        self.barrier.map_or("by limits on memory and time only", Barrier::words)
    }

    /// Refuses to go on where signals or files are not denied, unless the user has asked for that.
    pub(crate) fn check(&self, is_accepted: bool) -> Result<()> {
        if is_accepted || self.grave.is_empty() {
            return Ok(());
        }
        bail!(
            "this system does not confine the code under test: {}; run it in a container or a virtual machine, or \
             accept that with `--unconfined`",
            self.grave.join("; ")
        )
    }
}

/// Returns what this machine can deny, which is tried once.
pub(crate) fn confinement() -> Result<&'static Confinement> {
    static FOUND: OnceLock<Confinement> = OnceLock::new();
    if let Some(found) = FOUND.get() {
        return Ok(found);
    }
    let found = tried(&std::env::temp_dir())?;
    Ok(FOUND.get_or_init(|| found))
}

/// Tries the barriers, the strongest first.
fn tried(folder: &Path) -> Result<Confinement> {
    if let Ok(name) = std::env::var(FORCED) {
        let barrier = name.parse().map_err(anyhow::Error::msg).context(FORCED)?;
        return probed(Some(barrier), folder)?
            .with_context(|| format!("this system has no barrier `{name}`"));
    }
    for barrier in Barrier::ALL {
        if let Some(found) = probed(Some(barrier), folder)? {
            return Ok(found);
        }
    }
    probed(None, folder)?.context("this program cannot be started again")
}

/// Tries one barrier; `None` if this machine does not have it.
fn probed(barrier: Option<Barrier>, folder: &Path) -> Result<Option<Confinement>> {
    let start = behind(barrier, Path::new(PROBE), folder, Limits::harness(patience::CASE, Role::Alone))?;
    let start = Start { output: Output::Whole { most: 1 << 20 }, ..start };
    let process = Process::start(&start).context("this program cannot be started again")?;
    let printed = process.finish(Instant::now() + patience::CASE).output;
    let text = String::from_utf8_lossy(&printed);
    let mut lines: Vec<&str> = text.lines().collect();
    if lines.pop() != Some(PROBED) {
        return Ok(None);
    }
    let (grave, slight): (Vec<&str>, Vec<&str>) = lines.into_iter().partition(|line| line.starts_with(GRAVE));
    let grave: Vec<String> = grave.iter().map(|line| line[GRAVE.len()..].to_string()).collect();
    let gaps = grave.iter().cloned().chain(slight.into_iter().map(str::to_string)).collect();
    Ok(Some(Confinement { barrier, gaps, grave }))
}

/// Returns the start of a program with limits, and in a scratch folder of its own below a folder.
pub(crate) fn limited(program: &Path, folder: &Path, limits: Limits) -> Result<Start> {
    behind(confinement()?.barrier, program, folder, limits)
}

/// The same with a folder of the caller as the scratch folder, in which the program leaves something for it.
pub(crate) fn limited_in(program: &Path, folder: &Path, limits: Limits) -> Result<Start> {
    // It may be named by a path from here, and through links.
    let folder = folder.canonicalize().with_context(|| format!("{} is not there", folder.display()))?;
    let start = limited(program, &folder, limits)?;
    let mut launcher = launcher(confinement()?.barrier, limits, Scratch::Shared)?;
    if let Launcher::Program { words, .. } = &mut launcher {
        words.push(folder.clone().into());
    }
    let variables = start.variables.with("HOME", &folder).with("TMPDIR", &folder);
    Ok(Start { launcher, scratch: None, folder: Some(folder), variables, ..start })
}

fn behind(barrier: Option<Barrier>, program: &Path, folder: &Path, limits: Limits) -> Result<Start> {
    // What a program does is not to depend on who runs it.
    let mut variables = Variables::none()
        .with("RUST_BACKTRACE", "0")
        .with("TZ", "UTC")
        // Threads that are parked for ever would each keep an arena of address space.
        .with("MALLOC_ARENA_MAX", "2");
    for kept in ["PATH", "LD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "SYSTEMROOT"] {
        if let Some(value) = std::env::var_os(kept) {
            variables = variables.with(kept, value);
        }
    }
    // Inside namespaces, processes that are started are where they are to be.
    if limits.role == Role::Supervisor && barrier != Some(Barrier::Namespace) {
        let limits = Limits { role: Role::Alone, ..limits };
        variables = launcher(barrier, limits, Scratch::Fresh)?.left_to_children(variables);
    }
    Ok(Start {
        launcher: launcher(barrier, limits, Scratch::Fresh)?,
        scratch: Some(folder.to_path_buf()),
        variables,
        // Ctrl-C is for this process alone, and children are ended with all of their own.
        group: Group::Own,
        ..Start::new(program)
    })
}

/// The launcher that takes rights away from what it becomes.
fn launcher(barrier: Option<Barrier>, limits: Limits, scratch: Scratch) -> Result<Launcher> {
    let program = std::env::current_exe().context("this program has no path")?;
    // Whoever waits ends it in time; the limit of the processor's time is for when nobody waits any more, and
    // must not come first.
    let seconds = limits.time.as_secs().max(1) * 2;
    let Limits { memory, role, .. } = limits;
    let order = Order { seconds, memory, barrier, role, scratch, secrets: secrets() };
    let words = std::iter::once(WORD.into()).chain(order.words()).collect();
    Ok(Launcher::Program { program, words })
}

/// Has tests of the user start the children of isolated properties with as few rights as a harness has, where the
/// system can take them away.
pub(crate) fn left_to_tests(variables: Variables) -> Result<Variables> {
    let confinement = confinement()?;
    if confinement.check(false).is_err() {
        return Ok(variables);
    }
    let limits = Limits::harness(patience::LONGEST, Role::Alone);
    Ok(launcher(confinement.barrier, limits, Scratch::Fresh)?.left_to_children(variables))
}

/// Returns the credentials that nobody may read.
#[cfg(target_os = "linux")]
fn secrets() -> Vec<PathBuf> {
    static FOUND: OnceLock<Vec<PathBuf>> = OnceLock::new();
    let find = || files::secrets(std::env::home_dir(), std::env::var_os("CARGO_HOME").map(PathBuf::from));
    FOUND.get_or_init(find).clone()
}

#[cfg(not(target_os = "linux"))]
fn secrets() -> Vec<PathBuf> {
    Vec::new()
}

/// The launcher of processes that may do what they like: tests of the user.
pub(crate) fn starter() -> Result<Launcher> {
    let program = std::env::current_exe().context("this program has no path")?;
    Ok(Launcher::Program { program, words: vec![START.into()] })
}

/// Becomes another program, if this process is a launcher. Returns only if it is none, or that is not possible.
pub(crate) fn launch(words: &[OsString]) -> Option<anyhow::Error> {
    match words.get(1)? {
        word if word == WORD => Some(launcher::become_limited(&words[2..])),
        word if word == START => Some(bugnet_process::become_program(&words[2..]).into()),
        word if word == CONFINED => Some(run_confined(&words[2..])),
        _ => None,
    }
}

/// Runs a program as code under test is run, and prints all that is known of it: what tests of the confinement call.
fn run_confined(words: &[OsString]) -> anyhow::Error {
    let run = || {
        let [folder, program, arguments @ ..] = words else {
            bail!("`{CONFINED}` needs a folder and a program")
        };
        let limits = Limits::harness(Duration::from_secs(5), Role::Alone);
        let mut start = limited(Path::new(program), Path::new(folder), limits)?;
        start.output = Output::Whole { most: 1 << 20 };
        start.arguments = arguments.to_vec();
        let finished = Process::start(&start)?.finish(Instant::now() + Duration::from_secs(10));
        print!("{}", String::from_utf8_lossy(&finished.output));
        eprint!("{}", finished.end.said);
        println!("ended by {}", finished.end.how);
        Ok(())
    };
    match run() {
        Ok(()) => std::process::exit(0),
        Err(error) => error,
    }
}
