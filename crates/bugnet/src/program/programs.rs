//! The programs of a suite, drawn and run.
//!
//! **Invariant:** nothing here changes when programs run. The state of a run is its own, in a [`Scratch`].

use super::attribution::Attribution;
use super::execution::{Execution, Hook, NoHook, Stage};
use super::proposal::Proposal;
use super::scratch::Scratch;
use super::sequence::Program;
use super::store::Store;
use super::suite::Suite;
use crate::choice::{Mark, Source, Tape};
use crate::label;
use crate::oracle::{Caught, Failure, Phase, Signature, Verdict, catch, usage_error};
use crate::pattern::Pattern;
use crate::random::Seed;
use crate::settings::{Observe, Settings};
use crate::swarm::{Ending, Tally, named};
use crate::trial::Ran;

/// The programs of a suite, as a test.
///
/// ```
/// use bugnet::program::{Programs, Suite};
/// # use bugnet::oracle::Verdict;
/// # use bugnet::program::Operation;
/// # use bugnet::Property;
///
/// let suite = Suite::new("time").operation(Operation::new("now", "now()", |_| Verdict::Pass)).build();
/// let passed = Property::new("time_passes").run(&Programs::new(suite)).unwrap();
/// assert_eq!(passed.tests, 1_000);
/// ```
#[derive(Debug)]
pub struct Programs {
    suite: Suite,
    /// The patterns that no program is to match.
    avoided: Vec<Pattern>,
}

impl Programs {
    /// Returns the programs of a suite that was built.
    ///
    /// ```
    /// use bugnet::prelude::*;
    /// use bugnet::oracle::Verdict;
    /// use bugnet::program::{Operation, Programs, Suite};
    ///
    /// let suite = Suite::new("clock").operation(Operation::new("tick", "tick()", |_| Verdict::Pass)).build();
    /// assert!(Property::new("clock").cases(10).run(&Programs::new(suite)).is_ok());
    /// ```
    pub fn new(suite: Suite) -> Programs {
        Programs { suite, avoided: Vec::new() }
    }

    /// Returns the same programs, but for those that match one of these patterns.
    #[doc(hidden)]
    pub fn avoiding(self, patterns: Vec<Pattern>) -> Programs {
        Programs { avoided: patterns, ..self }
    }

    /// Returns the suite that the programs are made of.
    ///
    /// ```
    /// use bugnet::oracle::Verdict;
    /// use bugnet::program::{Operation, Programs, Suite};
    ///
    /// let suite = Suite::new("clock").operation(Operation::new("tick", "tick()", |_| Verdict::Pass)).build();
    /// assert_eq!(Programs::new(suite).suite().name, "clock");
    /// ```
    pub fn suite(&self) -> &Suite {
        &self.suite
    }

    /// Returns the state of a run that has not begun. Programs are drawn as the settings say.
    pub(crate) fn scratch(&self, settings: &Settings) -> Scratch {
        self.steered(Scratch::of(&self.suite, settings))
    }

    /// Returns the state of a run that has not begun. Programs are drawn as usual.
    pub(crate) fn usual_scratch(&self) -> Scratch {
        self.steered(Scratch::new(&self.suite))
    }

    /// Has a run go around what is avoided.
    fn steered(&self, mut scratch: Scratch) -> Scratch {
        if !self.avoided.is_empty() {
            scratch.steering.know(&self.suite, self.avoided.clone(), false);
        }
        scratch
    }
}

/// Returns the verdict on programs, told by the panic that was caught.
fn judged<H: Hook>(caught: Result<Verdict, Caught>, execution: &Execution<'_, H>) -> Verdict {
    match caught {
        Ok(Verdict::Fail(failure)) => Verdict::Fail(located(failure, execution)),
        Ok(verdict) => verdict,
        Err(Caught::Failed(_)) if execution.is_refused() => Verdict::Discard,
        Err(Caught::Failed(failure)) => Verdict::Fail(located(failure, execution)),
        Err(Caught::Discarded) => Verdict::Discard,
        Err(Caught::Misused(problem)) => usage_error(problem),
    }
}

/// Adds to a failure the call in which it happened.
pub(super) fn located<H: Hook>(mut failure: Box<Failure>, execution: &Execution<'_, H>) -> Box<Failure> {
    let name = execution.operation.map_or("", |operation| operation.name);
    let (phase, name) = match execution.stage {
        Stage::Call => (Phase::Call, name),
        Stage::Observe(kind) => (Phase::Observe, execution.kind(kind)),
        Stage::Check => {
            label::leave_check();
            (Phase::Check, name)
        }
        Stage::Drop => (Phase::Drop, name),
    };
    let operation = name.to_string();
    let cause = Box::new(failure.signature);
    failure.signature = Signature::InCall { operation, phase, cause };
    failure
}

/// Explaining a failure.
impl Programs {
    /// Returns the one tape that stands for a program, of all that come to the same.
    pub(crate) fn plain(&self, tape: Tape) -> Tape {
        Program::of(&self.suite, &tape).map_or(tape, |program| program.tape(&self.suite))
    }

