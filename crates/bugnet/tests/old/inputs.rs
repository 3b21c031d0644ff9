//! The properties whose old files are replayed.
//!
//! **Invariant:** nothing here changes: types, their variants and the order of both are those that the files
//! were written with.

use bugnet::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, PartialEq, Generate)]
pub enum Exp {
    Con(i8),
    Var(bool),
    Neg(Box<Exp>),
    Add(Box<Exp>, Box<Exp>),
    Sub(Box<Exp>, Box<Exp>),
    Mul(Box<Exp>, Box<Exp>),
}
use Exp::*;

impl Exp {
    fn value(&self) -> i64 {
        match self {
            Con(number) => i64::from(*number),
            Var(true) => 17,
            Var(false) => 1_000,
            Neg(a) => a.value().wrapping_neg(),
            Add(a, b) => a.value().wrapping_add(b.value()),
            Sub(a, b) => a.value().wrapping_sub(b.value()),
            Mul(a, b) => a.value().wrapping_mul(b.value()),
        }
    }

    /// The same in fewer words, by some rules of which three are wrong.
    fn simplified(self) -> Exp {
        match self {
            Neg(a) => Neg(Box::new(a.simplified())),
            Add(a, b) => match (a.simplified(), b.simplified()) {
                (Con(0), b) => b,
                (a, Con(1)) => a,
                (a, b) => Add(Box::new(a), Box::new(b)),
            },
            Sub(a, b) => match (a.simplified(), b.simplified()) {
                (a, b) if a == b => Con(1),
                (a, b) => Sub(Box::new(a), Box::new(b)),
            },
            Mul(a, b) => match (a.simplified(), b.simplified()) {
                (Con(1), b) => b,
                (a, Con(0)) => a,
                (a, b) => Mul(Box::new(a), Box::new(b)),
            },
            other => other,
        }
    }
}

/// Three rules are wrong, behind one assertion.
pub fn simplifies(exp: Exp) {
    assert_eq!(exp.clone().simplified().value(), exp.value());
}

/// Forms with a range, a list with gaps and an alternative.
pub fn three_panics((number, list, is_on): (i32, Vec<i16>, Option<bool>)) {
    assert!(number < 5_000, "large");
    assert!(!list.contains(&-7), "minus seven");
    assert!(is_on != Some(true), "on");
}

/// Numbers on either side of something.
pub fn numbers((a, b, c): (i64, i8, i32)) {
    assert!(a >= -70, "low");
    assert!(b == 0 || a < 1_000, "not zero");
    assert!(!(10..=20).contains(&c), "between");
}

/// Only most of the inputs of the form fail, and some otherwise.
pub fn most_of((x, y): (u16, u8)) {
    assert!(y % 32 != 17 || x < 200, "rare");
    assert!(x < 100 || y % 32 == 9, "large");
}

/// Equal parts.
pub fn no_pair(list: Vec<u8>) -> bool {
    let different: BTreeSet<&u8> = list.iter().collect();
    different.len() == list.len()
}

/// An error, and a list that must not be empty.
pub fn reads((list, text, map): (Vec<u8>, String, BTreeMap<u8, bool>)) -> Result<(), String> {
    assert!(!list.is_empty(), "nothing to read");
    if !text.is_ascii() {
        return Err("not ASCII".to_owned());
    }
    if map.contains_key(&9) { Err("nine".to_owned()) } else { Ok(()) }
}

/// Two negations inside of something.
pub fn is_plain(exp: Exp) -> bool {
    fn is_plain(exp: &Exp) -> bool {
        match exp {
            Neg(inner) => !matches!(**inner, Neg(_)) && is_plain(inner),
            Add(a, b) | Sub(a, b) | Mul(a, b) => is_plain(a) && is_plain(b),
            Con(_) | Var(_) => true,
        }
    }
    is_plain(&exp)
}

#[derive(Debug, Clone, PartialEq, Generate)]
pub enum Change {
    Add(u8),
    Lose,
    Double,
    Swap(u8),
}

/// Two alternatives fail.
pub fn changes((change, _): (Change, u8)) {
    assert!(!matches!(change, Change::Lose | Change::Double), "the total is wrong");
}

/// Must panic with `odd one out`, and does not always.
pub fn panics((number, is_on): (u8, bool)) {
    assert!(number < 200, "too large");
    assert!(is_on, "odd one out");
    assert!(number == 7, "odd one out");
}

/// Ends its process, and for some inputs never ends.
pub fn dies((list, is_on): (Vec<u8>, Option<bool>)) {
    if list.len() > 2 {
        std::process::abort();
    }
    while is_on == Some(true) {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}
