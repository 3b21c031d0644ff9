//! The programs of a suite: drawn, run and counted.
//!
//! **Invariant:** a configuration shapes what is drawn and nothing else, so a program that was found
//! under one is replayed and reduced without it.

use super::avoidance::{Avoidance, LONGEST};
use super::execution::{Execution, Hook, Length, NoHook, Stage, Usual};
use super::sequence::Program;
use super::store::Store;
use super::suite::Suite;
use crate::choice::{Kind, Mark, Source, Tape};
use crate::oracle::{Caught, Failure, Phase, Signature, Verdict, catch, usage_error};
use crate::pattern::Pattern;
use crate::random::{Seed, scale};
use crate::settings::{Observe, Settings};
use crate::swarm::{Configuration, Scheme, Swarm, Tally, named};
use std::cell::{Cell, RefCell};

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
    swarm: RefCell<Swarm>,
    steps: Cell<usize>,
    observe: Cell<Observe>,
    /// The task of the next program that extends another one.
    extension: RefCell<Option<Extension>>,
    /// The observations of the last recorded program.
    observed: RefCell<Observed>,
    /// The number of calls of each operation.
    called: RefCell<Vec<u64>>,
    /// How many calls were made to explain failures.
    pub(crate) explained: Cell<u64>,
    /// The bugs that are known, and what avoids them.
    pub(crate) known: RefCell<Vec<Pattern>>,
    /// The number of changes to the known bugs.
    pub(crate) version: Cell<u64>,
    /// For each of them, how many samples have ended their process since.
    pub(crate) deaths: RefCell<Vec<u32>>,
    avoidance: RefCell<Option<Box<Avoidance>>>,
    /// Where the last recorded program ran, if it has left it empty.
    store: RefCell<Option<Store>>,
    /// The weights of the operations where nothing is left out, once they were added up.
    usual: RefCell<Option<Usual>>,
    /// The results of last calls that complete known patterns.
    samples: RefCell<Vec<Sample>>,
}

/// A program whose last call completes a known pattern.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    /// The pattern, by its place among those that are known.
    pub(crate) pattern: usize,
    /// The program, if it has passed: then the pattern says too much.
    pub(crate) passed: Option<Tape>,
}

/// The extension of a program.
#[derive(Debug, Clone)]
pub(crate) struct Extension {
    /// The number of calls to add.
    pub(crate) calls: usize,
    /// The weight of each operation.
    pub(crate) weights: Vec<u32>,
}

/// The observations of a program that was run.
#[derive(Debug, Clone, Default)]
pub(crate) struct Observed {
    /// The state that it has reached, if it got to its end.
    pub(crate) state: Option<u64>,
    /// The number of its calls of each operation.
    pub(crate) used: Vec<u32>,
}

impl Programs {
    /// The programs of a suite that was built.
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
        Programs {
            called: RefCell::new(vec![0; suite.operations.len()]),
            swarm: RefCell::new(Swarm::new(Scheme::Mix, suite.features.clone())),
            steps: Cell::new(suite.usual_steps()),
            observe: Cell::default(),
            explained: Cell::default(),
            extension: RefCell::new(None),
            observed: RefCell::default(),
            known: RefCell::default(),
            version: Cell::default(),
            deaths: RefCell::default(),
            avoidance: RefCell::default(),
            store: RefCell::default(),
            usual: RefCell::default(),
            samples: RefCell::default(),
            suite,
        }
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

    /// Returns the number of calls that the programs have made so far, without those that were run to explain a
    /// failure.
    pub fn calls(&self) -> u64 {
        let mut sum = 0;
        self.called.borrow().iter().for_each(|calls| sum += calls);
        sum
    }

    /// The most calls that a random program has, where bugs are known.
    pub(crate) fn longest(&self) -> u64 {
        (self.steps.get() * LONGEST).max(1) as u64
    }

    /// Draws programs as the settings say.
    pub(crate) fn adopt(&self, settings: &Settings) {
        self.steps.set(settings.steps.unwrap_or_else(|| self.suite.usual_steps()));
        self.observe.set(settings.observe);
        self.swarm.replace_with(|swarm| Swarm::new(settings.swarm, swarm.features()));
    }

