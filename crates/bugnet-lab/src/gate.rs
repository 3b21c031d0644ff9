//! The gate on cost: what a case costs to run and the library to build, in counts, beside what they cost when the
//! counts were last renewed.
//!
//! **Invariant:** only counts are compared, never times, so a busy machine fails nothing.

use crate::calls;
use crate::throughput::executable::{Executable, Profile};
use crate::throughput::measurement::Subject;
use crate::throughput::shape::Shape;
use crate::throughput::{cachegrind, table};
use anyhow::{Context, bail, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Percent that a count may grow before the gate fails: what a compiler or a needed feature costs, and no more.
const GROWTH: u64 = 10;

/// The crates that every user of the library builds.
const BUILT: [&str; 3] = ["bugnet", "bugnet_macros", "bugnet_process"];

/// The counts to compare, or to renew.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Keep these counts from now on; say in the commit why they have grown
    #[arg(long)]
    write: bool,
}

/// A count with its name, as in a line of the file: `instructions of a u64, dev: 430`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cost {
    name: String,
    count: u64,
}

/// Measures, and compares with the file or renews it.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    cachegrind::require()?;
    let costs = [instructions()?, lines()?].concat();
    if arguments.write {
        let lines: String = costs.iter().map(|cost| format!("{}: {}\n", cost.name, cost.count)).collect();
        return fs::write(file(), lines).context("cannot write the counts");
    }
    let kept = fs::read_to_string(file()).context("there are no counts; `gate --write` makes them")?;
    let complaints = compared(&read(&kept)?, &costs);
    costs.iter().for_each(|cost| println!("{}: {}", cost.name, table::grouped(cost.count)));
    ensure!(
        complaints.is_empty(),
        "{}\nmake it cheaper, or renew the counts with `cargo run -p bugnet-lab -- gate --write` and say why in the commit",
        complaints.join("\n")
    );
    Ok(())
}

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("costs.txt")
}

fn read(text: &str) -> anyhow::Result<Vec<Cost>> {
    let cost = |line: &str| {
        let (name, count) = line.rsplit_once(": ")?;
        Some(Cost { name: name.to_string(), count: count.parse().ok()? })
    };
    text.lines().map(|line| cost(line).with_context(|| format!("{line:?} is no count"))).collect()
}

/// Returns a sentence for each cost that has grown too much, and for each that stands on one side only.
fn compared(kept: &[Cost], now: &[Cost]) -> Vec<String> {
    let mut complaints = Vec::new();
    for cost in now {
        match kept.iter().find(|kept| kept.name == cost.name) {
            None => {
                complaints.push(format!("{}: {} now, and nothing to compare it with", cost.name, cost.count))
            }
            Some(kept) if cost.count * 100 > kept.count * (100 + GROWTH) => complaints.push(format!(
                "{}: {} before, {} now, more than {GROWTH} % more",
                cost.name, kept.count, cost.count
            )),
            Some(_) => {}
        }
    }
    let is_gone = |kept: &&Cost| now.iter().all(|cost| cost.name != kept.name);
    complaints.extend(kept.iter().filter(is_gone).map(|kept| format!("{}: is measured no more", kept.name)));
    complaints
}

/// Counts the instructions of a case in the dev profile, which is what `cargo test` runs, and of a call of a machine.
fn instructions() -> anyhow::Result<Vec<Cost>> {
    let executable = Executable::build(Profile::Dev)?;
    let counted = |name: String, arguments: [&str; 2], rest: Option<String>| -> anyhow::Result<Cost> {
        let arguments = arguments.map(str::to_owned).into_iter().chain(rest).collect();
        let marginal = Subject { executable: &executable, arguments }.count()?;
        let marginal = marginal.with_context(|| format!("{name} does not run under valgrind"))?;
        Ok(Cost { name: format!("{name}, dev"), count: marginal.cost_per_case.round() as u64 })
    };
    let case = |shape: Shape| {
        let name = format!("instructions of a case of {}", shape.heading());
        counted(name, ["throughput-case", "bugnet"], Some(shape.argument()))
    };
    let mut costs = Shape::ALL.into_iter().map(case).collect::<anyhow::Result<Vec<_>>>()?;
    let name = format!("instructions of a program of {} calls", calls::LENGTH);
    costs.push(counted(name, ["calls-case", "bugnet"], None)?);
    Ok(costs)
}

/// Counts the lines of LLVM code that the crates are compiled to in the dev profile, which is most of what building
/// them costs.
fn lines() -> anyhow::Result<Vec<Cost>> {
    let folder = std::env::temp_dir().join(format!("bugnet-gate-{}", std::process::id()));
    let counted = emitted(&folder).and_then(|()| {
        let count = |name: &str| {
            let count = lines_of(&folder.join("debug/deps"), name)?;
            ensure!(count > 0, "nothing was compiled of {name}");
            Ok(Cost { name: format!("lines of LLVM code of {name}, dev"), count })
        };
        BUILT.into_iter().map(count).collect()
    });
    let _ = fs::remove_dir_all(&folder);
    counted
}

/// Builds the library, and has the compiler keep its LLVM code.
fn emitted(target: &Path) -> anyhow::Result<()> {
    let output = Command::new("cargo")
        .args(["build", "--quiet", "--package", "bugnet", "--target-dir"])
        .arg(target)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("CARGO_INCREMENTAL", "0")
        .env("RUSTFLAGS", "--emit=llvm-ir -Ccodegen-units=1 -Cdebuginfo=0")
        .output()
        .context("cargo does not start")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("the library does not build: {errors}");
    }
    Ok(())
}

/// Counts the lines of the LLVM code of a crate.
fn lines_of(folder: &Path, name: &str) -> anyhow::Result<u64> {
    let mut count = 0;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let is_of_crate = stem.rsplit_once('-').is_some_and(|(of, _)| of == name);
        if is_of_crate && path.extension().is_some_and(|extension| extension == "ll") {
            count += fs::read(&path)?.iter().filter(|byte| **byte == b'\n').count() as u64;
        }
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs(text: &str) -> Vec<Cost> {
        read(text).unwrap()
    }

    #[test]
    fn a_cost_may_grow_by_a_tenth_and_no_more() {
        let kept = costs("a case: 1000\n");
        assert_eq!(compared(&kept, &costs("a case: 1100\n")), Vec::<String>::new());
        assert_eq!(
            compared(&kept, &costs("a case: 1101\n")),
            ["a case: 1000 before, 1101 now, more than 10 % more"]
        );
    }

    #[test]
    fn a_cost_that_is_new_or_gone_is_said() {
        let complaints = compared(&costs("old: 1\n"), &costs("new: 2\n"));
        assert_eq!(complaints, ["new: 2 now, and nothing to compare it with", "old: is measured no more"]);
    }

    #[test]
    fn a_line_that_is_no_count_is_refused() {
        assert!(read("a case: many\n").unwrap_err().to_string().contains("is no count"));
    }

    #[test]
    fn the_file_names_each_cost_once() {
        let mut kept = costs(&fs::read_to_string(file()).unwrap());
        assert_eq!(kept.len(), Shape::ALL.len() + 1 + BUILT.len());
        kept.sort_by(|a, b| a.name.cmp(&b.name));
        kept.dedup_by(|a, b| a.name == b.name);
        assert_eq!(kept.len(), Shape::ALL.len() + 1 + BUILT.len());
    }
}
