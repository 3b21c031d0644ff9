//! Attempts of a hostile program behind each barrier: the program is that of the tests of `cargo-bugnet`.
//!
//! **Invariant:** each attempt is made in a process of its own, and of a victim that was made for it.

use super::said;
use anyhow::{Context, bail};
use std::fs;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Attempts, and what each is about.
const ATTEMPTS: [(&str, &str); 44] = [
    ("kill", "signal a process: kill"),
    ("kill_group_of_victim", "signal a process group"),
    ("kill_parent", "signal the parent"),
    ("tkill", "signal a process: tkill"),
    ("tgkill", "signal a process: tgkill"),
    ("sigqueue", "signal a process: rt_sigqueueinfo"),
    ("tgsigqueue", "signal a process: rt_tgsigqueueinfo"),
    ("pidfd_signal", "signal a process: pidfd_send_signal"),
    ("set_owner", "have a file signal a process: F_SETOWN"),
    ("i386_kill", "kill by a call of 32-bit x86"),
    ("x32_kill", "kill by a call of x32"),
    ("ptrace", "trace a process"),
    ("read_memory", "read the memory of a process"),
    ("read_environment", "read the environment of a process"),
    ("prlimit", "ask for the limits of a process"),
    ("forget_the_parent", "outlive the supervisor: PR_SET_PDEATHSIG"),
    ("leave_a_child", "leave a child in another session"),
    ("start_a_program", "start a program"),
    ("fork_and_abort", "abort in a forked child"),
    ("tasks", "start processes without end"),
    ("write", "overwrite a file"),
    ("create", "create a file"),
    ("delete", "delete a file"),
    ("rename", "rename a file"),
    ("link", "create a link"),
    ("chmod", "change the mode of a file: chmod"),
    ("fchmod", "change the mode of a file: fchmod"),
    ("chown", "change the owner of a file"),
    ("utime", "change the times of a file"),
    ("setxattr", "change an attribute of a file"),
    ("read", "read a file"),
    ("read_secret", "read ~/.ssh"),
    ("read_secret_by_link", "read ~/.ssh by a link"),
    ("read_token", "read ~/.cargo/credentials.toml"),
    ("keys", "read keys of the kernel"),
    ("unix_socket", "connect to a Unix socket"),
    ("tcp", "connect by TCP"),
    ("udp", "send by UDP"),
    ("shared_memory", "make shared memory"),
    ("io_uring", "use io_uring"),
    ("read_input", "read standard input"),
    ("write_to_all_descriptors", "write to open descriptors"),
    ("use_scratch", "write in its scratch folder"),
    ("abort", "abort"),
];

const BARRIERS: [&str; 3] = ["namespace", "landlock", "filter"];

/// Prints what became of each attempt behind each barrier.
pub fn run(command: &Path, folder: &Path) -> anyhow::Result<()> {
    let intruder = built(folder)?;
    let victim = Victim::new(&folder.join("victim"))?;
    println!("What a hostile program attempts, behind each barrier. Numbers are those of errors.\n");
    println!("| attempt | {} |", BARRIERS.join(" | "));
    println!("|---|---|---|---|");
    for (attempt, what) in ATTEMPTS {
        let mut cells = Vec::new();
        for barrier in BARRIERS {
            cells.push(victim.attempted(command, &intruder, barrier, attempt)?);
        }
        println!("| {what} | {} |", cells.join(" | "));
    }
    println!();
    Ok(())
}

/// Builds the hostile program.
fn built(folder: &Path) -> anyhow::Result<PathBuf> {
    let source =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../cargo-bugnet/tests/fixtures/intruder/main.rs");
    let program = folder.join("intruder");
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition", "2024", "-O", "-o"]).arg(&program).arg(source);
    match said(&mut rustc)? {
        (_, Some(0)) => Ok(program),
        (text, _) => bail!("the hostile program cannot be built: {text}"),
    }
}

/// A process and files that are attacked.
struct Victim {
    folder: PathBuf,
    process: std::process::Child,
    listener: TcpListener,
    _socket: UnixListener,
}

impl Victim {
    fn new(folder: &Path) -> anyhow::Result<Victim> {
        for name in ["home/.ssh", "home/.cargo", "scratch"] {
            fs::create_dir_all(folder.join(name))?;
        }
        for name in ["file", "home/.ssh/id", "home/.cargo/credentials.toml"] {
            fs::write(folder.join(name), "as it was")?;
        }
        std::os::unix::fs::symlink(".ssh", folder.join("home/keys"))?;
        let socket = UnixListener::bind(folder.join("socket"))?;
        let process = Command::new("sleep").arg("3600").stdin(Stdio::null()).spawn()?;
        let listener = TcpListener::bind("127.0.0.1:0")?;
        Ok(Victim { folder: folder.to_path_buf(), process, listener, _socket: socket })
    }

    /// Returns the fate of one attempt, in a few words.
    fn attempted(
        &self,
        command: &Path,
        intruder: &Path,
        barrier: &str,
        attempt: &str,
    ) -> anyhow::Result<String> {
        let mut confined = Command::new(command);
        confined.env("BUGNET_BARRIER", barrier).env("HOME", self.folder.join("home"));
        confined.arg("__confined").arg(self.folder.join("scratch")).arg(intruder).args([attempt, "--"]);
        confined.arg(self.process.id().to_string()).arg(&self.folder);
        confined.arg(self.listener.local_addr()?.port().to_string());
        let (text, _) = said(&mut confined)?;
        if text.contains("no barrier") {
            return Ok("not on this kernel".to_string());
        }
        let became = text.lines().find_map(|line| line.strip_prefix(&format!("{attempt}: ")));
        let ended = text.lines().find(|line| line.starts_with("ended by"));
        Ok(became.or(ended).context("the hostile program says nothing")?.to_string())
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
