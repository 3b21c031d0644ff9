//! Building one value: calls as elements of a sequence, and the oldest value of a type at their end.

use super::{Execution, Form, Hook, Stage, Step};
use crate::choice::Source;
use crate::oracle::usage_error;
use crate::program::operation::Mode;
use crate::random::scale;
use crate::swarm::Configuration;
use std::any::Any;

/// Calls that stand for an element of a list when a value is built.
const CALLS_PER_ELEMENT: usize = 3;
/// A call is repeated fewer times than this.
const MOST_REPEATS: u64 = 12;

/// Building one value.
impl<H: Hook> Execution<'_, H> {
    /// Makes a random call and says how often it is to be repeated: a collection gets large by many
    /// calls of the same sort, and by no fair choice.
    pub(super) fn draw_to_repeat(&mut self, source: &mut Source) -> Step {
        let step = self.draw(source);
        let (class, bits) = source.word();
        self.repeats = if class & 3 == 0 { scale(bits, MOST_REPEATS) } else { 0 };
        self.repeated = (0..self.weights.len()).find(|operation| self.is_last(*operation)).unwrap_or(0);
        step
    }

    /// Does without the operation that was called last, for it refused.
    pub(in crate::program) fn spare_last(&mut self) {
        for operation in 0..self.weights.len() {
            if self.is_last(operation) {
                self.weights[operation] = 0;
                self.is_sparing = true;
            }
        }
    }

    /// Makes calls as elements of a sequence, then hands out the oldest value of a type.
    pub(in crate::program) fn build<T: Any>(&mut self, source: &mut Source) -> Option<T> {
        let kind = self
            .suite
            .kind(crate::program::Kind::of::<T>(""))
            .filter(|kind| !self.suite.providers[*kind].is_empty());
        let Some(kind) = kind else {
            usage_error(format!(
                "nothing makes a value of `{0}`; add a function that returns one, such as `fn new() -> {0}`",
                std::any::type_name::<T>()
            ));
        };
        self.form = Form::Sequence;
        self.enter(None, Stage::Drop);
        self.store.clear();
        let mark = source.mark();
        let drawing = source.is_drawing();
        if drawing && !self.is_sparing {
            // Calls in equal shares mostly undo each other: what is pushed is popped.
            let (class, word) = source.word();
            self.configure(if class & 3 == 0 {
                Configuration::ALL
            } else {
                Configuration::weighted(word | 1)
            });
        }
        self.odds.weigh(&self.weights);
        // It takes several calls to make a value as large as a list of the same size would be.
        let length = source.length(0, None) * if drawing { CALLS_PER_ELEMENT } else { 1 };
        self.repeats = 0;
        while self.store.ledger.calls() < length {
            let step = match () {
                () if drawing && self.repeats > 0 => {
                    self.repeats -= 1;
                    self.draw_call(self.repeated, source, 0)
                }
                () if drawing => self.draw_to_repeat(source),
                () if source.is_exhaustive() => self.count_call(source),
                () => self.replay(source),
            };
            match step {
                Step::Ran => {}
                Step::Barred | Step::Avoided => break,
                Step::Over(_) => return None,
            }
        }
        if drawing && self.store.ledger.living(kind).is_empty() {
            let providers = &self.suite.providers[kind];
            let chosen = source.random_below(providers.len() as u64) as usize;
            self.draw_call(providers[chosen], source, 0);
        }
        source.correct(mark, self.store.ledger.calls() as u64);
        self.store.end_all_loans();
        let ledger = &self.store.ledger;
        let owned = |place: &u32| ledger.offers(*place, kind, Mode::Value);
        // The oldest has been through most.
        let oldest = ledger.living(kind).iter().copied().find(owned)?;
        self.store.claim(oldest, Mode::Value).then(|| self.store.take(oldest))
    }
}
