//! The shield: a runner that keeps inputs away which are known to fail.
//!
//! To the strategies it is the property itself. An input that has the form of a known bug is not run and
//! counts as passed; now and then one is run all the same, to see whether the form is honest. An input
//! that fails although it has no known form is looked into: if it has a known one inside, and passes
//! without that part, it is no news either.
//!
//! As long as nothing is known, nothing is recorded and the property runs as fast as ever.
//!
//! **Invariant:** a form that has been seen to match an input that passes keeps nothing away.

use crate::case::{Argument, Runner};
use crate::choice::{Source, Tape};
use crate::form::{Anchor, Form, Part, without};
use crate::label;
use crate::oracle::{Caught, Failure, Signature, Verdict, catch, usage_error};
use crate::program::{Proposal, Scratch};
use crate::trial::Ran;
use std::cell::{Cell, RefCell};

/// One in this many inputs of a known form is run all the same.
const SAMPLED: u64 = 8;
/// The most parts that are taken out of an input in one round, because they are known to make it fail.
const TAKEN_OUT: usize = 32;
/// The most rounds of taking parts out; what is left may have new ones.
const ROUNDS: usize = 4;

/// A form of inputs that fail, and the input that it came from.
#[derive(Debug, Clone)]
pub(crate) struct KnownForm {
    pub(crate) form: Form,
    /// The form wherever it is in an input.
    pub(crate) anywhere: Form,
    pub(crate) signature: Signature,
    pub(crate) tape: Tape,
    /// The bug of this run; none if it was known before.
    pub(crate) bug: Option<usize>,
    /// True if all inputs of the form fail, as far as is known.
    pub(crate) is_honest: bool,
    /// True if it is there for want of a form that says what the inputs have in common.
    pub(crate) is_last_resort: bool,
    /// The number of bugs that were known when the form was found.
    pub(crate) bugs: usize,
    /// True if an input of the form was seen not to fail since the form was found.
    pub(crate) is_refuted: bool,
    /// The number of times that the form was found anew.
    pub(crate) lessons: u32,
    /// Inputs that do not fail.
    pub(crate) passing: Vec<Part>,
    /// The number of inputs that had the form, before they were run.
    pub(crate) matched: u64,
    /// The number of them that were not run.
    pub(crate) avoided: u64,
    /// The number of inputs that were run and failed for this reason.
    pub(crate) met: u64,
}

impl KnownForm {
    pub(crate) fn new(form: Form, signature: Signature, tape: Tape, bug: Option<usize>) -> KnownForm {
        KnownForm {
            anywhere: form.anywhere(),
            form,
            signature,
            tape,
            bug,
            is_honest: true,
            is_last_resort: false,
            bugs: 0,
            is_refuted: false,
            lessons: 0,
            passing: Vec::new(),
            matched: 0,
            avoided: 0,
            met: 0,
        }
    }

    /// Takes note of an input that has the form and passes.
    pub(crate) fn refute(&mut self, passing: Part) {
        (self.is_honest, self.is_refuted) = (false, true);
        self.passing.push(passing);
    }
}

/// The reason of a failing input, given what is known.
#[derive(Debug)]
pub(crate) enum Origin {
    /// It fails for the reason with this number.
    Known(usize),
    /// It fails for another reason; so does what is left of it without the parts that are known.
    New(Tape, Box<Failure>),
}

/// The inputs of a property, and what is known of how they fail.
pub(crate) struct KnownForms<'a> {
    runner: &'a dyn Runner,
    samples: bool,
    pub(crate) known: RefCell<Vec<KnownForm>>,
    pub(crate) avoided: Cell<u64>,
}

/// The treatment of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sight {
    Unknown,
    Avoided,
    /// It has a known form, and is run all the same.
    Sampled(usize),
}