    /// Runs further random programs and counts which operations make each of the faults behind a failure more or less
    /// likely. Ends after `runs` programs or `calls` calls, or when each fault came often enough. Returns a tally for
    /// each fault.
    pub(crate) fn influences(
        &self,
        scratch: &mut Scratch,
        seed: Seed,
        kind: &Signature,
        faults: &[Vec<Pattern>],
        runs: u64,
        calls: u64,
    ) -> Vec<Tally> {
        let (manner, mut execution) = (&mut scratch.manner, Execution::new(&self.suite));
        let observe = manner.observe;
        if let Signature::InCall { phase: Phase::Observe, .. } = kind {
            manner.observe = Observe::Always;
        }
        let mut attribution = Attribution::new(&self.suite, faults);
        let (mut source, signature) = (Source::random(seed, 0), kind.to_string());
        let (mut tallies, mut failures) = (vec![Tally::default(); faults.len()], vec![0; faults.len()]);
        let mut run = 0;
        let is_rare = |count: &u64| *count < Tally::ENOUGH;
        let called = |execution: &Execution<'_, NoHook>| execution.called().sum::<u64>();
        while failures.iter().any(is_rare) && run < runs && called(&execution) < calls {
            run += 1;
            match attribution.asks_for_programs() {
                true => source.record_next(seed, run),
                false => source.next_case(),
            }
            let caught = catch(|| manner.run(&mut source, None, &mut execution));
            let fault = match judged(caught, &execution) {
                Verdict::Pass => None,
                Verdict::Discard if execution.has_called() => None,
                Verdict::Discard => continue,
                Verdict::Fail(failure) if failure.signature == *kind => {
                    match attribution.fault_of(&source.tape_so_far()) {
                        None => continue,
                        fault => fault,
                    }
                }
                // Another failure hides whether this one would have come.
                Verdict::Fail(_) => continue,
            };
            let asked = named::asked();
            for (number, tally) in tallies.iter_mut().enumerate() {
                let ending = match fault {
                    None => Ending::Passed,
                    Some(fault) if fault == number => Ending::Failed(signature.as_str()),
                    Some(_) => Ending::Masked,
                };
                let (mut configured, mut used) = (Vec::new(), Vec::new());
                for (place, rule) in self.suite.rules() {
                    if attribution.compares(number, place) {
                        configured.push((rule.name, execution.weights[place] > 0));
                        used.push((rule.name, execution.was_called(place)));
                    }
                }
                configured.extend_from_slice(&asked);
                tally.count_ending(&execution.configuration, configured, used, ending);
                failures[number] += u64::from(fault == Some(number));
            }
        }
        manner.observe = observe;
        scratch.explained += called(&execution);
        // Values of the last program that failed are still there, and may panic when they are dropped.
        while catch(|| execution.store.clear()).is_err() {}
        tallies
    }
}

/// Running programs as cases.
impl Programs {
    /// Runs random programs without recording, up to and including the first that does not pass.
    pub(crate) fn run_batch(&self, source: &mut Source, count: u64, scratch: &mut Scratch) -> Verdict {
        let mut execution = Execution::new(&self.suite);
        let mut left = count;
        while left > 0 {
            let manner = &scratch.manner;
            let caught = catch(|| {
                while left > 0 {
                    source.next_case();
                    match manner.run(source, None, &mut execution) {
                        Verdict::Pass => left -= 1,
                        verdict => return verdict,
                    }
                }
                Verdict::Pass
            });
            scratch.note_refusal(&caught, &execution);
            match judged(caught, &execution) {
                // The program has held so far; a precondition ended it early.
                Verdict::Discard if execution.has_called() => left -= 1,
                verdict => {
                    scratch.count(&execution);
                    return verdict;
                }
            }
        }
        scratch.count(&execution);
        Verdict::Pass
    }

    /// Draws or replays the program of a proposal, tells a hook of its calls, and returns what became of it. Returns
    /// `None` if it was not worth running.
    #[doc(hidden)]
    pub fn run_hooked<H: Hook>(&self, hook: H, proposal: Proposal<'_>) -> Option<Ran> {
        let Proposal { source, worth, extension, scratch } = proposal;
        source.draws_later();
        if !worth(source) {
            return None;
        }
        let store = scratch.store.take().unwrap_or_else(|| Store::new(self.suite.kinds.len()));
        let mut execution = Execution::in_store(&self.suite, hook, store);
        // Only what extends a program wants to know where it led.
        execution.observes = extension.is_some();
        execution.avoidance = scratch.steering.avoidance.take();
        execution.usual = scratch.usual.take();
        let caught = catch(|| scratch.manner.run(source, extension, &mut execution));
        scratch.note_refusal(&caught, &execution);
        let (mut verdict, mut sample) = (judged(caught, &execution), None);
        let is_empty = verdict == Verdict::Pass;
        scratch.count(&execution);
        if let Some(avoidance) = execution.avoidance.take() {
            if let Some(pattern) = avoidance.sacrificed {
                (verdict, sample) = scratch.steering.sampled(verdict, pattern, source.tape());
            }
            scratch.steering.avoidance = Some(avoidance);
        }
        if named::is_asked() {
            source.correct(Mark::default(), named::word());
        }
        scratch.usual = execution.usual;
        scratch.store = is_empty.then_some(execution.store);
        let (reached, used) = (execution.reached, execution.used);
        if verdict == Verdict::Discard && source.is_drawing() && used.iter().any(|count| *count > 0) {
            verdict = Verdict::Pass;
        }
        Some(Ran { verdict, reached, used, sample })
    }
}
