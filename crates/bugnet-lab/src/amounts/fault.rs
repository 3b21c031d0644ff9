//! The fault that a program has met, for the table alone.
//!
//! **Invariant:** the engine never sees it: a machine fails with the same words whatever the fault was.

use std::cell::Cell;

thread_local! {
    static MET: Cell<&'static str> = const { Cell::new("") };
}

/// Forgets what the last program met.
pub fn forget() {
    MET.set("");
}

/// Notes that wrong code has run. The first fault of a program is the one that counts.
pub fn meet(name: &'static str) {
    if MET.get().is_empty() {
        MET.set(name);
    }
}

/// The fault that the last program met first.
pub fn met() -> &'static str {
    MET.get()
}
