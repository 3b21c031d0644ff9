//! Amounts learned: which total tells the calls that fail from those that pass.
//!
//! Programs around a failing one are run, and each call of the operation that failed is an example: it failed, or
//! it passed. A total is a condition of the failure if every call that failed had reached it. It is grown by what
//! other calls add, take off or set back, as long as fewer of the calls that passed have reached it too.
//!
//! Where two faults are behind one failure, nothing is reached by every call that failed. But if no call that passed
//! has a part of a literal that programs of a bug have, such as a percent sign, that is a reason of its own; what fails
//! without is another fault.
//!
//! **Invariant:** amounts are kept only if they hold for every program of their bug and for no call that passed.

use crate::pattern::{Amount, Aspect, Course, Effect, Measures, Totals, Value, Weighed};
use crate::program::{Program, Suite, calls_of, measures_of};

/// Operations of a total, at most.
const MOST_EFFECTS: usize = 4;
/// Amounts of a pattern, at most.
const MOST_AMOUNTS: usize = 2;
/// With fewer programs that fail, or calls that pass, anything could be a reason.
const LEAST_EXAMPLES: usize = 5;
/// Passing calls that a second amount has to tell from failing ones: with fewer, some amount always does.
const LEAST_TOLD: usize = 5;
/// Parts of a literal, from the first on, that are tried as the reason of a failure.
const MOST_PARTS: usize = 8;
/// A part is a reason of its own if one in this many failing calls has it.
const LEAST_SHARE: usize = 5;

/// A program that was run, as amounts see it.
#[derive(Debug, Clone)]
pub(crate) struct Trace {
    calls: Vec<(usize, Vec<Value>, Vec<Measures>)>,
    /// True if its last call has failed.
    fails: bool,
}

impl Trace {
    pub(crate) fn new(suite: &Suite, program: &Program, fails: bool) -> Trace {
        let history = calls_of(suite, program);
        let mut calls = Vec::with_capacity(program.calls.len());
        for (place, call) in program.calls.iter().enumerate() {
            calls.push((call.operation, history.arguments(place).to_vec(), measures_of(suite, call)));
        }
        Trace { calls, fails }
    }
}

/// The traces that amounts are learned from.
struct Examples<'a> {
    suite: &'a Suite,
    /// The operations whose calls fail.
    culprits: &'a [usize],
    traces: &'a [Trace],
    /// For each call of a culprit, whether it has failed and is to be told from others.
    labels: Vec<Label>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    Fails,
    Passes,
    /// Another amount tells it from those that fail.
    Told,
}

/// The amounts that all failing calls of some operations have reached, and no passing one; `None` if there are
/// none, or too little was seen.
pub(crate) fn learned(suite: &Suite, culprits: &[usize], traces: &[Trace]) -> Option<Vec<Amount>> {
    let mut examples = Examples::new(suite, culprits, traces)?;
    let (mut amounts, mut ranges): (Vec<Amount>, usize) = (Vec::new(), 0);
    let mut left = usize::MAX;
    // Both ends of one range count as one.
    while amounts.len() < MOST_AMOUNTS + ranges.min(1) {
        let (amount, wrong) = examples.best()?;
        if left < wrong + LEAST_TOLD {
            return None;
        }
        left = wrong;
        examples.tell(&amount);
        for known in &amounts {
            ranges += usize::from(is_range(known, &amount));
        }
        amounts.push(amount);
        if wrong == 0 {
            return if is_one_value(&amounts) { None } else { Some(amounts) };
        }
    }
    None
}

/// The part of a literal that all programs of a bug have in their last calls, with enough of the other failing calls
/// and no passing one.
pub(crate) fn reason_of_its_own(
    suite: &Suite,
    culprits: &[usize],
    traces: &[Trace],
    programs: &[Program],
) -> Option<Vec<Amount>> {
    let examples = Examples::new(suite, culprits, traces)?;
    let failing = examples.count(Label::Fails);
    let (amount, shared) = examples.content_of(programs)?;
    (shared >= LEAST_EXAMPLES && shared * LEAST_SHARE >= failing).then(|| vec![amount])
}

