//! Avoidance: looking at a call before it is made, so that no known bug is met again.
//!
//! The literals of a call are drawn when it is made. To know them before, they are drawn from a copy
//! of the random stream, unless the call is harmless whatever they are; the call then draws the same. When a program has come to its end, one call
//! more may be made that *does* complete a known pattern: the sacrifice. It can hide nothing, for it is
//! the last, and it shows whether the pattern is honest.
//!
//! **Invariant:** where nothing is known, nothing of this costs anything.

use super::frame::LITERAL;
use super::operation::Operation;
use super::suite::Suite;
use crate::choice::{Choice, Source, Tape};
use crate::list::mapped;
use crate::oracle::Signature;
use crate::pattern::{
    Call, Completion, Matcher, Measures, Pattern, STATE, Value, Weighed, begun_value, continued_value,
};
use crate::random::Seed;
use std::collections::HashMap;

/// Draws of another call instead of one that would complete a known pattern. After that the program ends.
pub(super) const TRIES: u32 = 30;
/// Calls of an operation in a row that were not made, after which the operation is missed, and sampled at once where it
/// was not before; others can wait for the end of a program.
const PATIENCE: u32 = 40;
/// Programs that bring nothing new before programs get longer by their first length.
const UNTIL_LONGER: usize = 2;
/// Programs that bring nothing new, after which more of them leave operations out.
const QUIET: usize = 24;
/// The greatest length of programs, as a multiple of their first one.
pub(super) const LONGEST: usize = 2;

/// The known patterns, and how much of each is in the program that is running.
#[doc(hidden)]
#[derive(Debug)]
pub struct Avoidance {
    matcher: Matcher,
    /// For each pattern that is sampled, the operations that can complete it.
    ends: Vec<Vec<usize>>,
    /// For each pattern, whether it is sampled: what hangs takes too long.
    is_sampled: Vec<bool>,
    /// Draws literals ahead of the call; not there while it does.
    ahead: Option<Source>,
    /// The arguments of the call that was looked at last, and the choices of their literals if patterns
    /// ask for them.
    arguments: Vec<Value>,
    choices: Vec<Vec<u64>>,
    /// Their classes, if patterns ask for them.
    classes: Vec<Value>,
    /// Their quantities, if patterns ask for them.
    measures: Vec<Measures>,
    /// The operation of that call, if it is not made yet.
    looked_at: Option<usize>,
    /// For each operation, the parameters that are literals, and what their values begin with.
    literals: Vec<Vec<(usize, Value)>>,
    /// True if literals are told apart by their text, not by their choices.
    reads_text: bool,
    /// True if a last call is sacrificed.
    pub(super) sacrifices: bool,
    /// True if the next call must complete a pattern.
    pub(super) sacrificing: bool,
    /// True if nothing waits for the next call.
    pub(super) is_outermost: bool,
    /// For each operation, how many calls in a row were not made, in all programs.
    refused: Vec<u32>,
    /// The number of programs drawn since a bug was found.
    quiet: usize,
    /// The pattern that the last call of the program completes.
    pub(super) sacrificed: Option<usize>,
    /// For each operation, the number of samples by the calls before the sample.
    contexts: Vec<HashMap<u64, usize>>,
    /// The number of calls in a row that were not made.
    pub(super) vain: u32,
}

impl Avoidance {
    pub(super) fn new(suite: &Suite, patterns: &[Pattern], sacrifices: bool) -> Avoidance {
        let (mut ends, mut is_sampled): (Vec<Vec<usize>>, _) = (Vec::new(), Vec::new());
        for pattern in patterns {
            let hangs = pattern.signature.as_ref().is_some_and(Signature::is_hang);
            is_sampled.push(!hangs);
            if !hangs {
                let mut last = pattern.last_elements();
                for place in &mut last {
                    *place = pattern.elements[*place].operation;
                }
                ends.push(last);
            }
        }
        Avoidance {
            matcher: Matcher::new(patterns),
            sacrifices: sacrifices && !ends.is_empty(),
            ends,
            is_sampled,
            ahead: None,
            arguments: Vec::new(),
            choices: Vec::new(),
            classes: Vec::new(),
            measures: Vec::new(),
            looked_at: None,
            literals: mapped(&suite.operations, literals),
            reads_text: false,
            sacrificing: false,
            is_outermost: false,
            quiet: 0,
            refused: vec![0; suite.operations.len()],
            sacrificed: None,
            contexts: mapped(&suite.operations, |_| HashMap::new()),
            vain: 0,
        }
    }

