//! Shrinking programs: fewer calls, fewer values, simpler literals.
//!
//! The passes, in order:
//!
//! 1. Slices: keep only what the last call depends on, then also what has the same values. That is
//!    mostly the whole bug, and costs a test or two.
//! 2. Delete: take calls out, many at a time, each with everything that depends on it.
//! 3. Merge: use an older value instead of a newer one, so that the newer need not be made.
//! 4. Reroute: use what a call was given instead of what it makes, wherever it is used: a copy.
//! 5. Provide: make a value in a simpler way.
//! 6. Literals: shrink the tapes of literals as those of properties, equal ones together first.
//! 7. Pairs: take out two calls at once, where one undoes what the other has done.
//! 8. Absorb: have one call do the work of two that differ in a number, such as two deposits.
//! 9. Twins: make two literals simpler together that are alike in all but an item.
//!
//! **Invariant:** nothing is proposed that the borrow checker would refuse, and nothing twice.

use super::doubt::Doubt;
use super::{Shrunk, Terms, shrink};
use crate::choice::{Kind, Source, Tape};
use crate::list::{Listed, mapped};
use crate::oracle::{Failure, Phase, Signature, Verdict};
use crate::pattern::STATE;
use crate::program::{Argument, Call, Program, Suite, calls_of};
use crate::trial::{Ran, Trial, Worth};
use std::cmp::Ordering;
use std::collections::HashSet;

/// The most calls of a program in which all pairs are tried.
const FEW: usize = 16;

/// Runs, at most, of a candidate that has failed by chance before its end.
const ATTEMPTS: u32 = 3;

/// Shrinks a failing program. `None` if it has failed only once and
/// does not fail again; if failures are doubted, nothing that it was reduced to does either.
#[doc(hidden)]
pub fn shrink_program<'a>(
    suite: &'a Suite,
    trial: &'a mut dyn Trial,
    program: Program,
    failure: Failure,
    confirmed: bool,
    terms: Terms<'a>,
) -> Option<Shrunk> {
    let mut judged = HashSet::new();
    judged.insert(program.tape(suite).values());
    let doubt = Doubt::new(if confirmed { 2 } else { 1 });
    let mut reducer =
        Reducer { suite, trial, terms, best: program, failure, judged, tested: 0, steps: 0, doubt };
    reducer.open_features();
    reducer.slice();
    if !confirmed && reducer.steps == 0 && !reducer.fails_again() {
        return None;
    }
    // A literal that changes later has everything tried again that was tried with the old one.
    if reducer.best.calls.len() <= FEW {
        reducer.literals();
    }
    loop {
        let before = reducer.steps;
        reducer.delete();
        reducer.merge();
        reducer.reroute();
        reducer.provide();
        reducer.literals();
        if reducer.steps == before {
            reducer.pairs();
            reducer.absorb();
            reducer.twins();
        }
        let is_over = reducer.steps == before || reducer.exhausted();
        if is_over && reducer.is_settled()? {
            break;
        }
    }
    Some(Shrunk {
        complete: !reducer.exhausted(),
        tape: reducer.best.tape(suite),
        failure: reducer.failure,
        tested: reducer.tested,
        steps: reducer.steps,
    })
}

pub(super) struct Reducer<'a> {
    pub(super) suite: &'a Suite,
    pub(super) trial: &'a mut dyn Trial,
    pub(super) terms: Terms<'a>,
    pub(super) best: Program,
    pub(super) failure: Failure,
    judged: HashSet<Vec<u64>>,
    pub(super) tested: u64,
    pub(super) steps: u64,
    pub(super) doubt: Doubt,
}

