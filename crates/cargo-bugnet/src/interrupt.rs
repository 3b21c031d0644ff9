//! Interrupts: Ctrl-C, SIGTERM and SIGHUP, and what they mean in each phase of a command.
//!
//! **Invariant:** an interrupt is acknowledged at once, and one during a phase ends that phase and nothing that was
//! found before it.

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

/// The interrupts of a command, and the phase that they belong to.
#[derive(Debug)]
struct Interrupts {
    phase: Phase,
    count: usize,
    /// The number of interrupts when the phase began.
    before: usize,
    /// The time of the last interrupt.
    last: Option<Instant>,
    /// The time at which the phase ends by itself.
    until: Option<Instant>,
}

static INTERRUPTS: Mutex<Interrupts> =
    Mutex::new(Interrupts { phase: Phase::Building, count: 0, before: 0, last: None, until: None });

fn interrupts() -> MutexGuard<'static, Interrupts> {
    INTERRUPTS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Interrupts {
    fn enter(&mut self, phase: Phase, until: Option<Instant>) {
        (self.phase, self.until, self.before) = (phase, until, self.count);
    }

    fn press(&mut self, now: Instant) {
        self.count += 1;
        self.last = Some(now);
    }

    fn is_pressed(&self) -> bool {
        self.count > self.before
    }

    fn is_cut(&self, now: Instant) -> bool {
        let is_over = || self.until.is_some_and(|until| now >= until);
        let is_late = || self.last.is_some_and(|last| now >= last + GRACE);
        match self.phase {
            Phase::Exploring => self.is_pressed() && is_late(),
            Phase::Reducing => self.is_pressed() || is_over(),
            Phase::Building | Phase::Showing => false,
        }
    }
}

/// Watches for interrupts from here on.
pub(crate) fn watch() -> Result<()> {
    ctrlc::set_handler(interrupted).context("Ctrl-C cannot be watched")
}

/// Begins a phase, which may have an end.
pub(crate) fn enter(phase: Phase, until: Option<Instant>) {
    interrupts().enter(phase, until);
}

/// Returns true if there was an interrupt in this phase.
pub(crate) fn is_pressed() -> bool {
    interrupts().is_pressed()
}

/// Returns true if nobody wants the answers of processes any more: because of an interrupt, or because the time of
/// reducing is over.
pub(crate) fn is_cut() -> bool {
    interrupts().is_cut(Instant::now())
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

    #[test]
    fn an_interrupt_ends_its_own_phase_and_a_worker_that_explores_has_a_moment_left() {
        let now = Instant::now();
        let mut interrupts =
            Interrupts { phase: Phase::Building, count: 0, before: 0, last: None, until: None };
        interrupts.enter(Phase::Exploring, None);
        assert!(!interrupts.is_pressed() && !interrupts.is_cut(now));
        interrupts.press(now);
        assert!(interrupts.is_pressed() && !interrupts.is_cut(now) && interrupts.is_cut(now + GRACE));
        interrupts.enter(Phase::Reducing, Some(now + GRACE));
        assert!(!interrupts.is_pressed() && !interrupts.is_cut(now) && interrupts.is_cut(now + GRACE));
        interrupts.press(now);
        assert!(interrupts.is_cut(now));
        interrupts.enter(Phase::Showing, None);
        assert!(!interrupts.is_cut(now + GRACE));
    }
}
