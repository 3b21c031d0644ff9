//! Bugnet on the challenge: empty until its engine has a public interface.
//!
//! To add the column, write `pub fn run(problem: Problem, seed: u64) -> Outcome` here as the other
//! peers do (a trait that generates each input, a `Tally` that judges it, `with_input!` to choose),
//! and return it from `Peer::engine`, which says today that the column is missing.
