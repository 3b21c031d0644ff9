//! The explorer: draws programs, call by call, and tells every new way to fail.
//!
//! A program is a function of its number, the scores of its epoch and the program that it extends, so
//! one that kills the process is found again from what the log has of it.

use super::event::Event;
use super::score::{EPOCH, Scores};
use super::{nest, number};
use crate::choice::{Seed, Source, Tape, Watcher, scale};
use crate::oracle::{Failure, Signature};
use crate::program::{Attempt, Execution, Failed, Suite};
use std::collections::{BTreeSet, HashSet};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The shortest program, and how many calls longer the longest is.
const LENGTHS: (usize, u64) = (4, 32);
/// One in so many programs extends one that was kept.
const EXTENDED: u64 = 3;
/// In most programs one kind of value is at the centre: what has nothing to do with it weighs so little.
const BESIDE: u32 = 16;
/// One in so many programs has no centre.
const SCATTERED: u64 = 3;
/// At most so many programs are kept.
const KEPT: usize = 1_024;
/// The values of one in so many programs are looked at, to see whether they are new.
const LOOKED_AT: u64 = 4;
/// A call that takes longer is heavy, and ends its program.
const HEAVY: Duration = Duration::from_millis(4);
/// Laws are asked so often, as a share of all calls: one in so many.
const LAWS: u64 = 4;

/// What the explorer is doing, for those who watch it.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    pub(crate) program: AtomicU64,
    pub(crate) calls: AtomicU64,
    pub(crate) failed: AtomicU64,
    /// The operation that is being called.
    pub(crate) operation: AtomicU32,
}

/// The program to draw next.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) number: u64,
    /// What it extends.
    pub(crate) base: Tape,
}

/// What a run has seen so far. It outlives a thread that is lost.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// The ways to fail that were told: operation, phase and cause.
    told: BTreeSet<(String, String)>,
    states: HashSet<u64>,
    /// Programs that have reached something new.
    kept: Vec<Tape>,
    /// Which operations were called well.
    reached: Vec<bool>,
    /// Their names, until they are told.
    pub(crate) news: Vec<&'static str>,
    /// The scores of this epoch.
    pub(crate) scores: Scores,
}

impl Memory {
    /// Nothing but scores.
    pub(crate) fn with(scores: Scores) -> Memory {
        Memory { reached: vec![false; scores.0.len()], scores, ..Memory::default() }
    }

    /// Notes a way to fail; says whether it is new.
    pub(crate) fn is_new(&mut self, failure: &Failure) -> bool {
        let (operation, phase) = match &failure.signature {
            Signature::InCall { operation, phase, .. } => (operation.clone(), *phase),
            _ => (String::new(), "call"),
        };
        self.told.insert((operation, format!("{phase} {}", failure.signature.cause())))
    }
}

/// Draws programs.
pub(crate) struct Explorer<'a> {
    suite: &'a Suite,
    execution: Execution<'a>,
    seed: Seed,
    progress: &'a Progress,
    pub(crate) scores: Scores,
    /// By operation, for this epoch.
    weights: Vec<u32>,
    /// The operations that have to do with each kind.
    about: Vec<Vec<usize>>,
    /// Which operations were called well.
    reached: Vec<bool>,
    memory: &'a Mutex<Memory>,
}

