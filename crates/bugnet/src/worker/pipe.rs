//! A pipe: what another process writes, read on a thread of its own, so that whoever waits for a
//! line need not wait for ever.
//!
//! This is what a channel does, but less of it: the channels of the standard library took longer
//! to compile than the rest of this folder.
//!
//! **Invariant:** a line is handed out once, and lines in the order in which they were written.

use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

/// So much text is kept until somebody takes it; what goes beyond is read and dropped.
const LONGEST: usize = 1 << 20;

/// Reads some bytes, as `Read::read` does. A `dyn Read` would bring all its other methods along.
type Read = Box<dyn FnMut(&mut [u8]) -> io::Result<usize> + Send>;

/// The reading end of a pipe.
#[derive(Debug)]
pub(super) struct Pipe(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    unread: Mutex<Unread>,
    changed: Condvar,
}

/// Lines that nobody has taken yet.
#[derive(Debug, Default)]
struct Unread {
    text: String,
    /// Whether the other end is closed.
    ended: bool,
}

/// What a pipe has to say.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    Line(String),
    /// Nothing came in time.
    Late,
    /// Nothing will come any more.
    Ended,
}

impl Pipe {
    /// Reads all lines that have a mark in them, from behind the mark.
    pub(super) fn new(read: Read, mark: &'static str) -> Pipe {
        let shared = Arc::new(Shared::default());
        let reader = Arc::clone(&shared);
        thread::spawn(move || reader.listen(read, mark));
        Pipe(shared)
    }

    /// The next line, if it comes in time.
    pub(super) fn next(&self, patience: Duration) -> Next {
        let nothing = |unread: &mut Unread| unread.text.is_empty() && !unread.ended;
        let waited = self.0.changed.wait_timeout_while(self.0.unread(), patience, nothing);
        let mut unread = waited.unwrap_or_else(|poison| poison.into_inner()).0;
        match unread.text.find('\n') {
            Some(end) => {
                let rest = unread.text.split_off(end + 1);
                let mut line = std::mem::replace(&mut unread.text, rest);
                line.pop();
                Next::Line(line)
            }
            None if unread.ended => Next::Ended,
            None => Next::Late,
        }
    }

    /// All that is left when the other end is closed.
    pub(super) fn rest(self) -> String {
        let ended = self.0.changed.wait_while(self.0.unread(), |unread| !unread.ended);
        std::mem::take(&mut ended.unwrap_or_else(|poison| poison.into_inner()).text)
    }
}

impl Shared {
    fn unread(&self) -> MutexGuard<'_, Unread> {
        self.unread.lock().unwrap_or_else(|poison| poison.into_inner())
    }

    /// Takes what is written until the other end is closed.
    fn listen(&self, mut read: Read, mark: &str) {
        let (mut buffer, mut line) = ([0; 4096], Vec::new());
        loop {
            let count = match read(&mut buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Ok(0) | Err(_) => break,
                Ok(count) => count,
            };
            for part in buffer[..count].split_inclusive(|byte| *byte == b'\n') {
                line.extend_from_slice(part);
                if part.ends_with(b"\n") {
                    self.add(&line, mark);
                    line.clear();
                }
            }
        }
        self.add(&line, mark);
        self.unread().ended = true;
        self.changed.notify_all();
    }

    /// Keeps a line, if the mark is in it.
    fn add(&self, line: &[u8], mark: &str) {
        let line = String::from_utf8_lossy(line);
        let Some((_, text)) = line.split_once(mark) else { return };
        let mut unread = self.unread();
        if !line.is_empty() && unread.text.len() + text.len() < LONGEST {
            unread.text.push_str(text.trim_end_matches(['\n', '\r']));
            unread.text.push('\n');
            self.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pipe(mut from: impl io::Read + Send + 'static, mark: &'static str) -> Pipe {
        Pipe::new(Box::new(move |buffer| from.read(buffer)), mark)
    }

    #[test]
    fn marked_lines_come_in_order_and_then_the_end() {
        let written = "one\nnoise ! two \r\n\n\u{fffd}!three\nno end !four";
        let pipe = pipe(written.as_bytes(), "!");
        let next = || pipe.next(Duration::from_secs(60));
        assert_eq!(next(), Next::Line(" two ".to_string()));
        assert_eq!(next(), Next::Line("three".to_string()));
        assert_eq!(next(), Next::Line("four".to_string()));
        assert_eq!(next(), Next::Ended);
    }

    #[test]
    fn nobody_waits_longer_than_told() {
        let (reader, writer) = std::io::pipe().unwrap();
        let pipe = pipe(reader, "");
        assert_eq!(pipe.next(Duration::from_millis(1)), Next::Late);
        drop(writer);
        assert_eq!(pipe.rest(), "");
    }

    #[test]
    fn the_rest_is_all_that_is_written_within_bounds() {
        assert_eq!(pipe("a\n\nb\n".as_bytes(), "").rest(), "a\n\nb\n");
        let long = "x".repeat(99) + "\n";
        let rest = pipe(io::Cursor::new(long.repeat(20_000)), "").rest();
        assert!((LONGEST - 100..LONGEST).contains(&rest.len()));
    }
}
