//! Combinators: generators made of other generators.
//!
//! **Invariant:** a combinator adds the choices that its name promises and no others, so what is
//! made by it shrinks as if written by hand.

use super::collection::{ELEMENT, SEQUENCE, distinct};
use super::text::characters;
use super::{Generate, Generator};
use crate::choice::Source;
use std::collections::BTreeSet;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Bound, RangeBounds};
use std::rc::Rc;

/// How often a filter draws again before the case is discarded.
const FILTER_TRIES: u32 = 100;

/// Methods that make generators out of generators.
///
/// Ranges do not have them, because a range is an iterator too and `(0..9).map(…)` should go on
/// meaning what it means; [`within`] makes a range a generator and nothing else.
///
/// ```
/// use bugnet::prelude::*;
///
/// let even = within(0..50u32).map(|half| half * 2);
/// check(even, |number| assert_eq!(number % 2, 0)).unwrap();
/// ```
pub trait Combine: Generator {
    /// Applies a function to every value.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// let odd = within(0..50u32).map(|half| half * 2 + 1);
    /// check(odd, |number| assert_eq!(number % 2, 1)).unwrap();
    /// ```
    fn map<T, F: Fn(Self::Value) -> T>(self, change: F) -> Map<Self, F>
    where
        Self: Sized,
    {
        Map { inner: self, change }
    }

    /// Keeps the values that fulfil a condition. A value that does not is drawn again, up to a
    /// hundred times; then the case is discarded.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// let not_seven = within(0..50u32).filter(|number| *number != 7);
    /// check(not_seven, |number| assert_ne!(number, 7)).unwrap();
    /// ```
    fn filter<F: Fn(&Self::Value) -> bool>(self, keep: F) -> Filter<Self, F>
    where
        Self: Sized,
    {
        Filter { inner: self, keep }
    }

    /// Draws from a second generator that depends on the first value.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// let list_of_length = within(1..5usize).then(|length| vec_of(any::<u8>()).len(length..=length));
    /// check(list_of_length, |list| assert!((1..5).contains(&list.len()))).unwrap();
    /// ```
    fn then<G: Generator, F: Fn(Self::Value) -> G>(self, next: F) -> FlatMap<Self, F>
    where
        Self: Sized,
    {
        FlatMap { inner: self, next }
    }

    /// Hides the type, so that generators of different types can stand in one list.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// let small_or_large = one_of([within(0..10u32).boxed(), just(1_000).boxed()]);
    /// check(small_or_large, |number| assert!(number < 10 || number == 1_000)).unwrap();
    /// ```
    fn boxed<'a>(self) -> BoxedGenerator<'a, Self::Value>
    where
        Self: Sized + 'a,
    {
        BoxedGenerator(std::rc::Rc::new(self))
    }
}

/// A generator, usually a range, with the methods of [`Combine`].
///
/// ```
/// use bugnet::prelude::*;
///
/// let percent = within(0..=100u8).map(|number| format!("{number}%"));
/// check(percent, |text| assert!(text.ends_with('%'))).unwrap();
/// ```
pub fn within<G: Generator>(generator: G) -> Within<G> {
    Within(generator)
}

/// Made by [`within`].
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::generate::Within;
///
/// let made: Within<_> = within(5..9u8);
/// assert_eq!(Source::replay(Tape::default()).draw(made), 5);
/// ```
pub struct Within<G>(G);

impl<G: Generator> Generator for Within<G> {
    type Value = G::Value;

    #[inline]
    fn generate(&self, source: &mut Source) -> G::Value {
        self.0.generate(source)
    }
}

/// The generator of a type: what `#[property]` uses for a parameter of that type.
///
/// ```
/// use bugnet::prelude::*;
///
/// check(any::<(u8, bool)>(), |(number, _)| assert!(number as u32 <= 255)).unwrap();
/// ```
pub fn any<T: Generate>() -> Any<T> {
    Any(PhantomData)
}

