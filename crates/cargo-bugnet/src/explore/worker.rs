//! A worker: a harness in a process of its own, which is started again whenever it dies.
//!
//! **Invariant:** every death, whatever the code under test did, becomes a finding at the call that was
//! being made, and the run goes on.

use super::deaths::{Deaths, Sentence};
use super::event::{Event, Failure, Program};
use super::fact::Harness;
use super::finding::{Cause, Finding, Phase};
use super::generalize::generalize;
use super::process::{End, Next, Process};
use super::reduce;
use super::triage::judge;
use crate::arguments::Strategies;
use anyhow::Result;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A harness that says nothing for so long hangs.
const SILENCE: Duration = Duration::from_secs(3);
/// How long a harness may take for one program.
pub(super) const PATIENCE: Duration = Duration::from_secs(4);
/// How long it may take to the call that does not end.
const BRIEF: Duration = Duration::from_millis(600);
/// How long a program is reduced and generalized to avoid what it has in common with others.
const REDUCING: Duration = Duration::from_secs(4);
const GENERALIZING: Duration = Duration::from_secs(2);
/// Of a run, what kills is looked into for one part in so many.
const AVOIDING: u32 = 2;
/// After so many deaths of processes that were to call nothing deadly, there is nothing left to call.
const VAIN: u32 = 20;
/// How often a worker looks whether it is to end.
const LOOK: Duration = Duration::from_millis(50);
/// The exit codes by which a harness says that a call hangs, and that it wants to be started again.
const HUNG: i32 = 3;
const FULL: i32 = 4;

/// What a worker tells.
#[derive(Debug)]
pub(crate) enum News {
    Started {
        operations: u64,
        strategies: String,
    },
    Calls {
        calls: u64,
        failed: u64,
        broken: u64,
        reached: Vec<String>,
    },
    Finding(Finding),
    Died,
    /// An operation is called no more.
    Banned(String),
    /// The worker ends, because something is wrong with the machine.
    Broken(anyhow::Error),
}

/// What all workers share.
#[derive(Debug)]
pub(crate) struct Work<'a> {
    pub(crate) harness: &'a Harness,
    /// Has a folder for each worker.
    pub(crate) folder: &'a Path,
    pub(crate) seed: u64,
    pub(crate) time: Duration,
    pub(crate) strategies: Strategies,
    pub(crate) stop: &'a AtomicBool,
    /// What is never called.
    pub(crate) ban: &'a [String],
    pub(crate) deaths: Mutex<Deaths>,
}

/// One worker.
struct Worker<'a> {
    work: &'a Work<'a>,
    scratch: PathBuf,
    seed: u64,
    news: &'a Sender<News>,
    end: Instant,
    /// What the process that is running does not call, and to what it gives no long literals.
    restraint: Vec<String>,
    vain: u32,
    start: Instant,
    /// How long it was looked into why processes die.
    avoiding: Duration,
}

/// Works until the time is over.
pub(crate) fn work(work: &Work<'_>, number: u64, news: &Sender<News>) {
    let scratch = work.folder.join(format!("worker-{number}"));
    // Neighbouring seeds would share programs if the numbers were merely added.
    let seed = work.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (start, end) = (Instant::now(), Instant::now() + work.time);
    let (restraint, avoiding) = (Vec::new(), Duration::ZERO);
    let mut worker = Worker { work, scratch, seed, news, end, restraint, vain: 0, start, avoiding };
    if let Err(error) = worker.run() {
        let _ = news.send(News::Broken(error));
    }
}

