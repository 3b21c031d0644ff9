//! Swarm testing of programs that others wrote: `cargo bugnet swarm --compare` on WebAssembly tools and on sdcc.
//!
//! The files are in `crates/bugnet-lab/swarm`. All schemes get equal processor time in every block; reducing, which
//! tells distinct failures apart, comes on top.

use anyhow::{Context, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The programs to test
    #[arg(value_enum)]
    subject: Subject,
    /// Processor time of each scheme
    #[arg(long, default_value = "2m")]
    time: String,
    /// Blocks that the time is divided into
    #[arg(long, default_value_t = 8)]
    blocks: u32,
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[arg(long, default_value = "all,coin,mix")]
    schemes: String,
    /// Leave failing inputs as they are, and count signatures
    #[arg(long)]
    no_reduce: bool,
    /// The command, built before
    #[arg(long, default_value = "target/release/cargo-bugnet")]
    command: PathBuf,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Subject {
    /// wasm-smith drives binaryen and wabt
    Wasm,
    /// Csmith drives four ports of sdcc
    Sdcc,
}

impl Subject {
    fn name(self) -> &'static str {
        match self {
            Subject::Wasm => "wasm",
            Subject::Sdcc => "sdcc",
        }
    }

    /// The programs that it needs, and how to get them.
    fn needs(self) -> (&'static [&'static str], &'static str) {
        match self {
            Subject::Wasm => (
                &["wasm-tools", "wasm-opt", "wasm2js", "wasm-decompile", "wasm2c", "wasm2wat", "wasm-interp"],
                "apt-get install binaryen wabt && cargo install wasm-tools",
            ),
            Subject::Sdcc => (&["csmith", "sdcc", "cvise", "gcc"], "apt-get install csmith sdcc cvise gcc"),
        }
    }
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let (programs, how) = arguments.subject.needs();
    let places = std::env::var_os("PATH").unwrap_or_default();
    let is_there =
        |program: &&&str| std::env::split_paths(&places).any(|place| place.join(program).is_file());
    let missing: Vec<&str> = programs.iter().filter(|program| !is_there(program)).copied().collect();
    if !missing.is_empty() {
        bail!("{} is missing: {how}", missing.join(", "));
    }
    let command = fs::canonicalize(&arguments.command)
        .context("build the command first: cargo build --release -p cargo-bugnet")?;
    // The store of each measurement is its own, so that several can run at a time.
    let name = arguments.subject.name();
    let folder = PathBuf::from(format!("target/bugnet-lab/programs/{name}-{}", arguments.seed));
    copied(Path::new("crates/bugnet-lab/swarm"), &folder)?;
    let mut words: Vec<String> = ["bugnet", "swarm"].map(str::to_string).to_vec();
    words.push(format!("{name}.toml"));
    for (option, value) in [
        ("--compare", arguments.schemes.clone()),
        ("--time", arguments.time.clone()),
        ("--blocks", arguments.blocks.to_string()),
        ("--seed", arguments.seed.to_string()),
        ("--json", "comparison.json".to_string()),
    ] {
        words.extend([option.to_string(), value]);
    }
    words.extend(arguments.no_reduce.then(|| "--no-reduce".to_string()));
    let status = Command::new(command).args(words).current_dir(&folder).status()?;
    match status.code() {
        // Failures are what is looked for.
        Some(0 | 1) => Ok(()),
        _ => bail!("the comparison could not be made"),
    }
}

/// Copies the files of a folder, and those of its folders.
fn copied(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    let entries = fs::read_dir(from)
        .with_context(|| format!("{} is not here; run this in the workspace", from.display()))?;
    for entry in entries {
        let entry = entry?;
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copied(&path, &copy)?;
        } else {
            fs::copy(&path, &copy)?;
        }
    }
    Ok(())
}
