//! Tests of the limits of code under test: a hostile program behind each barrier, as each user.
//!
//! **Invariant:** nothing is harmed where nothing is denied; see `fixtures/intruder`.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

const BUGNET: &str = env!("CARGO_BIN_EXE_cargo-bugnet");
const BARRIERS: [&str; 3] = ["namespace", "landlock", "filter"];

/// The hostile program, built once.
fn intruder() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/intruder/main.rs");
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("intruder");
        let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        let status =
            rustc.args(["--edition", "2024", "-O", "-o"]).arg(&program).arg(source).status().unwrap();
        assert!(status.success());
        program
    })
}

/// Who runs the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum User {
    Own,
    Nobody,
}

/// A command that a user gives.
fn command(user: User, program: impl AsRef<Path>) -> Command {
    match user {
        User::Own => Command::new(program.as_ref()),
        User::Nobody => {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(program.as_ref());
            command
        }
    }
}

fn text(command: &mut Command) -> String {
    let output = command.output().unwrap();
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}

/// The barriers and users that can be tried here.
fn possible() -> Vec<(&'static str, User)> {
    static FOUND: OnceLock<Vec<(&str, User)>> = OnceLock::new();
    FOUND.get_or_init(find_possible).clone()
}

/// Tries barriers and users. What cannot be tried here is printed, with the reason.
fn find_possible() -> Vec<(&'static str, User)> {
    let mut found = Vec::new();
    for user in [User::Own, User::Nobody] {
        let can_run = command(user, intruder()).args(["--", "1", "/", "1"]).output();
        if !can_run.is_ok_and(|output| output.status.success()) {
            println!("skipped as {user:?}: only root can become nobody, who must be able to read {BUGNET}");
            continue;
        }
        let victim = Victim::new(user);
        for barrier in BARRIERS {
            match victim.attempt(barrier, user, &["start_a_thread"]) {
                said if said.contains("start_a_thread: done") => found.push((barrier, user)),
                said => println!("skipped behind {barrier} as {user:?}: {said}"),
            }
        }
    }
    assert!(found.contains(&("filter", User::Own)), "every Linux has the filter");
    found
}

/// A process and files that are to stay as they are. Nobody but a barrier guards them from their user.
struct Victim {
    process: Child,
    folder: tempfile::TempDir,
    listener: TcpListener,
    _socket: UnixListener,
}

impl Victim {
    fn new(user: User) -> Victim {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        for name in ["home/.ssh", "home/.cargo", "scratch"] {
            fs::create_dir_all(path.join(name)).unwrap();
        }
        for name in ["file", "home/.ssh/id", "home/.cargo/credentials.toml"] {
            fs::write(path.join(name), "as it was").unwrap();
        }
        symlink(".ssh", path.join("home/keys")).unwrap();
        let socket = UnixListener::bind(path.join("socket")).unwrap();
        // Nothing here is guarded by who owns it.
        for name in ["", "home", "home/.ssh", "home/.cargo", "scratch", "socket", "file"] {
            fs::set_permissions(path.join(name), fs::Permissions::from_mode(0o777)).unwrap();
        }
        let process = command(user, "sleep").arg("600").stdin(Stdio::null()).spawn().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        Victim { process, folder, listener, _socket: socket }
    }

    /// A command that runs attempts behind a barrier.
    fn command(&self, barrier: &str, user: User, attempts: &[&str]) -> Command {
        let port = self.listener.local_addr().unwrap().port().to_string();
        let mut command = command(user, BUGNET);
        command.env("BUGNET_BARRIER", barrier).env("HOME", self.folder.path().join("home"));
        command.arg("__confined").arg(self.folder.path().join("scratch")).arg(intruder());
        command.args(attempts).arg("--").arg(self.process.id().to_string()).arg(self.folder.path()).arg(port);
        command
    }

    /// Returns the fate of attempts, a line each, and the end of the program.
    fn attempt(&self, barrier: &str, user: User, attempts: &[&str]) -> String {
        text(&mut self.command(barrier, user, attempts))
    }

