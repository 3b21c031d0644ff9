//! `variants` and `review`: the options about mutants of libraries and of C programs.

use super::value::{duration, programs, shard};
use super::{LibraryChoice, Package};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

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
    /// Test mutants for this long, and explore for as long again, such as 10m; building comes on top
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time: Option<Duration>,
    /// The number of programs to run on variants, to find inputs that notice the mutants which live
    #[arg(long, value_name = "N", value_parser = programs, default_value_t = 20_000)]
    pub(crate) programs: u64,
    /// The seed of the programs
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub(crate) seed: u64,
    /// The number of mutants that are tested at a time [default: one per core]
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
    pub(crate) library: LibraryChoice,
    #[command(flatten)]
    pub(crate) program: VariantProgram,
}

/// The C program whose variants are made, and its inputs.
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
    #[command(flatten)]
    pub(crate) package: Package,
}
