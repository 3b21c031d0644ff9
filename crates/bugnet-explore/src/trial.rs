//! Trials: a program is run to see how it fails, in this thread, in one beside it, or in a process apart.
//!
//! **Invariant:** whatever the program does, short of killing the process it runs in, the trial ends.

use super::event::{exhausted, is_exhausted};
use super::hook::Exploring;
use super::memory_limit::MemoryLimit;
use super::schedule::{OwnTime, Schedule, process_waited};
use super::serve::STACK;
use bugnet::bug::Pattern;
use bugnet::choice::{Source, Tape};
use bugnet::engine::{Proposal, Scratch};
use bugnet::oracle::{Failure, Signature, Verdict};
use bugnet::program::{Programs, Suite};
use bugnet::wire::explore::{Command, Event, Replay, Restraint};
use bugnet::wire::{VERSION, decode, encode};
use bugnet_process::{End, Group, How, Launcher, Next, Process, Start, Talk, patience};
use std::cell::{Cell, RefCell};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Once a program is known that does not end, the time after which a program near it is taken not to end
/// either.
const BRIEF: Duration = Duration::from_millis(400);
/// The shortest such time, for programs that end at once.
const BRIEFEST: Duration = Duration::from_millis(120);
/// The factor between that time and the time of the slowest program that has ended.
const TIMES: u32 = 20;
/// The same where no clock is to decide what is found, so that how long others took does not matter.
const STEADY: Duration = Duration::from_millis(250);

/// Runs a program and says how it fails.
pub(crate) trait Trial {
    /// The failure, if it fails.
    fn failure(&self, tape: &Tape) -> Option<Failure>;

    /// Returns true if a program that has failed does so for certain. If not, no other program will be taken
    /// to fail for the same reason.
    fn confirms(&self, _tape: &Tape) -> bool {
        true
    }
}

/// Runs programs in this thread, but for calls that complete a known pattern.
pub(crate) struct Here<'a> {
    programs: &'a Programs,
    known: &'a [Pattern],
    scratch: RefCell<Scratch>,
}

impl<'a> Here<'a> {
    pub(crate) fn new(programs: &'a Programs, known: &'a [Pattern]) -> Here<'a> {
        Here { programs, known, scratch: RefCell::new(Scratch::new(programs.suite())) }
    }
}

impl Trial for Here<'_> {
    fn failure(&self, tape: &Tape) -> Option<Failure> {
        let hook = Exploring::replaying(self.programs.suite(), self.known);
        let (mut source, mut scratch) = (Source::replay(tape.clone()), self.scratch.borrow_mut());
        let ran = self.programs.run_hooked(hook, Proposal::new(&mut source, &mut |_| true, &mut scratch));
        match ran?.verdict {
            Verdict::Fail(failure) => Some(*failure),
            _ => None,
        }
    }
}

/// Runs programs in a thread beside this one. It is left behind if it asks for too much memory or does not
/// come back, and another one takes its place.
pub(crate) struct Beside {
    suite: fn() -> Suite,
    gauge: &'static MemoryLimit,
    lane: RefCell<Option<Lane>>,
}

/// A thread that runs what it is sent, and sends back how it failed.
struct Lane {
    tapes: Sender<Tape>,
    failures: Receiver<Option<Failure>>,
    schedule: Arc<OnceLock<Schedule>>,
}

impl Beside {
    pub(crate) fn new(suite: fn() -> Suite, gauge: &'static MemoryLimit) -> Beside {
        Beside { suite, gauge, lane: RefCell::new(None) }
    }