    /// Goes by how literals are printed: where many choices come to the same number, all of them are known.
    #[doc(hidden)]
    #[inline]
    pub fn by_text(suite: &Suite, patterns: &[Pattern]) -> Avoidance {
        let mut patterns = patterns.to_vec();
        for element in patterns.iter_mut().flat_map(|pattern| &mut pattern.elements) {
            let parameters = &suite.operations[element.operation].parameters;
            for (term, parameter) in element.arguments.iter_mut().zip(parameters) {
                if let crate::pattern::Term::Exact(literal) = term {
                    literal.value = printed_value(begun_value(parameter.kind.name), &literal.text);
                }
            }
        }
        Avoidance { reads_text: true, ..Avoidance::new(suite, &patterns, false) }
    }

    /// Returns the worth of the last candidate as a sample, and its context: the fewer samples of its operation were
    /// taken after such calls, the more it is worth.
    pub(super) fn worth(&self, operation: usize) -> (u32, u64) {
        let context = self.matcher.context_of(&self.arguments);
        let samples = self.contexts[operation].get(&context).copied().unwrap_or(0);
        (u32::MAX - samples as u32, context)
    }

    /// Decides for a sample.
    pub(super) fn take(&mut self, pattern: usize, operation: usize, context: u64) {
        self.sacrificed = Some(pattern);
        // Others have been looked at since.
        self.looked_at = None;
        *self.contexts[operation].entry(context).or_insert(0) += 1;
    }

    /// Returns true if many programs have brought nothing new.
    pub(super) fn is_quiet(&self) -> bool {
        self.quiet >= QUIET
    }

    /// Draws another program: returns the number of calls that it is to have instead of `steps`. What is easy to find was
    /// found, and what is left takes more calls to build up.
    pub(super) fn lengthened(&mut self, steps: usize) -> usize {
        self.quiet += 1;
        (steps + steps * self.quiet / UNTIL_LONGER).min(steps * LONGEST)
    }

    /// Goes on with what was sampled before.
    pub(super) fn inherit(&mut self, old: Avoidance) {
        if self.is_sampled.len() == old.is_sampled.len() {
            self.quiet = old.quiet;
        }
        self.refused = old.refused;
        self.contexts = old.contexts;
    }

    /// Begins another program.
    #[doc(hidden)]
    pub fn clear(&mut self) {
        self.matcher.clear();
        (self.sacrificing, self.sacrificed, self.vain) = (false, None, 0);
    }

    /// An operation that may complete some pattern.
    pub(super) fn ending(&self, source: &mut Source) -> usize {
        let ends = &self.ends[source.random_below(self.ends.len() as u64) as usize];
        ends[source.random_below(ends.len() as u64) as usize]
    }

    /// Returns true if a call is to be made. Its literals are the next ones of the source.
    pub(super) fn admits(
        &mut self,
        suite: &Suite,
        operation: usize,
        earlier: &[u32],
        source: &mut Source,
    ) -> bool {
        let chance = match source.is_exhaustive() {
            // The digits of literals have to be there, whether the call is made or not.
            true if self.matcher.concerns(operation) => Completion::Maybe,
            true => Completion::No,
            false => self.matcher.early_chance(operation, earlier),
        };
        self.looked_at = None;
        match chance {
            _ if self.matcher.weighs(operation) => self.admits_looked_at(suite, operation, earlier, source),
            Completion::No => {
                (self.sacrificed, self.vain) = (None, 0);
                !self.sacrificing
            }
            Completion::Yes if !self.sacrificing && !self.is_missed(operation, source) => {
                self.refuse(operation)
            }
            _ => self.admits_looked_at(suite, operation, earlier, source),
        }
    }

