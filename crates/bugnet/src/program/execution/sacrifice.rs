//! The sacrifice: a last call that completes a known pattern, to see whether the pattern is honest.

use super::{Execution, Hook, Step};
use crate::choice::Source;
use crate::program::avoidance::{Avoidance, TRIES};
use crate::program::suite::Need;
use crate::random::Stream;

/// A last call that completes a known pattern.
struct Sacrifice {
    pattern: usize,
    operation: usize,
    context: u64,
    arguments: Vec<u32>,
    /// The stream that its literals are drawn from.
    stream: Stream,
}

impl<H: Hook> Execution<'_, H> {
    /// Makes a last call that completes a known pattern, if there is one to be made.
    pub(super) fn sacrifice(&mut self, source: &mut Source) -> Step {
        let wanted = |known: &Avoidance| known.sacrifices;
        if !source.is_drawing() || !self.avoidance.as_deref().is_some_and(wanted) {
            return Step::Ran;
        }
        let mut best: Option<(u32, Sacrifice)> = None;
        for _ in 0..TRIES {
            let Some(known) = self.avoidance.as_mut() else { break };
            known.sacrificing = true;
            let operation = known.ending(source);
            let lacks = |need: &Need| self.store.ledger.living(need.kind).is_empty();
            if self.suite.needed[operation].iter().any(lacks)
                || !self.is_timely(operation)
                || !self.draw_arguments(operation, source)
                || !self.holds(operation, source)
                || !self.is_admitted(operation, source)
            {
                continue;
            }
            let Some(known) = self.avoidance.as_mut() else { break };
            let Some(pattern) = known.sacrificed else { continue };
            let (worth, context) = known.worth(operation);
            if best.as_ref().is_none_or(|best| worth > best.0) {
                let (arguments, stream) = (self.arguments.clone(), source.stream());
                best = Some((worth, Sacrifice { pattern, operation, context, arguments, stream }));
            }
        }
        let Some(known) = self.avoidance.as_mut() else { return Step::Ran };
        known.sacrificed = None;
        let Some((_, Sacrifice { pattern, operation, context, arguments, stream })) = best else {
            return Step::Ran;
        };
        self.arguments = arguments;
        source.resume(stream);
        self.begun = source.mark();
        if !self.claim(operation) {
            return Step::Ran;
        }
        if let Some(known) = self.avoidance.as_mut() {
            known.take(pattern, operation, context);
        }
        match self.make(operation, source) {
            Step::Barred => Step::Ran,
            step => step,
        }
    }
}
