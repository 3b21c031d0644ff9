//! Running without end: a thread draws programs, and another one watches it.
//!
//! A call that does not end, or that wants more memory than there is, is told with the number of its
//! program. After the first the process ends; after the second the thread sleeps for ever, and another one
//! goes on with the next program.

use super::coverage::Counters;
use super::event::Event;
use super::explorer::{Explorer, Progress, Surroundings, failure_event};
use super::gauge::Gauge;
use super::harness::{Arguments, FULL, HUNG, STACK, exhausted};
use super::memory::{Memory, remembered};
use super::plan::Plan;
use super::score::Scores;
use super::strategy::Strategy;
use crate::bug::Pattern;
use crate::choice::Seed;
use crate::oracle::{Failure, Signature};
use crate::program::Suite;
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A call that takes longer has not ended.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often it is told how far the run is.
const TELL: Duration = Duration::from_millis(500);
/// How often the run is looked after.
const LOOK: Duration = Duration::from_millis(1);
/// So many bytes of programs that were kept are written: a process that writes large files is ended.
const ROOM: usize = 8 << 20;
/// A process that has lost so many bytes to threads that sleep is to be started anew.
const MOST_LOST: usize = 1 << 30;

/// The log of a run: a file with the plan of the program in flight, one with the scores that it is drawn by,
/// and one with the programs that were kept, for a process that comes after this one.
struct Log {
    file: Option<File>,
    path: PathBuf,
    scores: PathBuf,
    kept: Option<File>,
    /// How many bytes more may be written there.
    room: AtomicUsize,
}

impl Log {
    fn open(arguments: &Arguments) -> Log {
        let path = arguments.value("--journal").map(PathBuf::from);
        let file = path.as_ref().and_then(|path| File::create(path).ok());
        let path = path.unwrap_or_default();
        Log { file, scores: path.with_extension("scores"), path, kept: None, room: AtomicUsize::new(ROOM) }
    }

    /// What the process before this one has kept; begins anew with what is kept from now on. The first of
    /// all processes inherits nothing.
    fn inherit(&mut self, is_first: bool) -> String {
        if self.file.is_none() {
            return String::new();
        }
        let path = self.path.with_extension("kept");
        let lines = if is_first { String::new() } else { fs::read_to_string(&path).unwrap_or_default() };
        self.kept = File::create(path).ok();
        lines
    }

    fn write_kept(&self, line: &str) {
        let Some(mut file) = self.kept.as_ref() else { return };
        let room = self.room.load(Ordering::Relaxed);
        if let Some(rest) = room.checked_sub(line.len()) {
            self.room.store(rest, Ordering::Relaxed);
            let _ = file.write_all(line.as_bytes());
        }
    }

    fn write(&self, plan: &Plan) {
        if let Some(mut file) = self.file.as_ref() {
            let line = format!("{plan}\n");
            let _ = file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(line.as_bytes()));
        }
    }

    /// Keeps what is in the log from being written over; says where.
    fn keep(&self, number: u64) -> Option<PathBuf> {
        let mut kept = self.path.clone().into_os_string();
        kept.push(format!("-{number}"));
        let kept = PathBuf::from(kept);
        fs::copy(&self.path, &kept).ok()?;
        fs::copy(&self.scores, kept.with_extension("scores")).ok()?;
        Some(kept)
    }

    fn write_scores(&self, scores: &Scores) {
        if self.file.is_some() {
            // Whoever dies while this is written leaves the old scores behind.
            let new = self.scores.with_extension("new");
            let _ = fs::write(&new, scores.to_string()).and_then(|()| fs::rename(new, &self.scores));
        }
    }
}

/// What the thread that draws programs shares with the one that watches it.
struct Shared {
    suite: Suite,
    seed: Seed,
    progress: Progress,
    memory: Mutex<Memory>,
    gauge: &'static Gauge,
    counters: Option<Counters>,
    strategy: Strategy,
    known: Vec<Pattern>,
    log: Log,
}

impl Shared {
    /// Tells how far the run is, and what was called well for the first time.
    fn tell(&self) {
        let reached = std::mem::take(&mut remembered(&self.memory).news);
        Event::new("progress")
            .number("programs", self.progress.program.load(Ordering::Relaxed))
            .number("calls", self.progress.calls.load(Ordering::Relaxed))
            .number("failed", self.progress.failed.load(Ordering::Relaxed))
            .number("broken", self.progress.broken.load(Ordering::Relaxed))
            .texts("reached", reached)
            .tell();
    }

