//! Sequences of values from a generator, of lengths that can be bounded.
//!
//! **Invariant:** the length comes first and is one choice, and lies within its bounds.

use super::Generator;
use super::collection::{SEQUENCE, distinct};
use super::combinator::combinators;
use super::text::characters;
use crate::choice::Source;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::{Bound, RangeBounds};

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

    /// Draws a length, and shares the size among that number of elements.
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
    /// Limits strings to lengths in this range, in characters.
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

combinators!(VecOf<G>, StringOf<G>, Unique<G>);
