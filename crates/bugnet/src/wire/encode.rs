//! Encoding: values as bytes and back.
//!
//! Numbers have a fixed length with the least byte first; a text and a list begin with their length; a variant begins
//! with its number. Nothing says which type follows: both ends are of one version.
//!
//! **Invariant:** reading takes no more memory than a small multiple of the bytes that are there, and no deeper a
//! stack than the types have levels.

use crate::choice::Tape;
use crate::label::{Checks, Cover, Labels};
use crate::list::sort;
use crate::oracle::{Failure, Phase, Signature, Verdict};
use crate::random::Seed;
use std::collections::HashMap;
use std::time::Duration;

/// A value that crosses a process.
pub trait Encode: Sized {
    /// Adds the bytes of the value.
    fn write(&self, out: &mut Vec<u8>);

    /// Takes a value from the front of some bytes; `None` if none stands there.
    fn read(from: &mut &[u8]) -> Option<Self>;
}

/// Returns the bytes of a value.
pub fn encode(value: &impl Encode) -> Vec<u8> {
    let mut out = Vec::new();
    value.write(&mut out);
    out
}

/// Returns the value that some bytes are, with nothing behind it.
pub fn decode<T: Encode>(mut bytes: &[u8]) -> Option<T> {
    let value = T::read(&mut bytes)?;
    bytes.is_empty().then_some(value)
}

/// Takes some bytes from the front.
fn take<'a>(from: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = from.split_at_checked(count)?;
    *from = rest;
    Some(taken)
}

fn write_length(length: usize, out: &mut Vec<u8>) {
    // What is longer is cut off by the frame that it does not fit into.
    u32::try_from(length).unwrap_or(u32::MAX).write(out);
}

macro_rules! encode_number {
    ($($kind:ty),*) => { $(
        impl Encode for $kind {
            fn write(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            fn read(from: &mut &[u8]) -> Option<$kind> {
                Some(<$kind>::from_le_bytes(take(from, size_of::<$kind>())?.try_into().ok()?))
            }
        }
    )* };
}

encode_number!(u8, u32, u64, u128);

/// A number that is none stands for nothing that we tell.
impl Encode for f64 {
    fn write(&self, out: &mut Vec<u8>) {
        self.to_bits().write(out);
    }

    fn read(from: &mut &[u8]) -> Option<f64> {
        let number = f64::from_bits(u64::read(from)?);
        (!number.is_nan()).then_some(number)
    }
}

/// Encodes a structure, field by field. The functions are marked `#[inline]`, so that types which only the command and
/// its harnesses use are not compiled for everybody who tests with the library.
macro_rules! encode_struct {
    ($name:ident { $($field:ident),* $(,)? }) => {
        impl $crate::wire::Encode for $name {
            #[inline]
            fn write(&self, out: &mut Vec<u8>) {
                $( $crate::wire::Encode::write(&self.$field, out); )*
            }

            #[inline]
            fn read(from: &mut &[u8]) -> Option<$name> {
                Some($name { $( $field: $crate::wire::Encode::read(from)? ),* })
            }
        }

        #[cfg(test)]
        impl $crate::wire::tests::Drawn for $name {
            fn drawn(source: &mut $crate::choice::Source) -> $name {
                $name { $( $field: $crate::wire::tests::Drawn::drawn(source) ),* }
            }
        }
    };
}

/// Encodes an enum: each variant has a number, and fields or one value or nothing.
macro_rules! encode_enum {
    ($name:ident { $($tag:literal $variant:ident $({ $($field:ident),* })? $(($item:ident))? ;)* }) => {
        impl $crate::wire::Encode for $name {
            #[inline]
            fn write(&self, out: &mut Vec<u8>) {
                match self { $(
                    $name::$variant $({ $($field),* })? $(($item))? => {
                        out.push($tag);
                        $( $( $crate::wire::Encode::write($field, out); )* )?
                        $( $crate::wire::Encode::write($item, out); )?
                    }
                )* }
            }

            #[inline]
            fn read(from: &mut &[u8]) -> Option<$name> {
                Some(match <u8 as $crate::wire::Encode>::read(from)? {
                    $( $tag => $name::$variant
                        $({ $($field: $crate::wire::Encode::read(from)?),* })?
                        $(({ let $item = $crate::wire::Encode::read(from)?; $item }))?, )*
                    _ => return None,
                })
            }
        }

        #[cfg(test)]
        impl $crate::wire::tests::Drawn for $name {
            fn drawn(source: &mut $crate::choice::Source) -> $name {
                let tags = [$($tag as u8),*];
                match tags[source.any::<usize>() % tags.len()] {
                    $( $tag => $name::$variant
                        $({ $($field: $crate::wire::tests::Drawn::drawn(source)),* })?
                        $(({ let $item = $crate::wire::tests::Drawn::drawn(source); $item }))?, )*
                    _ => unreachable!("all numbers are listed"),
                }
            }
        }
    };
}

pub(super) use {encode_enum, encode_struct};

impl Encode for bool {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn read(from: &mut &[u8]) -> Option<bool> {
        match u8::read(from)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Encode for String {
    fn write(&self, out: &mut Vec<u8>) {
        write_length(self.len(), out);
        out.extend_from_slice(self.as_bytes());
    }

    fn read(from: &mut &[u8]) -> Option<String> {
        let length = u32::read(from)? as usize;
        std::str::from_utf8(take(from, length)?).ok().map(str::to_string)
    }
}

impl<T: Encode> Encode for Vec<T> {
    fn write(&self, out: &mut Vec<u8>) {
        write_length(self.len(), out);
        for item in self {
            item.write(out);
        }
    }

    fn read(from: &mut &[u8]) -> Option<Vec<T>> {
        let length = u32::read(from)? as usize;
        // Every item has a byte at least, so a length that is a lie is found out before anything is made for it.
        if length > from.len() {
            return None;
        }
        let mut list = Vec::new();
        for _ in 0..length {
            list.push(T::read(from)?);
        }
        Some(list)
    }
}

impl<T: Encode> Encode for Option<T> {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(u8::from(self.is_some()));
        if let Some(value) = self {
            value.write(out);
        }
    }

    fn read(from: &mut &[u8]) -> Option<Option<T>> {
        match u8::read(from)? {
            0 => Some(None),
            1 => Some(Some(T::read(from)?)),
            _ => None,
        }
    }
}

impl<A: Encode, B: Encode> Encode for (A, B) {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
        self.1.write(out);
    }

    fn read(from: &mut &[u8]) -> Option<(A, B)> {
        Some((A::read(from)?, B::read(from)?))
    }
}

impl<T: Encode> Encode for Box<T> {
    fn write(&self, out: &mut Vec<u8>) {
        T::write(self, out);
    }

    fn read(from: &mut &[u8]) -> Option<Box<T>> {
        T::read(from).map(Box::new)
    }
}

impl Encode for Seed {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }

    fn read(from: &mut &[u8]) -> Option<Seed> {
        u64::read(from).map(Seed)
    }
}

