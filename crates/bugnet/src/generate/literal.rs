//! Literals: values printed as Rust expressions that compile.
//!
//! **Invariant:** where the type of the expression is known, as it is for an argument or a `let`
//! with a type, the text evaluates to the value; what differs in no order prints in no other.

use super::repetition;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::ffi::{CString, OsString};
use std::fmt::Debug;
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::{NonZero, Saturating, Wrapping};
use std::ops::{Bound, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Mutex, RwLock};
use std::time::{Duration, SystemTime};

/// A value that can be printed as Rust source. `#[derive(Generate)]` provides it.
///
/// ```
/// use bugnet::prelude::*;
///
/// assert_eq!(vec![Some(1), None].literal(), "vec![Some(1), None]");
/// assert_eq!(i32::MIN.literal(), "i32::MIN");
/// assert_eq!("say \"hi\"".to_string().literal(), r#""say \"hi\"".to_string()"#);
/// ```
pub trait Literal {
    /// The value as a Rust expression.
    fn literal(&self) -> String;

    /// A list of such values as bytes, if that is what they are.
    #[doc(hidden)]
    fn bytes_of(_: &[Self]) -> Option<&[u8]>
    where
        Self: Sized,
    {
        None
    }
}

/// The last resort for a value that is not a [`Literal`].
#[doc(hidden)]
pub fn debug_literal(value: &dyn Debug) -> String {
    format!("{value:?}")
}

fn list<'a, T: Literal + 'a>(values: impl IntoIterator<Item = &'a T>) -> String {
    values.into_iter().map(Literal::literal).collect::<Vec<_>>().join(", ")
}

/// A list whose order means nothing, in an order that is always the same.
fn sorted(parts: impl Iterator<Item = String>) -> String {
    let mut sorted: Vec<String> = Vec::new();
    for part in parts {
        sorted.insert(sorted.partition_point(|before| *before <= part), part);
    }
    sorted.join(", ")
}

macro_rules! integers {
    ($($type:ident $({ $bytes:item })?),*) => {$(
        impl Literal for $type {
            #[inline]
            fn literal(&self) -> String {
                match *self {
                    $type::MAX => concat!(stringify!($type), "::MAX").to_string(),
                    $type::MIN if $type::MIN != 0 => concat!(stringify!($type), "::MIN").to_string(),
                    value => value.to_string(),
                }
            }

            $($bytes)?
        }

        impl Literal for NonZero<$type> {
            #[inline]
            fn literal(&self) -> String {
                non_zero(self.get().literal())
            }
        }
    )*};
}

fn non_zero(number: String) -> String {
    format!("std::num::NonZero::new({number}).unwrap()")
}

integers!(u8 { fn bytes_of(list: &[u8]) -> Option<&[u8]> { Some(list) } }, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);

macro_rules! floats {
    ($($type:ident),*) => {$(
        impl Literal for $type {
            #[inline]
            fn literal(&self) -> String {
                let name = match *self {
                    $type::INFINITY => "INFINITY",
                    $type::NEG_INFINITY => "NEG_INFINITY",
                    $type::MAX => "MAX",
                    $type::MIN => "MIN",
                    value if value.is_nan() => "NAN",
                    value => return format!("{value:?}"),
                };
                [stringify!($type), "::", name].concat()
            }
        }
    )*};
}

floats!(f32, f64);

macro_rules! debug_is_source {
    ($($type:ty),*) => {$(
        impl Literal for $type {
            #[inline]
            fn literal(&self) -> String {
                format!("{self:?}")
            }
        }
    )*};
}

debug_is_source!(bool, char, (), RangeFull);

impl Literal for str {
    #[inline]
    fn literal(&self) -> String {
        repetition::text(self).map_or_else(|| format!("{self:?}"), |text| format!("{text}.as_str()"))
    }
}

impl Literal for String {
    #[inline]
    fn literal(&self) -> String {
        repetition::text(self).unwrap_or_else(|| format!("{self:?}.to_string()"))
    }
}

macro_rules! made_from_text {
    ($($type:ty: $path:literal),*) => {$(
        impl Literal for $type {
            #[inline]
            fn literal(&self) -> String {
                format!(concat!($path, "::from({:?})"), &**self)
            }
        }
    )*};
}

made_from_text!(Box<str>: "Box::<str>", Rc<str>: "std::rc::Rc::<str>", Arc<str>: "std::sync::Arc::<str>");

impl Literal for PathBuf {
    #[inline]
    fn literal(&self) -> String {
        format!("std::path::PathBuf::from({self:?})")
    }
}

