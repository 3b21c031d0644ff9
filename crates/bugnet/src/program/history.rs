//! Programs as patterns see them: calls with numbers for their values.
//!
//! **Invariant:** equal literals of one type have the same number, and so has the state of a machine.

use super::operation::Role;
use super::sequence::{Argument, Call, Program};
use super::suite::Suite;
use crate::pattern::{Call as Seen, History, Matcher, Measures, STATE, Value, Weighed, literal_value};

/// A program as the matcher sees it.
pub(crate) fn calls_of(suite: &Suite, program: &Program) -> History {
    let mut history = History::default();
    for call in &program.calls {
        let operation = call.operation;
        let (mut arguments, mut choices, mut classes) = (Vec::new(), Vec::new(), Vec::new());
        for (parameter, argument) in call.arguments.iter().enumerate() {
            arguments.push(value_of(suite, operation, parameter, argument));
            let (values, class) = match argument {
                Argument::Literal(tape) => {
                    (tape.values(), suite.class_of(operation, parameter, tape.clone()))
                }
                Argument::Earlier(_) => (Vec::new(), None),
            };
            choices.push(values);
            classes.push(class.map_or(0, |class| class.value));
        }
        history.push(&Seen { operation, arguments: &arguments, choices: &choices, classes: &classes });
    }
    history
}

/// The value that stands for an argument.
pub(crate) fn value_of(suite: &Suite, operation: usize, parameter: usize, argument: &Argument) -> Value {
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

/// Returns true if a matcher finds a pattern in a program.
pub(crate) fn finds(matcher: &mut Matcher, suite: &Suite, program: &Program) -> bool {
    let history = calls_of(suite, program);
    matcher.find((0..history.len()).map(|place| history.call(place))).is_some()
        || program.calls.iter().enumerate().any(|(place, call)| {
            let is_weighed = matcher.weighs(call.operation);
            let measures = if is_weighed { measures_of(suite, call) } else { Vec::new() };
            let arguments = history.arguments(place);
            let call = Weighed { operation: call.operation, arguments, measures: &measures };
            let is_reached = is_weighed && matcher.would_reach(&call).is_some();
            matcher.weigh(&call);
            is_reached
        })
}

/// The quantities of the arguments of a call.
pub(crate) fn measures_of(suite: &Suite, call: &Call) -> Vec<Measures> {
    let mut measures = Vec::with_capacity(call.arguments.len());
    for (parameter, argument) in call.arguments.iter().enumerate() {
        measures.push(match argument {
            Argument::Literal(tape) => {
                Measures::of(&suite.show_literal(call.operation, parameter, tape.clone()))
            }
            Argument::Earlier(_) => Measures::default(),
        });
    }
    measures
}