impl Reducer<'_> {
    fn exhausted(&self) -> bool {
        self.doubt.refuted || self.tested >= self.terms.limit || self.trial.is_over()
    }

    /// Runs a candidate; takes it if it is simpler than the best and fails in the same way.
    pub(super) fn attempt(&mut self, candidate: Program) -> bool {
        let simpler = candidate.simplicity(&self.best) == Ordering::Less;
        if !simpler || self.exhausted() || self.has_passed(&candidate) || !candidate.is_sound(self.suite) {
            return false;
        }
        let tape = candidate.tape(self.suite);
        if !self.judged.insert(tape.values()) || (self.terms.is_known)(&candidate) {
            return false;
        }
        match self.failure_of(&candidate, &tape) {
            Some((ran, failure, failed)) => self.take(ran.unwrap_or(candidate), failure, failed),
            None => {
                self.was_in_vain(&candidate);
                return false;
            }
        }
        true
    }

    /// Runs a candidate: how it fails, and how much of it has run, if it has failed before its end.
    fn failure_of(&mut self, candidate: &Program, tape: &Tape) -> Option<(Option<Program>, Failure, u32)> {
        for _ in 0..ATTEMPTS {
            let mut source = Source::replay(tape.clone());
            self.tested += 1;
            let failure = self.failure_in(&mut source)?;
            let ran = Program::of(self.suite, &source.into_tape()).filter(|ran| !ran.calls.is_empty());
            let Some(ran) = ran.filter(|ran| ran.calls.len() < candidate.calls.len()) else {
                return Some((None, failure, 1));
            };
            // That was by chance, if it does not fail there when it is run by itself.
            self.tested += 1;
            if self.failure_in(&mut Source::replay(ran.tape(self.suite))).is_some() {
                return Some((Some(ran), failure, 2));
            }
        }
        None
    }

    /// Runs what is replayed, once: how it fails, if it does so in the right way.
    fn failure_in(&mut self, source: &mut Source) -> Option<Failure> {
        self.trial.run(source, &mut |_| true)?.failure(self.terms.signature.as_ref())
    }

    /// Returns true if a candidate is the beginning of the best program, which failed at its end: it has passed.
    fn has_passed(&self, candidate: &Program) -> bool {
        let last = self.best.calls.last().map(|call| self.suite.operations[call.operation].name);
        let at_end = match &self.failure.signature {
            // What is lent is checked when the loan has ended, which may be at the end of the program.
            Signature::InCall { phase: Phase::Check, .. } => !self.suite.lends(),
            Signature::InCall { phase: Phase::Call, operation, .. } => last == Some(operation.as_str()),
            _ => false,
        };
        let features = candidate.features == self.best.features;
        at_end && features && self.best.calls.starts_with(&candidate.calls)
    }

    /// Features that the test names are on if that does not matter.
    fn open_features(&mut self) {
        let open = Program { features: 0, ..self.best.clone() };
        self.attempt(open);
    }

    fn slice(&mut self) {
        let Some(last) = self.best.calls.len().checked_sub(1) else { return };
        for hops in 0..3 {
            let near = self.best.near(self.suite, &[last], hops);
            // Mostly it is enough to call the same once.
            let repeats = |place: usize| {
                let call = &self.best.calls[place];
                let again = |later: usize| near[later] && self.best.calls[later] == *call;
                !call.makes(self.suite) && (place + 1..=last).any(again)
            };
            let mut lean = near.clone();
            for (place, is_kept) in lean.iter_mut().enumerate() {
                *is_kept = *is_kept && !repeats(place);
            }
            if lean != near && self.attempt(self.best.only(&lean)) {
                return;
            }
            if !near.contains(&false) || self.attempt(self.best.only(&near)) {
                return;
            }
        }
    }

    fn delete(&mut self) {
        let mut size = self.best.calls.len().next_power_of_two() / 2;
        while size > 0 {
            let mut end = self.best.calls.len();
            while end > 0 {
                let start = end.saturating_sub(size);
                let without = self.best.without(&|place| (start..end).contains(&place));
                if self.attempt(without) {
                    end = end.min(self.best.calls.len());
                } else {
                    end = start;
                }
            }
            size /= 2;
        }
    }

    fn pairs(&mut self) {
        let mut second = self.best.calls.len();
        if second > FEW {
            return;
        }
        while second > 0 {
            second -= 1;
            let found = (0..second)
                .rev()
                .any(|first| self.attempt(self.best.without(&|place| place == first || place == second)));
            if found {
                second = second.min(self.best.calls.len());
            }
        }
    }

    /// Takes out a call and adds its number to that of another one which is the same otherwise.
    fn absorb(&mut self) {
        let mut second = self.best.calls.len();
        while second > 0 {
            second -= 1;
            let mut absorb = |first: usize, more: u64| {
                let candidate = self.best.absorbed(first, second, more);
                candidate.is_some_and(|candidate| self.attempt(candidate))
            };
            // The simplest number of a range is often one, and then a sum of codes is one too low.
            let absorbed = (0..second).rev().any(|first| absorb(first, 0) || absorb(first, 1));
            if absorbed {
                second = second.min(self.best.calls.len());
            }
        }
    }

    fn merge(&mut self) {
        for place in (0..self.best.calls.len()).rev() {
            let Some(call) = self.best.calls.get(place) else { continue };
            for parameter in 0..call.arguments.len() {
                // What was merged may have taken calls out, so another one may stand here now.
                let argument = self.best.calls.get(place).and_then(|call| call.arguments.get(parameter));
                let Some(Argument::Earlier(used)) = argument.cloned() else { continue };
                for older in 0..used {
                    // The newer value is mostly not needed any more, and neither is what made it.
                    let merged = self.best.with(place, parameter, Argument::Earlier(older));
                    let last_use = !merged.uses(used);
                    let lean = merged.without(&|other| last_use && other == used);
                    if self.attempt(lean) || self.attempt(merged) {
                        break;
                    }
                }
            }
        }
    }

    fn reroute(&mut self) {
        let mut place = self.best.calls.len();
        while place > 0 {
            place -= 1;
            if self.best.rerouted(place).into_iter().any(|candidate| self.attempt(candidate)) {
                place = place.min(self.best.calls.len());
            }
        }
    }

    fn provide(&mut self) {
        for place in 0..self.best.calls.len() {
            for candidate in self.best.provided(self.suite, place) {
                if self.attempt(candidate) {
                    break;
                }
            }
        }
    }

    /// Shrinks literals: those that are equal together, then each.
    fn literals(&mut self) {
        for alone in [false, true] {
            let mut seen = HashSet::new();
            for (place, parameter, literal) in self.best.literals() {
                let mut key = if alone { vec![place as u64, parameter as u64] } else { Vec::new() };
                key.append(&mut literal.values());
                if self.exhausted() || !seen.insert(key) {
                    continue;
                }
                let now = self.best.literals();
                let (mut places, mut first) = (Vec::new(), None);
                for (other, at, tape) in now {
                    let is_same = match alone {
                        true => (other, at) == (place, parameter),
                        false => tape.values() == literal.values(),
                    };
                    if is_same {
                        places.push((other, at));
                        first = first.or(Some(tape));
                    }
                }
                let Some(tape) = first else { continue };
                if !alone && places.len() < 2 {
                    continue;
                }
                let (failure, limit) = (self.failure.clone(), self.terms.limit.saturating_sub(self.tested));
                let terms = Terms { signature: None, is_known: &mut |_| false, limit };
                shrink(&mut LiteralTrial { reducer: self, places }, tape, failure, terms);
            }
        }
    }
}