    /// The same, where it depends on the literals or on the program.
    #[inline(never)]
    fn admits_looked_at(
        &mut self,
        suite: &Suite,
        operation: usize,
        earlier: &[u32],
        source: &mut Source,
    ) -> bool {
        let mark = source.mark();
        self.look_at(suite, operation, earlier, source);
        let Avoidance { arguments, choices, classes, .. } = self;
        let call = Call { operation, arguments, choices, classes };
        let reached = self.matcher.would_reach(&Weighed { operation, arguments, measures: &self.measures });
        if self.sacrificing {
            self.sacrificed = match reached {
                Some(pattern) => Some(pattern).filter(|_| self.matcher.would_complete(&call).is_none()),
                None => self.matcher.would_complete_one(&call),
            };
            self.sacrificed = self.sacrificed.filter(|pattern| self.is_sampled[*pattern]);
            return self.sacrificed.is_some();
        }
        if reached.is_some() {
            return self.refuse(operation);
        }
        if self.matcher.would_complete(&call).is_some() {
            let is_sampled = self.is_missed(operation, source) && self.samples_now(operation);
            return is_sampled || self.refuse(operation);
        }
        if source.is_exhaustive() {
            source.rewind(mark);
        }
        self.vain = 0;
        true
    }

    /// Takes note that a call is not made.
    fn refuse(&mut self, operation: usize) -> bool {
        self.vain += 1;
        self.refused[operation] += 1;
        false
    }

    /// Returns true if an operation is refused again and again.
    fn is_missed(&self, operation: usize, source: &Source) -> bool {
        let is_wanted = self.sacrifices && self.is_outermost && source.is_drawing();
        is_wanted && self.refused[operation] >= PATIENCE
    }

    /// Returns true if the last candidate, which is known to fail, is made all the same: because no such call was
    /// ever made after such others.
    fn samples_now(&mut self, operation: usize) -> bool {
        let context = self.matcher.context_of(&self.arguments);
        if self.contexts[operation].contains_key(&context) {
            return false;
        }
        let Avoidance { arguments, choices, classes, .. } = self;
        let call = Call { operation, arguments, choices, classes };
        let completed = self.matcher.would_complete_one(&call);
        let Some(pattern) = completed.filter(|pattern| self.is_sampled[*pattern]) else { return false };
        self.take(pattern, operation, context);
        self.refused[operation] += 1;
        true
    }

    /// Looks at a call, with its literals.
    fn look_at(&mut self, suite: &Suite, operation: usize, earlier: &[u32], source: &mut Source) {
        self.read_results(suite, earlier);
        if source.is_exhaustive() {
            let spans = source.tape().spans.len();
            self.look(suite, operation, source, spans);
        } else if !self.literals[operation].is_empty() {
            let mut ahead = self.ahead.take().unwrap_or_else(|| Source::unseen(Seed(0)));
            ahead.look_ahead_of(source);
            self.look(suite, operation, &mut ahead, 0);
            self.ahead = Some(ahead);
        }
        self.looked_at = Some(operation);
    }

    /// Draws the literals of a call.
    fn look(&mut self, suite: &Suite, operation: usize, source: &mut Source, spans: usize) {
        for (parameter, _) in &self.literals[operation] {
            suite.draw_literal(operation, *parameter, source);
        }
        self.read_literals(suite, operation, source, spans);
    }

    /// Takes note of a call that was made; `spans` counts the spans on the tape before its literals.
    #[doc(hidden)]
    pub fn add(&mut self, suite: &Suite, operation: usize, earlier: &[u32], source: &Source, spans: usize) {
        if self.sacrificed.is_none() {
            self.refused[operation] = 0;
        }
        // What was looked at is what was made.
        if self.looked_at.take() != Some(operation) {
            if self.matcher.concerns(operation) || self.matcher.weighs(operation) {
                self.read_results(suite, earlier);
                if !self.literals[operation].is_empty() {
                    self.read_literals(suite, operation, source, spans);
                }
            } else {
                self.arguments.clear();
                self.choices.clear();
                self.classes.clear();
                self.measures.clear();
            }
        } else if cfg!(debug_assertions) {
            let looked_at = self.arguments.clone();
            self.read_literals(suite, operation, source, spans);
            assert_eq!(self.arguments, looked_at, "a call is not the one that was looked at");
        }
        let Avoidance { arguments, choices, classes, .. } = self;
        self.matcher.add(&Call { operation, arguments, choices, classes });
        self.matcher.weigh(&Weighed { operation, arguments, measures: &self.measures });
    }

