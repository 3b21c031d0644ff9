//! The measurements behind every figure in Bugnet's documents: one subcommand per measurement.

mod challenge;
mod etna;

use clap::Parser;

#[derive(Debug, Parser)]
#[command(about)]
enum Measurement {
    /// The shrinking challenge: does a peer end at the known minimum, and at what cost?
    Challenge(challenge::Arguments),
    /// How many tests each peer needs to find ETNA's mutants
    Etna(etna::Etna),
}

fn main() -> anyhow::Result<()> {
    match Measurement::parse() {
        Measurement::Challenge(arguments) => challenge::run(arguments),
        Measurement::Etna(etna) => etna.run(),
    }
}
