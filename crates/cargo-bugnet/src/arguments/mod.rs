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

/// Finds bugs in Rust code that nobody wrote a test for, and reports each once.
#[derive(Debug, Parser)]
// On a wide screen lines of a hundred columns read best; on a narrow one they are as wide as it is.
#[command(name = "cargo bugnet", bin_name = "cargo bugnet", version, max_term_width = 100, after_help = exit::HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find the bugs of a library crate by calling its functions; nothing has to be written
    #[command(after_help = exit::EXPLORE)]
    Explore(Explore),
    /// Check your `#[law]`s with values that calls of the crate make
    #[command(after_help = exit::CHECK)]
    Check(Box<Check>),
    /// Run the properties and machines, and the other tests beside them
    #[command(after_help = exit::HELP)]
    Run(Run),
    /// Find the changes of a library or C program that its tests do not notice
    #[command(after_help = exit::VARIANTS)]
    Variants(Variants),
    /// Decide what `variants` asks; each yes writes a test
    #[command(after_help = exit::VARIANTS)]
    Review(Review),
    /// Test any programs with inputs of any generator, leaving features out
    #[command(after_help = exit::SWARM, args_conflicts_with_subcommands = true)]
    Swarm(Swarm),
    /// Write what a campaign found, and why its tests failed, as an HTML page
    Report(Report),
    /// Keep a bug that was found in `bugnet-known.toml`, and steer around it
    Accept(Accept),
    /// Run one property on one case, as a report names it
    #[command(after_help = exit::HELP)]
    Replay(Replay),
    /// Print the names of the properties, one per line
    List(List),
    /// Print the cases that are kept in `bugnet-regressions`
    Regressions(Regressions),
    /// Write a `bugnet.toml` with the usual settings
    Init(Init),
    /// Make the harness of a crate, and say what it can call
    Harness(Harness),
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
