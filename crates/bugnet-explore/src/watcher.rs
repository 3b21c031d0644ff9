//! Running without end: a thread draws programs, and another one watches it.
//!
//! A call that does not end, or that wants more memory than there is, is told with the number of its
//! program. After the first the process ends; after the second the thread sleeps for ever, and another one
//! goes on with the next program.

use super::coverage::{Counted, Counters};
use super::elsewhere;
use super::event::{exhausted, tell};
use super::explorer::{Explorer, Progress, Surroundings};
use super::memory::{Memory, remembered};
use super::memory_limit::MemoryLimit;
use super::meter::Measure;
use super::plan::Plan;
use super::schedule::{OwnTime, Schedule};
use super::serve::{STACK, known, lesson, measure, message, table};
use super::stated;
use super::strategy::Strategy;
use super::told::Table;
use super::weight::Scores;
use bugnet::bug::Pattern;
use bugnet::choice::{Seed, Tape};
use bugnet::oracle::{Failure, Phase, Signature};
use bugnet::program::Suite;
use bugnet::wire::Role;
use bugnet::wire::explore::{self, Ending, Event, Exploration, Found, Restraint};
use bugnet_process::{Channel, Journal, channel, patience};
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The time between two reports of progress.
const TELL: Duration = Duration::from_millis(500);
/// The time between two looks at the run.
const LOOK: Duration = Duration::from_millis(1);
/// Bytes that parked threads may hold before the process is started anew.
const MOST_LOST: usize = 1 << 30;
/// Parked threads that a process may have before it is started anew. Each has a stack of its own, and a
/// system without room for another would end the process earlier on one machine than on another.
const MOST_ASLEEP: u32 = 1_024;

/// The log of a run: the journal has the plan of the program in flight; the weights that it is drawn by, and the
/// programs that are kept, are told. Nobody who shares no journal wants any of it.
struct Log(Option<Mutex<Journal>>);

impl Log {
    fn open() -> Log {
        Log(channel().and_then(Channel::journal).map(Mutex::new))
    }

    fn write(&self, plan: &Plan) {
        if let Some(journal) = &self.0 {
            let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
            journal.write(plan.to_string().as_bytes());
        }
    }

    /// Writes a record that is no plan.
    fn note(&self, text: &str) {
        if let Some(journal) = &self.0 {
            journal.lock().unwrap_or_else(PoisonError::into_inner).write(text.as_bytes());
        }
    }

    /// Returns the plan of the program in flight.
    fn plan(&self) -> Option<String> {
        let journal = self.0.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8(journal.read()?).ok()
    }

    /// Tells something that only whoever shares the journal wants to hear.
    fn tell(&self, event: impl FnOnce() -> Event) {
        if self.0.is_some() {
            tell(&event());
        }
    }
}

/// Looks at programs that were run.
pub(crate) trait Audience: Send {
    /// Looks at a program. Before each run of it, says by a number of its own which run is next.
    fn look(&mut self, suite: &Suite, program: u64, tape: &Tape, next: &mut dyn FnMut(usize));
}

/// The values that the thread that draws programs shares with the one that watches it.
struct Shared {
    suite: Suite,
    seed: Seed,
    progress: Progress,
    memory: Mutex<Memory>,
    gauge: &'static MemoryLimit,
    counters: Option<Counted>,
    strategy: Strategy,
    measure: Measure,
    /// Patterns that no program is to match, with those that were learned on the way.
    known: Mutex<Vec<Pattern>>,
    /// True if the process pauses after a program that has broken a law.
    pauses: bool,
    told: Table,
    log: Log,
    /// Looks at every program that was run.
    audience: Option<Mutex<Box<dyn Audience>>>,
}

impl Shared {
    /// Tells how far the run is, and what was called well for the first time.
    fn tell(&self) {
        let reached = std::mem::take(&mut remembered(&self.memory).news);
        tell(&Event::Progress(explore::Progress {
            program: self.progress.program.load(Ordering::Relaxed),
            calls: self.progress.calls.load(Ordering::Relaxed),
            failed: self.progress.failed.load(Ordering::Relaxed),
            broken: self.progress.broken.load(Ordering::Relaxed),
            reached: reached.into_iter().map(str::to_string).collect(),
        }));
        self.gauge.spare(|| stated::checked().into_iter().for_each(|checked| tell(&Event::Checked(checked))));
    }