impl Literal for OsString {
    #[inline]
    fn literal(&self) -> String {
        format!("std::ffi::OsString::from({self:?})")
    }
}

impl Literal for CString {
    #[inline]
    fn literal(&self) -> String {
        format!("std::ffi::CString::new(b\"{}\").unwrap()", self.as_bytes().escape_ascii())
    }
}

impl<T: Literal + ?Sized> Literal for &T {
    fn literal(&self) -> String {
        (**self).literal()
    }
}

impl<T: Literal> Literal for Option<T> {
    fn literal(&self) -> String {
        match self {
            Some(value) => format!("Some({})", value.literal()),
            None => "None".to_string(),
        }
    }
}

impl<T: Literal, E: Literal> Literal for Result<T, E> {
    fn literal(&self) -> String {
        match self {
            Ok(value) => format!("Ok({})", value.literal()),
            Err(error) => format!("Err({})", error.literal()),
        }
    }
}

impl<T: Literal> Literal for [T] {
    fn literal(&self) -> String {
        let Some(bytes) = T::bytes_of(self) else { return format!("&[{}]", list(self)) };
        match repetition::bytes(bytes) {
            Some(bytes) => format!("{bytes}.as_slice()"),
            None => as_text(bytes).unwrap_or_else(|| format!("&[{}]", list(self))),
        }
    }
}

/// The fewest bytes that are taken for a text if they can be read as one; fewer are mostly numbers.
const TEXT: usize = 4;

fn as_text(bytes: &[u8]) -> Option<String> {
    repetition::written(bytes).filter(|_| bytes.len() >= TEXT)
}

impl<T: Literal, const N: usize> Literal for [T; N] {
    fn literal(&self) -> String {
        format!("[{}]", list(self))
    }
}

impl<T: Literal> Literal for Vec<T> {
    fn literal(&self) -> String {
        let Some(bytes) = T::bytes_of(self) else { return format!("vec![{}]", list(self)) };
        let text = || Some(as_text(bytes)? + ".to_vec()");
        repetition::bytes(bytes).or_else(text).unwrap_or_else(|| format!("vec![{}]", list(self)))
    }
}

impl<T: Literal> Literal for Box<[T]> {
    fn literal(&self) -> String {
        format!("vec![{}].into()", list(self))
    }
}

impl<T: Literal> Literal for VecDeque<T> {
    fn literal(&self) -> String {
        format!("std::collections::VecDeque::from([{}])", list(self))
    }
}

impl<T: Literal> Literal for LinkedList<T> {
    fn literal(&self) -> String {
        format!("std::collections::LinkedList::from([{}])", list(self))
    }
}

impl<T: Literal> Literal for BinaryHeap<T> {
    fn literal(&self) -> String {
        format!("std::collections::BinaryHeap::from([{}])", sorted(self.iter().map(Literal::literal)))
    }
}

impl<T: Literal> Literal for BTreeSet<T> {
    fn literal(&self) -> String {
        format!("std::collections::BTreeSet::from([{}])", list(self))
    }
}

impl<T: Literal, S> Literal for HashSet<T, S> {
    fn literal(&self) -> String {
        format!("[{}].into_iter().collect()", sorted(self.iter().map(Literal::literal)))
    }
}

fn pair<K: Literal, V: Literal>((key, value): (&K, &V)) -> String {
    format!("({}, {})", key.literal(), value.literal())
}

impl<K: Literal, V: Literal> Literal for BTreeMap<K, V> {
    fn literal(&self) -> String {
        let pairs: Vec<String> = self.iter().map(pair).collect();
        format!("std::collections::BTreeMap::from([{}])", pairs.join(", "))
    }
}

impl<K: Literal, V: Literal, S> Literal for HashMap<K, V, S> {
    fn literal(&self) -> String {
        format!("[{}].into_iter().collect()", sorted(self.iter().map(pair)))
    }
}

macro_rules! wrappers {
    ($($wrapper:ident: $path:literal),*) => {$(
        impl<T: Literal> Literal for $wrapper<T> {
            fn literal(&self) -> String {
                format!(concat!($path, "::new({})"), (**self).literal())
            }
        }
    )*};
}

wrappers!(Box: "Box", Rc: "std::rc::Rc", Arc: "std::sync::Arc");

impl<T: Literal + Copy> Literal for Cell<T> {
    fn literal(&self) -> String {
        format!("std::cell::Cell::new({})", self.get().literal())
    }
}

