//! Exploring: what a harness that `cargo bugnet explore` has written links.
//!
//! A harness is a crate with an operation for everything that another crate lets its users call, and
//! laws of its types. It draws programs of them for as long as it is let, and tells every place at which
//! one failed, with the program, as an event of [`bugnet::wire::explore`]. What is shown to a person is
//! decided by the command, which knows the documentation.
//!
//! **Invariant:** a test that merely uses the library never compiles this.

mod bytes;
mod compare;
mod contrast;
mod coverage;
mod deep_literal;
mod describe;
mod dictionary;
mod difference;
mod draw;
mod edit;
mod elsewhere;
mod entropy;
mod event;
mod explorer;
mod filter;
mod flaky;
mod focus;
mod generalize;
mod hook;
#[doc(hidden)]
pub mod law;
mod limit;
mod memory;
mod memory_limit;
mod meter;
mod number;
mod past;
mod phase;
mod plan;
mod pool;
mod reduce;
mod rich;
mod schedule;
mod seen;
mod serve;
mod spell_out;
mod stack;
mod stated;
mod stopwatch;
mod strategy;
mod sweep;
mod switches;
mod tally;
mod text;
mod told;
mod transcript;
mod trial;
mod trim;
mod vary;
mod watcher;
mod weight;

pub use bugnet::oracle::{IntoVerdict, Law, Verdict};
pub use bugnet::program::{
    Access, Fingerprinted, FingerprintedByDebug, Frame, Kind, Mode, NotFingerprinted, NotPrinted, Operation,
    Parameter, Printed, Probe, Role, Suite,
};
pub use coverage::Counters;
pub use describe::Numbers;
pub use dictionary::{Dictionary, dictionary};
pub use draw::{Draw, borrowed, changed, draw, slice, text, value};
pub use entropy::entropy;
pub use memory_limit::MemoryLimit;
pub use seen::{NotSeen, Seen, SeenByDebug};
pub use serve::{answer, main, main_counted, main_with};
pub use stated::Inputs;
pub use switches::{Switches, switches};
pub use told::{Told, told};
