//! Starts: which program is to run, with which rights, and how we talk to it.
//!
//! **Invariant:** a start is a value. The same start can be used for any number of processes.

use std::ffi::{OsStr, OsString};
#[cfg(unix)]
use std::fs::File;
use std::io;
#[cfg(unix)]
use std::io::Read;
use std::path::PathBuf;
use std::time::Duration;

/// A program and everything that is needed to start it.
///
/// ```
/// use bugnet_process::{Limits, Start};
/// use std::time::Duration;
///
/// let limits = Limits { processor: Some(Duration::from_secs(9)), ..Limits::default() };
/// let start = Start { limits, ..Start::new("/bin/true") };
/// assert!(start.arguments.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Its environment.
    pub variables: Variables,
    /// The folder that it runs in; none for its scratch folder, or that of this process.
    pub folder: Option<PathBuf>,
    /// The folder in which it gets an empty scratch folder of its own, which is its `HOME` and `TMPDIR`; none for no
    /// such folder.
    pub scratch: Option<PathBuf>,
    /// The share of the machine that the process may use.
    pub limits: Limits,
    /// The way in which the program is started.
    pub launcher: Launcher,
    /// The file that it reads as its standard input; none for an empty one. Only a process that nobody talks to
    /// can have one.
    pub input: Option<PathBuf>,
    /// The channel between us and the process.
    pub talk: Talk,
    /// The part of the output that is kept.
    pub output: Output,
    /// The process group that it belongs to.
    pub group: Group,
}

/// The environment of a process.
///
/// ```
/// use bugnet_process::Variables;
///
/// let variables = Variables::default().with("CI", "true").without("RUST_LOG");
/// assert!(variables.is_inherited);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variables {
    /// True if the process begins with the environment variables of this one.
    pub is_inherited: bool,
    /// Variables that are set, or removed if they have no value.
    pub changed: Vec<(OsString, Option<OsString>)>,
}

/// The share of the machine that a process may use. A limit that is `None` stays as it is in this process.
///
/// ```
/// use bugnet_process::Limits;
///
/// let limits = Limits { memory: Some(1 << 30), ..Limits::default() };
/// assert_eq!(limits.processor, None);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time on the processor.
    pub processor: Option<Duration>,
    /// Address space, in bytes.
    pub memory: Option<u64>,
    /// The largest file that it may write, in bytes.
    pub file: Option<u64>,
    /// Files that it may have open at a time.
    pub open_files: Option<u64>,
}

/// The way in which a program is started. Only a separate process that then becomes the program can put
/// descriptors in their places, because this one has other threads.
///
/// ```
/// use bugnet_process::Launcher;
///
/// assert_ne!(Launcher::Direct, Launcher::Shell);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Launcher {
    /// Started directly: without limits, and with no channel but standard input and output where they are
    /// needed.
    Direct,
    /// Started by `/bin/sh`, which sets the limits.
    Shell,
    /// By a program that takes rights away from itself and then calls [`become_program`](crate::become_program).
    /// It is given these words, then its scratch folder if it has one, then the words that `become_program` reads.
    /// The limits are for it to set.
    Program {
        /// The launcher.
        program: PathBuf,
        /// The first arguments of the launcher.
        words: Vec<OsString>,
    },
}

/// The channel between us and a process.
///
/// ```
/// use bugnet_process::Talk;
///
/// assert_ne!(Talk::Nothing, Talk::Frames);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Talk {
    /// No channel.
    Nothing,
    /// Frames over a [`channel`](crate::channel()).
    Frames,
    /// The same, and it shares a [`Journal`](crate::Journal) with us: a file without a name, made in this folder. Its
    /// standard output is dropped.
    Journalled(PathBuf),
}

/// The part of a process's output that is kept.
///
/// ```
/// use bugnet_process::Output;
///
/// assert_ne!(Output::Last, Output::Whole { most: 0 });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// The last 64 KiB of standard error. Standard output is dropped.
    Last,
    /// All of standard output and of standard error; of more than `most` bytes of one of them, the first `most` and
    /// the last 64 KiB.
    Whole {
        /// Bytes that are kept of the beginning of each stream.
        most: usize,
    },
}

/// The process group of a process, which decides what is ended with it.
///
/// ```
/// use bugnet_process::Group;
///
/// assert_ne!(Group::Ours, Group::Own);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// It belongs to the group of this process: Ctrl-C reaches it, and we end it alone.
    Ours,
    /// It leads a group: Ctrl-C does not reach it, and it is ended with all processes that it has started.
    Own,
}

