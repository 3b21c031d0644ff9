//! The crew: all workers of a run, and what they have found together.
//!
//! **Invariant:** when a run ends, by its time or by Ctrl-C, everything found is kept.

use super::deaths::Deaths;
use super::fact::Harness;
use super::finding::{Finding, Findings};
use super::worker::{self, News, Work};
use crate::arguments::Strategies;
use anyhow::{Result, bail};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How often it is told how far the run is.
const TELL: Duration = Duration::from_millis(100);

/// How a run is to be.
#[derive(Debug, Clone)]
pub(crate) struct Effort {
    pub(crate) time: Duration,
    pub(crate) seed: u64,
    pub(crate) jobs: usize,
    pub(crate) strategies: Strategies,
    /// Operations that are not to be called.
    pub(crate) ban: Vec<String>,
    /// Patterns that no program is to match.
    pub(crate) known: Vec<String>,
}

/// What a run has come to, so far or at its end.
#[derive(Debug, Default)]
pub(crate) struct Run {
    pub(crate) findings: Vec<Finding>,
    pub(crate) calls: u64,
    pub(crate) failed: u64,
    /// How many of the calls that failed were laws.
    pub(crate) broken: u64,
    /// How many operations there are, and which were called without failing.
    pub(crate) operations: u64,
    pub(crate) reached: BTreeSet<String>,
    /// How the harness says that it chose programs.
    pub(crate) strategies: String,
    pub(crate) deaths: u64,
    pub(crate) banned: BTreeSet<String>,
    pub(crate) elapsed: Duration,
    /// Why findings could not be kept on disk.
    pub(crate) problem: Option<String>,
    /// How many findings there are so far.
    pub(crate) found: usize,
}

/// Explores until the time is over or `interrupted` says so.
pub(crate) fn explore(
    harness: &Harness,
    folder: &Path,
    effort: &Effort,
    interrupted: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(&Run),
) -> Result<Run> {
    let stop = AtomicBool::new(false);
    let deaths = Mutex::new(Deaths::knowing(effort.known.clone()));
    let Effort { time, seed, strategies, ban, .. } = effort;
    let (seed, time, strategies) = (*seed, *time, *strategies);
    let work = Work { harness, folder, seed, time, strategies, stop: &stop, ban, deaths };
    let findings = Findings::create(&folder.join("found.jsonl"))?;
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        for number in 0..effort.jobs as u64 {
            let (work, sender) = (&work, sender.clone());
            scope.spawn(move || worker::work(work, number, &sender));
        }
        drop(sender);
        let run = listen(&receiver, harness, findings, &stop, interrupted, tell);
        // Whatever went wrong, nobody works on.
        stop.store(true, Ordering::Relaxed);
        run
    })
}

/// Takes the news of all workers until the last of them is gone.
fn listen(
    news: &Receiver<News>,
    harness: &Harness,
    mut findings: Findings,
    stop: &AtomicBool,
    interrupted: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(&Run),
) -> Result<Run> {
    let start = Instant::now();
    let (mut run, mut told) = (Run::default(), start);
    loop {
        match news.recv_timeout(TELL) {
            // What is banned later was still one of them.
            Ok(News::Started { operations, strategies }) => {
                run.operations = run.operations.max(operations);
                run.strategies = strategies;
            }
            Ok(News::Calls { calls, failed, broken, reached }) => {
                run.calls += calls;
                run.failed += failed;
                run.broken += broken;
                run.reached.extend(reached);
            }
            Ok(News::Finding(finding)) => run.found += usize::from(findings.add(finding)),
            Ok(News::Died) => run.deaths += 1,
            Ok(News::Banned(operation)) => {
                run.banned.insert(operation);
            }
            Ok(News::Broken(error)) => return Err(error),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if interrupted() {
            stop.store(true, Ordering::Relaxed);
        }
        run.elapsed = start.elapsed();
        if told.elapsed() > TELL {
            tell(&run);
            told = Instant::now();
        }
    }
    run.elapsed = start.elapsed();
    if run.operations == 0 && !interrupted() {
        bail!("the harness dies before its first call; {} may run code before `main`", harness.package);
    }
    run.problem = findings.problem.take();
    run.findings = findings.into_all();
    Ok(run)
}
