//! The command line of a harness: runs, traces, replays and reduces programs of its suite.
//!
//! `run` draws programs in a thread, while another one watches it: a call that does not end, or wants
//! more memory than there is, is told with the number of its program. Whoever started the harness has
//! that program traced: drawn again, with every call written down before it is made.

use super::event::Event;
use super::explorer::{Explorer, Plan, Progress, begins_epoch, failure_event};
use super::reduce::{Apart, Here, Trial, reduce};
use super::score::Scores;
use crate::choice::{Seed, Tape, Watcher};
use crate::oracle::{Failure, Signature};
use crate::program::{Programs, Suite};
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::process::{ExitCode, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// A call that takes longer has not ended.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often it is told how far the run is.
const TELL: Duration = Duration::from_millis(500);
/// How often the run is looked after.
const LOOK: Duration = Duration::from_millis(20);
/// As large as that of the main thread of most programs.
const STACK: usize = 8 << 20;
/// After so many calls without end of memory, a process is full of what they left behind.
const MOST_LOST: u32 = 64;

/// The exit code of a harness in which a call did not end.
pub const HUNG: u8 = 3;
/// The exit code of a harness that wants to be started anew.
pub const FULL: u8 = 4;

/// What an allocator tells its harness.
#[derive(Debug, Default)]
pub struct Gauge {
    /// Set by the thread that wants more memory than there is, before it goes to sleep for ever.
    pub exhausted: AtomicBool,
    /// How often that was.
    pub lost: AtomicU32,
}

impl Gauge {
    /// A gauge at rest.
    pub const fn new() -> Gauge {
        Gauge { exhausted: AtomicBool::new(false), lost: AtomicU32::new(0) }
    }
}

/// What a harness is asked to do.
struct Arguments(Vec<String>);

impl Arguments {
    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.windows(2).filter(move |pair| pair[0] == name).map(|pair| pair[1].as_str())
    }

    fn value(&self, name: &str) -> Option<&str> {
        let place = self.0.iter().position(|argument| argument == name)?;
        self.0.get(place + 1).map(String::as_str)
    }

    fn number(&self, name: &str, otherwise: u64) -> u64 {
        self.value(name).and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    }

    fn flag(&self, name: &str) -> bool {
        self.0.iter().any(|argument| argument == name)
    }

    fn tape(&self) -> Option<Tape> {
        self.value("--tape")?.parse().ok()
    }
}

/// Runs a harness: what its `main` calls.
pub fn main(suite: fn() -> Suite) -> ExitCode {
    static REST: Gauge = Gauge::new();
    main_with(suite, &REST)
}

/// Runs a harness whose allocator has a gauge.
pub fn main_with(suite: fn() -> Suite, gauge: &'static Gauge) -> ExitCode {
    let arguments = Arguments(std::env::args().skip(1).collect());
    let (suite, unreachable) = suite().reachable();
    match arguments.0.first().map(String::as_str) {
        Some("run") => run(suite, &arguments, gauge),
        Some("trace") => on_a_large_stack(move || trace(&suite, &arguments)),
        Some("replay") => on_a_large_stack(move || replay(suite, &arguments)),
        Some("reduce") => on_a_large_stack(move || reduced(suite, &arguments)),
        Some("list") => {
            for operation in &suite.operations {
                let parameters = operation.parameters.iter().map(|parameter| parameter.kind.name);
                let event = Event::new("operation").text("name", operation.name);
                event.texts("parameters", parameters).flag("reachable", true).tell();
            }
            for name in unreachable {
                Event::new("operation").text("name", name).flag("reachable", false).tell();
            }
            ExitCode::SUCCESS
        }
        _ => {
            Event::new("misused").text("message", "say run, trace, replay, reduce or list").tell();
            ExitCode::from(2)
        }
    }
}

fn on_a_large_stack(work: impl FnOnce() -> ExitCode + Send + 'static) -> ExitCode {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
    thread.ok().and_then(|thread| thread.join().ok()).unwrap_or(ExitCode::FAILURE)
}

/// The log of a run: a file with the number of the program in flight and what it extends, and one with the
/// scores it is drawn by.
struct Log {
    file: Option<File>,
    scores: PathBuf,
}

