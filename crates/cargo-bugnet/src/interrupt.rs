//! Interrupts: Ctrl-C, SIGTERM and SIGHUP, and what they mean in each phase of a command.
//!
//! **Invariant:** an interrupt is acknowledged at once, and one during a phase ends that phase and nothing that was
//! found before it.

use crate::exit;
use crate::{cargo, status};
use anyhow::{Context, Result};
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

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

static PHASE: AtomicU8 = AtomicU8::new(Phase::Building as u8);
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// The number of interrupts when the phase began.
static BASE: AtomicUsize = AtomicUsize::new(0);
/// When the phase ends by itself.
static UNTIL: Mutex<Option<Instant>> = Mutex::new(None);

/// Watches for interrupts from here on.
pub(crate) fn watch() -> Result<()> {
    ctrlc::set_handler(interrupted).context("Ctrl-C cannot be watched")
}

/// Begins a phase, which may have an end.
pub(crate) fn enter(phase: Phase, until: Option<Instant>) {
    *UNTIL.lock().unwrap_or_else(PoisonError::into_inner) = until;
    BASE.store(COUNT.load(Ordering::SeqCst), Ordering::SeqCst);
    PHASE.store(phase as u8, Ordering::SeqCst);
}

/// Returns true if the user interrupted this phase.
pub(crate) fn is_pressed() -> bool {
    COUNT.load(Ordering::SeqCst) > BASE.load(Ordering::SeqCst)
}

/// Returns true if reducing is to end, because of an interrupt or because its time is over.
pub(crate) fn is_cut() -> bool {
    let is_over =
        || UNTIL.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|until| Instant::now() >= until);
    PHASE.load(Ordering::SeqCst) == Phase::Reducing as u8 && (is_pressed() || is_over())
}

fn interrupted() {
    let count = COUNT.fetch_add(1, Ordering::SeqCst) + 1;
    let phase = PHASE.load(Ordering::SeqCst);
    if count >= LAST || phase == Phase::Building as u8 {
        cargo::end_all();
        std::process::exit(exit::INTERRUPTED);
    }
    if phase == Phase::Exploring as u8 {
        status::progress("Interrupted", "what was found is reduced; Ctrl-C again shows it as it is");
    } else if phase == Phase::Reducing as u8 {
        status::progress("Interrupted", "what was found is shown as it is");
        cargo::end_all();
    }
}
