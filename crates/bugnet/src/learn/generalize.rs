//! Generalizing: from a minimal failing program to the pattern of its bug.
//!
//! Values become variables, equal ones the same, and literals are varied as far as tests confirm. How the order is
//! relaxed is in [`order`](super::order). Whether a program fails in the same way is for the caller to say.
//!
//! **Invariant:** nothing is tried that the borrow checker would refuse.

use super::learner::Learner;
use crate::choice::{Source, Tape};
use crate::list::place_of;
use crate::pattern::{Element, Literal, Pattern, STATE, Term, UNBOUND, Value, literal_value};
use crate::program::{Abstraction, Argument, Program, Suite, Width, first_call, value_of};
use crate::random::Seed;
use std::cmp::Ordering;

/// Draws of another literal before a literal counts as the only one of its type.
const TRIES: u64 = 16;
/// The same, where it has to be of a class.
const CLASS_TRIES: u64 = 128;
/// Literals that are equal in this many places are hardly equal for a reason, so one test is spent on that.
const OFTEN_EQUAL: usize = 4;
/// Variables beyond this many are not told apart.
const MOST_VARIABLES: usize = 200;

/// Returns the term for an argument. `variable` returns the variable that stands for a value, a new one for none;
/// `None` if there are too many.
pub(super) fn term(
    suite: &Suite,
    operation: usize,
    parameter: usize,
    argument: &Argument,
    variable: &mut dyn FnMut(Value) -> Option<u8>,
) -> Term {
    let value = value_of(suite, operation, parameter, argument);
    let Argument::Literal(tape) = argument else {
        let variable = if value == STATE { None } else { variable(value) };
        return variable.map_or(Term::Any, Term::Variable);
    };
    let Abstraction { width, is_apart } = suite.abstraction(operation, parameter);
    match width {
        Width::Exact => return Term::Exact(literal(suite, operation, parameter, tape)),
        Width::Any if is_apart => return Term::Any,
        _ => {}
    }
    let variable = variable(if is_apart { UNBOUND } else { value });
    match (variable, suite.class_of(operation, parameter, tape.clone())) {
        (Some(variable), Some(class)) => Term::Class(variable, class),
        (Some(variable), None) => Term::Variable(variable),
        (None, Some(_)) => Term::Exact(literal(suite, operation, parameter, tape)),
        (None, None) => Term::Any,
    }
}

/// The pattern of a program, in its order; `None` if it has too many calls.
pub(crate) fn abstracted(suite: &Suite, program: &Program) -> Option<Pattern> {
    let first = first_call(suite, program);
    let mut values: Vec<Value> = Vec::new();
    let mut variable = |value: Value| {
        let known = if value == UNBOUND { None } else { place_of(&values, &value) };
        let place = known.or_else(|| {
            values.push(value);
            (values.len() <= MOST_VARIABLES).then(|| values.len() - 1)
        });
        place.map(|place| place as u8)
    };
    let mut elements = Vec::new();
    for (place, call) in program.calls.iter().enumerate().skip(first) {
        let mut arguments = Vec::new();
        for (parameter, argument) in call.arguments.iter().enumerate() {
            arguments.push(term(suite, call.operation, parameter, argument, &mut variable));
        }
        let made = program.uses(place) && !(suite.is_machine() && place == 0);
        let result = if made { variable(place as Value) } else { None };
        elements.push(Element { operation: call.operation, arguments, result });
    }
    Pattern::sequence(elements)
}

impl Program {
    fn with_literal(&self, places: &[(usize, usize)], literal: &Tape) -> Program {
        let mut changed = self.clone();
        for (call, parameter) in places {
            changed.calls[*call].arguments[*parameter] = Argument::Literal(literal.clone());
        }
        changed
    }
}

