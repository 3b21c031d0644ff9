//! Generalizing: from a minimal failing program to the pattern of its bug.
//!
//! Values become variables, equal ones the same. Then the order is relaxed as far as tests confirm: a
//! call is moved behind later ones, one by one, as long as the program still fails. Each order is tried
//! with the calls that were found to be free before in their first and in their last place, as in
//! section 2.3 of the paper. Whether a program fails in the same way is for the caller to say.
//!
//! **Invariant:** nothing is tried that the borrow checker would refuse.

use super::history::{Call as Seen, History};
use super::pattern::{Element, Literal, Pattern, STATE, Term, Value, literal_value};
use crate::choice::{Seed, Source, Tape};
use crate::list::{Listed, place_of};
use crate::program::{Argument, Call, Program, Role, Suite};
use std::cmp::Ordering;

/// How often another literal is drawn before it is taken for the only one.
const TRIES: u64 = 16;
/// Variables beyond this many are not told apart.
const MOST_VARIABLES: usize = 200;

/// Says whether a program fails in the way that is being generalized.
pub(crate) type Fails<'a> = &'a mut dyn FnMut(&Program) -> bool;

/// A program as the matcher sees it.
pub(crate) fn calls_of(suite: &Suite, program: &Program) -> History {
    let mut history = History::default();
    for call in &program.calls {
        let (mut arguments, mut choices) = (Vec::new(), Vec::new());
        for (parameter, argument) in call.arguments.iter().enumerate() {
            arguments.push(value_of(suite, call.operation, parameter, argument));
            choices.push(match argument {
                Argument::Literal(tape) => tape.values(),
                Argument::Earlier(_) => Vec::new(),
            });
        }
        history.push(&Seen { operation: call.operation, arguments: &arguments, choices: &choices });
    }
    history
}

/// What stands for an argument.
fn value_of(suite: &Suite, operation: usize, parameter: usize, argument: &Argument) -> Value {
    match argument {
        Argument::Earlier(0) if suite.is_machine() => STATE,
        Argument::Earlier(place) => *place as Value,
        Argument::Literal(tape) => {
            literal_value(suite.operations[operation].parameters[parameter].kind.name, &tape.values())
        }
    }
}

/// The first call of a program that is part of its pattern: what sets a machine up out of nothing is
/// part of every program.
pub(crate) fn first_call(suite: &Suite, program: &Program) -> usize {
    let bare = |call: &Call| {
        let operation = &suite.operations[call.operation];
        operation.role == Role::Setup && operation.parameters.is_empty()
    };
    usize::from(suite.is_machine() && program.calls.first().is_some_and(bare))
}

/// The pattern of a program, in its order; `None` if it has too many calls.
pub(crate) fn abstracted(suite: &Suite, program: &Program) -> Option<Pattern> {
    let first = first_call(suite, program);
    let mut values: Vec<Value> = Vec::new();
    let mut variable = |value: Value| {
        let known = place_of(&values, &value);
        known.or_else(|| {
            values.push(value);
            (values.len() <= MOST_VARIABLES).then(|| values.len() - 1)
        })
    };
    let mut elements = Vec::new();
    for (place, call) in program.calls.iter().enumerate().skip(first) {
        let mut arguments = Vec::new();
        for (parameter, argument) in call.arguments.iter().enumerate() {
            let value = value_of(suite, call.operation, parameter, argument);
            let variable = if value == STATE { None } else { variable(value) };
            arguments.push(variable.map_or(Term::Any, |variable| Term::Variable(variable as u8)));
        }
        let made = program.uses(place) && !(suite.is_machine() && place == 0);
        let result = if made { variable(place as Value).map(|variable| variable as u8) } else { None };
        elements.push(Element { operation: call.operation, arguments, result });
    }
    Pattern::sequence(elements)
}

