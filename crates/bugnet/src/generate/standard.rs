//! The other types of the standard library: wrappers, tuples, time, network addresses.
//!
//! **Invariant:** a wrapper adds no choice of its own, so that it shrinks like what it holds.

use super::range::Ranged;
use super::{Alternatives, Generate, Graph, KnownShape, TypeId};
use crate::choice::Source;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::{Ordering, Reverse};
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::ops::{Bound, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};
use std::rc::Rc;
use std::sync::{Arc, Mutex, RwLock};
use std::time::{Duration, SystemTime};

impl Generate for bool {
    #[inline]
    fn generate(source: &mut Source) -> bool {
        source.index(2) == 1
    }
}

impl Generate for () {
    #[inline]
    fn generate(_: &mut Source) {}
}

impl<T> Generate for PhantomData<T> {
    fn generate(_: &mut Source) -> PhantomData<T> {
        PhantomData
    }
}

impl Generate for Ordering {
    #[inline]
    fn generate(source: &mut Source) -> Ordering {
        [Ordering::Equal, Ordering::Less, Ordering::Greater][source.index(3)]
    }
}

impl<T: Generate> Generate for Option<T> {
    #[inline]
    fn generate(source: &mut Source) -> Option<T> {
        let node = source.enter("option");
        let value = if source.present() { Some(T::generate(source)) } else { None };
        source.leave(node);
        value
    }

    const REUSES: bool = T::REUSES;

    #[inline]
    fn regenerate(&mut self, source: &mut Source) {
        let node = source.enter("option");
        match self {
            _ if !source.present() => *self = None,
            Some(value) => value.regenerate(source),
            None => *self = Some(T::generate(source)),
        }
        source.leave(node);
    }

    fn shape(graph: &mut Graph) -> TypeId {
        graph.bundle::<Option<T>>(|graph| vec![vec![], vec![T::shape(graph)]])
    }
}

impl<T: Generate, E: Generate> Generate for Result<T, E> {
    fn generate(source: &mut Source) -> Result<T, E> {
        source.compose("result", KnownShape::cached::<Result<T, E>>(&[], &[]))
    }

    const REUSES: bool = T::REUSES || E::REUSES;

    fn regenerate(&mut self, source: &mut Source) {
        source.recompose(self, KnownShape::cached::<Result<T, E>>(&[], &[]));
    }

    fn shape(graph: &mut Graph) -> TypeId {
        graph.node::<Result<T, E>>(|graph| vec![vec![T::shape(graph)], vec![E::shape(graph)]])
    }
}

impl<T: Generate, E: Generate> Alternatives for Result<T, E> {
    fn build(source: &mut Source, alternative: usize) -> Result<T, E> {
        match alternative {
            0 => Ok(T::generate(source)),
            _ => Err(E::generate(source)),
        }
    }

    fn alternative(&self) -> usize {
        usize::from(self.is_err())
    }

    fn rebuild(&mut self, source: &mut Source) {
        match self {
            Ok(value) => value.regenerate(source),
            Err(error) => error.regenerate(source),
        }
    }
}

impl<T: Generate> Generate for Bound<T> {
    fn generate(source: &mut Source) -> Bound<T> {
        let node = source.enter("bound");
        let value = match source.index(3) {
            0 => Bound::Unbounded,
            1 => {
                source.descend();
                Bound::Included(T::generate(source))
            }
            _ => {
                source.descend();
                Bound::Excluded(T::generate(source))
            }
        };
        source.leave(node);
        value
    }
}

macro_rules! wrappers {
    ($($wrapper:ident),*) => {$(
        impl<T: Generate> Generate for $wrapper<T> {
            #[inline]
            fn generate(source: &mut Source) -> $wrapper<T> {
                $wrapper::new(T::generate(source))
            }

            fn shape(graph: &mut Graph) -> TypeId {
                T::shape(graph)
            }
        }
    )*};
}

impl<T: Generate> Generate for Box<T> {
    #[inline]
    fn generate(source: &mut Source) -> Box<T> {
        Box::new(T::generate(source))
    }

    const REUSES: bool = true;

    #[inline(always)]
    fn regenerate(&mut self, source: &mut Source) {
        (**self).regenerate(source);
    }

    fn shape(graph: &mut Graph) -> TypeId {
        T::shape(graph)
    }
}

wrappers!(Rc, Arc, Cell, RefCell, Mutex, RwLock);

impl<T: Generate> Generate for Reverse<T> {
    fn generate(source: &mut Source) -> Reverse<T> {
        Reverse(T::generate(source))
    }

    fn shape(graph: &mut Graph) -> TypeId {
        T::shape(graph)
    }
}

