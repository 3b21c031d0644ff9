//! Abuse: what hostile code attempts, and what becomes of it; and what confining costs.
//!
//! **Invariant:** what is attempted harms nobody where nothing is denied.

mod attempt;
mod crates;
mod start;

use anyhow::{Context, bail};
use std::path::PathBuf;
use std::process::Command;

/// The command that is attacked.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The command, built before
    #[arg(long, default_value = "target/release/cargo-bugnet")]
    command: PathBuf,
    /// Starts of a process each way, to measure the cost of confining
    #[arg(long, default_value_t = 200)]
    starts: usize,
    /// Leaves out the hostile crates, each of which is built and explored
    #[arg(long)]
    no_crates: bool,
}

/// Prints the tables.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let command = arguments.command.canonicalize().with_context(|| {
        format!("{} is not there; run `cargo build --release -p cargo-bugnet`", arguments.command.display())
    })?;
    if !cfg!(target_os = "linux") {
        bail!("code under test is confined on Linux only");
    }
    let folder = std::env::temp_dir().join(format!("bugnet-abuse-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let result = attempt::run(&command, &folder).and_then(|()| {
        if !arguments.no_crates {
            crates::run(&command, &folder)?;
        }
        start::run(&command, &folder, arguments.starts)
    });
    let _ = std::fs::remove_dir_all(&folder);
    result
}

/// Returns the output of a command, and its exit code.
fn said(command: &mut Command) -> anyhow::Result<(String, Option<i32>)> {
    let output = command.output().context("the command cannot be started")?;
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    Ok((text, output.status.code()))
}