/// One literal, at all its places in a program.
struct LiteralTrial<'a, 'b> {
    reducer: &'a mut Reducer<'b>,
    places: Vec<(usize, usize)>,
}

impl Trial for LiteralTrial<'_, '_> {
    fn run(&mut self, source: &mut Source, worth: Worth<'_>) -> Option<Ran> {
        let (call, parameter) = self.places[0];
        let operation = self.reducer.best.calls.get(call)?.operation;
        self.reducer.suite.draw_literal(operation, parameter, source);
        if !worth(source) {
            return None;
        }
        let literal = source.tape().clone();
        let mut candidate = self.reducer.best.clone();
        for (call, parameter) in &self.places {
            candidate.calls.get_mut(*call)?.arguments[*parameter] = Argument::Literal(literal.clone());
        }
        let verdict = match self.reducer.attempt(candidate) {
            true => Verdict::Fail(Box::new(self.reducer.failure.clone())),
            false => Verdict::Pass,
        };
        Some(Ran::from(verdict))
    }

    fn is_over(&self) -> bool {
        self.reducer.exhausted()
    }
}

/// Parts of programs, and programs in order.
impl Program {
    /// Orders programs by simplicity: fewer calls, then fewer choices in literals, then earlier
    /// operations, older values and simpler literals, from the first call on.
    pub(crate) fn simplicity(&self, other: &Program) -> Ordering {
        let size = |program: &Program| (program.choices(), program.features);
        let mut order = self.calls.len().cmp(&other.calls.len()).then_with(|| size(self).cmp(&size(other)));
        for (call, against) in self.calls.iter().zip(&other.calls) {
            order = order.then_with(|| call.simplicity(against));
        }
        order
    }

