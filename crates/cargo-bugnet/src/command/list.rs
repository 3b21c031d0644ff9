//! `cargo bugnet list`: the names of the properties.
//!
//! **Invariant:** the names are those that `run`, `replay` and the regression files use.

use super::tests;
use crate::arguments::List;
use crate::exit::Exit;
use anyhow::Result;

/// Prints the names, one per line.
pub(crate) fn list(arguments: &List) -> Result<Exit> {
    for test in tests(&arguments.place)?.iter().filter(|test| test.is_property) {
        anstream::println!("{}", test.full_name());
    }
    Ok(Exit::Success)
}
