//! The recorder: what a source does when it is not simply random.
//!
//! It decides each choice (from the random stream, a tape, a mutated tape or the odometer) and
//! writes what was decided to a new tape.
//!
//! **Invariant:** the tape written replays to the same value, whatever the origin was.

use super::shape::KnownShape;
use super::swarming::Swarming;
use super::{Choice, Kind, Node, Odometer, Source, Span, Tape};
use std::any::Any;
use std::mem::discriminant;

/// No replayed sequence is longer, whatever the tape says.
const LONGEST: u64 = 1 << 17;

/// The origin of decisions.
#[derive(Debug, Clone)]
pub(super) enum Origin {
    /// The random stream of the source.
    Random,
    /// A tape, span by span.
    Replay(Replay),
    /// A tape, and the random stream for what it lacks.
    Complete(Replay),
    /// A tape, and then the random stream.
    Extend(Replay),
    /// The digits of the odometer.
    Exhaustive(Odometer),
}

/// The state of a source that records.
#[derive(Debug)]
pub(super) struct Recorder {
    pub(super) origin: Origin,
    pub(super) tape: Tape,
    open: Vec<Open>,
    pub(super) watcher: Option<Watcher>,
    pub(super) swarm: Option<Box<Swarming>>,
    /// True if nobody looks at the values.
    pub(super) is_unseen: bool,
    /// True if nothing is written down: choices are random, and the number of a case is enough to run it again.
    pub(super) is_silent: bool,
    /// Values that are left of the inputs before; see `generate/spare.rs`.
    pub(super) spares: AllSpares,
}

/// The spare values of all types, each with its shape.
pub(crate) type AllSpares = Vec<(&'static KnownShape, Box<dyn Any>)>;

/// Is told what is on the tape before anything that may kill the process.
#[doc(hidden)]
pub struct Watcher(pub Box<dyn FnMut(&Tape)>);

impl std::fmt::Debug for Watcher {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Watcher")
    }
}

/// A place on a tape that is being written.
#[derive(Debug, Clone, Copy, Default)]
#[doc(hidden)]
pub struct Mark {
    choices: usize,
    spans: usize,
    open: usize,
    /// The number of digits taken from the odometer.
    digits: usize,
}

impl Mark {
    /// Returns the number of spans at the mark.
    pub(crate) fn spans(self) -> usize {
        self.spans
    }
}

#[derive(Debug, Clone, Copy)]
struct Open {
    span: usize,
    resume: Option<Frame>,
}

/// Reads a tape, keeping spans aligned: what a span asks for beyond its own choices is zero, and
/// what it leaves over is skipped. So an edit inside one span never shifts what another one reads.
#[derive(Debug, Clone)]
pub(super) struct Replay {
    tape: Tape,
    next: usize,
    end: usize,
    next_span: usize,
}

/// The state to return to when a span closes.
#[derive(Debug, Clone, Copy)]
struct Frame {
    next: usize,
    end: usize,
}

impl Replay {
    pub(super) fn new(tape: Tape) -> Replay {
        let end = tape.choices.len();
        Replay { tape, next: 0, end, next_span: 0 }
    }

    /// The next choice, if it is of the same sort as the one asked for. What is read as another
    /// sort than it was written means nothing; a number read as a length could be endless.
    fn read(&mut self, kind: Kind, limit: u64) -> Option<u64> {
        if self.next >= self.end {
            return None;
        }
        let choice = self.tape.choices[self.next];
        self.next += 1;
        let known = choice.kind != Kind::Unknown;
        let same = !known || discriminant(&choice.kind) == discriminant(&kind);
        let limit = match kind {
            Kind::Length if known => limit.min(LONGEST),
            // Elements mostly take a choice each, so a length beyond the tape is a stray number.
            Kind::Length => limit.min((self.tape.choices.len() - self.next).max(1024) as u64),
            _ => limit,
        };
        same.then(|| choice.value.min(limit))
    }

    /// Enters the span that starts here, if the tape has one of this label.
    fn open(&mut self, label: &'static str) -> Option<Frame> {
        let spans = &self.tape.spans;
        while spans.get(self.next_span).is_some_and(|span| span.start < self.next) {
            self.next_span += 1;
        }
        let span = *spans.get(self.next_span)?;
        let fits = span.start == self.next && span.end <= self.end;
        if !fits || !(span.label.is_empty() || span.label == label) {
            return None;
        }
        self.next_span += 1;
        let frame = Frame { next: span.end, end: self.end };
        self.end = span.end;
        Some(frame)
    }

