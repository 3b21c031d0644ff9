//! `swarm` and `report`: the options of campaigns over any programs.

use super::value::{duration, tests};
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct Swarm {
    #[command(subcommand)]
    pub(crate) action: Option<SwarmAction>,
    /// The file that names the generator, its features and the programs under test
    #[arg(value_name = "FILE", default_value = "swarm.toml")]
    pub(crate) file: PathBuf,
    /// Test for this long, such as 30s or 10m; reducing comes on top. With `--compare`, the processor time of each
    /// scheme [default: 1m]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time: Option<Duration>,
    /// The number of tests to run: the same seed finds the same, whatever else the machine does. Without `--time` as
    /// well, no clock ends the run
    #[arg(long, value_name = "N", value_parser = tests)]
    pub(crate) tests: Option<u64>,
    /// The seed of the tests
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub(crate) seed: u64,
    /// The scheme by which features are left out: `mix`, `all`, `coin`, `uniform`, `set:N`, `covering:K`
    #[arg(long, value_name = "SCHEME", default_value = "mix")]
    pub(crate) swarm: bugnet::swarm::Scheme,
    /// Run several schemes in turns with equal processor time or equal tests, and compare what they find
    #[arg(long, value_name = "SCHEMES", value_delimiter = ',', conflicts_with_all = ["swarm", "replay"])]
    pub(crate) compare: Vec<bugnet::swarm::Scheme>,
    /// The number of blocks that a comparison is divided into; its significance is computed over them
    #[arg(long, value_name = "N", default_value = "8", requires = "compare")]
    pub(crate) blocks: std::num::NonZeroU32,
    /// The number of processes that run at a time [default: one per core]
    #[arg(long, short, value_name = "N")]
    pub(crate) jobs: Option<std::num::NonZeroUsize>,
    /// Begin anew instead of going on where the last run ended
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Leave failing inputs as they are
    #[arg(long)]
    pub(crate) no_reduce: bool,
    /// Run the target of a failure on its input again, by the number or the name of the failure
    #[arg(long, value_name = "FAILURE")]
    pub(crate) replay: Option<String>,
    /// Write the report as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SwarmAction {
    /// Write a commented file to start from, for the generators that are installed
    Init {
        /// The file to write
        #[arg(value_name = "FILE", default_value = "swarm.toml")]
        file: PathBuf,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Report {
    /// The name of the campaign: that of its file, without the extension [default: the latest]
    #[arg(value_name = "CAMPAIGN", conflicts_with = "from")]
    pub(crate) campaign: Option<String>,
    /// The JSON report of a campaign, instead of the store in `.bugnet`
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<PathBuf>,
    /// The page
    #[arg(long, short, value_name = "FILE", default_value = ".bugnet/report.html")]
    pub(crate) output: PathBuf,
    /// Show it in the browser
    #[arg(long)]
    pub(crate) open: bool,
}
