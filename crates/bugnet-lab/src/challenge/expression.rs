//! The expressions of the `calculator` problem: integers, sums and quotients.
//!
//! Evaluation is total: a division by zero is the value `None`, never a panic, so that the
//! predicate stays a pure function and every peer sees the same verdict.

/// An expression of the calculator language.
#[derive(Clone, Debug, PartialEq, Eq, Hash, bugnet::Generate)]
pub enum Expression {
    Int(i32),
    Add(Box<Expression>, Box<Expression>),
    Div(Box<Expression>, Box<Expression>),
}

impl Expression {
    pub fn add(left: Expression, right: Expression) -> Self {
        Expression::Add(Box::new(left), Box::new(right))
    }

    pub fn div(left: Expression, right: Expression) -> Self {
        Expression::Div(Box::new(left), Box::new(right))
    }

    /// The value, or `None` if some division on the way is by zero. Arithmetic wraps: overflow
    /// is not the error that the problem is about.
    pub fn value(&self) -> Option<i32> {
        match self {
            Expression::Int(value) => Some(*value),
            Expression::Add(left, right) => Some(left.value()?.wrapping_add(right.value()?)),
            Expression::Div(left, right) => {
                let (left, right) = (left.value()?, right.value()?);
                (right != 0).then(|| left.wrapping_div(right))
            }
        }
    }

    /// Returns true if some subterm is a division by the literal 0: the one case that the property's author thought
    /// of and excluded.
    pub fn divides_by_literal_zero(&self) -> bool {
        match self {
            Expression::Int(_) => false,
            Expression::Add(left, right) => left.divides_by_literal_zero() || right.divides_by_literal_zero(),
            Expression::Div(left, right) => {
                **right == Expression::Int(0)
                    || left.divides_by_literal_zero()
                    || right.divides_by_literal_zero()
            }
        }
    }
}
