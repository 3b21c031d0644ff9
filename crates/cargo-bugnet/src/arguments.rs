//! What can be written on the command line.
//!
//! **Invariant:** a setting is checked here by the parser of the library, so that a wrong one is
//! refused before anything is built.

use crate::exit;
use bugnet::campaign::{Options, Span};
use bugnet::choice::Tape;
use bugnet_process::patience;
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

#[derive(Debug, Args)]
pub(crate) struct Review {
    /// Keep the test of every open question, but for programs that panic
    #[arg(long, conflicts_with_all = ["check", "undo"])]
    pub(crate) accept_all: bool,
    /// Ask nothing; end with code 1 while questions are open
    #[arg(long)]
    pub(crate) check: bool,
    /// Take the last decision back
    #[arg(long, conflicts_with = "check")]
    pub(crate) undo: bool,
    /// Review the C program in this folder
    #[arg(long = "c", conflicts_with_all = ["package", "manifest_path"])]
    pub(crate) is_program: bool,
    /// The package of the workspace
    #[arg(long, short, value_name = "PACKAGE")]
    pub(crate) package: Option<String>,
    /// The `Cargo.toml` of the workspace or package [default: the nearest one]
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Explore {
    /// How long to explore, such as 30s or 10m; building and reducing come on top [default: 1m]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time: Option<Duration>,
    /// How many programs to run: the same seed finds the same, whatever else the machine does. There is no time
    /// then, unless one is given too
    #[arg(long, value_name = "N", value_parser = programs)]
    pub(crate) programs: Option<u64>,
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
    /// Begin anew, where a run was killed before it could show what it found
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Run the program of a bug of the last run again, by its name or by its tape
    #[arg(long, value_name = "BUG")]
    pub(crate) replay: Option<String>,
    /// The same as `cargo bugnet accept BUG`
    #[arg(long, value_name = "BUG", conflicts_with = "replay", hide = true)]
    pub(crate) accept: Option<String>,
    /// Go on where the system denies the code under test neither files nor signals
    #[arg(long)]
    pub(crate) unconfined: bool,
    #[command(flatten)]
    pub(crate) shown: Shown,
    #[command(flatten)]
    pub(crate) subject: Subject,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// A file that states laws, or a folder of such files [default: the tests of the package that state any]
    #[arg(long, value_name = "FILE")]
    pub(crate) laws: Vec<PathBuf>,
    /// How long to check, such as 30s or 10m; building and reducing come on top [default: until each law was checked
    /// 10,000 times or as often as its `cases` say, and 30s at most]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time: Option<Duration>,
    /// How many programs to run: the same seed finds the same, whatever else the machine does. There is no time
    /// then, unless one is given too
    #[arg(long, value_name = "N", value_parser = programs)]
    pub(crate) programs: Option<u64>,
    /// The seed of the programs
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub(crate) seed: u64,
    /// How many processes to run at a time [default: one per core]
    #[arg(long, short, value_name = "N")]
    pub(crate) jobs: Option<std::num::NonZeroUsize>,
    /// Whether to choose programs by what code they reach
    #[arg(long, value_name = "WHETHER", value_enum, default_value_t = Switch::On)]
    pub(crate) coverage: Switch,
    /// Show which operations make and change the values of the laws
    #[arg(long)]
    pub(crate) explain: bool,
    /// Do not call an operation, or those whose names begin so
    #[arg(long, value_name = "OPERATION")]
    pub(crate) skip: Vec<String>,
    /// Begin anew, where a run was killed before it could show what it found
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Run the program of a failure of the last run again, by its name or by its tape
    #[arg(long, value_name = "BUG")]
    pub(crate) replay: Option<String>,
    /// Go on where the system denies the code under test neither files nor signals
    #[arg(long)]
    pub(crate) unconfined: bool,
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

/// What of a run is shown, and where.
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
    /// Call every function of a large crate, however long that takes to build [default: of families of types and
    /// functions some]
    #[arg(long)]
    pub(crate) all_functions: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Swarm {
    #[command(subcommand)]
    pub(crate) action: Option<SwarmAction>,
    /// The file that names the generator, its features and the programs under test
    #[arg(value_name = "FILE", default_value = "swarm.toml")]
    pub(crate) file: PathBuf,
    /// How long to test, such as 30s or 10m; reducing comes on top. With `--compare`, the processor time of each
    /// scheme [default: 1m]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time: Option<Duration>,
    /// How many tests to run: the same seed finds the same, whatever else the machine does. There is no time then,
    /// unless one is given too
    #[arg(long, value_name = "N", value_parser = tests)]
    pub(crate) tests: Option<u64>,
    /// The seed of the tests
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub(crate) seed: u64,
    /// How features are left out: `mix`, `all`, `coin`, `uniform`, `set:N`, `covering:K`
    #[arg(long, value_name = "SCHEME", default_value = "mix")]
    pub(crate) swarm: bugnet::swarm::Scheme,
    /// Run several schemes in turns with equal processor time or equal tests, and compare what they find
    #[arg(long, value_name = "SCHEMES", value_delimiter = ',', conflicts_with_all = ["swarm", "replay"])]
    pub(crate) compare: Vec<bugnet::swarm::Scheme>,
    /// How many blocks to divide a comparison into: the significance is computed over them
    #[arg(long, value_name = "N", default_value = "8", requires = "compare")]
    pub(crate) blocks: std::num::NonZeroU32,
    /// How many processes to run at a time [default: one per core]
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
pub(crate) struct Run {
    /// Run only tests whose name, with its crate and modules, contains one of these
    #[arg(value_name = "FILTER")]
    pub(crate) filters: Vec<String>,
    /// How many tests to run at a time [default: one per core]
    #[arg(long, short, value_name = "N")]
    pub(crate) jobs: Option<std::num::NonZeroUsize>,
    /// How long one test may take before it is ended, such as 90s [default: 10m, and the time of the search]
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
    /// What to write beside the bug
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,
    /// The test or crate of the bug, where several have one of this name: "test PATH" or "crate NAME"
    #[arg(long, value_name = "WHAT")]
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

#[derive(Debug, Args)]
pub(crate) struct Variants {
    /// Print the mutants that would be made, one a line, and build nothing
    #[arg(long)]
    pub(crate) list: bool,
    /// Print the mutants that no test notices, one a line, and look for no inputs
    #[arg(long)]
    pub(crate) missed: bool,
    /// Mutate only files of this name, folder or pattern (`src/parse`, `*.rs`); can be given more than once
    #[arg(long = "file", short, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// Make only mutants whose names fit this regular expression; can be given more than once
    #[arg(long = "re", value_name = "REGEX")]
    pub(crate) expressions: Vec<String>,
    /// Mutate only lines that a unified diff adds or changes
    #[arg(long, value_name = "FILE")]
    pub(crate) in_diff: Option<PathBuf>,
    /// Make only a share of the mutants: `0/4` is the first of four shares
    #[arg(long, value_name = "K/N", value_parser = shard)]
    pub(crate) shard: Option<(usize, usize)>,
    /// The kinds of change
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = Operators::Usual)]
    pub(crate) operators: Operators,
    /// How long to test mutants, and as long again to explore, such as 10m; building comes on top
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time: Option<Duration>,
    /// How many programs to run on variants, to find inputs that notice the mutants which live
    #[arg(long, value_name = "N", value_parser = programs, default_value_t = 20_000)]
    pub(crate) programs: u64,
    /// The seed of the programs
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub(crate) seed: u64,
    /// How many mutants to test at a time [default: one per core]
    #[arg(long, short, value_name = "N")]
    pub(crate) jobs: Option<std::num::NonZeroUsize>,
    /// Write the report as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Make no mutants, but compare with another build: `1.2.3`, a revision of git, `release`, `all-features`,
    /// `no-default-features` or `features=a,b`
    #[arg(long, value_name = "BUILD",
          conflicts_with_all = ["list", "missed", "files", "expressions", "in_diff", "shard", "sources"])]
    pub(crate) against: Option<String>,
    #[command(flatten)]
    pub(crate) subject: VariantSubject,
    #[command(flatten)]
    pub(crate) program: VariantProgram,
}

