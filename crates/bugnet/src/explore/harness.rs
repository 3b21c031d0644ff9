//! The command line of a harness: runs, traces, replays, reduces and generalizes programs of its suite.
//!
//! Whoever has `run` die or give up a program has it traced: drawn again from the log, with every call
//! written down before it is made.

use super::coverage::Counters;
use super::event::{Event, MEMORY};
use super::explorer::{Explorer, Progress, Surroundings};
use super::gauge::Gauge;
use super::generalize::{generalize, suspects};
use super::memory::Memory;
use super::nest;
use super::plan::Plan;
use super::reduce::reduce;
use super::score::Scores;
use super::strategy::Strategy;
use super::trial::{Apart, Beside, Here, Trial};
use super::watch::run;
use crate::bug::Pattern;
use crate::choice::{Seed, Tape, Watcher};
use crate::oracle::{Failure, Signature};
use crate::program::{DRAWS, Program, Programs, Suite};
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::process::{ExitCode, ExitStatus};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// As large as that of the threads in which tests run.
pub(super) const STACK: usize = 2 << 20;
/// What overflows a stack must overflow one that is larger by this too, for the same call needs more or less
/// of it in a test. What does not comes to its end when it is traced, and is no finding.
const SPARE: usize = STACK / 4;

/// How long a program is repeated.
const REPEATING: Duration = Duration::from_millis(200);

/// The exit code of a harness in which a call did not end.
pub const HUNG: u8 = 3;
/// The exit code of a harness that wants to be started anew.
pub const FULL: u8 = 4;

/// What a harness is asked to do.
pub(super) struct Arguments(Vec<String>);

impl Arguments {
    pub(super) fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.windows(2).filter(move |pair| pair[0] == name).map(|pair| pair[1].as_str())
    }

    pub(super) fn value(&self, name: &str) -> Option<&str> {
        let place = self.0.iter().position(|argument| argument == name)?;
        self.0.get(place + 1).map(String::as_str)
    }

    pub(super) fn number(&self, name: &str, otherwise: u64) -> u64 {
        self.value(name).and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    }

    /// How long a task may take.
    fn time(&self) -> Duration {
        Duration::from_secs(self.number("--seconds", 10))
    }

    /// Where programs are tried.
    fn trial(&self, beside: Beside) -> Box<dyn Trial> {
        match self.flag("--children") {
            false => Box::new(beside),
            true => {
                let known = self.values("--known").map(str::to_string).collect();
                Box::new(Apart::new(self.flag("--hangs"), self.flag("--rough"), known))
            }
        }
    }

    fn flag(&self, name: &str) -> bool {
        self.0.iter().any(|argument| argument == name)
    }

    /// The patterns that no program is to match. Those of operations that are not there match none.
    pub(super) fn known(&self, suite: &Suite) -> Vec<Pattern> {
        self.values("--known").filter_map(|text| Pattern::read(text, suite).ok()).collect()
    }

    fn tape(&self) -> Option<Tape> {
        self.value("--tape")?.parse().ok()
    }
}

/// Runs a harness: what its `main` calls.
pub fn main(suite: fn() -> Suite) -> ExitCode {
    static REST: Gauge = Gauge::new(usize::MAX, usize::MAX >> 1);
    main_with(suite, &REST)
}

/// Runs a harness whose allocator has a gauge.
pub fn main_with(suite: fn() -> Suite, gauge: &'static Gauge) -> ExitCode {
    answer(std::env::args().skip(1).collect(), suite, gauge, None)
}

/// Runs a harness whose code under test has counters.
pub fn main_counted(suite: fn() -> Suite, gauge: &'static Gauge, counters: Counters) -> ExitCode {
    answer(std::env::args().skip(1).collect(), suite, gauge, Some(counters))
}

/// Does what a harness is asked to.
pub fn answer(
    arguments: Vec<String>,
    suite: fn() -> Suite,
    gauge: &'static Gauge,
    counters: Option<Counters>,
) -> ExitCode {
    let arguments = Arguments(arguments);
    let whole = suite;
    let mut suite = suite();
    if matches!(arguments.0.first().map(String::as_str), Some("run" | "trace")) {
        // What is banned is not drawn, but programs that call it can still be replayed.
        suite.operations.retain(|operation| arguments.values("--ban").all(|name| name != operation.name));
        // Neither are long literals for what they kill, nor literals that are lent to it.
        let calm: Vec<&str> = arguments.values("--calm").collect();
        for operation in &mut suite.operations {
            let is_lent = !calm.is_empty() && operation.name.starts_with(DRAWS);
            operation.calm = is_lent || calm.contains(&operation.name) || arguments.flag("--all-calm");
        }
    }
    let (suite, unreachable) = suite.reachable();
    match arguments.0.first().map(String::as_str) {
        Some("run") => run(suite, &arguments, gauge, counters),
        Some("trace") => confined(gauge, STACK + SPARE, move || trace(&suite, &arguments, gauge)),
        Some("replay") => confined(gauge, STACK + SPARE, move || replay(suite, &arguments)),
        Some("reduce") => reduced(suite, &arguments, Beside::new(whole, gauge)),
        Some("generalize") => generalized(suite, &arguments, Beside::new(whole, gauge)),
        Some("show") => show(suite, &arguments),
        Some("list") => list(&suite, &unreachable),
        _ => {
            Event::new("misused")
                .text("message", "say run, trace, replay, reduce, generalize, show or list")
                .tell();
            ExitCode::from(2)
        }
    }
}