    /// Draws the programs of some numbers.
    fn explore(&self, numbers: Range<u64>) {
        let scores = remembered(&self.memory).scores.clone();
        let Shared { suite, seed, progress, memory, gauge, counters, strategy, measure, told, .. } = self;
        let known = &self.known().clone()[..];
        let (seed, counters, strategy, measure) = (*seed, counters.as_ref(), *strategy, *measure);
        let around =
            Surroundings { suite, seed, progress, memory, gauge, counters, strategy, measure, known, told };
        let mut explorer = Explorer::new(around, scores);
        explorer.last = self.audience.as_ref().map(|_| Tape::default());
        self.weigh(&explorer.scores);
        for number in numbers {
            if explorer.scores.begins_epoch(number) {
                explorer.weigh();
                self.weigh(&explorer.scores);
            }
            let plan = explorer.plan(number);
            self.gauge.spare(|| self.log.write(&plan));
            if let Some(kept) = explorer.run(&plan, None) {
                self.gauge.spare(|| self.log.tell(|| Event::Kept(kept.clone())));
            }
            self.tally(false);
            self.show(number, explorer.last.as_ref());
            if self.pauses && std::mem::take(&mut remembered(&self.memory).has_broken) {
                self.gauge.spare(|| self.pause(&mut explorer));
            }
        }
        self.tally(true);
    }

    /// Tells the programs that were counted, if there are enough of them or `all` are wanted.
    fn tally(&self, all: bool) {
        let gauge = self.gauge;
        let told = || remembered(&self.memory).tallied.take(all);
        gauge.spare(|| told().into_iter().for_each(|bytes| tell(&Event::Tallied(bytes))));
    }

    fn known(&self) -> MutexGuard<'_, Vec<Pattern>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until it is told what to avoid from now on. A law that is avoided is told again if it is broken another
    /// way.
    fn pause(&self, explorer: &mut Explorer) {
        self.progress.is_paused.store(true, Ordering::Relaxed);
        tell(&Event::Paused);
        let restraint = lesson();
        self.progress.is_paused.store(false, Ordering::Relaxed);
        let learned = known(&restraint, &self.suite);
        let mut known = self.known();
        let news = learned.iter().skip(known.len()).filter_map(|pattern| pattern.elements.last());
        let news = news.map(|element| self.suite.operations[element.operation].name).collect();
        remembered(&self.memory).forget(&news);
        explorer.avoid(&learned);
        *known = learned;
    }

    /// Shows a program to whoever looks at them.
    fn show(&self, number: u64, tape: Option<&Tape>) {
        let (Some(audience), Some(tape)) = (&self.audience, tape) else { return };
        let mut next = |part: usize| {
            // What comes next may hang or die, and then it is known.
            self.gauge.spare(|| self.log.note(&format!("{number} {part}")));
            self.progress.steps.fetch_add(1, Ordering::Relaxed);
        };
        let mut audience = audience.lock().unwrap_or_else(PoisonError::into_inner);
        audience.look(&self.suite, number, tape, &mut next);
    }

    /// Tells the weights by which programs are drawn from now on.
    fn weigh(&self, scores: &Scores) {
        self.gauge.spare(|| self.log.tell(|| Event::Epoch(scores.to_string())));
    }

    /// Tells the call that does not come back.
    fn lost(&self, failure: Failure) {
        let operation = self.progress.operation.load(Ordering::Relaxed) as usize;
        let known = self.suite.operations.get(operation);
        let name = known.map_or("", |operation| operation.name);
        let role = known.map_or(Role::Function, |operation| self.suite.role_of(operation));
        let cause = Box::new(failure.signature);
        let signature = Signature::InCall { operation: name.to_string(), phase: Phase::Call, cause };
        let failure = Failure::new(signature, failure.message);
        let mut memory = remembered(&self.memory);
        if let Some(score) = memory.scores.0.get_mut(operation) {
            score.lost += 1;
        }
        if memory.is_new(&failure) {
            // The run may go on, and whoever listens wants to draw this program again.
            tell(&Event::Found(Found { failure, role, tape: None, plan: self.log.plan() }));
        }
    }
}