/// Made by [`any`].
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::generate::Any;
///
/// let made: Any<u8> = any();
/// assert_eq!(Source::replay(Tape::default()).draw(made), 0);
/// ```
pub struct Any<T>(PhantomData<fn() -> T>);

impl<T: Generate> Generator for Any<T> {
    type Value = T;

    #[inline]
    fn generate(&self, source: &mut Source) -> T {
        T::generate(source)
    }

    #[inline]
    fn generate_many(&self, source: &mut Source, count: usize) -> Vec<T> {
        T::generate_many(source, count)
    }
}

/// Always the same value.
///
/// ```
/// use bugnet::prelude::*;
///
/// check(just("a"), |text| assert_eq!(text, "a")).unwrap();
/// ```
pub fn just<T: Clone>(value: T) -> Just<T> {
    Just(value)
}

/// Made by [`just`].
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::generate::Just;
///
/// let made: Just<&str> = just("GET");
/// assert_eq!(Source::replay(Tape::default()).draw(made), "GET");
/// ```
pub struct Just<T>(T);

impl<T: Clone> Generator for Just<T> {
    type Value = T;

    fn generate(&self, _: &mut Source) -> T {
        self.0.clone()
    }
}

/// A generator from a closure that draws what it needs: later draws may depend on earlier ones.
///
/// ```
/// use bugnet::prelude::*;
///
/// let sorted_pair = from_fn(|source| {
///     let low = source.draw(0..100);
///     (low, source.draw(low..=100))
/// });
/// check(sorted_pair, |(low, high)| assert!(low <= high)).unwrap();
/// ```
pub fn from_fn<T, F: Fn(&mut Source) -> T>(draw: F) -> FromFn<F> {
    FromFn(draw)
}

/// Made by [`from_fn`].
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::generate::FromFn;
///
/// let made: FromFn<_> = from_fn(|source| source.draw(1..7u8) + source.draw(1..7u8));
/// assert_eq!(Source::replay(Tape::default()).draw(made), 2);
/// ```
pub struct FromFn<F>(F);

impl<T, F: Fn(&mut Source) -> T> Generator for FromFn<F> {
    type Value = T;

    #[inline]
    fn generate(&self, source: &mut Source) -> T {
        let node = source.enter("from_fn");
        let value = (self.0)(source);
        source.leave(node);
        value
    }
}

/// Made by [`Combine::map`].
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::generate::Map;
///
/// let made: Map<_, _> = within(0..9u8).map(|half| half * 2 + 1);
/// assert_eq!(Source::replay(Tape::default()).draw(made), 1);
/// ```
pub struct Map<G, F> {
    pub(super) inner: G,
    pub(super) change: F,
}

impl<G: Generator, T, F: Fn(G::Value) -> T> Generator for Map<G, F> {
    type Value = T;

    #[inline]
    fn generate(&self, source: &mut Source) -> T {
        (self.change)(self.inner.generate(source))
    }
}

/// Made by [`Combine::filter`].
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::generate::Filter;
///
/// let made: Filter<_, _> = any::<u8>().filter(|number| number % 2 == 0);
/// assert_eq!(Source::replay(Tape::default()).draw(made), 0);
/// ```
pub struct Filter<G, F> {
    pub(super) inner: G,
    pub(super) keep: F,
}

impl<G: Generator, F: Fn(&G::Value) -> bool> Generator for Filter<G, F> {
    type Value = G::Value;

    fn generate(&self, source: &mut Source) -> G::Value {
        // In exhaustive search the next case is another value anyway.
        let tries = if source.is_exhaustive() { 1 } else { FILTER_TRIES };
        for _ in 0..tries {
            let node = source.enter("filter");
            let value = self.inner.generate(source);
            source.leave(node);
            if (self.keep)(&value) {
                return value;
            }
        }
        source.discard()
    }
}

/// Made by [`Combine::then`].
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::generate::FlatMap;
///
/// let made: FlatMap<_, _> = within(2..9usize).then(|length| vec_of(any::<u8>()).len(length..=length));
/// assert_eq!(Source::replay(Tape::default()).draw(made), [0, 0]);
/// ```
pub struct FlatMap<G, F> {
    pub(super) inner: G,
    pub(super) next: F,
}

