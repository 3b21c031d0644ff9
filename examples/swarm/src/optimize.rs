//! Makes programs simpler before they run. Four bugs are planted here.

use crate::{Expression, Statement, computed};

/// The registers of the imagined machine.
const REGISTERS: usize = 12;

/// Returns a simpler program that is to print the same.
pub fn optimized(program: &[Statement]) -> Vec<Statement> {
    allocate(program, &mut 0);
    program.iter().map(statement).collect()
}

/// Gives every `let` a register. A loop writes them all to memory, so that they are free again.
///
/// **Planted:** a long program without loops runs out of registers. Loops suppress this failure, and whatever takes the
/// place of `let` makes it rare.
fn allocate(statements: &[Statement], used: &mut usize) {
    for statement in statements {
        match statement {
            Statement::Let(..) => {
                *used += 1;
                assert!(*used <= REGISTERS, "no register is left");
            }
            Statement::Loop(_, body) => {
                *used = 0;
                allocate(body, used);
                *used = 0;
            }
            Statement::If(_, body) => allocate(body, used),
            Statement::Print(_) => {}
        }
    }
}

fn statement(statement: &Statement) -> Statement {
    match statement {
        Statement::Let(name, value) => Statement::Let(name.clone(), simpler(value)),
        Statement::Print(value) => Statement::Print(simpler(value)),
        Statement::Loop(times, body) => Statement::Loop(*times, body.iter().map(self::statement).collect()),
        Statement::If(condition, body) => {
            Statement::If(simpler(condition), body.iter().map(self::statement).collect())
        }
    }
}

fn simpler(expression: &Expression) -> Expression {
    match expression {
        Expression::Negate(inner) => negated(simpler(inner)),
        Expression::Binary(operator, left, right) => binary(*operator, simpler(left), simpler(right)),
        other => other.clone(),
    }
}

/// **Planted:** two signs in a row before a name are not expected.
fn negated(inner: Expression) -> Expression {
    match inner {
        Expression::Number(number) => Expression::Number(number.wrapping_neg()),
        Expression::Negate(inner) => match *inner {
            Expression::Name(name) => panic!("two signs before {name}"),
            other => other,
        },
        other => Expression::Negate(Box::new(other)),
    }
}

fn binary(operator: char, left: Expression, right: Expression) -> Expression {
    match (operator, &left, &right) {
        // **Planted:** not every shift is small.
        ('<', Expression::Number(number), Expression::Number(by)) => {
            let by = u32::try_from(*by).unwrap_or(0);
            Expression::Number(number.checked_shl(by).expect("a shift is less than 64"))
        }
        (_, Expression::Number(one), Expression::Number(other)) => {
            Expression::Number(computed(operator, *one, *other))
        }
        // **Planted:** zero divided by zero is zero, as the language has it.
        ('/', Expression::Name(one), Expression::Name(other)) if one == other => Expression::Number(1),
        _ => Expression::Binary(operator, Box::new(left), Box::new(right)),
    }
}