    /// Counts the choices in literals.
    fn choices(&self) -> usize {
        let mut count = 0;
        for (_, _, tape) in self.literals() {
            count += tape.choices.len();
        }
        count
    }

    /// Returns the places of literals, by call and parameter.
    pub(crate) fn literal_places(&self) -> Vec<(usize, usize)> {
        mapped(&self.literals(), |(call, parameter, _)| (*call, *parameter))
    }

    /// The literals, by call and parameter.
    fn literals(&self) -> Vec<(usize, usize, Tape)> {
        let mut literals = Vec::new();
        for (place, call) in self.calls.iter().enumerate() {
            for (parameter, argument) in call.arguments.iter().enumerate() {
                if let Argument::Literal(tape) = argument {
                    literals.push((place, parameter, tape.clone()));
                }
            }
        }
        literals
    }

    /// Adds the calls whose results are needed.
    fn add_needed(&self, kept: &mut [bool]) {
        for place in (0..self.calls.len()).rev() {
            if kept[place] {
                for needed in self.calls[place].results() {
                    kept[needed] = true;
                }
            }
        }
    }

    /// Marks some calls, the calls that share a value with one of them, and so on for this number of hops; and all
    /// that they need.
    pub(crate) fn near(&self, suite: &Suite, places: &[usize], hops: u32) -> Vec<bool> {
        let history = calls_of(suite, self);
        let has = |place: usize, value: u64| {
            value != STATE && (value == place as u64 || history.call(place).arguments.contains(&value))
        };
        let meet = |one: usize, another: usize| {
            has(one, another as u64) || history.call(another).arguments.iter().any(|value| has(one, *value))
        };
        let mut kept = vec![false; self.calls.len()];
        for place in places {
            kept[*place] = true;
        }
        self.add_needed(&mut kept);
        for _ in 0..hops {
            let known = kept.clone();
            for (place, kept) in kept.iter_mut().enumerate() {
                *kept = *kept || (0..known.len()).any(|other| known[other] && meet(place, other));
            }
            self.add_needed(&mut kept);
        }
        kept
    }

    /// Some calls and what they need, with the number that each call of the program has there.
    pub(crate) fn keeping(&self, kept: &dyn Fn(usize) -> bool) -> (Program, Vec<usize>) {
        let mut wanted: Vec<bool> = (0..self.calls.len()).map(kept).listed();
        self.add_needed(&mut wanted);
        let (mut count, mut numbers) = (0, Vec::new());
        for wanted in &wanted {
            count += usize::from(*wanted);
            numbers.push(count.max(1) - 1);
        }
        (self.only(&wanted), numbers)
    }

    /// The program with one call for two of the same operation, if each has one number and nothing
    /// else that differs.
    fn absorbed(&self, first: usize, second: usize, more: u64) -> Option<Program> {
        let (gone, kept) = (&self.calls[first], &self.calls[second]);
        if gone.operation != kept.operation || gone.results().listed() != kept.results().listed() {
            return None;
        }
        let (_, by) = gone.only_number()?;
        let (parameter, number) = kept.only_number()?;
        let mut candidate = self.clone();
        if let Argument::Literal(tape) = &mut candidate.calls[second].arguments[parameter] {
            let choice = tape.choices.iter_mut().find(|choice| matches!(choice.kind, Kind::Integer(_)))?;
            choice.value = number.checked_add(by)?.checked_add(more).filter(|sum| *sum <= choice.limit)?;
        }
        Some(candidate.without(&|place| place == first))
    }