impl Worker<'_> {
    fn run(&mut self) -> Result<()> {
        fs::create_dir_all(&self.scratch)?;
        let mut first = 0;
        while !self.is_over() && self.vain < VAIN {
            let end = self.process(first)?;
            first = self.in_flight().map_or(first, |number| number + 1);
            if let Some(end) = end {
                self.death(&end)?;
            }
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.work.stop.load(Ordering::Relaxed) || Instant::now() >= self.end
    }

    fn tell(&self, news: News) {
        // Nobody listens any more when the run is over.
        let _ = self.news.send(news);
    }

    fn journal(&self) -> PathBuf {
        self.scratch.join("journal")
    }

    /// The number of the program that was running.
    fn in_flight(&self) -> Option<u64> {
        fs::read_to_string(self.journal()).ok()?.split_whitespace().next()?.parse().ok()
    }

    fn start(&self, arguments: &[&str]) -> Result<Process> {
        // The processor is shared, so no process uses more time than the run takes.
        let time = self.work.time + Duration::from_secs(60);
        Process::start(&self.work.harness.binary, &self.scratch, arguments, time)
    }

    /// Lets a harness draw programs; says how it died, if it did so by itself.
    fn process(&mut self, first: u64) -> Result<Option<Death>> {
        self.restraint = self.restraint();
        let (seed, first, journal) = (self.seed.to_string(), first.to_string(), self.journal());
        let journal = journal.to_string_lossy();
        let mut arguments = vec!["run", "--seed", &seed, "--first", &first, "--journal", &journal];
        arguments.extend(self.restraint.iter().map(String::as_str));
        let process = self.start(&arguments)?;
        let (mut calls, mut failed, mut broken) = (0, 0, 0);
        let mut heard = Instant::now();
        let mut hung = None;
        loop {
            if self.is_over() {
                return Ok(None);
            }
            match process.next(LOOK) {
                Next::Silence if heard.elapsed() > SILENCE => {
                    process.end(Duration::ZERO)?;
                    return Ok(Some(Death::Hung(None)));
                }
                Next::Silence => continue,
                Next::End => break,
                Next::Event(Event::Started { operations, strategies }) => {
                    self.tell(News::Started { operations, strategies });
                }
                Next::Event(Event::Progress { calls: all, failed: bad, broken: worse, reached }) => {
                    self.tell(News::Calls {
                        calls: all.saturating_sub(calls),
                        failed: bad.saturating_sub(failed),
                        broken: worse.saturating_sub(broken),
                        reached,
                    });
                    (calls, failed, broken) = (all, bad, worse);
                }
                Next::Event(Event::Failure(failure)) if failure.cause == "hang" => {
                    hung = Some(failure.operation)
                }
                Next::Event(Event::Failure(failure)) => self.failure(failure)?,
                Next::Event(_) => {}
            }
            heard = Instant::now();
        }
        let end = process.end(Duration::from_secs(1))?;
        Ok(match end.code {
            Some(HUNG) => Some(Death::Hung(hung)),
            Some(FULL) => None,
            _ => Some(Death::Died(end)),
        })
    }

    /// A failure that the harness has lived through.
    fn failure(&mut self, mut failure: Failure) -> Result<()> {
        if failure.tape.is_none()
            && let Some(journal) = failure.journal.clone()
        {
            let journal = Path::new(&journal);
            let is_news = self.deaths().is_traced(&failure.operation);
            if is_news && is_worth_showing(&failure, self.work.harness) {
                failure.tape = self.trace(journal, PATIENCE)?;
            }
            for file in [journal, &journal.with_extension("scores"), &journal.with_extension("trace")] {
                let _ = fs::remove_file(file);
            }
            if !is_news {
                return Ok(());
            }
        }
        self.tell(News::Finding(Finding::of(failure)));
        Ok(())
    }

    fn deaths(&self) -> MutexGuard<'_, Deaths> {
        self.work.deaths.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A death becomes a finding.
    fn death(&mut self, death: &Death) -> Result<()> {
        self.tell(News::Died);
        let (cause, message) = match death {
            Death::Hung(_) => (Cause::Hang, "the call does not end".to_string()),
            Death::Died(end) if end.is_of_memory() => (Cause::Memory, end.reason()),
            Death::Died(end) => (Cause::Death, end.reason()),
        };
        let (tape, program) = self.last_program(death)?;
        // A program that does not die again is of no use, but that something died is still said.
        let told = || match death {
            Death::Hung(operation) => operation.clone(),
            Death::Died(_) => None,
        };
        let operation = program.operations.last().cloned().or_else(told).unwrap_or_default();
        let finding = Finding { operation, phase: Phase::Call, cause, place: None, message, tape };
        let sentence = self.count(&finding, &program);
        let began = Instant::now();
        let is_due = is_worth_avoiding(finding.cause, sentence, self.avoiding, self.start.elapsed());
        let is_avoided = is_due && self.avoid(&finding)?;
        self.avoiding += began.elapsed();
        if sentence == Sentence::Banned && !is_avoided {
            self.tell(News::Banned(finding.operation.clone()));
        }
        self.tell(News::Finding(finding));
        Ok(())
    }

    /// The program that was running when a process died, if it dies again.
    fn last_program(&self, death: &Death) -> Result<(Option<String>, Program)> {
        // A program that hangs has been written down long before it is certain that it does.
        let patiences = match death {
            Death::Hung(Some(operation)) => vec![(BRIEF, Some(operation)), (PATIENCE, None)],
            _ => vec![(PATIENCE, None)],
        };
        for (patience, expected) in patiences {
            let Some(tape) = self.trace(&self.journal(), patience)? else { continue };
            let program = shown(&self.work.harness.binary, &self.scratch, &tape)?;
            if expected.is_none() || program.operations.last() == expected {
                return Ok((Some(tape), program));
            }
        }
        Ok((None, Program::default()))
    }

    /// Has an operation called again that kills only after certain calls, by avoiding what they have in common; says
    /// whether it could.
    fn avoid(&self, finding: &Finding) -> Result<bool> {
        let Some(tape) = finding.tape.as_deref() else { return Ok(false) };
        let Work { harness, .. } = self.work;
        // What is merely slow is to be avoided just as well.
        let mut manner = [reduce::trial(finding.cause), &["--rough"]].concat();
        // Nothing is gained if it becomes a program that is known.
        let known = self.restraint.windows(2).filter(|pair| pair[0] == "--known");
        manner.extend(known.flatten().map(String::as_str));
        let Some(reduced) = reduce::reduced(tape, &manner, REDUCING, harness, &self.scratch)? else {
            return Ok(false);
        };
        let minimal = Finding { tape: Some(reduced.tape), ..finding.clone() };
        // What one call does by itself is no matter of what was called before.
        let pattern = generalize(&minimal, GENERALIZING, harness, &self.scratch)?;
        let pattern = pattern.filter(|pattern| pattern.calls > 1);
        let mut deaths = self.deaths();
        Ok(pattern.is_some_and(|pattern| deaths.pardon(&finding.operation, pattern, &self.restraint)))
    }

    /// Draws the program of a journal again, to have it; `None` if it comes to its end.
    fn trace(&self, journal: &Path, patience: Duration) -> Result<Option<String>> {
        let (seed, path) = (self.seed.to_string(), journal.to_string_lossy());
        let mut arguments = vec!["trace", "--journal", &path, "--seed", &seed];
        // Programs are drawn again only from the same operations and literals.
        arguments.extend(self.restraint.iter().map(String::as_str));
        let process = self.start(&arguments)?;
        let (events, _) = process.finish(patience)?;
        if events.contains(&Event::Traced) {
            return Ok(None);
        }
        Ok(fs::read_to_string(journal.with_extension("trace")).ok().filter(|tape| !tape.is_empty()))
    }

    /// Counts a death, and says what becomes of the operation.
    fn count(&mut self, finding: &Finding, program: &Program) -> Sentence {
        let sentence = self.deaths().count(&finding.operation, finding.cause, program, &self.restraint);
        self.vain += u32::from(sentence == Sentence::BannedBefore);
        sentence
    }

    /// The arguments by which a process does without what has killed others.
    fn restraint(&self) -> Vec<String> {
        let mut restraint = self.deaths().restraint(self.work.ban);
        restraint.extend(["--strategies".to_string(), self.work.strategies.to_string()]);
        restraint
    }
}

