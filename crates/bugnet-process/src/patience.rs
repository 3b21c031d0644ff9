//! The table of durations: how long each kind of work may take before its process counts as hung.
//!
//! Work is nested: a call is part of a program, a program is run by a process, a process answers a question. Whoever
//! is inside knows best which call hangs, so each duration outlasts the ones inside it.
//!
//! ```
//! use bugnet_process::patience;
//!
//! assert!(patience::CALL < patience::TRIAL && patience::TRIAL < patience::PROGRAM);
//! ```

use std::time::Duration;

/// One call of a function under test; the harness itself watches for this. The slowest call that returned in our
/// experiments took 800 milliseconds.
pub const CALL: Duration = Duration::from_secs(2);

/// One program that is run again to reduce or generalize it, beside the thread that reduces or in a process apart.
pub const TRIAL: Duration = Duration::from_secs(3);

/// The longest silence of a harness that explores: it reports its progress every half second, also while a call
/// hangs, so this means that the harness itself is stuck.
pub const SILENCE: Duration = Duration::from_secs(3);

/// A process that runs, draws or prints one program.
pub const PROGRAM: Duration = Duration::from_secs(4);

/// A generated test that is run to prove a bug.
pub const TEST: Duration = Duration::from_secs(5);

/// One command to the child of an isolated property, unless the property says otherwise.
pub const CASE: Duration = Duration::from_secs(10);

/// A test program from its start to the property that it serves; other code of the test may run before.
pub const START: Duration = Duration::from_secs(20);

/// The time beyond its own limit that a task may take to come to its end: a trial that has begun is finished.
pub const GRACE: Duration = Duration::from_secs(10);

/// The longest silence of a process where no clock may decide what is found. A harness speaks every half second, and a
/// process on a busy machine may get a fiftieth of a processor, so this is for one that will never speak again.
pub const STEADY: Duration = Duration::from_secs(60);

/// One test of the user's own, before anything is changed.
pub const OWN_TEST: Duration = Duration::from_secs(120);

/// A task that is limited by a number of trials and not by time. The longest that we met took two minutes.
pub const TASK: Duration = Duration::from_secs(3_600);

/// The processor time of a task that is limited by a number of trials, where each of them is slow. All findings of a
/// fixture together, 87 of them, were reduced in a fifth of it.
pub const WORK: Duration = Duration::from_secs(30);

/// The longest processor time that a process can be given: a month.
pub const LONGEST: Duration = Duration::from_secs(30 * 24 * 3_600);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_duration_outlasts_the_ones_inside_it() {
        let with_a_clock = [CALL, TRIAL, PROGRAM, TEST, CASE, START];
        let without = [SILENCE, GRACE, STEADY, OWN_TEST, TASK, LONGEST];
        for durations in [with_a_clock, without] {
            assert!(durations.is_sorted_by(|inner, outer| inner < outer), "{durations:?}");
        }
        assert!(CALL < SILENCE);
    }
}