    /// The program without a call, for each value that the call was given: with that value wherever the
    /// result of the call is used. What is of another type is not sound then.
    pub(crate) fn rerouted(&self, place: usize) -> Vec<Program> {
        let is_used = self.uses(place);
        let mut rerouted = Vec::new();
        for given in self.calls[place].results() {
            let mut changed = self.clone();
            for call in &mut changed.calls {
                for argument in &mut call.arguments {
                    if *argument == Argument::Earlier(place) {
                        *argument = Argument::Earlier(given);
                    }
                }
            }
            if is_used {
                rerouted.push(changed.without(&|other| other == place));
            }
        }
        rerouted
    }

    /// The program with a value made in a simpler way, out of the simplest literals or of those that it
    /// was made of.
    pub(crate) fn provided(&self, suite: &Suite, place: usize) -> Vec<Program> {
        let Some(now) = self.calls.get(place) else { return Vec::new() };
        let mut provided = Vec::new();
        for operation in suite.simpler_providers(now.operation) {
            let mut all = vec![suite.simplest_arguments(operation)];
            if let Some(alike) = suite.arguments_like(operation, now) {
                all.push(alike);
            }
            for arguments in all {
                let mut changed = self.clone();
                changed.calls[place] = Call { operation, arguments };
                provided.push(changed);
            }
        }
        provided
    }

    pub(super) fn with(&self, place: usize, parameter: usize, argument: Argument) -> Program {
        let mut changed = self.clone();
        changed.calls[place].arguments[parameter] = argument;
        changed
    }

    /// The program without some calls and whatever depends on them.
    fn without(&self, gone: &dyn Fn(usize) -> bool) -> Program {
        let mut kept = vec![false; self.calls.len()];
        for (place, call) in self.calls.iter().enumerate() {
            kept[place] = !gone(place) && call.results().all(|used| kept.get(used) == Some(&true));
        }
        self.only(&kept)
    }

    /// Some calls of the program, renumbered. What they need must be among them.
    fn only(&self, kept: &[bool]) -> Program {
        let mut numbers = vec![usize::MAX; self.calls.len()];
        let mut calls = Vec::new();
        for (place, call) in self.calls.iter().enumerate() {
            if !kept[place] {
                continue;
            }
            numbers[place] = calls.len();
            let mut call = call.clone();
            for argument in &mut call.arguments {
                if let Argument::Earlier(used) = argument {
                    *used = numbers[*used];
                }
            }
            calls.push(call);
        }
        Program { calls, features: self.features }
    }
}

impl Call {
    /// The parameter and the number of the call, if it has one integer and no other literal.
    fn only_number(&self) -> Option<(usize, u64)> {
        let (mut literals, mut numbers) = (0, Vec::new());
        for (place, argument) in self.arguments.iter().enumerate() {
            let Argument::Literal(tape) = argument else { continue };
            literals += 1;
            for choice in &tape.choices {
                if matches!(choice.kind, Kind::Integer(_)) {
                    numbers.push((place, choice.value));
                }
            }
        }
        match numbers[..] {
            [only] if literals == 1 => Some(only),
            _ => None,
        }
    }

    /// Returns true if the call makes something that later calls may use.
    fn makes(&self, suite: &Suite) -> bool {
        suite.operations[self.operation].made_kind().is_some()
    }

    fn simplicity(&self, other: &Call) -> Ordering {
        let mut order = self.operation.cmp(&other.operation);
        for pair in self.arguments.iter().zip(&other.arguments) {
            order = order.then_with(|| match pair {
                (Argument::Earlier(one), Argument::Earlier(another)) => one.cmp(another),
                (Argument::Literal(one), Argument::Literal(another)) => one.simplicity(another),
                (Argument::Literal(_), Argument::Earlier(_)) => Ordering::Less,
                (Argument::Earlier(_), Argument::Literal(_)) => Ordering::Greater,
            });
        }
        order
    }
}