/// The pattern of a program, its order relaxed as far as tests confirm, with the program in the order
/// of the pattern. `None` if it has too many calls.
pub(crate) fn parallelized(suite: &Suite, program: &Program, fails: Fails<'_>) -> Option<(Pattern, Program)> {
    let mut pattern = abstracted(suite, program)?;
    let mut program = program.clone();
    let first = first_call(suite, &program);
    // Values are made right before they are used, so that less stands between other calls.
    let late = behind_first(first, &makers_last(&pattern));
    if let Some(other) = program.permuted(&late).filter(|other| *other != program)
        && other.is_sound(suite)
        && fails(&other)
    {
        pattern = abstracted(suite, &other)?;
        program = other;
    }
    let mut blocks = vec![(0, pattern.elements.len())];
    // Elements that are free, with the last one that they may follow.
    let mut free: Vec<(usize, usize)> = Vec::new();
    while let Some((start, end)) = blocks.pop() {
        if end - start < 2 {
            continue;
        }
        let mut last = start;
        let moves = !pattern.is_maker(start);
        while moves && last + 1 < end && is_movable(suite, &program, first, &free, start, last + 1, fails) {
            last += 1;
        }
        if last > start {
            pattern.relax(start, last);
            free.push((start, last));
            blocks.push((last + 1, end));
            blocks.push((start + 1, last + 1));
        } else {
            blocks.push((start + 1, end));
        }
    }
    Some((pattern, program))
}

/// The elements with each that makes a value right before the first that uses it.
fn makers_last(pattern: &Pattern) -> Vec<usize> {
    let mut order = (0..pattern.elements.len()).listed();
    order.retain(|place| !pattern.is_maker(*place));
    for maker in (0..pattern.elements.len()).rev() {
        if !pattern.is_maker(maker) {
            continue;
        }
        let uses = |place: &usize| {
            pattern.elements[maker].result.is_some_and(|made| pattern.elements[*place].uses(made))
        };
        let place = order.iter().position(uses).unwrap_or(order.len());
        order.insert(place, maker);
    }
    order
}

/// Whether a program fails with an element moved behind another, the free ones standing first or last.
fn is_movable(
    suite: &Suite,
    program: &Program,
    first: usize,
    free: &[(usize, usize)],
    element: usize,
    behind: usize,
    fails: Fails<'_>,
) -> bool {
    let count = program.calls.len() - first;
    let mut late = (0..count).listed();
    let early = moved(late.clone(), element, behind);
    for (free, last) in free {
        late = moved(late, *free, *last);
    }
    let late = moved(late, element, behind);
    let mut fails_in = |order: &[usize]| {
        let order = behind_first(first, order);
        program.permuted(&order).is_some_and(|program| program.is_sound(suite) && fails(&program))
    };
    fails_in(&early) && (early == late || fails_in(&late))
}

/// An order of elements as one of calls: the first ones stay.
fn behind_first(first: usize, elements: &[usize]) -> Vec<usize> {
    let mut order = (0..first).listed();
    elements.iter().for_each(|element| order.push(element + first));
    order
}

/// An order with one element behind another.
fn moved(mut order: Vec<usize>, element: usize, behind: usize) -> Vec<usize> {
    order.retain(|other| *other != element);
    let place = place_of(&order, &behind).map_or(order.len(), |place| place + 1);
    order.insert(place, element);
    order
}

impl Program {
    /// The calls in another order; `None` if one would come before what it uses.
    fn permuted(&self, order: &[usize]) -> Option<Program> {
        let mut calls = Vec::new();
        for place in order {
            let mut call = self.calls[*place].clone();
            for argument in &mut call.arguments {
                if let Argument::Earlier(used) = argument {
                    let now = place_of(order, used)?;
                    if now >= calls.len() {
                        return None;
                    }
                    *used = now;
                }
            }
            calls.push(call);
        }
        Some(Program { features: self.features, calls })
    }

    fn with_literal(&self, places: &[(usize, usize)], literal: &Tape) -> Program {
        let mut changed = self.clone();
        for (call, parameter) in places {
            changed.calls[*call].arguments[*parameter] = Argument::Literal(literal.clone());
        }
        changed
    }
}