/// Returns true if a program has a part in its last call that no passing call has, so that more tests may show it to
/// be a reason of its own.
pub(crate) fn may_have_reason(
    suite: &Suite,
    culprits: &[usize],
    traces: &[Trace],
    program: &Program,
) -> bool {
    let examples = Examples::new(suite, culprits, traces);
    examples.is_some_and(|examples| examples.content_of(std::slice::from_ref(program)).is_some())
}

/// Returns true if the last call of a program has the part that an amount asks for.
fn has_content(trace: &Trace, amount: &Amount) -> bool {
    let (Some((operation, _, measures)), Some((asked, Effect::Has(parameter, part)))) =
        (trace.calls.last(), amount.effects.first())
    else {
        return false;
    };
    operation == asked && measures[*parameter].has(part)
}

/// Returns true if two bounds meet at one value of the last call. A pattern that names the value says that better.
fn is_one_value(amounts: &[Amount]) -> bool {
    let [one, other] = amounts else { return false };
    is_range(one, other) && one.least == -other.least
}

/// Returns true if two amounts are both ends of a range of one quantity of the last call.
pub(super) fn is_range(one: &Amount, other: &Amount) -> bool {
    let quantity = |amount: &Amount| match (amount.course, &amount.effects[..]) {
        (Course::Last, [(operation, Effect::Measure(parameter, aspect, times))]) => {
            Some((*operation, *parameter, *aspect, *times))
        }
        _ => None,
    };
    match (quantity(one), quantity(other)) {
        (Some(one), Some(other)) => (one.0, one.1, one.2, one.3) == (other.0, other.1, other.2, -other.3),
        _ => false,
    }
}

