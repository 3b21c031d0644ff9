//! The hook of a harness: what happens at each call besides the call itself.
//!
//! It says what is being called to those who watch, has literals drawn for that call, counts what was called, and
//! refuses a call that would complete a known pattern, whether it is drawn or stands on a tape. Such a call is looked
//! at when its literals are there and nothing else of it has happened, so whatever they depend on, they are those that
//! it is made with. A body says when that is, by `Frame::is_known`.
//!
//! **Invariant:** no call is made that completes a known pattern.

use super::past::Past;
use super::told::Table;
use bugnet::bug::Pattern;
use bugnet::choice::Source;
use bugnet::engine::{Avoidance, Hook, HookedCall, Lookout};
use bugnet::program::{Operation, Role, Suite};
use std::sync::atomic::{AtomicU32, Ordering};

/// The known patterns that must not come again, and the call that is being examined.
#[derive(Debug)]
struct Known<'a> {
    avoidance: Avoidance,
    suite: &'a Suite,
    operation: usize,
    /// Spans that the tape had before the literals of the call.
    spans: usize,
}

impl<'a> Known<'a> {
    /// The state in which nothing was called yet; none if nothing is known.
    fn of(suite: &'a Suite, known: &[Pattern]) -> Option<Known<'a>> {
        let avoidance = || Avoidance::by_text(suite, known);
        (!known.is_empty()).then(|| Known { avoidance: avoidance(), suite, operation: 0, spans: 0 })
    }
}

impl Lookout for Known<'_> {
    fn sees(&mut self, arguments: &[u32], source: &Source) -> bool {
        self.avoidance.is_completed_by(self.suite, self.operation, arguments, source, self.spans)
    }
}

/// The hook of a harness.
#[derive(Debug)]
pub(crate) struct Exploring<'a> {
    /// The operation that is being called, for those who watch, and how its literals are drawn.
    drawing: Option<(&'a AtomicU32, &'a Table)>,
    known: Option<Known<'a>>,
    /// The past of the values, if laws are stated and programs drawn.
    pub(crate) past: Option<Past>,
    /// The operations that were called well since somebody took them.
    pub(crate) touched: Vec<usize>,
    /// The new places of the results of calls that an edited tape has told so far.
    moved: Option<Vec<u32>>,
}

impl<'a> Exploring<'a> {
    /// For programs that are replayed around known patterns.
    pub(crate) fn replaying(suite: &'a Suite, known: &[Pattern]) -> Exploring<'a> {
        let known = Known::of(suite, known);
        Exploring { drawing: None, known, past: None, touched: Vec::new(), moved: None }
    }

    /// For programs that are drawn around known patterns, with somebody who watches.
    pub(crate) fn drawing(
        suite: &'a Suite,
        known: &[Pattern],
        operation: &'a AtomicU32,
        table: &'a Table,
    ) -> Exploring<'a> {
        let drawing = Some((operation, table));
        Exploring { drawing, past: Past::of(suite), ..Exploring::replaying(suite, known) }
    }

    /// Has the programs that come next drawn around these patterns instead.
    pub(crate) fn avoid(&mut self, suite: &'a Suite, known: &[Pattern]) {
        self.known = Known::of(suite, known);
    }
}

impl Hook for Exploring<'_> {
    const SPARES_EFFORT: bool = true;
    const CHOOSES: bool = true;

    #[inline]
    fn admits(&mut self, call: &HookedCall<'_>, source: &Source) -> bool {
        if let Some(past) = self.past.as_ref().filter(|_| is_stated(&call.suite.operations[call.operation])) {
            // A program that another one begins with has been asked.
            if !source.is_drawing() || !past.admits(call) {
                return false;
            }
        }
        if let Some((operation, table)) = self.drawing {
            operation.store(call.operation as u32, Ordering::Relaxed);
            table.draw_for(call.operation);
        }
        let Some(known) = &mut self.known else { return true };
        (known.operation, known.spans) = (call.operation, call.spans);
        // Where nothing is drawn, nobody has to wait for it.
        let parameters = &call.suite.operations[call.operation].parameters;
        parameters.iter().any(|parameter| parameter.is_literal()) || !known.sees(call.arguments, source)
    }

    #[inline]
    fn mood(&self, operation: &Operation, source: &mut Source) -> u32 {
        self.past.as_ref().map_or(0, |_| Past::mood(is_stated(operation), source))
    }

    #[inline]
    fn worth(&self, chosen: &[u32], place: u32, mood: u32) -> u32 {
        self.past.as_ref().map_or(0, |past| past.worth(chosen, place, mood))
    }

    #[inline]
    fn lookout(&mut self) -> Option<&mut dyn Lookout> {
        self.known.as_mut().map(|known| known as &mut dyn Lookout)
    }

    #[inline]
    fn made(&mut self, call: &HookedCall<'_>, before: u32, source: &Source) {
        if before == 0 {
            self.touched.push(call.operation);
        }
        self.past.iter_mut().for_each(|past| past.add(call));
        if let Some(Known { avoidance, .. }) = &mut self.known {
            avoidance.add(call.suite, call.operation, call.arguments, source, call.spans);
        }
    }

    #[inline]
    fn made_by(&self, told: u32) -> (u32, bool) {
        match &self.moved {
            Some(moved) => (moved.get(told as usize).copied().unwrap_or(u32::MAX), true),
            None => (told, false),
        }
    }

    fn begin(&mut self) {
        self.moved = Some(Vec::new());
        self.known.iter_mut().for_each(|known| known.avoidance.clear());
        self.past.iter_mut().for_each(Past::clear);
    }

    fn followed(&mut self, place: u32) {
        self.moved.get_or_insert_default().push(place);
    }

    fn spoiled(&mut self) {
        self.known.iter_mut().for_each(|known| known.avoidance.clear());
        self.past.iter_mut().for_each(Past::clear);
        self.moved.iter_mut().flatten().for_each(|place| *place = u32::MAX);
    }
}

/// Returns true if an operation asks a law that somebody has stated.
fn is_stated(operation: &Operation) -> bool {
    operation.role == Role::Stated
}