/// Works in a thread that may take no more memory than there is; if it does, that is told.
fn confined(
    gauge: &'static Gauge,
    stack: usize,
    work: impl FnOnce() -> ExitCode + Send + 'static,
) -> ExitCode {
    let work = move || {
        gauge.confine();
        work()
    };
    let Ok(thread) = std::thread::Builder::new().stack_size(stack).spawn(work) else {
        return ExitCode::FAILURE;
    };
    while !thread.is_finished() {
        if let Some(bytes) = gauge.exhausted() {
            Event::new("replayed").text("outcome", "fail").failure(&exhausted(bytes)).tell();
            return ExitCode::from(FULL);
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    thread.join().unwrap_or(ExitCode::FAILURE)
}

/// The failure of a call that wants so many bytes.
pub(super) fn exhausted(bytes: usize) -> Failure {
    Failure::new(Signature::Died(MEMORY.to_string()), format!("it wanted {bytes} bytes"))
}

/// Tells what can be called.
fn list(suite: &Suite, unreachable: &[&'static str]) -> ExitCode {
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

/// Tells what a program calls, and how it is written.
fn show(suite: Suite, arguments: &Arguments) -> ExitCode {
    let programs = Programs::new(suite);
    let program = arguments.tape().and_then(|tape| Some((Program::of(programs.suite(), &tape)?, tape)));
    let Some((program, tape)) = program else { return ExitCode::from(2) };
    nest::forget();
    let lines = programs.lines(&tape, None);
    Event::new("program")
        .texts("operations", called(&programs, &program))
        .texts("lines", lines.iter().map(|line| line.text.as_str()))
        .flag("deep", nest::is_deep())
        .tell();
    ExitCode::SUCCESS
}

/// The names of what a program calls, in order.
pub(super) fn called<'a>(programs: &'a Programs, program: &'a Program) -> impl Iterator<Item = &'a str> {
    program.calls.iter().map(|call| programs.suite().operations[call.operation].name)
}

/// Draws the program of a log again; before each call, writes it down.
fn trace(suite: &Suite, arguments: &Arguments, gauge: &'static Gauge) -> ExitCode {
    let path = PathBuf::from(arguments.value("--journal").unwrap_or_default());
    let read = || -> Option<(Plan, Scores)> {
        let log = fs::read_to_string(&path).ok()?;
        let plan = log.lines().next()?.parse().ok()?;
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
    let (progress, memory) = (Progress::default(), Mutex::new(Memory::with(scores.clone(), suite)));
    let seed = Seed(arguments.number("--seed", 0));
    let strategy = Strategy::named(arguments.value("--strategies"));
    let (progress, memory, known) = (&progress, &memory, &arguments.known(suite)[..]);
    let around = Surroundings { suite, seed, progress, memory, gauge, counters: None, strategy, known };
    let mut explorer = Explorer::new(around, scores);
    explorer.run(&plan, Some(Watcher(Box::new(write))));
    Event::new("traced").tell();
    ExitCode::SUCCESS
}

/// Runs one program, and then so often as it is asked to. What is told first is what the first run did, for the
/// others may find what it left behind.
fn replay(suite: Suite, arguments: &Arguments) -> ExitCode {
    let Some(tape) = arguments.tape() else { return ExitCode::from(2) };
    let mut programs = Programs::new(suite);
    programs.barred = arguments.known(programs.suite());
    let event = Event::new("replayed");
    let run = || Here(&programs).failure(&tape);
    let first = run();
    match &first {
        Some(failure) => event.text("outcome", "fail").failure(failure).tell(),
        None => event.text("outcome", "pass").tell(),
    }
    let times = arguments.number("--times", 1);
    if times > 1 {
        let (failed, runs) = repeat(first.map(|failure| failure.signature), times, run);
        Event::new("repeated").number("failed", failed).number("runs", runs).tell();
    }
    ExitCode::SUCCESS
}

/// In how many of how many runs a program fails as it did the first time that it failed.
fn repeat(mut signature: Option<Signature>, times: u64, run: impl Fn() -> Option<Failure>) -> (u64, u64) {
    let start = Instant::now();
    let (mut failed, mut runs) = (u64::from(signature.is_some()), 1);
    while runs < times && start.elapsed() < REPEATING {
        let again = run().map(|failure| failure.signature);
        if signature.is_none() {
            signature.clone_from(&again);
        }
        failed += u64::from(again.is_some() && again == signature);
        runs += 1;
    }
    (failed, runs)
}

/// Reduces one program.
fn reduced(suite: Suite, arguments: &Arguments, beside: Beside) -> ExitCode {
    let Some(tape) = arguments.tape() else { return ExitCode::from(2) };
    let programs = Programs::new(suite);
    match reduce(&programs, &*arguments.trial(beside), &tape, arguments.time()) {
        Some(event) => event.tell(),
        None => Event::new("passed").tell(),
    }
    ExitCode::SUCCESS
}

/// Finds out what programs that fail as one does have in common.
fn generalized(suite: Suite, arguments: &Arguments, beside: Beside) -> ExitCode {
    let program = arguments.tape().and_then(|tape| Program::of(&suite, &tape));
    let Some(program) = program else { return ExitCode::from(2) };
    match generalize(&suite, &*arguments.trial(beside), &program, arguments.time()) {
        Some(pattern) => {
            let suspects: Vec<String> = suspects(&pattern).iter().map(|one| one.stored(&suite)).collect();
            Event::new("generalized")
                .text("pattern", &pattern.stored(&suite))
                .text("words", &pattern.words(&suite))
                .number("calls", pattern.elements.len() as u64)
                .texts("suspects", suspects.iter().map(String::as_str))
                .tell();
        }
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
