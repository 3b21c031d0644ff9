//! A run: workers take shards of the store until the budget is used up.
//!
//! **Invariant:** a failure is in the store before anybody is told of it, and however a run ends, each test is in the
//! store once or not at all.

use super::draw::Draw;
use super::file::Plan;
use super::oracle::{self, Outcome};
use super::setup::Setup;
use super::test::{Bench, Generated};
use crate::exit::NotRun;
use crate::interrupt::processor_time;
use crate::store::outcome::Mark;
use crate::store::{Shard, Sighting, Store, Work};
use anyhow::Result;
use bugnet::swarm::Swarm;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time that a shard should take. Failures are shown when their shard is done, so this is how late they
/// may be.
const SHARD: Duration = Duration::from_millis(400);
/// The longest shard, in tests.
const LONGEST: u64 = 500;
/// Sightings that a shard keeps of one coarse signature; of others, one.
const COARSE: usize = 5;
/// The time between two reports of progress.
const TELL: Duration = Duration::from_millis(100);
/// Tests before it is judged whether nearly all of them are rejected.
const ENOUGH: u64 = 50;

/// The name that stands for the generator where rejections are counted.
pub(crate) const GENERATOR: &str = "generator";

/// One campaign of the store, as it is run.
#[derive(Debug)]
pub(crate) struct Arm<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) swarm: &'a Swarm,
    pub(crate) seed: u64,
    /// Its number in the store.
    pub(crate) campaign: i64,
}

/// The budget of a run; the part that is used up first ends it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Budget {
    pub(crate) time: Option<Duration>,
    /// Tests that the campaign has at the end.
    pub(crate) goal: Option<u64>,
    /// Processor time of the programs.
    pub(crate) processor: Option<Duration>,
}

/// The totals of a run so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    pub(crate) tests: u64,
    pub(crate) failing: u64,
    /// Runs of targets, and how many of them did not take the input.
    pub(crate) runs: u64,
    pub(crate) rejected: u64,
    pub(crate) elapsed: Duration,
    pub(crate) processor: Duration,
    /// The commonest rejections: the target, its message, and how often.
    rejections: BTreeMap<(String, String), u64>,
}

/// The messages of a worker.
enum News {
    Done { work: Work, new: Vec<String> },
    Broken(anyhow::Error),
}

/// Somebody who is told what a run does.
pub(crate) trait Listener {
    /// A failure that is new to the campaign.
    fn failed(&mut self, sighting: &Sighting, totals: &Totals);
    /// Reports the progress of the run.
    fn progress(&mut self, totals: &Totals);
}

/// Runs tests until the budget is used up or `interrupted` says so.
pub(crate) fn run(
    arm: &Arm<'_>,
    store: &Mutex<Box<dyn Store>>,
    scratch: &Path,
    jobs: usize,
    budget: Budget,
    interrupted: &dyn Fn() -> bool,
    listener: &mut dyn Listener,
) -> Result<Totals> {
    let (start, before) = (Instant::now(), processor_time());
    let stop = AtomicBool::new(false);
    let spent = Mutex::new(before);
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        for job in 0..jobs {
            let bench = Bench::new(arm.plan, scratch.join(job.to_string()));
            let worker = Worker { arm, store, bench, budget, stop: &stop, spent: &spent };
            let sender = sender.clone();
            scope.spawn(move || worker.work(&sender));
        }
        drop(sender);
        let mut totals = Totals::default();
        let mut result = Ok(());
        loop {
            match receiver.recv_timeout(TELL) {
                Ok(News::Done { work, new }) => {
                    totals.add(&work, arm.plan.targets.len());
                    totals.processor = processor_time().saturating_sub(before);
                    for signature in &new {
                        let first = work.sightings.iter().find(|sighting| sighting.signature == *signature);
                        first.iter().for_each(|sighting| listener.failed(sighting, &totals));
                    }
                    if let (Ok(()), Some(error)) = (&result, totals.useless()) {
                        result = Err(error);
                        stop.store(true, Ordering::Relaxed);
                    }
                }
                Ok(News::Broken(error)) => {
                    result = result.and(Err(error));
                    stop.store(true, Ordering::Relaxed);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            totals.elapsed = start.elapsed();
            let is_over = budget.time.is_some_and(|time| totals.elapsed >= time)
                || budget.processor.is_some_and(|most| processor_time().saturating_sub(before) >= most);
            if is_over || interrupted() {
                stop.store(true, Ordering::Relaxed);
            }
            listener.progress(&totals);
        }
        totals.processor = processor_time().saturating_sub(before);
        result.map(|()| totals)
    })
}

impl Totals {
    fn add(&mut self, work: &Work, targets: usize) {
        self.tests += work.marks.len() as u64;
        self.runs += (work.marks.len() * targets) as u64;
        for test in &work.marks {
            self.failing += u64::from(test.iter().any(|mark| matches!(mark, Mark::Failed(_))));
            self.rejected += test.iter().filter(|mark| **mark == Mark::Rejected).count() as u64;
        }
        for (target, message, count) in &work.rejections {
            *self.rejections.entry((target.clone(), message.clone())).or_default() += count;
        }
    }