/// Names the launcher that a process is to start code under test by, and the words it is told first, a line each.
const LAUNCHER: &str = "BUGNET_LAUNCHER";

impl Launcher {
    /// Tells a process by which launcher it is to start code under test.
    ///
    /// ```
    /// use bugnet_process::{Launcher, Variables};
    ///
    /// let launcher = Launcher::Program { program: "/bin/nice".into(), words: vec!["-n10".into()] };
    /// assert_eq!(launcher.left_to_children(Variables::none()).changed.len(), 1);
    /// assert_eq!(Launcher::Shell.left_to_children(Variables::none()).changed.len(), 0);
    /// ```
    #[inline]
    pub fn left_to_children(&self, variables: Variables) -> Variables {
        let Launcher::Program { program, words } = self else { return variables };
        let mut value = program.as_os_str().to_os_string();
        for word in words {
            value.push("\n");
            value.push(word);
        }
        variables.with(LAUNCHER, value)
    }

    /// Returns the launcher by which this process was told to start code under test; the shell if it was told none.
    ///
    /// ```
    /// use bugnet_process::Launcher;
    ///
    /// assert_eq!(Launcher::inherited(), Launcher::Shell);
    /// ```
    pub fn inherited() -> Launcher {
        let Ok(value) = std::env::var(LAUNCHER) else { return Launcher::Shell };
        let mut lines = value.split('\n');
        let program = lines.next().unwrap_or_default().into();
        let mut words = Vec::new();
        for word in lines {
            words.push(word.into());
        }
        Launcher::Program { program, words }
    }
}

impl Start {
    /// A program that is started as it is. It inherits the environment, nobody talks to it, and the end of what it
    /// prints is kept.
    ///
    /// ```
    /// use bugnet_process::{Launcher, Start};
    ///
    /// assert_eq!(Start::new("/bin/true").launcher, Launcher::Direct);
    /// ```
    pub fn new(program: impl Into<PathBuf>) -> Start {
        Start {
            program: program.into(),
            arguments: Vec::new(),
            variables: Variables::default(),
            folder: None,
            scratch: None,
            limits: Limits::default(),
            launcher: Launcher::Direct,
            input: None,
            talk: Talk::Nothing,
            output: Output::Last,
            group: Group::Ours,
        }
    }

    /// Adds an argument.
    ///
    /// ```
    /// use bugnet_process::Start;
    ///
    /// assert_eq!(Start::new("ls").argument("-l").arguments, ["-l"]);
    /// ```
    pub fn argument(mut self, argument: impl AsRef<OsStr>) -> Start {
        self.arguments.push(argument.as_ref().to_os_string());
        self
    }
}

impl Default for Variables {
    fn default() -> Variables {
        Variables { is_inherited: true, changed: Vec::new() }
    }
}

impl Variables {
    /// An empty environment.
    ///
    /// ```
    /// use bugnet_process::Variables;
    ///
    /// assert!(!Variables::none().is_inherited);
    /// ```
    #[inline]
    pub fn none() -> Variables {
        Variables { is_inherited: false, changed: Vec::new() }
    }

    /// Sets a variable.
    ///
    /// ```
    /// use bugnet_process::Variables;
    ///
    /// assert_eq!(Variables::none().with("TZ", "UTC").changed.len(), 1);
    /// ```
    #[inline]
    pub fn with(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Variables {
        self.changed.push((name.as_ref().to_os_string(), Some(value.as_ref().to_os_string())));
        self
    }

    /// Removes a variable.
    ///
    /// ```
    /// use bugnet_process::Variables;
    ///
    /// assert_eq!(Variables::default().without("CI").changed[0].1, None);
    /// ```
    #[inline]
    pub fn without(mut self, name: impl AsRef<OsStr>) -> Variables {
        self.changed.push((name.as_ref().to_os_string(), None));
        self
    }
}

/// Returns a number that nobody can guess. It keeps what code under test prints apart from what we say, and decides
/// nothing that a run finds.
#[cfg(unix)]
pub(crate) fn random() -> io::Result<u64> {
    let mut bytes = [0; 8];
    // Eight bytes are always read in one piece.
    match File::open("/dev/urandom")?.read(&mut bytes)? {
        8 => Ok(u64::from_le_bytes(bytes)),
        _ => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

#[cfg(not(unix))]
pub(crate) fn random() -> io::Result<u64> {
    use std::hash::BuildHasher;
    Ok(std::hash::RandomState::new().hash_one(std::process::id()))
}