    /// Returns true if a call whose literals are on the tape, behind `before` spans, completes a known pattern.
    #[doc(hidden)]
    #[inline]
    pub fn is_completed_by(
        &mut self,
        suite: &Suite,
        operation: usize,
        earlier: &[u32],
        source: &Source,
        spans: usize,
    ) -> bool {
        let is_weighed = self.matcher.weighs(operation);
        if !is_weighed && self.matcher.early_chance(operation, earlier) == Completion::No {
            return false;
        }
        self.read_results(suite, earlier);
        self.read_literals(suite, operation, source, spans);
        let Avoidance { arguments, choices, classes, .. } = self;
        let weighed = Weighed { operation, arguments, measures: &self.measures };
        if is_weighed && self.matcher.would_reach(&weighed).is_some() {
            return true;
        }
        self.matcher.would_complete(&Call { operation, arguments, choices, classes }).is_some()
    }

    /// Reads those arguments of a call that are results of earlier ones. What stands for literals means nothing
    /// yet.
    fn read_results(&mut self, suite: &Suite, earlier: &[u32]) {
        let value = |place: &u32| match *place {
            0 if suite.is_machine => STATE,
            place => Value::from(place),
        };
        self.arguments.clear();
        self.arguments.extend(earlier.iter().map(value));
        if self.matcher.asks_for_choices() {
            self.choices.clear();
            self.choices.resize(earlier.len(), Vec::new());
        }
        self.measures.clear();
        if self.matcher.asks_for_classes() {
            self.classes.clear();
            self.classes.resize(earlier.len(), 0);
        }
    }

    /// Reads the literals of a call off the tape, behind `spans` spans.
    fn read_literals(&mut self, suite: &Suite, operation: usize, source: &Source, spans: usize) {
        let tape = source.tape();
        let mut spans = tape.spans[spans..].iter();
        let mut end = 0;
        if self.matcher.weighs(operation) {
            self.measures.clear();
            self.measures.resize(self.arguments.len(), Measures::default());
        }
        for (parameter, beginning) in &self.literals[operation] {
            let mut choices: &[Choice] = &[];
            // There may be literals inside of literals.
            let outermost = loop {
                match spans.next() {
                    Some(span) if span.label != LITERAL || span.start < end => {}
                    span => break span,
                }
            };
            if let Some(span) = outermost {
                end = span.end.max(span.start + 1);
                choices = &tape.choices[span.start..span.end];
            }
            let values = choices.iter().map(|choice| choice.value);
            let literal = || Tape { choices: choices.to_vec(), spans: Vec::new() };
            self.arguments[*parameter] = match self.reads_text {
                true => printed_value(*beginning, &suite.show_literal(operation, *parameter, literal())),
                false => continued_value(*beginning, values),
            };
            if let Some(known) = self.measures.get_mut(*parameter) {
                *known = Measures::of(&suite.show_literal(operation, *parameter, literal()));
            }
            if let Some(known) = self.choices.get_mut(*parameter) {
                *known = mapped(choices, |choice| choice.value);
            }
            if let Some(known) = self.classes.get_mut(*parameter) {
                let class = suite.class_of(operation, *parameter, literal());
                *known = class.map_or(0, |class| class.value);
            }
        }
    }
}

/// Returns the value that stands for a literal with this text.
fn printed_value(beginning: Value, text: &str) -> Value {
    continued_value(beginning, text.bytes().map(u64::from))
}

fn literals(operation: &Operation) -> Vec<(usize, Value)> {
    let mut literals = Vec::new();
    for (place, parameter) in operation.parameters.iter().enumerate() {
        if parameter.is_literal() {
            literals.push((place, begun_value(parameter.kind.name)));
        }
    }
    literals
}

#[cfg(test)]
mod tests {
    use super::super::{NoHook, Program, Programs, Proposal, Scratch};
    use super::*;
    use crate::oracle::Verdict;
    use crate::pattern::Element;

    /// The number of calls of programs of two rules.
    const STEPS: usize = 50;

    /// Nothing happens in this suite, but `known` is said to fail.
    fn suite() -> Suite {
        Suite::new("clock")
            .operation(Operation::new("tick", "tick()", |_| Verdict::Pass))
            .operation(Operation::new("known", "known()", |_| Verdict::Pass))
            .build()
    }

    fn pattern() -> Pattern {
        let element = |operation| Element { operation, arguments: Vec::new(), result: None };
        Pattern::sequence(vec![element(1)]).expect("it is short")
    }

