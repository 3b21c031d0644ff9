//! The command line: `mod.rs` has the commands, and each file the options of some that belong together.
//!
//! **Invariant:** a setting is checked here by the parser of the library, so that a wrong one is
//! refused before anything is built. What several commands share is one block, so that it reads alike everywhere.

mod explore;
mod package;
mod run;
mod swarm;
mod value;
mod variants;

pub(crate) use explore::{Check, Explore, Harness, Shown, Strategies};
pub(crate) use package::{CrateChoice, Features, LibraryChoice, Package, Place};
pub(crate) use run::{Accept, Init, List, Regressions, Replay, Run};
pub(crate) use swarm::{Report, Swarm, SwarmAction};
pub(crate) use variants::{Operators, Review, Variants};

use crate::exit;
use clap::{Parser, Subcommand};

/// Property testing for Rust: runs, lists and replays the properties of a crate.
#[derive(Debug, Parser)]
#[command(name = "cargo bugnet", bin_name = "cargo bugnet", version, after_help = exit::HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Call what a crate lets its users call, and print its bugs as tests; nothing has to be written
    #[command(after_help = exit::EXPLORE)]
    Explore(Explore),
    /// Check what `#[law]` says of a crate, with values that calls of the crate make
    #[command(after_help = exit::CHECK)]
    Check(Box<Check>),
    /// Test any programs with inputs of any generator, leaving out some features in each test
    #[command(after_help = exit::SWARM, args_conflicts_with_subcommands = true)]
    Swarm(Swarm),
    /// Test the properties, and the other tests beside them
    #[command(after_help = exit::HELP)]
    Run(Run),
    /// Print the names of the properties, one per line
    List(List),
    /// Run one property on one case, as a report names it
    #[command(after_help = exit::HELP)]
    Replay(Replay),
    /// Print the cases that are kept in `bugnet-regressions`
    Regressions(Regressions),
    /// Take a bug of the last run or exploration into `bugnet-known.toml`, to steer around it
    Accept(Accept),
    /// Write what a campaign found, and why its tests failed, as one HTML page
    Report(Report),
    /// Write a `bugnet.toml` with the usual settings
    Init(Init),
    /// Make the harness with which a crate is explored, and say what it reaches
    Harness(Harness),
    /// Find the changes of a library that its tests do not notice
    #[command(after_help = exit::VARIANTS)]
    Variants(Variants),
    /// Decide whether what a library does on inputs that its tests lack is right; yes writes a test
    #[command(after_help = exit::VARIANTS)]
    Review(Review),
}

/// On or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Switch {
    On,
    Off,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }

    #[test]
    fn settings_become_the_variables_of_the_library() {
        let words = ["cargo bugnet", "run", "--time", "2m", "--isolate", "--seed=7", "name"];
        let Command::Run(run) = Arguments::parse_from(words).command else { panic!("not run") };
        let expected = [("BUGNET_TIME", "2m"), ("BUGNET_SEED", "7"), ("BUGNET_ISOLATE", "on")];
        assert_eq!(run.settings.variables(), expected.map(|(name, value)| (name, value.to_string())));
        assert_eq!(run.filters, ["name"]);
    }
}
