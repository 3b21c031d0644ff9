//! Candidates: operations that a harness may have, each with variants of which the compiler takes one.

use super::call::Form;
use super::expression::{Expression, Leaf};
use super::outcome::Outcome;
use crate::api::{Facts, Kind};

/// The origin of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    /// A free function, by its place in the API.
    Free(usize),
    /// A function of an impl block, by the places of both; of the trait it may be, see the block.
    Block { block: usize, function: usize },
    /// A function that a trait provides for a block.
    Provided { block: usize, function: usize },
    /// Something that is no function: a constant, a variant, a field, a copy.
    Value,
    /// A law that follows from names and types.
    Law,
    /// A law that somebody has stated.
    Stated,
}

/// One way to write an operation.
#[derive(Debug, Clone)]
pub(crate) struct Variant {
    pub(crate) template: String,
    pub(crate) call: String,
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) outcome: Outcome,
    /// True if it is given a closure that is not deterministic.
    pub(crate) is_fickle: bool,
}

impl Variant {
    /// A call with its arguments and what becomes of its result.
    pub(crate) fn new(form: &Form, arguments: &[Expression], outcome: Outcome) -> Variant {
        let (template, call) = form.written(arguments);
        let leaves = arguments.iter().flat_map(Expression::leaves).cloned().collect();
        let is_fickle = arguments.iter().any(|argument| argument.is_fickle);
        Variant { template: outcome.template(&template), call, leaves, outcome, is_fickle }
    }

    /// Returns true if it is given a range without an end.
    pub(crate) fn is_endless(&self) -> bool {
        let is_endless = |kind: &Kind| kind.is("std::ops::RangeFrom") || kind.is("std::ops::RangeFull");
        self.leaves.iter().any(|leaf| leaf.kind.any(&mut |part| is_endless(part)))
    }

    /// The kinds of values that pass from call to call.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = &Kind> {
        let taken = self.leaves.iter().filter(|leaf| !leaf.pass.is_literal()).map(|leaf| &leaf.kind);
        taken.chain(self.made())
    }

    /// The kind of its result, if that is kept.
    pub(crate) fn made(&self) -> Option<&Kind> {
        match &self.outcome {
            Outcome::Kept { kind, .. } => Some(kind),
            _ => None,
        }
    }
}

/// An operation that a harness may have.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    /// Its name, which no other has.
    pub(crate) name: String,
    pub(crate) origin: Origin,
    pub(crate) variants: Vec<Variant>,
    pub(crate) facts: Facts,
}

impl Candidate {
    /// Returns true if it calls a function of a trait.
    pub(crate) fn is_of_trait(&self) -> bool {
        self.name.starts_with('<')
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::expression::Pass;

    #[test]
    fn a_range_without_an_end_is_told_from_one_with_an_end() {
        let is_endless = |range: &str| {
            let range = Kind::generic(range, [Kind::named("usize")]);
            let form = Form::Function { body: "f".to_string(), template: "f".to_string() };
            let bounds = Kind::Tuple(vec![Kind::named("u8"), range]);
            let argument = Expression::leaf("bounds", &bounds, Pass::Value);
            Variant::new(&form, &[argument], Outcome::Judged).is_endless()
        };
        assert!(is_endless("std::ops::RangeFrom") && is_endless("std::ops::RangeFull"));
        assert!(!is_endless("std::ops::Range") && !is_endless("std::ops::RangeTo"));
    }
}
