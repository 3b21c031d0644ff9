//! Exhaustive search: all inputs up to a depth, the depth rising.
//!
//! An input is run at the depth that it has and at no other: what a smaller depth has shown is
//! generated again at the next, which is cheap, but not tested again.

use super::{Strategy, Turn};
use crate::case::{Finder, Found, Judge};
use crate::choice::{Odometer, Source};
use crate::oracle::{Verdict, WrongTest};
use crate::wire::Work;

/// Inputs generated in vain, at most, for each one that is to be run.
const VAIN: u64 = 1_000;
/// A depth brings little if fewer than one in this many of its inputs are new.
const SPARSE: u64 = 4;
/// Beyond this depth nothing new is expected of a generator that has brought nothing so far.
const HOPELESS: u32 = 300;

/// All inputs, by depth.
#[derive(Debug)]
pub(crate) struct Exhaustive {
    odometer: Odometer,
    depth: u32,
    deepest: u32,
    /// Inputs that were run, and how many of them the test discarded.
    inputs: u64,
    discarded: u64,
    /// Cases that came to something, those included that were given up while they were generated.
    tried: u64,
    at_this_depth: u64,
    new_here: u64,
    /// The number of inputs of the depth that are passed over.
    skip: u64,
    finished: Option<Exhausted>,
    programs: bool,
    over: bool,
}

/// The inputs that have been tested completely.
///
/// ```
/// use bugnet::campaign::Exhausted;
///
/// let all = Exhausted { inputs: 61, discarded: 40, depth: 30, whole: false, programs: false };
/// assert_eq!(all.to_string(), "all 61 inputs up to depth 30, 40 of them discarded");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exhausted {
    /// The number of inputs up to the depth. All were run.
    pub inputs: u64,
    /// The number of them that the test discarded.
    pub discarded: u64,
    /// The depth.
    pub depth: u32,
    /// True if no other inputs exist at any depth.
    pub whole: bool,
    /// True if the inputs are programs, whose depth is one less than the number of their calls.
    pub programs: bool,
}

impl std::fmt::Display for Exhausted {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.programs {
            let calls = self.depth + 1;
            return write!(
                out,
                "all {} programs of up to {calls} {} with small literals",
                self.inputs,
                if calls == 1 { "call" } else { "calls" }
            );
        }
        let inputs = if self.inputs == 1 { "input" } else { "inputs" };
        match self.whole {
            true => write!(out, "all {} {inputs} that there are", self.inputs)?,
            false => write!(out, "all {} {inputs} up to depth {}", self.inputs, self.depth)?,
        }
        match self.discarded {
            0 => Ok(()),
            discarded => write!(out, ", {discarded} of them discarded"),
        }
    }
}

impl Exhaustive {
    pub(crate) fn new(deepest: u32) -> Exhaustive {
        Exhaustive {
            odometer: Odometer::new(0, 1),
            depth: 0,
            deepest,
            inputs: 0,
            discarded: 0,
            tried: 0,
            at_this_depth: 0,
            new_here: 0,
            skip: 0,
            finished: None,
            programs: false,
            over: false,
        }
    }

    /// The inputs of one depth, without the first ones.
    pub(crate) fn resume(depth: u32, skip: u64) -> Exhaustive {
        // What was new at this depth is not known any more: everything is run.
        Exhaustive { odometer: Odometer::new(depth, depth + 1), depth, skip, ..Exhaustive::new(depth) }
    }

    /// Returns the inputs that have been tested completely so far.
    pub(crate) fn finished(&self) -> Option<Exhausted> {
        self.finished
    }

    /// Moves on to the next input, or the next depth.
    fn advance(&mut self) {
        if self.odometer.advance() {
            return;
        }
        let whole = !self.odometer.cut;
        let Exhaustive { inputs, discarded, depth, programs, .. } = *self;
        let exhausted = Exhausted { inputs, discarded, depth, whole, programs };
        self.finished = (!self.odometer.sampled).then_some(exhausted);
        let hopeless = self.tried == 0 && self.depth >= HOPELESS;
        self.over = whole || self.depth >= self.deepest || hopeless;
        // Where a depth brings little that is new, as with a single number, the next one is much
        // deeper: going through the old again each time would take longer than the search.
        let step = if self.new_here * SPARSE < self.at_this_depth { 1 + self.depth / 2 } else { 1 };
        let step = step.min(self.deepest.saturating_sub(self.depth)).max(1);
        self.depth += step;
        (self.at_this_depth, self.new_here) = (0, 0);
        self.odometer = Odometer::new(self.depth, step);
    }
}

impl Strategy for Exhaustive {
    fn run(&mut self, judge: &mut Judge<'_>, count: u64) -> Result<Turn, WrongTest> {
        let mut turn = Turn::default();
        self.programs = judge.cases.programs.is_some();
        let mut vain = count * VAIN;
        let work = Work::Exhaustive { depth: self.depth, skip: self.at_this_depth, count };
        judge.journal.write(&work);
        while turn.ran() < count && !self.over && vain > 0 {
            let mut source = Source::exhaustive(std::mem::take(&mut self.odometer));
            let skipped = self.at_this_depth < self.skip;
            let mut is_run = false;
            let verdict = judge.case(&mut source, &mut |source| {
                is_run = source.is_new() && !skipped;
                is_run
            })?;
            let (odometer, tape) = source.into_odometer();
            let new = odometer.touched && !odometer.too_deep;
            is_run &= new && !odometer.repeated;
            self.odometer = odometer;
            self.at_this_depth += 1;
            vain -= 1;
            match verdict {
                Some(Verdict::Pass) if new => turn.passed += 1,
                // What was not run because it is known to fail is neither.
                Some(Verdict::Discard) if judge.scratch.steering.has_avoided() => {}
                // What gives up while it is being generated is no input at all.
                Some(Verdict::Discard) if new && !self.odometer.repeated => {
                    turn.discarded += 1;
                    self.discarded += u64::from(is_run);
                }
                Some(Verdict::Fail(failure)) => {
                    turn.found = Some(Found {
                        tape,
                        failure: *failure,
                        confirmed: false,
                        by: Finder::ExhaustiveSearch,
                    });
                    self.advance();
                    return Ok(turn);
                }
                _ => {}
            }
            let counts = matches!(verdict, Some(Verdict::Pass | Verdict::Discard) if new);
            self.inputs += u64::from(counts && is_run);
            self.tried += u64::from(counts);
            self.new_here += u64::from(counts);
            self.advance();
        }
        turn.over = self.over || vain == 0;
        Ok(turn)
    }
}
