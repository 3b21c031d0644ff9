//! Commands: one file each.
//!
//! **Invariant:** a command returns how it ended; it never ends the process itself.

pub(crate) mod accept;
mod chosen;
pub(crate) mod explore;
pub(crate) mod harness;
pub(crate) mod init;
pub(crate) mod list;
pub(crate) mod regressions;
pub(crate) mod replay;
pub(crate) mod run;

use crate::arguments::Place;
use crate::binary::{self, Test};
use crate::package;
use anyhow::Result;

/// Builds the chosen packages and lists their tests.
fn tests(place: &Place) -> Result<Vec<Test>> {
    let mut tests = Vec::new();
    for binary in binary::build(place, &package::chosen(place)?)? {
        tests.extend(binary.tests()?);
    }
    Ok(tests)
}
