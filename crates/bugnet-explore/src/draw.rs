//! Literals of a harness: what each type draws, and how the parameters of operations are written.
//!
//! **Invariant:** the simplest tape draws the simplest value, and what is drawn depends on the tape and the
//! dictionary only.

use super::describe::{Numbers, note};
use bugnet::choice::{Kind as ChoiceKind, Source};
use bugnet::engine::{ELEMENT, SEQUENCE};
use bugnet::generate::{Generate, Literal};
use bugnet::program::{Frame, Kind as Type, Mode, Parameter, Shown};
use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};
use std::hash::Hash;
use std::num::{NonZero, Wrapping};
use std::ops::{Bound, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// A type whose values a harness draws.
pub trait Draw: Literal + Sized + 'static {
    /// Draws a value.
    fn draw(source: &mut Source) -> Self;

    /// Draws a list.
    fn draw_list(source: &mut Source) -> Vec<Self> {
        let is_long = Cell::new(false);
        let length = |source: &mut Source| {
            let length = length(source);
            is_long.set(length >= FEW);
            length
        };
        parts(source, length, |source| super::text::plainly(is_long.get(), || Self::draw(source)))
    }

    /// Draws an array.
    fn draw_array<const N: usize>(source: &mut Source) -> [Self; N] {
        std::array::from_fn(|_| Self::draw(source))
    }

    /// Tells the numbers in the value, for whoever describes a program that was given it.
    fn numbers(&self, _told: &mut Numbers) {}

    /// Tells the numbers in a list.
    fn numbers_of(list: &[Self], told: &mut Numbers) {
        list.iter().for_each(|item| item.numbers(told));
    }
}

/// Elements of the longest list.
const MOST_PARTS: u64 = 1 << 16;
/// The bound of most lengths, exclusive; a list of this length counts as long.
const FEW: u64 = 6;
/// The bound of the other lengths, exclusive: one length in eight is drawn below it.
const MANY: u64 = 80;

/// Draws the literal of the next parameter, in the body of an operation.
pub fn draw<T: Draw>(frame: &mut Frame<'_>) -> T {
    frame.literal(Some(T::draw)).expect("there is a generator")
}

fn shown<T: Draw>(source: &mut Source) -> Shown {
    let value = T::draw(source);
    note(&value);
    written(value.literal())
}

/// A literal as it is written in a program: many numbers that are all the same are counted.
fn written(text: String) -> Shown {
    let counted = || {
        let open = ["vec![", "&["].into_iter().find(|open| text.starts_with(open))?;
        let items = text.strip_prefix(open)?.strip_suffix("]")?;
        let first = items.split(", ").next()?;
        let is_plain = first.chars().all(|letter| letter.is_alphanumeric() || "._-".contains(letter));
        let count = items.split(", ").count();
        let is_worth_it = is_plain && count > 8 && items.split(", ").all(|item| item == first);
        is_worth_it.then(|| format!("{open}{first}; {count}]"))
    };
    Shown { text: counted().unwrap_or(text), source: true }
}

/// A literal by value.
pub fn value<T: Draw>(name: &'static str, kind: &'static str) -> Parameter {
    Parameter::drawn(name, Type::of::<T>(kind), Mode::Value, shown::<T>)
}

/// A literal by `&`.
pub fn borrowed<T: Draw>(name: &'static str, kind: &'static str) -> Parameter {
    Parameter::drawn(name, Type::of::<T>(kind), Mode::Shared, shown::<T>)
}

/// A literal by `&mut`; what the call makes of it is lost.
pub fn changed<T: Draw>(name: &'static str, kind: &'static str) -> Parameter {
    Parameter::drawn(name, Type::of::<T>(kind), Mode::Mutable, shown::<T>)
}

/// A `&str`; the body draws a `String`.
pub fn text(name: &'static str) -> Parameter {
    let shown = |source: &mut Source| written(String::draw(source).as_str().literal());
    Parameter::drawn(name, Type::of::<String>("str"), Mode::Value, shown)
}

/// A `&[T]`; the body draws a `Vec<T>`.
pub fn slice<T: Draw>(name: &'static str, kind: &'static str) -> Parameter {
    let shown = |source: &mut Source| {
        let list = Vec::<T>::draw(source);
        note(&list);
        written(list.as_slice().literal())
    };
    Parameter::drawn(name, Type::of::<Vec<T>>(kind), Mode::Value, shown)
}

