//! Commands: what a process asks another one to do.

use super::Work;
use super::encode::{encode_enum, encode_struct};

/// A command. The first is always [`Hello`](Command::Hello).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Says who asks, and which property is to be served; no name if the process is to do what it does anyway, and
    /// to tell what came of it.
    Hello {
        /// The version of whoever asks.
        version: u32,
        /// The name of the property.
        serve: String,
    },
    /// Says what is known. It takes the place of what was said before.
    Know(Restraint),
    /// Runs cases.
    Run(Work),
}

/// The programs and inputs that a process is to steer around.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Restraint {
    /// True if a last call may complete a known pattern, to see whether it still fails.
    pub samples: bool,
    /// The known patterns.
    pub known: Vec<Steer>,
}

/// One pattern that programs are not to match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Steer {
    /// The pattern as it is stored: it names operations.
    pub pattern: String,
    /// True if it may be sampled.
    pub is_sampled: bool,
}

encode_enum!(Command {
    0 Hello { version, serve };
    1 Know(restraint);
    2 Run(work);
});
encode_struct!(Restraint { samples, known });
encode_struct!(Steer { pattern, is_sampled });
