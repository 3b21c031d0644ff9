//! The past of the values of a program: how often calls have changed them, and what they were made of.
//!
//! A law says most of values that have been through something, and that belong together: a node of *this* graph. So a
//! stated law is given the value that was changed most, with what was made by its help. It is not asked the same twice in
//! one program, and seldom of values that were changed so little that it has seen most of such inputs.
//!
//! **Invariant:** it shapes what is drawn and nothing else, so a program is replayed without it; and what it draws follows
//! from the program and the scores of its epoch.

use super::stated::{self, Asked};
use super::weight::Score;
use bugnet::choice::Source;
use bugnet::engine::HookedCall;
use bugnet::program::{Mode, Role, Suite};
use std::collections::HashSet;

/// Changes that are told apart; a value with more counts as no richer, so that others have their turn.
const LEVELS: usize = 13;
/// Programs per program that asks laws of anything.
const ANYTHING: u64 = 8;
/// Checks of a law with values of one level from which on it is known how many of their inputs are new.
const ENOUGH: u32 = 24;
/// Checks after which earlier ones count half.
const MEMORY: u32 = 256;
/// The percentage of laws that see nothing new after an operation from which on it does not count as a change.
const VAIN: u64 = 85;
/// Choices per choice that takes any value, whatever belongs together and was changed: of the arguments of a law, and of other calls.
const STRANGERS: [u64; 2] = [5, 4];
/// The flag of an aim that prefers values of one instance.
const KIN: u32 = 1;
/// The flag of an aim that prefers values that calls have changed.
const RICH: u32 = 2;
/// The most values that are remembered as those that a value was made of.
const MOST_KIN: usize = 16;

/// The past of one value.
#[derive(Debug, Clone, Default)]
struct Value {
    /// The operations that have changed it since a law was asked of it.
    by: Vec<usize>,
    /// The number of calls that have changed it since a law has seen it as it had seen one before.
    changes: u32,
    /// The number of calls that have used it, without laws that only look at it: if it is the same, so is the value.
    version: u32,
    /// The value that it was before a call moved and returned it; itself, if none did.
    root: u32,
    /// The roots of the values that it was made with.
    kin: Vec<u32>,
}

/// The checks of a law with values that were changed so often.
#[derive(Debug, Clone, Copy, Default)]
struct Yield {
    checks: u32,
    /// Those with inputs that were new.
    news: u32,
}

impl Yield {
    fn add(&mut self, is_new: bool) {
        self.checks += 1;
        self.news += u32::from(is_new);
        if self.checks >= MEMORY {
            (self.checks, self.news) = (self.checks / 2, self.news / 2);
        }
    }

    /// Returns the percentage of inputs that are new, as long as little is known all of them.
    fn share(&self) -> u32 {
        if self.checks < ENOUGH { 100 } else { 100 * self.news / self.checks }
    }
}

/// The past of all values of a program.
#[derive(Debug, Default)]
pub(crate) struct Past {
    /// By the number of the call that made it.
    values: Vec<Value>,
    /// Laws that were asked, each with the values that it took as they were then.
    asked: HashSet<Question>,
    /// Laws with the hashes of the inputs that the program has asked them of.
    seen: HashSet<(usize, u64)>,
    /// For each kind, true if an operation changes its values.
    changeable: Vec<bool>,
    /// For each law what has come of asking it, by the changes of the values; of all programs.
    yields: Vec<(usize, [Yield; LEVELS])>,
    /// The same for each operation that has changed values, by whether laws then saw something new.
    gains: Vec<Yield>,
    /// The changes that values have been through before a law is asked of them, in the order of the laws.
    least: Vec<u32>,
    /// For each operation, true if laws mostly see nothing new after it.
    is_vain: Vec<bool>,
    /// Laws that the program has asked of inputs that were new, and that were not.
    news: u32,
    olds: u32,
}

/// A law, and the versions of the values that it is asked of.
type Question = (usize, Vec<(u32, u32)>);