    /// Says what has changed outside.
    #[track_caller]
    fn assert_unharmed(&mut self, what: &str) {
        let path = self.folder.path();
        assert_eq!(self.process.try_wait().unwrap(), None, "{what}: the victim was killed");
        let mut names: Vec<_> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["file", "home", "scratch", "socket"], "{what}");
        assert_eq!(fs::read_to_string(path.join("file")).unwrap(), "as it was", "{what}");
        let found = fs::metadata(path.join("file")).unwrap();
        assert_eq!(found.mode() & 0o777, 0o777, "{what}");
        assert!(found.mtime() > 0, "{what}");
        assert!(self.listener.accept().is_err(), "{what}: somebody called");
        assert_eq!(
            fs::read_dir(path.join("scratch")).unwrap().count(),
            0,
            "{what}: a scratch folder was left"
        );
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Runs attempts behind each barrier as each user, and asserts what became of each.
#[track_caller]
fn assert_became(attempts: &[&str], is_expected: impl Fn(&str, &str, &str) -> bool) {
    for (barrier, user) in possible() {
        let mut victim = Victim::new(user);
        let said = victim.attempt(barrier, user, attempts);
        for attempt in attempts {
            let line = said.lines().find_map(|line| line.strip_prefix(&format!("{attempt}: ")));
            let became = line.unwrap_or_else(|| panic!("{attempt} as {user:?} behind {barrier}: {said}"));
            assert!(
                is_expected(barrier, attempt, became),
                "{attempt} as {user:?} behind {barrier}: {became}"
            );
        }
        victim.assert_unharmed(&format!("as {user:?} behind {barrier}"));
    }
}

fn is_denied(_: &str, _: &str, became: &str) -> bool {
    became.starts_with("denied")
}

#[test]
fn nobody_outside_is_signalled_traced_or_limited() {
    let attempts = [
        "kill",
        "kill_group_of_victim",
        "tkill",
        "tgkill",
        "sigqueue",
        "tgsigqueue",
        "pidfd_signal",
        "set_owner",
        "prlimit",
        "ptrace",
        "read_environment",
        "read_memory",
        "x32_kill",
        #[cfg(target_arch = "x86_64")]
        "i386_kill",
    ];
    assert_became(&attempts, is_denied);
    // The parent is the launcher, or the first process of a namespace, which no signal from inside ends.
    let is_harmless =
        |barrier: &str, _: &str, became: &str| barrier == "namespace" || became.starts_with("denied");
    assert_became(&["kill_parent"], is_harmless);
}

#[test]
fn files_outside_are_neither_written_nor_changed_in_any_way() {
    let attempts =
        ["write", "create", "delete", "rename", "link", "chmod", "utime", "chown", "setxattr", "fchmod"];
    assert_became(&attempts, |_, _, became| became.starts_with("denied") || became == "no effect");
}

#[test]
fn credentials_are_not_read_and_other_files_are() {
    assert_became(&["read_secret", "read_token", "read_secret_by_link", "keys"], is_denied);
    assert_became(&["read"], |_, _, became| became == "done");
}

#[test]
fn neither_sockets_nor_io_uring_lead_outside() {
    assert_became(&["unix_socket", "tcp", "udp", "io_uring"], is_denied);
    let is_apart =
        |barrier: &str, _: &str, became: &str| barrier == "namespace" || became.starts_with("denied");
    assert_became(&["shared_memory"], is_apart);
    let shared = fs::read_to_string("/proc/sysvipc/shm").unwrap();
    assert!(!shared.contains(&0x0b06_0e17.to_string()), "{shared}");
}

#[test]
fn what_does_no_harm_is_allowed() {
    assert_became(&["start_a_thread", "use_scratch"], |_, _, became| became == "done");
    assert_became(&["read_input"], |_, _, became| became == "0 bytes");
    assert_became(&["write_to_all_descriptors"], |_, _, became| became == "0 descriptors");
}

#[test]
fn processes_are_started_only_where_they_cannot_be_left_behind() {
    let has_namespace = |barrier: &str| barrier == "namespace";
    assert_became(&["start_a_program"], |barrier, _, became| (became == "done") == has_namespace(barrier));
    // An abort in a child is still an abort.
    assert_became(&["fork_and_abort"], |barrier, _, became| {
        if has_namespace(barrier) {
            became == "child ended by signal 6"
        } else {
            became.starts_with("denied")
        }
    });
    assert_became(&["forget_the_parent"], |barrier, _, became| (became == "done") == has_namespace(barrier));
    assert_became(&["tasks"], |barrier, _, became| !has_namespace(barrier) || became == "at most 2048");
}

#[test]
fn an_end_is_told_as_it_was() {
    for (barrier, user) in possible() {
        let victim = Victim::new(user);
        let ended =
            |attempt: &str| victim.attempt(barrier, user, &[attempt]).lines().last().unwrap().to_string();
        assert_eq!(ended("abort"), "ended by signal 6 (SIGABRT)", "{barrier}");
        assert_eq!(ended("kill_itself"), "ended by signal 15 (SIGTERM)", "{barrier}");
        assert!(victim.attempt(barrier, user, &["start_a_thread"]).contains("ended by code 0"), "{barrier}");
    }
}

/// The processes whose command line has a word.
fn processes_with(word: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| fs::read_to_string(entry.path().join("cmdline")).ok());
    lines.filter(|line| line.contains(word) && line.contains("leave_a_child")).collect()
}

