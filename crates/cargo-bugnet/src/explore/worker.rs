//! A worker: a harness in a process of its own, which is started again whenever it dies.
//!
//! **Invariant:** every death, whatever the code under test did, becomes a finding at the call that was
//! being made, and the run goes on.

mod broken_law;

use super::budget::{Budget, Ended, Stream};
use super::deadly::{Deaths, Sentence};
use crate::api::Law;
use crate::arguments::Strategies;
use crate::client::limit::Pace;
use crate::client::{Asked, Client, Next, PATIENCE, manner};
use crate::finding::{Cause, Finding, Phase};
use crate::harness::built::Built;
use crate::interrupt;
use crate::judge::judge;
use anyhow::Result;
use broken_law::BrokenLaws;
use bugnet::choice::Seed;
use bugnet::swarm;
use bugnet::wire::Program;
use bugnet::wire::explore::{
    Checked, Command, Drawing, Ending, Event, Exploration, Found, Manner, Progress, Restraint,
};
use bugnet_process::{Death, End, Talk, patience};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time to reduce a program whose pattern is to be avoided.
const REDUCING: Duration = Duration::from_secs(4);
/// The time to generalize the reduced program.
const GENERALIZING: Duration = Duration::from_secs(2);
/// Trials for each of these steps where no clock is asked.
const TRIALS: u64 = 1_500;
/// The divisor of a run's time that gives the most time to spend on looking into deaths; the rest is for
/// calls.
const AVOIDING: u32 = 2;
/// Deaths that are looked into at most where no clock is asked.
const AVOIDED: u32 = 12;
/// Deaths of processes that were to call nothing deadly, after which nothing is left to call.
const VAIN: u32 = 20;
/// The time between two looks of a worker at whether it must end.
const LOOK: Duration = Duration::from_millis(50);
/// Bytes of kept programs that a process leaves to the next one; more are forgotten.
const ROOM: usize = 8 << 20;

/// The messages of a worker.
#[derive(Debug)]
pub(crate) enum News {
    Started {
        operations: u64,
        strategies: String,
    },
    Calls {
        programs: u64,
        calls: u64,
        failed: u64,
        broken: u64,
        reached: Vec<String>,
    },
    Finding(Finding),
    /// The minimal program of a finding that was told before.
    Refined {
        finding: Finding,
        minimal: Finding,
    },
    /// Checks of a stated law.
    Checked(Checked),
    /// Programs that leave operations out, and how they failed.
    Tallied(swarm::Tally),
    Died,
    /// Bugnet itself has panicked, with this message.
    OurBug(String),
    /// An operation is called no more.
    Banned(String),
    /// A stream has come to its end.
    Ended(Ended),
    /// The worker ends, because something is wrong with the machine.
    Broken(anyhow::Error),
}

/// The values that all workers share.
#[derive(Debug)]
pub(crate) struct Work<'a> {
    pub(crate) built: &'a Built,
    /// Has the scratch folders of all processes.
    pub(crate) folder: &'a Path,
    pub(crate) seed: u64,
    pub(crate) budget: Budget,
    /// The point in time at which the run ends.
    pub(crate) end: Option<Instant>,
    pub(crate) strategies: Strategies,
    pub(crate) stop: &'a AtomicBool,
    /// Operations that are never called.
    pub(crate) ban: &'a [String],
}

/// One worker, with the stream that it runs.
struct Worker<'a> {
    work: &'a Work<'a>,
    stream: Stream,
    seed: u64,
    news: &'a Sender<News>,
    /// The operations and patterns that the running process avoids.
    restraint: Restraint,
    /// The plan of the program that was running when the last process ended.
    plan: Option<String>,
    /// The weights by which that program was drawn.
    weights: String,
    /// Programs that the last process has kept.
    kept: Vec<String>,
    vain: u32,
    start: Instant,
    /// The number of deaths that were looked into.
    avoided: u32,
    /// The time that was spent on it.
    avoiding: Duration,
    broken_laws: BrokenLaws,
}

