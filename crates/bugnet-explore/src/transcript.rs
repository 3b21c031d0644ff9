//! Transcripts: everything that a program lets its user see, with some switches on.
//!
//! **Invariant:** two transcripts of a program are equal if and only if no test of its results, its panics and the
//! values that it leaves could tell the two runs apart.

use super::hook::Exploring;
use super::seen;
use super::switches::Switches;
use super::{deep_literal, number, text};
use bugnet::choice::{Source, Tape};
use bugnet::engine::{Attempt, Execution, Failed};
use bugnet::oracle::Failure;
use bugnet::program::{Program, Suite};
use bugnet::wire::explore::{Entry, Sight, Switch, Transcript};

/// Steps that a run of the original may take; a program of a sane length takes far fewer.
const STEPS: i64 = 50_000_000;
/// The limit of a variant's steps: the steps of the original times the first number, plus the second.
const SLOWER: (i64, i64) = (20, 300_000);

/// A run of the original.
#[derive(Debug)]
pub(crate) struct Original {
    pub(crate) transcript: Transcript,
    /// The sites that it reached, in order.
    pub(crate) reached: Vec<u32>,
    /// Steps that a variant may take.
    steps: i64,
}

/// Runs programs with switches.
#[derive(Debug)]
pub(crate) struct Stage<'a> {
    pub(crate) suite: &'a Suite,
    pub(crate) switches: Switches,
}

impl Stage<'_> {
    /// Runs a program with all switches off; `None` if the tape is no program.
    pub(crate) fn original(&self, tape: &Tape) -> Option<Original> {
        let transcript = self.run(tape, &[], STEPS)?;
        let mut reached = (self.switches.reached)();
        reached.sort_unstable();
        let steps = SLOWER.0 * (self.switches.steps)().max(0) + SLOWER.1;
        (self.switches.disarm)(&[]);
        Some(Original { transcript, reached, steps })
    }

    /// Runs a program with some switches on, as long as it does not take far more steps than the original.
    pub(crate) fn variant(&self, tape: &Tape, wanted: &[Switch], original: &Original) -> Transcript {
        let transcript = self.run(tape, wanted, original.steps).unwrap_or_default();
        (self.switches.disarm)(wanted);
        transcript
    }

    fn run(&self, tape: &Tape, wanted: &[Switch], steps: i64) -> Option<Transcript> {
        let calls = Program::of(self.suite, tape)?.calls.len() as u32;
        number::forget();
        deep_literal::forget();
        text::forget();
        let mut source = Source::replay(tape.clone());
        let mut execution = Execution::hooked(self.suite, Exploring::replaying(self.suite, &[]));
        execution.begin(&mut source, &vec![1; self.suite.operations.len()]);
        (self.switches.arm)(wanted, steps);
        seen::listen();
        let mut entries = Vec::new();
        let mut add = |call: u32, sight: Sight| entries.push(Entry { call, sight });
        let panicked = |failure: &Failure| Sight::Panic(seen::shortened(failure.message.clone()));
        let mut is_whole = true;
        for call in 0..calls {
            let attempt = execution.attempt(&mut source);
            let seen = seen::take().into_iter().filter(|text| text != "()");
            seen.for_each(|text| add(call, Sight::Result(text)));
            match attempt {
                Attempt::Ran => continue,
                Attempt::Failed(Failed { failure, .. }) => add(call, panicked(&failure)),
                Attempt::Barred => add(call, Sight::Barred),
            }
            is_whole = false;
            break;
        }
        if is_whole {
            match execution.values() {
                Ok(values) => {
                    for (call, text) in values {
                        add(call, Sight::Value(seen::shortened(text)));
                    }
                }
                Err(failure) => add(calls, panicked(&failure)),
            }
        }
        if let Err(failure) = execution.end() {
            add(calls, panicked(&failure));
        }
        seen::stop();
        Some(Transcript { entries })
    }
}

/// Returns whether a call panics.
pub(crate) fn panics(transcript: &Transcript) -> bool {
    transcript.entries.iter().any(|entry| matches!(entry.sight, Sight::Panic(_)))
}

/// Returns the first entry of a transcript that another one does not have, and what the other has there.
pub(crate) fn difference<'a>(own: &Transcript, other: &'a Transcript) -> Option<(usize, Option<&'a Entry>)> {
    let place = own.entries.iter().zip(&other.entries).position(|(own, other)| own != other);
    let length = own.entries.len().min(other.entries.len());
    let place = place.or_else(|| (own.entries.len() != other.entries.len()).then_some(length))?;
    Some((place, other.entries.get(place)))
}
