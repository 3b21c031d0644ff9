//! The source: what a generator asks for its choices.
//!
//! One concrete type serves random, replayed, mutated and exhaustive search. In the hot random
//! phase (`fast`) nothing is recorded: a case is its seed and number, and is run again with
//! recording on when it fails.
//!
//! **Invariant:** for one seed and case number, the fast and the recording source give the same
//! choices.

use super::alternative::pick;
use super::recorder::{AllSpares, Mark, Origin, Recorder, Replay};
use super::size::Size;
use super::{Kind, Odometer, Seed, Tape};
use crate::oracle::Discarded;
use crate::random::{CASE_STEP, CASE_STEP_INVERSE, Stream, scale};
use std::cell::Cell;
use std::rc::Rc;

/// The origin of choices. Generators receive one and ask it.
///
/// ```
/// use bugnet::choice::{Seed, Source, Tape};
///
/// let mut source = Source::random(Seed(7), 0);
/// let number: u8 = source.any();
/// let mut same = Source::random(Seed(7), 0);
/// assert_eq!(number, same.any::<u8>());
///
/// let mut simplest = Source::replay(Tape::default());
/// assert_eq!(simplest.any::<(u8, Vec<u8>)>(), (0, vec![]));
/// ```
#[derive(Debug)]
pub struct Source {
    /// True if choices are random and nothing is recorded.
    pub(super) fast: bool,
    /// True if a configuration shapes the literals of the program that is being drawn.
    pub(super) is_shaped: bool,
    /// The size budget for what is being generated.
    pub(crate) size: Size,
    pub(super) stream: Stream,
    /// The first counter of the case, shared with whoever needs to know which case is running.
    pub(super) first_counter: Rc<Cell<u64>>,
    /// The depth that is left for what is being generated, in exhaustive search.
    pub(super) depth: u32,
    /// True if the test draws too, after the input was made.
    draws_later: bool,
    pub(super) recorder: Box<Recorder>,
}

/// The token that [`Source::enter`] hands out and [`Source::leave`] takes back.
///
/// ```
/// use bugnet::choice::{Seed, Source};
///
/// let mut source = Source::random(Seed(1), 0);
/// let node = source.enter("pair");
/// let pair = (source.any::<u8>(), source.any::<u8>());
/// source.leave(node);
/// # let _ = pair;
/// ```
#[derive(Debug)]
#[must_use = "a span that is entered must be left"]
pub struct Node {
    pub(super) size: Size,
    pub(super) depth: u32,
}

impl Source {
    fn new(counter: u64, fast: bool, origin: Origin) -> Source {
        let mut recorder = Recorder::new(origin);
        recorder.is_silent = fast;
        Source {
            fast,
            is_shaped: false,
            size: Size::UNDRAWN,
            stream: Stream { counter },
            first_counter: Rc::new(Cell::new(counter)),
            depth: 0,
            draws_later: false,
            recorder: Box::new(recorder),
        }
    }

    /// The random choices of one case, not recorded.
    ///
    /// ```
    /// use bugnet::choice::{Seed, Source};
    ///
    /// let draw = |case| Source::random(Seed(7), case).any::<u64>();
    /// assert_eq!(draw(0), draw(0));
    /// assert_ne!(draw(0), draw(1));
    /// ```
    pub fn random(seed: Seed, case: u64) -> Source {
        Source::new(seed.0.wrapping_add(CASE_STEP.wrapping_mul(case)), true, Origin::Random)
    }

    /// The same choices as [`Source::random`], recorded.
    ///
    /// ```
    /// use bugnet::choice::{Seed, Source};
    ///
    /// let (mut plain, mut recorded) = (Source::random(Seed(7), 0), Source::recording(Seed(7), 0));
    /// assert_eq!(plain.any::<u64>(), recorded.any::<u64>());
    /// assert!(plain.into_tape().choices.is_empty());
    /// assert!(!recorded.into_tape().choices.is_empty());
    /// ```
    pub fn recording(seed: Seed, case: u64) -> Source {
        let mut source = Source { fast: false, ..Source::random(seed, case) };
        source.recorder.is_silent = false;
        source
    }