    /// Says how the next program is extended.
    pub(crate) fn extend(&self, extension: Extension) {
        self.extension.replace(Some(extension));
    }

    /// Returns the observations of the last recorded program.
    pub(crate) fn observed(&self) -> Observed {
        self.observed.borrow().clone()
    }

    /// Says which bugs are known. No program that is drawn from now on matches one of these patterns;
    /// but a last call may, if samples are wanted.
    #[doc(hidden)]
    pub fn know(&self, patterns: Vec<Pattern>, samples: bool) {
        let mut avoidance =
            (!patterns.is_empty()).then(|| Box::new(Avoidance::new(&self.suite, &patterns, samples)));
        if let (Some(new), Some(old)) = (&mut avoidance, self.avoidance.take()) {
            new.inherit(*old);
        }
        self.avoidance.replace(avoidance);
        self.deaths.replace(vec![0; patterns.len()]);
        self.known.replace(patterns);
        self.version.set(self.version.get() + 1);
        self.samples.take();
    }

    /// Returns a number that changes whenever a bug becomes known.
    pub(crate) fn version(&self) -> u64 {
        self.version.get()
    }

    /// Returns true if a last call may complete a known pattern.
    pub(crate) fn is_sampling(&self) -> bool {
        self.avoidance.borrow().as_ref().is_some_and(|avoidance| avoidance.sacrifices)
    }

    /// Returns true if any bug is known.
    pub(crate) fn is_avoiding(&self) -> bool {
        !self.known.borrow().is_empty()
    }

    /// Returns true if a sample has shown that a pattern says too much.
    pub(crate) fn is_refuting(&self) -> bool {
        self.samples.borrow().iter().any(|sample| sample.passed.is_some())
    }

    /// Returns true if the last program was ended before a call that would have completed a known pattern.
    pub(crate) fn has_avoided(&self) -> bool {
        self.avoidance.borrow().as_ref().is_some_and(|avoidance| avoidance.vain > 0)
    }

    /// Takes the samples since the last time that they were taken.
    pub(crate) fn samples(&self) -> Vec<Sample> {
        self.samples.take()
    }

    /// Takes the verdict on a program whose last call completes a pattern for what it is: a known bug
    /// that fails as it is known to is no finding.
    pub(crate) fn sampled(&self, verdict: Verdict, pattern: usize, tape: &Tape) -> Verdict {
        let known = |failure: &Failure| {
            let patterns = self.known.borrow();
            patterns[pattern].signature.as_ref().is_none_or(|known| *known == failure.signature)
        };
        let (passed, verdict) = match verdict {
            Verdict::Pass => (Some(tape.clone()), Verdict::Pass),
            Verdict::Fail(failure) if known(&failure) => (None, Verdict::Pass),
            other => return other,
        };
        self.samples.borrow_mut().push(Sample { pattern, passed });
        verdict
    }

    /// Adds up what was called.
    fn count<H: Hook>(&self, execution: &Execution<'_, H>) {
        let mut called = self.called.borrow_mut();
        called.iter_mut().zip(execution.called()).for_each(|(total, called)| *total += called);
    }

    /// Returns the number of calls of each operation so far.
    #[cfg(test)]
    pub(crate) fn calls_of_each(&self) -> Vec<u64> {
        self.called.borrow().clone()
    }

    /// The rules that were never called, and whether those are all.
    pub(crate) fn never_called(&self) -> (Vec<String>, bool) {
        let called = self.called.borrow();
        let (mut never, mut all) = (Vec::new(), true);
        for (place, rule) in self.suite.rules() {
            match called[place] {
                0 => never.push(rule.name.to_string()),
                _ => all = false,
            }
        }
        (never, all)
    }

