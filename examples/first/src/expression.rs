//! Arithmetic expressions of one variable, and a simplifier for them.
//!
//! **Invariant:** a simplified expression is worth the same as before.

/// An expression of the variable `x`.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(test, derive(bugnet::Generate))]
pub enum Expression {
    Number(i32),
    X,
    Add(Box<Expression>, Box<Expression>),
    Subtract(Box<Expression>, Box<Expression>),
    Multiply(Box<Expression>, Box<Expression>),
}

use Expression::{Add, Multiply, Number, Subtract, X};

impl Expression {
    /// What the expression is worth. Numbers that grow too large wrap around.
    pub fn value(&self, x: i32) -> i32 {
        match self {
            Number(number) => *number,
            X => x,
            Add(left, right) => left.value(x).wrapping_add(right.value(x)),
            Subtract(left, right) => left.value(x).wrapping_sub(right.value(x)),
            Multiply(left, right) => left.value(x).wrapping_mul(right.value(x)),
        }
    }

    /// How many operations, numbers and variables the expression has.
    pub fn size(&self) -> usize {
        match self {
            Number(_) | X => 1,
            Add(left, right) | Subtract(left, right) | Multiply(left, right) => {
                1 + left.size() + right.size()
            }
        }
    }

    /// The same with fewer operations: `0 + e` is `e`, `1 * e` is `e`, `0 * e` is `0`.
    pub fn simplify(self) -> Expression {
        match self {
            Add(left, right) => match (left.simplify(), right.simplify()) {
                (Number(0), other) | (other, Number(0)) => other,
                (left, right) => Add(Box::new(left), Box::new(right)),
            },
            Subtract(left, right) => match (left.simplify(), right.simplify()) {
                (left, right) if left == right => Number(0),
                (Number(0), other) | (other, Number(0)) => other,
                (left, right) => Subtract(Box::new(left), Box::new(right)),
            },
            Multiply(left, right) => match (left.simplify(), right.simplify()) {
                (Number(0), _) | (_, Number(0)) => Number(0),
                (Number(1), other) | (other, Number(1)) => other,
                (left, right) => Multiply(Box::new(left), Box::new(right)),
            },
            atom => atom,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bugnet::prelude::*;

    #[property]
    fn simplifying_keeps_the_value(expression: Expression, x: i32) {
        assert_eq!(expression.clone().simplify().value(x), expression.value(x));
    }

    #[property]
    fn simplifying_never_makes_it_longer(expression: Expression) {
        let before = expression.size();
        let after = expression.simplify().size();
        classify!(after < before, "became shorter");
        assert!(after <= before, "{before} became {after}");
    }
}