    /// Records another case, with the memory of the one before.
    pub(crate) fn record_next(&mut self, seed: Seed, case: u64) {
        let mut recorder = std::mem::replace(&mut self.recorder, Box::new(Recorder::new(Origin::Random)));
        recorder.begin_again();
        *self = Source { recorder, ..Source::recording(seed, case) };
    }

    /// Random choices, recorded, of values that nobody looks at.
    pub(crate) fn unseen(seed: Seed) -> Source {
        let mut source = Source::recording(seed, 0);
        source.recorder.is_unseen = true;
        source
    }

    /// Returns true if values are drawn only for their choices, and need not be shown.
    #[doc(hidden)]
    pub fn is_unseen(&self) -> bool {
        self.recorder.is_unseen
    }

    /// The choices of a tape; where it ends too early, zeros follow.
    ///
    /// ```
    /// use bugnet::choice::{Source, Tape};
    ///
    /// let mut source = Source::replay("ff".parse().unwrap());
    /// assert_eq!(source.any::<u8>(), 255);
    /// assert_eq!(source.any::<u8>(), 0);
    /// ```
    pub fn replay(tape: Tape) -> Source {
        Source::new(0, false, Origin::Replay(Replay::new(tape)))
    }

    /// The choices of a tape; what it lacks is drawn at random.
    pub(crate) fn completing(tape: Tape, seed: Seed, case: u64) -> Source {
        let counter = Source::random(seed, case).stream.counter;
        Source::new(counter, false, Origin::Complete(Replay::new(tape)))
    }

    /// The choices of a tape, and random ones after its end.
    #[doc(hidden)]
    pub fn extending(tape: Tape, seed: Seed, case: u64) -> Source {
        let counter = Source::random(seed, case).stream.counter;
        Source::new(counter, false, Origin::Extend(Replay::new(tape)))
    }

    /// Makes room for this number of choices, so that the tape of a program need not grow step by step.
    #[doc(hidden)]
    pub fn reserve(&mut self, choices: usize) {
        self.recorder.tape.choices.reserve(choices);
        self.recorder.tape.spans.reserve(choices / 2);
    }

    /// The choices that the odometer stands at.
    pub(crate) fn exhaustive(mut odometer: Odometer) -> Source {
        let depth = odometer.depth;
        odometer.touched = odometer.least_new(depth) == 0;
        Source { depth, ..Source::new(0, false, Origin::Exhaustive(odometer)) }
    }

    /// Returns the choices so far; none if the source does not record.
    ///
    /// ```
    /// use bugnet::choice::{Seed, Source};
    ///
    /// let mut source = Source::recording(Seed(7), 0);
    /// let list: Vec<u8> = source.any();
    /// let tape = source.into_tape();
    /// assert_eq!(Source::replay(tape).any::<Vec<u8>>(), list);
    /// ```
    pub fn into_tape(mut self) -> Tape {
        // A panic leaves spans open.
        self.recorder.close_all();
        self.recorder.tape
    }

    /// Returns the choices so far; none if the source does not record.
    #[doc(hidden)]
    pub fn tape(&self) -> &Tape {
        &self.recorder.tape
    }

    /// Returns the choices so far, as if all open spans ended here.
    #[doc(hidden)]
    pub fn tape_so_far(&self) -> Tape {
        self.recorder.closed()
    }

    pub(crate) fn into_odometer(self) -> (Odometer, Tape) {
        let mut recorder = self.recorder;
        recorder.close_all();
        match recorder.origin {
            Origin::Exhaustive(odometer) => (odometer, recorder.tape),
            _ => unreachable!("only an exhaustive source has an odometer"),
        }
    }

    /// Announces that the test itself will draw: what the input is shows only when it has run.
    #[doc(hidden)]
    pub fn draws_later(&mut self) {
        self.draws_later = true;
    }

