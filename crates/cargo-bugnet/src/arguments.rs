//! What can be written on the command line.
//!
//! **Invariant:** a setting is checked here by the parser of the library, so that a wrong one is
//! refused before anything is built.

use crate::exit;
use bugnet::campaign::{Options, Span};
use bugnet::choice::Tape;
use clap::builder::ValueParser;
use clap::{Args, Parser, Subcommand};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

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
    /// Take a bug of the last run into `bugnet-known.toml`, to steer around it
    Accept(Accept),
    /// Write a `bugnet.toml` with the usual settings
    Init(Init),
    /// Make the harness with which a crate is explored, and say what it reaches
    Harness(Harness),
}

#[derive(Debug, Args)]
pub(crate) struct Explore {
    /// How long to explore, such as 30s or 10m; building and reducing come on top
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = duration)]
    pub(crate) time: Duration,
    /// The seed of the programs
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub(crate) seed: u64,
    /// How many processes to run at a time [default: one per core]
    #[arg(long, short, value_name = "N")]
    pub(crate) jobs: Option<std::num::NonZeroUsize>,
    /// Whether to choose programs by what code they reach
    #[arg(long, value_name = "WHETHER", value_enum, default_value_t = Switch::On)]
    pub(crate) coverage: Switch,
    /// How programs are chosen
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Strategies::All)]
    pub(crate) strategies: Strategies,
    /// Switch a law off, everywhere or for one type: `name=off`, `name of Type=off`
    #[arg(long = "law", value_name = "LAW=off", value_parser = law)]
    pub(crate) laws: Vec<String>,
    /// Do not call an operation, or those whose names begin so
    #[arg(long, value_name = "OPERATION")]
    pub(crate) skip: Vec<String>,
    /// Run the program of a bug of the last run again, by its name or by its tape
    #[arg(long, value_name = "BUG")]
    pub(crate) replay: Option<String>,
    /// Take a bug of the last run into `bugnet-explore.toml`: it is known, and not shown any more
    #[arg(long, value_name = "BUG", conflicts_with = "replay")]
    pub(crate) accept: Option<String>,
    /// A harness that is built already, by its folder
    #[arg(long, value_name = "FOLDER", hide = true)]
    pub(crate) harness: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) shown: Shown,
    #[command(flatten)]
    pub(crate) subject: Subject,
}

/// On or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Switch {
    On,
    Off,
}

/// How the programs of a run are chosen.
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

/// What of a run is shown, and where.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reports")]
pub(crate) struct Shown {
    /// Show also what is probably a wrong use: panics that are documented, or that blame the caller
    #[arg(long)]
    pub(crate) show_suspects: bool,
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

/// Which crate is explored.
#[derive(Debug, Args)]
#[command(next_help_heading = "Crate")]
pub(crate) struct Subject {
    /// A published crate, such as `semver@1.0.27` [default: the package here]
    #[arg(long = "crate", value_name = "NAME@VERSION", conflicts_with_all = ["package", "manifest_path"])]
    pub(crate) published: Option<String>,
    /// The package of the workspace
    #[arg(long, short, value_name = "PACKAGE")]
    pub(crate) package: Option<String>,
    /// The `Cargo.toml` of the workspace or package [default: the nearest one]
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
    /// Features of the crate to switch on
    #[arg(long, short = 'F', value_name = "FEATURES", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
    /// Switch all features of the crate on
    #[arg(long)]
    pub(crate) all_features: bool,
    /// Leave the default features of the crate off
    #[arg(long)]
    pub(crate) no_default_features: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Run {
    /// Run only tests whose name, with its crate and modules, contains one of these
    #[arg(value_name = "FILTER")]
    pub(crate) filters: Vec<String>,
    /// How many tests to run at a time [default: one per core]
    #[arg(long, short, value_name = "N")]
    pub(crate) jobs: Option<std::num::NonZeroUsize>,
    #[command(flatten)]
    pub(crate) settings: Settings,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// The property: its name, with as many modules before it as tell it apart
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// The case, copied from a report or a regression file
    #[arg(value_name = "TOKEN", value_parser = case())]
    pub(crate) token: String,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, Args)]
pub(crate) struct Regressions {
    /// Print JSON: an array of one object per property
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, Args)]
pub(crate) struct Accept {
    /// The bug, by the two words that the report names it with
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, Args)]
pub(crate) struct Init {
    /// The `Cargo.toml` of the workspace or package [default: the nearest one]
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Harness {
    #[command(flatten)]
    pub(crate) subject: Subject,
    /// Whether the code under test counts what is reached
    #[arg(long, value_name = "WHETHER", value_enum, default_value_t = Switch::On)]
    pub(crate) coverage: Switch,
    /// Print the operations
    #[arg(long)]
    pub(crate) list: bool,
    /// Print what is not called, and why
    #[arg(long)]
    pub(crate) explain_unreached: bool,
}

/// Which packages, and how they are built.
#[derive(Debug, Args, Default)]
#[command(next_help_heading = "Packages")]
pub(crate) struct Place {
    /// The package to look at; can be given more than once [default: as `cargo test`]
    #[arg(long = "package", short, value_name = "PACKAGE")]
    pub(crate) packages: Vec<String>,
    /// All packages of the workspace
    #[arg(long, conflicts_with = "packages")]
    pub(crate) workspace: bool,
    /// The `Cargo.toml` of the workspace or package [default: the nearest one]
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
    /// Features of the packages to switch on
    #[arg(long, short = 'F', value_name = "FEATURES")]
    pub(crate) features: Vec<String>,
    /// Build with optimisations, which makes the tests faster and the build slower
    #[arg(long)]
    pub(crate) release: bool,
}

/// Settings of the search, which win over those in tests and in `bugnet.toml`.
#[derive(Debug, Args, Default)]
#[command(next_help_heading = "Settings")]
pub(crate) struct Settings {
    /// How many cases of each property to run
    #[arg(long, value_name = "N", value_parser = setting("cases"), conflicts_with = "time")]
    cases: Option<String>,
    /// How long to search for a case that refutes a property, such as 10s or 2m
    #[arg(long, value_name = "TIME", value_parser = setting("time"))]
    time: Option<String>,
    /// The seed of the random cases: a number, `fixed` or `fresh`
    #[arg(long, value_name = "SEED", value_parser = setting("seed"))]
    seed: Option<String>,
    /// The greatest depth of exhaustive search
    #[arg(long, value_name = "DEPTH", value_parser = setting("depth"))]
    depth: Option<String>,
    /// How to search: `random`, `exhaustive` or `both`; for programs also `feedback`
    #[arg(long, value_name = "HOW", value_parser = setting("strategies"))]
    strategies: Option<String>,
    /// Run the cases in child processes; a case that takes longer than TIME there hangs
    #[arg(long, value_name = "TIME", value_parser = setting("isolate"),
          num_args = 0..=1, require_equals = true, default_missing_value = "on")]
    isolate: Option<String>,
    /// How many calls a random program of a machine has
    #[arg(long, value_name = "N", value_parser = setting("steps"))]
    steps: Option<String>,
    /// Which rules programs leave out: `mix`, `all`, `coin`, `uniform`, `weighted`, `set:N`, `covering:K`
    #[arg(long, value_name = "SCHEME", value_parser = setting("swarm"))]
    swarm: Option<String>,
    /// Write failing programs as tests, to FOLDER or to `tests/bugnet`
    #[arg(long, value_name = "FOLDER", value_parser = setting("write"),
          num_args = 0..=1, require_equals = true, default_missing_value = "on")]
    write: Option<String>,
    /// Which bugs to report: the `first`, `more` that are found soon after it, or `all`
    #[arg(long, value_name = "WHICH", value_parser = setting("bugs"))]
    bugs: Option<String>,
    /// Run nothing but the programs and inputs of `bugnet-known.toml`
    #[arg(long)]
    only_known: bool,
    /// Leave `bugnet-known.toml` alone, so that its bugs are found again
    #[arg(long, conflicts_with = "only_known")]
    no_known: bool,
    /// Fail if a bug of `bugnet-known.toml` is there no more
    #[arg(long)]
    deny_fixed: bool,
    /// The profile of `bugnet.toml` to take
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Option<String>,
}

