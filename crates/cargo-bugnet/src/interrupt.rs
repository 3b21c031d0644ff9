//! Interrupts: Ctrl-C, SIGTERM and SIGHUP, and what they mean in each phase of a command.
//!
//! **Invariant:** an interrupt is acknowledged at once, and one during a phase ends that phase and nothing that was
//! found before it. A phase whose end was reached ends in the same way.

use crate::exit;
use crate::{cargo, status};
use anyhow::{Context, Result};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The phase of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The crate is read and compiled: an interrupt ends the command.
    Building,
    /// An interrupt ends exploring.
    Exploring,
    /// Findings are reduced and proven: an interrupt ends that, and they are shown as they are.
    Reducing,
    /// The report is printed.
    Showing,
}

/// The interrupt that ends everything, whatever is going on.
const LAST: usize = 3;

/// The time after an interrupt that a worker has to find the program of a death that it is looking into. Drawing one
/// again takes milliseconds; one that hangs takes longer, and is given up, so that Ctrl-C is obeyed within two seconds.
const GRACE: Duration = Duration::from_secs(1);

/// The end of a phase that nobody interrupts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The phase goes on until its work is done.
    Never,
    /// A point in time.
    Clock(Instant),
    /// The processor time that all processes started by then may have used in all: a busy machine ends the phase no
    /// earlier. Processes that sleep use none, so there is a point in time as well.
    Work { processor: Duration, clock: Instant },
}

impl End {
    /// Returns true if it is reached; `used` tells the processor time.
    fn is_reached(self, now: Instant, used: &dyn Fn() -> Duration) -> bool {
        match self {
            End::Never => false,
            End::Clock(end) => now >= end,
            End::Work { processor, clock } => now >= clock || used() >= processor,
        }
    }
}

/// The interrupts of a command, and the phase that they belong to.
#[derive(Debug)]
struct Interrupts {
    phase: Phase,
    count: usize,
    /// The number of interrupts when the phase began.
    before: usize,
    /// The time of the last interrupt.
    last: Option<Instant>,
    /// The point at which the phase ends by itself.
    end: End,
}

static INTERRUPTS: Mutex<Interrupts> = Mutex::new(Interrupts::new());

fn interrupts() -> MutexGuard<'static, Interrupts> {
    INTERRUPTS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Interrupts {
    const fn new() -> Interrupts {
        Interrupts { phase: Phase::Building, count: 0, before: 0, last: None, end: End::Never }
    }

    fn enter(&mut self, phase: Phase, end: End) {
        (self.phase, self.end, self.before) = (phase, end, self.count);
    }

    fn press(&mut self, now: Instant) {
        self.count += 1;
        self.last = Some(now);
    }

    fn is_pressed(&self) -> bool {
        self.count > self.before
    }

    fn is_cut(&self, now: Instant, used: &dyn Fn() -> Duration) -> bool {
        let is_late = || self.last.is_some_and(|last| now >= last + GRACE);
        match self.phase {
            Phase::Exploring => self.is_pressed() && is_late(),
            Phase::Reducing => self.is_pressed() || self.end.is_reached(now, used),
            Phase::Building | Phase::Showing => false,
        }
    }
}

/// Watches for interrupts from here on.
pub(crate) fn watch() -> Result<()> {
    ctrlc::set_handler(interrupted).context("Ctrl-C cannot be watched")
}

/// Begins a phase, which may have an end.
pub(crate) fn enter(phase: Phase, end: End) {
    interrupts().enter(phase, end);
}

/// Returns true if there was an interrupt in this phase.
pub(crate) fn is_pressed() -> bool {
    interrupts().is_pressed()
}

/// Returns true if nobody wants the answers of processes any more: because of an interrupt, or because the time of
/// reducing is over.
pub(crate) fn is_cut() -> bool {
    interrupts().is_cut(Instant::now(), &processor_time)
}

/// Returns the processor time of all processes that were started here and have ended, and of theirs.
#[cfg(unix)]
pub(crate) fn processor_time() -> Duration {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return Duration::ZERO };
    let microseconds = (usage.user_time() + usage.system_time()).num_microseconds();
    Duration::from_micros(microseconds.try_into().unwrap_or_default())
}

/// Nobody tells it here, so the clock has to do.
#[cfg(not(unix))]
pub(crate) fn processor_time() -> Duration {
    Duration::ZERO
}

fn interrupted() {
    let (count, phase) = {
        let mut interrupts = interrupts();
        interrupts.press(Instant::now());
        (interrupts.count, interrupts.phase)
    };
    if count >= LAST || phase == Phase::Building {
        cargo::end_for_good();
        bugnet_process::exit(exit::INTERRUPTED);
    }
    if phase == Phase::Exploring {
        status::progress("Interrupted", "what was found is reduced; Ctrl-C again shows it as it is");
    } else if phase == Phase::Reducing {
        status::progress("Interrupted", "what was found is shown as it is");
        cargo::end_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The processor time of a run that has used none.
    fn nothing() -> Duration {
        Duration::ZERO
    }

    #[test]
    fn an_interrupt_ends_its_own_phase_and_a_worker_that_explores_has_a_moment_left() {
        let now = Instant::now();
        let mut interrupts = Interrupts::new();
        interrupts.enter(Phase::Exploring, End::Never);
        assert!(!interrupts.is_pressed() && !interrupts.is_cut(now, &nothing));
        interrupts.press(now);
        assert!(interrupts.is_pressed() && !interrupts.is_cut(now, &nothing));
        assert!(interrupts.is_cut(now + GRACE, &nothing));
        interrupts.enter(Phase::Reducing, End::Clock(now + GRACE));
        assert!(!interrupts.is_pressed() && !interrupts.is_cut(now, &nothing));
        assert!(interrupts.is_cut(now + GRACE, &nothing));
        interrupts.press(now);
        assert!(interrupts.is_cut(now, &nothing));
        interrupts.enter(Phase::Showing, End::Never);
        assert!(!interrupts.is_cut(now + GRACE, &nothing));
    }

    #[test]
    fn work_is_over_when_the_processor_time_is_used_up_and_on_a_busy_machine_no_earlier() {
        let (now, second) = (Instant::now(), Duration::from_secs(1));
        let end = End::Work { processor: 60 * second, clock: now + 300 * second };
        assert!(!end.is_reached(now + 299 * second, &|| 59 * second));
        assert!(end.is_reached(now, &|| 60 * second));
        assert!(end.is_reached(now + 300 * second, &nothing));
        assert!(!End::Never.is_reached(now + 300 * second, &|| 60 * second));
    }
}