    /// Returns true if the test will draw more.
    pub(crate) fn is_unfinished(&self) -> bool {
        self.draws_later
    }

    /// Returns true if an exhaustive case belongs to the depth that is being enumerated: it needs all of it and no
    /// more. True for every other source.
    pub(crate) fn is_new(&self) -> bool {
        match &self.recorder.origin {
            Origin::Exhaustive(odometer) => self.draws_later || odometer.touched && !odometer.too_deep,
            _ => true,
        }
    }

    /// Goes on to the next random case.
    pub(crate) fn next_case(&mut self) {
        self.give_up();
        self.advance();
    }

    /// Forgets what a case that ended inside of its spans has left behind.
    pub(crate) fn give_up(&mut self) {
        self.size = Size::UNDRAWN;
    }

    /// Goes on to the next random case, the one before having left all of its spans.
    #[inline(always)]
    pub(crate) fn advance(&mut self) {
        debug_assert_eq!(self.size, Size::UNDRAWN, "a size is drawn inside of a span only");
        let first = self.first_counter.get().wrapping_add(CASE_STEP);
        self.first_counter.set(first);
        self.stream.counter = first;
        // It was fast already. Written here, the compiler knows it too and leaves the rest out;
        // any earlier, the shared cell might be in the way.
        self.fast = true;
    }

    /// Goes to a random case by its number.
    pub(crate) fn seek(&mut self, seed: Seed, case: u64) {
        self.first_counter.set(seed.0.wrapping_add(CASE_STEP.wrapping_mul(case)));
    }

    /// Returns the state of the random stream.
    #[inline(always)]
    #[doc(hidden)]
    pub fn stream(&self) -> Stream {
        self.stream
    }

    #[inline(always)]
    pub(crate) fn stream_mut(&mut self) -> &mut Stream {
        &mut self.stream
    }

    /// Goes on where a copy of the stream stopped.
    #[inline(always)]
    pub(crate) fn resume(&mut self, stream: Stream) {
        self.stream = stream;
    }

    /// Stands where another source does, to draw what that one will draw next at random.
    pub(crate) fn look_ahead_of(&mut self, other: &Source) {
        self.recorder.rewind(Mark::default());
        self.shape_as(other);
        (self.stream, self.size) = (other.stream, other.size);
    }

    /// Returns the cell that holds the number of the running case.
    pub(crate) fn case_marker(&self) -> Rc<Cell<u64>> {
        Rc::clone(&self.first_counter)
    }

    /// The number of the random case that is running.
    pub(crate) fn case_number(&self, seed: Seed) -> u64 {
        self.first_counter.get().wrapping_sub(seed.0).wrapping_mul(CASE_STEP_INVERSE)
    }

    /// The values that are left of the inputs before.
    #[inline(always)]
    pub(crate) fn all_spares(&mut self) -> &mut AllSpares {
        &mut self.recorder.spares
    }

    #[inline(always)]
    pub(crate) fn is_fast(&self) -> bool {
        self.fast
    }

    /// Gives up this case: it counts neither as passed nor as failed.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// let even = from_fn(|source| {
    ///     let number: u32 = source.any();
    ///     if number % 2 == 1 {
    ///         source.discard();
    ///     }
    ///     number
    /// });
    /// assert!(check(even, |number| assert!(number % 2 == 0)).is_ok());
    /// ```
    pub fn discard(&mut self) -> ! {
        std::panic::resume_unwind(Box::new(Discarded))
    }

    /// Opens a span: what is drawn until [`Source::leave`] belongs together, and is one level
    /// deeper in exhaustive search.
    ///
    /// ```
    /// use bugnet::choice::{Seed, Source};
    ///
    /// let mut source = Source::recording(Seed(1), 0);
    /// let node = source.enter("pair");
    /// let _pair = (source.any::<u8>(), source.any::<u8>());
    /// source.leave(node);
    /// let tape = source.into_tape();
    /// assert_eq!((tape.spans[0].label, tape.spans[0].len()), ("pair", 2));
    /// ```
    #[inline]
    pub fn enter(&mut self, label: &'static str) -> Node {
        let node = Node { size: self.size, depth: self.depth };
        if !self.fast {
            self.open_span(label);
        }
        node
    }

