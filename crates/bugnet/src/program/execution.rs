//! Executions: running programs on a store, as the source proposes them call by call.
//!
//! A random source has an operation picked by the weights of the case, and whatever it lacks is made
//! first. A replayed source names operations and arguments itself, and an exhaustive one counts
//! through those that are possible. All three leave the same tape behind.
//!
//! **Invariant:** a call is run only if the borrow checker would allow it.

mod attempt;
mod build;
mod count;
mod draw;
mod hook;
mod sacrifice;

pub use attempt::{Attempt, Failed};
pub use hook::{Hook, HookedCall, Lookout, NoHook};

use super::avoidance::{Avoidance, TRIES};
use super::frame::Frame;
use super::odds::Odds;
use super::operation::{Mode, Operation, Role};
use super::sequence::CALL;
use super::store::Store;
use super::suite::{Need, Suite};
use crate::choice::{Kind, Mark, Source};
use crate::generate::ELEMENT;
use crate::label;
use crate::list::mapped;
use crate::oracle::Verdict;
use crate::swarm::{Configuration, Part};

/// References on a tape are numbers of calls.
pub(super) const MOST_CALLS: u64 = u32::MAX as u64;

/// The stage of a program at which something happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// In a call.
    Call,
    /// When a value of the kind with this number was printed.
    Observe(usize),
    /// In a check.
    Check,
    /// When values were dropped.
    Drop,
}

/// The length of a random program.
#[derive(Debug, Clone, Copy)]
pub(super) enum Length {
    /// This number of calls.
    Whole(usize),
    /// This number of calls after those of the tape.
    More(usize),
    /// This number of calls after those of the tape, and no sample.
    Only(usize),
}

/// The notation of calls on the tape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// As a program, each after a one.
    Program,
    /// As elements of a sequence.
    Sequence,
}

impl Form {
    fn label(self) -> &'static str {
        match self {
            Form::Program => CALL,
            Form::Sequence => ELEMENT,
        }
    }
}

/// The result of a step.
enum Step {
    /// A call was made.
    Ran,
    /// The call cannot be made now.
    Barred,
    /// The call is not made, for it would complete a known pattern.
    Avoided,
    /// The program ends here.
    Over(Verdict),
}

/// Runs programs, one after the other.
#[derive(Debug)]
#[doc(hidden)]
pub struct Execution<'a, H = NoHook> {
    suite: &'a Suite,
    pub(super) store: Store,
    arguments: Vec<u32>,
    barred: Vec<bool>,
    possible: Vec<u32>,
    /// The weights of the operations in this program; what sets up a machine has none.
    pub(super) weights: Vec<u32>,
    /// The same, for drawing by them.
    odds: Odds,
    /// True once that has been done for this program.
    is_weighed: bool,
    /// Both, where nothing is left out.
    pub(super) usual: Option<Usual>,
    shares: Vec<u32>,
    /// The number of calls of each operation in this program.
    pub(super) used: Vec<u32>,
    /// The number of calls of each operation in all programs before.
    called: Vec<u64>,
    /// The operation that is being called, for the report of a failure.
    pub(super) operation: Option<&'a Operation>,
    pub(super) stage: Stage,
    /// The notation of the calls on the tape.
    form: Form,
    /// True if an operation is left out.
    is_sparing: bool,
    /// The operation that is called again, and how often.
    repeated: usize,
    repeats: u64,
    /// The features that this program leaves out.
    pub(super) configuration: Configuration,
    /// True if the values of this program are printed at its end.
    pub(super) prints: bool,
    /// True to find out which state a program reaches.
    pub(super) observes: bool,
    pub(super) reached: Option<u64>,
    /// The start of the last call on the tape, and, of attempts, that of the first one.
    begun: Mark,
    first: Mark,
    /// The known patterns, which calls that are drawn go around.
    pub(super) avoidance: Option<Box<Avoidance>>,
    /// Who is told of the calls.
    pub hook: H,
}

/// The weights of the operations, as they are and for drawing by them.
pub(super) type Usual = (Vec<u32>, Odds);

