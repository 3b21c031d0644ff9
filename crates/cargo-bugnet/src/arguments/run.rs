//! `run` and the commands about the tests of packages, with the settings of the search.

use super::Place;
use super::value::{case, duration, setting};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct Run {
    /// Run only tests whose name, with its crate and modules, contains one of these
    #[arg(value_name = "FILTER")]
    pub(crate) filters: Vec<String>,
    /// The number of tests that run at a time [default: one per core]
    #[arg(long, short, value_name = "N")]
    pub(crate) jobs: Option<std::num::NonZeroUsize>,
    /// The time after which a test is ended, such as 90s [default: 10m, and the time of the search]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) limit: Option<Duration>,
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
    /// The bug, by the name that the report gives it
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// A note to write beside the bug
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,
    /// The test or crate of the bug, where several have one of this name: "test PATH" or "crate NAME"
    #[arg(long, value_name = "TEST")]
    pub(crate) of: Option<String>,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, Args)]
pub(crate) struct Init {
    /// The `Cargo.toml` of the workspace or package [default: the nearest one]
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
}

/// Settings of the search, which win over those in tests and in `bugnet.toml`.
#[derive(Debug, Args, Default)]
#[command(next_help_heading = "Settings")]
pub(crate) struct Settings {
    /// The number of cases of each property
    #[arg(long, value_name = "N", value_parser = setting("cases"), conflicts_with = "time")]
    cases: Option<String>,
    /// Search for this long for a case that refutes a property, such as 10s or 2m
    #[arg(long, value_name = "TIME", value_parser = setting("time"))]
    time: Option<String>,
    /// The seed of the random cases: a number, `fixed` or `fresh`
    #[arg(long, value_name = "SEED", value_parser = setting("seed"))]
    seed: Option<String>,
    /// The greatest depth of exhaustive search
    #[arg(long, value_name = "DEPTH", value_parser = setting("depth"))]
    depth: Option<String>,
    /// The way to search: `random`, `exhaustive` or `both`; for programs also `feedback`
    #[arg(long, value_name = "WAY", value_parser = setting("strategies"))]
    strategies: Option<String>,
    /// Run the cases in child processes; a case that takes longer than TIME there hangs
    #[arg(long, value_name = "TIME", value_parser = setting("isolate"),
          num_args = 0..=1, require_equals = true, default_missing_value = "on")]
    isolate: Option<String>,
    /// The number of calls in a random program of a machine
    #[arg(long, value_name = "N", value_parser = setting("steps"))]
    steps: Option<String>,
    /// The scheme by which programs leave out rules: `mix`, `all`, `coin`, `uniform`, `weighted`, `set:N`, `covering:K`
    #[arg(long, value_name = "SCHEME", value_parser = setting("swarm"))]
    swarm: Option<String>,
    /// Write failing programs as tests, to FOLDER or to `tests/bugnet`
    #[arg(long, value_name = "FOLDER", value_parser = setting("write"),
          num_args = 0..=1, require_equals = true, default_missing_value = "on")]
    write: Option<String>,
    /// The bugs to report: the `first`, `more` that are found soon after it, or `all`
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
    /// The time for searching one property, if that was said.
    pub(crate) fn time(&self) -> Option<Duration> {
        self.time.as_deref().and_then(|time| duration(time).ok())
    }

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
