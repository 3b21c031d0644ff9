//! Combinators: generators made of other generators.
//!
//! **Invariant:** a combinator adds the choices that its name promises and no others, so what is
//! made by it shrinks as if written by hand.

use super::{Generate, Generator};
use crate::choice::Source;
use std::marker::PhantomData;
use std::rc::Rc;

/// Draws of a filter before the case is discarded.
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

/// Generators that have the methods of [`Combine`], and are told by their names.
macro_rules! combinators {
    ($($name:ident<$($parameter:tt),*>),* $(,)?) => {$(
        impl<$($parameter),*> std::fmt::Debug for $name<$($parameter),*> {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str(stringify!($name))
            }
        }

        impl<$($parameter),*> $crate::generate::Combine for $name<$($parameter),*> where Self: $crate::generate::Generator {}
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
);

pub(super) use combinators;