impl<'a> Execution<'a> {
    pub(crate) fn new(suite: &'a Suite) -> Execution<'a> {
        Execution::hooked(suite, NoHook)
    }
}

impl<'a, H: Hook> Execution<'a, H> {
    /// An execution of which a hook is told.
    #[doc(hidden)]
    pub fn hooked(suite: &'a Suite, hook: H) -> Execution<'a, H> {
        Execution::in_store(suite, hook, Store::new(suite.kinds.len()))
    }

    /// As [`Execution::hooked`], in a store that other programs have left empty.
    pub(super) fn in_store(suite: &'a Suite, hook: H, mut store: Store) -> Execution<'a, H> {
        let count = suite.operations.len();
        store.ledger.watches = !suite.checks.is_empty();
        Execution {
            suite,
            store,
            arguments: Vec::new(),
            barred: vec![false; count],
            possible: Vec::new(),
            weights: mapped(&suite.operations, Operation::weight_as_rule),
            odds: Odds::default(),
            is_weighed: false,
            usual: None,
            shares: Vec::new(),
            used: vec![0; count],
            called: vec![0; count],
            operation: None,
            stage: Stage::Call,
            form: Form::Program,
            is_sparing: false,
            repeated: 0,
            repeats: 0,
            configuration: Configuration::ALL,
            prints: false,
            observes: false,
            reached: None,
            begun: Mark::default(),
            first: Mark::default(),
            avoidance: None,
            hook,
        }
    }

    /// Runs the program that the source proposes, of about this length if it is random.
    pub(super) fn run(&mut self, source: &mut Source, length: Length) -> Verdict {
        self.enter(None, Stage::Drop);
        self.store.clear();
        for (called, used) in self.called.iter_mut().zip(&mut self.used) {
            *called += u64::from(std::mem::take(used));
        }
        self.reached = None;
        if let Some(avoidance) = &mut self.avoidance {
            avoidance.clear();
        }
        if !std::mem::take(&mut self.is_weighed) {
            self.odds.weigh(&self.weights);
        }
        let step = if source.is_exhaustive() {
            self.count_through(source)
        } else {
            self.replay_or_draw(source, length)
        };
        match step {
            Step::Over(verdict) => verdict,
            _ if self.store.ledger.calls() == 0 => Verdict::Discard,
            _ => self.finish(source),
        }
    }

    /// Weighs the rules as a configuration says. Half of all programs leave nothing out, and their weights
    /// are added up once.
    #[inline]
    pub(super) fn configure(&mut self, configuration: Configuration) {
        self.configuration = configuration;
        if configuration.part() != Part::All {
            self.weigh(configuration);
            return;
        }
        if self.usual.is_none() {
            self.weigh(configuration);
            let mut odds = Odds::default();
            odds.weigh(&self.weights);
            self.usual = Some((self.weights.clone(), odds));
        }
        if let Some((weights, odds)) = &self.usual {
            self.weights.clone_from(weights);
            self.odds.copy(odds);
            self.is_weighed = true;
        }
    }

    fn weigh(&mut self, configuration: Configuration) {
        configuration.weights(&self.suite.features, &mut self.shares);
        for ((place, rule), share) in self.suite.rules().zip(&self.shares) {
            self.weights[place] = share.saturating_mul(rule.weight);
        }
    }

    /// Returns true if a call that refused ended the last program: code may panic when it is asked for what it
    /// cannot do.
    pub(super) fn is_refused(&self) -> bool {
        let call = self.operation.is_some_and(|operation| operation.role == Role::Call);
        self.suite.is_tolerant && call && self.stage == Stage::Call
    }

    /// The name of a kind.
    pub(super) fn kind(&self, kind: usize) -> &'static str {
        self.suite.kinds[kind].name
    }

    /// Returns the number of calls of each operation in all programs.
    pub(super) fn called(&self) -> impl Iterator<Item = u64> {
        self.called.iter().zip(&self.used).map(|(called, used)| called + u64::from(*used))
    }

    /// Returns true if the last program has called an operation, or died in it.
    pub(super) fn was_called(&self, operation: usize) -> bool {
        self.used[operation] > 0 || self.is_last(operation)
    }

    /// Returns true if an operation was called last.
    fn is_last(&self, operation: usize) -> bool {
        self.operation.is_some_and(|last| std::ptr::eq(last, &self.suite.operations[operation]))
    }

    /// Returns true if the last program has called anything.
    pub(super) fn has_called(&self) -> bool {
        self.used.iter().any(|count| *count > 0)
    }

    fn enter(&mut self, operation: Option<&'a Operation>, stage: Stage) {
        self.operation = operation;
        self.stage = stage;
    }

    fn replay_or_draw(&mut self, source: &mut Source, length: Length) -> Step {
        if let (Length::Whole(calls), true, None) = (length, source.is_fast(), &self.avoidance) {
            return self.draw_up_to(calls, source);
        }
        while !source.is_drawing() {
            if source.decide(Kind::Index, 1, 1, 0, |_| 0) == 0 {
                return Step::Ran;
            }
            match self.replay(source) {
                Step::Ran => {}
                over => return over,
            }
        }
        let end = match length {
            Length::Whole(calls) => calls,
            Length::More(calls) | Length::Only(calls) => self.store.ledger.calls() + calls,
        };
        let last = match self.draw_around(end, source) {
            Step::Barred | Step::Avoided if matches!(length, Length::Only(_)) => Step::Ran,
            Step::Barred | Step::Avoided => self.sacrifice(source),
            step => step,
        };
        if let Step::Ran = last {
            source.forced(Kind::Index, 0, 1);
        }
        last
    }

    /// Makes random calls up to a number of calls, around the known patterns. Returns `Ran` when the program is
    /// complete, `Barred` when a call could follow.
    fn draw_around(&mut self, end: usize, source: &mut Source) -> Step {
        while self.store.ledger.calls() < end {
            let step = self.draw(source);
            let known = self.avoidance.as_deref();
            match step {
                Step::Ran if known.is_none_or(|known| known.sacrificed.is_none()) => {}
                Step::Avoided if known.is_some_and(|known| known.vain < TRIES) => {}
                step => return step,
            }
        }
        Step::Barred
    }

    /// Returns true if a call of an operation, with the arguments that were chosen, is not known to fail.
    #[inline]
    fn is_admitted(&mut self, operation: usize, source: &mut Source) -> bool {
        let Execution { avoidance, suite, arguments, .. } = self;
        match avoidance {
            None => true,
            Some(avoidance) => avoidance.admits(suite, operation, arguments, source),
        }
    }

    /// Makes the call that the tape tells.
    fn replay(&mut self, source: &mut Source) -> Step {
        let node = source.enter(self.form.label());
        let code = source.decide(Kind::Index, MOST_CALLS, MOST_CALLS, 0, |_| 0);
        let Some(operation) = self.suite.coded(code) else { return Step::Over(Verdict::Discard) };
        self.arguments.clear();
        self.arguments.resize(self.suite.operations[operation].parameters.len(), u32::MAX);
        for need in &self.suite.needed[operation] {
            let told = source.decide(Kind::Index, MOST_CALLS, MOST_CALLS, 0, |_| 0) as u32;
            let Some(place) = self.told(told, need) else { return Step::Over(Verdict::Discard) };
            self.arguments[need.parameter] = place;
            if place != told {
                source.correct_last(u64::from(place));
            }
        }
        if !self.is_timely(operation) || !self.holds(operation, source) || !self.claim(operation) {
            return Step::Over(Verdict::Discard);
        }
        let step = self.call(operation, source);
        source.leave(node);
        match step {
            Step::Barred | Step::Avoided => Step::Over(Verdict::Discard),
            step => step,
        }
    }

    /// The argument that the tape tells. In a sequence from which calls were taken out, and in a tape that
    /// was edited, another value of the kind stands in for one that is gone.
    fn told(&self, place: u32, need: &Need) -> Option<u32> {
        let ledger = &self.store.ledger;
        let (place, is_edited) = self.hook.made_by(place);
        let offered = |place: &u32| ledger.offers(*place, need.kind, need.mode);
        if offered(&place) {
            return Some(place);
        }
        if self.form != Form::Sequence && !is_edited {
            return None;
        }
        ledger.living(need.kind).iter().copied().find(offered)
    }

    /// Returns true if an operation may be called now: a machine is set up once and first.
    #[inline]
    fn is_timely(&self, operation: usize) -> bool {
        let setup = self.suite.operations[operation].role == Role::Setup;
        !self.suite.is_machine || setup == (self.store.ledger.calls() == 0)
    }

    /// Returns true if the condition of an operation holds for its first argument.
    #[inline]
    fn holds(&mut self, operation: usize, source: &mut Source) -> bool {
        let described = &self.suite.operations[operation];
        let Some(condition) = described.when else { return true };
        let first = self.arguments[0];
        if !self.store.claim(first, Mode::Shared) {
            return false;
        }
        self.enter(Some(described), Stage::Call);
        let holds = condition(&self.frame(described, None, source));
        self.store.ledger.release(first);
        holds
    }

    /// Claims the arguments of a call, or none.
    #[inline]
    fn claim(&mut self, operation: usize) -> bool {
        self.enter(Some(&self.suite.operations[operation]), Stage::Drop);
        let needs = &self.suite.needed[operation];
        let arguments = &self.arguments;
        if !self.store.ledger.agree(needs.iter().map(|need| need.usage(arguments[need.parameter]))) {
            return false;
        }
        for (count, need) in needs.iter().enumerate() {
            if !self.store.claim(self.arguments[need.parameter], need.mode) {
                self.release(&needs[..count]);
                return false;
            }
        }
        true
    }

    #[inline]
    fn release(&self, needs: &[Need]) {
        for need in needs {
            self.store.ledger.release(self.arguments[need.parameter]);
        }
    }

    fn frame<'b>(
        &'b mut self,
        operation: &'b Operation,
        keeps: Option<usize>,
        source: &'b mut Source,
    ) -> Frame<'b> {
        let Execution { store, arguments, .. } = self;
        Frame { source, store, operation, arguments, keeps, lookout: None }
    }

