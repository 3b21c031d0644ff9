//! The laboratory: every figure in Bugnet's documents is printed by one of these subcommands.

mod etna;

use clap::Parser;

#[derive(Parser)]
#[command(about = "Measures Bugnet beside its peers")]
enum Lab {
    /// How many tests each peer needs to find ETNA's mutants
    Etna(etna::Etna),
}

fn main() -> anyhow::Result<()> {
    match Lab::parse() {
        Lab::Etna(etna) => etna.run(),
    }
}
