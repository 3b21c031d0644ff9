//! Counting the instructions of a process with valgrind's cachegrind.
//!
//! The count does not depend on the load of the machine, which is why it, not time, is what the
//! tables are about.

use std::process::Command;

use anyhow::{Context, ensure};

use super::case::Report;

/// The instructions a process executed and what it reports about itself.
#[derive(Clone, Copy, Debug)]
pub struct Count {
    pub instructions: u64,
    pub report: Report,
}

/// Fails with a sentence about what to do when valgrind is not there.
pub fn require() -> anyhow::Result<()> {
    let version = Command::new("valgrind").arg("--version").output();
    let version = version.context("instructions are counted by valgrind: please install it")?;
    ensure!(version.status.success(), "`valgrind --version` fails");
    Ok(())
}

/// Runs a command under cachegrind; `None` if it does not survive that.
pub fn count(command: &Command) -> anyhow::Result<Option<Count>> {
    let mut valgrind = Command::new("valgrind");
    valgrind
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(command.get_program())
        .args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => valgrind.env(name, value),
            None => valgrind.env_remove(name),
        };
    }
    let output = valgrind.output().context("valgrind does not start")?;
    if !output.status.success() {
        return Ok(None);
    }
    let summary = String::from_utf8_lossy(&output.stderr);
    let instructions = parse(&summary).context("no count of instructions from cachegrind")?;
    let report = Report::parse(&String::from_utf8_lossy(&output.stdout))?;
    Ok(Some(Count { instructions, report }))
}

/// Finds the total in cachegrind's summary, the line `==9746== I   refs:      635,137`.
fn parse(summary: &str) -> Option<u64> {
    summary.lines().find_map(|line| {
        let (label, total) = line.split_once("refs:")?;
        label.trim_end().ends_with(" I").then(|| total.trim().replace(',', "").parse().ok())?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUMMARY: &str = "\
==9746== Cachegrind, a cache and branch-prediction profiler
==9746== Command: bugnet-lab throughput-case loop word 2100
--9746-- warning: L3 cache found, using its data for the LL simulation.
==9746==
==9746== I   refs:      1,234,635,137
==9746== D   refs:      77
";

    #[test]
    fn the_total_of_a_summary_is_its_instruction_references() {
        assert_eq!(parse(SUMMARY), Some(1_234_635_137));
    }

    #[test]
    fn a_summary_without_a_total_has_none() {
        assert_eq!(parse("==1== D   refs:      77\n"), None);
        assert_eq!(parse("==1== I   refs:      many\n"), None);
        assert_eq!(parse(""), None);
    }
}