    /// Makes a call whose arguments are claimed, and checks what it has changed.
    #[inline]
    fn call(&mut self, operation: usize, source: &mut Source) -> Step {
        let described = &self.suite.operations[operation];
        let spans = source.tape().spans.len();
        let needs = &self.suite.needed[operation];
        self.store.ledger.open();
        let has_loans = self.store.ledger.has_loans();
        if has_loans {
            for need in needs {
                self.store.ledger.see(need.usage(self.arguments[need.parameter]));
            }
        }
        self.enter(Some(described), Stage::Call);
        source.tell();
        let place = self.store.ledger.calls() as u32 - 1;
        let Execution { suite, store, arguments, hook, .. } = self;
        let verdict = match hook.admits(&HookedCall { suite, operation, place, arguments, spans }, source) {
            true => {
                let (keeps, lookout) = (suite.made[operation], hook.lookout());
                (described.body)(&mut Frame {
                    source,
                    store,
                    operation: described,
                    arguments,
                    keeps,
                    lookout,
                })
            }
            false => Verdict::Discard,
        };
        self.release(needs);
        match verdict {
            Verdict::Pass => {}
            Verdict::Discard => {
                self.store.ledger.withdraw();
                return Step::Barred;
            }
            failure => return Step::Over(failure),
        }
        let Execution { suite, arguments, hook, .. } = self;
        let hooked = HookedCall { suite, operation, place, arguments, spans };
        hook.made(&hooked, self.used[operation], source);
        self.used[operation] += 1;
        if let Some(avoidance) = &mut self.avoidance {
            avoidance.add(self.suite, operation, &self.arguments, source, spans);
        }
        if has_loans {
            let arguments = &self.arguments;
            self.store.ledger.settle(needs.iter().map(|need| need.usage(arguments[need.parameter])));
        }
        self.check(source)
    }