/// Generalizes each literal of a pattern only as far as tests confirm: equal ones may differ if the
/// program fails all the same, and one that can be no other is named.
pub(crate) fn varied(suite: &Suite, program: &Program, mut pattern: Pattern, fails: Fails<'_>) -> Pattern {
    let first = first_call(suite, program);
    let known = pattern.variables();
    let mut variables = known;
    for variable in 0..known {
        let places: Vec<(usize, usize)> = places_of(&pattern, variable, first);
        let Some((call, parameter)) = places.first().copied() else { continue };
        let Argument::Literal(now) = &program.calls[call].arguments[parameter] else { continue };
        let operation = program.calls[call].operation;
        let Some(other) = other_literal(suite, operation, parameter, now, None) else { continue };
        if !fails(&program.with_literal(&places, &other)) {
            let greater = (places.len() == 1)
                .then(|| other_literal(suite, operation, parameter, now, Some(Ordering::Greater)))
                .flatten();
            let known = literal(suite, operation, parameter, now);
            let term = match greater {
                Some(greater) if fails(&program.with_literal(&places, &greater)) => Term::Least(known),
                _ => Term::Exact(known),
            };
            places.iter().for_each(|(call, parameter)| {
                pattern.elements[call - first].arguments[*parameter] = term.clone();
            });
            continue;
        }
        for (call, parameter) in places.iter().skip(1) {
            if fails(&program.with_literal(&[(*call, *parameter)], &other)) {
                pattern.elements[call - first].arguments[*parameter] = Term::Variable(variables);
                variables += 1;
            }
        }
    }
    pattern
}

/// Where a variable stands, by call and parameter of the program.
fn places_of(pattern: &Pattern, variable: u8, first: usize) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    for (element, described) in pattern.elements.iter().enumerate() {
        for (parameter, term) in described.arguments.iter().enumerate() {
            if *term == Term::Variable(variable) {
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
    Literal { value: literal_value(kind, &tape.values()), tape: tape.clone(), text }
}

/// Another literal for a parameter than this one, if one comes up; it stands so to it in the order of
/// simplicity, if that is demanded.
fn other_literal(
    suite: &Suite,
    operation: usize,
    parameter: usize,
    now: &Tape,
    order: Option<Ordering>,
) -> Option<Tape> {
    (0..TRIES).find_map(|case| {
        let mut source = Source::recording(Seed::of_name("another literal"), case);
        suite.draw_literal(operation, parameter, &mut source);
        let drawn = source.into_tape();
        let differs = drawn.values() != now.values();
        (differs && order.is_none_or(|order| drawn.simplicity(now) == order)).then_some(drawn)
    })
}

impl Pattern {
    /// Takes back what an instance that passes refutes: the order, if it has another one than the
    /// program that the pattern came from, and those literals of the program that cannot be replaced by
    /// the ones of the instance. `false` if there is nothing to take back.
    pub(crate) fn specialize(
        &mut self,
        suite: &Suite,
        program: &Program,
        instance: &Program,
        places: &[usize],
        fails: Fails<'_>,
    ) -> bool {
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
            let together = match term {
                Term::Exact(_) => continue,
                Term::Variable(variable) => places_of(self, *variable, first),
                _ => vec![(call, parameter)],
            };
            if together.first() != Some(&(call, parameter)) || was.values() == is.values() {
                continue;
            }
            let replaced = now.with_literal(&together, is);
            if fails(&replaced) {
                now = replaced;
                continue;
            }
            let known = literal(suite, program.calls[call].operation, parameter, was);
            let simpler = is.simplicity(was) == Ordering::Less && !matches!(term, Term::Least(_));
            let term = if simpler { Term::Least(known) } else { Term::Exact(known) };
            for (call, parameter) in together {
                self.elements[call - first].arguments[parameter] = term.clone();
            }
            changed = true;
        }
        changed
    }
}