impl<G: Generator, H: Generator, F: Fn(G::Value) -> H> Generator for FlatMap<G, F> {
    type Value = H::Value;

    fn generate(&self, source: &mut Source) -> H::Value {
        let first = self.inner.generate(source);
        (self.next)(first).generate(source)
    }
}

/// A generator of which only the type of its values is known. Made by [`Combine::boxed`]; a copy
/// shares the generator.
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::generate::BoxedGenerator;
///
/// let either: [BoxedGenerator<'_, u32>; 2] = [within(3..9).boxed(), just(1_000).boxed()];
/// assert_eq!(Source::replay(Tape::default()).draw(&either[0]), 3);
/// ```
pub struct BoxedGenerator<'a, T>(pub(super) Rc<dyn Generator<Value = T> + 'a>);

impl<T> Clone for BoxedGenerator<'_, T> {
    fn clone(&self) -> Self {
        BoxedGenerator(Rc::clone(&self.0))
    }
}

impl<T> Generator for BoxedGenerator<'_, T> {
    type Value = T;

    fn generate(&self, source: &mut Source) -> T {
        self.0.generate(source)
    }
}

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

/// The lengths a collection may have.
#[derive(Debug, Clone, Copy)]
struct Lengths {
    least: usize,
    most: Option<usize>,
}

impl Lengths {
    const ANY: Lengths = Lengths { least: 0, most: None };

    fn new(range: impl RangeBounds<usize> + fmt::Debug) -> Lengths {
        let least = match range.start_bound() {
            Bound::Included(least) => *least,
            Bound::Excluded(below) => below + 1,
            Bound::Unbounded => 0,
        };
        let most = match range.end_bound() {
            Bound::Included(most) => Some(*most),
            Bound::Excluded(0) => None.or_else(|| empty_lengths(&range)),
            Bound::Excluded(above) => Some(above - 1),
            Bound::Unbounded => None,
        };
        if most.is_some_and(|most| most < least) {
            empty_lengths(&range)
        }
        Lengths { least, most }
    }

    /// A length, with the size shared among so many elements.
    #[inline]
    fn draw(self, source: &mut Source) -> usize {
        let count = match self {
            Lengths { least, most: Some(most) } if least == most => least,
            Lengths { least, most } => source.length(least, most),
        };
        source.share_size(count);
        count
    }
}

#[cold]
fn empty_lengths(range: &dyn fmt::Debug) -> ! {
    crate::oracle::usage_error(format!(
        "no length lies in {range:?}; write a range of lengths whose start lies below its end"
    ))
}

/// A vector of values from a generator.
///
/// ```
/// use bugnet::prelude::*;
///
/// let some = vec_of(0..10u8).len(1..=4);
/// check(some, |list| assert!((1..=4).contains(&list.len()))).unwrap();
/// ```
pub fn vec_of<G: Generator>(element: G) -> VecOf<G> {
    VecOf { element, lengths: Lengths::ANY }
}

/// Made by [`vec_of`].
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::generate::VecOf;
///
/// let made: VecOf<_> = vec_of(any::<bool>());
/// assert_eq!(Source::replay(Tape::default()).draw(made), [false; 0]);
/// ```
pub struct VecOf<G> {
    element: G,
    lengths: Lengths,
}

impl<G> VecOf<G> {
    /// Only vectors of these lengths.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// check(vec_of(any::<u8>()).len(2..5), |list| assert!((2..5).contains(&list.len()))).unwrap();
    /// ```
    pub fn len(self, lengths: impl RangeBounds<usize> + fmt::Debug) -> Self {
        VecOf { lengths: Lengths::new(lengths), ..self }
    }
}

impl<G: Generator> Generator for VecOf<G> {
    type Value = Vec<G::Value>;

    #[inline]
    fn generate(&self, source: &mut Source) -> Vec<G::Value> {
        let node = source.enter(SEQUENCE);
        let count = self.lengths.draw(source);
        let values = self.element.generate_many(source, count);
        source.leave(node);
        values
    }
}

