//! Serving: what a harness does for the command that asked it.
//!
//! Whoever has exploring die or give up a program has it drawn again from its plan, with every call journalled
//! before it is made.
//!
//! **Invariant:** each process serves one command, and its last event says how that ended.

use super::compare::compare;
use super::contrast::{Contrasting, attend, disputed};
use super::coverage::Counters;
use super::describe::described;
use super::elsewhere;
use super::entropy;
use super::event::{exhausted, tell};
use super::explorer::{Explorer, Progress, Surroundings};
use super::filter::Filter;
use super::generalize::{generalize, suspects, widened};
use super::limit::Limit;
use super::memory::Memory;
use super::memory_limit::MemoryLimit;
use super::meter::Measure;
use super::reduce::reduce;
use super::schedule::{OwnTime, Schedule};
use super::stack;
use super::strategy::Strategy;
use super::switches;
use super::told::Table;
use super::transcript::Stage;
use super::trial::{Apart, Beside, Here, Trial};
use super::watcher::run;
use bugnet::bug::Pattern;
use bugnet::choice::Tape;
use bugnet::engine::Watcher;
use bugnet::oracle::{Failure, Signature};
use bugnet::program::{Operation, Program, Programs, Role, Suite};
use bugnet::wire::explore::{
    self, Command, Comparison, Drawing, Ending, Event, Filtering, Generalized, Manner, Replay, Restraint,
    Task,
};
use bugnet::wire::{VERSION, decode};
use bugnet_process::{Channel, channel, patience};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Bytes of the stack: as many as the threads have in which tests run.
pub(super) const STACK: usize = 2 << 20;
/// Bytes by which the stack of the explorer is larger than that of a test. A program must overflow both to be
/// a finding, because the same call needs a little more or less stack in a test. A program that overflows
/// only the smaller one finishes when it is traced, and is dropped.
const SPARE: usize = STACK / 4;

/// A program that is known to hang has come to the call that does if that takes longer.
const BRIEF: Duration = Duration::from_millis(600);
/// The time for which a program is repeated, so that a slow one does not hold up the run.
const REPEATING: Duration = Duration::from_millis(200);

/// Returns the patterns that no program is to match. Those of operations that are not there match none.
pub(super) fn known(restraint: &Restraint, suite: &Suite) -> Vec<Pattern> {
    restraint.known.iter().filter_map(|text| Pattern::read(text, suite).ok()).collect()
}

/// Returns what a process that has paused is told to steer around from now on. If nobody is left to tell it, it ends.
pub(super) fn lesson() -> Restraint {
    let commands = channel().into_iter().flat_map(|channel| std::iter::from_fn(|| channel.receive()));
    let mut lessons = commands.filter_map(|frame| match decode(&frame) {
        Some(Command::Know(restraint)) => Some(restraint),
        _ => None,
    });
    lessons.next().unwrap_or_else(|| std::process::exit(0))
}

/// Returns the table of literals: no long ones for operations that they kill, nor any that are lent to those.
pub(super) fn table(restraint: &Restraint, suite: &Suite) -> Table {
    let calm = &restraint.calm;
    Table::of(suite, &|operation| {
        let is_lent = !calm.is_empty() && operation.role == Role::Literal;
        is_lent || calm.iter().any(|calm| calm == operation.name) || restraint.is_all_calm
    })
}

/// Returns the measure by which a call counts as one that takes long: a run that is to be the same every time asks
/// no clock.
pub(super) fn measure(is_steady: bool) -> Measure {
    if is_steady { Measure::Counts } else { Measure::Clock }
}

/// Returns the seed of the random numbers that the code under test gets, if it is to do the same in every run: a
/// certain number of programs, or of trials, is.
fn fixed(command: &Command) -> Option<u64> {
    match command {
        Command::Explore(exploration) => exploration.programs.map(|_| exploration.seed.0),
        Command::Filter(filtering) => Some(filtering.exploration.seed.0),
        Command::Contrast(contrast) => Some(contrast.exploration.seed.0),
        Command::Compare(_) | Command::Dispute(_) | Command::Attend => Some(0),
        Command::Draw(drawing) => drawing.is_steady.then_some(drawing.seed.0),
        Command::Replay(replay) => replay.is_steady.then_some(0),
        Command::Reduce(task) | Command::Generalize(task) => is_steady(task).then_some(0),
        _ => None,
    }
}

fn is_steady(task: &Task) -> bool {
    matches!(task.limit, explore::Limit::Trials(_))
}