/// Generalizes each literal of a pattern only as far as tests confirm: equal ones may differ if the
/// program fails all the same, and one that can be no other is named. What never matters is not tried, and
/// literals of one class are alike without being tried. This many others have to fail.
#[doc(hidden)]
pub fn varied(learner: &mut Learner<'_>, program: &Program, mut pattern: Pattern, others: usize) -> Pattern {
    let suite = learner.suite;
    let first = first_call(suite, program);
    let known = pattern.variables();
    let mut variables = known;
    for variable in 0..known {
        let places: Vec<(usize, usize)> = places_of(&pattern, variable, first);
        let class = |(call, parameter): (usize, usize), tape: &Tape| {
            suite.class_of(program.calls[call].operation, parameter, tape.clone())
        };
        let term = |(call, parameter): &(usize, usize)| &pattern.elements[call - first].arguments[*parameter];
        let classed = places.iter().find(|place| matches!(term(place), Term::Class(..)));
        let Some((call, parameter)) = classed.or(places.first()).copied() else { continue };
        let Argument::Literal(now) = &program.calls[call].arguments[parameter] else { continue };
        let operation = program.calls[call].operation;
        if is_any(suite, program, &places) {
            continue;
        }
        // Where several have to fail, none of them stands elsewhere, for it may matter that two are equal.
        let apart = if others > 1 { shown_elsewhere(suite, program, &places) } else { Vec::new() };
        let is_apart = |other: &Tape| {
            apart.is_empty() || !apart.contains(&suite.show_literal(operation, parameter, other.clone()))
        };
        let drawn = |order| other_literals(suite, operation, parameter, now, others, order, &is_apart);
        let all = drawn(None);
        let Some(other) = all.first() else { continue };
        let mut all_fail =
            |all: &[Tape]| all.iter().all(|other| learner.fails(&program.with_literal(&places, other)));
        if classed.is_none() && !all_fail(&all) {
            let greater = if places.len() == 1 { drawn(Some(Ordering::Greater)) } else { Vec::new() };
            let is_least = !greater.is_empty() && all_fail(&greater);
            pattern.name(suite, program, &places, if is_least { Term::Least } else { Term::Exact });
            continue;
        }
        for place in places.iter().skip(1) {
            let is_alike = class(*place, other) == class(*place, now);
            if is_alike && learner.fails(&program.with_literal(&[*place], other)) {
                pattern.elements[place.0 - first].arguments[place.1].rename(variables);
                variables += 1;
            }
        }
    }
    pattern
}

/// Has literals differ that are equal in many places, if the program fails all the same when all of them differ.
pub(crate) fn loosened(learner: &mut Learner<'_>, program: &Program, mut pattern: Pattern) -> Pattern {
    let suite = learner.suite;
    let first = first_call(suite, program);
    for variable in 0..pattern.variables() {
        let places = places_of(&pattern, variable, first);
        let is_classed = |(call, parameter): &(usize, usize)| {
            matches!(pattern.elements[call - first].arguments[*parameter], Term::Class(..))
        };
        let most = usize::from(pattern.variables()) + places.len();
        if places.len() < OFTEN_EQUAL || places.iter().any(is_classed) || most > MOST_VARIABLES {
            continue;
        }
        let mut changed = program.clone();
        let mut used: Vec<Tape> = Vec::new();
        for (call, parameter) in &places {
            let Argument::Literal(now) = &program.calls[*call].arguments[*parameter] else { break };
            let is_new = |other: &Tape| !used.iter().any(|used| used.values() == other.values());
            let operation = program.calls[*call].operation;
            let Some(other) = other_literals(suite, operation, *parameter, now, 1, None, &is_new).pop()
            else {
                break;
            };
            changed.calls[*call].arguments[*parameter] = Argument::Literal(other.clone());
            used.push(other);
        }
        if used.len() == places.len() && learner.fails(&changed) {
            for place in places.iter().skip(1) {
                let next = pattern.variables();
                pattern.elements[place.0 - first].arguments[place.1].rename(next);
            }
        }
    }
    pattern
}

/// The pattern of a program with all its literals.
pub(crate) fn exact(suite: &Suite, program: &Program) -> Option<Pattern> {
    let mut pattern = abstracted(suite, program)?;
    let first = first_call(suite, program);
    let mut places = Vec::new();
    for place in program.literal_places() {
        if place.0 >= first {
            places.push(place);
        }
    }
    pattern.name(suite, program, &places, Term::Exact);
    Some(pattern)
}

/// The literals of a program at other places, as they are printed.
fn shown_elsewhere(suite: &Suite, program: &Program, places: &[(usize, usize)]) -> Vec<String> {
    let mut shown = Vec::new();
    for (place, call) in program.calls.iter().enumerate() {
        for (parameter, argument) in call.arguments.iter().enumerate() {
            match argument {
                Argument::Literal(tape) if !places.contains(&(place, parameter)) => {
                    shown.push(suite.show_literal(call.operation, parameter, tape.clone()));
                }
                _ => {}
            }
        }
    }
    shown
}

/// Returns true if the literals at some of these places never matter.
fn is_any(suite: &Suite, program: &Program, places: &[(usize, usize)]) -> bool {
    places.iter().any(|(call, parameter)| {
        matches!(suite.abstraction(program.calls[*call].operation, *parameter).width, Width::Any)
    })
}