/// Runs a stream.
pub(crate) fn work(work: &Work<'_>, stream: Stream, news: &Sender<News>) {
    // Neighbouring seeds would share programs if the numbers were merely added.
    let seed = work.seed ^ stream.number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut worker = Worker {
        work,
        stream,
        seed,
        news,
        restraint: Restraint::default(),
        plan: None,
        weights: String::new(),
        kept: Vec::new(),
        vain: 0,
        start: Instant::now(),
        avoided: 0,
        avoiding: Duration::ZERO,
        broken_laws: BrokenLaws::default(),
    };
    let _ = news.send(match worker.run() {
        Ok(ended) => News::Ended(ended),
        Err(error) => News::Broken(error),
    });
}

impl Worker<'_> {
    fn run(&mut self) -> Result<Ended> {
        let mut first = 0;
        while first < self.stream.programs {
            if let Some(ended) = self.ended() {
                return Ok(ended);
            }
            if self.vain == VAIN {
                return Ok(Ended::NothingLeft);
            }
            let end = self.process(first)?;
            first = self.in_flight().map_or(first, |number| number + 1);
            if let Some(end) = end {
                self.death(&end)?;
            }
        }
        Ok(Ended::Programs)
    }

    /// Returns the reason why the run has ended, if it has.
    fn ended(&self) -> Option<Ended> {
        let is_late = self.work.end.is_some_and(|end| Instant::now() >= end);
        match self.work.stop.load(Ordering::Relaxed) {
            true => Some(Ended::Interrupt),
            false => is_late.then_some(Ended::Time),
        }
    }

    /// A time to wait, which is much longer where no clock is to decide what is found.
    fn patience(&self, usual: Duration) -> Duration {
        match self.work.budget.pace() {
            Pace::Clock => usual,
            Pace::Trials => patience::STEADY,
        }
    }

    fn tell(&self, news: News) {
        // Nobody listens any more when the run is over.
        let _ = self.news.send(news);
    }

    /// Returns the number of the program that was running.
    fn in_flight(&self) -> Option<u64> {
        self.plan.as_ref()?.split_whitespace().next()?.parse().ok()
    }

    /// Asks a harness, with a journal that no other process can name.
    fn ask(&self, question: Command) -> Result<Asked> {
        // The processor is shared, so no process uses more time than the run takes.
        let time = self.work.budget.time().map_or(patience::LONGEST, |time| time + Duration::from_secs(60));
        // The journal is not in the folder of the code under test.
        let talk = Talk::Journalled(self.work.folder.to_path_buf());
        self.client().ask_with(question, self.restraint.clone(), time, talk)
    }

    fn client(&self) -> Client<'_> {
        Client { binary: &self.work.built.binary, folder: self.work.folder }
    }

    fn is_steady(&self) -> bool {
        self.work.budget.pace() == Pace::Trials
    }

    /// Lets a harness draw programs; says how it died, if it did so by itself.
    fn process(&mut self, first: u64) -> Result<Option<Lost>> {
        let restraint = self.deaths().restraint(self.work.ban);
        self.restraint = restraint;
        let kept = std::mem::take(&mut self.kept);
        let mut harness = self.ask(Command::Explore(Exploration {
            seed: Seed(self.seed),
            first,
            programs: self.is_steady().then(|| self.stream.programs - first),
            strategies: self.work.strategies.to_string(),
            // The first of all processes inherits nothing.
            inherit: if first == 0 { Vec::new() } else { kept },
            pauses: true,
        }))?;
        let (mut heard, mut counted) = (Instant::now(), Progress { program: first, ..Progress::default() });
        let (mut hung, mut room) = (None, ROOM);
        let lost = loop {
            if self.ended().is_some() {
                self.plan = journalled(&harness);
                return Ok(None);
            }
            match harness.next(LOOK) {
                Next::Silence if heard.elapsed() > self.patience(patience::SILENCE) => {
                    self.plan = journalled(&harness);
                    return Ok(Some(Lost::Hung(None)));
                }
                Next::Silence => continue,
                Next::End(ending, end) => break self.ended_by(ending, end, hung),
                Next::Event(Event::Started { operations, strategies }) => {
                    self.tell(News::Started { operations, strategies });
                }
                Next::Event(Event::Checked(checked)) => self.tell(News::Checked(checked)),
                Next::Event(Event::Tallied(bytes)) => {
                    swarm::Tally::from_bytes(&bytes)
                        .into_iter()
                        .for_each(|tally| self.tell(News::Tallied(tally)));
                }
                Next::Event(Event::Progress(progress)) => self.progress(&mut counted, progress),
                Next::Event(Event::Epoch(weights)) => self.weights = weights,
                Next::Event(Event::Kept(program)) => {
                    if let Some(rest) = room.checked_sub(program.len() + 1) {
                        room = rest;
                        self.kept.push(program);
                    }
                }
                Next::Event(Event::Paused) => {
                    self.learn()?;
                    harness.tell(&Command::Know(self.restraint.clone()));
                }
                Next::Event(Event::Found(found)) => {
                    let finding = Finding::of(&found.failure, Law::of(&found.role), None);
                    match finding.cause {
                        Cause::Hang => hung = Some(finding),
                        _ => self.found(finding, found)?,
                    }
                }
                Next::Event(_) => {}
            }
            heard = Instant::now();
        };
        self.plan = journalled(&harness);
        let last = self.in_flight().map_or(first, |number| number + 1);
        let now = Progress { program: last, ..counted.clone() };
        self.progress(&mut counted, now);
        Ok(lost)
    }

    /// Returns how a process was lost, unless it has ended well.
    fn ended_by(&mut self, ending: Option<Ending>, end: End, hung: Option<Finding>) -> Option<Lost> {
        match ending {
            Some(Ending::Done | Ending::Full) => None,
            Some(Ending::CallHangs) => Some(Lost::Hung(hung)),
            Some(Ending::NothingLeft) => {
                self.vain = VAIN;
                None
            }
            Some(Ending::Misused(message) | Ending::OurBug(message)) => {
                self.tell(News::OurBug(message));
                self.vain += 1;
                None
            }
            None => Some(Lost::Died(end)),
        }
    }

    /// Tells how much a process has done since that was told last.
    fn progress(&self, counted: &mut Progress, now: Progress) {
        self.tell(News::Calls {
            programs: now.program.saturating_sub(counted.program),
            calls: now.calls.saturating_sub(counted.calls),
            failed: now.failed.saturating_sub(counted.failed),
            broken: now.broken.saturating_sub(counted.broken),
            reached: now.reached,
        });
        let program = counted.program.max(now.program);
        *counted = Progress { program, reached: Vec::new(), ..now };
    }

    /// A failure that the harness has lived through.
    fn found(&mut self, mut finding: Finding, found: Found) -> Result<()> {
        match (found.tape, found.plan) {
            (Some(tape), _) => finding.tape = Some(tape.to_string()),
            (None, Some(plan)) => {
                if !self.deaths().is_traced(&finding.operation) {
                    return Ok(());
                }
                if is_worth_showing(&finding, self.work.built) {
                    finding.tape = self.draw(plan, false)?;
                }
            }
            (None, None) => {}
        }
        self.broken_laws.note(&finding, self.work.built.facts_of(&finding.operation));
        self.tell(News::Finding(finding));
        Ok(())
    }

    fn deaths(&self) -> MutexGuard<'_, Deaths> {
        self.stream.deaths.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A death becomes a finding.
    fn death(&mut self, lost: &Lost) -> Result<()> {
        self.tell(News::Died);
        let (cause, message) = match lost {
            Lost::Hung(_) => (Cause::Hang, "the call does not end".to_string()),
            Lost::Died(end) if end.death() == Death::OutOfMemory => (Cause::Memory, end.reason()),
            Lost::Died(end) => (Cause::Death, end.reason()),
        };
        let (tape, program) = self.last_program(lost)?;
        let last = program.called().next_back().map(|call| (call.operation.clone(), Law::of(&call.role)));
        // A program that does not die again is of no use, but that something died is still said.
        let told = || match lost {
            Lost::Hung(Some(told)) => Some((told.operation.clone(), told.law.clone())),
            _ => None,
        };
        let (operation, law) = last.or_else(told).unwrap_or_default();
        let finding =
            Finding { operation, law, phase: Phase::Call, cause, place: None, message, tape, after: None };
        let sentence = self.count(&finding, &program);
        let is_avoided = self.is_worth_avoiding(finding.cause, sentence) && self.avoid(&finding)?;
        if sentence == Sentence::Banned && !is_avoided {
            self.tell(News::Banned(finding.operation.clone()));
        }
        self.tell(News::Finding(finding));
        Ok(())
    }

    /// Returns the program that was running when a process died, if it dies again.
    fn last_program(&self, lost: &Lost) -> Result<(Option<String>, Program)> {
        let Some(plan) = &self.plan else { return Ok((None, Program::default())) };
        // A program that hangs has been written down long before it is certain that it does.
        let manners = match lost {
            Lost::Hung(Some(told)) => vec![(true, Some(&told.operation)), (false, None)],
            _ => vec![(false, None)],
        };
        for (hangs, expected) in manners {
            let Some(tape) = self.draw(plan.clone(), hangs)? else { continue };
            let program = self.client().describe(&tape)?;
            let last = program.called().next_back().map(|call| &call.operation);
            if expected.is_none() || last == expected {
                return Ok((Some(tape), program));
            }
        }
        Ok((None, Program::default()))
    }

    /// Has an operation called again that kills only after certain calls, by avoiding what they have in common; says
    /// whether it could.
    fn avoid(&mut self, finding: &Finding) -> Result<bool> {
        let began = Instant::now();
        let is_pardoned = self.pardon(finding);
        self.avoiding += began.elapsed();
        self.avoided += 1;
        is_pardoned
    }

    fn pardon(&self, finding: &Finding) -> Result<bool> {
        let Some(tape) = finding.tape.as_deref() else { return Ok(false) };
        let pace = self.work.budget.pace();
        // A program that is merely slow is worth avoiding as well.
        let manner = match manner(finding.cause) {
            Manner::Apart { hangs, .. } => Manner::Apart { hangs, is_rough: true },
            Manner::Beside => Manner::Beside,
        };
        // Nothing is gained if it becomes a program that is known.
        let (limit, known) = (pace.limit(REDUCING, TRIALS), self.restraint.known.clone());
        let Some(reduced) = self.client().reduce(tape, manner, limit, known)? else { return Ok(false) };
        let minimal = Finding { tape: Some(reduced.program.tape.to_string()), ..finding.clone() };
        // A failure of one call alone does not depend on earlier calls.
        let pattern = self.client().generalize(&minimal, pace.limit(GENERALIZING, TRIALS))?;
        let pattern = pattern.filter(|pattern| pattern.calls > 1);
        let mut deaths = self.deaths();
        Ok(pattern.is_some_and(|pattern| deaths.pardon(&finding.operation, pattern, &self.restraint)))
    }

    /// Draws the program of a plan again, to have it; `None` if it comes to its end.
    fn draw(&self, plan: String, hangs: bool) -> Result<Option<String>> {
        // Programs are drawn again only from the same operations, literals and weights.
        let drawing = Drawing {
            seed: Seed(self.seed),
            strategies: self.work.strategies.to_string(),
            plan,
            weights: self.weights.clone(),
            is_steady: self.is_steady(),
            hangs,
        };
        let answer = self.ask(Command::Draw(drawing))?.finish(self.patience(PATIENCE));
        // What was given up because of an interrupt has not been seen to hang.
        let is_lost = answer.ending != Some(Ending::Done) && !interrupt::is_cut();
        let tape = answer.journal.and_then(|record| String::from_utf8(record).ok());
        Ok(tape.filter(|tape| is_lost && !tape.is_empty()))
    }

    /// Returns true if it is time to look into a death.
    fn is_worth_avoiding(&self, cause: Cause, sentence: Sentence) -> bool {
        let pace = self.work.budget.pace();
        is_due(cause, sentence) && is_affordable(pace, self.avoiding, self.start.elapsed(), self.avoided)
    }

    /// Counts a death, and says what becomes of the operation.
    fn count(&mut self, finding: &Finding, program: &Program) -> Sentence {
        let sentence = self.deaths().count(finding, program, &self.restraint);
        self.vain += u32::from(sentence == Sentence::BannedBefore);
        sentence
    }
}

