//! Trials: a program is run to see how it fails, in this thread, in one beside it, or in a process apart.
//!
//! **Invariant:** whatever the program does, short of killing the process it runs in, the trial ends.

use super::event::MEMORY;
use super::gauge::Gauge;
use super::harness::{STACK, death, exhausted};
use crate::campaign::Test;
use crate::choice::{Source, Tape};
use crate::oracle::{Failure, Signature, Verdict};
use crate::program::{Programs, Suite};
use std::cell::{Cell, RefCell};
use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// A program that takes longer has not ended.
const PATIENCE: Duration = Duration::from_secs(3);
/// Where one is known that does not end, one that is near it and takes so long will not either, most likely: the
/// longest, the shortest, and so many times as long as any that has ended.
const BRIEF: Duration = Duration::from_millis(400);
const BRIEFEST: Duration = Duration::from_millis(120);
const TIMES: u32 = 20;

/// Runs a program and says how it fails.
pub(crate) trait Trial {
    /// The failure, if it fails.
    fn failure(&self, tape: &Tape) -> Option<Failure>;

    /// Whether a program that has failed does so for certain; if not, no other will be taken for one that fails
    /// for the same reason.
    fn confirms(&self, _tape: &Tape) -> bool {
        true
    }
}

/// Runs programs in this thread.
pub(crate) struct Here<'a>(pub(crate) &'a Programs);

impl Trial for Here<'_> {
    fn failure(&self, tape: &Tape) -> Option<Failure> {
        match self.0.case(&mut Source::replay(tape.clone()), &mut |_| true)? {
            Verdict::Fail(failure) => Some(*failure),
            _ => None,
        }
    }
}

/// Runs programs in a thread beside this one. It is left behind if it asks for too much memory or does not
/// come back, and another one takes its place.
pub(crate) struct Beside {
    suite: fn() -> Suite,
    gauge: &'static Gauge,
    lane: RefCell<Option<Lane>>,
}

/// A thread that runs what it is sent, and sends back how it failed.
struct Lane {
    tapes: Sender<Tape>,
    failures: Receiver<Option<Failure>>,
}

impl Beside {
    pub(crate) fn new(suite: fn() -> Suite, gauge: &'static Gauge) -> Beside {
        Beside { suite, gauge, lane: RefCell::new(None) }
    }

    fn start(&self) -> Option<Lane> {
        let ((tapes, to_run), (results, failures)) = (channel::<Tape>(), channel());
        // A function that makes thousands of operations needs more stack than a test has.
        let (suite, gauge) = ((self.suite)().reachable().0, self.gauge);
        let work = move || {
            let programs = Programs::new(suite);
            gauge.confine();
            for tape in to_run {
                if results.send(Here(&programs).failure(&tape)).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new().stack_size(STACK).spawn(work).ok()?;
        Some(Lane { tapes, failures })
    }
}

impl Trial for Beside {
    fn failure(&self, tape: &Tape) -> Option<Failure> {
        let lane = self.lane.take().or_else(|| self.start())?;
        lane.tapes.send(tape.clone()).ok()?;
        let start = Instant::now();
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
                return Some(exhausted(bytes));
            }
            if start.elapsed() > PATIENCE {
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
    /// Whether it need not be certain at first that a program does not end, and whether it need never be.
    is_brief: Cell<bool>,
    is_rough: bool,
    /// How long the longest took of those that have ended.
    longest: Cell<Option<Duration>>,
    /// The patterns that are known; a program that matches one fails for another reason.
    known: Vec<String>,
}

impl Apart {
    /// For programs that end, some way or other; or for those near one that is known not to.
    pub(crate) fn new(is_brief: bool, is_rough: bool, known: Vec<String>) -> Apart {
        Apart { is_brief: Cell::new(is_brief), is_rough, longest: Cell::new(None), known }
    }

    fn patience(&self) -> Duration {
        let brief = || self.longest.get().map_or(BRIEF, |longest| (longest * TIMES).clamp(BRIEFEST, BRIEF));
        if self.is_brief.get() { brief() } else { PATIENCE }
    }

    /// Waits for a program to end; `None` if it has taken too long.
    fn wait(&self, child: &mut Child) -> Option<ExitStatus> {
        let (start, patience) = (Instant::now(), self.patience());
        while start.elapsed() < patience {
            if let Ok(Some(status)) = child.try_wait() {
                self.longest.set(self.longest.get().max(Some(start.elapsed())));
                return Some(status);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let _ = child.kill();
        let _ = child.wait();
        None
    }
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
        let mut child = Command::new(std::env::current_exe().ok()?)
            .args(["replay", "--tape", &tape.to_string()])
            .args(self.known.iter().flat_map(|pattern| ["--known", pattern]))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let Some(status) = self.wait(&mut child) else { return Some(hung()) };
        let mut told = String::new();
        child.stdout.take()?.read_to_string(&mut told).ok()?;
        if told.contains("\"cause\":\"memory\"") {
            let memory = Signature::Died(MEMORY.to_string());
            return Some(Failure::new(memory, "it wanted more memory than there is"));
        }
        let passed = told.contains("\"outcome\"");
        (!passed).then(|| Failure::new(Signature::Died(death(status)), ""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Call, Operation, Program};

    /// A suite whose making takes more stack than programs have.
    fn large() -> Suite {
        std::hint::black_box(&mut [0_u8; STACK + 1]);
        let fail = |_: &mut crate::program::Frame<'_>| Verdict::Fail(Box::new(hung()));
        Suite::new("large").operation(Operation::new("fail", "fail()", fail)).build()
    }

    #[test]
    fn a_suite_is_made_where_there_is_stack_enough_for_it() {
        static GAUGE: Gauge = Gauge::new(usize::MAX, usize::MAX);
        let call = Call { operation: 0, arguments: Vec::new() };
        let work = move || {
            let tape = Program { features: 0, calls: vec![call] }.tape(&large());
            Beside::new(large, &GAUGE).failure(&tape).map(|failure| failure.message)
        };
        let thread = std::thread::Builder::new().stack_size(4 * STACK).spawn(work).unwrap();
        assert_eq!(thread.join().unwrap(), Some(hung().message));
    }
}
