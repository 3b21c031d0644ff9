//! Reports: the only part of the library that prints.
//!
//! **Invariant:** what is printed is a function of the outcome.

mod terminal;

use crate::campaign::{Failed, Passed, Property, Reason, tell_outcome};
use crate::case::Test;
use crate::oracle::{Caught, catch};
use crate::program::{Programs, Suite};
use crate::random::Seed;
use crate::wire::{Outcome, OutcomeKind};
use std::fmt;
use std::io::Write;

impl fmt::Display for Passed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&terminal::passed(self))
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&terminal::failed(self))
    }
}

impl Property<'_> {
    /// Tests a property inside a `#[test]`: prints the report, and panics if it failed.
    #[doc(hidden)]
    pub fn test(self, test: &dyn Test) {
        conclude(self.run(test));
    }

    /// Tests the programs of a suite inside a `#[test]`. A suite that cannot work is reported as any
    /// other mistake.
    #[doc(hidden)]
    pub fn test_suite(self, suite: impl FnOnce() -> Suite) {
        match catch(|| Programs::new(suite())) {
            Ok(programs) => self.test(&programs),
            Err(Caught::Misused(problem)) => {
                let blank = Failed::blank(&self.name, Seed(0));
                conclude(Err(Box::new(Failed { reason: Reason::Misused(problem), ..blank })));
            }
            Err(_) => unreachable!("a suite is built without calling anything"),
        }
    }
}

/// The outcome as whoever has started this process hears it.
fn outcome(result: &Result<Passed, Box<Failed>>) -> Outcome {
    let (name, kind, report) = match result {
        Ok(passed) => (&passed.name, OutcomeKind::Passed, terminal::tested(passed)),
        Err(failed) => {
            let kind = match &failed.reason {
                Reason::Refuted(_) => OutcomeKind::Refuted,
                Reason::Flaky { .. } => OutcomeKind::Flaky,
                Reason::GaveUp { .. } => OutcomeKind::GaveUp,
                Reason::Uncovered { .. } => OutcomeKind::NotCovered,
                Reason::Fixed(_) => OutcomeKind::Fixed,
                Reason::Misused(_) => OutcomeKind::NotTested,
            };
            (&failed.name, kind, failed.to_string().trim_end().to_string())
        }
    };
    Outcome { name: name.clone(), kind, report }
}

/// Ends a `#[test]`: one line if the property passed, the report and a failed test if not.
fn conclude(result: Result<Passed, Box<Failed>>) {
    tell_outcome(|| outcome(&result));
    match result {
        Ok(passed) => {
            if let Some(line) = terminal::mended(&passed) {
                // Not by a macro: what a test that passes prints by one is never seen.
                let _ = writeln!(std::io::stderr(), "{line}");
            }
            println!("{passed}");
        }
        Err(failed) => {
            eprintln!("{failed}");
            // The report has said everything: fail the test without the panic's own message.
            std::panic::resume_unwind(Box::new("property failed"));
        }
    }
}