    fn close(&mut self, frame: Frame) {
        self.next = frame.next;
        self.end = frame.end;
    }

    /// Returns the end of the span that begins behind the next choice.
    fn end_of_next(&self) -> usize {
        let begins = |span: &&Span| span.start > self.next;
        let next = self.tape.spans[self.next_span..].iter().find(begins);
        next.filter(|span| span.start == self.next + 1).map_or(self.next + 1, |span| span.end)
    }
}

impl Recorder {
    pub(super) fn new(origin: Origin) -> Recorder {
        Recorder {
            origin,
            tape: Tape::default(),
            open: Vec::new(),
            watcher: None,
            swarm: None,
            is_unseen: false,
            is_silent: false,
            spares: Vec::new(),
        }
    }

    /// The decision of the origin, or `None` if it is to be drawn at random. `highest` is the
    /// limit within the depth, and `fresh` a random word.
    pub(super) fn propose(&mut self, kind: Kind, limit: u64, highest: u64, fresh: u64) -> Option<u64> {
        match &mut self.origin {
            Origin::Random => None,
            Origin::Replay(replay) => Some(replay.read(kind, limit).unwrap_or(0)),
            Origin::Extend(replay) => replay.read(kind, limit),
            // What is grafted on is mostly small, so that it disturbs little.
            Origin::Complete(replay) => replay.read(kind, limit).or_else(|| {
                let structural = matches!(kind, Kind::Index | Kind::Length);
                (structural && fresh >> 62 != 0).then_some(0)
            }),
            Origin::Exhaustive(odometer) => Some(odometer.digit(highest)),
        }
    }

    /// Tells the watcher, if there is one.
    pub(super) fn tell(&mut self) {
        if let Some(Watcher(mut tell)) = self.watcher.take() {
            tell(&self.closed());
            self.watcher = Some(Watcher(tell));
        }
    }

    /// Closes every span that is open.
    pub(super) fn close_all(&mut self) {
        while !self.open.is_empty() {
            self.close();
        }
    }

    /// The tape, as if every span ended here.
    pub(super) fn closed(&self) -> Tape {
        let mut tape = self.tape.clone();
        for open in &self.open {
            tape.spans[open.span].end = tape.choices.len();
        }
        tape
    }

    pub(super) fn mark(&self) -> Mark {
        let digits = match &self.origin {
            Origin::Exhaustive(odometer) => odometer.place(),
            _ => 0,
        };
        let Tape { choices, spans } = &self.tape;
        Mark { choices: choices.len(), spans: spans.len(), open: self.open.len(), digits }
    }

    /// Forgets everything but how much room a tape needs.
    pub(super) fn begin_again(&mut self) {
        self.rewind(Mark::default());
        let tape = std::mem::take(&mut self.tape);
        *self = Recorder { tape, ..Recorder::new(Origin::Random) };
    }

    /// Forgets what was written since a mark.
    pub(super) fn rewind(&mut self, mark: Mark) {
        self.tape.choices.truncate(mark.choices);
        self.tape.spans.truncate(mark.spans);
        self.open.truncate(mark.open);
        if let Origin::Exhaustive(odometer) = &mut self.origin {
            odometer.go_back(mark.digits);
        }
    }

    pub(super) fn correct(&mut self, mark: Mark, value: u64) {
        if let Some(choice) = self.tape.choices.get_mut(mark.choices) {
            choice.value = value.min(choice.limit);
        }
    }

    pub(super) fn correct_last(&mut self, value: u64) {
        if let Some(choice) = self.tape.choices.last_mut() {
            choice.value = value;
        }
    }

    /// The tape that is being replayed.
    pub(super) fn replayed(&self) -> &Tape {
        match &self.origin {
            Origin::Replay(replay) | Origin::Complete(replay) | Origin::Extend(replay) => &replay.tape,
            Origin::Random | Origin::Exhaustive(_) => &self.tape,
        }
    }

    /// Returns true if the next choice is random.
    pub(super) fn is_drawing(&self) -> bool {
        match &self.origin {
            Origin::Random => true,
            Origin::Extend(replay) => replay.next >= replay.end,
            _ => false,
        }
    }

