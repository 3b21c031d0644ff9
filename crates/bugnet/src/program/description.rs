//! Descriptions: what a program calls and how it is written, for whoever has no suite to read its tape with.
//!
//! **Invariant:** lines are made of a description and of nothing else, and nothing of it has to be read from text.

use super::operation::Mode;
use crate::choice::Tape;

/// A program, call by call.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Program {
    /// The tape that replays it.
    pub tape: Tape,
    /// Its calls with the drops that the borrow checker demands, and the check that fails after them.
    pub calls: Vec<Call>,
    /// Items that its expressions use, as Rust.
    pub helpers: Vec<String>,
}

/// A call of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The name of its operation. A law is `law x of T`, which stays its name in tapes and patterns.
    pub operation: String,
    /// The purpose of its operation.
    pub role: Role,
    /// One for each parameter.
    pub arguments: Vec<Argument>,
    /// The variable that holds its result, if anything uses that.
    pub binding: Option<Binding>,
    /// The call as Rust.
    pub expression: String,
}

/// The purpose of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// Calls a function under test.
    Function,
    /// Calls a rule of a machine.
    Rule,
    /// Makes the state of a machine.
    Setup,
    /// Ends the state of a machine.
    Teardown,
    /// Judges a value.
    Check,
    /// Asks a law.
    Law {
        /// The name of the law.
        name: String,
        /// The type or function that it is of.
        of: String,
    },
    /// Asks a law that somebody has stated.
    Stated,
    /// Draws a literal and keeps it.
    Literal,
    /// Drops a value that has to be gone before the next call.
    Drop,
    /// Prints a value for nobody to see.
    Print,
}

/// An argument of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Argument {
    /// The result of an earlier call.
    Earlier {
        /// Its place among the calls of the description.
        call: u32,
        /// The way it is passed.
        mode: Mode,
    },
    /// A value that was drawn.
    Literal(Literal),
}

/// A value that was drawn.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Literal {
    /// The choices that it is made of.
    pub tape: Tape,
    /// The value as Rust.
    pub text: String,
    /// The numbers that were drawn for it; only drawers of a harness tell them.
    pub numbers: Vec<Number>,
    /// True if something repeats in it so often that a call may die of that; only drawers of a harness tell.
    pub deep: bool,
}

/// A number that was drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// A whole number.
    Whole {
        /// Its absolute value.
        magnitude: u128,
        /// True if it is the least or the greatest number of its type.
        is_limit: bool,
    },
    /// A number with a fraction; not a number is none.
    Fraction(f64),
}

/// A variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// Its name.
    pub name: String,
    /// True if it is declared as `mut`.
    pub is_mutable: bool,
}

impl Call {
    /// Returns the values that were drawn for it.
    pub fn literals(&self) -> impl Iterator<Item = &Literal> {
        self.arguments.iter().filter_map(|argument| match argument {
            Argument::Literal(literal) => Some(literal),
            Argument::Earlier { .. } => None,
        })
    }

    /// Returns the places of the calls whose results it is given.
    pub fn uses(&self) -> impl Iterator<Item = usize> {
        self.arguments.iter().filter_map(|argument| match argument {
            Argument::Earlier { call, .. } => Some(*call as usize),
            Argument::Literal(_) => None,
        })
    }

    /// Returns the call as a statement.
    pub fn statement(&self) -> String {
        let expression = &self.expression;
        match &self.binding {
            Some(Binding { name, is_mutable: true }) => format!("let mut {name} = {expression};"),
            Some(Binding { name, .. }) => format!("let {name} = {expression};"),
            None if self.role == Role::Print => format!("let _ = {expression};"),
            None => format!("{expression};"),
        }
    }
}

impl Role {
    /// Returns whether it is that of a call on the tape; the others are written between calls or after them.
    pub fn is_called(&self) -> bool {
        !matches!(self, Role::Drop | Role::Print | Role::Check | Role::Teardown)
    }
}

/// Calls in a row with equal statements that are written as a loop.
const LOOP: usize = 4;

impl Program {
    /// Returns the calls that are on the tape, in order.
    pub fn called(&self) -> impl DoubleEndedIterator<Item = &Call> {
        self.calls.iter().filter(|call| call.role.is_called())
    }

    /// Returns the literals of all calls.
    pub fn literals(&self) -> impl Iterator<Item = &Literal> {
        self.calls.iter().flat_map(Call::literals)
    }

    /// Returns whether something repeats in one of its literals so often that it may die of that.
    pub fn is_deep(&self) -> bool {
        for call in &self.calls {
            for argument in &call.arguments {
                if matches!(argument, Argument::Literal(literal) if literal.deep) {
                    return true;
                }
            }
        }
        false
    }

    /// Returns the program as statements, with loops for those that repeat.
    pub fn lines(&self) -> Vec<String> {
        let mut statements = Vec::new();
        for call in &self.calls {
            statements.push(call.statement());
        }
        without_repeats(&statements)
    }
}

/// Writes statements that repeat as loops.
fn without_repeats(lines: &[String]) -> Vec<String> {
    let (mut short, mut count) = (Vec::new(), 0);
    for (place, line) in lines.iter().enumerate() {
        count += 1;
        if lines.get(place + 1) == Some(line) {
            continue;
        }
        if count >= LOOP {
            short.push(format!("for _ in 0..{count} {{\n    {line}\n}}"));
        } else {
            (0..count).for_each(|_| short.push(line.clone()));
        }
        count = 0;
    }
    short
}

#[cfg(test)]
mod tests {
    use super::{Binding, Call, Program, Role};

    fn call(expression: &str, role: Role, binding: Option<(&str, bool)>) -> Call {
        let binding = binding.map(|(name, is_mutable)| Binding { name: name.to_string(), is_mutable });
        let expression = expression.to_string();
        Call { operation: String::new(), role, arguments: Vec::new(), binding, expression }
    }

    #[test]
    fn a_statement_binds_what_is_used_and_a_value_that_is_printed_is_bound_to_nothing() {
        let statement = |call: Call| call.statement();
        assert_eq!(statement(call("f()", Role::Function, None)), "f();");
        assert_eq!(statement(call("f()", Role::Function, Some(("a", false)))), "let a = f();");
        assert_eq!(statement(call("f()", Role::Function, Some(("a", true)))), "let mut a = f();");
        assert_eq!(statement(call("format!(\"{a:?}\")", Role::Print, None)), "let _ = format!(\"{a:?}\");");
    }

    #[test]
    fn four_equal_statements_are_a_loop_and_three_are_not() {
        let tick = call("tick()", Role::Rule, None);
        let lines = |count: usize| Program { calls: vec![tick.clone(); count], ..Program::default() }.lines();
        assert_eq!(lines(3), ["tick();"; 3]);
        assert_eq!(lines(4), ["for _ in 0..4 {\n    tick();\n}"]);
    }
}