    fn start(&self) -> Option<Lane> {
        let ((tapes, to_run), (results, failures)) = (channel::<Tape>(), channel());
        // A function that makes thousands of operations needs more stack than a test has.
        let (suite, gauge) = ((self.suite)().reachable().0?, self.gauge);
        let schedule = Arc::new(OnceLock::new());
        let own = Arc::clone(&schedule);
        let work = move || {
            let _ = own.set(Schedule::of_this_thread());
            let programs = Programs::new(suite);
            let here = Here::new(&programs, &[]);
            gauge.confine();
            for tape in to_run {
                if results.send(here.failure(&tape)).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new().stack_size(STACK).spawn(work).ok()?;
        Some(Lane { tapes, failures, schedule })
    }
}

impl Trial for Beside {
    fn failure(&self, tape: &Tape) -> Option<Failure> {
        let lane = self.lane.take().or_else(|| self.start())?;
        lane.tapes.send(tape.clone()).ok()?;
        let mut time = OwnTime::start();
        loop {
            match lane.failures.recv_timeout(Duration::from_millis(1)) {
                Ok(failure) => {
                    self.lane.replace(Some(lane));
                    return failure;
                }
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Some(bytes) = self.gauge.exhausted() {
                return Some(exhausted(format!("it wanted {bytes} bytes")));
            }
            let waited = || lane.schedule.get().map_or(Duration::ZERO, Schedule::waited);
            if time.is_over(patience::TRIAL, &waited) {
                return Some(hung());
            }
        }
    }
}

fn hung() -> Failure {
    Failure::new(Signature::Hung, "the call did not end")
}

/// Runs each program in a process of its own, because it may kill it.
pub(crate) struct Apart {
    /// True if a short time is enough, at first, to say that a program does not end.
    is_brief: Cell<bool>,
    /// True if the short time is enough for good, without a longer second run.
    is_rough: bool,
    /// True if a program must do the same in every run, and gets the same time however long others took.
    is_steady: bool,
    /// The time of the slowest program that has ended.
    longest: Cell<Option<Duration>>,
    /// Patterns that are known; a program that matches one fails for another reason.
    restraint: Restraint,
}

impl Apart {
    /// For programs that end, some way or other; or for those near one that is known not to.
    pub(crate) fn new(is_brief: bool, is_rough: bool, known: Vec<String>) -> Apart {
        let (longest, restraint) = (Cell::new(None), Restraint { known, ..Restraint::default() });
        Apart { is_brief: Cell::new(is_brief), is_rough, is_steady: false, longest, restraint }
    }

    /// The same where each program is to do the same in every run.
    pub(crate) fn steady(self, is_steady: bool) -> Apart {
        Apart { is_steady, ..self }
    }

    fn patience(&self) -> Duration {
        let brief = || self.longest.get().map_or(BRIEF, |longest| (longest * TIMES).clamp(BRIEFEST, BRIEF));
        match (self.is_brief.get(), self.is_steady) {
            (false, _) => patience::TRIAL,
            (true, false) => brief(),
            (true, true) => STEADY,
        }
    }

    /// Starts this harness once more and asks it to run a program.
    fn start(&self, tape: &Tape) -> Option<Process> {
        let start = Start::new(std::env::current_exe().ok()?);
        let (launcher, scratch) = (Launcher::inherited(), Some(std::env::temp_dir()));
        // A process of its own group cannot signal this one by signalling its group.
        let start = Start { launcher, scratch, talk: Talk::Frames, group: Group::Own, ..start };
        let mut process = Process::start(&start).ok()?;
        let replay = Replay { tape: tape.clone(), times: 1, is_steady: self.is_steady, has_stack: false };
        let know = Command::Know(self.restraint.clone());
        for command in [Command::Hello { version: VERSION }, know, Command::Replay(replay)] {
            process.send(&encode(&command));
        }
        Some(process)
    }

    /// Waits for a program to end. Returns its failure, if the process lived to tell it, and the end of the process;
    /// `None` if it took too long.
    fn wait(&self, process: &mut Process) -> Option<(Told, End)> {
        let (mut time, patience, mut told) = (OwnTime::start(), self.patience(), Told::Nothing);
        let number = process.id();
        while !time.is_over(patience, &|| process_waited(number)) {
            match process.next(Instant::now() + Duration::from_millis(1)) {
                Next::Frame(frame) => {
                    if let Some(Event::Replayed(failure)) = decode(&frame) {
                        told = if failure.as_ref().is_some_and(is_exhausted) {
                            Told::Memory
                        } else {
                            Told::Other
                        };
                    }
                }
                Next::Late => {}
                Next::Ended(end) => {
                    self.longest.set(self.longest.get().max(Some(time.elapsed())));
                    return Some((told, end));
                }
            }
        }
        None
    }
}

/// Tells of a program that was run apart.
enum Told {
    /// It killed its process.
    Nothing,
    /// It wanted more memory than there is.
    Memory,
    /// It came to its end, or failed without killing anything.
    Other,
}

impl Trial for Apart {
    fn confirms(&self, tape: &Tape) -> bool {
        if self.is_rough {
            return true;
        }
        let was_brief = self.is_brief.replace(false);
        let is_confirmed = !was_brief || self.failure(tape).is_some();
        self.is_brief.set(was_brief && is_confirmed);
        is_confirmed
    }

    fn failure(&self, tape: &Tape) -> Option<Failure> {
        let mut process = self.start(tape)?;
        match self.wait(&mut process) {
            None => Some(hung()),
            Some((Told::Memory, _)) => Some(exhausted("it wanted more memory than there is".to_string())),
            Some((Told::Other, _)) => None,
            Some((Told::Nothing, end)) => Some(Failure::new(Signature::Died(death(end.how)), "")),
        }
    }
}

/// The end of a process that told nothing, in words that tell one death from another.
fn death(how: How) -> String {
    match how {
        How::Signalled(signal) => format!("signal {signal}"),
        How::Exited(code) => format!("exit {code}"),
        How::TookTooLong => "it died".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bugnet::program::{Call, Operation, Program};

    /// A suite whose making takes more stack than programs have.
    fn large() -> Suite {
        std::hint::black_box(&mut [0_u8; STACK + 1]);
        let fail = |_: &mut bugnet::program::Frame<'_>| Verdict::Fail(Box::new(hung()));
        Suite::new("large").operation(Operation::new("fail", "fail()", fail)).build()
    }

    #[test]
    fn a_suite_is_made_where_there_is_stack_enough_for_it() {
        static GAUGE: MemoryLimit = MemoryLimit::new(usize::MAX, usize::MAX);
        let call = Call { operation: 0, arguments: Vec::new() };
        let work = move || {
            let tape = Program { features: 0, calls: vec![call] }.tape(&large());
            Beside::new(large, &GAUGE).failure(&tape).map(|failure| failure.message)
        };
        let thread = std::thread::Builder::new().stack_size(4 * STACK).spawn(work).unwrap();
        assert_eq!(thread.join().unwrap(), Some(hung().message));
    }
}
