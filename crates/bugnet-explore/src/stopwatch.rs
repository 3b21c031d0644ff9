//! The stopwatch: whether a call takes long by itself, and not because others have the processor.
//!
//! Time on a wall is cheap and asked for every call. On a machine with much to do, a call that was
//! interrupted looks heavy, and a run would never be the same again. So before a call is held to be heavy,
//! Linux is asked how long the thread was running; elsewhere the wall has to do.

use super::schedule::Schedule;
use std::time::{Duration, Instant};

/// Measures the calls of the thread that made it.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    schedule: Schedule,
    /// The running time of the thread when the program began.
    begun: Option<Duration>,
    /// When the program and the call began.
    program: Instant,
    start: Instant,
}

impl Stopwatch {
    pub(crate) fn new() -> Stopwatch {
        let now = Instant::now();
        Stopwatch { schedule: Schedule::of_this_thread(), begun: None, program: now, start: now }
    }

    /// A program begins.
    pub(crate) fn begin(&mut self) {
        self.begun = self.schedule.ran();
        self.program = Instant::now();
    }

    /// A call begins.
    pub(crate) fn start(&mut self) {
        self.start = Instant::now();
    }

    /// Returns true if the call has taken longer than this.
    pub(crate) fn is_over(&self, time: Duration) -> bool {
        self.start.elapsed() > time && self.was_running(time)
    }

    /// Returns true if the program has taken longer than this.
    pub(crate) fn is_spent(&self, time: Duration) -> bool {
        self.start.duration_since(self.program) > time && self.was_running(time)
    }

    /// Returns true if the thread was running for most of a time since the program began, or if that is
    /// unknown. The system adds up late: when the thread is interrupted or a tick passes.
    fn was_running(&self, time: Duration) -> bool {
        match (self.begun, self.schedule.ran()) {
            (Some(begun), Some(now)) => now.saturating_sub(begun) > time / 2,
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_computes_is_heavy() {
        let mut watch = Stopwatch::new();
        watch.begin();
        watch.start();
        while watch.start.elapsed() < Duration::from_secs(5) && !watch.is_over(Duration::from_millis(20)) {
            std::hint::black_box((0..1_000u64).sum::<u64>());
        }
        assert!(watch.is_over(Duration::from_millis(20)));
    }

    #[test]
    fn a_program_of_many_short_calls_is_spent_although_none_is_heavy() {
        let mut watch = Stopwatch::new();
        watch.begin();
        while watch.program.elapsed() < Duration::from_secs(5) && !watch.is_spent(Duration::from_millis(40)) {
            watch.start();
            std::hint::black_box((0..1_000u64).sum::<u64>());
        }
        assert!(watch.is_spent(Duration::from_millis(40)));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_call_that_had_to_wait_is_not_heavy() {
        let mut watch = Stopwatch::new();
        watch.begin();
        watch.start();
        std::thread::sleep(Duration::from_millis(60));
        assert!(!watch.is_over(Duration::from_millis(40)));
    }
}