/// Whether anybody will want to see the program that failed: what is a wrong use whatever the program was, such as
/// `with_capacity` that runs out of memory, need not be traced.
fn is_worth_showing(failure: &Failure, harness: &Harness) -> bool {
    let finding = Finding::of(failure.clone());
    judge(&finding, harness.facts_of(&finding.operation), None).is_shown()
}

/// Whether it is time to look into what kills, after so much of a run was spent on that. What hangs costs seconds each
/// time, so that is done at once; but most of a run is for calls.
fn is_worth_avoiding(cause: Cause, sentence: Sentence, spent: Duration, elapsed: Duration) -> bool {
    let is_due = match cause {
        Cause::Hang => matches!(sentence, Sentence::Spared | Sentence::Banned),
        Cause::Death => sentence == Sentence::Banned,
        _ => false,
    };
    is_due && spent <= elapsed / AVOIDING
}

/// How a process came to an end that it was not asked for.
enum Death {
    /// A call did not end; the harness may have said which.
    Hung(Option<String>),
    Died(End),
}

/// The names of all operations of a harness.
pub(crate) fn operations(binary: &Path, scratch: &Path) -> Result<Vec<String>> {
    let (events, _) = Process::start(binary, scratch, &["list"], PATIENCE)?.finish(PATIENCE)?;
    let names = events.into_iter().filter_map(|event| match event {
        Event::Operation { name, reachable } => reachable.then_some(name),
        _ => None,
    });
    Ok(names.collect())
}

