//! Commands: one file each.
//!
//! **Invariant:** a command returns how it ended; it never ends the process itself.

pub(crate) mod accept;
mod against;
mod aim;
pub(crate) mod check;
mod chosen;
pub(crate) mod explore;
pub(crate) mod harness;
pub(crate) mod init;
pub(crate) mod list;
pub(crate) mod program;
pub(crate) mod regressions;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod review;
pub(crate) mod run;
pub(crate) mod swarm;
pub(crate) mod variants;

use crate::arguments::Place;
use crate::package;
use crate::test::binary::{self, Test};
use anyhow::Result;

/// Builds the chosen packages and lists their tests.
fn tests(place: &Place) -> Result<Vec<Test>> {
    let mut tests = Vec::new();
    for binary in binary::build(place, &package::chosen(place)?)? {
        tests.extend(binary.tests()?);
    }
    Ok(tests)
}