/// Draws programs until the end.
pub(super) fn run(
    suite: Suite,
    exploration: &Exploration,
    restraint: &Restraint,
    gauge: &'static MemoryLimit,
    counters: Option<Counters>,
    audience: Option<Box<dyn Audience>>,
) -> Ending {
    let strategy = Strategy::named(&exploration.strategies);
    let operations = suite.operations.len();
    tell(&Event::Started { operations: operations as u64, strategies: strategy.name().to_string() });
    let mut first = exploration.first;
    let end = first.saturating_add(exploration.programs.unwrap_or(u64::MAX));
    let mut memory = Memory::with(Scores::new(operations), &suite);
    memory.inherit(&exploration.inherit, &suite);
    let shared = Arc::new(Shared {
        known: Mutex::new(known(restraint, &suite)),
        pauses: exploration.pauses,
        told: table(restraint, &suite),
        memory: Mutex::new(memory),
        suite,
        seed: exploration.seed,
        progress: Progress::default(),
        gauge,
        counters: counters.filter(|_| strategy == Strategy::All).map(Counted::new),
        strategy,
        measure: measure(exploration.programs.is_some()),
        log: Log::open(),
        audience: audience.map(Mutex::new),
    });
    let (mut told, mut asleep) = (Told { last: Instant::now(), is_any: false }, 0);
    loop {
        match watch(&shared, first..end, &mut told) {
            Ended::Done => return Ending::Done,
            Ended::Broken(message) => return Ending::OurBug(message),
            Ended::Hung => return Ending::CallHangs,
            Ended::Full => return Ending::Full,
            Ended::Exhausted if gauge.lost() >= MOST_LOST => return Ending::Full,
            Ended::Exhausted if asleep == MOST_ASLEEP => return Ending::Full,
            Ended::Exhausted => {
                asleep += 1;
                first = shared.progress.program.load(Ordering::Relaxed) + 1;
            }
        }
    }
}

/// When it was told how far the run is.
struct Told {
    last: Instant,
    /// True once any call was reported.
    is_any: bool,
}

impl Told {
    /// Returns true if it is time for another report. The first calls are reported at once, because nobody
    /// knows when the process ends.
    fn is_due(&mut self, calls: u64) -> bool {
        let is_due = self.last.elapsed() > TELL || (calls > 0 && !self.is_any);
        if is_due {
            *self = Told { last: Instant::now(), is_any: calls > 0 };
        }
        is_due
    }
}

enum Ended {
    Done,
    /// Our own code has panicked: that of others is called where panics are caught.
    Broken(String),
    Hung,
    /// The thread sleeps for ever.
    Exhausted,
    /// Those that sleep have left no room for another one.
    Full,
}

/// Has a thread draw programs, and watches it.
fn watch(shared: &Arc<Shared>, numbers: Range<u64>, told: &mut Told) -> Ended {
    let (own, gauge, schedule) = (shared.clone(), shared.gauge, Arc::new(OnceLock::new()));
    let scheduled = schedule.clone();
    let draw = move || {
        let _ = scheduled.set(Schedule::of_this_thread());
        gauge.confine();
        own.explore(numbers);
    };
    let Ok(thread) = std::thread::Builder::new().stack_size(STACK).spawn(draw) else { return Ended::Full };
    let waited = || schedule.get().map_or(Duration::ZERO, Schedule::waited) + elsewhere::waited();
    let (mut seen, mut time) = (0, OwnTime::start());
    loop {
        std::thread::sleep(LOOK);
        let is_finished = thread.is_finished();
        let steps = shared.progress.steps.load(Ordering::Relaxed);
        if steps != seen || shared.progress.is_paused.load(Ordering::Relaxed) {
            (seen, time) = (steps, OwnTime::start());
        }
        if is_finished || told.is_due(shared.progress.calls.load(Ordering::Relaxed)) {
            shared.tell();
        }
        if let Some(bytes) = gauge.exhausted() {
            shared.lost(exhausted(format!("it wanted {bytes} bytes")));
            return Ended::Exhausted;
        }
        if is_finished {
            return match thread.join() {
                Ok(()) => Ended::Done,
                Err(panic) => Ended::Broken(message(&*panic)),
            };
        }
        if time.is_over(patience::CALL, &waited) {
            shared.lost(Failure::new(Signature::Hung, "the call did not end"));
            return Ended::Hung;
        }
    }
}