    /// Draws the programs of some numbers.
    fn explore(&self, numbers: Range<u64>) {
        let scores = remembered(&self.memory).scores.clone();
        let Shared { suite, seed, progress, memory, gauge, counters, strategy, known, .. } = self;
        let (seed, counters, strategy) = (*seed, *counters, *strategy);
        let around = Surroundings { suite, seed, progress, memory, gauge, counters, strategy, known };
        let mut explorer = Explorer::new(around, scores);
        self.log.write_scores(&explorer.scores);
        for number in numbers {
            if explorer.scores.begins_epoch(number) {
                explorer.weigh();
                self.log.write_scores(&explorer.scores);
            }
            let plan = explorer.plan(number);
            self.log.write(&plan);
            if let Some(line) = explorer.run(&plan, None) {
                self.gauge.spare(|| self.log.write_kept(&line));
            }
        }
    }

    /// Tells the call that does not come back.
    fn lost(&self, failure: Failure) {
        let operation = self.progress.operation.load(Ordering::Relaxed) as usize;
        let name = self.suite.operations.get(operation).map_or("", |operation| operation.name);
        let cause = Box::new(failure.signature);
        let signature = Signature::InCall { operation: name.to_string(), phase: "call", cause };
        let number = self.progress.program.load(Ordering::Relaxed);
        let failure = Failure::new(signature, failure.message);
        let mut memory = remembered(&self.memory);
        if let Some(score) = memory.scores.0.get_mut(operation) {
            score.lost += 1;
        }
        if memory.is_new(&failure) {
            let event = failure_event(&failure, number);
            // The run may go on, and whoever listens wants to trace this program.
            match self.log.keep(number) {
                Some(kept) => event.text("journal", &kept.to_string_lossy()).tell(),
                None => event.tell(),
            }
        }
    }
}

/// Draws programs until the end.
pub(super) fn run(
    suite: Suite,
    arguments: &Arguments,
    gauge: &'static Gauge,
    counters: Option<Counters>,
) -> ExitCode {
    let strategy = Strategy::named(arguments.value("--strategies"));
    let event = Event::new("started").number("operations", suite.operations.len() as u64);
    event.text("strategies", strategy.name()).tell();
    let scores = Scores::new(suite.operations.len());
    let (mut first, count) = (arguments.number("--first", 0), arguments.number("--programs", u64::MAX));
    let end = first.saturating_add(count);
    let mut log = Log::open(arguments);
    let mut memory = Memory::with(scores, &suite);
    memory.inherit(&log.inherit(first == 0), &suite);
    let shared = Arc::new(Shared {
        known: arguments.known(&suite),
        memory: Mutex::new(memory),
        suite,
        seed: Seed(arguments.number("--seed", 0)),
        progress: Progress::default(),
        gauge,
        counters: counters.filter(|_| strategy == Strategy::All),
        strategy,
        log,
    });
    let mut told = Instant::now();
    loop {
        match watch(&shared, first..end, &mut told) {
            Ended::Done => return ExitCode::SUCCESS,
            Ended::Hung => return ExitCode::from(HUNG),
            Ended::Full => return ExitCode::from(FULL),
            Ended::Exhausted if gauge.lost() >= MOST_LOST => return ExitCode::from(FULL),
            Ended::Exhausted => first = shared.progress.program.load(Ordering::Relaxed) + 1,
        }
    }
}

enum Ended {
    Done,
    Hung,
    /// The thread sleeps for ever.
    Exhausted,
    /// Those that sleep have left no room for another one.
    Full,
}

/// Has a thread draw programs, and watches it.
fn watch(shared: &Arc<Shared>, numbers: Range<u64>, told: &mut Instant) -> Ended {
    let (own, gauge) = (shared.clone(), shared.gauge);
    let draw = move || {
        gauge.confine();
        own.explore(numbers);
    };
    let Ok(thread) = std::thread::Builder::new().stack_size(STACK).spawn(draw) else { return Ended::Full };
    let (mut seen, mut since) = (0, Instant::now());
    loop {
        std::thread::sleep(LOOK);
        let is_finished = thread.is_finished();
        let steps = shared.progress.steps.load(Ordering::Relaxed);
        if steps != seen {
            (seen, since) = (steps, Instant::now());
        }
        if told.elapsed() > TELL || is_finished {
            shared.tell();
            *told = Instant::now();
        }
        if let Some(bytes) = gauge.exhausted() {
            shared.lost(exhausted(bytes));
            return Ended::Exhausted;
        }
        if is_finished {
            return Ended::Done;
        }
        if since.elapsed() > PATIENCE {
            shared.lost(Failure::new(Signature::Hung, "the call did not end"));
            return Ended::Hung;
        }
    }
}
