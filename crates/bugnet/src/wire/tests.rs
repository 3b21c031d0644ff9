//! Properties of the wire, written with our own engine: every value of every type comes back from its bytes, and no
//! bytes can do harm.

use super::{Command, Encode, Event, Program, Work, decode, encode, explore};
use crate::choice::{Source, Tape};
use crate::label::Labels;
use crate::oracle::{Phase, Signature};
use crate::prelude::*;
use std::collections::HashMap;
use std::fmt::Debug;
use std::time::Duration;

/// A value of a type of the wire, drawn at random. The macros that encode a type also draw it, so no field can be
/// forgotten.
pub(crate) trait Drawn: Sized {
    fn drawn(source: &mut Source) -> Self;
}

macro_rules! drawn {
    ($($kind:ty),*) => { $(
        impl Drawn for $kind {
            fn drawn(source: &mut Source) -> $kind {
                source.any()
            }
        }
    )* };
}

drawn!(bool, u8, u32, u64, u128, String);

impl Drawn for f64 {
    fn drawn(source: &mut Source) -> f64 {
        // A number that is none is not equal to itself.
        Some(source.any()).filter(|number: &f64| !number.is_nan()).unwrap_or_default()
    }
}

impl<T: Drawn> Drawn for Vec<T> {
    fn drawn(source: &mut Source) -> Vec<T> {
        (0..source.any::<u8>() % 4).map(|_| T::drawn(source)).collect()
    }
}

impl Drawn for HashMap<String, u64> {
    fn drawn(source: &mut Source) -> HashMap<String, u64> {
        Vec::drawn(source).into_iter().collect()
    }
}

impl<T: Drawn> Drawn for Option<T> {
    fn drawn(source: &mut Source) -> Option<T> {
        source.any::<bool>().then(|| T::drawn(source))
    }
}

impl<T: Drawn> Drawn for Box<T> {
    fn drawn(source: &mut Source) -> Box<T> {
        Box::new(T::drawn(source))
    }
}

impl<A: Drawn, B: Drawn> Drawn for (A, B) {
    fn drawn(source: &mut Source) -> (A, B) {
        (A::drawn(source), B::drawn(source))
    }
}

impl Drawn for Seed {
    fn drawn(source: &mut Source) -> Seed {
        Seed(source.any())
    }
}

impl Drawn for Duration {
    fn drawn(source: &mut Source) -> Duration {
        Duration::from_micros(source.any())
    }
}

impl Drawn for Tape {
    fn drawn(source: &mut Source) -> Tape {
        let mut other = Source::recording(Seed(source.any()), source.any());
        let _value: Vec<(u8, String)> = other.any();
        // As it is read.
        other.into_tape().to_string().parse().unwrap()
    }
}

impl Drawn for Labels {
    fn drawn(source: &mut Source) -> Labels {
        let mut labels = Labels::default();
        labels.counts.extend(Vec::<(String, u64)>::drawn(source));
        labels.covers = Drawn::drawn(source);
        labels.checks = Drawn::drawn(source);
        labels
    }
}

impl Drawn for Signature {
    fn drawn(source: &mut Source) -> Signature {
        match source.any::<u8>() % 7 {
            0 => Signature::Panic { file: source.any(), line: source.any(), column: source.any() },
            1 => Signature::ReturnedFalse,
            2 => Signature::ReturnedError,
            3 => Signature::NoPanic,
            4 => Signature::Died(source.any()),
            5 => Signature::Hung,
            _ => Signature::InCall {
                operation: source.any(),
                phase: Phase::drawn(source),
                // How deep they nest is for another test.
                cause: Box::new(Signature::Died(source.any())),
            },
        }
    }
}

/// A value with the bytes that it is written as, and those bytes with one of them changed.
fn written<T: Drawn + Encode>(source: &mut Source) -> (T, Vec<u8>, Vec<u8>) {
    let value = T::drawn(source);
    let bytes = encode(&value);
    let mut changed = bytes.clone();
    if !changed.is_empty() {
        let place = source.any::<usize>() % changed.len();
        changed[place] = source.any();
    }
    (value, bytes, changed)
}

fn comes_back<T: Drawn + Encode + PartialEq + Debug>() {
    check(from_fn(written::<T>), |(value, bytes, changed)| {
        assert_eq!(decode::<T>(&bytes).as_ref(), Some(&value));
        for length in 0..bytes.len() {
            assert_eq!(decode::<T>(&bytes[..length]), None, "cut off at {length}");
        }
        // Whatever this is, it is no panic; and what is read is a value like any other.
        if let Some(other) = decode::<T>(&changed) {
            assert_eq!(decode::<T>(&encode(&other)).as_ref(), Some(&other));
        }
    })
    .unwrap();
}

#[test]
fn what_is_written_is_read_and_what_is_cut_off_is_nothing() {
    comes_back::<Command>();
    comes_back::<Event>();
    comes_back::<Work>();
    comes_back::<Program>();
    comes_back::<explore::Command>();
    comes_back::<explore::Event>();
}

/// Reads bytes as each type that a frame can be.
fn read(bytes: &[u8]) {
    let _ = (decode::<Command>(bytes), decode::<Event>(bytes), decode::<Work>(bytes));
    let _ = decode::<Program>(bytes);
    let _ = (decode::<explore::Command>(bytes), decode::<explore::Event>(bytes));
}

#[test]
fn no_bytes_panic() {
    check(any::<Vec<u8>>(), |bytes| {
        read(&bytes);
    })
    .unwrap();
    // With the number of a variant before them, more of them are read.
    check(any::<(u8, Vec<u8>)>(), |(first, mut bytes)| {
        bytes.insert(0, first % 16);
        read(&bytes);
    })
    .unwrap();
}

#[test]
fn a_length_that_is_a_lie_is_found_out_before_anything_is_made_for_it() {
    let lie = [u32::MAX.to_le_bytes().as_slice(), &[1; 100]].concat();
    assert_eq!(decode::<Vec<String>>(&lie), None);
    assert_eq!(decode::<String>(&lie), None);
}

#[test]
fn what_stands_behind_a_value_makes_it_none() {
    let mut bytes = encode(&Work::Traced(Seed(7)));
    bytes.push(0);
    assert_eq!(decode::<Work>(&bytes), None);
}

#[test]
fn signatures_nest_as_deep_as_tests_do_and_no_bytes_nest_deeper() {
    let call = |cause: Signature| Signature::InCall {
        operation: "f".to_string(),
        phase: Phase::Call,
        cause: Box::new(cause),
    };
    let four = call(call(call(call(Signature::Hung))));
    assert_eq!(decode(&encode(&four)), Some(four.clone()));
    assert_eq!(decode(&encode(&call(four.clone()))), Some(four));
    // Without a bound, this would overflow the stack.
    let deep = [6, 0, 0, 0, 0, 0].repeat(1 << 20);
    assert_eq!(decode::<Signature>(&deep), None);
}
