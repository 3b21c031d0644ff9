//! The manner: how the random programs of a run are drawn.
//!
//! **Invariant:** a configuration shapes what is drawn and nothing else, so a program that was found
//! under one is replayed and reduced without it.

use super::avoidance::LONGEST;
use super::execution::{Execution, Hook, Length};
use super::proposal::Extension;
use super::suite::Suite;
use crate::choice::{Kind, Source};
use crate::oracle::Verdict;
use crate::random::scale;
use crate::settings::{Observe, Settings};
use crate::swarm::{Configuration, Scheme, Swarm, named};

/// The programs, in sixteenths, that have any length where bugs are known. The others have full length.
const SAMPLED: u64 = 8;

/// The bit of a word that says whether a program may leave features out where bugs are known and nothing new has been
/// found for long.
const WHOLE: u64 = 1 << 61;

/// The settings of drawing programs.
#[derive(Debug)]
pub(super) struct Manner {
    /// Leaves features out.
    pub(super) swarm: Swarm,
    /// The number of calls that a program has by default.
    steps: usize,
    /// Says when values are printed at the end of a program.
    pub(super) observe: Observe,
}

impl Default for Manner {
    fn default() -> Manner {
        Manner { swarm: Swarm::new(Scheme::Mix, []), steps: 0, observe: Observe::default() }
    }
}

impl Manner {
    /// Returns the manner where nothing is set.
    pub(super) fn usual(suite: &Suite) -> Manner {
        let swarm = Swarm::new(Scheme::Mix, suite.features.clone());
        Manner { swarm, steps: suite.usual_steps(), observe: Observe::default() }
    }

    /// Returns the manner that the settings ask for.
    pub(super) fn of(suite: &Suite, settings: &Settings) -> Manner {
        Manner {
            swarm: Swarm::new(settings.swarm, suite.features.clone()),
            steps: settings.steps.unwrap_or_else(|| suite.usual_steps()),
            observe: settings.observe,
        }
    }

    /// Returns the number of calls that a random program has by default.
    pub(super) fn usual_length(&self) -> usize {
        self.steps
    }

    /// Returns the most calls that a random program has where bugs are known.
    pub(super) fn longest(&self) -> u64 {
        (self.steps * LONGEST).max(1) as u64
    }

    /// Draws what shapes a random program: the features that it leaves out, and its length.
    #[inline]
    fn prepare<H: Hook>(&self, source: &mut Source, execution: &mut Execution<'_, H>) -> usize {
        let (class, word) = source.word();
        let (_, bits) = source.word();
        // What is known and avoided leaves enough out by itself, until that brings nothing new any more. The scheme
        // goes by the two highest bits of the word.
        let whole = execution.avoidance.as_ref().is_some_and(|known| !known.is_quiet() || word & WHOLE == 0);
        let configuration = match whole {
            true => Configuration::ALL,
            false => self.swarm.configuration(word | 1, source.case_counter()),
        };
        execution.configure(configuration);
        source.shape(configuration);
        execution.prints = match self.observe {
            Observe::Never => false,
            Observe::Sometimes => bits & 15 == 0,
            Observe::Always => true,
        };
        let steps = self.steps;
        let Some(known) = &mut execution.avoidance else { return configuration.length(steps, class, bits) };
        let steps = known.lengthened(steps);
        // Where the last call is a sample, what counts is how often one is taken.
        if class & 15 < SAMPLED { 1 + scale(bits, steps as u64) as usize } else { steps }
    }

    /// Runs one program, which may extend another one.
    pub(super) fn run<H: Hook>(
        &self,
        source: &mut Source,
        extension: Option<&Extension>,
        execution: &mut Execution<'_, H>,
    ) -> Verdict {
        execution.prints = self.observe != Observe::Never;
        let length = match extension {
            Some(Extension::Few { calls, weights }) => {
                execution.weights.clone_from(weights);
                Length::More(*calls)
            }
            Some(Extension::One(operation)) => {
                execution.weights.fill(0);
                execution.weights[*operation] = 1;
                Length::Only(1)
            }
            Some(Extension::Nothing) => Length::Only(0),
            Some(Extension::Whole) => Length::More(self.prepare(source, execution)),
            None if source.is_drawing() => Length::Whole(self.prepare(source, execution)),
            None => Length::Whole(0),
        };
        begin(source, execution.configuration);
        execution.run(source, length)
    }
}

/// Sets the features that the test names. They are written down as all of them, and corrected
/// when the program has run if it has asked for any.
#[inline]
fn begin(source: &mut Source, configuration: Configuration) {
    let word = match source.is_drawing() {
        true => {
            source.forced(Kind::Index, 0, u64::MAX);
            configuration.word()
        }
        false if source.is_exhaustive() => {
            source.forced(Kind::Index, 0, u64::MAX);
            0
        }
        false => source.decide(Kind::Index, u64::MAX, u64::MAX, 0, |_| 0),
    };
    named::begin(word);
}