impl<'a> Examples<'a> {
    /// The calls of the culprits; `None` if there are too few.
    fn new(suite: &'a Suite, culprits: &'a [usize], traces: &'a [Trace]) -> Option<Examples<'a>> {
        let mut labels = Vec::new();
        for trace in traces {
            for (place, (operation, ..)) in trace.calls.iter().enumerate() {
                if culprits.contains(operation) {
                    let fails = trace.fails && place + 1 == trace.calls.len();
                    labels.push(if fails { Label::Fails } else { Label::Passes });
                }
            }
        }
        let examples = Examples { suite, culprits, traces, labels };
        let fewest = examples.count(Label::Fails).min(examples.count(Label::Passes));
        (fewest >= LEAST_EXAMPLES).then_some(examples)
    }

    fn count(&self, label: Label) -> usize {
        let mut count = 0;
        for known in &self.labels {
            count += usize::from(*known == label);
        }
        count
    }

    /// An amount with as many operations as it takes, and how many passing calls have reached it.
    fn grown_from(&self, first: Amount) -> Option<(Amount, usize)> {
        let mut wrong = self.wrong(&first)?;
        let mut now = first;
        while wrong.1 > 0 && now.effects.len() < MOST_EFFECTS {
            let Some((grown, fewer)) = self.grown(&now, wrong.1) else { break };
            (now, wrong) = (grown, fewer);
        }
        now.least = wrong.0;
        Some((now, wrong.1))
    }

    /// The amount that the fewest passing calls have reached, and how many have.
    fn best(&self) -> Option<(Amount, usize)> {
        let mut best: Option<(Amount, usize)> = None;
        for first in self.beginnings() {
            let Some((now, wrong)) = self.grown_from(first) else { continue };
            // The simplest comes first.
            if best.as_ref().is_none_or(|(_, known)| wrong < *known) {
                best = Some((now, wrong));
            }
        }
        best
    }

    /// Amounts of one operation: those of the failing call alone, and those that add up.
    fn beginnings(&self) -> Vec<Amount> {
        let mut all = Vec::new();
        for operation in self.culprits {
            for (parameter, aspect) in self.quantities(*operation) {
                for times in &[1, -1] {
                    let effects = vec![(*operation, Effect::Measure(parameter, aspect, *times))];
                    all.push(Amount { effects, least: 0, course: Course::Last });
                }
            }
        }
        let Some(shortest) = self.shortest_failing() else { return all };
        all.append(&mut self.contents(shortest));
        let mut seen: Vec<usize> = Vec::new();
        for (operation, arguments, _) in &shortest.calls {
            if !arguments.is_empty() && !seen.contains(operation) {
                seen.push(*operation);
            }
        }
        for course in &[Course::Floored, Course::Total, Course::Wrapping] {
            for operation in &seen {
                for effect in self.effects(*operation) {
                    if is_rising(&effect) {
                        let effects = vec![(*operation, effect)];
                        all.push(Amount { effects, least: 0, course: *course });
                    }
                }
            }
        }
        all
    }

    /// Returns the first of the shortest programs that fail.
    fn shortest_failing(&self) -> Option<&Trace> {
        let mut shortest: Option<&Trace> = None;
        for trace in self.traces {
            if trace.fails && shortest.is_none_or(|known| trace.calls.len() < known.calls.len()) {
                shortest = Some(trace);
            }
        }
        shortest
    }

    /// The part that programs have in their last calls and no passing call has, and how many failing calls have it.
    fn content_of(&self, programs: &[Program]) -> Option<(Amount, usize)> {
        let mut own = Vec::with_capacity(programs.len());
        for program in programs {
            own.push(Trace::new(self.suite, program, true));
        }
        let mut best: Option<(Amount, usize)> = None;
        for amount in self.contents(own.first()?) {
            let (mut shared, mut is_own) = (0, own.iter().all(|trace| has_content(trace, &amount)));
            for (place, value) in self.values(&amount).iter().enumerate() {
                match self.labels[place] {
                    Label::Fails => shared += usize::from(*value > 0),
                    Label::Passes => is_own &= *value <= 0,
                    Label::Told => {}
                }
            }
            if is_own && best.as_ref().is_none_or(|best| shared > best.1) {
                best = Some((amount, shared));
            }
        }
        best
    }

    /// The parts of the literals of a failing call, each as what it may fail for.
    fn contents(&self, trace: &Trace) -> Vec<Amount> {
        let mut all: Vec<Amount> = Vec::new();
        let Some((operation, _, measures)) = trace.calls.last() else { return all };
        for (parameter, known) in measures.iter().enumerate() {
            if !self.culprits.contains(operation) || !self.is_open(*operation, parameter) {
                continue;
            }
            for part in known.parts().into_iter().take(MOST_PARTS) {
                let effects = vec![(*operation, Effect::Has(parameter, part.to_string()))];
                all.push(Amount { effects, least: 1, course: Course::Last });
            }
        }
        all
    }

    /// An amount with one operation more, that fewer passing calls have reached.
    fn grown(&self, now: &Amount, wrong: usize) -> Option<(Amount, (i64, usize))> {
        let mut best: Option<(Amount, (i64, usize))> = None;
        for operation in 0..self.suite.operations.len() {
            for effect in self.further_effects(now, operation) {
                let mut grown = now.clone();
                grown.effects.push((operation, effect));
                let least = best.as_ref().map_or(wrong, |(_, (_, known))| *known);
                if let Some(fewer) = self.wrong(&grown).filter(|fewer| fewer.1 < least) {
                    best = Some((grown, fewer));
                }
            }
        }
        best
    }

    /// Whatever calls of an operation may do to an amount besides what is said of it. An operation has one effect, but
    /// for quantities of the last call, which may be added up.
    fn further_effects(&self, now: &Amount, operation: usize) -> Vec<Effect> {
        let (mut is_known, mut taken) = (false, Vec::new());
        for (known, effect) in &now.effects {
            if *known == operation {
                is_known = true;
                taken.push(measured(effect));
            }
        }
        if !is_known {
            return self.effects(operation);
        }
        let mut effects = Vec::new();
        if now.course != Course::Last || !is_first_measured(now, operation) {
            return effects;
        }
        for (parameter, aspect) in self.quantities(operation) {
            if !taken.contains(&Some(parameter)) {
                effects.push(Effect::Measure(parameter, aspect, 1));
                effects.push(Effect::Measure(parameter, aspect, -1));
            }
        }
        effects
    }

    /// Whatever a call of an operation may do to an amount.
    fn effects(&self, operation: usize) -> Vec<Effect> {
        let mut effects =
            vec![Effect::Add(1), Effect::Add(-1), Effect::Reset, Effect::Add(-2), Effect::Add(2)];
        for (parameter, aspect) in self.quantities(operation) {
            effects.push(Effect::Measure(parameter, aspect, 1));
            effects.push(Effect::Measure(parameter, aspect, -1));
        }
        for (place, parameter) in self.suite.operations[operation].parameters.iter().enumerate() {
            if parameter.is_literal() && self.is_open(operation, place) {
                effects.push(Effect::Enter(place));
                effects.push(Effect::Leave(place));
            }
        }
        effects
    }

    /// Returns true if nobody has said what the literals of a parameter become in patterns.
    fn is_open(&self, operation: usize, parameter: usize) -> bool {
        self.suite.abstraction(operation, parameter).is_usual()
    }

    /// The quantities that the literals of an operation differ in.
    fn quantities(&self, operation: usize) -> Vec<(usize, Aspect)> {
        let mut quantities = Vec::new();
        for parameter in 0..self.suite.operations[operation].parameters.len() {
            if !self.is_open(operation, parameter) {
                continue;
            }
            for aspect in &[Aspect::Number, Aspect::Size, Aspect::Bytes, Aspect::Depth] {
                if self.differs(operation, parameter, *aspect) {
                    quantities.push((parameter, *aspect));
                }
            }
        }
        quantities
    }

    /// Returns true if calls of an operation differ in a quantity of a parameter, and it is not the same as another one.
    fn differs(&self, operation: usize, parameter: usize, aspect: Aspect) -> bool {
        let (mut first, mut differs, mut is_own) = (None, false, aspect != Aspect::Bytes);
        for trace in self.traces {
            for (other, _, measures) in &trace.calls {
                if *other == operation {
                    let value = measures[parameter].get(aspect);
                    differs |= *first.get_or_insert(value) != value;
                    is_own |= measures[parameter].is_wide();
                }
            }
        }
        differs && is_own
    }

    /// Returns the least value of an amount over the failing calls, and the number of passing calls that reach it
    /// too.
    fn wrong(&self, amount: &Amount) -> Option<(i64, usize)> {
        let values = self.values(amount);
        let mut least = None;
        for (place, label) in self.labels.iter().enumerate() {
            if *label == Label::Fails {
                least = Some(least.map_or(values[place], |least: i64| least.min(values[place])));
            }
        }
        let (least, mut reached) = (least?, 0);
        for (place, label) in self.labels.iter().enumerate() {
            reached += usize::from(*label == Label::Passes && values[place] >= least);
        }
        Some((least, reached))
    }

    /// Returns the value of an amount at each call of a culprit.
    fn values(&self, amount: &Amount) -> Vec<i64> {
        let (mut values, mut totals) = (Vec::new(), Totals::default());
        for trace in self.traces {
            totals.clear();
            for (operation, arguments, measures) in &trace.calls {
                let call = Weighed { operation: *operation, arguments, measures };
                if self.culprits.contains(operation) {
                    values.push(totals.with(amount, &call));
                }
                totals.add(amount, &call);
            }
        }
        values
    }

    /// Has an amount tell what it can.
    fn tell(&mut self, amount: &Amount) {
        let values = self.values(amount);
        for (place, label) in self.labels.iter_mut().enumerate() {
            if *label == Label::Passes && values[place] < amount.least {
                *label = Label::Told;
            }
        }
    }
}

/// Returns true if the first effect of an amount is a quantity of calls of an operation.
fn is_first_measured(amount: &Amount, operation: usize) -> bool {
    amount.effects.first().is_some_and(|(first, effect)| *first == operation && measured(effect).is_some())
}

/// The parameter of which an effect is a quantity.
fn measured(effect: &Effect) -> Option<usize> {
    match effect {
        Effect::Measure(parameter, ..) => Some(*parameter),
        _ => None,
    }
}

/// Returns true if an effect makes an amount greater.
fn is_rising(effect: &Effect) -> bool {
    match effect {
        Effect::Add(count) => *count == 1,
        Effect::Measure(_, _, times) => *times > 0,
        Effect::Enter(_) | Effect::Has(..) => true,
        Effect::Leave(_) | Effect::Reset => false,
    }
}
