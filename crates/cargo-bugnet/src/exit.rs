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
  4  all properties passed, but other tests failed
  5  nothing was tested, or Bugnet itself failed
  130  interrupted";

/// The meanings of the codes of `explore`, for its `--help`.
pub(crate) const EXPLORE: &str = "\
Exit codes:
  0  nothing was found
  1  bugs were found
  2  the command was not understood, or could not be carried out
  3  the crate could not be built
  5  nothing was tested, or Bugnet itself failed
  130  interrupted before anything was explored, or three times";

/// The meanings of the codes of `check`, for its `--help`.
pub(crate) const CHECK: &str = "\
Exit codes:
  0  every law was checked and held
  1  a law failed
  2  the command was not understood, or could not be carried out
  3  the crate or a file of laws could not be built
  5  a law was not checked, or Bugnet itself failed
  130  interrupted before anything was checked, or three times";

/// The code of a command that was interrupted, as shells have it.
pub(crate) const INTERRUPTED: i32 = 130;

/// The meanings of the codes of `variants` and `review`, for their `--help`.
pub(crate) const VARIANTS: &str = "\
Exit codes:
  0  every mutant is noticed, nothing is left to decide, or two builds do the same
  1  some mutants are not noticed, questions are open, or two builds differ
  2  the command was not understood, or could not be carried out
  3  the crate or its tests could not be built";

/// The meanings of the codes of `swarm`, for its `--help`.
pub(crate) const SWARM: &str = "\
Exit codes:
  0  nothing failed that is not known
  1  failures were found
  2  the command or the file was not understood, or could not be carried out
  3  the generator or a target could not be run, or nearly every input was rejected";

/// The end of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Success = 0,
    Refuted = 1,
    Mistake = 2,
    NotBuilt = 3,
    OtherTests = 4,
    Nothing = 5,
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

/// A program that a command needs could not be run, or did nothing useful; the text says which and what to do.
#[derive(Debug)]
pub(crate) struct NotRun(pub(crate) String);

impl fmt::Display for NotRun {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for NotRun {}

/// Nothing was tested, or Bugnet itself failed, so that nothing can be said of the code under test.
#[derive(Debug)]
pub(crate) struct Nothing(pub(crate) String);

impl fmt::Display for Nothing {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for Nothing {}

/// The code for an error that ended a command.
pub(crate) fn of_error(error: &anyhow::Error) -> Exit {
    if error.is::<NotBuilt>() || error.chain().any(|cause| cause.is::<NotRun>()) {
        Exit::NotBuilt
    } else if error.is::<Nothing>() {
        Exit::Nothing
    } else {
        Exit::Mistake
    }
}
