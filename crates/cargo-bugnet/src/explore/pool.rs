//! The crew: all workers of a run, and what they have found together.
//!
//! **Invariant:** when a run ends, by its time or by Ctrl-C, everything found is kept.

use crate::arguments::Strategies;
use crate::exit::Nothing;
use crate::explore::budget::{Budget, Ended};
use crate::explore::tally::Tally;
use crate::explore::unseen;
use crate::explore::worker::{self, News, Work};
use crate::finding::{Finding, Findings};
use crate::harness::built::Built;
use anyhow::Result;
use bugnet::swarm;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time between two reports of progress.
const TELL: Duration = Duration::from_millis(100);

/// The settings of a run.
#[derive(Debug, Clone)]
pub(crate) struct Effort {
    pub(crate) budget: Budget,
    pub(crate) seed: u64,
    pub(crate) jobs: usize,
    pub(crate) strategies: Strategies,
    /// Operations that are not to be called.
    pub(crate) ban: Vec<String>,
    /// Patterns that no program is to match.
    pub(crate) known: Vec<String>,
    /// Findings of a run that was killed.
    pub(crate) before: Vec<Finding>,
    /// Stated laws: the run ends when each was checked often enough, if any are named.
    pub(crate) laws: Vec<String>,
}

/// The results of a run, so far or at its end.
#[derive(Debug, Default)]
pub(crate) struct Run {
    pub(crate) findings: Vec<Finding>,
    /// The reason why it ended.
    pub(crate) ended: Ended,
    /// The number of programs it has run.
    pub(crate) programs: u64,
    pub(crate) calls: u64,
    pub(crate) failed: u64,
    /// The number of failed calls that were laws.
    pub(crate) broken: u64,
    /// The number of operations of the harness.
    pub(crate) operations: u64,
    /// The operations that were called without failing.
    pub(crate) reached: BTreeSet<String>,
    /// The strategies that the harness says it used.
    pub(crate) strategies: String,
    pub(crate) deaths: u64,
    pub(crate) banned: BTreeSet<String>,
    pub(crate) elapsed: Duration,
    /// Messages of panics in Bugnet's own code.
    pub(crate) our_bugs: BTreeSet<String>,
    /// The reason why findings could not be kept on disk.
    pub(crate) problem: Option<String>,
    /// The number of findings so far.
    pub(crate) found: usize,
    /// The checks of stated laws, by their names.
    pub(crate) checked: BTreeMap<String, Tally>,
    /// The programs that leave operations out, and how they failed.
    pub(crate) swarmed: swarm::Tally,
    /// The messages of panics that are no findings of this run, by operations.
    pub(crate) refusals: BTreeMap<String, String>,
}

impl Run {
    /// Returns true if every one of these laws was checked often enough.
    fn is_enough(&self, laws: &[String]) -> bool {
        !laws.is_empty() && laws.iter().all(|law| self.checked.get(law).is_some_and(Tally::is_enough))
    }

    /// Keeps the findings that a run is for. Of the others, the messages of refusals are noted.
    pub(crate) fn keep(&mut self, is_wanted: &dyn Fn(&Finding) -> bool) {
        let (kept, others): (Vec<Finding>, Vec<Finding>) =
            std::mem::take(&mut self.findings).into_iter().partition(|finding| is_wanted(finding));
        self.findings = kept;
        let refusal = |finding: Finding| (finding.operation, finding.message);
        self.refusals.extend(others.into_iter().map(refusal));
    }
}

/// Explores until the budget is used up or `interrupted` says so.
pub(crate) fn explore(
    harness: &Built,
    folder: &Path,
    effort: &Effort,
    interrupted: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(&Run),
) -> Result<Run> {
    let stop = AtomicBool::new(false);
    let Effort { budget, seed, strategies, ban, .. } = effort;
    let (seed, budget, strategies) = (*seed, *budget, *strategies);
    let end = budget.time().map(|time| Instant::now() + time);
    let work = Work { built: harness, folder, seed, budget, end, strategies, stop: &stop, ban };
    let streams = Mutex::new(budget.streams(effort.jobs, &effort.known).into_iter());
    let next = || streams.lock().unwrap_or_else(PoisonError::into_inner).next();
    let mut findings = Findings::create(&folder.join(unseen::FOUND))?;
    for finding in &effort.before {
        findings.add(finding.clone());
    }
    if findings.problem.is_none() {
        unseen::taken_over(folder);
    }
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        for _ in 0..effort.jobs {
            let (work, next, sender) = (&work, &next, sender.clone());
            scope.spawn(move || {
                while let Some(stream) = next() {
                    worker::work(work, stream, &sender);
                }
            });
        }
        drop(sender);
        let run = listen(&receiver, harness, findings, (&stop, &effort.laws), interrupted, tell);
        // Whatever went wrong, nobody works on.
        stop.store(true, Ordering::Relaxed);
        run
    })
}