    /// Closes a span.
    ///
    /// ```
    /// use bugnet::choice::{Seed, Source};
    ///
    /// let mut source = Source::recording(Seed(1), 0);
    /// let node = source.enter("nothing");
    /// source.leave(node);
    /// assert!(source.into_tape().spans[0].is_empty());
    /// ```
    #[inline]
    pub fn leave(&mut self, node: Node) {
        if !self.fast {
            self.close_span(node.depth);
        }
        self.size = node.size;
    }

    #[cold]
    #[inline(never)]
    fn open_span(&mut self, label: &'static str) {
        self.recorder.open(label);
    }

    #[cold]
    #[inline(never)]
    fn close_span(&mut self, depth: u32) {
        self.recorder.close();
        self.depth = depth;
    }

    /// Goes one level deeper: what follows are arguments of a constructor. The level ends with
    /// the span.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// fn tower(source: &mut Source) -> u32 {
    ///     let node = source.enter("tower");
    ///     let height = match source.any() {
    ///         true => {
    ///             source.descend();
    ///             1 + tower(source)
    ///         }
    ///         false => 0,
    ///     };
    ///     source.leave(node);
    ///     height
    /// }
    ///
    /// let low = Property::new("low").strategies(Strategies::Exhaustive).depth(3);
    /// assert!(low.check(from_fn(tower), |height| height <= 3).is_ok());
    /// ```
    #[inline]
    pub fn descend(&mut self) {
        if !self.fast {
            self.descend_to(self.depth.checked_sub(1));
        }
    }

    /// One of `count` alternatives, the first being the simplest.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// let mut source = Source::random(Seed(1), 0);
    /// assert!(source.index(3) < 3);
    /// ```
    #[inline]
    pub fn index(&mut self, count: usize) -> usize {
        assert!(count > 0, "a choice needs at least one alternative");
        if self.fast { self.random_below(count as u64) as usize } else { self.recorded_index(count) }
    }

    #[cold]
    #[inline(never)]
    fn recorded_index(&mut self, count: usize) -> usize {
        let random = |source: &mut Source| source.random_below(count as u64);
        self.decide(Kind::Index, count as u64 - 1, count as u64 - 1, 0, random) as usize
    }

    /// Decides that an optional value is there: three times out of four, if size and depth allow.
    #[inline]
    pub(crate) fn present(&mut self) -> bool {
        if self.fast { self.random_presence() } else { self.recorded_presence() }
    }

    #[inline]
    fn random_presence(&mut self) -> bool {
        !self.size.is_used_up() && !self.one_in_power(2)
    }

    #[cold]
    #[inline(never)]
    fn recorded_presence(&mut self) -> bool {
        let highest = u64::from(self.depth > 0);
        let random = |source: &mut Source| u64::from(source.random_presence());
        let present = self.decide(Kind::Index, 1, highest, 0, random) == 1;
        if present {
            self.descend();
        }
        present
    }

    /// One of several alternatives, by weight.
    #[doc(hidden)]
    pub fn weighted_index(&mut self, weights: &[u32]) -> usize {
        let total = weights.iter().map(|weight| u64::from(*weight)).sum::<u64>();
        assert!(total > 0, "at least one alternative needs a weight above zero");
        let limit = weights.len() as u64 - 1;
        let random = |source: &mut Source| pick(weights, source.random_below(total)) as u64;
        self.decide(Kind::Index, limit, limit, 0, random) as usize
    }

    /// The length of a sequence. Without an upper bound the size budget is one.
    pub(crate) fn length(&mut self, least: usize, most: Option<usize>) -> usize {
        if self.fast { self.random_length(least, most) } else { self.recorded_length(least, most) }
    }

