//! Drawing programs at random: picks operations by the weights of the case, and makes first what a call
//! lacks.

use super::{Execution, Form, Hook, MOST_CALLS, Stage, Step};
use crate::choice::{Kind, Source};
use crate::oracle::Verdict;
use crate::program::frame::Frame;
use crate::program::operation::{Mode, Role};
use crate::program::suite::Lone;

/// One in this many times, a value is made although there is one, unless it is the state of a machine.
const FRESH: u64 = 8;
/// Making what a call lacks may lack something too, but not for ever.
const NESTING: u32 = 8;

/// Drawing at random.
impl<H: Hook> Execution<'_, H> {
    /// Makes a random call of an operation that can be called, if there is one.
    pub(super) fn draw(&mut self, source: &mut Source) -> Step {
        let operation = self.odds.draw(source);
        match self.draw_call(operation, source, 0) {
            Step::Barred => self.draw_another(operation, source),
            step => step,
        }
    }

    /// Makes random calls up to a number of calls, where nothing is recorded. It is a function of its own because
    /// the code around it would take the registers.
    #[inline(never)]
    pub(super) fn draw_up_to(&mut self, end: usize, source: &mut Source) -> Step {
        while self.store.ledger.calls() < end {
            let operation = self.odds.draw(source);
            let step = match &self.suite.lone[operation] {
                Some(lone) if self.store.ledger.claim_first(lone.mode) => {
                    match self.call_lone(operation, lone, source) {
                        Verdict::Pass if self.suite.checks.is_empty() => continue,
                        Verdict::Pass => self.check(source),
                        Verdict::Discard => Step::Barred,
                        failure => Step::Over(failure),
                    }
                }
                _ => self.draw_call(operation, source, 0),
            };
            let step = match step {
                Step::Barred => self.draw_another(operation, source),
                step => step,
            };
            match step {
                Step::Ran => {}
                Step::Barred => return Step::Ran,
                over => return over,
            }
        }
        Step::Ran
    }

    /// Makes a call that needs nothing but the state of its machine, which is claimed: what `call`
    /// does, without everything that only other calls need. Most calls of machines are such.
    #[inline(always)]
    pub(super) fn call_lone(&mut self, operation: usize, lone: &Lone, source: &mut Source) -> Verdict {
        let described = &self.suite.operations[operation];
        self.store.ledger.open();
        self.enter(Some(described), Stage::Call);
        let (store, keeps) = (&mut self.store, lone.makes);
        let mut frame = Frame { source, store, operation: described, arguments: &[0], keeps, lookout: None };
        let verdict = (described.body)(&mut frame);
        self.store.ledger.release(0);
        match verdict {
            Verdict::Pass => self.used[operation] += 1,
            Verdict::Discard => self.store.ledger.withdraw(),
            Verdict::Fail(_) => {}
        }
        verdict
    }

    /// Tries the other operations when one cannot be called.
    #[cold]
    pub(super) fn draw_another(&mut self, first: usize, source: &mut Source) -> Step {
        self.barred.fill(false);
        self.barred[first] = true;
        loop {
            let weights = self.weights.iter().zip(&self.barred);
            let total = weights.filter(|(_, barred)| !**barred).map(|(weight, _)| u64::from(*weight)).sum();
            let operation = match total {
                // A configuration must not stop a test: where nothing that it has can be called,
                // something else comes in and stays.
                0 => match self.left_out(source) {
                    Some(operation) => operation,
                    None => return Step::Barred,
                },
                total => self.pick(source, total),
            };
            match self.draw_call(operation, source, 0) {
                Step::Barred => self.barred[operation] = true,
                step => {
                    let weight = self.suite.operations[operation].weight_as_rule();
                    self.weights[operation] = self.weights[operation].max(weight);
                    self.odds.weigh(&self.weights);
                    return step;
                }
            }
        }
    }

    /// An operation that was not tried yet, whatever its weight.
    pub(super) fn left_out(&self, source: &mut Source) -> Option<usize> {
        let count = self.barred.iter().filter(|barred| !**barred).count() as u64;
        if count == 0 {
            return None;
        }
        let mut before = source.random_below(count);
        for (place, barred) in self.barred.iter().enumerate() {
            match before {
                _ if *barred => {}
                0 => return Some(place),
                _ => before -= 1,
            }
        }
        None
    }

    /// An operation that was not tried yet, by the weights of the case.
    pub(super) fn pick(&self, source: &mut Source, total: u64) -> usize {
        let mut number = source.random_below(total);
        for (place, weight) in self.weights.iter().enumerate() {
            if self.barred[place] {
                continue;
            }
            match number.checked_sub(u64::from(*weight)) {
                Some(rest) => number = rest,
                None => return place,
            }
        }
        0
    }

    /// Makes a call with random arguments; makes first what it lacks.
    pub(super) fn draw_call(&mut self, operation: usize, source: &mut Source, nesting: u32) -> Step {
        let described = &self.suite.operations[operation];
        if self.suite.is_machine && !self.is_timely(operation) {
            return if described.role == Role::Setup || nesting > 0 {
                Step::Barred
            } else {
                // The first call of a machine sets it up, whatever was picked.
                self.set_up(source)
            };
        }
        match self.provide(operation, source, nesting) {
            Step::Ran => {}
            step => return step,
        }
        if !self.draw_arguments(operation, source) || !self.holds(operation, source) {
            return Step::Barred;
        }
        if let Some(known) = &mut self.avoidance {
            known.is_outermost = nesting == 0;
        }
        if !self.is_admitted(operation, source) {
            return Step::Avoided;
        }
        self.begun = source.mark();
        let step = if self.claim(operation) { self.make(operation, source) } else { Step::Barred };
        if let (Step::Barred, Some(known)) = (&step, &mut self.avoidance) {
            known.sacrificed = None;
        }
        step
    }

    /// Writes down a call whose arguments are claimed, and makes it. Where it begins was marked.
    pub(super) fn make(&mut self, operation: usize, source: &mut Source) -> Step {
        if self.form == Form::Program {
            source.forced(Kind::Index, 1, 1);
        }
        let node = source.enter(self.form.label());
        let Execution { suite, arguments, .. } = &*self;
        source.forced(Kind::Index, suite.codes[operation], MOST_CALLS);
        let places = suite.needed[operation].iter().map(|need| u64::from(arguments[need.parameter]));
        source.forced_all(Kind::Index, places, MOST_CALLS);
        let step = self.call(operation, source);
        source.leave(node);
        if let Step::Barred = step {
            source.rewind(self.begun);
        }
        step
    }

    #[cold]
    pub(super) fn set_up(&mut self, source: &mut Source) -> Step {
        let setups = &self.suite.setups;
        let chosen = source.random_below(setups.len() as u64) as usize;
        self.draw_call(setups[chosen], source, 1)
    }

    /// Makes values that a call needs and that are not there.
    #[inline]
    pub(super) fn provide(&mut self, operation: usize, source: &mut Source, nesting: u32) -> Step {
        for need in &self.suite.needed[operation] {
            let living = self.store.ledger.living(need.kind).len();
            let wanted = match living {
                0 => true,
                _ if self.suite.is_machine => false,
                // What merely was drawn is as good as new, so that many are tried.
                _ if self.suite.drawn[need.kind].is_some() => source.one_in_power(1),
                _ => source.random_below(FRESH * living as u64) == 0,
            };
            if !wanted {
                continue;
            }
            let providers = &self.suite.providers[need.kind];
            if nesting >= NESTING
                || providers.is_empty()
                || (self.suite.is_machine && need.mode == Mode::Value)
            {
                return if living > 0 { Step::Ran } else { Step::Barred };
            }
            let chosen = match self.suite.drawn[need.kind] {
                Some(literal) if source.one_in_power(1) => literal,
                _ => self.choose(providers, source),
            };
            match self.draw_call(chosen, source, nesting + 1) {
                Step::Barred if living == 0 => return Step::Barred,
                Step::Avoided if living == 0 => return Step::Avoided,
                Step::Over(verdict) => return Step::Over(verdict),
                _ => {}
            }
        }
        Step::Ran
    }

    /// Chooses an operation that makes what is lacking. Where weights say what an operation costs, one that costs
    /// less is chosen of two.
    #[inline]
    fn choose(&self, providers: &[usize], source: &mut Source) -> usize {
        let mut any = || providers[source.random_below(providers.len() as u64) as usize];
        let one = any();
        if H::SPARES_EFFORT {
            let other = any();
            return if self.weights[other] > self.weights[one] { other } else { one };
        }
        one
    }

    /// Chooses among the values that there are.
    #[inline]
    pub(super) fn draw_arguments(&mut self, operation: usize, source: &mut Source) -> bool {
        self.arguments.clear();
        self.arguments.resize(self.suite.operations[operation].parameters.len(), u32::MAX);
        for need in &self.suite.needed[operation] {
            let living = self.store.ledger.living(need.kind);
            let count = living.len();
            let start = if count > 1 { source.random_below(count as u64) as usize } else { 0 };
            let mood = if H::CHOOSES { self.hook.mood(&self.suite.operations[operation], source) } else { 0 };
            let (mut best, mut most) = (None, 0);
            for turn in 0..count {
                let place = living[if start + turn < count { start + turn } else { start + turn - count }];
                let is_taken = need.mode.is_exclusive() && self.arguments.contains(&place);
                if is_taken || !self.store.ledger.offers(place, need.kind, need.mode) {
                    continue;
                }
                if !H::CHOOSES {
                    best = Some(place);
                    break;
                }
                let worth = self.hook.worth(&self.arguments, place, mood);
                if best.is_none() || worth > most {
                    (best, most) = (Some(place), worth);
                }
            }
            let Some(place) = best else { return false };
            self.arguments[need.parameter] = place;
        }
        true
    }
}
