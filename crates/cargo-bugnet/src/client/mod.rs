//! The client: questions to a harness, each asked of a process of its own.
//!
//! **Invariant:** an answer is what the harness said; nothing here judges it.

mod asked;
mod generalize;
pub(crate) mod limit;
mod program;
mod reduce;
mod replay;
mod variant;

use crate::confine::{self, Limits, Role};
use crate::exit::Nothing;
use crate::finding::Cause;
use anyhow::{Context, Result};
use bugnet::choice::Tape;
use bugnet::wire::explore::{Command, Ending, Manner, Restraint};
use bugnet_process::{Process, Start, Talk};
use std::path::Path;
use std::time::Duration;

use asked::Answer;
pub(crate) use asked::{Asked, Next};
pub(crate) use bugnet_process::patience::PROGRAM as PATIENCE;

/// Whom questions are asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Client<'a> {
    /// The program of the harness.
    pub(crate) binary: &'a Path,
    /// The folder in which each of its processes gets a scratch folder, the only place where it may write.
    pub(crate) folder: &'a Path,
}

impl Client<'_> {
    /// Asks a question without steering around anything.
    fn ask(self, question: Command, time: Duration) -> Result<Asked> {
        self.ask_with(question, Restraint::default(), time, Talk::Frames)
    }

    /// Asks a question that is answered at once.
    fn answer(self, question: Command) -> Result<Answer> {
        understood(self.ask(question, PATIENCE)?.finish(PATIENCE))
    }

    /// Starts the harness and asks it; no process of it may use the processor for longer than `time`.
    pub(crate) fn ask_with(
        self,
        question: Command,
        restraint: Restraint,
        time: Duration,
        talk: Talk,
    ) -> Result<Asked> {
        let limits = Limits::harness(time, role(&question));
        let start = Start { talk, ..confine::limited(self.binary, self.folder, limits)? };
        let process = Process::start(&start);
        let process = process.with_context(|| format!("{} cannot be started", self.binary.display()))?;
        Ok(Asked::new(process, restraint, question))
    }
}

/// Refuses the answer of a harness that did not understand the question: it was built of other sources than this
/// command, which look for its libraries where they were built themselves.
fn understood(answer: Answer) -> Result<Answer> {
    let Some(Ending::Misused(why)) = &answer.ending else { return Ok(answer) };
    let what =
        format!("the harness and this command do not understand each other: {why}; build cargo-bugnet again");
    Err(Nothing(what).into())
}

/// Returns what the process that answers does: it starts others where programs are tried apart.
fn role(question: &Command) -> Role {
    match question {
        Command::Reduce(task) | Command::Generalize(task) if matches!(task.manner, Manner::Apart { .. }) => {
            Role::Supervisor
        }
        _ => Role::Alone,
    }
}

/// Reads the tape of a program.
fn read(tape: &str) -> Result<Tape> {
    tape.parse().ok().with_context(|| format!("`{tape}` is no program"))
}

/// Returns the place in which programs are tried that may fail of a cause: deadly ones in processes of their own.
pub(crate) fn manner(cause: Cause) -> Manner {
    match cause {
        Cause::Death => Manner::Apart { hangs: false, is_rough: false },
        Cause::Hang => Manner::Apart { hangs: true, is_rough: false },
        _ => Manner::Beside,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::{self, Exit};
    use bugnet_process::{End, How};

    #[test]
    fn a_harness_of_another_version_is_named_as_what_failed() {
        let end = || End { how: How::Exited(0), said: String::new() };
        let answer = |ending| Answer { events: Vec::new(), ending: Some(ending), end: end(), journal: None };
        assert!(understood(answer(Ending::Done)).is_ok());
        let other = "it speaks version 8 of the wire, and was asked in version 7".to_string();
        let refused = understood(answer(Ending::Misused(other.clone()))).unwrap_err();
        assert_eq!(exit::of_error(&refused), Exit::Nothing);
        let said = refused.to_string();
        assert!(said.contains(&other) && said.ends_with("build cargo-bugnet again"), "{said}");
    }
}