/// Returns the places of a variable, by call and parameter of the program.
fn places_of(pattern: &Pattern, variable: u8, first: usize) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    for (element, described) in pattern.elements.iter().enumerate() {
        for (parameter, term) in described.arguments.iter().enumerate() {
            if term.variable() == Some(variable) {
                places.push((element + first, parameter));
            }
        }
    }
    places
}

/// A literal as patterns name it.
pub(super) fn literal(suite: &Suite, operation: usize, parameter: usize, tape: &Tape) -> Literal {
    let kind = suite.operations[operation].parameters[parameter].kind.name;
    let text = suite.show_literal(operation, parameter, tape.clone());
    let class = suite.class_of(operation, parameter, tape.clone()).map(|class| class.value);
    Literal { value: literal_value(kind, &tape.values()), tape: tape.clone(), text, class }
}

/// Other literals for a parameter than this one and of its class, at most so many, as far as they come up; they
/// stand so to it in the order of simplicity, if that is demanded.
pub(super) fn other_literals(
    suite: &Suite,
    operation: usize,
    parameter: usize,
    now: &Tape,
    most: usize,
    order: Option<Ordering>,
    is_wanted: &dyn Fn(&Tape) -> bool,
) -> Vec<Tape> {
    let class = suite.class_of(operation, parameter, now.clone());
    let tries = if class.is_some() { CLASS_TRIES } else { TRIES };
    let mut found: Vec<Tape> = Vec::new();
    for case in 0..tries {
        if found.len() == most {
            break;
        }
        let mut source = Source::recording(Seed::of_name("another literal"), case);
        suite.draw_literal(operation, parameter, &mut source);
        let drawn = source.into_tape();
        let differs = drawn.values() != now.values();
        let is_alike = class.is_none() || suite.class_of(operation, parameter, drawn.clone()) == class;
        let is_ordered = order.is_none_or(|order| drawn.simplicity(now) == order);
        if differs && is_alike && is_ordered && is_wanted(&drawn) {
            found.push(drawn);
        }
    }
    found
}

impl Pattern {
    /// Names the literals of a program at these places.
    fn name(
        &mut self,
        suite: &Suite,
        program: &Program,
        places: &[(usize, usize)],
        term: fn(Literal) -> Term,
    ) {
        let first = first_call(suite, program);
        for (call, parameter) in places {
            if let Argument::Literal(tape) = &program.calls[*call].arguments[*parameter] {
                let known = literal(suite, program.calls[*call].operation, *parameter, tape);
                self.elements[call - first].arguments[*parameter] = term(known);
            }
        }
    }

    /// Takes back what an instance that passes refutes: the order, if it has another one than the
    /// program that the pattern came from, and those literals of the program that cannot be replaced by
    /// the ones of the instance. `false` if there is nothing to take back.
    pub(crate) fn specialize(
        &mut self,
        learner: &mut Learner<'_>,
        program: &Program,
        instance: &Program,
        places: &[usize],
    ) -> bool {
        let suite = learner.suite;
        let first = first_call(suite, program);
        if !places.windows(2).all(|pair| pair[0] < pair[1]) {
            let was = self.before.clone();
            self.tighten();
            return self.before != was;
        }
        let (mut now, mut changed) = (program.clone(), false);
        for (call, parameter) in program.literal_places() {
            let Some(element) = call.checked_sub(first) else { continue };
            let is = &instance.calls[places[element]].arguments[parameter];
            let (Argument::Literal(was), Argument::Literal(is)) =
                (&program.calls[call].arguments[parameter], is)
            else {
                continue;
            };
            let term = &self.elements[element].arguments[parameter];
            // Literals that must be equal are replaced together.
            let together = match (term, term.variable()) {
                (Term::Exact(_), _) => continue,
                (_, Some(variable)) => places_of(self, variable, first),
                _ => vec![(call, parameter)],
            };
            let is_done = together.first() != Some(&(call, parameter)) || was.values() == is.values();
            if is_done || is_any(suite, program, &together) {
                continue;
            }
            let replaced = now.with_literal(&together, is);
            if learner.fails(&replaced) {
                now = replaced;
                continue;
            }
            // A class has no order.
            let has_order = !matches!(term, Term::Least(_) | Term::Class(..));
            let simpler = is.simplicity(was) == Ordering::Less && has_order;
            self.name(suite, program, &together, if simpler { Term::Least } else { Term::Exact });
            changed = true;
        }
        changed
    }
}