impl Encode for Duration {
    fn write(&self, out: &mut Vec<u8>) {
        u64::try_from(self.as_micros()).unwrap_or(u64::MAX).write(out);
    }

    fn read(from: &mut &[u8]) -> Option<Duration> {
        u64::read(from).map(Duration::from_micros)
    }
}

/// As text: a tape that was told is the same as one that was read from a file or a report.
impl Encode for Tape {
    fn write(&self, out: &mut Vec<u8>) {
        self.to_string().write(out);
    }

    fn read(from: &mut &[u8]) -> Option<Tape> {
        let length = u32::read(from)? as usize;
        std::str::from_utf8(take(from, length)?).ok()?.parse().ok()
    }
}

impl Encode for Labels {
    fn write(&self, out: &mut Vec<u8>) {
        self.counts.write(out);
        self.covers.write(out);
        self.checks.write(out);
    }

    fn read(from: &mut &[u8]) -> Option<Labels> {
        let mut labels = Labels::default();
        labels.counts = HashMap::read(from)?;
        labels.covers = Vec::read(from)?;
        labels.checks = Box::read(from)?;
        Some(labels)
    }
}

encode_struct!(Checks { made, counts, covers });

/// In the order of the labels.
impl Encode for HashMap<String, u64> {
    fn write(&self, out: &mut Vec<u8>) {
        let mut counts = Vec::new();
        for (label, count) in self {
            counts.push((label.clone(), *count));
        }
        sort(&mut counts, &|one, other| one.0.cmp(&other.0));
        counts.write(out);
    }

    fn read(from: &mut &[u8]) -> Option<HashMap<String, u64>> {
        let mut counts = HashMap::new();
        for (label, count) in Vec::<(String, u64)>::read(from)? {
            counts.insert(label, count);
        }
        Some(counts)
    }
}

encode_struct!(Cover { percent, hits });
encode_struct!(Failure { signature, message });
encode_enum!(Verdict { 0 Pass; 1 Discard; 2 Fail(failure); });
encode_enum!(Phase { 0 Call; 1 Check; 2 Observe; 3 Drop; });

/// Calls around the cause of a failure; more than one happens only where a test runs another.
const NESTED: u32 = 4;

impl Encode for Signature {
    fn write(&self, out: &mut Vec<u8>) {
        write_signature(self, NESTED, out);
    }

    fn read(from: &mut &[u8]) -> Option<Signature> {
        read_signature(from, NESTED)
    }
}

fn write_signature(signature: &Signature, depth: u32, out: &mut Vec<u8>) {
    match signature {
        Signature::Panic { file, line, column } => {
            out.push(0);
            file.write(out);
            line.write(out);
            column.write(out);
        }
        Signature::ReturnedFalse => out.push(1),
        Signature::ReturnedError => out.push(2),
        Signature::NoPanic => out.push(3),
        Signature::Died(how) => {
            out.push(4);
            how.write(out);
        }
        Signature::Hung => out.push(5),
        Signature::InCall { cause, .. } if depth == 0 => write_signature(cause, 0, out),
        Signature::InCall { operation, phase, cause } => {
            out.push(6);
            operation.write(out);
            phase.write(out);
            write_signature(cause, depth - 1, out);
        }
    }
}

fn read_signature(from: &mut &[u8], depth: u32) -> Option<Signature> {
    Some(match u8::read(from)? {
        0 => Signature::Panic { file: String::read(from)?, line: u32::read(from)?, column: u32::read(from)? },
        1 => Signature::ReturnedFalse,
        2 => Signature::ReturnedError,
        3 => Signature::NoPanic,
        4 => Signature::Died(String::read(from)?),
        5 => Signature::Hung,
        6 if depth > 0 => Signature::InCall {
            operation: String::read(from)?,
            phase: Encode::read(from)?,
            cause: Box::new(read_signature(from, depth - 1)?),
        },
        _ => return None,
    })
}
