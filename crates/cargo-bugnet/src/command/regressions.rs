//! `cargo bugnet regressions`: the cases that are kept, and the properties that are gone.
//!
//! **Invariant:** the cases are shown even if the tests cannot be built.

use crate::arguments::Regressions;
use crate::exit::{Exit, NotBuilt};
use crate::package;
use crate::status::{self, Tone};
use crate::test::binary;
use crate::test::kept::{self, Case, Kept};
use anyhow::Result;
use cargo_metadata::Package;
use std::collections::BTreeSet;

/// The kept cases of one property, with all that is known about it.
#[derive(Debug, serde::Serialize)]
struct Entry {
    package: String,
    property: String,
    /// True if a test of that name still exists; `None` if the tests could not be built.
    exists: Option<bool>,
    cases: Vec<Case>,
}

/// Prints the kept cases.
pub(crate) fn regressions(arguments: &Regressions) -> Result<Exit> {
    let mut kept = Vec::new();
    for package in package::chosen(&arguments.place)? {
        let all = kept::read(package::folder(&package).as_std_path())?;
        kept.push((package, all));
    }
    kept.retain(|(_, all)| !all.is_empty());
    let mut entries = Vec::new();
    for (package, all) in kept {
        let names = names(arguments, &package)?;
        let entry = |Kept { property, cases }| {
            let exists = names.as_ref().map(|names| names.contains(&property));
            Entry { package: package.name.to_string(), property, exists, cases }
        };
        entries.extend(all.into_iter().map(entry));
    }
    if arguments.json {
        anstream::println!("{}", serde_json::to_string_pretty(&entries)?);
    } else if entries.is_empty() {
        status::progress("Finished", "no cases are kept");
    } else {
        entries.iter().for_each(show);
    }
    Ok(Exit::Success)
}

/// The full names of all tests of a package, ignored ones as well.
fn names(arguments: &Regressions, package: &Package) -> Result<Option<BTreeSet<String>>> {
    let binaries = match binary::build(&arguments.place, std::slice::from_ref(package)) {
        Ok(binaries) => binaries,
        Err(error) if error.is::<NotBuilt>() => {
            status::warning("the tests could not be built, so it is not known which properties still exist");
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    let mut names = BTreeSet::new();
    for binary in binaries {
        names.extend(binary.full_names()?);
    }
    Ok(Some(names))
}

fn show(entry: &Entry) {
    let count = match entry.cases.len() {
        1 => "1 case".to_string(),
        count => format!("{count} cases"),
    };
    let mut text = format!("{}: {count}", entry.property);
    if let Some(first) = entry.cases.first() {
        text.extend(first.input.iter().map(|line| format!("\n{line}")));
    }
    if entry.exists == Some(false) {
        text.push_str("\nNo property has this name now: rename the file with it, or delete the file.");
        status::line(Tone::Bad, "Gone", &text);
    } else {
        status::line(Tone::Plain, "Kept", &text);
    }
}
