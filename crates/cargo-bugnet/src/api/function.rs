//! Functions: what can be called, with its signature.

use super::bound::Generics;
use super::fact::Facts;
use super::kind::Kind;

/// A function of an API.
#[derive(Debug, Clone)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) generics: Generics,
    /// Names and types; that of the receiver is called `self`.
    pub(crate) inputs: Vec<(String, Kind)>,
    pub(crate) output: Kind,
    pub(crate) is_unsafe: bool,
    pub(crate) is_async: bool,
    pub(crate) facts: Facts,
}

impl Function {
    /// Returns true if it is called on a value.
    pub(crate) fn has_receiver(&self) -> bool {
        self.inputs.first().is_some_and(|(name, _)| name == "self")
    }

    /// Returns true if a harness may call it at all.
    pub(crate) fn is_callable(&self) -> bool {
        !self.is_unsafe && !self.is_async
    }
}
