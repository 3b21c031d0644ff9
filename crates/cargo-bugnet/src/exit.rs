//! Exit codes, and the mistakes of the user that end a command.
//!
//! **Invariant:** each code has one meaning in all commands, the one in `--help` and the book.

use std::fmt;
use std::process::ExitCode;

/// The meanings of the codes, for `--help`.
pub(crate) const HELP: &str = "\
Exit codes:
  0  everything passed
  1  a property was refuted, or could not be tested; explore found bugs
  2  the command was not understood, or could not be carried out
  3  the tests, or the crate to explore, could not be built
  4  all properties passed, but other tests failed";

/// The meanings of the codes of `explore`, for its `--help`.
pub(crate) const EXPLORE: &str = "\
Exit codes:
  0  nothing was found
  1  bugs were found
  2  the command was not understood, or could not be carried out
  3  the crate could not be built";

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Success = 0,
    Refuted = 1,
    Mistake = 2,
    NotBuilt = 3,
    OtherTests = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// The tests could not be built; the compiler has said why.
#[derive(Debug)]
pub(crate) struct NotBuilt;

impl fmt::Display for NotBuilt {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("this could not be built; mend what the compiler says above")
    }
}

impl std::error::Error for NotBuilt {}

/// The code for an error that ended a command.
pub(crate) fn of_error(error: &anyhow::Error) -> Exit {
    if error.is::<NotBuilt>() { Exit::NotBuilt } else { Exit::Mistake }
}
