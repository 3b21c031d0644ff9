//! The measurements behind every figure in Bugnet's documents: one subcommand per measurement.

mod challenge;

use clap::Parser;

#[derive(Debug, Parser)]
#[command(about, version)]
enum Measurement {}

fn main() -> anyhow::Result<()> {
    match Measurement::parse() {}
}
