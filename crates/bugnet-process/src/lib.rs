//! Starts, limits, watches and ends the processes in which Bugnet runs code under test.
//!
//! Code under test may print, hang, abort, overflow its stack, take all memory or start processes of its own. A
//! [`Process`] survives all of that: it talks to the program over a [channel](channel()) that is neither standard
//! input, output nor error, it never waits longer than it is told, and it says how the program [ended](End). A
//! [`Supervisor`] starts the program again when it has died.
//!
//! ```
//! use bugnet_process::{How, Process, Start, patience};
//! use std::time::Instant;
//!
//! let start = Start::new("/bin/sh").argument("-c").argument("exit 7");
//! let finished = Process::start(&start).unwrap().finish(Instant::now() + patience::PROGRAM);
//! assert_eq!(finished.end.how, How::Exited(7));
//! ```
//!
//! **Architecture Invariant:** this crate knows processes and bytes. It knows no tests, no tapes and no Cargo, and
//! nothing else in the workspace starts code under test.

#![warn(missing_docs)]

mod channel;
mod death;
mod end;
mod frame;
mod journal;
mod launch;
mod listener;
pub mod patience;
mod process;
mod running;
mod scratch;
mod start;
mod supervisor;
mod system;

pub use channel::{Channel, channel};
pub use death::Death;
pub use end::{End, How};
pub use journal::Journal;
pub use launch::become_program;
pub use process::{Finished, Next, Process};
pub use running::exit;
pub use scratch::sweep;
pub use start::{Group, Launcher, Limits, Output, Start, Talk, Variables};
pub use supervisor::{Answer, Flow, Supervisor};
pub use system::watch_aborts;