    pub(super) fn write(&mut self, kind: Kind, value: u64, limit: u64) {
        if self.is_silent {
            return;
        }
        self.tape.choices.push(Choice { kind, value, limit });
    }

    pub(super) fn open(&mut self, label: &'static str) {
        if self.is_silent {
            return;
        }
        let start = self.tape.choices.len();
        let resume = match &mut self.origin {
            Origin::Replay(replay) | Origin::Complete(replay) | Origin::Extend(replay) => replay.open(label),
            Origin::Random | Origin::Exhaustive(_) => None,
        };
        self.open.push(Open { span: self.tape.spans.len(), resume });
        self.tape.spans.push(Span { label, start, end: start });
    }

    pub(super) fn close(&mut self) {
        if self.is_silent {
            return;
        }
        let open = self.open.pop().expect("a span was closed that was not open");
        self.tape.spans[open.span].end = self.tape.choices.len();
        let Some(frame) = open.resume else { return };
        if let Origin::Replay(replay) | Origin::Complete(replay) | Origin::Extend(replay) = &mut self.origin {
            replay.close(frame);
        }
    }
}

/// Records of a source other than its choices.
impl Source {
    /// Writes down a choice that was made without the source.
    #[inline]
    pub(crate) fn forced(&mut self, kind: Kind, value: u64, limit: u64) {
        if !self.fast {
            self.recorder.write(kind, value, limit);
        }
    }

    /// Writes down choices of one sort that were made without the source.
    #[inline]
    pub(crate) fn forced_all(&mut self, kind: Kind, values: impl Iterator<Item = u64>, limit: u64) {
        if !self.fast && !self.recorder.is_silent {
            self.recorder.tape.choices.extend(values.map(|value| Choice { kind, value, limit }));
        }
    }

    /// Returns the end of the span that begins behind the next choice of the replayed tape.
    pub(crate) fn end_of_next(&self) -> usize {
        match &self.recorder.origin {
            Origin::Extend(replay) => replay.end_of_next(),
            _ => 0,
        }
    }

    /// Goes on with a choice of the tape that is replayed, outside of all spans.
    pub(crate) fn replay_from(&mut self, place: usize) {
        if let Origin::Extend(replay) = &mut self.recorder.origin {
            (replay.next, replay.end) = (place, replay.tape.choices.len());
        }
    }

    /// Has someone told what is on the tape before each call.
    #[doc(hidden)]
    pub fn watched_by(&mut self, watcher: Watcher) {
        self.recorder.watcher = Some(watcher);
    }

    /// Takes over the tape of a case that ran in another process.
    pub(crate) fn ran_as(&mut self, tape: Tape) {
        self.recorder.rewind(Mark::default());
        self.recorder.tape = tape;
    }

    /// Tells the watcher what is on the tape.
    #[inline]
    pub(crate) fn tell(&mut self) {
        if !self.fast && self.recorder.watcher.is_some() {
            self.recorder.tell();
        }
    }

    /// Returns the current place on the tape, to [rewind](Source::rewind) it.
    #[inline]
    #[doc(hidden)]
    pub fn mark(&self) -> Mark {
        if self.fast { Mark::default() } else { self.recorder.mark() }
    }

    /// Forgets what was written since the tape was marked.
    #[doc(hidden)]
    pub fn rewind(&mut self, mark: Mark) {
        self.recorder.rewind(mark);
    }

    /// Writes a part of a tape down as it is.
    #[doc(hidden)]
    pub fn graft(&mut self, part: &Tape) {
        self.recorder.tape.append(part);
    }

    /// Leaves a span that was entered right after a mark, and forgets it.
    pub(crate) fn abandon(&mut self, mark: Mark, node: Node) {
        self.recorder.rewind(mark);
        (self.size, self.depth) = (node.size, node.depth);
    }

    /// Writes another value for the first choice after a mark.
    pub(crate) fn correct(&mut self, mark: Mark, value: u64) {
        if !self.fast {
            self.recorder.correct(mark, value);
        }
    }

    /// Writes another value for the last choice.
    pub(crate) fn correct_last(&mut self, value: u64) {
        self.recorder.correct_last(value);
    }
}