/// Which C program has its variants made, and what it is given.
#[derive(Debug, Args)]
#[command(next_help_heading = "C programs")]
pub(crate) struct VariantProgram {
    /// Make variants of a C program instead of a library, and change these files of it
    #[arg(long = "c", value_name = "FILES", num_args = 1..)]
    pub(crate) sources: Vec<PathBuf>,
    /// The command that builds the program [default: the C compiler, called with the files]
    #[arg(long, value_name = "COMMAND", requires = "sources")]
    pub(crate) build: Option<String>,
    /// The tests: a file with one command line for each, or a folder of inputs
    #[arg(long, value_name = "PATH", requires = "sources")]
    pub(crate) tests: Option<PathBuf>,
    /// Inputs that may notice mutants, in the same form
    #[arg(long, value_name = "PATH", requires = "sources")]
    pub(crate) inputs: Option<PathBuf>,
    /// The command for each input of a folder, such as `prog -v {in}` [default: it is the standard input]
    #[arg(long, value_name = "COMMAND", requires = "sources")]
    pub(crate) command: Option<String>,
    /// Ask about inputs as they are, instead of making them smaller first
    #[arg(long, requires = "inputs")]
    pub(crate) unreduced: bool,
    /// Run inputs on this many variants only, drawn by the seed, as the N-Prog paper does
    #[arg(long = "n", value_name = "N", requires = "edits")]
    pub(crate) variants: Option<usize>,
    /// The mutants of each of these variants
    #[arg(long = "k", value_name = "K", requires = "variants")]
    pub(crate) edits: Option<usize>,
}