macro_rules! as_generated {
    ($($type:ty $({ $numbers:item })?),* $(,)?) => {$(
        impl Draw for $type {
            fn draw(source: &mut Source) -> $type {
                <$type>::generate(source)
            }

            $($numbers)?
        }
    )*};
}

as_generated!(
    bool,
    (),
    Duration {
        fn numbers(&self, told: &mut Numbers) {
            self.as_secs().numbers(told);
            self.subsec_nanos().numbers(told);
        }
    },
    Ordering,
    RangeFull,
    std::net::IpAddr,
    std::net::Ipv4Addr,
    std::net::Ipv6Addr,
    std::net::SocketAddr,
    std::net::SocketAddrV4,
    std::net::SocketAddrV6,
    std::time::SystemTime {
        fn numbers(&self, told: &mut Numbers) {
            let since = self.duration_since(std::time::SystemTime::UNIX_EPOCH);
            since.unwrap_or_else(|before| before.duration()).numbers(told);
        }
    },
);

macro_rules! not_zero {
    ($($type:ident),*) => {$(
        impl Draw for NonZero<$type> {
            fn draw(source: &mut Source) -> NonZero<$type> {
                NonZero::<$type>::generate(source)
            }

            fn numbers(&self, told: &mut Numbers) {
                self.get().numbers(told);
            }
        }
    )*};
}

not_zero!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);

/// Draws the number of elements of a collection.
pub(super) fn length(source: &mut Source) -> u64 {
    let most = if source.random_below(8) == 7 { MANY } else { FEW };
    source.random_below(most)
}

/// Draws parts that the shrinker can take out, as many as a random number says.
pub(super) fn parts<T>(
    source: &mut Source,
    length: impl FnOnce(&mut Source) -> u64,
    mut draw: impl FnMut(&mut Source) -> T,
) -> Vec<T> {
    let node = source.enter(SEQUENCE);
    let count = source.decide(ChoiceKind::Length, MOST_PARTS, MOST_PARTS, 0, length);
    let mut parts = Vec::with_capacity(count as usize);
    for _ in 0..count {
        let element = source.enter(ELEMENT);
        parts.push(draw(source));
        source.leave(element);
    }
    source.leave(node);
    parts
}

macro_rules! collections {
    ($($type:ident [$($bound:ident),*]),* $(,)?) => {$(
        impl<T: Draw $(+ $bound)*> Draw for $type<T> {
            fn draw(source: &mut Source) -> $type<T> {
                T::draw_list(source).into_iter().collect()
            }

            fn numbers(&self, told: &mut Numbers) {
                self.iter().for_each(|item| item.numbers(told));
            }
        }
    )*};
}

collections!(VecDeque [], BinaryHeap [Ord], BTreeSet [Ord], HashSet [Hash, Eq]);

impl<T: Draw> Draw for Vec<T> {
    fn draw(source: &mut Source) -> Vec<T> {
        T::draw_list(source)
    }

    fn numbers(&self, told: &mut Numbers) {
        T::numbers_of(self, told);
    }
}

impl<K: Draw + Ord, V: Draw> Draw for BTreeMap<K, V> {
    fn draw(source: &mut Source) -> BTreeMap<K, V> {
        <(K, V)>::draw_list(source).into_iter().collect()
    }

    fn numbers(&self, told: &mut Numbers) {
        for (key, value) in self {
            key.numbers(told);
            value.numbers(told);
        }
    }
}

impl<K: Draw + Hash + Eq, V: Draw> Draw for HashMap<K, V> {
    fn draw(source: &mut Source) -> HashMap<K, V> {
        <(K, V)>::draw_list(source).into_iter().collect()
    }

    fn numbers(&self, told: &mut Numbers) {
        for (key, value) in self {
            key.numbers(told);
            value.numbers(told);
        }
    }
}

impl<T: Draw, const N: usize> Draw for [T; N] {
    fn draw(source: &mut Source) -> [T; N] {
        T::draw_array(source)
    }

    fn numbers(&self, told: &mut Numbers) {
        T::numbers_of(self, told);
    }
}

impl<T: Draw> Draw for Option<T> {
    fn draw(source: &mut Source) -> Option<T> {
        (source.index(4) > 0).then(|| T::draw(source))
    }