impl<'a, B: ToOwned + ?Sized> Generate for Cow<'a, B>
where
    B::Owned: Generate,
{
    fn generate(source: &mut Source) -> Cow<'a, B> {
        Cow::Owned(B::Owned::generate(source))
    }

    fn shape(graph: &mut Graph) -> TypeId {
        B::Owned::shape(graph)
    }
}

macro_rules! tuples {
    ($($name:ident)*) => {
        impl<$($name: Generate),*> Generate for ($($name,)*) {
            #[inline]
            fn generate(source: &mut Source) -> Self {
                let node = source.enter("tuple");
                source.descend();
                let value = ($($name::generate(source),)*);
                source.leave(node);
                value
            }

            const REUSES: bool = $($name::REUSES)||*;

            #[inline]
            #[expect(non_snake_case, reason = "one macro names types and values")]
            fn regenerate(&mut self, source: &mut Source) {
                let ($($name,)*) = self;
                let node = source.enter("tuple");
                source.descend();
                $($name.regenerate(source);)*
                source.leave(node);
            }

            fn shape(graph: &mut Graph) -> TypeId {
                graph.bundle::<Self>(|graph| vec![vec![$($name::shape(graph)),*]])
            }
        }

        impl<$($name: super::Generator),*> super::Generator for ($($name,)*) {
            type Value = ($($name::Value,)*);

            #[inline]
            #[expect(non_snake_case, reason = "one macro names types and values")]
            fn generate(&self, source: &mut Source) -> Self::Value {
                let ($($name,)*) = self;
                let node = source.enter("tuple");
                source.descend();
                let value = ($($name.generate(source),)*);
                source.leave(node);
                value
            }
        }
    };
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

impl<T: Generate> Generate for Range<T> {
    /// Any two bounds: empty and backward ranges are values too.
    fn generate(source: &mut Source) -> Range<T> {
        let (start, end) = source.any();
        start..end
    }
}

impl<T: Generate> Generate for RangeInclusive<T> {
    fn generate(source: &mut Source) -> RangeInclusive<T> {
        let (start, end) = source.any();
        start..=end
    }
}

impl<T: Generate> Generate for RangeFrom<T> {
    fn generate(source: &mut Source) -> RangeFrom<T> {
        source.any()..
    }
}

impl<T: Generate> Generate for RangeTo<T> {
    fn generate(source: &mut Source) -> RangeTo<T> {
        ..source.any()
    }
}

impl<T: Generate> Generate for RangeToInclusive<T> {
    fn generate(source: &mut Source) -> RangeToInclusive<T> {
        ..=source.any()
    }
}

impl Generate for RangeFull {
    #[inline]
    fn generate(_: &mut Source) -> RangeFull {
        ..
    }
}

impl Generate for Duration {
    #[inline]
    fn generate(source: &mut Source) -> Duration {
        let node = source.enter("duration");
        source.descend();
        let value = Duration::new(source.any(), u32::between(source, 0, 999_999_999));
        source.leave(node);
        value
    }
}

impl Generate for SystemTime {
    /// A time within four thousand years of 1970, which every platform can hold.
    #[inline]
    fn generate(source: &mut Source) -> SystemTime {
        let seconds = i64::between(source, -126_000_000_000, 126_000_000_000);
        let distance = Duration::from_secs(seconds.unsigned_abs());
        if seconds < 0 { SystemTime::UNIX_EPOCH - distance } else { SystemTime::UNIX_EPOCH + distance }
    }
}

impl Generate for Ipv4Addr {
    #[inline]
    fn generate(source: &mut Source) -> Ipv4Addr {
        Ipv4Addr::from(<[u8; 4]>::generate(source))
    }
}

impl Generate for Ipv6Addr {
    #[inline]
    fn generate(source: &mut Source) -> Ipv6Addr {
        Ipv6Addr::from(<[u16; 8]>::generate(source))
    }
}

impl Generate for IpAddr {
    #[inline]
    fn generate(source: &mut Source) -> IpAddr {
        match source.index(2) {
            0 => IpAddr::V4(source.any()),
            _ => IpAddr::V6(source.any()),
        }
    }
}

impl Generate for SocketAddrV4 {
    #[inline]
    fn generate(source: &mut Source) -> SocketAddrV4 {
        SocketAddrV4::new(source.any(), source.any())
    }
}

impl Generate for SocketAddrV6 {
    #[inline]
    fn generate(source: &mut Source) -> SocketAddrV6 {
        SocketAddrV6::new(source.any(), source.any(), source.any(), source.any())
    }
}

impl Generate for SocketAddr {
    #[inline]
    fn generate(source: &mut Source) -> SocketAddr {
        match source.index(2) {
            0 => SocketAddr::V4(source.any()),
            _ => SocketAddr::V6(source.any()),
        }
    }
}
