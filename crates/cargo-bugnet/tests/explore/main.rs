//! `cargo bugnet explore`, run on crates that are as bad as crates can be.
//!
//! All tests share one target folder, so that the library is built for harnesses once. They run side by side: a
//! budget in programs finds the same whatever else the machine does, so only tests of what a clock decides have a
//! `--time`.
//!
//! **Invariant:** the crates are copies, and nothing is written into the tree.

mod bug;
mod cause;
mod death;
#[path = "../fixture/mod.rs"]
mod fixture;
mod green;
mod hostile;
mod known;
mod law;
mod refusal;
mod stated;

use fixture::{Crate, Done, target};

impl Done {
    #[track_caller]
    fn assert_ended(&self, code: i32, said: &str) {
        assert_eq!(self.code, Some(code), "{}\n{}", self.output, self.errors);
        assert!(self.errors.contains(said), "{said:?} is not in\n{}", self.errors);
    }
}

impl Crate {
    fn accept(&self, words: &[&str]) -> Done {
        Done::of(self.bugnet("accept", words).output().unwrap())
    }
}
