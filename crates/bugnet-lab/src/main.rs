//! The measurements behind every figure in Bugnet's documents, one subcommand per experiment.

mod build_cost;
mod throughput;

use clap::Parser;

#[derive(Debug, Parser)]
#[command(about = "Measures Bugnet beside its peers")]
enum Experiment {
    /// What one test case costs, in instructions and in processor time
    Throughput(throughput::Arguments),
    /// Runs one contender on one shape, for `throughput` to count
    #[command(hide = true)]
    ThroughputCase(throughput::case::Arguments),
    /// What adding each library to a crate costs to build
    BuildCost(build_cost::Arguments),
}

fn main() -> anyhow::Result<()> {
    match Experiment::parse() {
        Experiment::Throughput(arguments) => throughput::run(&arguments),
        Experiment::ThroughputCase(arguments) => throughput::case::run(&arguments),
        Experiment::BuildCost(arguments) => build_cost::run(&arguments),
    }
}
