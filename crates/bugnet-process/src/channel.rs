//! The channel: the end that a process has which was started by [`Process`](crate::Process).
//!
//! The descriptors are taken when the channel is first asked for, which is before anything under test is called.
//! From then on they have other numbers, and no child inherits them.
//!
//! **Invariant:** a frame is sent whole, whichever thread sends it, and only by the process that was started.

use crate::frame::{Frames, framed};
use crate::journal::Journal;
use crate::launch;
use std::io::{Read, Write};
use std::sync::{Mutex, OnceLock, PoisonError};

#[cfg(unix)]
type Reader = std::os::unix::net::UnixStream;
#[cfg(unix)]
type Writer = std::os::unix::net::UnixStream;
#[cfg(not(unix))]
type Reader = std::io::Stdin;
#[cfg(not(unix))]
type Writer = std::io::Stdout;

/// The value of the variable where frames go over standard input and output.
#[cfg(not(unix))]
pub(crate) const STANDARD: &str = "standard";

/// The connection to the process that has started this one.
///
/// ```
/// // This one was started by nobody who talks to it.
/// assert!(bugnet_process::channel().is_none());
/// ```
#[derive(Debug)]
pub struct Channel {
    /// The process that may talk; one that it was copied to by `fork` may not.
    process: u32,
    key: u64,
    input: Mutex<(Reader, Frames)>,
    output: Mutex<Writer>,
    journal: Option<Journal>,
}

/// Returns the channel of this process, if it was started with one. It is taken when this is called first.
///
/// ```
/// match bugnet_process::channel() {
///     Some(channel) => assert!(channel.receive().is_some()),
///     None => println!("nobody to talk to"),
/// }
/// ```
pub fn channel() -> Option<&'static Channel> {
    static CHANNEL: OnceLock<Option<Channel>> = OnceLock::new();
    CHANNEL.get_or_init(Channel::open).as_ref()
}

impl Channel {
    fn open() -> Option<Channel> {
        let (mut reader, writer, journal) = descriptors()?;
        // The first bytes that arrive are the key, and belong to the first frame.
        let (mut first, mut filled) = ([0; 8], 0);
        while filled < first.len() {
            match reader.read(&mut first[filled..]) {
                Ok(count @ 1..) => filled += count,
                _ => return None,
            }
        }
        let key = u64::from_le_bytes(first);
        let mut frames = Frames::with(key);
        frames.add(&first);
        let (input, output) = (Mutex::new((reader, frames)), Mutex::new(writer));
        Some(Channel { process: std::process::id(), key, input, output, journal })
    }

    /// Returns the next frame that was sent to this process; `None` when whoever started it is gone.
    ///
    /// ```
    /// if let Some(channel) = bugnet_process::channel() {
    ///     while let Some(command) = channel.receive() {
    ///         println!("{} bytes", command.len());
    ///     }
    /// }
    /// ```
    pub fn receive(&self) -> Option<Vec<u8>> {
        let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        let (reader, frames) = &mut *input;
        let mut buffer = [0; 4_096];
        loop {
            if std::process::id() != self.process {
                return None;
            }
            if let Some(frame) = frames.next() {
                return Some(frame);
            }
            match reader.read(&mut buffer) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => return None,
                Ok(count) => frames.add(&buffer[..count]),
            }
        }
    }

    /// Sends a frame; returns whether there was anybody to send it to.
    ///
    /// ```
    /// if let Some(channel) = bugnet_process::channel() {
    ///     assert!(channel.send(b"ready"));
    /// }
    /// ```
    pub fn send(&self, content: &[u8]) -> bool {
        let frame = framed(self.key, content);
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        std::process::id() == self.process && output.write_all(&frame).and_then(|()| output.flush()).is_ok()
    }

    /// Returns a handle to the journal that this process shares with the one that started it, if there is one.
    ///
    /// ```
    /// if let Some(mut journal) = bugnet_process::channel().and_then(|channel| channel.journal()) {
    ///     journal.write(b"case 7");
    /// }
    /// ```
    pub fn journal(&self) -> Option<Journal> {
        self.journal.as_ref()?.try_clone().ok()
    }
}

/// Takes the descriptors that the launcher has left for this process.
#[cfg(unix)]
fn descriptors() -> Option<(Reader, Writer, Option<Journal>)> {
    // Whoever inherits the variable from this process is another one, and has no such descriptors.
    let value = std::env::var(launch::VARIABLE).ok()?;
    let (process, layout) = value.split_once(' ')?;
    if process != std::process::id().to_string() {
        return None;
    }
    // First, or the copy of the other one would get its number.
    let journal = match layout {
        launch::WITH_JOURNAL => {
            Some(Journal::of(std::fs::File::from(crate::system::take(launch::JOURNAL).ok()?)))
        }
        _ => None,
    };
    let stream = Reader::from(crate::system::take(launch::CHANNEL).ok()?);
    Some((stream.try_clone().ok()?, stream, journal))
}

#[cfg(not(unix))]
fn descriptors() -> Option<(Reader, Writer, Option<Journal>)> {
    let is_standard = std::env::var(launch::VARIABLE).is_ok_and(|value| value == STANDARD);
    is_standard.then(|| (std::io::stdin(), std::io::stdout(), None))
}