/// Returns the plan in the journal of a harness. Only text is a plan.
fn journalled(harness: &Asked) -> Option<String> {
    String::from_utf8(harness.journal()?).ok()
}

/// Returns true if a user will want to see the program that failed. A finding that is misuse in every
/// program, such as `with_capacity` that runs out of memory, need not be traced.
fn is_worth_showing(finding: &Finding, built: &Built) -> bool {
    judge(finding, built.facts_of(&finding.operation), None).is_shown()
}

/// Returns true if a death is to be looked into. A hang costs seconds each time, so it is looked into at
/// once.
fn is_due(cause: Cause, sentence: Sentence) -> bool {
    match cause {
        Cause::Hang => matches!(sentence, Sentence::Spared | Sentence::Banned),
        Cause::Death => sentence == Sentence::Banned,
        _ => false,
    }
}

/// Returns true if there is time to look into a death, given the time spent on that and the number of times
/// it was done: most of a run is for calls.
fn is_affordable(pace: Pace, spent: Duration, elapsed: Duration, times: u32) -> bool {
    match pace {
        Pace::Clock => spent <= elapsed / AVOIDING,
        Pace::Trials => times < AVOIDED,
    }
}

/// An end of a process that nobody asked for.
enum Lost {
    /// A call did not end; the harness may have said which.
    Hung(Option<Finding>),
    Died(End),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Facts;
    use crate::harness::built::example;

