//! Listeners: what a process says, read on a thread of its own, so that whoever waits need not wait for ever, and the
//! process need never wait for us.
//!
//! A listener takes [frames](Frames) out of a channel, or keeps the text of a pipe within bounds. A stream ends only
//! when everybody who can write to it has closed it, and a process may leave children behind that never do. So after
//! the process has exited, a listener is [told](Listener::finish) so: a channel then has what can be read without
//! waiting, and a pipe what stands before a random mark that we write behind it.
//!
//! This is what a channel of the standard library does, but less of it: `mpsc` takes longer to compile than all of
//! this crate. For the same reason there is one kind of listener, and one thread is started in one place.
//!
//! **Invariant:** a frame is handed out once, and frames in the order in which they were sent. Once the process has
//! exited, nobody waits for any other process.

use crate::frame::Frames;
use crate::start::random;
use crate::system::{self, PipeWriter};
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

/// Bytes that are always kept of the end of a text. The announcement of a death takes about 100, but a
/// backtrace of many thousands may follow it.
const LAST: usize = 1 << 16;

/// Bytes of a mark.
const MARK: usize = 16;

/// Reads some bytes, as `Read::read` does. A `dyn Read` would bring all its other methods along.
pub(crate) type Reading = Box<dyn FnMut(&mut [u8]) -> io::Result<usize> + Send>;

/// The receiving end of a stream.
#[derive(Debug)]
pub(crate) struct Listener {
    shared: Arc<Shared>,
    /// The pipe to write the mark to, and the mark, if this listens to a pipe.
    marked: Option<(PipeWriter, [u8; MARK])>,
}

#[derive(Debug, Default)]
struct Shared {
    heard: Mutex<Heard>,
    changed: Condvar,
    /// True once the process has exited: nothing more will arrive.
    has_exited: AtomicBool,
}

/// Frames and text that have arrived and that nobody has taken yet.
#[derive(Debug, Default)]
struct Heard {
    frames: Vec<Vec<u8>>,
    /// The number of frames that were taken.
    taken: usize,
    text: Vec<u8>,
    is_closed: bool,
}

/// The form into which a listener turns the bytes it reads.
enum Made {
    Frames(Frames),
    /// The text up to a mark; of more than `most` bytes, the first `most` and the last.
    Text {
        mark: [u8; MARK],
        most: usize,
    },
}

impl Listener {
    /// Takes the frames with this key out of a channel. A read that has nothing for a while is to say so by an error
    /// of the kind `WouldBlock` or `TimedOut`.
    pub(crate) fn of_frames(read: Reading, key: u64) -> io::Result<Listener> {
        Listener::new(read, Made::Frames(Frames::with(key)), None)
    }

    /// Makes a pipe and keeps what is written to it. The writer is for the process.
    pub(crate) fn of_text(most: usize) -> io::Result<(Listener, PipeWriter)> {
        let (mut reader, writer) = system::pipe_ends()?;
        let mut mark = [0; MARK];
        mark[..8].copy_from_slice(&random()?.to_le_bytes());
        mark[8..].copy_from_slice(&random()?.to_le_bytes());
        let for_process = writer.try_clone()?;
        let read: Reading = Box::new(move |buffer| reader.read(buffer));
        let listener = Listener::new(read, Made::Text { mark, most }, Some((writer, mark)))?;
        Ok((listener, for_process))
    }

    fn new(read: Reading, made: Made, marked: Option<(PipeWriter, [u8; MARK])>) -> io::Result<Listener> {
        let shared = Arc::new(Shared::default());
        let listening = Arc::clone(&shared);
        thread::Builder::new().spawn(move || listening.listen(read, made))?;
        Ok(Listener { shared, marked })
    }

    /// Returns the next frame, if there is one.
    pub(crate) fn next(&self) -> Option<Vec<u8>> {
        let mut heard = self.shared.heard();
        if heard.is_all_taken() {
            return None;
        }
        let place = heard.taken;
        let frame = std::mem::take(&mut heard.frames[place]);
        heard.taken += 1;
        if heard.is_all_taken() {
            heard.frames.clear();
            heard.taken = 0;
        }
        Some(frame)
    }

    /// Waits for a frame, or for the stream to be closed, but no longer than this. Returns whether it is closed and
    /// everything is read.
    pub(crate) fn wait(&self, patience: Duration) -> bool {
        let mut heard = self.shared.heard();
        if heard.is_all_taken() && !heard.is_closed {
            // Whoever waits looks again anyway, so it does no harm to wake up for nothing.
            heard = match self.shared.changed.wait_timeout(heard, patience) {
                Ok((heard, _)) => heard,
                Err(poison) => poison.into_inner().0,
            };
        }
        heard.is_closed && heard.is_all_taken()
    }

