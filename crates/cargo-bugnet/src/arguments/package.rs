//! The options that choose packages and their features, which most commands share.

use clap::Args;
use std::path::PathBuf;

/// One package of a workspace.
#[derive(Debug, Args)]
pub(crate) struct Package {
    /// The package of the workspace
    #[arg(long = "package", short = 'p', id = "package", value_name = "PACKAGE")]
    pub(crate) name: Option<String>,
    /// The `Cargo.toml` of the workspace or package [default: the nearest one]
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
}

/// The features of one package.
#[derive(Debug, Args)]
pub(crate) struct Features {
    /// Features of the package to switch on
    #[arg(long = "features", short = 'F', value_name = "FEATURES", value_delimiter = ',')]
    pub(crate) named: Vec<String>,
    /// Switch all features of the package on
    #[arg(long = "all-features")]
    pub(crate) all: bool,
    /// Leave the default features of the package off
    #[arg(long = "no-default-features")]
    pub(crate) no_default: bool,
}

/// The crate to explore.
#[derive(Debug, Args)]
#[command(next_help_heading = "Crate")]
pub(crate) struct CrateChoice {
    /// A published crate, such as `semver@1.0.27` [default: the package here]
    #[arg(long = "crate", value_name = "NAME@VERSION", conflicts_with_all = ["package", "manifest_path"])]
    pub(crate) published: Option<String>,
    #[command(flatten)]
    pub(crate) package: Package,
    #[command(flatten)]
    pub(crate) features: Features,
    /// Call every function of a large crate, however long that takes to build [default: some of each family of types
    /// and functions]
    #[arg(long)]
    pub(crate) all_functions: bool,
}

/// The library whose variants are made.
#[derive(Debug, Args)]
#[command(next_help_heading = "Package")]
pub(crate) struct LibraryChoice {
    #[command(flatten)]
    pub(crate) package: Package,
    #[command(flatten)]
    pub(crate) features: Features,
    /// Build with optimizations, which makes the tests faster and the build slower
    #[arg(long)]
    pub(crate) release: bool,
}

/// The packages to test, and how they are built.
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
    /// Build with optimizations, which makes the tests faster and the build slower
    #[arg(long)]
    pub(crate) release: bool,
}