impl Log {
    fn open(arguments: &Arguments) -> Log {
        let path = arguments.value("--journal").map(PathBuf::from);
        let scores = path.as_ref().map(|path| path.with_extension("scores")).unwrap_or_default();
        Log { file: path.and_then(|path| File::create(path).ok()), scores }
    }

    fn write(&mut self, plan: &Plan) {
        if let Some(file) = &mut self.file {
            let line = format!("{} {}\n", plan.number, plan.base);
            let _ = file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(line.as_bytes()));
        }
    }

    fn write_scores(&self, scores: &Scores) {
        if self.file.is_some() {
            let _ = fs::write(&self.scores, scores.to_string());
        }
    }
}

/// What passes between the thread that draws programs and the one that watches it.
struct Shared {
    suite: Suite,
    progress: Progress,
    seed: Seed,
}

/// Draws programs until the end.
fn run(suite: Suite, arguments: &Arguments, gauge: &'static Gauge) -> ExitCode {
    let seed = Seed(arguments.number("--seed", 0));
    let shared = Arc::new(Shared { suite, progress: Progress::default(), seed });
    Event::new("started").number("operations", shared.suite.operations.len() as u64).tell();
    let mut scores = Scores::new(shared.suite.operations.len());
    for banned in arguments.values("--ban") {
        let place = shared.suite.operations.iter().position(|operation| operation.name == banned);
        if let Some(place) = place {
            scores.0[place].lost = 1 << 20;
        }
    }
    let (mut first, end) = (arguments.number("--first", 0), arguments.number("--programs", u64::MAX));
    let end = first.saturating_add(end);
    let mut log = Log::open(arguments);
    loop {
        match watch(&shared, first..end, scores, &mut log, gauge) {
            Ended::Done => return ExitCode::SUCCESS,
            Ended::Hung => return ExitCode::from(HUNG),
            Ended::Exhausted(left) => {
                if gauge.lost.fetch_add(1, Ordering::Relaxed) >= MOST_LOST {
                    return ExitCode::from(FULL);
                }
                first = shared.progress.program.load(Ordering::Relaxed) + 1;
                scores = left;
            }
        }
    }
}

enum Ended {
    Done,
    Hung,
    /// A thread sleeps for ever; these are its scores.
    Exhausted(Scores),
}

