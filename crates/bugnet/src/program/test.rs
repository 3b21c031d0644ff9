//! Programs as a test: what the engine sees of a suite.
//!
//! **Invariant:** a configuration shapes what is drawn and nothing else, so a program that was found
//! under one is replayed and reduced without it.

use super::execution::{Execution, Phase};
use super::suite::Suite;
use super::text;
use crate::campaign::{Argument, Test};
use crate::choice::{Source, scale};
use crate::oracle::{Caught, Failure, Signature, Verdict, catch, usage_error};
use crate::swarm::{Configuration, Feature, Scheme, Swarm};
use std::cell::Cell;

/// How many calls a random program has, if nothing else is said.
const STEPS: usize = 50;

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
    swarm: Swarm,
    steps: usize,
    /// The state that the last recorded program has reached.
    reached: Cell<Option<u64>>,
}

impl Programs {
    /// The programs of a suite, drawn in the usual way.
    pub fn new(suite: Suite) -> Programs {
        let features: Vec<Feature> = suite.names().map(Feature::named).collect();
        let swarm = Swarm::new(Scheme::Mix, features);
        Programs { suite, swarm, steps: STEPS, reached: Cell::new(None) }
    }

    /// How many calls a random program has.
    pub fn steps(mut self, steps: usize) -> Programs {
        if steps == 0 {
            usage_error("`steps = 0` would call nothing; give a number above zero");
        }
        self.steps = steps;
        self
    }

    /// Which operations a test leaves out.
    pub fn swarm(mut self, scheme: Scheme) -> Programs {
        self.swarm = Swarm::new(scheme, self.swarm.features());
        self
    }

    /// What the programs are made of.
    pub fn suite(&self) -> &Suite {
        &self.suite
    }

    /// Draws what shapes a random program: what it leaves out, and its length.
    #[inline]
    fn prepare(&self, source: &mut Source, execution: &mut Execution<'_>) -> usize {
        let (class, word) = source.word();
        let configuration = self.swarm.configuration(word | 1, source.case_counter());
        self.weigh(configuration, execution);
        // Long programs find more than short ones, which exhaustive search has seen.
        let (_, bits) = source.word();
        if class >> 62 == 0 { 1 + scale(bits, self.steps as u64) as usize } else { self.steps }
    }

    fn weigh(&self, configuration: Configuration, execution: &mut Execution<'_>) {
        configuration.weights(self.swarm.features(), &mut execution.weights);
        for (weight, operation) in execution.weights.iter_mut().zip(&self.suite.operations) {
            *weight = weight.saturating_mul(operation.weight);
        }
    }

    /// Runs one program.
    fn run(&self, source: &mut Source, execution: &mut Execution<'_>) -> Verdict {
        let length =
            if source.is_drawing() || source.extends() { self.prepare(source, execution) } else { 0 };
        execution.run(source, length)
    }

    /// What came of running programs, told by what was caught.
    fn judged(&self, caught: Result<Verdict, Caught>, execution: &Execution<'_>) -> Verdict {
        match caught {
            Ok(Verdict::Fail(failure)) => Verdict::Fail(located(failure, execution)),
            Ok(verdict) => verdict,
            Err(Caught::Failed(failure)) => Verdict::Fail(located(failure, execution)),
            Err(Caught::Discarded) => Verdict::Discard,
            Err(Caught::Misused(problem)) => usage_error(problem),
        }
    }
}

/// Says in which call a failure happened.
fn located(mut failure: Box<Failure>, execution: &Execution<'_>) -> Box<Failure> {
    let phase = match execution.phase {
        Phase::Call => "call",
        Phase::Check => "check",
        Phase::Drop => "drop",
    };
    let operation = execution.operation.map_or(String::new(), |operation| operation.name.to_string());
    let cause = Box::new(failure.signature);
    failure.signature = Signature::InCall { operation, phase, cause };
    failure
}

impl Test for Programs {
    fn batch(&self, source: &mut Source, count: u64) -> Verdict {
        let mut execution = Execution::new(&self.suite);
        let mut left = count;
        while left > 0 {
            let caught = catch(|| {
                while left > 0 {
                    source.next_case();
                    match self.run(source, &mut execution) {
                        Verdict::Pass => left -= 1,
                        verdict => return verdict,
                    }
                }
                Verdict::Pass
            });
            match self.judged(caught, &execution) {
                // The program has held so far; a precondition ended it early.
                Verdict::Discard if execution.has_called() => left -= 1,
                verdict => return verdict,
            }
        }
        Verdict::Pass
    }

    fn case(&self, source: &mut Source, worth: &mut dyn FnMut(&Source) -> bool) -> Option<Verdict> {
        source.draws_later();
        if !worth(source) {
            return None;
        }
        let mut execution = Execution::new(&self.suite);
        execution.observes = true;
        let caught = catch(|| self.run(source, &mut execution));
        self.reached.set(execution.reached);
        Some(self.judged(caught, &execution))
    }

    fn arguments(&self, source: &mut Source) -> Vec<Argument> {
        let lines = text::lines(&self.suite, source.replayed().clone());
        lines.into_iter().map(|text| Argument { name: "", kind: "", text, source: true }).collect()
    }

    fn programs(&self) -> Option<&Programs> {
        Some(self)
    }
}
