//! Spelling: a text or bytes that were drawn in some clever way, written down letter by letter.
//!
//! The choices behind "the seventh text of the dictionary with its third word twice" are few, but nothing
//! simpler lies near them. Spelled out there are many, and the shrinker can take out each.

use bugnet::choice::{Choice, Kind, Source, Span, Tape};
use bugnet::engine::place_of;
use bugnet::program::{Argument, Program, Suite};
use std::cell::Cell;

/// Items of the longest value that is spelled out: a longer one repeats, and is already as short as it gets.
const LONGEST: usize = 300;
/// The manner of drawing texts and bytes in which all of them can be drawn, item by item.
const MANNER: u64 = 1;

thread_local! {
    static IS_SPELLING: Cell<bool> = const { Cell::new(false) };
}

/// A program with all its texts and bytes spelled out, if there are any.
pub(super) fn spelled(suite: &Suite, program: &Program) -> Option<Program> {
    let mut spelled = program.clone();
    for call in &mut spelled.calls {
        for (parameter, argument) in call.arguments.iter_mut().enumerate() {
            if let Argument::Literal(tape) = argument {
                let mut source = Source::replay(tape.clone());
                IS_SPELLING.set(true);
                suite.draw_literal(call.operation, parameter, &mut source);
                IS_SPELLING.set(false);
                *tape = source.into_tape();
            }
        }
    }
    (spelled != *program).then_some(spelled)
}

/// Draws a text; writes its letters down instead if it is to be spelled.
pub(super) fn text(source: &mut Source, draw: fn(&mut Source) -> String) -> String {
    written(source, draw, |text| text.chars().map(place_of).collect())
}

/// Draws bytes; writes them down one by one instead if they are to be spelled.
pub(super) fn bytes(source: &mut Source, draw: fn(&mut Source) -> Vec<u8>) -> Vec<u8> {
    written(source, draw, |bytes| bytes.iter().copied().map(u64::from).collect())
}

#[inline]
fn written<T>(source: &mut Source, draw: fn(&mut Source) -> T, items: fn(&T) -> Vec<u64>) -> T {
    if !IS_SPELLING.get() {
        return draw(source);
    }
    let mark = source.mark();
    let value = draw(source);
    let items = items(&value);
    if items.len() <= LONGEST {
        // Read once, the choices have their kinds.
        let mut read = Source::replay(sequence(&items));
        draw(&mut read);
        source.rewind(mark);
        source.graft(&read.into_tape());
    }
    value
}

/// The tape of a list, drawn item by item.
fn sequence(items: &[u64]) -> Tape {
    let numbers = [MANNER, items.len() as u64].into_iter().chain(items.iter().copied());
    let choices: Vec<Choice> =
        numbers.map(|value| Choice { kind: Kind::Unknown, value, limit: u64::MAX }).collect();
    let element = |place: usize| Span { label: "", start: place, end: place + 1 };
    let whole = Span { label: "", start: 1, end: choices.len() };
    let spans = [whole].into_iter().chain((2..choices.len()).map(element)).collect();
    Tape { choices, spans }
}

#[cfg(test)]
mod tests {
    use super::super::draw::{Draw, text as text_parameter, value};
    use super::*;
    use bugnet::choice::Seed;
    use bugnet::oracle::Verdict;
    use bugnet::program::{Call, Operation};

    #[test]
    fn whatever_was_drawn_is_spelled_to_the_same_value() {
        let operation = Operation::new("f", "f({0}, {1})", |_| Verdict::Pass)
            .parameter(text_parameter("text"))
            .parameter(value::<Vec<u8>>("bytes", "Vec<u8>"));
        let suite = Suite::new("f").operation(operation).build();
        let mut count = 0;
        for case in 0..2_000 {
            let literal = |parameter: usize| {
                let mut source = Source::recording(Seed(13), case);
                suite.draw_literal(0, parameter, &mut source);
                Argument::Literal(source.into_tape())
            };
            let arguments = vec![literal(0), literal(1)];
            let program = Program { calls: vec![Call { operation: 0, arguments }], features: 0 };
            let Some(spelled) = spelled(&suite, &program) else { continue };
            count += 1;
            for parameter in 0..2 {
                let shown = |program: &Program| match &program.calls[0].arguments[parameter] {
                    Argument::Literal(tape) => suite.show_literal(0, parameter, tape.clone()),
                    Argument::Earlier(_) => unreachable!("both are drawn"),
                };
                assert_eq!(shown(&spelled), shown(&program), "case {case}");
            }
        }
        assert!(count > 1_500, "{count} were spelled");
    }

    #[test]
    fn a_spelled_text_has_a_choice_for_each_letter() {
        // Three words in a row, of which each is a sign.
        let mut source = Source::replay("4(3(1.2)(1.3)(1.4))".parse().unwrap());
        IS_SPELLING.set(true);
        let text = String::draw(&mut source);
        IS_SPELLING.set(false);
        let expected: Vec<u64> = [MANNER, 3].into_iter().chain(text.chars().map(place_of)).collect();
        assert_eq!((text.as_str(), source.into_tape().values()), (":;-", expected));
    }
}