/// Has a thread draw programs, and watches it.
fn watch(
    shared: &Arc<Shared>,
    numbers: std::ops::Range<u64>,
    mut scores: Scores,
    log: &mut Log,
    gauge: &Gauge,
) -> Ended {
    let (sender, receiver) = mpsc::sync_channel::<(Scores, Vec<&'static str>)>(1);
    let (given, started) = (scores.clone(), shared.clone());
    let mut own =
        Log { file: log.file.as_ref().and_then(|file| file.try_clone().ok()), scores: log.scores.clone() };
    let draw = move || explore(&started, numbers, given, &mut own, &sender);
    if std::thread::Builder::new().stack_size(STACK).spawn(draw).is_err() {
        return Ended::Done;
    }
    let progress = &shared.progress;
    let (mut seen, mut since, mut told) = (0, Instant::now(), Instant::now());
    loop {
        let ended = match receiver.recv_timeout(LOOK) {
            Ok((news, reached)) => {
                scores = news;
                tell_progress(progress, &reached);
                told = Instant::now();
                false
            }
            Err(RecvTimeoutError::Timeout) => false,
            Err(RecvTimeoutError::Disconnected) => true,
        };
        let calls = progress.calls.load(Ordering::Relaxed);
        if calls != seen {
            (seen, since) = (calls, Instant::now());
        }
        if gauge.exhausted.swap(false, Ordering::SeqCst) {
            let operation =
                lost(shared, Signature::Died("out of memory".into()), "it wants more memory than there is");
            scores.0[operation].lost += 1;
            return Ended::Exhausted(scores);
        }
        if ended {
            tell_progress(progress, &[]);
            return Ended::Done;
        }
        if since.elapsed() > PATIENCE {
            lost(shared, Signature::Hung, "the call did not end");
            return Ended::Hung;
        }
        if told.elapsed() > TELL {
            tell_progress(progress, &[]);
            told = Instant::now();
        }
    }
}

/// Tells the call that does not come back.
fn lost(shared: &Shared, cause: Signature, message: &str) -> usize {
    let progress = &shared.progress;
    let operation = progress.operation.load(Ordering::Relaxed) as usize;
    let name = shared.suite.operations.get(operation).map_or("", |operation| operation.name);
    let signature = Signature::InCall { operation: name.to_string(), phase: "call", cause: Box::new(cause) };
    let number = progress.program.load(Ordering::Relaxed);
    failure_event(&Failure::new(signature, message), number).tell();
    operation
}

fn tell_progress(progress: &Progress, reached: &[&'static str]) {
    Event::new("progress")
        .number("programs", progress.program.load(Ordering::Relaxed))
        .number("calls", progress.calls.load(Ordering::Relaxed))
        .number("failed", progress.failed.load(Ordering::Relaxed))
        .texts("reached", reached.iter().copied())
        .tell();
}

/// Draws the programs of some numbers.
fn explore(
    shared: &Shared,
    numbers: std::ops::Range<u64>,
    scores: Scores,
    log: &mut Log,
    sender: &mpsc::SyncSender<(Scores, Vec<&'static str>)>,
) {
    let mut explorer = Explorer::new(&shared.suite, shared.seed, scores, &shared.progress);
    log.write_scores(&explorer.scores);
    let (mut known, mut told) = (Vec::new(), Instant::now());
    for number in numbers {
        if begins_epoch(number) {
            explorer.weigh();
            log.write_scores(&explorer.scores);
            if told.elapsed() > TELL {
                let reached = explorer.newly_reached(&mut known);
                let _ = sender.try_send((explorer.scores.clone(), reached));
                told = Instant::now();
            }
        }
        let plan = explorer.plan(number);
        log.write(&plan);
        explorer.run(&plan, None);
    }
    let _ = sender.send((explorer.scores.clone(), explorer.newly_reached(&mut known)));
}

/// Draws the program of a log again; before each call, writes it down.
fn trace(suite: &Suite, arguments: &Arguments) -> ExitCode {
    let path = PathBuf::from(arguments.value("--journal").unwrap_or_default());
    let read = || -> Option<(Plan, Scores)> {
        let log = fs::read_to_string(&path).ok()?;
        let (number, base) = log.lines().next()?.split_once(' ')?;
        let plan = Plan { number: number.parse().ok()?, base: base.parse().ok()? };
        let scores = fs::read_to_string(path.with_extension("scores")).ok()?.parse().ok()?;
        Some((plan, scores))
    };
    let (Some((plan, scores)), Ok(mut file)) = (read(), File::create(path.with_extension("trace"))) else {
        return ExitCode::from(2);
    };
    let write = move |tape: &Tape| {
        let _ = file.set_len(0);
        let _ = file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(tape.to_string().as_bytes()));
    };
    let progress = Progress::default();
    let mut explorer = Explorer::new(suite, Seed(arguments.number("--seed", 0)), scores, &progress);
    explorer.run(&plan, Some(Watcher(Box::new(write))));
    Event::new("traced").tell();
    ExitCode::SUCCESS
}

/// Runs one program.
fn replay(suite: Suite, arguments: &Arguments) -> ExitCode {
    let Some(tape) = arguments.tape() else { return ExitCode::from(2) };
    let programs = Programs::new(suite);
    let event = Event::new("replayed");
    match Here(&programs).failure(&tape) {
        Some(failure) => event.text("outcome", "fail").failure(&failure).tell(),
        None => event.text("outcome", "pass").tell(),
    }
    ExitCode::SUCCESS
}

/// Reduces one program.
fn reduced(suite: Suite, arguments: &Arguments) -> ExitCode {
    let Some(tape) = arguments.tape() else { return ExitCode::from(2) };
    let time = Duration::from_secs(arguments.number("--seconds", 10));
    let programs = Programs::new(suite);
    let here = Here(&programs);
    let trial: &dyn Trial = if arguments.flag("--children") { &Apart } else { &here };
    match reduce(&programs, trial, &tape, time) {
        Some(event) => event.tell(),
        None => Event::new("passed").tell(),
    }
    ExitCode::SUCCESS
}

/// How a process has ended that has told nothing.
pub(super) fn death(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("signal {signal}");
    }
    status.code().map_or("it died".to_string(), |code| format!("exit {code}"))
}