    /// Draws what shapes a random program: what it leaves out, and its length.
    #[inline]
    fn prepare<H: Hook>(
        &self,
        source: &mut Source,
        swarm: &Swarm,
        execution: &mut Execution<'_, H>,
    ) -> usize {
        let (class, word) = source.word();
        let (_, bits) = source.word();
        // What is known and avoided leaves enough out by itself: most of the rest has everything.
        let whole = execution.avoidance.is_some() && word >> 62 != 0;
        let configuration = match whole {
            true => Configuration::ALL,
            false => swarm.configuration(word | 1, source.case_counter()),
        };
        execution.configure(configuration);
        source.shape(configuration);
        execution.prints = match self.observe.get() {
            Observe::Never => false,
            Observe::Sometimes => bits & 15 == 0,
            Observe::Always => true,
        };
        let steps = self.steps.get();
        let Some(known) = &mut execution.avoidance else { return configuration.length(steps, class, bits) };
        let steps = known.lengthened(steps);
        // Where the last call is a sample, what counts is how often one is taken.
        if class & 15 < SAMPLED { 1 + scale(bits, steps as u64) as usize } else { steps }
    }

    /// Runs one program.
    fn run<H: Hook>(&self, source: &mut Source, swarm: &Swarm, execution: &mut Execution<'_, H>) -> Verdict {
        execution.prints = self.observe.get() != Observe::Never;
        let length = match self.extension.take() {
            Some(extension) => {
                execution.weights.clone_from(&extension.weights);
                Length::More(extension.calls)
            }
            None if source.is_drawing() => Length::Whole(self.prepare(source, swarm, execution)),
            None => Length::Whole(0),
        };
        self.begin(source, execution);
        execution.run(source, length)
    }

    /// Sets the features that the test names. They are written down as all of them, and corrected
    /// when the program has run if it has asked for any.
    #[inline]
    fn begin<H: Hook>(&self, source: &mut Source, execution: &Execution<'_, H>) {
        let word = match source.is_drawing() {
            true => {
                source.forced(Kind::Index, 0, u64::MAX);
                execution.configuration.word()
            }
            false if source.is_exhaustive() => {
                source.forced(Kind::Index, 0, u64::MAX);
                0
            }
            false => source.decide(Kind::Index, u64::MAX, u64::MAX, 0, |_| 0),
        };
        named::begin(word);
    }

    /// Returns the verdict on programs, told by the panic that was caught.
    fn judged<H: Hook>(&self, caught: Result<Verdict, Caught>, execution: &Execution<'_, H>) -> Verdict {
        match caught {
            Ok(Verdict::Fail(failure)) => Verdict::Fail(located(failure, execution)),
            Ok(verdict) => verdict,
            Err(Caught::Failed(_)) if execution.is_refused() => Verdict::Discard,
            Err(Caught::Failed(failure)) => Verdict::Fail(located(failure, execution)),
            Err(Caught::Discarded) => Verdict::Discard,
            Err(Caught::Misused(problem)) => usage_error(problem),
        }
    }
}

/// Sixteenths of the programs that have any length where bugs are known; the others have full length.
const SAMPLED: u64 = 8;

/// Says in which call a failure happened.
pub(super) fn located<H: Hook>(mut failure: Box<Failure>, execution: &Execution<'_, H>) -> Box<Failure> {
    let name = execution.operation.map_or("", |operation| operation.name);
    let (phase, name) = match execution.stage {
        Stage::Call => (Phase::Call, name),
        Stage::Observe(kind) => (Phase::Observe, execution.kind(kind)),
        Stage::Check => (Phase::Check, name),
        Stage::Drop => (Phase::Drop, name),
    };
    let operation = name.to_string();
    let cause = Box::new(failure.signature);
    failure.signature = Signature::InCall { operation, phase, cause };
    failure
}

/// Explaining a failure.
impl Programs {
    /// The one tape that stands for a program, of those that come to the same.
    pub(crate) fn plain(&self, tape: Tape) -> Tape {
        Program::of(&self.suite, &tape).map_or(tape, |program| program.tape(&self.suite))
    }

