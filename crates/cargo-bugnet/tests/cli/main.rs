//! The command as a user has it: run on the crates in `fixtures`, and on small ones of a test's own.
//!
//! One program has all these tests, so that while one waits for a compiler or a clock another one works, and what they
//! build, they build once. A budget in programs finds the same whatever else the machine does, so only tests of
//! what a clock decides have a `--time`.
//!
//! **Invariant:** whatever is explored or changed is a copy, and nothing is written into the tree.

mod against;
mod commands;
#[cfg(target_os = "linux")]
mod confine;
mod explore;
mod findings;
mod fixture;
mod harness;
mod program;
mod swarm;
mod variants;