#[test]
fn a_child_that_left_its_session_dies_with_the_program_and_with_the_supervisor() {
    for (barrier, user) in possible() {
        let victim = Victim::new(user);
        let word = victim.folder.path().to_str().unwrap().to_string();
        let assert_gone = |when: &str| {
            let began = Instant::now();
            while !processes_with(&word).is_empty() {
                assert!(began.elapsed() < Duration::from_secs(20), "{when} as {user:?} behind {barrier}");
                std::thread::sleep(Duration::from_millis(20));
            }
        };
        victim.attempt(barrier, user, &["leave_a_child"]);
        assert_gone("after the program");
        // The supervisor is killed while the program sleeps.
        let mut supervisor =
            victim.command(barrier, user, &["leave_a_child", "sleep"]).stdout(Stdio::null()).spawn().unwrap();
        let began = Instant::now();
        while processes_with(&word).len() < 2 && began.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(5));
        }
        supervisor.kill().unwrap();
        supervisor.wait().unwrap();
        assert_gone("after the supervisor");
    }
}

#[test]
fn signals_to_everybody_reach_nobody_outside() {
    // Sent for real, so everything happens in a process namespace of the test's own.
    let is_possible =
        Command::new("unshare").args(["--pid", "--fork", "--mount-proc", "--kill-child", "true"]).status();
    if !is_possible.is_ok_and(|status| status.success()) {
        println!("skipped: there is no `unshare` that makes a process namespace here");
        return;
    }
    for (barrier, user) in possible() {
        let victim = Victim::new(user);
        for attempt in ["everybody_for_real", "own_group_for_real"] {
            let confined = victim.command(barrier, user, &[attempt]);
            let words = std::iter::once(confined.get_program()).chain(confined.get_args());
            let mut command = Command::new("unshare");
            let script =
                "sleep 600 & victim=$!; \"$@\"; kill -0 $victim && echo the victim lives; kill -9 $victim";
            command
                .args(["--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-c", script, "sh"])
                .args(words);
            command.envs(confined.get_envs().filter_map(|(name, value)| Some((name, value?))));
            let said = text(&mut command);
            assert!(said.contains("the victim lives"), "{attempt} as {user:?} behind {barrier}: {said}");
            assert!(said.contains("ended by"), "{attempt} as {user:?} behind {barrier}: {said}");
        }
    }
}
