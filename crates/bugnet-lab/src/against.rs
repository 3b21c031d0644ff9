//! Two releases of published crates: how many of the changes that their changelogs tell are shown, and what is shown
//! besides.
//!
//! The changes were listed from the changelogs before the first run. The newer release is copied out of Cargo's registry
//! and compared with the older one by the command itself, whose report is read.

use crate::variants::copied;
use anyhow::{Context, bail};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Two releases of a crate.
struct Releases {
    name: &'static str,
    old: &'static str,
    new: &'static str,
    /// The functions whose behaviour the changelog says was changed; none for a release that only moves code or adds.
    listed: &'static [&'static str],
}

/// Five pairs of releases, two of them with changes of behaviour.
const RELEASES: [Releases; 5] = [
    // Transpositions in Jaro; the boost above 0.7 and the prefix of four characters in Jaro-Winkler. The other measures
    // were written anew and should do the same.
    Releases { name: "strsim", old: "0.10.0", new: "0.11.0", listed: &["jaro", "jaro_winkler"] },
    // `{` and the byte 0xa0 are escaped by all functions that quote.
    Releases {
        name: "shlex",
        old: "1.2.0",
        new: "1.3.0",
        listed: &["shlex::quote", "shlex::join", "bytes::quote", "bytes::join"],
    },
    // A module is added, and the old functions call it.
    Releases { name: "shlex", old: "1.1.0", new: "1.2.0", listed: &[] },
    // The packages of these two have no changelog; a patch release is to change nothing.
    Releases { name: "semver", old: "1.0.26", new: "1.0.27", listed: &[] },
    Releases { name: "percent-encoding", old: "2.3.0", new: "2.3.1", listed: &[] },
];

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Only the releases of these crates
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Programs to run on both builds
    #[arg(long, default_value_t = 20_000)]
    programs: u64,
    /// The seed of the programs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder for copies and reports
    #[arg(long, default_value = "target/lab-against")]
    folder: PathBuf,
    /// The command
    #[arg(long, default_value = "target/release/cargo-bugnet")]
    command: PathBuf,
}

/// Compares every pair and prints a table.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    println!("| crate | from | to | functions | changes | listed | of them shown | not listed |");
    println!("|---|---|---|---|---|---|---|---|");
    let is_chosen = |releases: &&Releases| {
        arguments.only.is_empty() || arguments.only.iter().any(|one| one == releases.name)
    };
    for releases in RELEASES.iter().filter(is_chosen) {
        println!("{}", row(releases, &reported(arguments, releases)?));
    }
    Ok(())
}

/// Has the command compare two releases.
fn reported(arguments: &Arguments, releases: &Releases) -> anyhow::Result<Value> {
    let copy = copied(&format!("{}@{}", releases.name, releases.new), &arguments.folder)?;
    let report = copy.join("report.json");
    let _ = fs::remove_file(&report);
    let command = arguments.command.canonicalize().with_context(|| {
        format!("{} is not built; run `cargo build --release -p cargo-bugnet`", arguments.command.display())
    })?;
    let (programs, seed) = (arguments.programs.to_string(), arguments.seed.to_string());
    let words = ["variants", "--against", releases.old, "--programs", &programs, "--seed", &seed, "--json"];
    let target = arguments.folder.canonicalize()?.join("target");
    let mut asked = Command::new(command);
    asked.args(words).arg(&report).current_dir(&copy).env("CARGO_TARGET_DIR", target);
    let output = asked.output()?;
    let Ok(text) = fs::read_to_string(&report) else {
        bail!("{}: {}", releases.name, String::from_utf8_lossy(&output.stderr));
    };
    Ok(serde_json::from_str(&text)?)
}

/// Returns a line of the table.
fn row(releases: &Releases, report: &Value) -> String {
    let changes = report["changes"].as_array().cloned().unwrap_or_default();
    let text = |change: &Value| {
        let program = change["program"].as_array().cloned().unwrap_or_default();
        let lines: Vec<&str> = program.iter().filter_map(Value::as_str).collect();
        lines.join("\n")
    };
    // The program says by its whole path what it calls; an operation has the short name.
    let calls = |change: &Value, name: &str| text(change).contains(&format!("{name}("));
    let listed = releases.listed;
    let shown = listed.iter().filter(|name| changes.iter().any(|change| calls(change, name))).count();
    let others: BTreeSet<&str> = changes
        .iter()
        .filter(|change| !listed.iter().any(|name| calls(change, name)))
        .filter_map(|change| change["operation"].as_str())
        .collect();
    let others = others.into_iter().collect::<Vec<_>>().join(", ");
    let Releases { name, old, new, .. } = releases;
    let (functions, count) = (&report["functions"], changes.len());
    format!("| {name} | {old} | {new} | {functions} | {count} | {} | {shown} | {others} |", listed.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_line_tells_listed_changes_from_others() {
        let releases = Releases { name: "x", old: "1.0.0", new: "1.1.0", listed: &["x::f", "x::g"] };
        let change = |operation: &str, line: &str| json!({ "operation": operation, "program": [line] });
        let changes =
            [change("f", "assert!(x::f(1));"), change("f", "x::f(0);"), change("h", "assert!(x::h(2));")];
        let report = json!({ "functions": 7, "changes": changes });
        assert_eq!(row(&releases, &report), "| x | 1.0.0 | 1.1.0 | 7 | 3 | 2 | 1 | h |");
    }
}