/// Returns the place in which the programs of a task are tried.
fn trial(task: &Task, restraint: &Restraint, beside: Beside) -> Box<dyn Trial> {
    match task.manner {
        Manner::Beside => Box::new(beside),
        Manner::Apart { hangs, is_rough } => {
            let apart = Apart::new(hangs, is_rough, restraint.known.clone());
            Box::new(apart.steady(is_steady(task)))
        }
    }
}

/// Runs a harness: what its `main` calls.
pub fn main(suite: fn() -> Suite) -> ExitCode {
    static REST: MemoryLimit = MemoryLimit::new(usize::MAX, usize::MAX >> 1);
    main_with(suite, &REST)
}

/// Runs a harness whose allocator has a gauge.
pub fn main_with(suite: fn() -> Suite, gauge: &'static MemoryLimit) -> ExitCode {
    answer(suite, gauge, None)
}

/// Runs a harness whose code under test has counters.
pub fn main_counted(suite: fn() -> Suite, gauge: &'static MemoryLimit, counters: Counters) -> ExitCode {
    answer(suite, gauge, Some(counters))
}

/// Does what a harness is asked to.
pub fn answer(suite: fn() -> Suite, gauge: &'static MemoryLimit, counters: Option<Counters>) -> ExitCode {
    let Some(channel) = channel() else {
        eprintln!("This harness answers `cargo bugnet explore`, which starts it; it does nothing by itself.");
        return ExitCode::from(2);
    };
    tell(&Event::Ending(ended(|| match asked(channel) {
        Ok((command, restraint)) => serve(command, restraint, suite, gauge, counters),
        Err(reason) => Ending::Misused(reason),
    })));
    ExitCode::SUCCESS
}

/// Serves a command, and takes a panic for one of ours: code under test runs in other threads, or is caught.
fn ended(serve: impl FnOnce() -> Ending) -> Ending {
    catch_unwind(AssertUnwindSafe(serve)).unwrap_or_else(|panic| Ending::OurBug(message(&*panic)))
}

/// Returns the command, and what to steer around.
fn asked(channel: &Channel) -> Result<(Command, Restraint), String> {
    let mut restraint = Restraint::default();
    loop {
        match channel.receive().and_then(|frame| decode(&frame)) {
            Some(Command::Hello { version }) if version != VERSION => {
                return Err(format!(
                    "it speaks version {VERSION} of the wire, and was asked in version {version}"
                ));
            }
            Some(Command::Hello { .. }) => {}
            Some(Command::Know(known)) => restraint = known,
            Some(command) => return Ok((command, restraint)),
            None => return Err("it was asked nothing that it understands".to_string()),
        }
    }
}

fn serve(
    command: Command,
    restraint: Restraint,
    whole: fn() -> Suite,
    gauge: &'static MemoryLimit,
    counters: Option<Counters>,
) -> Ending {
    if let Some(seed) = fixed(&command) {
        entropy::fix(seed);
    }
    let mut suite = whole();
    if matches!(command, Command::Explore(_) | Command::Draw(_) | Command::Filter(_) | Command::Contrast(_)) {
        // A banned operation is not drawn, but programs that call it can still be replayed.
        suite.operations.retain(|operation| restraint.ban.iter().all(|name| name != operation.name));
    }
    let (suite, unreachable) = suite.reachable();
    let Some(suite) = suite else { return Ending::NothingLeft };
    let beside = || Beside::new(whole, gauge);
    match command {
        Command::Explore(exploration) => run(suite, &exploration, &restraint, gauge, counters, None),
        Command::Filter(filtering) => filter(suite, filtering, &restraint, gauge, counters),
        Command::Compare(comparison) => confined(gauge, &mut || false, move || compared(suite, &comparison)),
        Command::Contrast(asked) => {
            let contrasting = Contrasting::new(asked.open, asked.enough);
            run(suite, &asked.exploration, &restraint, gauge, counters, Some(Box::new(contrasting)))
        }
        Command::Dispute(dispute) => confined(gauge, &mut || false, move || {
            if let Some((difference, compared)) = disputed(&Programs::new(suite), &dispute) {
                tell(&Event::Differs { program: 0, tape: compared.tape.clone(), difference });
                tell(&Event::Compared(compared));
            }
            Ending::Done
        }),
        Command::Attend => attended(suite, gauge),
        Command::Draw(drawing) => draw(suite, drawing, restraint, gauge),
        Command::Replay(asked) => confined(gauge, &mut || false, move || {
            if asked.has_stack {
                stack::watch(gauge);
            }
            replay(suite, &restraint, &asked)
        }),
        Command::Reduce(task) => reduced(suite, &task, &*trial(&task, &restraint, beside())),
        Command::Generalize(task) => generalized(&suite, &task, &*trial(&task, &restraint, beside())),
        Command::Describe(tape) => describe(suite, &tape),
        Command::List => list(&suite, &unreachable),
        Command::Run(_) | Command::Told(_) => {
            Ending::Misused("it was sent a program before it was asked anything".to_string())
        }
        Command::Hello { .. } | Command::Know(_) => {
            unreachable!("whoever listens goes on until it is asked something")
        }
    }
}

