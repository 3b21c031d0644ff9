//! Blocks: what is implemented for a type; definitions: what a type is made of; and traits.

use super::bound::{Bound, Generics};
use super::function::Function;
use super::kind::Kind;

/// An impl block.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    pub(crate) generics: Generics,
    /// The type for which it is.
    pub(crate) subject: Kind,
    /// The trait that it implements.
    pub(crate) of: Option<Bound>,
    pub(crate) functions: Vec<Function>,
    /// Functions that the trait provides and the block leaves as they are; only for traits of the crate.
    pub(crate) provided: Vec<Function>,
    /// Associated types.
    pub(crate) types: Vec<(String, Kind)>,
    /// Associated constants.
    pub(crate) constants: Vec<(String, Kind)>,
}

/// Another name of a type.
#[derive(Debug, Clone)]
pub(crate) struct Alias {
    pub(crate) path: String,
    pub(crate) generics: Generics,
    pub(crate) kind: Kind,
}

/// A struct, enum or union.
#[derive(Debug, Clone)]
pub(crate) struct Definition {
    pub(crate) generics: Generics,
    /// The ways to make a value of it without a call.
    pub(crate) constructors: Vec<Constructor>,
    /// Public fields that can be read.
    pub(crate) fields: Vec<(String, Kind)>,
}

/// A struct with public fields only, or a variant of an enum.
#[derive(Debug, Clone)]
pub(crate) struct Constructor {
    /// The name of the variant; none for a struct.
    pub(crate) variant: Option<String>,
    /// Types, with names unless it is written like a call.
    pub(crate) fields: Vec<(Option<String>, Kind)>,
}

/// A trait of the crate.
#[derive(Debug, Clone, Default)]
pub(crate) struct Trait {
    pub(crate) generics: Generics,
    /// The bounds that an implementing type must satisfy.
    pub(crate) demands: Vec<Bound>,
    /// The types that it associates, with what it demands of them.
    pub(crate) types: Vec<(String, Vec<Bound>)>,
    /// Constants that those who implement it must have.
    pub(crate) constants: Vec<(String, Kind)>,
    /// Functions that those who implement it must have.
    pub(crate) required: Vec<Function>,
    /// Functions that it has by itself.
    pub(crate) provided: Vec<Function>,
    /// True if its documentation says what implementors must take care of.
    pub(crate) insists: bool,
    /// True if all of this can be named, so that a type of another crate can implement the trait.
    pub(crate) is_open: bool,
}