    #[test]
    fn a_program_is_not_traced_for_what_is_a_wrong_use_whatever_it_was() {
        let mut harness = example::harness();
        let given = Facts { given: true, ..Facts::default() };
        harness.facts =
            ["Set::with_capacity", "Set::spread"].map(|name| (name.to_string(), given.clone())).into();
        let finding = |operation: &str| Finding {
            operation: operation.to_string(),
            law: None,
            phase: Phase::Call,
            cause: Cause::Memory,
            place: None,
            message: String::new(),
            tape: None,
            after: None,
        };
        assert!(!is_worth_showing(&finding("Set::with_capacity"), &harness));
        assert!(is_worth_showing(&finding("Set::spread"), &harness));
    }

    #[test]
    fn half_a_run_at_most_is_spent_on_what_kills() {
        let is_affordable = |pace, spent, times| {
            is_affordable(pace, Duration::from_secs(spent), Duration::from_secs(10), times)
        };
        assert!(is_affordable(Pace::Clock, 5, 99) && !is_affordable(Pace::Clock, 6, 0));
        // Without a clock, the number of times decides, however long that takes.
        assert!(is_affordable(Pace::Trials, 99, AVOIDED - 1) && !is_affordable(Pace::Trials, 0, AVOIDED));
    }

    #[test]
    fn what_hangs_is_looked_into_at_once_and_what_kills_when_it_is_banned() {
        assert!(is_due(Cause::Hang, Sentence::Spared) && is_due(Cause::Death, Sentence::Banned));
        assert!(!is_due(Cause::Death, Sentence::Spared) && !is_due(Cause::Memory, Sentence::Banned));
    }
}