impl<'a> Explorer<'a> {
    pub(crate) fn new(
        suite: &'a Suite,
        seed: Seed,
        scores: Scores,
        progress: &'a Progress,
        memory: &'a Mutex<Memory>,
    ) -> Explorer<'a> {
        let mut explorer = Explorer {
            suite,
            execution: Execution::new(suite),
            seed,
            progress,
            scores,
            weights: Vec::new(),
            about: suite.operations_by_kind(),
            reached: remembered(memory).reached.clone(),
            memory,
        };
        explorer.execution.flight = Some(&progress.operation);
        explorer.weigh();
        explorer
    }

    /// Weighs the operations by their scores. Laws have a share of their own.
    pub(crate) fn weigh(&mut self) {
        remembered(self.memory).scores.clone_from(&self.scores);
        self.weights = self.scores.weights();
        let is_law = |place: usize| self.suite.operations[place].name.starts_with("law ");
        let sum = |laws: bool| -> u64 {
            let places = (0..self.weights.len()).filter(|place| is_law(*place) == laws);
            places.map(|place| u64::from(self.weights[place])).sum()
        };
        let (laws, others) = (sum(true).max(1), sum(false).max(1));
        let share = others / (LAWS - 1);
        for place in (0..self.weights.len()).filter(|place| is_law(*place)) {
            let weight = u64::from(self.weights[place]) * share / laws;
            self.weights[place] = weight.clamp(1, 1 << 16) as u32;
        }
    }

    /// The program of a number.
    pub(crate) fn plan(&self, number: u64) -> Plan {
        let mut stream = Source::random(Seed(self.seed.0 ^ 0x2545_f491_4f6c_dd1d), number).stream();
        let mut below = |bound: u64| scale(stream.word().1, bound);
        let kept = &remembered(self.memory).kept;
        let extends = !kept.is_empty() && below(EXTENDED) == 0;
        let base = if extends { kept[below(kept.len() as u64) as usize].clone() } else { Tape::default() };
        Plan { number, base }
    }

    /// Draws a program and runs it.
    pub(crate) fn run(&mut self, plan: &Plan, watcher: Option<Watcher>) {
        self.progress.program.store(plan.number, Ordering::Relaxed);
        let mut source = match plan.base.choices.is_empty() {
            true => Source::recording(self.seed, plan.number),
            false => Source::extending(plan.base.clone(), self.seed, plan.number),
        };
        if let Some(watcher) = watcher {
            source.watched_by(watcher);
        }
        number::forget();
        nest::forget();
        let (length, weights) = self.shape(plan.number);
        self.execution.begin(&mut source, &weights);
        self.extend(&mut source, length, plan.number);
        self.count();
        // Whoever looks at something too deep dies of it, and no call is to blame.
        if plan.number.is_multiple_of(LOOKED_AT) && !nest::is_deep() {
            self.keep(&source);
        }
        if let Err(failure) = self.execution.end() {
            self.tell(Failed { operation: 0, failure, tape: source.tape_so_far() }, plan.number);
        }
    }

    /// How long a program is to be, and what it is to call.
    fn shape(&self, number: u64) -> (usize, Vec<u32>) {
        let mut stream = Source::random(Seed(self.seed.0 ^ 0x9e6c_63d0_876a_9a99), number).stream();
        let mut below = |bound: u64| scale(stream.word().1, bound);
        let length = LENGTHS.0 + below(LENGTHS.1) as usize;
        if self.about.is_empty() || below(SCATTERED) == 0 {
            return (length, self.weights.clone());
        }
        // A kind is at the centre as often as operations have to do with it, but not in proportion.
        let (one, other) = (below(self.about.len() as u64) as usize, below(self.about.len() as u64) as usize);
        let centre = if self.about[one].len() >= self.about[other].len() { one } else { other };
        let mut weights: Vec<u32> = self.weights.iter().map(|weight| (weight / BESIDE).max(1)).collect();
        // Of what has to do with it, some is left out.
        let left_out = below(4);
        for place in &self.about[centre] {
            if below(8) >= left_out {
                weights[*place] = self.weights[*place];
            }
        }
        (length, weights)
    }

    fn extend(&mut self, source: &mut Source, length: usize, number: u64) {
        let mut vain = 0;
        while self.execution.length() < length && vain < 8 {
            let start = Instant::now();
            let attempt = self.execution.attempt(source);
            let calls = self.progress.calls.fetch_add(1, Ordering::Relaxed);
            let heavy = start.elapsed() > HEAVY;
            match attempt {
                Attempt::Ran => vain = 0,
                Attempt::Barred => vain += 1,
                Attempt::Failed(failed) => {
                    vain += 1;
                    self.scores.0[failed.operation].failed += 1;
                    self.progress.failed.fetch_add(1, Ordering::Relaxed);
                    self.tell(failed, number);
                }
            }
            // The first calls of a process are slow for other reasons.
            if heavy && calls > 100 {
                let operation = self.execution.last_operation();
                self.scores.0[operation].heavy += 1;
                return;
            }
        }
    }

    /// Adds up what the program has called.
    fn count(&mut self) {
        for (place, used) in self.execution.take_used().enumerate() {
            self.scores.0[place].ran += u64::from(used);
            if used > 0 && !std::mem::replace(&mut self.reached[place], true) {
                let mut memory = remembered(self.memory);
                memory.reached[place] = true;
                memory.news.push(self.suite.operations[place].name);
            }
        }
    }

    /// Keeps a program that has reached a new state.
    fn keep(&mut self, source: &Source) {
        let Some(state) = self.execution.state() else { return };
        let mut memory = remembered(self.memory);
        if memory.states.insert(state) && memory.kept.len() < KEPT {
            memory.kept.push(source.tape().clone());
        }
    }

    /// Tells a way to fail, if it is new.
    fn tell(&mut self, failed: Failed, number: u64) {
        let Failed { failure, mut tape, .. } = failed;
        if remembered(self.memory).is_new(&failure) {
            tape.choices.push(end());
            failure_event(&failure, number).text("tape", &tape.to_string()).tell();
        }
    }
}

/// What is remembered, also after a panic.
pub(crate) fn remembered(memory: &Mutex<Memory>) -> MutexGuard<'_, Memory> {
    memory.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The mark of the end of a program on its tape.
fn end() -> crate::choice::Choice {
    crate::choice::Choice { kind: crate::choice::Kind::Index, value: 0, limit: 1 }
}

/// The event of a failure in a program.
pub(crate) fn failure_event(failure: &Failure, number: u64) -> Event {
    Event::new("failure").failure(failure).number("program", number)
}

/// Whether the scores are taken anew before a program.
pub(crate) fn begins_epoch(number: u64) -> bool {
    number.is_multiple_of(EPOCH)
}
