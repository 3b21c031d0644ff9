//! The lookout: a call that would complete a known pattern is not made, whether it is drawn or stands on a tape.
//!
//! A call is looked at when its literals are there and nothing else of it has happened, so whatever they depend
//! on, they are those that it is made with. A body says when that is, by [`Frame::is_known`].
//!
//! **Invariant:** where nothing is known, a call costs a comparison more.

use super::Execution;
use crate::bug::Pattern;
use crate::choice::Source;
use crate::oracle::Verdict;
use crate::program::avoidance::Avoidance;
use crate::program::frame::Frame;
use crate::program::suite::Suite;

/// Looks at the call that is being made.
#[derive(Debug)]
pub(in crate::program) struct Lookout<'a> {
    avoidance: &'a mut Avoidance,
    suite: &'a Suite,
    operation: usize,
    /// How many spans the tape had before the literals of the call.
    spans: usize,
}

impl Lookout<'_> {
    /// Whether the call would complete a known pattern.
    pub(in crate::program) fn sees(&mut self, arguments: &[u32], source: &Source) -> bool {
        self.avoidance.is_completed_by(self.suite, self.operation, arguments, source, self.spans)
    }
}

impl Execution<'_> {
    /// Never again makes a call that completes one of these patterns.
    pub(crate) fn avoid(&mut self, patterns: &[Pattern]) {
        let is_any = !patterns.is_empty();
        self.known = is_any.then(|| Box::new(Avoidance::by_text(self.suite, patterns)));
    }

    /// Runs the body of a call, unless it is known to fail.
    pub(super) fn run_body(&mut self, operation: usize, spans: usize, source: &mut Source) -> Verdict {
        let described = &self.suite.operations[operation];
        let Execution { store, arguments, known, suite, .. } = self;
        let look = |avoidance| Lookout { avoidance, suite, operation, spans };
        let mut lookout = known.as_deref_mut().map(look);
        // Where nothing is drawn, nobody has to wait for it.
        if let Some(lookout) = &mut lookout
            && !described.parameters.iter().any(|parameter| parameter.is_literal())
            && lookout.sees(arguments, source)
        {
            return Verdict::Discard;
        }
        let keeps = suite.made[operation];
        (described.body)(&mut Frame { source, store, operation: described, arguments, keeps, lookout })
    }
}
