//! Events: what a process tells the one that asked it.

use super::encode::{encode_enum, encode_struct};
use crate::choice::Tape;
use crate::label::Labels;
use crate::oracle::Verdict;

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The process has begun to listen.
    Ready {
        /// The version that it speaks.
        version: u32,
    },
    /// Cases were run.
    Ran(Ran),
    /// A property was tested.
    Outcome(Outcome),
}

/// The fate of cases, up to the first that did not pass.
#[derive(Debug, Clone, PartialEq)]
pub struct Ran {
    /// The verdict on the last one.
    pub verdict: Verdict,
    /// The number of cases that were run.
    pub ended: u64,
    /// The labels of those that passed.
    pub labels: Labels,
    /// The tape of the last one, if it is known only now.
    pub tape: Option<Tape>,
}

/// The outcome of a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The name of the property, with crate and modules.
    pub name: String,
    /// In a word.
    pub kind: OutcomeKind,
    /// The report, as a person reads it.
    pub report: String,
}

/// The outcome of a property, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutcomeKind {
    /// No input refuted it.
    Passed,
    /// An input refutes it.
    Refuted,
    /// An input fails now and then.
    Flaky,
    /// Too few inputs met the preconditions.
    GaveUp,
    /// A label that is demanded was too rare.
    NotCovered,
    /// Bugs in `bugnet-known.toml` are there no more.
    Fixed,
    /// The test is written wrongly.
    NotTested,
}

encode_enum!(Event {
    0 Ready { version };
    1 Ran(ran);
    2 Outcome(outcome);
});
encode_struct!(Ran { verdict, ended, labels, tape });
encode_struct!(Outcome { name, kind, report });
encode_enum!(OutcomeKind {
    0 Passed;
    1 Refuted;
    2 Flaky;
    3 GaveUp;
    4 NotCovered;
    5 Fixed;
    6 NotTested;
});