    /// Checks every value that may have changed.
    #[inline]
    fn check(&mut self, source: &mut Source) -> Step {
        if self.suite.checks.is_empty() { Step::Ran } else { self.check_changed(source) }
    }

    fn check_changed(&mut self, source: &mut Source) -> Step {
        while let Some((place, kind)) = self.store.ledger.next_changed() {
            for check in 0..self.suite.checked[kind].len() {
                let described = &self.suite.checks[self.suite.checked[kind][check]];
                self.arguments.clear();
                self.arguments.push(place);
                self.enter(Some(described), Stage::Check);
                if self.store.claim(place, Mode::Shared) {
                    label::enter_check();
                    let verdict = (described.body)(&mut self.frame(described, None, source));
                    label::leave_check();
                    self.store.ledger.release(place);
                    if let Verdict::Fail(_) = verdict {
                        return Step::Over(verdict);
                    }
                }
            }
        }
        Step::Ran
    }

    /// Prints every value that can be printed, for nobody to see.
    fn print(&mut self) {
        for (kind, described) in self.suite.kinds.iter().enumerate() {
            let Some(observer) = described.observer else { continue };
            self.enter(None, Stage::Observe(kind));
            for place in self.store.ledger.living(kind) {
                self.store.observe(*place, observer);
            }
        }
    }

    /// Ends the loans, checks what they kept from being checked, tears down and drops.
    fn finish(&mut self, source: &mut Source) -> Verdict {
        self.enter(None, Stage::Drop);
        self.store.end_all_loans();
        if let Step::Over(verdict) = self.check(source) {
            return verdict;
        }
        if self.prints {
            self.print();
        }
        if self.observes {
            // Where states cannot be told apart, what was called stands for what was reached.
            let called = || {
                self.used
                    .iter()
                    .fold(0, |hash: u64, used| hash.wrapping_mul(0x0000_0100_0000_01b3) ^ u64::from(*used))
            };
            // A fingerprint may be what is printed.
            let state = if self.prints { self.store.fingerprint(&self.suite.kinds) } else { None };
            self.reached = Some(state.unwrap_or_else(called));
        }
        if let Some(teardown) = &self.suite.teardown {
            self.enter(Some(teardown), Stage::Call);
            self.arguments.clear();
            self.arguments.push(0);
            if self.store.ledger.lives(0) && self.store.claim(0, teardown.parameters[0].mode) {
                let verdict = (teardown.body)(&mut self.frame(teardown, None, source));
                if let Verdict::Fail(_) = verdict {
                    return verdict;
                }
                self.store.ledger.release(0);
            }
        }
        self.enter(None, Stage::Drop);
        self.store.clear();
        Verdict::Pass
    }
}
