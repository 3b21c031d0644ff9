//! `cargo bugnet swarm` on the demo of `examples/swarm`, and on generators and targets that misbehave.
//!
//! **Invariant:** the demo is built once for all tests; each test has a store of its own.

mod demo;
mod failure;
mod mistake;
mod resume;