    /// The share of runs that were rejected, in percent.
    pub(crate) fn rejected_percent(&self) -> u64 {
        100 * self.rejected / self.runs.max(1)
    }

    /// The commonest rejection: the target and its message.
    pub(crate) fn commonest(&self) -> Option<(&str, &str)> {
        let most = self.rejections.iter().max_by_key(|(_, count)| **count)?;
        Some((&most.0.0, &most.0.1))
    }

    /// Says why going on would test nothing.
    fn useless(&self) -> Option<anyhow::Error> {
        if self.tests < ENOUGH || self.rejected * 10 <= self.runs * 9 {
            return None;
        }
        let (target, message) = self.commonest().unwrap_or_default();
        let percent = self.rejected_percent();
        let text = format!(
            "{percent} % of the runs were rejected, most often by `{target}`: {message}\nso hardly anything is \
             tested; change the flags in [generator] or [features], or `reject` in [oracle], until more is taken"
        );
        Some(NotRun(text).into())
    }
}

/// Takes a lock that no panic can spoil: every change of the store is one transaction.
pub(crate) fn lock<T: ?Sized>(store: &Mutex<T>) -> MutexGuard<'_, T> {
    store.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Debug)]
struct Worker<'a> {
    arm: &'a Arm<'a>,
    store: &'a Mutex<Box<dyn Store>>,
    bench: Bench<'a>,
    budget: Budget,
    stop: &'a AtomicBool,
    /// Processor time of children that was counted for a shard already.
    spent: &'a Mutex<Duration>,
}

impl Worker<'_> {
    /// Works until there is no more to do.
    fn work(self, sender: &Sender<News>) {
        let mut length = 1;
        while !self.stop.load(Ordering::Relaxed) {
            let start = Instant::now();
            match self.one(length) {
                Ok(Some((work, new))) => {
                    let done = work.marks.len().max(1) as u32;
                    let wanted = SHARD.as_secs_f64() / (start.elapsed() / done).as_secs_f64().max(1e-6);
                    length = (wanted as u64).clamp(1, LONGEST).min(2 * length);
                    let _ = sender.send(News::Done { work, new });
                }
                Ok(None) => return,
                Err(error) => {
                    let _ = sender.send(News::Broken(error));
                    return;
                }
            }
        }
    }

    /// Works on one shard; `None` if there is none.
    fn one(&self, length: u64) -> Result<Option<(Work, Vec<String>)>> {
        let claimed = lock(self.store).claim(self.arm.campaign, length, self.budget.goal)?;
        let Some(shard) = claimed else { return Ok(None) };
        let mut work = Work::default();
        let mut rejections = BTreeMap::new();
        let result = self.tests(&shard, &mut work, &mut rejections);
        let rejections = rejections.into_iter();
        work.rejections = rejections.map(|((target, message), count)| (target, message, count)).collect();
        let mut store = lock(self.store);
        // The time of children is known for all of them together, so what was used since the last shard is this
        // one's: sums are exact.
        let mut spent = lock(self.spent);
        let now = processor_time();
        work.processor = now.saturating_sub(*spent);
        *spent = now;
        let new = store.finish(&shard, &work)?;
        result.map(|()| Some((work, new)))
    }

    fn tests(
        &self,
        shard: &Shard,
        work: &mut Work,
        rejections: &mut BTreeMap<(String, String), u64>,
    ) -> Result<()> {
        for test in shard.first..shard.first + shard.count {
            if self.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let (plan, draw) = (self.arm.plan, Draw::of(self.arm.seed, test));
            let setup = Setup::of(&plan.features, self.arm.swarm, draw, test);
            let input = match self.bench.generate(&setup, draw)? {
                Generated::Input(input) => input,
                Generated::Nothing(message) | Generated::Endless(message) => {
                    *rejections.entry((GENERATOR.to_string(), message)).or_default() += 1;
                    work.marks.push(vec![Mark::Rejected; plan.targets.len()]);
                    continue;
                }
            };
            let outcomes = self.bench.judge(&input)?;
            let mut marks = Vec::new();
            for (target, outcome) in plan.targets.iter().zip(outcomes) {
                marks.push(match outcome {
                    Outcome::Passed => Mark::Passed,
                    Outcome::Rejected(message) => {
                        *rejections.entry((target.name.clone(), message)).or_default() += 1;
                        Mark::Rejected
                    }
                    Outcome::Failed(failed) => {
                        let sighting = Sighting {
                            signature: failed.signature.clone(),
                            test,
                            target: target.name.clone(),
                            input: input.clone(),
                            flags: setup.flags(&plan.features).join(" "),
                            happened: failed.happened,
                        };
                        keep(&mut work.sightings, sighting);
                        Mark::Failed(failed.signature)
                    }
                });
            }
            work.marks.push(marks);
        }
        Ok(())
    }
}

/// Keeps a sighting if there are few of its signature.
fn keep(sightings: &mut Vec<Sighting>, sighting: Sighting) {
    let most = if oracle::is_coarse(&sighting.signature) { COARSE } else { 1 };
    let same = |kept: &&Sighting| kept.signature == sighting.signature;
    if sightings.iter().filter(same).count() < most {
        sightings.push(sighting);
    }
}
