//! Describing: a program as data, with what its drawers know of the literals.
//!
//! **Invariant:** describing calls nothing, and drawers tell nothing unless a program is being described.

use super::deep_literal;
use super::draw::Draw;
use super::law::HELPERS;
use bugnet::choice::{Source, Tape};
use bugnet::oracle::Signature;
use bugnet::program::{Programs, Suite};
use bugnet::wire::{Argument, Call, Literal, Number, Program};
use std::cell::RefCell;

thread_local! {
    /// The numbers of the literal that is being described.
    static TOLD: RefCell<Option<Numbers>> = const { RefCell::new(None) };
}

/// The numbers in a value, each once.
#[derive(Debug, Default)]
pub struct Numbers(Vec<Number>);

impl Numbers {
    /// Adds a whole number; `is_limit` if its type has none beyond it.
    pub fn whole(&mut self, magnitude: u128, is_limit: bool) {
        self.add(Number::Whole { magnitude, is_limit });
    }

    /// Adds a number with a fraction, unless it is none.
    pub fn fraction(&mut self, number: f64) {
        if !number.is_nan() {
            self.add(Number::Fraction(number));
        }
    }

    fn add(&mut self, number: Number) {
        if self.0.len() < MOST && !self.0.contains(&number) {
            self.0.push(number);
        }
    }
}

/// The most different numbers of a value that are told; no rule looks at more.
const MOST: usize = 1 << 10;

/// Notes the numbers of a value that is being shown.
pub(super) fn note(value: &impl Draw) {
    TOLD.with_borrow_mut(|told| {
        if let Some(numbers) = told {
            value.numbers(numbers);
        }
    });
}

/// Describes a program, with what comes after it if that has failed; `None` if the tape is no program.
pub(super) fn described(programs: &Programs, tape: &Tape, failed: Option<&Signature>) -> Option<Program> {
    let mut program = programs.described(tape, failed)?;
    program.calls.iter_mut().for_each(|call| describe_literals(programs.suite(), call));
    let is_called = |name: &str| program.calls.iter().any(|call| call.expression.contains(name));
    let helpers = HELPERS.iter().filter(|(name, _)| is_called(name)).map(|(_, text)| text.to_string());
    program.helpers = helpers.collect();
    Some(program)
}

/// Has the literals of a call drawn again, to learn what they are made of.
fn describe_literals(suite: &Suite, call: &mut Call) {
    let Some(operation) = suite.operations.iter().position(|operation| operation.name == call.operation)
    else {
        return;
    };
    for (parameter, argument) in call.arguments.iter_mut().enumerate() {
        if let Argument::Literal(literal) = argument {
            describe_literal(suite, (operation, parameter), literal);
        }
    }
}

fn describe_literal(suite: &Suite, (operation, parameter): (usize, usize), literal: &mut Literal) {
    deep_literal::forget();
    TOLD.set(Some(Numbers::default()));
    suite.draw_literal(operation, parameter, &mut Source::replay(literal.tape.clone()));
    literal.numbers = TOLD.take().unwrap_or_default().0;
    literal.deep = deep_literal::is_deep();
}

#[cfg(test)]
mod tests {
    use super::super::draw::{slice, text, value};
    use super::*;
    use bugnet::choice::Seed;
    use bugnet::oracle::Verdict;
    use bugnet::program::{self, Operation};
    use std::collections::BTreeMap;
    use std::ops::Range;
    use std::time::Duration;

    fn numbers_of(value: &impl Draw) -> Vec<Number> {
        let mut numbers = Numbers::default();
        value.numbers(&mut numbers);
        numbers.0
    }

    fn whole(magnitude: u128) -> Number {
        Number::Whole { magnitude, is_limit: false }
    }

    #[test]
    fn numbers_are_told_wherever_they_are_in_a_value_and_those_in_texts_are_not() {
        let value = (Some(-3i8), vec![7usize, 7, 9], BTreeMap::from([(2u16, "55".to_string())]));
        assert_eq!(numbers_of(&value), [whole(3), whole(7), whole(9), whole(2)]);
        assert_eq!(numbers_of(&(3..5u64)), [whole(3), whole(5)]);
        assert_eq!(numbers_of(&Duration::new(4, 0)), [whole(4), whole(0)]);
        assert_eq!(numbers_of(&[0.5, f64::NAN, -2.0]), [Number::Fraction(0.5), Number::Fraction(-2.0)]);
        assert_eq!(numbers_of(&"7".to_string()), []);
    }

    #[test]
    fn the_last_numbers_of_a_type_are_limits() {
        let limit = |magnitude| Number::Whole { magnitude, is_limit: true };
        assert_eq!(numbers_of(&u8::MAX), [limit(255)]);
        assert_eq!(numbers_of(&(i8::MIN, i8::MAX)), [limit(128), limit(127)]);
        // The lowest of those without a sign is what every number is made of.
        assert_eq!(numbers_of(&0u8), [whole(0)]);
    }

    #[test]
    fn a_literal_of_a_described_program_has_the_numbers_that_it_is_written_with() {
        let operation = Operation::new("f", "f({0}, {1}, {2})", |_| Verdict::Pass)
            .parameter(value::<Range<u32>>("range", "Range<u32>"))
            .parameter(slice::<i64>("list", "Vec<i64>"))
            .parameter(text("text"));
        let programs = Programs::new(Suite::new("f").operation(operation).build());
        let mut count = 0;
        for case in 0..300 {
            let literal = |parameter: usize| {
                let mut source = Source::recording(Seed(3), case);
                programs.suite().draw_literal(0, parameter, &mut source);
                program::Argument::Literal(source.into_tape())
            };
            let calls = vec![program::Call { operation: 0, arguments: [0, 1, 2].map(literal).to_vec() }];
            let tape = program::Program { calls, features: 0 }.tape(programs.suite());
            let described = described(&programs, &tape, None).unwrap();
            let literals: Vec<&Literal> = described.literals().collect();
            for literal in &literals[..2] {
                count += literal.numbers.len();
                assert!(
                    literal.numbers.iter().all(|number| is_written(number, &literal.text)),
                    "{literal:?}"
                );
            }
            assert!(literals[2].numbers.is_empty(), "{:?}", literals[2]);
        }
        assert!(count > 600, "{count} numbers");
        assert!(TOLD.take().is_none());
    }

    fn is_written(number: &Number, text: &str) -> bool {
        match number {
            Number::Whole { is_limit: true, .. } => text.contains("::M"),
            Number::Whole { magnitude, .. } => text.contains(&magnitude.to_string()),
            Number::Fraction(_) => false,
        }
    }
}