    /// Says that the process has exited, and waits until all that it has said is read.
    pub(crate) fn finish(&mut self) {
        self.shared.has_exited.store(true, Ordering::Release);
        if let Some((mut writer, mark)) = self.marked.take() {
            // A mark is small enough to be written in one piece; if the write fails, the listener is gone.
            let _ = writer.write(&mark);
        }
        let mut heard = self.shared.heard();
        while !heard.is_closed {
            heard = match self.shared.changed.wait(heard) {
                Ok(heard) => heard,
                Err(poison) => poison.into_inner(),
            };
        }
    }

    /// Takes the text that was kept.
    pub(crate) fn text(&self) -> Vec<u8> {
        std::mem::take(&mut self.shared.heard().text)
    }
}

impl Heard {
    fn is_all_taken(&self) -> bool {
        self.taken == self.frames.len()
    }
}

impl Shared {
    fn heard(&self) -> MutexGuard<'_, Heard> {
        match self.heard.lock() {
            Ok(heard) => heard,
            Err(poison) => poison.into_inner(),
        }
    }

    fn listen(&self, mut read: Reading, mut made: Made) {
        let mut buffer = [0; 1 << 14];
        loop {
            let was_over = self.has_exited.load(Ordering::Acquire);
            let count = match read(&mut buffer) {
                Ok(count) => count,
                Err(error) => match error.kind() {
                    io::ErrorKind::Interrupted => continue,
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut if !was_over => continue,
                    _ => 0,
                },
            };
            if count == 0 || self.add(&buffer[..count], &mut made) {
                break;
            }
        }
        let mut heard = self.heard();
        if let Made::Text { most, .. } = made {
            cut(&mut heard.text, most);
        }
        heard.is_closed = true;
        drop(heard);
        self.changed.notify_all();
    }

    /// Adds bytes; returns whether they are the last.
    fn add(&self, bytes: &[u8], made: &mut Made) -> bool {
        let mut heard = self.heard();
        match made {
            Made::Frames(frames) => {
                frames.add(bytes);
                while let Some(frame) = frames.next() {
                    heard.frames.push(frame);
                    self.changed.notify_all();
                }
                false
            }
            Made::Text { mark, most } => {
                let text = &mut heard.text;
                text.extend_from_slice(bytes);
                let from = text.len().saturating_sub(bytes.len() + MARK - 1);
                let end = place_of(&text[from..], mark);
                if let Some(place) = end {
                    text.truncate(from + place);
                } else if text.len() >= most.saturating_add(4 * LAST) {
                    // Not after each read, for what is behind moves.
                    cut(text, *most);
                }
                end.is_some()
            }
        }
    }
}

/// Returns where some bytes first stand in others.
pub(crate) fn place_of(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    let mut place = 0;
    while place + wanted.len() <= bytes.len() {
        if bytes[place..place + wanted.len()] == *wanted {
            return Some(place);
        }
        place += 1;
    }
    None
}

/// Leaves the first `most` bytes, and the last.
fn cut(bytes: &mut Vec<u8>, most: usize) {
    if bytes.len() > most.saturating_add(LAST) {
        let last = bytes.len() - LAST;
        bytes.copy_within(last.., most);
        bytes.truncate(most + LAST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(most: usize, written: &[u8]) -> Vec<u8> {
        let (mut listener, mut writer) = Listener::of_text(most).unwrap();
        writer.write_all(written).unwrap();
        // The writer stays open, as in a child that was left behind.
        listener.finish();
        drop(writer);
        listener.text()
    }

    #[test]
    fn everything_that_was_written_is_kept_although_somebody_holds_the_pipe() {
        assert_eq!(kept(100, b"hello"), b"hello");
        assert_eq!(kept(0, b""), b"");
    }

    #[test]
    fn of_much_the_beginning_and_the_end_are_kept() {
        let written: Vec<u8> = (0..1_000_000_u32).map(|place| (place / 1_000) as u8).collect();
        let all = kept(1_000, &written);
        assert_eq!(all.len(), 1_000 + LAST);
        assert_eq!((&all[..1_000], &all[1_000..]), (&written[..1_000], &written[written.len() - LAST..]));
        assert_eq!(kept(0, &written), &written[written.len() - LAST..]);
        assert_eq!(kept(usize::MAX, &written), written);
    }

    #[test]
    fn some_bytes_are_found_where_they_first_stand() {
        assert_eq!(place_of(b"abcabc", b"bc"), Some(1));
        assert_eq!(place_of(b"abc", b"abcd"), None);
        assert_eq!(place_of(b"abc", b""), Some(0));
    }
}
