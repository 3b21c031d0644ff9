//! Reports: the only part of the library that prints.

pub(crate) mod show;
mod terminal;

pub(crate) use terminal::{failed, passed};

use crate::campaign::{Failed, Passed};
use std::io::Write;

/// Ends a `#[test]`: one line if the property passed, the report and a failed test if not.
pub(crate) fn conclude(result: Result<Passed, Box<Failed>>) {
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