    #[cold]
    #[inline(never)]
    fn recorded_length(&mut self, least: usize, most: Option<usize>) -> usize {
        let limit = most.map_or(u64::MAX, |most| (most - least) as u64);
        let highest = limit.min((self.depth as u64).saturating_sub(least as u64));
        let random = |source: &mut Source| source.shaped_length(least, most);
        let new = self.least_new().saturating_sub(least as u64);
        let extra = self.decide(Kind::Length, limit, highest, new, random);
        least + extra as usize
    }

    /// The size budget divides among the elements.
    #[inline]
    pub(crate) fn share_size(&mut self, parts: usize) {
        self.size.divide(parts);
    }

    #[inline]
    pub(super) fn random_length(&mut self, least: usize, most: Option<usize>) -> usize {
        match most {
            Some(most) => least + self.random_below((most - least) as u64 + 1) as usize,
            None => {
                let size = self.size.left(&mut self.stream) as usize;
                let (class, bits) = self.word();
                let drawn = scale(bits, size as u64 + 1) as usize;
                least + if class % 4 == 0 { size } else { drawn }
            }
        }
    }

    /// Returns true if anything is drawn from the random stream.
    pub(super) fn is_random(&self) -> bool {
        self.fast || matches!(self.recorder.origin, Origin::Random | Origin::Complete(_) | Origin::Extend(_))
    }

    /// Returns true if the next choice, outside of all spans, is random.
    #[inline]
    #[doc(hidden)]
    pub fn is_drawing(&self) -> bool {
        self.fast || self.recorder.is_drawing()
    }

    /// The tape that is being replayed; empty if none is.
    #[doc(hidden)]
    pub fn replayed(&self) -> &Tape {
        self.recorder.replayed()
    }

    /// Returns the number that tells random cases apart.
    pub(crate) fn case_counter(&self) -> u64 {
        self.first_counter.get().wrapping_mul(CASE_STEP_INVERSE)
    }

    /// Returns true if a tape is replayed.
    pub(crate) fn is_replay(&self) -> bool {
        matches!(self.recorder.origin, Origin::Replay(_))
    }

    /// The same random case under a seed of its own.
    pub(crate) fn own_seed(&self) -> Seed {
        Seed(self.first_counter.get())
    }

    /// Makes a choice of one alternative.
    #[inline]
    pub(crate) fn nothing(&mut self) {
        if !self.fast {
            self.decide(Kind::Index, 0, 0, 0, |_| 0);
        }
    }

    /// Makes one choice: from the origin of the recorder, or at random. `highest` is the limit
    /// within the depth, and the case is deeper than those enumerated before if it takes the value
    /// `new` or a higher one.
    #[doc(hidden)]
    pub fn decide(
        &mut self,
        kind: Kind,
        limit: u64,
        highest: u64,
        new: u64,
        random: impl FnOnce(&mut Source) -> u64,
    ) -> u64 {
        let value = match self.proposed(kind, limit, highest) {
            Some(value) => value,
            None => random(self),
        };
        self.note(kind, value, limit, highest, new);
        value
    }

    /// Returns the origin's proposal for a choice, or `None` if it is to be drawn at random.
    fn proposed(&mut self, kind: Kind, limit: u64, highest: u64) -> Option<u64> {
        let fresh = match self.recorder.origin {
            Origin::Complete(_) => self.word().1,
            _ => 0,
        };
        self.recorder.propose(kind, limit, highest, fresh)
    }

    /// Writes a choice down.
    fn note(&mut self, kind: Kind, value: u64, limit: u64, highest: u64, new: u64) {
        if let Origin::Exhaustive(odometer) = &mut self.recorder.origin {
            odometer.cut |= highest < limit;
            odometer.touched |= odometer.least_new(self.depth) == 0 || (new > 0 && value >= new);
        }
        self.recorder.write(kind, value, limit);
    }
}