/// The names of what a program calls, without running it.
pub(super) fn called(binary: &Path, scratch: &Path, tape: &str) -> Result<Vec<String>> {
    Ok(shown(binary, scratch, tape)?.operations)
}

/// A program as Rust.
pub(crate) fn lines(binary: &Path, scratch: &Path, tape: &str) -> Result<Vec<String>> {
    Ok(shown(binary, scratch, tape)?.lines)
}

/// What a program calls, and the program as Rust.
pub(super) fn shown(binary: &Path, scratch: &Path, tape: &str) -> Result<Program> {
    let process = Process::start(binary, scratch, &["show", "--tape", tape], PATIENCE)?;
    let (events, _) = process.finish(PATIENCE)?;
    let mut shown = events.into_iter().filter_map(|event| match event {
        Event::Program(program) => Some(program),
        _ => None,
    });
    Ok(shown.next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::super::fact::Facts;
    use super::super::report::example;
    use super::*;

    #[test]
    fn a_program_is_not_traced_for_what_is_a_wrong_use_whatever_it_was() {
        let mut harness = example::harness();
        let given = Facts { given: true, ..Facts::default() };
        harness.facts =
            ["Set::with_capacity", "Set::spread"].map(|name| (name.to_string(), given.clone())).into();
        let failure = |operation: &str| Failure {
            operation: operation.to_string(),
            cause: "memory".to_string(),
            ..Failure::default()
        };
        assert!(!is_worth_showing(&failure("Set::with_capacity"), &harness));
        assert!(is_worth_showing(&failure("Set::spread"), &harness));
    }

    #[test]
    fn half_a_run_at_most_is_spent_on_what_kills() {
        let is_worth = |cause, sentence, spent| {
            is_worth_avoiding(cause, sentence, Duration::from_secs(spent), Duration::from_secs(10))
        };
        assert!(is_worth(Cause::Hang, Sentence::Spared, 5) && !is_worth(Cause::Hang, Sentence::Spared, 6));
        assert!(is_worth(Cause::Death, Sentence::Banned, 0) && !is_worth(Cause::Death, Sentence::Spared, 0));
        assert!(!is_worth(Cause::Memory, Sentence::Banned, 0));
    }
}
