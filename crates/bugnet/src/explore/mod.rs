//! Exploring: what a harness that `cargo bugnet explore` has written links.
//!
//! A harness is a crate with an operation for everything that another crate lets its users call, and
//! laws of its types. It draws programs of them for as long as it is let, and tells every place at which
//! one failed, with the program, as a line of JSON on standard output. What is shown to a person is
//! decided by the command, which knows the documentation.
//!
//! **Invariant:** nothing here is compiled for a test that merely uses the library.

mod bytes;
mod centre;
mod chance;
mod coverage;
mod dictionary;
mod draw;
mod edit;
mod event;
mod explorer;
mod gauge;
mod generalize;
mod harness;
pub mod law;
mod memory;
mod nest;
mod number;
mod plan;
mod pool;
mod reduce;
mod score;
mod spell;
mod stopwatch;
mod strategy;
mod sweep;
mod text;
mod trial;
mod trim;
mod vary;
mod watch;

pub use crate::oracle::{IntoVerdict, Verdict};
pub use crate::program::{
    Access, Fingerprinted, FingerprintedByDebug, Frame, Kind, Mode, NotFingerprinted, Operation, Parameter,
    Probe, Role, Suite,
};
pub use coverage::Counters;
pub use dictionary::{Dictionary, dictionary};
pub use draw::{Draw, borrowed, changed, draw, slice, text, value};
pub use gauge::Gauge;
pub use harness::{FULL, HUNG, answer, main, main_counted, main_with};