    fn numbers(&self, told: &mut Numbers) {
        self.iter().for_each(|value| value.numbers(told));
    }
}

impl<T: Draw, E: Draw> Draw for Result<T, E> {
    fn draw(source: &mut Source) -> Result<T, E> {
        if source.index(3) < 2 { Ok(T::draw(source)) } else { Err(E::draw(source)) }
    }

    fn numbers(&self, told: &mut Numbers) {
        match self {
            Ok(value) => value.numbers(told),
            Err(error) => error.numbers(told),
        }
    }
}

macro_rules! wrappers {
    ($($type:ident => $new:expr, $held:expr);* $(;)?) => {$(
        impl<T: Draw> Draw for $type<T> {
            fn draw(source: &mut Source) -> $type<T> {
                $new(T::draw(source))
            }

            fn numbers(&self, told: &mut Numbers) {
                let held: fn(&$type<T>) -> &T = $held;
                held(self).numbers(told);
            }
        }
    )*};
}

wrappers!(
    Box => Box::new, |value| value;
    Rc => Rc::new, |value| value;
    Arc => Arc::new, |value| value;
    Wrapping => Wrapping, |value| &value.0;
    RangeFrom => |start| start.., |range| &range.start;
    RangeTo => |end| ..end, |range| &range.end;
    RangeToInclusive => |end| ..=end, |range| &range.end;
);

impl<T: Draw> Draw for Range<T> {
    fn draw(source: &mut Source) -> Range<T> {
        T::draw(source)..T::draw(source)
    }

    fn numbers(&self, told: &mut Numbers) {
        self.start.numbers(told);
        self.end.numbers(told);
    }
}

impl<T: Draw> Draw for RangeInclusive<T> {
    fn draw(source: &mut Source) -> RangeInclusive<T> {
        T::draw(source)..=T::draw(source)
    }

    fn numbers(&self, told: &mut Numbers) {
        self.start().numbers(told);
        self.end().numbers(told);
    }
}

impl<T: Draw> Draw for Bound<T> {
    fn draw(source: &mut Source) -> Bound<T> {
        match source.index(3) {
            0 => Bound::Unbounded,
            1 => Bound::Included(T::draw(source)),
            _ => Bound::Excluded(T::draw(source)),
        }
    }

    fn numbers(&self, told: &mut Numbers) {
        if let Bound::Included(value) | Bound::Excluded(value) = self {
            value.numbers(told);
        }
    }
}

macro_rules! tuples {
    ($(($($name:ident),*)),*) => {$(
        impl<$($name: Draw),*> Draw for ($($name,)*) {
            fn draw(source: &mut Source) -> ($($name,)*) {
                ($($name::draw(source),)*)
            }

            #[expect(non_snake_case, reason = "one macro names types and values")]
            fn numbers(&self, told: &mut Numbers) {
                let ($($name,)*) = self;
                $($name.numbers(told);)*
            }
        }
    )*};
}

tuples!((A), (A, B), (A, B, C), (A, B, C, D), (A, B, C, D, E), (A, B, C, D, E, F));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_equal_numbers_are_counted_and_all_else_is_written_out() {
        for (text, expected) in [
            ("vec![0, 0, 0, 0, 0, 0, 0, 0, 0]", "vec![0; 9]"),
            ("&[false, false, false, false, false, false, false, false, false]", "&[false; 9]"),
            ("vec![0, 0, 0, 0, 0, 0, 0, 0]", "vec![0, 0, 0, 0, 0, 0, 0, 0]"),
            ("vec![0, 0, 0, 0, 1, 0, 0, 0, 0]", "vec![0, 0, 0, 0, 1, 0, 0, 0, 0]"),
            ("\"vec![0, 0, 0, 0, 0, 0, 0, 0, 0]\"", "\"vec![0, 0, 0, 0, 0, 0, 0, 0, 0]\""),
            ("vec![]", "vec![]"),
        ] {
            assert_eq!(written(text.to_string()).text, expected);
        }
    }

    #[test]
    fn the_simplest_tape_draws_the_simplest_value() {
        let mut source = Source::replay(bugnet::choice::Tape::default());
        assert_eq!((i32::draw(&mut source), String::draw(&mut source)), (0, String::new()));
        assert_eq!(Vec::<u8>::draw(&mut source), []);
    }
}
