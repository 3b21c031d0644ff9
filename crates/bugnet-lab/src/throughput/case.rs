//! The measured process: one contender, one shape, a number of cases, and a report on the last line.

use std::time::Duration;
use std::{fs, thread};

use anyhow::{Context, bail};

use super::contender;
use super::shape::Shape;
use super::tally::Tally;

/// The order to `throughput-case`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    contender: String,
    shape: Shape,
    cases: u64,
}

/// Runs the cases and prints a [`Report`].
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let Some(contender) = contender::named(&arguments.contender) else {
        bail!("no contender `{}` in this build; try --features peers,hegel", arguments.contender);
    };
    (contender.run)(arguments.shape, arguments.cases);
    report();
    Ok(())
}

/// Prints this process's [`Report`]: the last thing a measured process does.
pub fn report() {
    println!("{REPORT} {} {}", Tally::so_far(), processor_nanoseconds().unwrap_or(0));
}

/// Begins the line of the report, whatever else a contender prints.
const REPORT: &str = "report:";

/// The report of a measured process about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    pub tally: Tally,
    /// Processor time of the process from its start.
    pub nanoseconds: u64,
}

impl Report {
    /// Finds the report in the standard output of a measured process.
    pub fn parse(output: &str) -> anyhow::Result<Report> {
        let line = output.lines().find_map(|line| line.strip_prefix(REPORT));
        let line = line.context("the measured process printed no report")?;
        let numbers: Vec<u64> = line.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        let [cases, elements, nanoseconds] = numbers[..] else {
            bail!("not a report: `{line}`");
        };
        Ok(Report { tally: Tally { cases, elements }, nanoseconds })
    }
}

/// Processor time over all threads of this process: the first figure of each `schedstat`, which
/// unlike the clock ticks of `/proc/self/stat` is exact. Ended threads are not counted.
fn processor_nanoseconds() -> anyhow::Result<u64> {
    // The kernel brings the figure of a running thread up to date only now and then; going to
    // sleep is one of the occasions.
    thread::sleep(Duration::from_micros(1));
    let mut total = 0;
    for thread in fs::read_dir("/proc/self/task")? {
        let statistics = fs::read_to_string(thread?.path().join("schedstat"))?;
        let running = statistics.split_whitespace().next().context("schedstat is empty")?;
        total += running.parse::<u64>()?;
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_found_among_what_the_contender_prints() {
        let report = Report::parse("hello\nreport: 100 5000 123456\n").unwrap();
        let tally = Tally { cases: 100, elements: 5000 };
        assert_eq!(report, Report { tally, nanoseconds: 123_456 });
    }

    #[test]
    fn output_without_a_report_is_an_error() {
        assert!(Report::parse("hello\n").is_err());
        assert!(Report::parse("report: 100 5000\n").is_err());
    }
}
