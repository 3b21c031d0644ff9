//! Laws of published crates: what `cargo bugnet check` makes of parameters that nobody wrote a generator for.
//!
//! Each file in `laws/` states two laws of a crate, with the sentences of its documentation that they state. They were
//! committed before the first run of their crate. Whether a law that is refuted is a fault of the crate is judged by hand.
//!
//! **Invariant:** a crate whose report is missing ends the table: no row is left out.

use anyhow::{Context, bail};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The command, built before
    #[arg(long, default_value = "target/release/cargo-bugnet")]
    command: PathBuf,
    /// Programs that each crate is checked with
    #[arg(long, default_value_t = 20_000)]
    programs: u64,
    /// The seed of the programs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only these files, by name
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Where harnesses are built and reports are kept
    #[arg(long, default_value = "target/bugnet-lab/laws")]
    folder: PathBuf,
}

/// A file of laws: its path, its crate, and whether rules were tuned on that.
struct File {
    path: PathBuf,
    subject: String,
    split: String,
}

impl File {
    /// Reads the first line: `//! petgraph@0.8.3, tuned on`.
    fn read(path: PathBuf) -> anyhow::Result<File> {
        let text = fs::read_to_string(&path)?;
        let first = text.lines().next().and_then(|line| line.strip_prefix("//! "));
        let (subject, split) =
            first.and_then(|line| line.split_once(", ")).context("the first line names no crate")?;
        Ok(File { subject: subject.to_string(), split: split.to_string(), path })
    }

    fn name(&self) -> String {
        self.path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

fn files() -> anyhow::Result<Vec<File>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("laws");
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<anyhow::Result<_>>()?;
    paths.sort();
    paths.into_iter().map(File::read).collect()
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    fs::create_dir_all(&arguments.folder)?;
    println!("| split | crate | law | checks | different inputs | changed twice | discarded | outcome |");
    println!("|---|---|---|---:|---:|---:|---:|---|");
    let (mut laws, mut made, mut refuted) = (0, 0, 0);
    for file in files()? {
        if !arguments.only.is_empty() && !arguments.only.contains(&file.name()) {
            continue;
        }
        let report = report(arguments, &file)?;
        for law in report["laws"].as_array().into_iter().flatten() {
            let number = |member: &str| law[member].as_u64().unwrap_or_default();
            let checks = number("passed") + number("failed");
            let percent = |part: u64, whole: u64| 100 * part / whole.max(1);
            laws += 1;
            made += usize::from(checks + number("discarded") > 0);
            refuted += usize::from(number("failed") > 0);
            println!(
                "| {} | {} | {} | {checks} | {} ({}%) | {} | {}% | {} |",
                file.split,
                file.subject,
                law["name"].as_str().unwrap_or_default(),
                number("different_inputs"),
                percent(number("different_inputs"), checks),
                law["changed_twice"].as_u64().map_or("—".to_string(), |share| format!("{share}%")),
                percent(number("discarded"), checks + number("discarded")),
                if number("failed") > 0 { "refuted" } else { "held" },
            );
        }
    }
    println!("\nEvery parameter was made for {made} of {laws} laws; {refuted} were refuted.");
    Ok(())
}

/// Checks the laws of a file, and reads the report.
fn report(arguments: &Arguments, file: &File) -> anyhow::Result<Value> {
    let path = arguments.folder.join(format!("{}.json", file.name()));
    let _ = fs::remove_file(&path);
    let output = Command::new(fs::canonicalize(&arguments.command)?)
        .args(["check", "--crate", &file.subject, "--laws"])
        .arg(&file.path)
        .args(["--programs", &arguments.programs.to_string(), "--seed", &arguments.seed.to_string()])
        .arg("--json")
        .arg(&path)
        .env("CARGO_TARGET_DIR", &arguments.folder)
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !path.is_file() {
        bail!("{} was not checked:\n{said}", file.subject);
    }
    Ok(serde_json::from_str(&fs::read_to_string(&path)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_names_its_crate_and_every_law_quotes_its_sentence() {
        let files = files().unwrap();
        assert_eq!(files.len(), 19);
        let fresh = files.iter().filter(|file| file.split == "fresh").count();
        assert_eq!(fresh, 5, "no rule was made by looking at these crates");
        for file in files {
            assert!(file.subject.contains('@'), "{}", file.subject);
            let text = fs::read_to_string(&file.path).unwrap();
            assert_eq!(text.matches("#[law]\n").count(), 2, "{}", file.subject);
            assert_eq!(text.matches("/// \"").count(), 2, "{}", file.subject);
        }
    }
}
