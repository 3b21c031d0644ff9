//! Elsewhere: another build of the code under test, in a process that whoever started this one asks for us.
//!
//! **Invariant:** the time for which an answer is awaited is no time of the code under test.

use super::event::tell;
use bugnet::choice::Tape;
use bugnet::wire::decode;
use bugnet::wire::explore::{Command, Event, Transcript};
use bugnet_process::channel;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The time that was waited so far, and the beginning of the wait that goes on.
static WAITED: Mutex<(Duration, Option<Instant>)> = Mutex::new((Duration::ZERO, None));

/// Returns how long this process has waited for others.
pub(crate) fn waited() -> Duration {
    let waited = WAITED.lock().expect("nobody panics with it");
    waited.0 + waited.1.map_or(Duration::ZERO, |start| start.elapsed())
}

/// Waits for the next command; `None` if nobody is there any more.
fn received() -> Option<Command> {
    WAITED.lock().expect("nobody panics with it").1 = Some(Instant::now());
    let frame = channel()?.receive();
    let mut waited = WAITED.lock().expect("nobody panics with it");
    let last = waited.1.take().map_or(Duration::ZERO, |start| start.elapsed());
    waited.0 += last;
    frame.and_then(|frame| decode(&frame))
}

/// Returns what the other build does with a program; `None` if nobody answers.
pub(crate) fn asked(tape: &Tape) -> Option<Transcript> {
    tell(&Event::Asked(tape.clone()));
    match received()? {
        Command::Told(transcript) => Some(transcript),
        _ => None,
    }
}

/// Returns the next program that this process is to run; `None` if there is no other.
pub(crate) fn next() -> Option<Tape> {
    match received()? {
        Command::Run(tape) => Some(tape),
        _ => None,
    }
}