impl Past {
    /// Begins to follow values, if laws are stated that want to know.
    pub(crate) fn of(suite: &Suite) -> Option<Past> {
        let is_stated = |place: &usize| suite.operations[*place].role == Role::Stated;
        let (laws, others): (Vec<usize>, Vec<usize>) = (0..suite.operations.len()).partition(is_stated);
        let mut changeable = vec![false; suite.kinds.len()];
        for (_, kind, mode) in others.iter().flat_map(|place| suite.takes(*place)) {
            changeable[kind] |= mode == Mode::Mutable;
        }
        let yields = laws.into_iter().map(|law| (law, [Yield::default(); LEVELS])).collect::<Vec<_>>();
        let gains = vec![Yield::default(); suite.operations.len()];
        (!yields.is_empty()).then(|| Past { changeable, yields, gains, ..Past::default() })
    }

    /// Returns what was learned of each law: the fewest changes after which half of its inputs are new, or else those
    /// after which most are.
    pub(crate) fn learned(&self) -> impl Iterator<Item = (usize, u32)> {
        let known = self.yields.iter().filter(|(_, yields)| yields.iter().any(|one| one.checks >= ENOUGH));
        known.map(|(law, yields)| {
            let half = yields.iter().position(|one| one.share() >= 50);
            let best = || (0..LEVELS).rev().max_by_key(|level| yields[*level].share()).unwrap_or_default();
            (*law, half.unwrap_or_else(best) as u32)
        })
    }

    /// Returns for each operation the percentage of laws that saw nothing new after it had changed a value.
    pub(crate) fn vain(&self) -> impl Iterator<Item = u64> {
        self.gains.iter().map(|gain| u64::from(100 - gain.share()))
    }

    /// Begins a program. With `dice` most programs ask a law of values that were changed as often as `scores` say, and else
    /// all ask of any.
    pub(crate) fn begin(&mut self, dice: Option<&mut Source>, scores: &[Score]) {
        let is_any = dice.is_none_or(|dice| dice.random_below(ANYTHING) == 0);
        let least = self.yields.iter().map(|(law, _)| if is_any { 0 } else { scores[*law].least as u32 });
        self.least.clear();
        self.least.extend(least);
        self.is_vain.clear();
        self.is_vain.extend(scores.iter().map(|score| score.vain >= VAIN));
        (self.news, self.olds) = (0, 0);
    }

    /// Forgets all values.
    pub(crate) fn clear(&mut self) {
        self.values.clear();
        self.asked.clear();
        self.seen.clear();
    }

    /// Returns true if the program has asked laws of inputs that were new, and of few others.
    pub(crate) fn is_rich(&self) -> bool {
        self.news > 2 * self.olds
    }

    fn changes(&self, place: u32) -> u32 {
        self.values.get(place as usize).map_or(0, |value| value.changes.min(LEVELS as u32 - 1))
    }

    /// Returns true if one of two values was made with the other, or both with a third.
    fn are_kin(&self, one: u32, other: u32) -> bool {
        let value = |place: u32| self.values.get(place as usize);
        let (Some(one), Some(other)) = (value(one), value(other)) else { return false };
        one.kin.contains(&other.root)
            || other.kin.contains(&one.root)
            || one.kin.iter().any(|kin| other.kin.contains(kin))
    }

    /// Draws what matters in the choice of the next argument of a call: that it belongs to those before it, and that it was
    /// changed much, which matters to a law most of the time.
    pub(crate) fn mood(is_law: bool, dice: &mut Source) -> u32 {
        let [of_laws, of_others] = STRANGERS;
        let is_any = dice.random_below(if is_law { of_laws } else { of_others }) == 0;
        // What has been through much goes on, so that some values get far.
        let is_richest = !is_any && (is_law || dice.one_in_power(1));
        if is_any { 0 } else { KIN | if is_richest { RICH } else { 0 } }
    }