impl Settings {
    /// The settings as the library reads them from its environment.
    pub(crate) fn variables(&self) -> Vec<(&'static str, String)> {
        let Settings { cases, time, seed, depth, strategies, isolate, steps, swarm, write, .. } = self;
        let Settings { bugs, only_known, no_known, deny_fixed, profile, .. } = self;
        let known = match (only_known, no_known) {
            (true, _) => Some("only".to_string()),
            (_, true) => Some("off".to_string()),
            _ => None,
        };
        let fixed = deny_fixed.then(|| "deny".to_string());
        let all = [
            ("BUGNET_CASES", cases),
            ("BUGNET_TIME", time),
            ("BUGNET_SEED", seed),
            ("BUGNET_DEPTH", depth),
            ("BUGNET_STRATEGIES", strategies),
            ("BUGNET_ISOLATE", isolate),
            ("BUGNET_STEPS", steps),
            ("BUGNET_SWARM", swarm),
            ("BUGNET_WRITE", write),
            ("BUGNET_BUGS", bugs),
            ("BUGNET_KNOWN", &known),
            ("BUGNET_FIXED", &fixed),
            ("BUGNET_PROFILE", profile),
        ];
        all.into_iter().filter_map(|(name, value)| Some((name, value.clone()?))).collect()
    }
}

/// Accepts what the library accepts for a setting.
fn setting(key: &'static str) -> ValueParser {
    ValueParser::from(move |value: &str| -> Result<String, String> {
        Options::default().set(key, value)?;
        if key == "cases" && value.chars().all(|digit| digit == '0') {
            return Err("no cases would test nothing; give a number above zero".to_string());
        }
        Ok(value.to_string())
    })
}

/// Accepts a time, as the settings of the library do.
fn duration(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(Span(Duration::ZERO)) => Err("no time would find nothing; give a time above zero".to_string()),
        Ok(Span(time)) => Ok(time.min(LONGEST)),
        Err(problem) => Err(problem),
    }
}

/// As long as a process can be told to take: a month.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 3_600);

/// Accepts `law=off`.
fn law(text: &str) -> Result<String, String> {
    match text.strip_suffix("=off") {
        Some(law) if !law.is_empty() => Ok(law.to_string()),
        _ => Err("a law can only be switched off: write `--law name=off`".to_string()),
    }
}

/// Accepts what names a case.
fn case() -> ValueParser {
    ValueParser::from(|token: &str| match token.parse::<Tape>() {
        Ok(_) => Ok(token.to_string()),
        Err(error) => {
            Err(format!("this does not name a case ({error}); copy what stands after `replay:` in a report"))
        }
    })
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
    fn a_time_has_a_unit_and_is_never_zero() {
        assert_eq!(duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        assert!(["", "0s", "s", "-1s", "1d"].map(duration).iter().all(Result::is_err));
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
