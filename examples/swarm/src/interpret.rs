//! Runs programs as they are: the interpreter has no planted bug.

use crate::{Expression, Statement, computed};
use std::collections::BTreeMap;

/// Runs a program, and returns what it prints.
pub fn run(program: &[Statement]) -> String {
    let mut machine = Machine::default();
    machine.run(program);
    machine.printed
}

#[derive(Default)]
struct Machine {
    values: BTreeMap<String, i64>,
    printed: String,
}

impl Machine {
    fn run(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Let(name, expression) => {
                    let value = self.value(expression);
                    self.values.insert(name.clone(), value);
                }
                Statement::Print(expression) => {
                    let value = self.value(expression);
                    self.printed.push_str(&format!("{value}\n"));
                }
                Statement::Loop(times, body) => (0..*times).for_each(|_| self.run(body)),
                Statement::If(condition, body) => {
                    if self.value(condition) != 0 {
                        self.run(body);
                    }
                }
            }
        }
    }

    /// A name that has no value yet is zero.
    fn value(&self, expression: &Expression) -> i64 {
        match expression {
            Expression::Number(number) => *number,
            Expression::Name(name) => self.values.get(name).copied().unwrap_or(0),
            Expression::Negate(inner) => self.value(inner).wrapping_neg(),
            Expression::Binary(operator, left, right) => {
                computed(*operator, self.value(left), self.value(right))
            }
        }
    }
}
