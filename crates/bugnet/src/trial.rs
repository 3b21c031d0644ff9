//! Trials: cases that are run to learn something, such as whether a simpler one fails too.
//!
//! Shrinking and learning ask for trials; where a case runs (in this process, in a child, in a harness) is for
//! those who make them.
//!
//! **Invariant:** after a trial, the tape of what has run is in its source.

use crate::choice::{Source, Tape};
use crate::oracle::{Failure, Signature, Verdict};

/// Says of a case that was made whether it is worth running.
#[doc(hidden)]
pub type Worth<'a> = &'a mut dyn FnMut(&Source) -> bool;

/// Runs cases of one test.
#[doc(hidden)]
pub trait Trial {
    /// Makes the case of a source and runs it, if `worth` says so of its choices. Returns `None` if it did not run.
    fn run(&mut self, source: &mut Source, worth: Worth<'_>) -> Option<Ran>;

    /// Returns true if no further case is to be run: time is up, or the test is wrong.
    fn is_over(&self) -> bool;

    /// Runs a case that has failed once more.
    fn again(&mut self, source: &mut Source) -> Option<Ran> {
        self.run(source, &mut |_| true)
    }

    /// Returns the number of times that a case must fail before it is believed to fail. More than one where cases
    /// may fail by chance.
    fn proofs(&self) -> u32 {
        1
    }
}

/// The result of a case that has run.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    pub verdict: Verdict,
    /// The state that a program has reached, if it extends another one and got to its end.
    pub reached: Option<u64>,
    /// The number of calls of each operation, for programs.
    pub used: Vec<u32>,
    /// The evidence of a program about a known pattern that its last call completes.
    pub sample: Option<Sample>,
}

/// A program whose last call completes a known pattern.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The pattern, by its place among those that are known.
    pub pattern: usize,
    /// The program, if it has passed: then the pattern says too much.
    pub passed: Option<Tape>,
}

impl From<Verdict> for Ran {
    fn from(verdict: Verdict) -> Ran {
        Ran { verdict, reached: None, used: Vec::new(), sample: None }
    }
}

impl Ran {
    /// Returns the failure, if the case has failed; in a certain way, if that matters.
    pub fn failure(self, like: Option<&Signature>) -> Option<Failure> {
        match self.verdict {
            Verdict::Fail(failure) if like.is_none_or(|signature| failure.signature == *signature) => {
                Some(*failure)
            }
            _ => None,
        }
    }
}
