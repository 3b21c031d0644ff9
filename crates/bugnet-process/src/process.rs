//! A process: started with limits, listened to frame by frame, and never waited for too long.
//!
//! **Invariant:** no process outlives its [`Process`], and a process has ended when it has exited, whoever still
//! holds its pipes.

use crate::end::{End, How};
use crate::frame::framed;
use crate::journal::Journal;
use crate::launch;
use crate::listener::{Listener, Reading};
use crate::patience;
use crate::running::running;
use crate::scratch::Scratch;
use crate::start::{Group, Launcher, Output, Start, Talk, random};
use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The first pause between two looks at whether a process has exited. Each later pause is a quarter
/// longer, up to [`SELDOM`].
const SOON: Duration = Duration::from_micros(200);
/// The longest pause between two looks: a caller notices an exit at most this late.
const SELDOM: Duration = Duration::from_millis(20);

/// A process that was started.
///
/// ```
/// use bugnet_process::{How, Next, Process, Start};
/// use std::time::{Duration, Instant};
///
/// let start = Start::new("/bin/sh").argument("-c").argument("echo no >&2; kill -9 $$");
/// let mut process = Process::start(&start).unwrap();
/// let Next::Ended(end) = process.next(Instant::now() + Duration::from_secs(9)) else { panic!("it hangs") };
/// assert_eq!((end.how, end.said.as_str()), (How::Signalled(9), "no\n"));
/// ```
#[derive(Debug)]
pub struct Process {
    child: Child,
    group: Group,
    wire: Option<Wire>,
    journal: Option<Journal>,
    errors: Listener,
    output: Option<Listener>,
    /// Standard output of the process, filled in when it has ended.
    printed: Vec<u8>,
    end: Option<End>,
    /// Removed when the process has ended.
    _scratch: Option<Scratch>,
}

/// Our end of the channel.
#[derive(Debug)]
struct Wire {
    key: u64,
    to: Writer,
    from: Listener,
}

#[cfg(unix)]
type Writer = std::os::unix::net::UnixStream;
#[cfg(not(unix))]
type Writer = crate::system::PipeWriter;

/// The next event of a process.
///
/// ```
/// use bugnet_process::Next;
///
/// assert_ne!(Next::Frame(Vec::new()), Next::Late);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// It has sent a frame.
    Frame(Vec<u8>),
    /// Nothing came in time.
    Late,
    /// It has exited, and all that it has sent was handed out.
    Ended(End),
}

/// All that a process has left behind.
///
/// ```
/// use bugnet_process::{Output, Process, Start, patience};
/// use std::time::Instant;
///
/// let start = Start { output: Output::Whole { most: 100 }, ..Start::new("/bin/echo").argument("hello") };
/// let finished = Process::start(&start).unwrap().finish(Instant::now() + patience::TEST);
/// assert_eq!(finished.output, b"hello\n");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// The frames that it sent.
    pub frames: Vec<Vec<u8>>,
    /// Standard output, if it was kept.
    pub output: Vec<u8>,
    /// The end of the process: its exit code or signal, and its standard error.
    pub end: End,
}

impl Process {
    /// Starts a program.
    ///
    /// ```
    /// use bugnet_process::{Process, Start};
    ///
    /// assert!(Process::start(&Start::new("/bin/true")).is_ok());
    /// assert!(Process::start(&Start::new("/no/such/program")).is_err());
    /// ```
    pub fn start(start: &Start) -> io::Result<Process> {
        let scratch = match &start.scratch {
            Some(folder) => Some(Scratch::new(folder)?),
            None => None,
        };
        let mut command = launch::command(start, scratch.as_ref().map(Scratch::path));
        command.stdin(Stdio::null()).stdout(Stdio::null());
        if let Some(input) = &start.input {
            command.stdin(std::fs::File::open(input)?);
        }
        let most = match start.output {
            Output::Last => 0,
            Output::Whole { most } => most,
        };
        let (errors, for_process) = Listener::of_text(most)?;
        command.stderr(for_process);
        let mut output = None;
        if most > 0 {
            let (kept, for_process) = Listener::of_text(most)?;
            command.stdout(for_process);
            output = Some(kept);
        }
        let (wire, journal) = connect(start, &mut command)?;
        #[cfg(unix)]
        if start.group == Group::Own {
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
        }
        // Nobody who ends everything is to come between the start and the entry.
        let mut running = running();
        let child = command.spawn()?;
        running.add_process(child.id(), start.group);
        drop(running);
        let (group, printed) = (start.group, Vec::new());
        Ok(Process { child, group, wire, journal, errors, output, printed, end: None, _scratch: scratch })
    }

