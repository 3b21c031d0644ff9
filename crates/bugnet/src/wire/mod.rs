//! The wire: what processes of Bugnet say to each other, as types.
//!
//! Three nouns cross a process: [`Work`] (cases, named so that anybody can run them again), a [`Restraint`] (what is
//! known, to steer around) and an [`Event`] (what happened). A [`Command`] asks for work and is answered by events.
//! The way in which the bytes travel is no matter of this module.
//!
//! **Invariant:** whatever bytes are read, nothing panics: they are a value or they are not.

mod command;
mod encode;
mod event;
pub mod explore;
mod program;
mod work;

pub use command::{Command, Restraint, Steer};
pub use encode::{Encode, decode, encode};
pub use event::{Event, Outcome, OutcomeKind, Ran};
pub use program::{Argument, Binding, Call, Literal, Mode, Number, Program, Role};
pub use work::Work;

/// The version of these types. A process that speaks another one is not understood, and that is said.
pub const VERSION: u32 = 7;

#[cfg(test)]
mod tests;
