//! Candidates: operations that a harness may have, each with variants of which the compiler takes one.

use super::call::Form;
use super::expression::{Expression, Leaf};
use super::outcome::Outcome;
use crate::api::{Facts, Kind};
use serde::{Deserialize, Serialize};

/// Where an operation comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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
}

/// One way to write an operation.
#[derive(Debug, Clone)]
pub(crate) struct Variant {
    pub(crate) template: String,
    pub(crate) call: String,
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) outcome: Outcome,
}

impl Variant {
    /// A call with its arguments and what becomes of its result.
    pub(crate) fn new(form: &Form, arguments: &[Expression], outcome: Outcome) -> Variant {
        let (template, call) = form.written(arguments);
        let leaves = arguments.iter().flat_map(Expression::leaves).cloned().collect();
        Variant { template: outcome.template(&template), call, leaves, outcome }
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
    /// Whether the user wrote an operator or an index.
    pub(crate) is_operator: bool,
    /// If it is a law: what it is there for.
    pub(crate) promise: Option<Promise>,
}

/// Why a law should hold, and how sure it is that what breaks it is a bug.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Promise {
    /// One sentence without a capital letter and a full stop.
    pub(crate) reason: String,
    /// In percent.
    pub(crate) sureness: u8,
}
