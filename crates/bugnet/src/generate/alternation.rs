//! Alternations: generators that choose among generators or values.
//!
//! **Invariant:** the first alternative is the simplest, and what is chosen is one choice.

use super::Generator;
use super::collection::ELEMENT;
use super::combinator::{BoxedGenerator, Combine, combinators, within};
use crate::choice::Source;

/// One of several generators, each equally likely; the first is the simplest.
///
/// ```
/// use bugnet::prelude::*;
///
/// let digit_or_letter = one_of(['0'..='9', 'a'..='z']);
/// check(digit_or_letter, |character| assert!(character.is_ascii_alphanumeric())).unwrap();
/// ```
pub fn one_of<G: Generator>(alternatives: impl IntoIterator<Item = G>) -> OneOf<G> {
    let alternatives: Vec<G> = alternatives.into_iter().collect();
    if alternatives.is_empty() {
        crate::oracle::usage_error("`one_of` needs at least one generator to choose from");
    }
    OneOf(alternatives)
}

/// Made by [`one_of`].
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::generate::OneOf;
///
/// let made: OneOf<_> = one_of(['0'..='9', 'a'..='z']);
/// assert_eq!(Source::replay(Tape::default()).draw(made), '0');
/// ```
pub struct OneOf<G>(Vec<G>);

impl<G: Generator> Generator for OneOf<G> {
    type Value = G::Value;

    fn generate(&self, source: &mut Source) -> G::Value {
        let node = source.enter("one_of");
        let chosen = source.index(self.0.len());
        let value = self.0[chosen].generate(source);
        source.leave(node);
        value
    }
}

/// One of several generators by weight; the first is the simplest.
///
/// ```
/// use bugnet::prelude::*;
///
/// let mostly_zero = weighted([(9, just(0).boxed()), (1, any::<i32>().boxed())]);
/// check(mostly_zero, |number| collect!(number == 0)).unwrap();
/// ```
pub fn weighted<G: Generator>(alternatives: impl IntoIterator<Item = (u32, G)>) -> Weighted<G> {
    let (weights, alternatives): (Vec<u32>, Vec<G>) = alternatives.into_iter().unzip();
    if weights.iter().all(|weight| *weight == 0) {
        crate::oracle::usage_error("`weighted` needs at least one alternative with a weight above zero");
    }
    Weighted { weights, alternatives }
}

/// Made by [`weighted`].
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::generate::Weighted;
///
/// let made: Weighted<_> = weighted([(1, just("rare")), (9, just("frequent"))]);
/// assert_eq!(Source::replay(Tape::default()).draw(made), "rare");
/// ```
pub struct Weighted<G> {
    weights: Vec<u32>,
    alternatives: Vec<G>,
}

impl<G: Generator> Generator for Weighted<G> {
    type Value = G::Value;

    fn generate(&self, source: &mut Source) -> G::Value {
        let node = source.enter("weighted");
        let chosen = source.weighted_index(&self.weights);
        let value = self.alternatives[chosen].generate(source);
        source.leave(node);
        value
    }
}

/// One of several values; the first is the simplest.
///
/// ```
/// use bugnet::prelude::*;
///
/// check(select(["GET", "PUT"]), |verb| assert_eq!(verb.len(), 3)).unwrap();
/// ```
pub fn select<T: Clone>(values: impl IntoIterator<Item = T>) -> SelectFrom<T> {
    let values: Vec<T> = values.into_iter().collect();
    if values.is_empty() {
        crate::oracle::usage_error("`select` needs at least one value to choose from");
    }
    SelectFrom(values)
}

/// Made by [`select`].
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::generate::SelectFrom;
///
/// let made: SelectFrom<&str> = select(["GET", "PUT"]);
/// assert_eq!(Source::replay(Tape::default()).draw(made), "GET");
/// ```
pub struct SelectFrom<T>(Vec<T>);

impl<T: Clone> Generator for SelectFrom<T> {
    type Value = T;

    fn generate(&self, source: &mut Source) -> T {
        self.0[source.index(self.0.len())].clone()
    }
}

/// A generator that may contain itself: `leaf` makes the ends, `branch` wraps what it is given.
///
/// ```
/// use bugnet::prelude::*;
///
/// #[derive(Debug, Clone)]
/// enum Json {
///     Null,
///     List(Vec<Json>),
/// }
///
/// fn depth(json: &Json) -> usize {
///     match json {
///         Json::Null => 0,
///         Json::List(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
///     }
/// }
///
/// let json = recursive(3, just(Json::Null), |inner| vec_of(inner).map(Json::List));
/// check(json, |json| assert!(depth(&json) <= 3)).unwrap();
/// ```
pub fn recursive<'a, T, L, B>(
    depth: u32,
    leaf: L,
    branch: impl Fn(BoxedGenerator<'a, T>) -> B,
) -> Recursive<'a, T>
where
    T: 'a,
    L: Generator<Value = T> + 'a,
    B: Generator<Value = T> + 'a,
{
    let leaf = within(leaf).boxed();
    let mut level = leaf.clone();
    for _ in 0..depth {
        let deeper = within(branch(level.clone())).boxed();
        level = OneOf(vec![leaf.clone(), deeper]).boxed();
    }
    Recursive(level)
}

/// Made by [`recursive`].
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::generate::Recursive;
///
/// let made: Recursive<'_, u32> = recursive(3, just(1), |inner| within(inner).map(|below| below + 1));
/// assert_eq!(Source::replay(Tape::default()).draw(made), 1);
/// ```
pub struct Recursive<'a, T>(BoxedGenerator<'a, T>);

impl<T> Generator for Recursive<'_, T> {
    type Value = T;

    fn generate(&self, source: &mut Source) -> T {
        let node = source.enter(ELEMENT);
        let value = self.0.generate(source);
        source.leave(node);
        value
    }
}

combinators!(OneOf<G>, Weighted<G>, SelectFrom<T>, Recursive<'a, T>);