impl<'a> KnownForms<'a> {
    pub(crate) fn new(runner: &'a dyn Runner, samples: bool) -> KnownForms<'a> {
        KnownForms { runner, samples, known: RefCell::default(), avoided: Cell::default() }
    }

    fn is_down(&self) -> bool {
        self.known.borrow().is_empty()
    }

    /// Looks at an input before it is run.
    fn look(&self, tape: &Tape) -> Sight {
        let whole = Part::of(tape);
        let mut known = self.known.borrow_mut();
        let found = known.iter().position(|known| known.is_honest && known.form.matches(&whole));
        let Some(number) = found else { return Sight::Unknown };
        let form = &mut known[number];
        form.matched += 1;
        if self.samples && !form.signature.is_hang() && form.matched % SAMPLED == SAMPLED / 2 {
            return Sight::Sampled(number);
        }
        form.avoided += 1;
        self.avoided.set(self.avoided.get() + 1);
        Sight::Avoided
    }

    /// Judges an input that was run, given what is known.
    fn judged(&self, verdict: Verdict, tape: Option<&Tape>, sight: Sight) -> Verdict {
        if let Sight::Sampled(number) = sight {
            let mut known = self.known.borrow_mut();
            let known = &mut known[number];
            match (&verdict, tape) {
                (Verdict::Fail(failure), _) if failure.signature == known.signature => {
                    known.met += 1;
                    return Verdict::Pass;
                }
                (Verdict::Pass, Some(tape)) => {
                    known.refute(Part::of(tape));
                }
                _ => {}
            }
        }
        match (verdict, tape) {
            (Verdict::Fail(failure), Some(tape)) => match self.origin(tape, failure) {
                Origin::Known(number) => {
                    self.known.borrow_mut()[number].met += 1;
                    Verdict::Pass
                }
                Origin::New(_, failure) => Verdict::Fail(failure),
            },
            (verdict, _) => verdict,
        }
    }

    /// Returns the reason of a failing input. The parts of it that are known to make
    /// inputs fail are taken out one by one; if what is left still fails so, there is another reason.
    pub(crate) fn origin(&self, tape: &Tape, failure: Box<Failure>) -> Origin {
        let signature = &failure.signature;
        let mut left = tape.clone();
        let mut reason = None;
        for _ in 0..ROUNDS {
            let (smaller, number) = self.taken_out(&left, signature);
            let Some(number) = number else { break };
            reason.get_or_insert(number);
            match smaller.and_then(|smaller| self.made(smaller)) {
                Some(smaller) if smaller.values() != left.values() => left = smaller,
                // It is of the form as a whole.
                _ => return Origin::Known(number),
            }
        }
        let Some(number) = reason else { return Origin::New(left, failure) };
        if self.finds(&left, signature, None) {
            return Origin::Known(number);
        }
        let mut source = Source::replay(left);
        match ran(self.runner, Proposal::new(&mut source, &mut |_| true, &mut Scratch::default())) {
            Some(Verdict::Fail(again)) if again.signature == *signature => {
                Origin::New(source.into_tape(), again)
            }
            _ => Origin::Known(number),
        }
    }

    /// Returns an input without the parts that are known to make inputs fail in this way, if they can be taken out,
    /// and the first form of which it had one.
    fn taken_out(&self, tape: &Tape, signature: &Signature) -> (Option<Tape>, Option<usize>) {
        let (mut left, mut reason) = (tape.clone(), None);
        for _ in 0..TAKEN_OUT {
            let Some((number, anchor)) = self.known_part(&left, signature, None) else { break };
            reason.get_or_insert(number);
            match anchor {
                Some(anchor) => left = without(&left, anchor),
                None => return (None, reason),
            }
        }
        (Some(left), reason)
    }

    /// Returns a known form in an input, and a part by which it is there; not one of a bug that is left out.
    fn known_part(
        &self,
        tape: &Tape,
        signature: &Signature,
        left_out: Option<usize>,
    ) -> Option<(usize, Option<Anchor>)> {
        let whole = Part::of(tape);
        let known = self.known.borrow();
        let is_meant = |known: &KnownForm| {
            known.signature == *signature && (known.bug.is_none() || known.bug != left_out)
        };
        let mut meant = known.iter().enumerate().filter(|(_, known)| is_meant(known));
        meant.find_map(|(number, known)| {
            known.anywhere.anchors(&whole).map(|anchors| (number, anchors.first().copied()))
        })
    }

    /// Returns true if a form that fails in some way is anywhere in an input, but for those of one bug.
    pub(crate) fn finds(&self, tape: &Tape, signature: &Signature, left_out: Option<usize>) -> bool {
        self.known_part(tape, signature, left_out).is_some()
    }

    /// Returns an input as its generator makes it.
    fn made(&self, tape: Tape) -> Option<Tape> {
        let mut source = Source::replay(tape);
        let (mut scratch, mut makes_only) = (Scratch::default(), |_: &Source| false);
        catch(|| self.runner.case(Proposal::new(&mut source, &mut makes_only, &mut scratch))).ok()?;
        Some(source.into_tape())
    }
}

/// Runs the case of a proposal, if it is worth it.
fn ran(runner: &dyn Runner, proposal: Proposal<'_>) -> Option<Verdict> {
    match catch(|| runner.case(proposal)) {
        Ok(ran) => ran.map(|ran| ran.verdict),
        Err(Caught::Discarded) => Some(Verdict::Discard),
        Err(Caught::Failed(failure)) => Some(Verdict::Fail(failure)),
        Err(Caught::Misused(problem)) => usage_error(problem),
    }
}

impl Runner for KnownForms<'_> {
    fn batch(&self, source: &mut Source, count: u64, scratch: &mut Scratch) -> Verdict {
        if self.is_down() {
            return self.runner.batch(source, count, scratch);
        }
        for _ in 0..count {
            source.next_case();
            let mut recorded = Source::recording(source.own_seed(), 0);
            let ran = self.case(Proposal::new(&mut recorded, &mut |_| true, scratch));
            match ran.map(|ran| ran.verdict) {
                Some(Verdict::Pass) | None => {}
                Some(verdict) => return verdict,
            }
        }
        Verdict::Pass
    }

