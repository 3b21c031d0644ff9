//! Reports: the only part of the library that prints.

pub(crate) mod show;
mod terminal;

pub(crate) use terminal::{failed, passed};

use crate::campaign::{Failed, Passed};

/// Ends a `#[test]`: one line if the property passed, the report and a failed test if not.
pub(crate) fn conclude(result: Result<Passed, Box<Failed>>) {
    match result {
        Ok(passed) => println!("{passed}"),
        Err(failed) => {
            eprintln!("{failed}");
            // The report has said everything: fail the test without the panic's own message.
            std::panic::resume_unwind(Box::new("property failed"));
        }
    }
}