/// A string of characters from a generator.
///
/// ```
/// use bugnet::prelude::*;
///
/// check(string_of('a'..='f').len(..4), |text| assert!(text.len() < 4)).unwrap();
/// ```
pub fn string_of<G: Generator<Value = char>>(character: G) -> StringOf<G> {
    StringOf { character, lengths: Lengths::ANY }
}

/// Made by [`string_of`].
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::generate::StringOf;
///
/// let made: StringOf<_> = string_of('a'..='z');
/// assert_eq!(Source::replay(Tape::default()).draw(made), "");
/// ```
pub struct StringOf<G> {
    character: G,
    lengths: Lengths,
}

impl<G> StringOf<G> {
    /// Only strings of so many characters.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// check(string_of('α'..='ω').len(3..=3), |text| assert_eq!(text.chars().count(), 3)).unwrap();
    /// ```
    pub fn len(self, lengths: impl RangeBounds<usize> + fmt::Debug) -> Self {
        StringOf { lengths: Lengths::new(lengths), ..self }
    }
}

impl<G: Generator<Value = char>> Generator for StringOf<G> {
    type Value = String;

    #[inline]
    fn generate(&self, source: &mut Source) -> String {
        let node = source.enter(SEQUENCE);
        let count = self.lengths.draw(source);
        let text = characters(source, count, |source| self.character.generate(source));
        source.leave(node);
        text
    }
}

/// A vector of distinct values. Where the generator cannot make enough distinct ones, the vector
/// stays shorter, and the case is discarded if it would be too short.
///
/// ```
/// use bugnet::prelude::*;
///
/// check(unique(0..4u8).len(..=4), |list| {
///     assert!(list.iter().all(|value| list.iter().filter(|other| *other == value).count() == 1));
/// })
/// .unwrap();
/// ```
pub fn unique<G: Generator>(element: G) -> Unique<G>
where
    G::Value: Ord + Clone,
{
    Unique { element, lengths: Lengths::ANY }
}

/// Made by [`unique`].
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::generate::Unique;
///
/// let made: Unique<_> = unique(0..4u8);
/// assert_eq!(Source::replay(Tape::default()).draw(made), [0; 0]);
/// ```
pub struct Unique<G> {
    element: G,
    lengths: Lengths,
}

impl<G> Unique<G> {
    /// Only vectors of these lengths.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// check(unique(0..9u8).len(2..), |list| assert!(list[0] != list[1])).unwrap();
    /// ```
    pub fn len(self, lengths: impl RangeBounds<usize> + fmt::Debug) -> Self {
        Unique { lengths: Lengths::new(lengths), ..self }
    }
}

impl<G: Generator> Generator for Unique<G>
where
    G::Value: Ord + Clone,
{
    type Value = Vec<G::Value>;

    fn generate(&self, source: &mut Source) -> Vec<G::Value> {
        let (mut known, mut values) = (BTreeSet::new(), Vec::new());
        let Lengths { least, most } = self.lengths;
        let draw = |source: &mut Source| (self.element.generate(source), ());
        distinct(source, least, most, draw, &mut |value: G::Value, ()| {
            let new = known.insert(value.clone());
            if new {
                values.push(value);
            }
            new
        });
        values
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

macro_rules! combinators {
    ($($name:ident<$($parameter:tt),*>),* $(,)?) => {$(
        impl<$($parameter),*> fmt::Debug for $name<$($parameter),*> {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(stringify!($name))
            }
        }

        impl<$($parameter),*> Combine for $name<$($parameter),*> where Self: Generator {}
    )*};
}

combinators!(
    Within<G>,
    Any<T>,
    Just<T>,
    FromFn<F>,
    Map<G, F>,
    Filter<G, F>,
    FlatMap<G, F>,
    BoxedGenerator<'a, T>,
    OneOf<G>,
    Weighted<G>,
    SelectFrom<T>,
    VecOf<G>,
    StringOf<G>,
    Unique<G>,
    Recursive<'a, T>,
);
