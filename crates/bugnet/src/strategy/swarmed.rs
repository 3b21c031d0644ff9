//! Swarmed search: random inputs that leave out alternatives of their types.
//!
//! A list of operations that pushes and pops at random hardly ever gets long; one that never pops
//! does. What programs do with their rules, this does with the variants of derived enums and with
//! classes of values. See [`swarm`](crate::swarm).
//!
//! **Invariant:** it gives up when the inputs have nothing that could be left out.

use super::{Strategy, Turn};
use crate::case::{Finder, Found, Judge};
use crate::choice::Source;
use crate::oracle::{Verdict, WrongTest};
use crate::random::Seed;
use crate::swarm::Configuration;

/// Inputs that are generated to find out whether anything can be left out.
const PROBES: u64 = 4;
/// Where fewer features than this come up, there is nothing to leave out.
const FEW: usize = 3;

/// Random inputs, each with a configuration of its own.
#[derive(Debug)]
pub(crate) struct Swarmed {
    seed: Seed,
    case: u64,
    features: usize,
}

impl Swarmed {
    pub(crate) fn new(seed: Seed) -> Swarmed {
        // The inputs of random search are others, although they have the same seed.
        Swarmed { seed: Seed(seed.0 ^ 0x2d35_8dcc_aa6c_78a5), case: 0, features: 0 }
    }

    /// The source of the next input.
    pub(crate) fn next(&mut self) -> Source {
        self.case += 1;
        let (_, word) = Source::random(self.seed, self.case).word();
        let configuration = match self.case % 2 {
            0 => Configuration::uniform(word | 1),
            _ => Configuration::weighted(word | 1),
        };
        Source::swarming(self.seed, self.case, configuration)
    }

    /// Generates some inputs, without testing them, to find out whether there is anything to leave
    /// out.
    pub(crate) fn probe(&mut self, judge: &mut Judge<'_>) -> Result<(), WrongTest> {
        for _ in 0..PROBES {
            let mut source = self.next();
            judge.case(&mut source, &mut |_| false)?;
            self.learn(&source);
        }
        Ok(())
    }

    /// Notes what came up in an input.
    pub(crate) fn learn(&mut self, source: &Source) {
        self.features = self.features.max(source.swarm().map_or(0, |swarm| swarm.count()));
    }

    /// Returns true if nothing could be left out.
    pub(crate) fn is_pointless(&self) -> bool {
        self.case >= PROBES && self.features < FEW
    }
}

impl Strategy for Swarmed {
    fn run(&mut self, judge: &mut Judge<'_>, count: u64) -> Result<Turn, WrongTest> {
        let mut turn = Turn::default();
        if self.case == 0 {
            self.probe(judge)?;
            turn.over = self.is_pointless();
        }
        while turn.ran() < count && !turn.over {
            let mut source = self.next();
            let verdict = judge.journalled_case(&mut source)?;
            self.learn(&source);
            match verdict {
                Some(Verdict::Fail(failure)) => {
                    let tape = source.into_tape();
                    turn.found =
                        Some(Found { tape, failure: *failure, confirmed: false, by: Finder::SwarmedSearch });
                    return Ok(turn);
                }
                Some(Verdict::Pass) => turn.passed += 1,
                _ => turn.discarded += 1,
            }
            turn.over = self.is_pointless();
        }
        Ok(turn)
    }
}
