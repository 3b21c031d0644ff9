//! The faults: what happens to a run, and at which moment of which phase.
//!
//! **Invariant:** the moment is a function of the seed. What the run has done by then depends on the machine.

use bugnet::choice::{Seed, Source};
use std::time::Duration;

/// A phase of `explore`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    Reading,
    Building,
    Exploring,
    Reducing,
    Proving,
}

impl Phase {
    const ALL: [Phase; 5] =
        [Phase::Reading, Phase::Building, Phase::Exploring, Phase::Reducing, Phase::Proving];

    pub fn name(self) -> &'static str {
        match self {
            Phase::Reading => "reading",
            Phase::Building => "building",
            Phase::Exploring => "exploring",
            Phase::Reducing => "reducing",
            Phase::Proving => "proving",
        }
    }

    /// The status word with which the phase begins; that of proving is printed when the first test is proven.
    pub fn begins_with(self) -> &'static str {
        match self {
            Phase::Reading => "Reading",
            Phase::Building => "Building",
            Phase::Exploring => "Exploring",
            Phase::Reducing => "Explored",
            Phase::Proving => "Proven",
        }
    }

    /// Milliseconds from the beginning of the phase within which its faults come: about as long as it takes.
    fn length(self) -> u64 {
        match self {
            Phase::Reading => 1_000,
            Phase::Building => 4_000,
            Phase::Exploring => 3_000,
            Phase::Reducing => 2_000,
            Phase::Proving => 500,
        }
    }

    /// Returns true if the phase is there only where the crate has changed since the last run.
    pub fn is_of_building(self) -> bool {
        matches!(self, Phase::Reading | Phase::Building)
    }
}

/// A kind of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The command is killed by signal 9.
    Kill(Phase),
    /// One process that runs code under test is killed by signal 9.
    KillWorker,
    /// The command is sent what Ctrl-C sends.
    Interrupt(Phase),
    /// A few pages are left of the file system that the run writes to.
    FullDisk,
}

impl Fault {
    pub fn all() -> Vec<Fault> {
        let kills = Phase::ALL.into_iter().map(Fault::Kill);
        let interrupts = Phase::ALL.into_iter().map(Fault::Interrupt);
        kills.chain([Fault::KillWorker]).chain(interrupts).chain([Fault::FullDisk]).collect()
    }

    pub fn name(self) -> String {
        match self {
            Fault::Kill(phase) => format!("kill -9 while {}", phase.name()),
            Fault::KillWorker => "kill -9 of a worker".to_string(),
            Fault::Interrupt(phase) => format!("Ctrl-C while {}", phase.name()),
            Fault::FullDisk => "full disk".to_string(),
        }
    }

    /// The phase in which it happens.
    pub fn phase(self) -> Phase {
        match self {
            Fault::Kill(phase) | Fault::Interrupt(phase) => phase,
            Fault::KillWorker | Fault::FullDisk => Phase::Exploring,
        }
    }
}

/// The numbers that are drawn for one fault.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// The time from the beginning of the phase.
    pub delay: Duration,
    /// Which of the workers is killed, and how many pages are left of the disk.
    pub number: usize,
}

/// More pages than this are never missed.
const PAGES: usize = 16;

impl Moment {
    pub fn draw(fault: Fault, seed: u64, time: u64) -> Moment {
        let mut dice = Source::random(Seed(seed), time);
        let delay = dice.index(fault.phase().length() as usize) as u64;
        Moment { delay: Duration::from_millis(delay), number: dice.index(PAGES) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_follow_from_the_seed_and_lie_in_the_phase() {
        for fault in Fault::all() {
            let drawn = |seed: u64| -> Vec<Duration> {
                (0..20).map(|time| Moment::draw(fault, seed, time).delay).collect()
            };
            assert_eq!(drawn(7), drawn(7));
            assert_ne!(drawn(7), drawn(8));
            assert!(drawn(7).iter().all(|delay| delay.as_millis() < fault.phase().length().into()));
        }
    }
}