/// The ending of a command about a tape that is no program.
fn no_program() -> Ending {
    Ending::Misused("the tape is no program of this harness".to_string())
}

/// Works in a thread that may take no more memory than there is; if it does, that is told. If it hangs, that is
/// the end of it.
fn confined(
    gauge: &'static MemoryLimit,
    hangs: &mut dyn FnMut() -> bool,
    work: impl FnOnce() -> Ending + Send + 'static,
) -> Ending {
    let work = move || {
        gauge.confine();
        work()
    };
    let Ok(thread) = std::thread::Builder::new().stack_size(STACK + SPARE).spawn(work) else {
        return Ending::Full;
    };
    while !thread.is_finished() {
        if let Some(bytes) = gauge.exhausted() {
            tell(&Event::Replayed(Some(exhausted(format!("it wanted {bytes} bytes")))));
            return Ending::Full;
        }
        if hangs() {
            return Ending::CallHangs;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    thread.join().unwrap_or_else(|panic| Ending::OurBug(message(&*panic)))
}

/// Returns the message of a panic of our own.
pub(super) fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// The ending of a command about variants to a harness whose code under test has none.
fn no_switches() -> Ending {
    Ending::Misused("the code under test was built without variants".to_string())
}

/// Draws programs and runs them on variants.
fn filter(
    suite: Suite,
    asked: Filtering,
    restraint: &Restraint,
    gauge: &'static MemoryLimit,
    counters: Option<Counters>,
) -> Ending {
    let Some(switches) = switches::given() else { return no_switches() };
    let filter = Filter::new(switches, asked.groups, asked.enough);
    run(suite, &asked.exploration, restraint, gauge, counters, Some(Box::new(filter)))
}

/// Runs the programs that come, and ends when one of them hangs.
fn attended(suite: Suite, gauge: &'static MemoryLimit) -> Ending {
    let schedule = Arc::new(OnceLock::new());
    let (scheduled, mut idle, mut time) = (schedule.clone(), Duration::ZERO, OwnTime::start());
    let mut hangs = || {
        // Between two programs the process waits, so the time of each begins anew.
        if std::mem::replace(&mut idle, elsewhere::waited()) != idle {
            time = OwnTime::start();
        }
        time.is_over(patience::CALL, &|| schedule.get().map_or(Duration::ZERO, Schedule::waited))
    };
    confined(gauge, &mut hangs, move || {
        let _ = scheduled.set(Schedule::of_this_thread());
        attend(&suite);
        Ending::Done
    })
}

/// Reduces a program that variants run otherwise, and tells what it does.
fn compared(suite: Suite, asked: &Comparison) -> Ending {
    let Some(switches) = switches::given() else { return no_switches() };
    let programs = Programs::new(suite);
    let stage = Stage { suite: programs.suite(), switches };
    if let Some(compared) = compare(&programs, &stage, asked) {
        tell(&Event::Compared(compared));
    }
    Ending::Done
}

/// Tells what can be called, and what nothing can be made for.
fn list(suite: &Suite, unreachable: &[Operation]) -> Ending {
    let reachable = suite.operations.iter().map(|operation| (operation, true));
    for (operation, is_reachable) in reachable.chain(unreachable.iter().map(|operation| (operation, false))) {
        let (name, role) = (operation.name.to_string(), suite.role_of(operation));
        tell(&Event::Operation { name, role, is_reachable });
    }
    Ending::Done
}

/// Tells what a program calls, and how it is written.
fn describe(suite: Suite, tape: &Tape) -> Ending {
    let Some(program) = described(&Programs::new(suite), tape, None) else { return no_program() };
    tell(&Event::Program(program));
    Ending::Done
}

/// Draws a program again, and ends soon if it is one that hangs and has come to the call that does.
fn draw(suite: Suite, drawing: Drawing, restraint: Restraint, gauge: &'static MemoryLimit) -> Ending {
    let (progress, schedule) = (Arc::new(Progress::default()), Arc::new(OnceLock::new()));
    let (own, scheduled, is_hung) = (progress.clone(), schedule.clone(), drawing.hangs);
    let (mut seen, mut time) = (0, OwnTime::start());
    let mut hangs = || {
        let steps = progress.steps.load(Ordering::Relaxed);
        if steps != seen {
            (seen, time) = (steps, OwnTime::start());
        }
        let waited = || schedule.get().map_or(Duration::ZERO, Schedule::waited);
        is_hung && time.is_over(BRIEF, &waited)
    };
    confined(gauge, &mut hangs, move || {
        let _ = scheduled.set(Schedule::of_this_thread());
        redraw(&suite, &drawing, &restraint, &own, gauge)
    })
}

/// Draws a program again; before each call, journals its tape.
fn redraw(
    suite: &Suite,
    drawing: &Drawing,
    restraint: &Restraint,
    progress: &Progress,
    gauge: &'static MemoryLimit,
) -> Ending {
    let (Ok(plan), Ok(scores)) = (drawing.plan.parse(), drawing.weights.parse()) else {
        return Ending::Misused("the plan or the weights are none of this harness".to_string());
    };
    let Some(mut journal) = channel().and_then(Channel::journal) else {
        return Ending::Misused("there is no journal".to_string());
    };
    let write = move |tape: &Tape| gauge.spare(|| journal.write(tape.to_string().as_bytes()));
    let scores: super::weight::Scores = scores;
    let memory = Mutex::new(Memory::with(scores.clone(), suite));
    let (seed, strategy) = (drawing.seed, Strategy::named(&drawing.strategies));
    let (memory, known) = (&memory, &known(restraint, suite)[..]);
    let (counters, measure, told) = (None, Measure::Nothing, &table(restraint, suite));
    let around =
        Surroundings { suite, seed, progress, memory, gauge, counters, strategy, measure, known, told };
    let mut explorer = Explorer::new(around, scores);
    explorer.run(&plan, Some(Watcher(Box::new(write))));
    Ending::Done
}

/// Runs one program, and then as often as it is asked to. What is told first is what the first run did, for the
/// others may find what it left behind.
fn replay(suite: Suite, restraint: &Restraint, asked: &Replay) -> Ending {
    let programs = Programs::new(suite);
    let known = known(restraint, programs.suite());
    let here = Here::new(&programs, &known);
    let run = || here.failure(&asked.tape);
    let first = run();
    let is_panic = |failure: &Failure| matches!(failure.signature.cause(), Signature::Panic { .. });
    if let (true, Some(functions)) = (first.as_ref().is_some_and(is_panic), stack::take()) {
        tell(&Event::Stack(functions));
    }
    tell(&Event::Replayed(first.clone()));
    if asked.times > 1 {
        let (failed, runs) = repeat(first.map(|failure| failure.signature), asked.times, run);
        tell(&Event::Repeated { failed, runs });
    }
    Ending::Done
}

/// Counts in how many of how many runs a program fails as it did the first time that it failed.
fn repeat(mut signature: Option<Signature>, times: u64, run: impl Fn() -> Option<Failure>) -> (u32, u32) {
    let start = Instant::now();
    let (mut failed, mut runs) = (u32::from(signature.is_some()), 1);
    while u64::from(runs) < times && start.elapsed() < REPEATING {
        let again = run().map(|failure| failure.signature);
        if signature.is_none() {
            signature.clone_from(&again);
        }
        failed += u32::from(again.is_some() && again == signature);
        runs += 1;
    }
    (failed, runs)
}

/// Reduces one program.
fn reduced(suite: Suite, task: &Task, trial: &dyn Trial) -> Ending {
    let programs = Programs::new(suite);
    tell(&match reduce(&programs, trial, &task.tape, Limit::of(task.limit)) {
        Some(reduced) => Event::Reduced(reduced),
        None => Event::Replayed(None),
    });
    Ending::Done
}

/// Finds out what programs that fail as one does have in common.
fn generalized(suite: &Suite, task: &Task, trial: &dyn Trial) -> Ending {
    let Some(program) = Program::of(suite, &task.tape) else { return no_program() };
    tell(&match generalize(suite, trial, &program, &Limit::of(task.limit)) {
        Some(pattern) => Event::Generalized(Generalized {
            pattern: pattern.stored(suite),
            wide: widened(&pattern).stored(suite),
            words: pattern.words(suite),
            calls: pattern.elements.len() as u64,
            suspects: suspects(&pattern).iter().map(|one| one.stored(suite)).collect(),
        }),
        None => Event::Replayed(None),
    });
    Ending::Done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_the_main_thread_is_told_as_ours() {
        assert_eq!(ended(|| Ending::Done), Ending::Done);
        assert_eq!(ended(|| panic!("no seed")), Ending::OurBug("no seed".to_string()));
        let place = "no place".len();
        assert_eq!(ended(|| panic!("place {place}")), Ending::OurBug("place 8".to_string()));
    }
}
