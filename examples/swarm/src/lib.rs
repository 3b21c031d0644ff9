//! A small language of whole numbers: `let`, `print`, `loop` and `if`.
//!
//! ```text
//! let a = (3 + 4)
//! loop 2 { print (a << 1) }
//! if (a - 7) { print -a }
//! ```

pub mod interpret;
pub mod optimize;
pub mod parse;

/// A statement of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    Let(String, Expression),
    Print(Expression),
    Loop(i64, Vec<Statement>),
    If(Expression, Vec<Statement>),
}

/// A number, or how to compute one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    Number(i64),
    Name(String),
    Negate(Box<Expression>),
    Binary(char, Box<Expression>, Box<Expression>),
}

/// Computes what an operator means. Nothing overflows: numbers wrap, shifts take six bits, and a division by zero
/// is zero.
pub fn computed(operator: char, left: i64, right: i64) -> i64 {
    match operator {
        '+' => left.wrapping_add(right),
        '-' => left.wrapping_sub(right),
        '*' => left.wrapping_mul(right),
        '/' => left.checked_div(right).unwrap_or(0),
        _ => left.wrapping_shl(right as u32),
    }
}