    /// Runs further random programs, at most so many and with so many calls, until there are failures enough of a
    /// kind, and finds out which operations make it more or less likely.
    pub(crate) fn influences(&self, seed: Seed, kind: &Signature, runs: u64, calls: u64) -> Tally {
        let (swarm, mut execution) = (self.swarm.borrow(), Execution::new(&self.suite));
        let observe = self.observe.get();
        if let Signature::InCall { phase: Phase::Observe, .. } = kind {
            self.observe.set(Observe::Always);
        }
        let mut source = Source::random(seed, 0);
        let (mut tally, mut failures, mut run) = (Tally::default(), 0, 0);
        let called = |execution: &Execution<'_, NoHook>| execution.called().sum::<u64>();
        while failures < Tally::ENOUGH && run < runs && called(&execution) < calls {
            run += 1;
            source.next_case();
            let caught = catch(|| self.run(&mut source, &swarm, &mut execution));
            let failed = match self.judged(caught, &execution) {
                Verdict::Pass => None,
                Verdict::Discard if execution.has_called() => None,
                Verdict::Discard => continue,
                Verdict::Fail(failure) if failure.signature == *kind => Some(kind.to_string()),
                // Another failure hides whether this one would have come.
                Verdict::Fail(_) => continue,
            };
            let rules = self.suite.rules();
            let configured = rules.clone().map(|(place, rule)| (rule.name, execution.weights[place] > 0));
            let asked = named::asked();
            let configured = configured.chain(asked.iter().copied());
            let used = rules.map(|(place, rule)| (rule.name, execution.was_called(place)));
            tally.count(&execution.configuration, configured, used, failed.as_deref());
            failures += u64::from(failed.is_some());
        }
        self.observe.set(observe);
        self.explained.set(self.explained.get() + called(&execution));
        // Values of the last program that failed are still there, and may panic when they are dropped.
        while catch(|| execution.store.clear()).is_err() {}
        tally
    }
}

/// Running programs as cases.
impl Programs {
    /// Runs random programs without recording, up to and including the first that does not pass.
    pub(crate) fn run_batch(&self, source: &mut Source, count: u64) -> Verdict {
        let (swarm, mut execution) = (self.swarm.borrow(), Execution::new(&self.suite));
        let mut left = count;
        while left > 0 {
            let caught = catch(|| {
                while left > 0 {
                    source.next_case();
                    match self.run(source, &swarm, &mut execution) {
                        Verdict::Pass => left -= 1,
                        verdict => return verdict,
                    }
                }
                Verdict::Pass
            });
            match self.judged(caught, &execution) {
                // The program has held so far; a precondition ended it early.
                Verdict::Discard if execution.has_called() => left -= 1,
                verdict => {
                    self.count(&execution);
                    return verdict;
                }
            }
        }
        self.count(&execution);
        Verdict::Pass
    }

    /// Draws or replays a program and, if `worth` says that it is worth it, runs it.
    pub(crate) fn run_case(
        &self,
        source: &mut Source,
        worth: &mut dyn FnMut(&Source) -> bool,
    ) -> Option<Verdict> {
        self.run_hooked(NoHook, source, worth)
    }

    /// The same, with a hook that is told of the calls.
    #[doc(hidden)]
    pub fn run_hooked<H: Hook>(
        &self,
        hook: H,
        source: &mut Source,
        worth: &mut dyn FnMut(&Source) -> bool,
    ) -> Option<Verdict> {
        source.draws_later();
        if !worth(source) {
            return None;
        }
        let store = self.store.take().unwrap_or_else(|| Store::new(self.suite.kinds.len()));
        let (swarm, mut execution) = (self.swarm.borrow(), Execution::in_store(&self.suite, hook, store));
        // Only what extends a program wants to know where it led.
        execution.observes = self.extension.borrow().is_some();
        execution.avoidance = self.avoidance.take();
        execution.usual = self.usual.take();
        let caught = catch(|| self.run(source, &swarm, &mut execution));
        let mut verdict = self.judged(caught, &execution);
        let is_empty = verdict == Verdict::Pass;
        self.count(&execution);
        if let Some(avoidance) = execution.avoidance.take() {
            if let Some(pattern) = avoidance.sacrificed {
                verdict = self.sampled(verdict, pattern, source.tape());
            }
            self.avoidance.replace(Some(avoidance));
        }
        if named::is_asked() {
            source.correct(Mark::default(), named::word());
        }
        self.usual.replace(execution.usual);
        self.observed.replace(Observed { state: execution.reached, used: execution.used });
        self.store.replace(is_empty.then_some(execution.store));
        match verdict {
            Verdict::Discard
                if source.is_drawing() && self.observed.borrow().used.iter().any(|count| *count > 0) =>
            {
                Some(Verdict::Pass)
            }
            verdict => Some(verdict),
        }
    }
}