    /// Returns what a value is worth as the next argument, by what matters.
    pub(crate) fn worth(&self, chosen: &[u32], place: u32, mood: u32) -> u32 {
        let is_kin = mood & KIN > 0 && chosen.iter().any(|other| self.are_kin(place, *other));
        let changes = if mood & RICH > 0 { self.changes(place) } else { 0 };
        if is_kin { LEVELS as u32 + changes } else { changes }
    }

    /// Returns false if a law is better not asked of some values now.
    pub(crate) fn admits(&self, call: &HookedCall<'_>) -> bool {
        let law = self.yields.iter().position(|(law, _)| *law == call.operation);
        let least = law.and_then(|law| self.least.get(law)).copied().unwrap_or_default();
        self.level(call).is_none_or(|changes| changes >= least)
            && (has_literal(call) || !self.asked.contains(&self.question(call)))
    }

    /// Returns the most changes of the values of a call, if calls can change any of them.
    fn level(&self, call: &HookedCall<'_>) -> Option<u32> {
        let changeable = call.suite.takes(call.operation).filter(|(_, kind, _)| self.changeable[*kind]);
        changeable.map(|(parameter, ..)| self.changes(call.arguments[parameter])).max()
    }

    /// Notes that a law was asked.
    fn ask(&mut self, call: &HookedCall<'_>) {
        if !has_literal(call) {
            self.asked.insert(self.question(call));
        }
        let Asked { hash, is_old } = stated::asked();
        (self.news, self.olds) = (self.news + u32::from(!is_old), self.olds + u32::from(is_old));
        let level = self.level(call);
        let law = self.yields.iter_mut().find(|(law, _)| *law == call.operation);
        if let (Some((_, yields)), Some(level)) = (law, level) {
            yields[level as usize].add(!is_old);
        }
        let is_same = !self.seen.insert((call.operation, hash));
        for (parameter, ..) in call.suite.takes(call.operation) {
            let Some(value) = self.values.get_mut(call.arguments[parameter] as usize) else { continue };
            value.by.drain(..).for_each(|operation| self.gains[operation].add(!is_old));
            if is_same {
                // Nothing has come of what has changed the values meanwhile.
                value.changes = 0;
            }
        }
    }

    fn question(&self, call: &HookedCall<'_>) -> Question {
        let version = |place: u32| self.values.get(place as usize).map_or(0, |value| value.version);
        let taken = call.suite.takes(call.operation).map(|(parameter, ..)| call.arguments[parameter]);
        (call.operation, taken.map(|place| (place, version(place))).collect())
    }

    /// Notes a call that was made well.
    pub(crate) fn add(&mut self, call: &HookedCall<'_>) {
        let is_law = call.suite.operations[call.operation].role == Role::Stated;
        if is_law {
            self.ask(call);
        }
        let mut made = Value { root: call.place, ..Value::default() };
        let makes = call.suite.makes(call.operation);
        for (parameter, kind, mode) in call.suite.takes(call.operation) {
            let Some(value) = self.values.get_mut(call.arguments[parameter] as usize) else { continue };
            value.version += u32::from(!is_law || mode == Mode::Mutable);
            if mode == Mode::Mutable && !is_law {
                value.changes += u32::from(!self.is_vain[call.operation]);
                value.by.push(call.operation);
            }
            made.kin.push(value.root);
            made.kin.extend(&value.kin);
            if makes == Some(kind) {
                // What is made of something has its past.
                made.changes = made.changes.max(value.changes + 1);
                made.root = if mode == Mode::Value { value.root } else { made.root };
            }
        }
        if makes.is_some_and(|kind| self.changeable[kind]) {
            made.by.push(call.operation);
        }
        made.kin.truncate(MOST_KIN);
        let place = call.place as usize;
        self.values.resize(self.values.len().max(place + 1), Value::default());
        self.values[place] = made;
    }
}

/// Returns true if a call draws a literal, so that it is not the same when it is made again.
fn has_literal(call: &HookedCall<'_>) -> bool {
    call.suite.operations[call.operation].parameters.iter().any(|parameter| parameter.is_literal())
}