/// Takes the news of all workers until the last of them is gone.
fn listen(
    news: &Receiver<News>,
    harness: &Built,
    mut findings: Findings,
    (stop, laws): (&AtomicBool, &[String]),
    interrupted: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(&Run),
) -> Result<Run> {
    let start = Instant::now();
    let (mut run, mut told) = (Run::default(), start);
    loop {
        match news.recv_timeout(TELL) {
            // An operation that is banned later still counts.
            Ok(News::Started { operations, strategies }) => {
                run.operations = run.operations.max(operations);
                run.strategies = strategies;
            }
            Ok(News::Calls { programs, calls, failed, broken, reached }) => {
                run.programs += programs;
                run.calls += calls;
                run.failed += failed;
                run.broken += broken;
                run.reached.extend(reached);
            }
            Ok(News::Finding(finding)) => run.found += usize::from(findings.add(finding)),
            Ok(News::Refined { finding, minimal }) => {
                run.found += usize::from(findings.refine(&finding, minimal));
            }
            Ok(News::Checked(checked)) => run.checked.entry(checked.law.clone()).or_default().add(checked),
            Ok(News::Tallied(tally)) => run.swarmed.merge(&tally),
            Ok(News::Died) => run.deaths += 1,
            Ok(News::OurBug(message)) => {
                run.our_bugs.insert(message);
            }
            Ok(News::Banned(operation)) => {
                run.banned.insert(operation);
            }
            Ok(News::Ended(ended)) => run.ended = run.ended.max(ended),
            Ok(News::Broken(error)) => return Err(error),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if interrupted() || run.is_enough(laws) {
            stop.store(true, Ordering::Relaxed);
        }
        run.elapsed = start.elapsed();
        if told.elapsed() > TELL {
            tell(&run);
            told = Instant::now();
        }
    }
    run.elapsed = start.elapsed();
    if run.ended == Ended::Interrupt && !interrupted() {
        run.ended = Ended::Enough;
    }
    run.problem = findings.problem.take();
    run.findings = findings.into_all();
    match untested(&run, &harness.package) {
        Some(why) => Err(Nothing(why).into()),
        None => Ok(run),
    }
}

/// Says why nothing was tested, if that is so: whoever has called nothing has no right to say that nothing was found.
fn untested(run: &Run, package: &str) -> Option<String> {
    let has_found = run.findings.iter().any(|finding| finding.tape.is_some());
    if has_found || run.calls > 0 {
        return None;
    }
    Some(match (run.ended, run.our_bugs.first()) {
        (_, Some(message)) => format!(
            "Bugnet itself has panicked: {message}; nothing was tested; please report it with the name of the crate"
        ),
        (Ended::Interrupt, _) => "the run was ended before its first call, so nothing was tested".to_string(),
        _ if run.operations == 0 => {
            format!("the harness dies before its first call; {package} may run code before `main`")
        }
        _ if run.deaths > 0 => format!(
            "nothing was tested: processes died {} times before a call came to its end, and not again in the same \
             program; {package} may end the process from a thread of its own",
            run.deaths
        ),
        _ => "nothing was called in this run, so nothing was tested; give it more".to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Cause, Phase};
    use crate::harness::built::example::harness;

    #[test]
    fn a_panic_of_our_own_is_kept_beside_what_was_called() {
        let folder = tempfile::tempdir().unwrap();
        let findings = Findings::create(&folder.path().join(unseen::FOUND)).unwrap();
        let (sender, receiver) = channel();
        let calls = News::Calls { programs: 1, calls: 7, failed: 0, broken: 0, reached: Vec::new() };
        for news in [calls, News::OurBug("slice".to_string()), News::OurBug("slice".to_string())] {
            sender.send(news).unwrap();
        }
        drop(sender);
        let stop = AtomicBool::new(false);
        let run = listen(&receiver, &harness(), findings, (&stop, &[]), &|| false, &mut |_| {}).unwrap();
        assert_eq!((run.calls, run.our_bugs), (7, ["slice".to_string()].into()));
    }

    #[test]
    fn a_run_that_has_called_nothing_is_never_green() {
        let died = Run { operations: 3, deaths: 24, ..Run::default() };
        assert!(untested(&died, "pump").unwrap().contains("died 24 times"));
        let started = Run { operations: 3, ended: Ended::Time, ..Run::default() };
        assert!(untested(&started, "pump").unwrap().contains("nothing was called"));
        assert!(untested(&Run::default(), "pump").unwrap().contains("pump may run code before"));
        let ours = Run { our_bugs: ["slice".to_string()].into(), ..Run::default() };
        assert!(untested(&ours, "pump").unwrap().contains("Bugnet itself has panicked: slice"));
        assert_eq!(untested(&Run { calls: 1, ..Run::default() }, "pump"), None);
        // Whatever dies at its first call has been called.
        let tape = Some("1".to_string());
        let (operation, message) = ("f".to_string(), "abort".to_string());
        let finding = Finding {
            operation,
            phase: Phase::Call,
            cause: Cause::Death,
            place: None,
            message,
            tape,
            after: None,
            law: None,
        };
        assert_eq!(untested(&Run { deaths: 2, findings: vec![finding], ..Run::default() }, "pump"), None);
    }
}
