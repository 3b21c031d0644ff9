//! One cell of the tables: what a case costs, in instructions and in time.

use std::process::Command;

use anyhow::{Context, ensure};

use super::cachegrind;
use super::case::Report;
use super::executable::Executable;
use super::marginal::{Marginal, Run};

/// Cases of the short run: enough for every contender's sizes to have grown to full.
const FEW: u64 = 100;

/// Cases of the long run that are counted, beyond those of the short one.
const COUNTED: u64 = 2_000;

/// Cases that are counted first, to see how many more can be.
const PROBED: u64 = 200;

/// More instructions than this are not spent on one cell, as valgrind takes minutes for them;
/// the probe is then the measurement. In the dev profile arbtest is that slow, and so is proptest
/// on trees and operations.
const COUNTED_INSTRUCTIONS: f64 = 4e9;

/// Nanoseconds that the long run should take when it is timed, so that milliseconds of noise are small.
const TIMED_NANOSECONDS: f64 = 200e6;

/// Bounds the long run of the fastest contenders.
const TIMED_AT_MOST: u64 = 20_000_000;

/// Timed runs of which the quickest is taken: other processes can only make a run slower.
const REPETITIONS: usize = 5;

/// The cost of a case.
#[derive(Clone, Copy, Debug)]
pub struct Measurement {
    /// `None` if the contender does not run under valgrind.
    pub instructions: Option<Marginal>,
    pub nanoseconds: Marginal,
}

/// The program to measure: an executable, and the command that runs cases in it. The number of cases is its last
/// argument.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    pub executable: &'a Executable,
    pub arguments: Vec<String>,
}

impl Subject<'_> {
    pub fn measure(&self) -> anyhow::Result<Measurement> {
        Ok(Measurement { instructions: self.count()?, nanoseconds: self.time()? })
    }

    /// Returns the cost of a case in instructions; `None` if the subject does not run under valgrind.
    pub fn count(&self) -> anyhow::Result<Option<Marginal>> {
        let Some(short) = self.counted(FEW)? else {
            return Ok(None);
        };
        let Some(probe) = self.counted(FEW + PROBED)? else {
            return Ok(None);
        };
        let estimate = Marginal::between(short, probe);
        if estimate.cost_per_case * COUNTED as f64 > COUNTED_INSTRUCTIONS {
            return Ok(Some(estimate));
        }
        let long = self.counted(FEW + COUNTED)?;
        Ok(long.map(|long| Marginal::between(short, long)))
    }

    fn counted(&self, cases: u64) -> anyhow::Result<Option<Run>> {
        let mut command = self.command(cases);
        command.envs(self.executable.countable.clone());
        let count = cachegrind::count(&command)?;
        Ok(count.map(|count| Run { tally: count.report.tally, cost: count.instructions }))
    }

    fn time(&self) -> anyhow::Result<Marginal> {
        let short = self.quickest(FEW)?;
        let estimate = Marginal::between(short, self.once(FEW + COUNTED)?).cost_per_case;
        let timed = (TIMED_NANOSECONDS / estimate.max(1.0)) as u64;
        let long = self.quickest(FEW + timed.clamp(COUNTED, TIMED_AT_MOST))?;
        Ok(Marginal::between(short, long))
    }

    fn quickest(&self, cases: u64) -> anyhow::Result<Run> {
        let mut quickest = self.once(cases)?;
        for _ in 1..REPETITIONS {
            let run = self.once(cases)?;
            if run.cost < quickest.cost {
                quickest = run;
            }
        }
        Ok(quickest)
    }

    fn once(&self, cases: u64) -> anyhow::Result<Run> {
        let output = self.command(cases).output().context("the executable does not start")?;
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{:?} fails: {errors}", self.arguments);
        let report = Report::parse(&String::from_utf8_lossy(&output.stdout))?;
        Ok(Run { tally: report.tally, cost: report.nanoseconds })
    }

    fn command(&self, cases: u64) -> Command {
        let mut command = Command::new(&self.executable.path);
        command.args(&self.arguments).arg(cases.to_string());
        command
    }
}
