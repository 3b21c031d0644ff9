//! The schedule: how long a thread was running, and how long it had to wait for a processor, as Linux tells.
//!
//! A clock tells whether a call hangs. Calls must not seem to hang only because the machine is busy, so the
//! time for which a thread was ready to run while others had the processor does not count.
//!
//! **Invariant:** where the system tells nothing, nobody has waited, and the clock on the wall has to do.

use std::fs::{self, File};
use std::time::{Duration, Instant};

/// Before this has passed, nobody asks how long a thread has waited: most calls end sooner.
const SHORT: Duration = Duration::from_millis(50);

/// The scheduling statistics of one thread.
#[derive(Debug)]
pub(crate) struct Schedule(Option<File>);

impl Schedule {
    /// Opens the statistics of the calling thread.
    pub(crate) fn of_this_thread() -> Schedule {
        Schedule(File::open("/proc/thread-self/schedstat").ok())
    }

    /// Returns the time for which the thread was running, if it is known.
    pub(crate) fn ran(&self) -> Option<Duration> {
        self.read().map(|(ran, _)| ran)
    }

    /// Returns the time for which the thread has waited for a processor.
    pub(crate) fn waited(&self) -> Duration {
        self.read().map_or(Duration::ZERO, |(_, waited)| waited)
    }

    fn read(&self) -> Option<(Duration, Duration)> {
        let mut bytes = [0; 64];
        let length = read(self.0.as_ref()?, &mut bytes)?;
        parsed(std::str::from_utf8(&bytes[..length]).ok()?)
    }
}

/// Returns the longest time for which a thread of a process has waited for a processor.
pub(crate) fn process_waited(process: u32) -> Duration {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { return Duration::ZERO };
    let waited = |thread: fs::DirEntry| {
        let text = fs::read_to_string(thread.path().join("schedstat")).ok()?;
        Some(parsed(&text)?.1)
    };
    threads.flatten().filter_map(waited).max().unwrap_or_default()
}

/// Milliseconds of a tick, in which Linux tells processor time.
const TICK: u64 = 10;

/// Returns the processor time of this process, and of those that it has started and that have ended.
pub(crate) fn processor_time() -> Duration {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    Duration::from_millis(ticks(&text).unwrap_or_default() * TICK)
}

/// The ticks of a process and its children. The name of the program comes second, in brackets, and may have spaces; these
/// are fields 14 to 17.
fn ticks(text: &str) -> Option<u64> {
    let fields = text.rsplit_once(") ")?.1.split(' ').skip(11).take(4);
    fields.map(|field| field.parse::<u64>().ok()).sum()
}

/// The time that something has taken, without waiting for a processor.
#[derive(Debug)]
pub(crate) struct OwnTime {
    start: Instant,
    /// The waiting time that was read soon after the beginning.
    before: Option<Duration>,
}

impl OwnTime {
    pub(crate) fn start() -> OwnTime {
        OwnTime { start: Instant::now(), before: None }
    }

    /// Returns the time by the wall clock.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Returns true if it has taken longer than `patience`; `waited` tells the whole time of waiting.
    pub(crate) fn is_over(&mut self, patience: Duration, waited: &dyn Fn() -> Duration) -> bool {
        let elapsed = self.elapsed();
        if elapsed < SHORT.min(patience) {
            return false;
        }
        let before = *self.before.get_or_insert_with(waited);
        elapsed > patience && elapsed.saturating_sub(waited().saturating_sub(before)) > patience
    }
}

/// The first two numbers: nanoseconds on a processor, and nanoseconds of waiting for one.
fn parsed(text: &str) -> Option<(Duration, Duration)> {
    let mut numbers = text.split(' ').map(|number| number.parse().ok().map(Duration::from_nanos));
    Some((numbers.next()??, numbers.next()??))
}

/// Reads a file from its beginning.
#[cfg(unix)]
fn read(file: &File, bytes: &mut [u8]) -> Option<usize> {
    std::os::unix::fs::FileExt::read_at(file, bytes, 0).ok()
}

#[cfg(not(unix))]
fn read(_file: &File, _bytes: &mut [u8]) -> Option<usize> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_times_of_a_thread_are_read() {
        assert_eq!(parsed("7 9 1\n"), Some((Duration::from_nanos(7), Duration::from_nanos(9))));
        assert_eq!([parsed(""), parsed("7"), parsed("7 x 1")], [None; 3]);
    }

    #[test]
    fn the_ticks_of_a_process_and_its_children_are_added_up() {
        let stat = "7 (a ) b) S 1 2 3 4 5 6 7 8 9 10 20 300 4 5 0\n";
        assert_eq!((ticks(stat), ticks(""), ticks("7 (a) S 1")), (Some(329), None, Some(0)));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn work_is_told_when_it_was_done() {
        let (before, start) = (processor_time(), Instant::now());
        while processor_time() < before + Duration::from_millis(30) {
            assert!(start.elapsed() < Duration::from_secs(60), "it never comes");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_thread_that_runs_is_told_and_one_that_sleeps_does_not_wait() {
        let schedule = Schedule::of_this_thread();
        let (ran, waited, start) = (schedule.ran().unwrap(), schedule.waited(), Instant::now());
        std::thread::sleep(Duration::from_millis(60));
        // The system adds up late, by a tick.
        let both = (schedule.ran().unwrap() - ran) + (schedule.waited() - waited);
        assert!(both < start.elapsed() - Duration::from_millis(30));
        assert!(process_waited(std::process::id()) >= waited);
        assert_eq!(process_waited(u32::MAX), Duration::ZERO);
    }

    #[test]
    fn time_for_which_a_thread_had_to_wait_does_not_count() {
        let patience = Duration::from_millis(60);
        let mut time = OwnTime { start: Instant::now() - Duration::from_millis(55), before: None };
        assert!(!time.is_over(patience, &|| Duration::from_millis(7)));
        time.start -= Duration::from_millis(1_000);
        assert!(!time.is_over(patience, &|| Duration::from_secs(3_600)));
        assert!(time.is_over(patience, &|| Duration::from_millis(100)));
    }
}
