//! Generators: what turns choices into values.
//!
//! [`Generate`] is for types that have one obvious generator; it is derived, or implemented here
//! for the standard library. [`Generator`] is for values: ranges, combinators and closures.
//!
//! **Invariant:** choices that are all zero give the simplest value, and every generator ends.

#[cfg(feature = "arbitrary")]
mod arbitrary;
mod character;
mod collection;
mod combinator;
mod float;
mod integer;
mod literal;
#[cfg(feature = "proptest")]
mod proptest;
mod range;
#[cfg(feature = "regex")]
mod regex;
mod shape;
mod standard;
mod text;

#[cfg(feature = "arbitrary")]
pub use self::arbitrary::{FromArbitrary, arbitrary};
#[cfg(feature = "proptest")]
pub use self::proptest::{FromStrategy, from_strategy};
#[cfg(feature = "regex")]
pub use self::regex::{Regex, regex};
pub(crate) use collection::{ELEMENT, SEQUENCE};
pub use combinator::{
    Any, BoxedGenerator, Combine, Filter, FlatMap, FromFn, Just, Map, OneOf, Recursive, SelectFrom, StringOf,
    Unique, VecOf, Weighted, Within, any, from_fn, just, one_of, recursive, select, string_of, unique,
    vec_of, weighted, within,
};
pub use literal::{Literal, debug_literal};
pub use range::Ranged;
pub(crate) use shape::{Alternative, Law};
pub use shape::{Graph, Shape, TypeId};

use crate::choice::Source;

/// A type whose values can be generated.
///
/// Derive it for your own types; every field type must have it too, or a generator of its own
/// given by `#[generate(with = …)]`.
///
/// ```
/// use bugnet::prelude::*;
///
/// #[derive(Debug, Clone, PartialEq, Generate)]
/// enum Exp {
///     Con(i64),
///     Add(Box<Exp>, Box<Exp>),
/// }
///
/// let simplest: Exp = Source::replay(Tape::default()).any();
/// assert_eq!(simplest, Exp::Con(0));
/// ```
#[diagnostic::on_unimplemented(
    message = "Bugnet does not know how to generate a value of type `{Self}`",
    label = "no generator for this type",
    note = "derive it: `#[derive(Generate)]` on `{Self}`",
    note = "or give a generator where it is used: `#[with(…)]` before a parameter, `#[generate(with = …)]` before a field"
)]
pub trait Generate: Sized {
    /// Makes a value out of choices.
    fn generate(source: &mut Source) -> Self;

    /// Makes several values; types with a faster way than one by one say so here.
    #[doc(hidden)]
    #[inline]
    fn generate_many(source: &mut Source, count: usize) -> Vec<Self> {
        collection::one_by_one(source, count)
    }

    /// What the type is made of, so that recursion is known to end.
    #[doc(hidden)]
    fn shape(graph: &mut Graph) -> TypeId {
        graph.leaf()
    }
}

/// Something that makes values: a range, a combinator, a closure in [`from_fn`].
///
/// ```
/// use bugnet::prelude::*;
///
/// let even = within(0..50u32).map(|half| half * 2);
/// let lists = vec_of(even).len(1..=3);
/// check(lists, |list| assert!(list.iter().all(|number| number % 2 == 0))).unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a generator",
    label = "not a generator",
    note = "a generator is a range such as `0..10`, `any::<T>()`, a combinator such as `vec_of(…)`, or `from_fn(|source| …)`"
)]
pub trait Generator {
    /// The type of the values made.
    type Value;

    /// Makes a value out of choices.
    fn generate(&self, source: &mut Source) -> Self::Value;

    /// Makes several values; a generator with a faster way than one by one says so here.
    #[doc(hidden)]
    #[inline]
    fn generate_many(&self, source: &mut Source, count: usize) -> Vec<Self::Value> {
        collection::elements(source, count, |source| self.generate(source))
    }
}

impl<G: Generator + ?Sized> Generator for &G {
    type Value = G::Value;

    #[inline]
    fn generate(&self, source: &mut Source) -> G::Value {
        (**self).generate(source)
    }
}
