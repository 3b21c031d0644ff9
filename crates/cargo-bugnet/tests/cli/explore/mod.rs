//! `cargo bugnet explore`, run on crates that are as bad as crates can be.

mod bug;
mod cause;
mod death;
mod disk;
mod green;
mod hostile;
mod interrupt;
mod known;
mod law;
mod refusal;
mod stated;

use crate::fixture::{Crate, Done};

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