    /// Sends a frame. A process that is gone, or does not read, is noticed when its answer does not come.
    ///
    /// ```
    /// use bugnet_process::{Process, Start};
    ///
    /// // Nobody talks to this one, so nothing happens.
    /// Process::start(&Start::new("/bin/true")).unwrap().send(b"hello");
    /// ```
    pub fn send(&mut self, content: &[u8]) {
        if let Some(wire) = &mut self.wire {
            let _ = wire.to.write_all(&framed(wire.key, content));
        }
    }

    /// Returns what comes next, if it comes by then.
    ///
    /// ```
    /// use bugnet_process::{Next, Process, Start};
    /// use std::time::Instant;
    ///
    /// let mut process = Process::start(&Start::new("/bin/sleep").argument("60")).unwrap();
    /// assert_eq!(process.next(Instant::now()), Next::Late);
    /// ```
    pub fn next(&mut self, by: Instant) -> Next {
        let (mut pause, mut was_closed) = (SOON, false);
        loop {
            if let Some(frame) = self.wire.as_ref().and_then(|wire| wire.from.next()) {
                return Next::Frame(frame);
            }
            if let Some(end) = &self.end {
                return Next::Ended(end.clone());
            }
            if self.has_exited() {
                continue;
            }
            let left = by.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Next::Late;
            }
            let is_closed = match &self.wire {
                Some(wire) => wire.from.wait(pause.min(left)),
                None => true,
            };
            if is_closed {
                // Most likely it is about to exit.
                pause = if was_closed { pause } else { SOON };
                thread::sleep(pause.min(left));
            }
            was_closed = is_closed;
            pause = (pause * 5 / 4).min(SELDOM);
        }
    }

    /// Waits until the process ends, and ends it if that takes too long.
    ///
    /// ```
    /// use bugnet_process::{How, Process, Start};
    /// use std::time::{Duration, Instant};
    ///
    /// let process = Process::start(&Start::new("/bin/sleep").argument("60")).unwrap();
    /// let finished = process.finish(Instant::now() + Duration::from_millis(10));
    /// assert_eq!(finished.end.how, How::TookTooLong);
    /// ```
    #[inline]
    pub fn finish(mut self, by: Instant) -> Finished {
        let mut frames = Vec::new();
        loop {
            match self.next(by) {
                Next::Frame(frame) => frames.push(frame),
                Next::Late => self.stop(),
                Next::Ended(end) => {
                    return Finished { frames, output: std::mem::take(&mut self.printed), end };
                }
            }
        }
    }

    /// Returns the number by which the operating system knows the process.
    ///
    /// ```
    /// use bugnet_process::{Process, Start};
    ///
    /// assert_ne!(Process::start(&Start::new("/bin/true")).unwrap().id(), std::process::id());
    /// ```
    #[inline]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns the record in the journal that it shares with us, if there is one.
    ///
    /// ```
    /// use bugnet_process::{Process, Start};
    ///
    /// assert_eq!(Process::start(&Start::new("/bin/true")).unwrap().journal(), None);
    /// ```
    pub fn journal(&self) -> Option<Vec<u8>> {
        match &self.journal {
            Some(journal) => journal.read(),
            None => None,
        }
    }

    /// Ends the process, unless it has ended by itself.
    ///
    /// ```
    /// use bugnet_process::{How, Process, Start};
    ///
    /// let process = Process::start(&Start::new("/bin/sleep").argument("60")).unwrap();
    /// assert_eq!(process.end().how, How::TookTooLong);
    /// ```
    #[inline]
    pub fn end(mut self) -> End {
        self.stop();
        self.end.clone().expect("it was stopped")
    }

    /// Looks whether the process has exited; if so, takes what it has left.
    fn has_exited(&mut self) -> bool {
        let mut running = running();
        let how = match self.child.try_wait() {
            Ok(None) => return false,
            Ok(Some(status)) => How::of(status),
            // Somebody else has reaped it.
            Err(_) => How::TookTooLong,
        };
        running.forget_process(self.child.id());
        drop(running);
        self.settle(how);
        true
    }

    /// Ends the process, unless it has ended by itself; what it has sent can still be taken.
    pub(crate) fn stop(&mut self) {
        if self.end.is_none() && !self.has_exited() {
            let _ = self.child.kill();
            running().forget_process(self.child.id());
            let _ = self.child.wait();
            self.settle(How::TookTooLong);
        }
    }

    /// Takes what a process has left that has exited.
    fn settle(&mut self, how: How) {
        if self.group == Group::Own {
            crate::system::kill_group(self.child.id());
        }
        if let Some(wire) = &mut self.wire {
            wire.from.finish();
        }
        if let Some(output) = &mut self.output {
            output.finish();
            self.printed = output.text();
        }
        self.errors.finish();
        let said = String::from_utf8_lossy(&self.errors.text()).into_owned();
        self.end = Some(End { how, said });
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Makes a channel, and gives the command its end of it.
fn connect(start: &Start, command: &mut Command) -> io::Result<(Option<Wire>, Option<Journal>)> {
    if matches!(start.talk, Talk::Nothing) {
        return Ok((None, None));
    }
    let cannot = |why: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    if cfg!(unix) && matches!(start.launcher, Launcher::Direct) {
        return cannot("a process that is talked to needs a launcher");
    }
    if matches!((&start.talk, start.output), (Talk::Journalled(_), Output::Whole { .. })) {
        return cannot("the journal takes the place of standard output");
    }
    let key = random()?;
    let (to, read) = line(command)?;
    let wire = Wire { key, to, from: Listener::of_frames(read, key)? };
    Ok((Some(wire), journal(&start.talk, command)?))
}

/// The time a read waits before it reports that there is nothing.
#[cfg(unix)]
const LOOK: Duration = Duration::from_millis(20);

/// The launcher finds the channel as standard input. It is a socket: one descriptor for both directions.
#[cfg(unix)]
fn line(command: &mut Command) -> io::Result<(Writer, Reading)> {
    let (ours, theirs) = Writer::pair()?;
    command.stdin(std::os::fd::OwnedFd::from(theirs));
    ours.set_read_timeout(Some(LOOK))?;
    // A process that does not read is not waited for.
    ours.set_write_timeout(Some(patience::PROGRAM))?;
    let mut from = ours.try_clone()?;
    Ok((ours, Box::new(move |buffer| from.read(buffer))))
}

/// The launcher finds the journal as standard output.
#[cfg(unix)]
fn journal(talk: &Talk, command: &mut Command) -> io::Result<Option<Journal>> {
    let Talk::Journalled(folder) = talk else { return Ok(None) };
    let file = Journal::nameless(folder, random()?)?;
    command.stdout(file.try_clone()?);
    Ok(Some(Journal::of(file)))
}

/// Sends frames over standard input and output, because descriptors cannot be moved here.
#[cfg(not(unix))]
fn line(command: &mut Command) -> io::Result<(Writer, Reading)> {
    let (input, to) = crate::system::pipe_ends()?;
    let (mut from, output) = crate::system::pipe_ends()?;
    command.stdin(input).stdout(output).env(launch::VARIABLE, crate::channel::STANDARD);
    let _ = patience::PROGRAM;
    Ok((to, Box::new(move |buffer| from.read(buffer))))
}

#[cfg(not(unix))]
fn journal(_: &Talk, _: &mut Command) -> io::Result<Option<Journal>> {
    Ok(None)
}
