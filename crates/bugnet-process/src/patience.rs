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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_duration_outlasts_the_ones_inside_it() {
        for (inner, outer) in
            [(CALL, TRIAL), (CALL, SILENCE), (TRIAL, PROGRAM), (PROGRAM, TEST), (TEST, CASE), (CASE, START)]
        {
            assert!(inner < outer, "{inner:?} {outer:?}");
        }
    }
}
