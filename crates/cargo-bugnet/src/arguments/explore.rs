//! `explore`, `check` and `harness`: the options of all that runs a harness, or makes one.

use super::value::{duration, law, programs};
use super::{CrateChoice, Switch};
use clap::Args;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct Explore {
    /// Explore for this long, such as 30s or 10m; building and reducing come on top [default: 1m]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time: Option<Duration>,
    #[command(flatten)]
    pub(crate) search: Search,
    /// The way in which programs are chosen
    #[arg(long, value_name = "WAY", value_enum, default_value_t = Strategies::All)]
    pub(crate) strategies: Strategies,
    /// Switch a law off, everywhere or for one type: `name=off`, `name of Type=off`
    #[arg(long = "law", value_name = "LAW=off", value_parser = law)]
    pub(crate) laws: Vec<String>,
    /// Run the program of a bug of the last run again, by its name or by its tape
    #[arg(long, value_name = "BUG")]
    pub(crate) replay: Option<String>,
    /// The same as `cargo bugnet accept BUG`
    #[arg(long, value_name = "BUG", conflicts_with = "replay", hide = true)]
    pub(crate) accept: Option<String>,
    #[command(flatten)]
    pub(crate) shown: Shown,
    #[command(flatten)]
    pub(crate) crate_choice: CrateChoice,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// A file that states laws, or a folder of such files [default: the tests of the package that state any]
    #[arg(long, value_name = "FILE")]
    pub(crate) laws: Vec<PathBuf>,
    /// Check for this long, such as 30s or 10m; building and reducing come on top [default: until each law was checked
    /// 10,000 times or as often as its `cases` say, and 30s at most]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time: Option<Duration>,
    #[command(flatten)]
    pub(crate) search: Search,
    /// Show which operations make and change the values of the laws
    #[arg(long)]
    pub(crate) explain: bool,
    /// Run the program of a failure of the last run again, by its name or by its tape
    #[arg(long, value_name = "BUG")]
    pub(crate) replay: Option<String>,
    #[command(flatten)]
    pub(crate) shown: Shown,
    #[command(flatten)]
    pub(crate) crate_choice: CrateChoice,
}

/// The options about how programs are drawn and run, which `explore` and `check` share.
#[derive(Debug, Args)]
pub(crate) struct Search {
    /// The number of programs to run: the same seed finds the same, whatever else the machine does. Without `--time`
    /// as well, no clock ends the run
    #[arg(long, value_name = "N", value_parser = programs)]
    pub(crate) programs: Option<u64>,
    /// The seed of the programs
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub(crate) seed: u64,
    /// The number of processes that run at a time [default: one per core]
    #[arg(long, short, value_name = "N")]
    pub(crate) jobs: Option<std::num::NonZeroUsize>,
    /// Prefer programs that reach new code
    #[arg(long, value_name = "SWITCH", value_enum, default_value_t = Switch::On)]
    pub(crate) coverage: Switch,
    /// Do not call an operation, or those whose names begin so
    #[arg(long, value_name = "OPERATION")]
    pub(crate) skip: Vec<String>,
    /// Begin anew, where a run was killed before it could show what it found
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Go on where the system denies the code under test neither files nor signals
    #[arg(long)]
    pub(crate) unconfined: bool,
}

/// The ways in which the programs of a run are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Strategies {
    /// By all that helps: small and extreme literals, what was new before, the code that is reached
    All,
    /// Programs that reached a new state are varied
    Feedback,
    /// Any calls, one as likely as another
    Random,
}

impl fmt::Display for Strategies {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Strategies::All => "all",
            Strategies::Feedback => "feedback",
            Strategies::Random => "random",
        })
    }
}

/// The parts of a report that are shown, and the files it is written to.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reports")]
pub(crate) struct Shown {
    /// Show also what is probably a wrong use: panics that are documented, or that blame the caller
    #[arg(long)]
    pub(crate) show_suspects: bool,
    /// Show also what was taken for one bug, and why
    #[arg(long)]
    pub(crate) show_merged: bool,
    /// Show which functions are not called, and why
    #[arg(long)]
    pub(crate) explain_unreached: bool,
    /// Write the tests of the bugs to FOLDER, or to `tests`
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, require_equals = true, default_missing_value = "tests")]
    pub(crate) write_tests: Option<PathBuf>,
    /// Write the report as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Write the report as JUnit
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Write the report as SARIF
    #[arg(long, value_name = "FILE")]
    pub(crate) sarif: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Harness {
    #[command(flatten)]
    pub(crate) crate_choice: CrateChoice,
    /// Have the code under test count what is reached
    #[arg(long, value_name = "SWITCH", value_enum, default_value_t = Switch::On)]
    pub(crate) coverage: Switch,
    /// Print the operations
    #[arg(long)]
    pub(crate) list: bool,
    /// Print what is not called, and why
    #[arg(long)]
    pub(crate) explain_unreached: bool,
}
