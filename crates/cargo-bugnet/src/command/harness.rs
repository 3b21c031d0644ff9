//! `cargo bugnet harness`: makes the harness of a crate, and says what it reaches.

use super::chosen;
use crate::arguments;
use crate::exit::Exit;
use crate::harness::{Coverage, Harness};
use crate::status::{self, Tone};
use anyhow::Result;
use std::time::Instant;

/// Makes a harness.
pub(crate) fn harness(arguments: &arguments::Harness) -> Result<Exit> {
    let choice = &arguments.crate_choice;
    let (subject, below) = chosen::subject(choice)?;
    let (features, extent) = (chosen::features(&choice.features), chosen::extent(choice));
    let start = Instant::now();
    status::progress("Reading", &format!("the API of {}", subject.name()));
    let harness = Harness::of(subject, features, extent, Coverage::possible(arguments.coverage), &below)?;
    let record = &harness.record;
    if arguments.list {
        for operation in &record.operations {
            anstream::println!("{operation}");
        }
    }
    if arguments.explain_unreached {
        for missed in &record.reach.missed {
            status::line(Tone::Bad, "not reached", &format!("{}: {}", missed.path, missed.reason));
        }
        for left_out in &record.reach.left_out {
            status::line(Tone::Plain, "left out", &format!("{}: {}", left_out.path, left_out.reason));
        }
    }
    let text = format!(
        "{} {}: functions {}, of trait impls {}, {} operations, {} rounds, {:.1} s\n{}",
        harness.crate_name,
        harness.version,
        record.reach.functions,
        record.reach.implemented,
        record.operations.len(),
        record.rounds,
        start.elapsed().as_secs_f64(),
        harness.folder.display(),
    );
    status::line(Tone::Good, "Built", &text);
    status::progress("Program", harness.executable.as_str());
    Ok(Exit::Success)
}