    fn case(&self, proposal: Proposal<'_>) -> Option<Ran> {
        if self.is_down() {
            return self.runner.case(proposal);
        }
        let Proposal { source, worth, scratch, .. } = proposal;
        let (mut sight, mut finished) = (Sight::Unknown, false);
        let mut worth = |source: &Source| {
            // What the test draws itself is known only when it has run.
            finished = !source.is_unfinished();
            if !worth(source) {
                return false;
            }
            if finished {
                sight = self.look(source.tape());
            }
            sight != Sight::Avoided
        };
        let verdict = ran(self.runner, Proposal::new(source, &mut worth, scratch));
        if sight == Sight::Avoided {
            label::discard();
            return Some(Ran::from(Verdict::Pass));
        }
        let tape = finished.then(|| source.tape());
        Some(Ran::from(self.judged(verdict?, tape, sight)))
    }

    fn arguments(&self, source: &mut Source) -> Vec<Argument> {
        self.runner.arguments(source)
    }
}

/// Inputs of which some are not worth running.
pub(crate) struct Filtered<'a> {
    pub(crate) runner: &'a dyn Runner,
    pub(crate) is_known: &'a dyn Fn(&Tape) -> bool,
}

impl Runner for Filtered<'_> {
    fn batch(&self, source: &mut Source, count: u64, scratch: &mut Scratch) -> Verdict {
        self.runner.batch(source, count, scratch)
    }

    fn case(&self, proposal: Proposal<'_>) -> Option<Ran> {
        let Proposal { source, worth, extension, scratch } = proposal;
        let mut worth =
            |source: &Source| worth(source) && (source.is_unfinished() || !(self.is_known)(source.tape()));
        self.runner.case(Proposal { source, worth: &mut worth, extension, scratch })
    }

    fn arguments(&self, source: &mut Source) -> Vec<Argument> {
        self.runner.arguments(source)
    }
}