impl<T: Literal> Literal for RefCell<T> {
    fn literal(&self) -> String {
        format!("std::cell::RefCell::new({})", self.borrow().literal())
    }
}

impl<T: Literal> Literal for Mutex<T> {
    fn literal(&self) -> String {
        let value = self.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        format!("std::sync::Mutex::new({})", value.literal())
    }
}

impl<T: Literal> Literal for RwLock<T> {
    fn literal(&self) -> String {
        let value = self.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        format!("std::sync::RwLock::new({})", value.literal())
    }
}

macro_rules! one_field {
    ($($wrapper:ident: $path:literal),*) => {$(
        impl<T: Literal> Literal for $wrapper<T> {
            fn literal(&self) -> String {
                format!(concat!($path, "({})"), self.0.literal())
            }
        }
    )*};
}

one_field!(
    Reverse: "std::cmp::Reverse",
    Wrapping: "std::num::Wrapping",
    Saturating: "std::num::Saturating"
);

impl<B: ToOwned + ?Sized> Literal for Cow<'_, B>
where
    B::Owned: Literal,
{
    fn literal(&self) -> String {
        let owned = match self {
            Cow::Borrowed(value) => (*value).to_owned().literal(),
            Cow::Owned(value) => value.literal(),
        };
        format!("std::borrow::Cow::Owned({owned})")
    }
}

impl<T> Literal for PhantomData<T> {
    fn literal(&self) -> String {
        "std::marker::PhantomData".to_string()
    }
}

impl Literal for Ordering {
    #[inline]
    fn literal(&self) -> String {
        format!("std::cmp::Ordering::{self:?}")
    }
}

impl<T: Literal> Literal for Bound<T> {
    fn literal(&self) -> String {
        match self {
            Bound::Included(value) => format!("std::ops::Bound::Included({})", value.literal()),
            Bound::Excluded(value) => format!("std::ops::Bound::Excluded({})", value.literal()),
            Bound::Unbounded => "std::ops::Bound::Unbounded".to_string(),
        }
    }
}

impl<T: Literal> Literal for Range<T> {
    fn literal(&self) -> String {
        format!("{}..{}", self.start.literal(), self.end.literal())
    }
}

impl<T: Literal> Literal for RangeInclusive<T> {
    fn literal(&self) -> String {
        format!("{}..={}", self.start().literal(), self.end().literal())
    }
}

impl<T: Literal> Literal for RangeFrom<T> {
    fn literal(&self) -> String {
        format!("{}..", self.start.literal())
    }
}

impl<T: Literal> Literal for RangeTo<T> {
    fn literal(&self) -> String {
        format!("..{}", self.end.literal())
    }
}

impl<T: Literal> Literal for RangeToInclusive<T> {
    fn literal(&self) -> String {
        format!("..={}", self.end.literal())
    }
}

impl Literal for Duration {
    #[inline]
    fn literal(&self) -> String {
        format!("std::time::Duration::new({}, {})", self.as_secs().literal(), self.subsec_nanos())
    }
}

impl Literal for SystemTime {
    #[inline]
    fn literal(&self) -> String {
        match self.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(after) => format!("std::time::SystemTime::UNIX_EPOCH + {}", after.literal()),
            Err(before) => {
                format!("std::time::SystemTime::UNIX_EPOCH - {}", before.duration().literal())
            }
        }
    }
}

macro_rules! parsed {
    ($($type:ident),*) => {$(
        impl Literal for $type {
            #[inline]
            fn literal(&self) -> String {
                format!(concat!("\"{}\".parse::<std::net::", stringify!($type), ">().unwrap()"), self)
            }
        }
    )*};
}

parsed!(IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6);

macro_rules! tuples {
    ($($name:ident)*) => {
        impl<$($name: Literal),*> Literal for ($($name,)*) {
            #[expect(non_snake_case, reason = "one macro names types and values")]
            fn literal(&self) -> String {
                let ($($name,)*) = self;
                tuple(&[$($name.literal()),*])
            }
        }
    };
}

fn tuple(parts: &[String]) -> String {
    match parts {
        [only] => format!("({only},)"),
        _ => format!("({})", parts.join(", ")),
    }
}

tuples!(A);
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);
tuples!(A B C D E F G);
tuples!(A B C D E F G H);
tuples!(A B C D E F G H I);
tuples!(A B C D E F G H I J);
tuples!(A B C D E F G H I J K);
tuples!(A B C D E F G H I J K L);