/// Which library has its variants made.
#[derive(Debug, Args)]
#[command(next_help_heading = "Package")]
pub(crate) struct VariantSubject {
    /// The package of the workspace
    #[arg(long, short, value_name = "PACKAGE")]
    pub(crate) package: Option<String>,
    /// The `Cargo.toml` of the workspace or package [default: the nearest one]
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
    /// Features of the package to switch on
    #[arg(long, short = 'F', value_name = "FEATURES", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
    /// Switch all features of the package on
    #[arg(long)]
    pub(crate) all_features: bool,
    /// Leave the default features of the package off
    #[arg(long)]
    pub(crate) no_default_features: bool,
    /// Build with optimisations, which makes the tests faster and the build slower
    #[arg(long)]
    pub(crate) release: bool,
}

/// The kinds of change that `cargo bugnet variants` makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Operators {
    /// Everything but insertion, which rarely compiles and finds little
    Usual,
    /// The two of the N-Prog paper: a statement is left out, or inserted from elsewhere
    Paper,
    /// The usual ones, and insertion
    All,
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
    /// How long the search of one property takes, if that was said.
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
        Ok(Span(time)) => Ok(time.min(patience::LONGEST)),
        Err(problem) => Err(problem),
    }
}

/// Accepts a number of programs.
fn programs(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(0) => Err("no programs would find nothing; give a number above zero".to_string()),
        Ok(programs) => Ok(programs),
        Err(_) => Err(format!("`{text}` is not a number of programs, such as 20000")),
    }
}

/// Accepts `0/4`: the number of a share, counted from zero, and the number of all shares.
fn shard(text: &str) -> Result<(usize, usize), String> {
    let numbers = text.split_once('/').and_then(|(own, all)| Some((own.parse().ok()?, all.parse().ok()?)));
    match numbers {
        Some((own, all)) if own < all => Ok((own, all)),
        _ => Err(format!("`{text}` is no share; write 0/4, 1/4, 2/4 or 3/4 for one of four")),
    }
}

/// Accepts a number of tests.
fn tests(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(0) => Err("no tests would find nothing; give a number above zero".to_string()),
        Ok(tests) => Ok(tests),
        Err(_) => Err(format!("`{text}` is not a number of tests, such as 1000")),
    }
}

/// Accepts `law=off`.
fn law(text: &str) -> Result<String, String> {
    match text.strip_suffix("=off") {
        Some(law) if !law.is_empty() => Ok(law.to_string()),
        _ => Err("a law can only be switched off: write `--law name=off`".to_string()),
    }
}

/// Accepts what names a case.
fn case() -> ValueParser {
    ValueParser::from(|token: &str| {
        let problem = match token.parse::<Tape>() {
            Ok(tape) if !tape.values().is_empty() => return Ok(token.to_string()),
            Ok(_) => "it has no numbers".to_string(),
            Err(error) => error.to_string(),
        };
        Err(format!("this does not name a case ({problem}); copy what stands after `replay:` in a report"))
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
    fn a_share_is_one_of_as_many_as_there_are() {
        assert_eq!(shard("3/4"), Ok((3, 4)));
        assert!(["", "4/4", "1", "a/b", "0/0"].map(shard).iter().all(Result::is_err));
    }

    #[test]
    fn a_number_of_programs_is_never_zero() {
        assert_eq!(programs("20000"), Ok(20_000));
        assert!(["", "0", "-1", "1s", "many"].map(programs).iter().all(Result::is_err));
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
