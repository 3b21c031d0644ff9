//! Operators: the kinds of change that make a mutant of a program.
//!
//! **Invariant:** an operator says what is changed, not in which language.

pub(crate) use crate::arguments::Operators;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A kind of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Operator {
    /// A comparison that is off by one.
    Boundary,
    /// Another operator between the same operands.
    Swap,
    /// A comparison or condition that is always true, or always false.
    Constant,
    /// One side of `&&` or `||` alone.
    Side,
    /// Another literal.
    Literal,
    /// Another variable of the same type.
    Variable,
    /// A number in a variable that is off by one.
    VariableByOne,
    /// The result of a call that is off by one.
    CallByOne,
    /// The argument of a call in the place of its result.
    Argument,
    /// A method with a similar name, such as `max` for `min`.
    Method,
    /// No `!` or `-` before an operand.
    Unary,
    /// A condition with another condition beside it.
    Conjunct,
    /// A statement left out.
    Delete,
    /// An arm of a `match` that is never taken.
    Arm,
    /// A range that ends one earlier or later.
    Range,
    /// A `let` that begins with the default value of its type.
    Default,
    /// `break` for `continue`, and the other way round.
    Jump,
    /// `--` for `++`, before for after, or neither.
    Increment,
    /// The result of a calculation that is off by one.
    ResultByOne,
    /// Another statement of the same function in the place of one.
    Replace,
    /// A statement from elsewhere in the same function.
    Insert,
}

impl Operator {
    /// Returns the name that `--operators` and the reports use.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Operator::Boundary => "boundary",
            Operator::Swap => "operator",
            Operator::Constant => "constant",
            Operator::Side => "side",
            Operator::Literal => "literal",
            Operator::Variable => "variable",
            Operator::VariableByOne => "variable-by-one",
            Operator::CallByOne => "call-by-one",
            Operator::Argument => "argument",
            Operator::Method => "method",
            Operator::Unary => "unary",
            Operator::Conjunct => "conjunct",
            Operator::Delete => "delete",
            Operator::Arm => "arm",
            Operator::Range => "range",
            Operator::Default => "default",
            Operator::Jump => "jump",
            Operator::Increment => "increment",
            Operator::ResultByOne => "result-by-one",
            Operator::Replace => "replace",
            Operator::Insert => "insert",
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// The operators that a run uses.
impl Operators {
    /// Returns whether a run with these uses an operator.
    pub(crate) fn has(self, operator: Operator) -> bool {
        match self {
            Operators::Usual => operator != Operator::Insert,
            Operators::Paper => matches!(operator, Operator::Delete | Operator::Insert),
            Operators::All => true,
        }
    }
}
