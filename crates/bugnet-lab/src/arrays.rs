//! The number of rows of covering arrays, and the cost of computing them.
//!
//! ```console
//! $ cargo run -p bugnet-lab -- arrays
//! ```
//!
//! In the profile that users test in, which does not optimize.

use std::time::Instant;

use bugnet::swarm::{Feature, Ways, covering};
use clap::Args;

#[derive(Debug, Args)]
pub struct Arguments {
    /// Numbers of features
    #[arg(long, value_delimiter = ',', default_values_t = [10, 23, 37])]
    features: Vec<usize>,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    println!("| features | at a time | rows | seconds |");
    println!("|---|---|---|---|");
    for count in &arguments.features {
        let features: Vec<Feature> =
            (0..*count).map(|number| Feature::named(&format!("feature {number}"))).collect();
        for ways in [Ways::Two, Ways::Three, Ways::Four, Ways::Five] {
            let begin = Instant::now();
            let rows = covering(&features, ways).len();
            println!("| {count} | {ways} | {rows} | {:.3} |", begin.elapsed().as_secs_f64());
        }
    }
    Ok(())
}