    #[test]
    fn an_operation_that_is_refused_for_too_long_is_sampled_at_once_and_once() {
        let (suite, mut source) = (suite(), Source::recording(Seed(1), 0));
        let mut refusals = |samples: bool, is_outermost: bool| {
            let mut avoidance = Avoidance::new(&suite, &[pattern()], samples);
            avoidance.is_outermost = is_outermost;
            let admitted = |time: &u32| *time > 0 && avoidance.admits(&suite, 1, &[], &mut source);
            (1..=4 * PATIENCE).filter(admitted).collect::<Vec<u32>>()
        };
        assert_eq!(refusals(true, true), [PATIENCE + 1]);
        assert_eq!(refusals(false, true), [], "no samples are wanted");
        assert_eq!(refusals(true, false), [], "another call waits for this one");
    }

    #[test]
    fn what_hangs_is_never_sampled() {
        for (signature, expected) in [(Signature::NoPanic, true), (Signature::Hung, false)] {
            let (programs, mut scratch) = (Programs::new(suite()), Scratch::new(&suite()));
            scratch.steering.know(&suite(), vec![Pattern { signature: Some(signature), ..pattern() }], true);
            for case in 0..20 {
                let mut source = Source::recording(Seed(3), case);
                programs.run_hooked(NoHook, Proposal::new(&mut source, &mut |_| true, &mut scratch));
            }
            assert_eq!(
                scratch.calls_of_each().iter().map(|calls| *calls > 0).collect::<Vec<_>>(),
                [true, expected]
            );
        }
    }

    #[test]
    fn an_operation_that_is_called_now_and_then_is_not_sampled_at_once() {
        let (suite, mut source) = (suite(), Source::recording(Seed(1), 0));
        let mut avoidance = Avoidance::new(&suite, &[pattern()], true);
        avoidance.is_outermost = true;
        for _ in 0..4 {
            assert!((0..PATIENCE).all(|_| !avoidance.admits(&suite, 1, &[], &mut source)));
            avoidance.add(&suite, 1, &[], &source, 0);
        }
    }

    /// The lengths of programs, given the number of programs that follow each pattern that becomes known.
    fn lengths(known: &[usize]) -> Vec<usize> {
        let (programs, mut scratch) = (Programs::new(suite()), Scratch::new(&suite()));
        let mut lengths = Vec::new();
        for (patterns, count) in known.iter().enumerate() {
            scratch.steering.know(&suite(), vec![pattern(); patterns], false);
            for case in 0..*count {
                let mut source = Source::recording(Seed(3), case as u64);
                programs.run_hooked(NoHook, Proposal::new(&mut source, &mut |_| true, &mut scratch));
                let program = Program::of(&suite(), &source.into_tape()).expect("it was run");
                lengths.push(program.calls.len());
            }
        }
        lengths
    }

    #[test]
    fn programs_leave_operations_out_again_once_nothing_new_is_found() {
        let operation = |name| Operation::new(name, "", |_| Verdict::Pass);
        let suite = || Suite::new("hands").operations(["known", "left", "right"].map(operation)).build();
        let (programs, mut scratch) = (Programs::new(suite()), Scratch::new(&suite()));
        let known = Element { operation: 0, arguments: Vec::new(), result: None };
        let known = Pattern::sequence(vec![known]).expect("it is short");
        scratch.steering.know(&suite(), vec![known], false);
        let mut lacks_one = Vec::new();
        for case in 0..200 {
            let mut source = Source::recording(Seed(3), case);
            programs.run_hooked(NoHook, Proposal::new(&mut source, &mut |_| true, &mut scratch));
            let program = Program::of(&suite(), &source.into_tape()).expect("it was run");
            let has = |wanted| program.calls.iter().any(|call| call.operation == wanted);
            lacks_one.push(program.calls.len() > 20 && !(has(1) && has(2)));
        }
        assert!(lacks_one[..QUIET].iter().all(|lacks| !lacks), "nothing is left out at first");
        assert!(lacks_one[QUIET..].iter().filter(|lacks| **lacks).count() > 5, "{lacks_one:?}");
    }

    #[test]
    fn programs_get_longer_as_long_as_nothing_new_is_found() {
        let longest = |lengths: &[usize]| lengths.iter().copied().max().unwrap_or(0);
        let usual = lengths(&[60]);
        assert!(longest(&usual) <= STEPS, "{usual:?}");
        let grown = lengths(&[0, 60]);
        assert!((STEPS + 1..=LONGEST * STEPS).contains(&longest(&grown)), "{grown:?}");
        let again = lengths(&[0, 1, 1, 1, 1, 1, 1, 1]);
        assert!(longest(&again) <= STEPS * 3 / 2, "each was the first after a pattern: {again:?}");
    }
}
